"""The games whose hands, boards and ranges headsup reads."""

from __future__ import annotations

from collections.abc import Collection

from headsup.common.checks import door, quoted, whole
from headsup.common.errors import UserError

GAMES = {"holdem": 2, "omaha": 4, "omaha8": 4}  # the games, and how many cards a player holds in each
GAME_NAMES = {"holdem": "hold'em", "omaha": "Omaha high", "omaha8": "Omaha hi-lo, eight or better"}
OMAHA_GAMES = tuple(game for game, cards in GAMES.items() if cards == 4)


def check_game(game: str, among: Collection[str] = tuple(GAMES)) -> str:
    """The game if it is one (of these), else one sentence that names those there are."""
    if not isinstance(game, str) or game not in among:
        wrong = "is not played here" if isinstance(game, str) and game in GAMES else "is not a game"
        raise UserError(f"{quoted(game)} {wrong}: choose one of {', '.join(among)}")
    return game


def hand_size(game: str) -> int:
    return GAMES[check_game(game)]


@door(cards=whole)
def check_board(cards: int) -> None:
    """Refuse a board of a size that no street has."""
    if cards not in (0, 3, 4, 5):
        raise UserError(f"a board has 0, 3, 4 or 5 cards, not {quoted(cards)}: add or remove cards")
