from headsup.distil.formulas.formula import Formula as Formula
from headsup.distil.formulas.formula import flop_formula as flop_formula
