from headsup.preflop.solve import solve_preflop as solve_preflop
