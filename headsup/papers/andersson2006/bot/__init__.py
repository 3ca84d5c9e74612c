"""AggroBot: models before and after the flop, their solution and the agent."""
