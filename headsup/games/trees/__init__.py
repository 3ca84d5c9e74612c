"""Games as arrays: trees of states, sequence forms, public trees, and EFG files."""
