from headsup.preflop.chart import Setting as Setting
from headsup.preflop.compare import compare_checked_down as compare_checked_down
from headsup.preflop.flops import solve_flops as solve_flops
from headsup.preflop.shipped import shipped_preflop as shipped_preflop
from headsup.preflop.solve import solve_preflop as solve_preflop
