"""The system of the ectomynx report (MIT Pokerbots 2017) as it was, and bots for hold'em with discards.

`hands` has its parameters of a hand (14 strengths, wetness and volatility), `levels` the model of bet levels, `start`
the strategies that it began with, `train` its fixed-strategy iteration, `agent` the bot, and `advice` a bot that is
hard-coded after the report's advice. Each fault that the report lists is a switch (`levels.Faults`).
"""
