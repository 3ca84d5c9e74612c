"""The bot of the ectomynx report: its hand features, training, tables and agents."""
