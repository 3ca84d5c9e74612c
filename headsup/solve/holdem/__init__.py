"""Solvers for hold'em over vectors of hands, in memory, in buckets or stored piece by piece."""
