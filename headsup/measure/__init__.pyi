from headsup.measure.exploit import best_response as best_response
from headsup.measure.exploit import exploitability as exploitability
from headsup.measure.exploit import measure as measure
from headsup.measure.measurement import Measurement as Measurement
