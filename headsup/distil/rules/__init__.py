"""Published rules by name (`catalogue`): lines of points and a threshold; a coach explains their advice."""
