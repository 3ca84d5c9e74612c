"""Stage 9: whatever can play meets whatever else can, under one referee, and the result says how sure it is."""
