"""What a game must answer: `Game` for any game, `PublicGame` for one with public moves."""
