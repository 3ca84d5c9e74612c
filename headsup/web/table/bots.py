"""The bots of the page and the API: the arena's agents, by game. No request can name a file."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from headsup.common.errors import UserError
from headsup.nolimit.shipped import LEAST, MOST, STACKS, has_blueprint
from headsup.play.agents.resolver import Resolver
from headsup.play.table.agent import PATIENCE, Agent, Player, make_agent
from headsup.play.table.rules import Table, table
from headsup.web.asking import calculating, later, one_of
from headsup.web.render import templates

WORDS = {
    "nolimit": "the blueprint, but solves later streets again during play",
    "nolimit:blueprint": "the blueprint: a precomputed strategy for the nearest stack",
    "aggrobot": "the bot of Andersson's thesis of 2006, with four groups of hands per street",
    "limit": "the blueprint: a precomputed strategy for limit hold'em",
    "discard": "a precomputed strategy for hold'em with discards",
    "ectomynx": "the bot of team EctomynX at MIT Pokerbots 2017",
    "advice": "fixed rules recommended by team EctomynX",
    "jamfold": "the jam-or-fold equilibrium for this stack",
    "rule:card": "follows a rule card",
    "rule:sage": "follows the SAGE rule",
    "rule:oracle": "follows the ORACLE rule of Ho's thesis of 2015",
    "sklansky": "follows Sklansky's all-in system for beginners",
    "chart:55,40": "jams the best 55 % of hands, calls with the best 40 %",
    "average": "plays by hand strength, bluffs, and adapts to you",
    "loose-passive": "calls often, seldom bets, and adapts",
    "loose-aggressive": "bets and bluffs often, and adapts",
    "tight": "waits for good hands and does not adapt",
    "random": "plays random legal actions",
    "caller": "always checks or calls",
    "raiser": "always makes the minimum raise",
    "allin": "always goes all-in",
    "folder": "always checks or folds",
}
NAMES = {
    "nolimit": "Blueprint, re-solving",
    "nolimit:blueprint": "Blueprint",
    "aggrobot": "AggroBot",
    "limit": "Limit blueprint",
    "discard": "Discard blueprint",
    "ectomynx": "EctomynX",
    "advice": "EctomynX's rules",
    "jamfold": "Jam-or-fold equilibrium",
    "rule:card": "Rule card",
    "rule:sage": "SAGE",
    "rule:oracle": "ORACLE",
    "sklansky": "Sklansky's system",
    "chart:55,40": "Fixed chart",
    "average": "Average player",
    "loose-passive": "Loose-passive player",
    "loose-aggressive": "Loose-aggressive player",
    "tight": "Tight player",
    "random": "Random player",
    "caller": "Caller",
    "raiser": "Raiser",
    "allin": "All-in player",
    "folder": "Folder",
}
"""What agents are called at the table."""
STYLES = ("average", "loose-passive", "loose-aggressive", "tight")
SIMPLE = ("random", "caller", "raiser", "allin", "folder")


def bot_name(bot: str) -> str:
    return NAMES.get(bot, bot)


templates.env.filters["bot"] = bot_name
LEVELS = {
    "Strong": ("nolimit:blueprint", "limit", "discard", "jamfold"),
    "Medium": ("average", "rule:sage", "rule:oracle", "random"),
    "Beginner": ("loose-passive", "caller"),
}
"""Opponents that the page offers first: of each level the first that plays the game."""


class Offer(NamedTuple):
    title: str
    about: str
    stacks: tuple[float, ...]  # big blinds that the page offers, the usual one first; none where chips have no end
    bots: tuple[str, ...]  # the strongest first


GAMES = {
    "holdem-nolimit": Offer(
        "No-limit hold'em", "any bet size", (20.0, 50.0, 100.0, 200.0, 15.0),
        ("nolimit:blueprint", "nolimit", "aggrobot", "jamfold", *STYLES, "rule:card", "rule:sage", "sklansky", *SIMPLE),
    ),
    "holdem-limit": Offer(
        "Limit hold'em", "bets of 10 and 20, at most four per street", (), ("limit", *STYLES, *SIMPLE),
    ),
    "holdem-discard": Offer(
        "Hold'em with discards", "swap a card on the flop and the turn", (100.0,),
        ("discard", "ectomynx", "advice", *STYLES, *SIMPLE),
    ),
    "holdem-jamfold": Offer(
        "Jam or fold: hold'em", "all-in or fold", (10.0, 4.0, 6.0, 8.0, 12.0, 15.0, 20.0),
        ("jamfold", "rule:card", "rule:sage", "sklansky", "chart:55,40", "random", "caller", "folder"),
    ),
    "omaha-jamfold": Offer(
        "Jam or fold: Omaha", "four cards, all-in or fold", (10.0, 4.0, 6.0, 8.0, 12.0, 15.0, 20.0),
        ("jamfold", "random", "caller", "folder"),
    ),
    "omaha8-jamfold": Offer(
        "Jam or fold: Omaha Hi-Lo", "four cards, high and low", (10.0, 4.0, 6.0, 8.0, 12.0, 15.0, 20.0),
        ("jamfold", "rule:oracle", "rule:card", "random", "caller", "folder"),
    ),
}  # fmt: skip
MOST_STACK = 1000.0  # big blinds that a client may ask for


@lru_cache(maxsize=256)
def table_of(game: str, stack: float | None) -> Table:
    one_of(game, tuple(GAMES), "the game")
    if not GAMES[game].stacks:
        return table(game)
    if stack is None:
        stack = GAMES[game].stacks[0]
    if not 1.5 <= stack <= MOST_STACK or (2 * stack) % 1:
        raise UserError(f"a stack must be 1.5 to {MOST_STACK:g} big blinds, in steps of 0.5, not {stack:g}")
    return table(game, stack)


def bots_of(game: str, stack: float | None) -> tuple[str, ...]:
    one_of(game, tuple(GAMES), "the game")
    has_strategy = {"nolimit": stack is not None and has_blueprint(stack), "aggrobot": stack in STACKS}
    return tuple(name for name in GAMES[game].bots if has_strategy.get(name.partition(":")[0], True))


def levels_of(bots: tuple[str, ...]) -> dict[str, str]:
    """The opponent of each level, by its name."""
    firsts = {level: next((bot for bot in wanted if bot in bots), "") for level, wanted in LEVELS.items()}
    return {level: bot for level, bot in firsts.items() if bot}


def check_bot(name: str, game: str, stack: float | None) -> str:
    known = bots_of(game, stack)
    if name not in known and name in GAMES[game].bots and name.startswith("nolimit"):
        raise UserError(f"'{name}' plays stacks from {LEAST:g} to {MOST:g} big blinds, not {stack:g}: take one of them")
    if name not in known:
        raise UserError(f"the bot is one of {', '.join(known)} in {game} at this stack, not '{name[:40]}'")
    return name


class Seated(NamedTuple):
    """An agent and its lock; its state must not be used by two matches at once."""

    agent: Agent
    lock: threading.Lock
    heavy: bool  # whether it solves something at the table, with kernels that take all cores

    @contextmanager
    def alone(self) -> Iterator[Agent]:
        with self.lock:
            if self.heavy:
                with calculating():
                    yield self.agent
            else:
                yield self.agent


def seat(game: str, stack: float | None, bot: str) -> Seated:
    agent = make_agent(bot, table_of(game, stack))
    if isinstance(agent, Player):
        agent.seconds = PATIENCE
    return Seated(agent, threading.Lock(), isinstance(agent, Resolver))


_making = threading.Lock()


def shared(game: str, stack: float | None, bot: str) -> Seated:
    """The agent that all matches of this kind share; it must not learn."""
    with _making:  # made only once
        return _shared(game, stack, bot)


@lru_cache(maxsize=64)
def _shared(game: str, stack: float | None, bot: str) -> Seated:
    return seat(game, stack, bot)


@lru_cache(maxsize=64)
def warm(game: str, stack: float | None, bot: str) -> None:
    """Prepare the chosen bot while the visitor reads the page. Others wait: the re-solving one takes seconds of CPU."""

    def load() -> None:
        seat(game, stack, bot).agent.start(table_of(game, stack))

    later(1.0, load)  # after the first paint


def learns(bot: str) -> bool:
    return bot in STYLES and bot != "tight"
