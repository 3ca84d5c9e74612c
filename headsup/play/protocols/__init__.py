"""Programs of others: ACPC, Pokerbots and the wire they speak over."""
