"""A hand at the table: rules, records, the referee and the agent interface."""
