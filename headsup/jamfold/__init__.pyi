from headsup.jamfold.answer import jamfold as jamfold
from headsup.jamfold.game import jamfold_game as jamfold_game
