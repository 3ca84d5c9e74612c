"""Whom one can play on the page and by the API: the arena's agents, by game. Nothing that is sent names a file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import NamedTuple

from headsup.common.errors import UserError
from headsup.nolimit.shipped import STACKS
from headsup.play.table.agent import PATIENCE, Agent, Player, make_agent
from headsup.play.table.rules import Table, table
from headsup.web.asking import calculating, later, one_of

WORDS = {
    "nolimit": "the blueprint of 15 and 20 big blinds, turn and river solved anew at the table",
    "nolimit:blueprint": "the blueprint alone, at once",
    "aggrobot": "andersson-2006's bot of four buckets a street, rebuilt",
    "limit": "the strategy of limit hold'em that ships",
    "discard": "our strategy with discards",
    "ectomynx": "the contest bot of the ectomynx report",
    "advice": "hard-coded after the ectomynx report's advice",
    "jamfold": "the jam/fold equilibrium of the stack",
    "rule:card": "the rule card that ships",
    "rule:sage": "the SAGE rule",
    "rule:oracle": "ho-2015's ORACLE rule",
    "sklansky": "Sklansky's all-in system for beginners",
    "chart:55,40": "jams the best 55 % of hands, calls with the best 40 %",
    "average": "goes by strength, bluffs, and learns how you play",
    "loose-passive": "calls a lot, seldom bets, and learns",
    "loose-aggressive": "bets a lot, bluffs a lot, and learns",
    "tight": "waits for good hands, and learns nothing",
    "random": "anything that is legal",
    "caller": "checks and calls",
    "raiser": "makes the least raise whenever it may",
    "allin": "as many chips as it may, always",
    "folder": "checks and folds",
}
"""What each does, in a few words."""
STYLES = ("average", "loose-passive", "loose-aggressive", "tight")
SIMPLE = ("random", "caller", "raiser", "allin", "folder")


class Offer(NamedTuple):
    """A game to play."""

    title: str
    about: str
    stacks: tuple[float, ...]
    """Big blinds that the page offers, the usual one first; none where chips have no end."""
    bots: tuple[str, ...]
    """The strongest first."""


GAMES = {
    "holdem-nolimit": Offer(
        "No-limit hold'em", "bet what you like", (20.0, 15.0),
        ("nolimit:blueprint", "nolimit", "aggrobot", "jamfold", *STYLES, "rule:card", "rule:sage", "sklansky", *SIMPLE),
    ),
    "holdem-limit": Offer("Limit hold'em", "bets of 10 and 20, four a street", (), ("limit", *STYLES, *SIMPLE)),
    "holdem-discard": Offer(
        "Hold'em with discards", "change a card on flop and turn", (100.0,),
        ("discard", "ectomynx", "advice", *STYLES, *SIMPLE),
    ),
    "holdem-jamfold": Offer(
        "Jam or fold: hold'em", "all-in or nothing", (10.0, 4.0, 6.0, 8.0, 12.0, 15.0, 20.0),
        ("jamfold", "rule:card", "rule:sage", "sklansky", "chart:55,40", "random", "caller", "folder"),
    ),
    "omaha-jamfold": Offer(
        "Jam or fold: Omaha", "four cards, all-in or nothing", (10.0, 4.0, 6.0, 8.0, 12.0, 15.0, 20.0),
        ("jamfold", "random", "caller", "folder"),
    ),
    "omaha8-jamfold": Offer(
        "Jam or fold: Omaha Hi-Lo", "four cards, high and low", (10.0, 4.0, 6.0, 8.0, 12.0, 15.0, 20.0),
        ("jamfold", "rule:oracle", "rule:card", "random", "caller", "folder"),
    ),
}  # fmt: skip
"""The games of the page, in its order."""
MOST_STACK = 1000.0
"""Big blinds that a client may ask for."""


@lru_cache(maxsize=256)
def table_of(game: str, stack: float | None) -> Table:
    """The table of a game on offer."""
    one_of(game, tuple(GAMES), "the game")
    if not GAMES[game].stacks:
        return table(game)
    if stack is None:
        stack = GAMES[game].stacks[0]
    if not 1.5 <= stack <= MOST_STACK or (2 * stack) % 1:
        raise UserError(f"a stack is 1.5 to {MOST_STACK:g} big blinds, in halves, not {stack:g}")
    return table(game, stack)


def bots_of(game: str, stack: float | None) -> tuple[str, ...]:
    """Who plays a game at a stack."""
    one_of(game, tuple(GAMES), "the game")
    blueprints = stack in STACKS
    return tuple(
        name
        for name in GAMES[game].bots
        if blueprints or not name.startswith(("nolimit", "aggrobot"))  # who has no strategy for other stacks
    )


def check_bot(name: str, game: str, stack: float | None) -> str:
    """The name of a bot that plays there."""
    known = bots_of(game, stack)
    if name not in known:
        raise UserError(f"the bot is one of {', '.join(known)} in {game} at this stack, not '{name[:40]}'")
    return name


class Seated(NamedTuple):
    """An agent that whoever plays against it shares, and its lock: its dice and its memory are one."""

    agent: Agent
    lock: threading.Lock
    heavy: bool
    """Whether it solves something at the table, with kernels that take all cores."""

    @contextmanager
    def alone(self) -> Iterator[Agent]:
        """The agent, asked by nobody else meanwhile."""
        with self.lock:
            if self.heavy:
                with calculating():
                    yield self.agent
            else:
                yield self.agent


def seat(game: str, stack: float | None, bot: str) -> Seated:
    """An agent of its own."""
    agent = make_agent(bot, table_of(game, stack))
    if isinstance(agent, Player):
        agent.seconds = PATIENCE
    return Seated(agent, threading.Lock(), bot == "nolimit")


_making = threading.Lock()


def shared(game: str, stack: float | None, bot: str) -> Seated:
    """The agent that all matches of this kind share; it must not learn."""
    with _making:  # made once, whoever asks meanwhile
        return _shared(game, stack, bot)


@lru_cache(maxsize=64)
def _shared(game: str, stack: float | None, bot: str) -> Seated:
    return seat(game, stack, bot)


@cache
def warm() -> None:
    """Have the bot that solves at the table ready for its first turn, while the visitor chooses a game.

    That takes all cores for seconds, so nobody who does not come to play shall wait for it.
    """

    def load() -> None:
        for stack in STACKS:
            seat("holdem-nolimit", stack, "nolimit").agent.start(table_of("holdem-nolimit", stack))

    later(1.0, load)  # after the first paint


def learns(bot: str) -> bool:
    """Whether a bot changes from hand to hand."""
    return bot in STYLES and bot != "tight"
