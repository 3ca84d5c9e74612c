"""From an equilibrium to rules that a person can remember, each with its exact price."""
