"""Solvers for games that fit in memory: LP, CFR, fictitious play and sampling."""
