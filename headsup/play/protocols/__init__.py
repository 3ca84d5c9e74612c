"""Protocols of other programs: ACPC, Pokerbots, and their sockets."""
