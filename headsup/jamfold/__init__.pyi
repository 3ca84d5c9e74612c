from headsup.jamfold.answer import jamfold as jamfold
from headsup.jamfold.vector import jamfold_game as jamfold_game
