"""Games that fit on a page: rock-paper-scissors, the tree of andersson-2006 figure 3.3, liar's dice, one bet."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.games.contract.public import PublicGame

Path = tuple[str, ...]


class RockPaperScissors(Game):
    """Player 0 chooses and hides the choice, player 1 chooses, both show (andersson-2006 figure 3.1)."""

    name = "rps"
    signs = ("rock", "scissors", "paper")  # each beats the next one

    def __init__(self) -> None:
        self.params = {}

    def root(self) -> Path:
        return ()

    def player(self, state: Path) -> int:
        return TERMINAL if len(state) == 2 else len(state)

    def actions(self, state: Path) -> Sequence[str]:
        return self.signs

    def next(self, state: Path, index: int) -> Path:
        return (*state, self.signs[index])

    def chance(self, state: Path) -> Sequence[float]:
        return []

    def infoset(self, state: Path) -> str:
        return "choose"

    def payoff(self, state: Path) -> float:
        mine, theirs = (self.signs.index(sign) for sign in state)
        return (0.0, 1.0, -1.0)[(theirs - mine) % 3]


# The payoff matrix of figure 3.4: (player 0's action, player 1's last action) -> entry, chance multiplied in.
_FIGURE_3_4 = {
    "kc": 2, "kd": -3, "la": 5, "me": 3, "mf": -1, "ng": -1, "nh": -0.5, "ni": 2,
    "oc": 4, "od": -2, "pa": 5, "qe": -1, "qf": 2, "rg": 1, "rh": 2, "ri": -1,
}  # fmt: skip
_REPLIES = {"left a": "kl", "left b": "mn", "right a": "op", "right b": "qr"}
_LAST = {"k": "cd", "o": "cd", "m": "ef", "q": "ef", "n": "ghi", "r": "ghi"}


class AnderssonTree(Game):
    """The tree of andersson-2006 figure 3.3, rebuilt from the matrices of figures 3.4 to 3.7.

    Chance sends play left or right, which only player 0 (the paper's P1) sees. Player 1 (P2) picks a or b, player 0
    answers, and unless that was l or p player 1 moves once more, seeing what both did but not chance. The text
    version of the paper has no drawing of the tree and does not state how likely left is; here both sides have one half
    and a leaf pays twice the printed entry, so that the sequence-form matrix is the printed one. (Figure 3.6 has no
    column for i; figure 3.7 does.)
    """

    name = "andersson"

    def __init__(self) -> None:
        self.params = {}

    def root(self) -> Path:
        return ()

    def player(self, state: Path) -> int:
        """Chance, player 1, player 0, and player 1 again after some answers."""
        if len(state) < 3:
            return (CHANCE, 1, 0)[len(state)]
        return 1 if len(state) == 3 and state[2] in _LAST else TERMINAL

    def actions(self, state: Path) -> Sequence[str]:
        if len(state) == 2:
            return tuple(_REPLIES[f"{state[0]} {state[1]}"])
        return (("left", "right"), ("a", "b"), (), tuple(_LAST.get(state[-1], "")) if len(state) == 3 else ())[
            len(state)
        ]

    def next(self, state: Path, index: int) -> Path:
        return (*state, self.actions(state)[index])

    def chance(self, state: Path) -> Sequence[float]:
        return (0.5, 0.5)

    def infoset(self, state: Path) -> str:
        """Player 0 sees all; player 1 sees neither chance nor the letters that would give it away."""
        if len(state) == 2:
            return " ".join(state)
        return "start" if len(state) == 1 else f"{state[1]}, then {_LAST[state[2]]}"

    def payoff(self, state: Path) -> float:
        """Twice the printed entry, since chance comes to one half."""
        last = state[3] if len(state) == 4 else state[1]
        return 2.0 * _FIGURE_3_4[state[2] + last]


Bids = tuple[int, ...]  # the bids made; a call of liar is written as -1


class LiarsDice(PublicGame):
    """One die of `sides` sides for each player."""

    name = "liars_dice"

    def __init__(self, sides: int = 6) -> None:
        self.sides = sides
        self.params = {} if sides == 6 else {"sides": sides}
        self.bids = [f"{quantity}x{face + 1}" for quantity in (1, 2) for face in range(sides)]

    def hands(self, seat: int) -> Sequence[str]:
        return [str(face + 1) for face in range(self.sides)]

    def deal(self) -> Floats:
        return np.ones((self.sides, self.sides))

    def public_root(self) -> Bids:
        return ()

    def public_player(self, public: Bids) -> int:
        return TERMINAL if public and public[-1] < 0 else len(public) % 2

    def public_actions(self, public: Bids) -> Sequence[str]:
        return [*self.bids[public[-1] + 1 if public else 0 :], *(["liar"] if public else [])]

    def public_next(self, public: Bids, index: int) -> Bids:
        bid = (public[-1] + 1 if public else 0) + index
        return (*public, bid if bid < len(self.bids) else -1)

    def public_text(self, public: Bids) -> str:
        return " ".join("liar" if bid < 0 else self.bids[bid] for bid in public)

    def public_end(self, public: Bids) -> tuple[float, Hashable]:
        bidder = len(public) % 2  # the caller moved last, so the bidder is the one who would move now
        return (1.0 if bidder == 0 else -1.0), public[-2]

    def result(self, key: Hashable, cards: Hashable) -> Floats:
        assert isinstance(key, int)
        quantity, face = key // self.sides + 1, key % self.sides
        shows = np.array([f in (face, self.sides - 1) for f in range(self.sides)], dtype=np.int64)
        return np.where(shows[:, None] + shows[None, :] >= quantity, 1.0, -1.0)


class OneBet(PublicGame):
    """Borel's and von Neumann's poker: a number from 0 to 1 each, antes of 1, one bet that is called or folded to.

    Without a bet the first player folds (Borel) or both show (von Neumann). Numbers are rounded to `cells` equal parts;
    the same part ties, as two numbers of one part do on average. So this is the game of real numbers in which a player
    does the same with all numbers of a part.
    """

    def __init__(self, name: str, cells: int, bet: float, shows: bool, params: dict[str, Any]) -> None:
        self.name, self.cells, self.bet, self.shows, self.params = name, cells, bet, shows, params

    def hands(self, seat: int) -> Sequence[str]:
        return [str(cell + 1) for cell in range(self.cells)]

    def deal(self) -> Floats:
        return np.ones((self.cells, self.cells))

    def public_root(self) -> str:
        return ""

    def public_player(self, public: str) -> int:
        return {"": 0, "bet": 1}.get(public, TERMINAL)

    def public_actions(self, public: str) -> Sequence[str]:
        return ("fold", "call") if public else ("check" if self.shows else "fold", "bet")

    def public_next(self, public: str, index: int) -> str:
        return f"{public} {self.public_actions(public)[index]}".strip()

    def public_text(self, public: str) -> str:
        return public

    def public_end(self, public: str) -> tuple[float, Hashable]:
        return {"fold": (-1.0, False), "check": (1.0, True), "bet fold": (1.0, False)}.get(
            public, (1.0 + self.bet, True)
        )

    def result(self, key: Hashable, cards: Hashable) -> Floats:
        order = np.arange(self.cells)
        return np.sign(order[:, None] - order[None, :]).astype(np.float64) if key else self.deal()
