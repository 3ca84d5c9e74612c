"""Reviews of played hands, training questions, and the cost of a choice."""
