from headsup.games.holdem.spot import Spot as Spot
from headsup.spots.profile import OpponentProfile as OpponentProfile
from headsup.spots.profile import play_profile as play_profile
from headsup.spots.report import make_report as make_report
from headsup.spots.sizes import simplify_sizes as simplify_sizes
from headsup.spots.sizes import size_curve as size_curve
from headsup.spots.solve import SpotSolution as SpotSolution
from headsup.spots.solve import solve_spot as solve_spot
