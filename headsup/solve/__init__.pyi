from headsup.solve.holdem.stored import solve_stored as solve_stored
from headsup.solve.methods import solve as solve
from headsup.solve.methods import start as start
from headsup.solve.records.settings import METHODS as METHODS
from headsup.solve.records.settings import PRESETS as PRESETS
from headsup.solve.records.settings import Settings as Settings
from headsup.solve.records.solution import Solution as Solution
