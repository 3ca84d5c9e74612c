"""A hand at the table: rules, records, the referee and what an agent is."""
