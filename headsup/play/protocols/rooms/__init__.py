"""Hand histories of poker rooms: read, refereed chip by chip, and reduced to what two players decide."""
