"""Games by name, the small games that come with headsup, and their flat forms."""
