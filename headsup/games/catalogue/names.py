"""The games by name, with parameters: `kuhn`, `leduc:ranks=4,suits=merged`, or the path of a Gambit `.efg` file."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from numbers import Integral, Real
from typing import Any

from headsup.cards.cards import RANKS
from headsup.common.checks import Check, as_number, as_text, as_truth, door, finite, parse_float, parse_int, quoted
from headsup.common.checks import whole as whole_number
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import Betting
from headsup.games.catalogue.poker import HoldemDeck, Numbers, Poker, RankDeck, Runout, ThreeCardDeck
from headsup.games.catalogue.small import AnderssonTree, LiarsDice, OneBet, RockPaperScissors
from headsup.games.contract.game import Game
from headsup.games.holdem.vector import VectorGame, holdem_game

WHOLE = "a whole number"


def _of_product(name: str) -> Any:
    """The module of a product's game: products are built on this folder, so it loads them by name."""
    return import_module(f"headsup.{name}.game")


def rps() -> Game:
    """Rock-paper-scissors as a game tree (andersson-2006 figure 3.1)."""
    return RockPaperScissors()


def andersson() -> Game:
    """The example tree of andersson-2006 figure 3.3, from its printed matrices."""
    return AnderssonTree()


def kuhn(ranks: int = 3) -> Game:
    """Kuhn poker: three cards, ante 1, one bet of 1; more ranks if wanted."""
    _between("ranks", ranks, 3, 1000)
    names = "JQK" if ranks == 3 else [str(i + 1) for i in range(ranks)]
    rules = Betting(first=(0,), antes=(1, 1), kind="limit", sizes=(1,), cap=(1,))
    return Poker("kuhn", RankDeck(names), rules, board=(0,), **_changed(kuhn, ranks=ranks))


def leduc(ranks: int = 3, suits: int = 2, merged: bool = False) -> Game:
    """Leduc hold'em: one card each, one public card, ante 1, raises of 2 and 4, two a round; `merged` folds the
    suits.
    """
    _between("ranks", ranks, 2, 13)
    _between("suits", suits, 1, 4)
    if ranks * suits < 3:
        raise UserError("leduc needs at least three cards: raise ranks or suits")
    names = "JQK" if ranks == 3 else RANKS[13 - ranks :]
    rules = Betting(first=(0, 0), antes=(1, 1), kind="limit", sizes=(2, 4), cap=(2, 2))
    deck = RankDeck(names, "cdhs"[4 - suits :] if suits > 1 else "", merged)
    return Poker("leduc", deck, rules, board=(0, 1), **_changed(leduc, ranks=ranks, suits=suits, merged=merged))


def leduc_nolimit(stack: int = 10, raises: int = 2, merged: bool = False) -> Game:
    """Leduc hold'em without limit: ante 1, bets of half the pot, the pot and all-in."""
    _between("stack", stack, 2, 10_000)
    _between("raises", raises, 1, 10)
    rules = Betting(first=(0, 0), stacks=(stack, stack), antes=(1, 1), cap=(raises, raises))
    deck = RankDeck("JQK", "hs", merged)
    changed = _changed(leduc_nolimit, stack=stack, raises=raises, merged=merged)
    return Poker("leduc_nolimit", deck, rules, board=(0, 1), menu=parse_menu("50%, 100%, a"), **changed)


def numbers(n: int = 10, stack: int = 10, raises: int = 3) -> Game:
    """The number game of andersson-2006 section 5.1.1: numbers 1..n, player 1 posts a blind of 1, bets in whole
    chips.
    """
    _between("n", n, 2, 1000)
    _between("stack", stack, 1, 1000)
    _between("raises", raises, 0, 20)
    rules = Betting(first=(0,), stacks=(stack, stack), blinds=(0, 1), cap=(raises + 1,), full_raises=False)
    return Poker("numbers", Numbers(n), rules, board=(0,), **_changed(numbers, n=n, stack=stack, raises=raises))


def spades() -> Game:
    """The one-card jam/fold game of ho-2015 section 2.1.2: thirteen spades, blinds 1 and 2, fold or raise to 4."""
    rules = Betting(first=(0,), stacks=(4, 4), blinds=(1, 2), jam_or_fold=True)
    return Poker("spades", RankDeck(RANKS), rules, board=(0,), unit=2.0)


def small_holdem(ranks: int = 3, suits: int = 3, rounds: int = 2, raises: int = 2) -> Game:
    """Limit hold'em on the top cards: two hole cards, a three-card flop, blinds 1 and 2, raises of 2, in 1 or 2
    rounds.
    """
    _between("ranks", ranks, 2, 13)
    _between("suits", suits, 2, 4)
    _between("rounds", rounds, 1, 2)
    _between("raises", raises, 1, 4)
    if ranks * suits < 7:
        raise UserError("small_holdem needs at least seven cards (two hands and a flop): raise ranks or suits")
    rules = Betting(
        first=(0, 1)[:rounds],
        blinds=(1, 2),
        kind="limit",
        sizes=(2, 2)[:rounds],
        cap=(raises + 1, raises)[:rounds],  # the big blind is the first bet
    )
    cards = HoldemDeck(ranks, suits)
    deck = cards if rounds == 2 else Runout(cards, 3)
    changed = _changed(small_holdem, ranks=ranks, suits=suits, rounds=rounds, raises=raises)
    return Poker("small_holdem", deck, rules, board=(0, 3)[:rounds], unit=2.0, **changed)


def liars_dice(sides: int = 6) -> Game:
    """Liar's dice with one die each, the highest face wild, as OpenSpiel has it."""
    _between("sides", sides, 2, 8)
    return LiarsDice(sides)


def borel(cells: int = 100, bet: float = 2.0) -> Game:
    """Borel's poker: a number from 0 to 1 each, in equal cells; antes of 1, player 0 bets or folds, player 1 calls or
    folds.
    """
    return _one_bet(borel, cells, bet, shows=False)


def neumann(cells: int = 100, bet: float = 2.0) -> Game:
    """Von Neumann's poker: Borel's, but player 0 bets or checks, and both show after a check."""
    return _one_bet(neumann, cells, bet, shows=True)


def _one_bet(build: Callable[..., Any], cells: int, bet: float, shows: bool) -> Game:
    _between("cells", cells, 2, 1000)
    if not 0 < bet <= 1000:
        raise UserError(f"bet must be above 0 and at most 1000, not {quoted(bet)}")
    return OneBet(build.__name__, cells, bet, shows, _changed(build, cells=cells, bet=bet))


def rhode_island(ranks: int = 13, suits: int = 4, raises: int = 3) -> VectorGame:
    """Rhode Island hold'em: one card each, two public cards, three-card hands; ante 5, bets of 10, 20 and 20, `raises`
    bets a round.
    """
    return rhode_island_poker(ranks, suits, raises).vector()


def rhode_island_poker(ranks: int = 13, suits: int = 4, raises: int = 3) -> Poker:
    """Rhode Island hold'em as a game of private hands and public moves, with all suits."""
    _between("ranks", ranks, 2, 13)
    _between("suits", suits, 1, 4)
    _between("raises", raises, 1, 4)
    if ranks * suits < 4:
        raise UserError("rhode-island needs at least four cards (two hands and a board): raise ranks or suits")
    rules = Betting(first=(0, 0, 0), antes=(5, 5), kind="limit", sizes=(10, 20, 20), cap=(raises,) * 3)
    changed = _changed(rhode_island, ranks=ranks, suits=suits, raises=raises)
    return Poker("rhode-island", ThreeCardDeck(ranks, suits), rules, board=(0, 1, 1), unit=5.0, **changed)


def holdem_limit(ranks: int = 13, suits: int = 4, streets: int = 4, raises: int = 4) -> VectorGame:
    """Heads-up limit hold'em: blinds 1 and 2, bets of 2 and then 4, `raises` bets a street (a blind is one), 2 to 4
    streets.
    """
    board = _holdem_board(ranks, suits, streets)
    _between("raises", raises, 1, 10)
    rules = Betting(
        first=(0, 1, 1, 1)[:streets], blinds=(1, 2), kind="limit", sizes=(2, 2, 4, 4)[:streets], cap=(raises,) * streets
    )
    name = _named(holdem_limit, ranks=ranks, suits=suits, streets=streets, raises=raises)
    return holdem_game(name, betting_tree(rules), streets=board, ranks=ranks, suits=suits, unit=2.0)


def holdem_nolimit(
    stack: int = 20, ranks: int = 13, suits: int = 4, streets: int = 4, big_blind: int = 2, menu: str = "100%, a"
) -> VectorGame:
    """Heads-up no-limit hold'em: stacks in big blinds, a big blind in chips (the small one is half of it), bets from a
    menu (the last parameter), 2 to 4 streets.
    """
    board = _holdem_board(ranks, suits, streets)
    _between("stack", stack, 1, 1000)
    _between("big_blind", big_blind, 2, 1000)
    if big_blind % 2:
        raise UserError(f"big_blind must be even, so that half of it is the small blind, not {big_blind}")
    rules = Betting(
        first=(0, 1, 1, 1)[:streets], blinds=(big_blind // 2, big_blind), stacks=(big_blind * stack, big_blind * stack)
    )
    given = {"ranks": ranks, "suits": suits, "streets": streets, "big_blind": big_blind, "menu": menu}
    name, unit = _named(holdem_nolimit, stack=stack, **given), float(big_blind)
    return holdem_game(name, betting_tree(rules, menu), streets=board, ranks=ranks, suits=suits, unit=unit)


def jamfold(stack: float = 10.0, small_blind: float = 0.5, ante: float = 0.0) -> VectorGame:
    """Hold'em jam or fold on the 169 hand classes: the small blind jams or folds, then the big blind calls or folds;
    in big blinds, and chips of a thousandth of one.
    """
    from headsup.games.betting.stakes import Stakes
    from headsup.games.holdem.classes import holdem_classes

    name = _named(jamfold, stack=stack, small_blind=small_blind, ante=ante)
    game: VectorGame = import_module("headsup.jamfold.vector").jamfold_game(
        holdem_classes(), Stakes.of(stack, small_blind, ante)
    )
    return replace(game, name=name)


def preflop(
    stack: float = 15.0, small_blind: float = 0.5, ante: float = 0.0, limp: bool = True, menu: str = "2.5x, a; a"
) -> VectorGame:
    """Hold'em before the flop on the 169 hand classes, raises from a menu (the last parameter): pots that see a flop
    are checked down, by exact equities; in big blinds, and chips of a thousandth of one.
    """
    name = _named(preflop, stack=stack, small_blind=small_blind, ante=ante, limp=limp, menu=menu)
    game: VectorGame = _of_product("preflop").preflop_game(name, stack, small_blind, ante, limp, menu)
    return game


def holdem_discard(
    ranks: int = 4,
    suits: int = 2,
    streets: int = 2,
    flop: int = 1,
    swaps: int = 1,
    stack: int = 0,
    together: bool = False,
    menu: str = "100%, a",
    by_rule: str = "none",
) -> Game:
    """Hold'em with discards on the top cards: a flop of 1 to 3 cards, a hole card may be changed on the first `swaps`
    streets after it; no betting (antes of 1), or blinds 1 and 2 and a stack in big blinds. Seats that swap
    `by_rule` (none, button, blind or both) follow the rule of the ectomynx report.
    """
    discards = _of_product("discards")
    for key, value, low, high in (
        ("ranks", ranks, 2, 13),
        ("suits", suits, 1, 4),
        ("streets", streets, 2, 4),
        ("flop", flop, 1, 3),
        ("swaps", swaps, 0, min(2, streets - 1)),
        ("stack", stack, 0, 1000),
    ):
        _between(key, value, low, high)
    seats = {"none": (), "button": (0,), "blind": (1,), "both": (0, 1)}
    if by_rule not in seats:
        raise UserError(f"by_rule must be none, button, blind or both, not '{by_rule}'")
    first = (0, 1, 1, 1)[:streets]
    checked = Betting(first=first, stacks=(1, 1), antes=(1, 1))
    rules = Betting(first=first, stacks=(2 * stack, 2 * stack), blinds=(1, 2)) if stack else checked
    given = _changed(
        holdem_discard,
        ranks=ranks,
        suits=suits,
        streets=streets,
        flop=flop,
        swaps=swaps,
        stack=stack,
        together=together,
        menu=menu,
        by_rule=by_rule,
    )
    game: Game = discards.Discard(
        discards.short_deck(ranks, suits),
        rules,
        (0, flop, 1, 1)[:streets],
        (1, 2)[:swaps],
        together,
        parse_menu(menu) if stack else None,
        2.0 if stack else 1.0,
        given,
        seats[by_rule],
    )
    return game


def _holdem_board(ranks: int, suits: int, streets: int) -> tuple[int, ...]:
    """The cards before each street of hold'em, once the deck is known to be large enough."""
    _between("ranks", ranks, 2, 13)
    _between("suits", suits, 1, 4)
    _between("streets", streets, 2, 4)
    board = (0, 3, 1, 1)[:streets]
    if ranks * suits < 4 + sum(board):
        raise UserError(f"two hands and this board need {4 + sum(board)} cards: raise ranks or suits")
    return board


def _named(build: Callable[..., Any], **given: Any) -> str:
    """The text that names a game: its parameters only where they differ from the defaults."""
    changed = ",".join(f"{key}={value}" for key, value in _changed(build, **given).items())
    return build.__name__.replace("_", "-") + (f":{changed}" if changed else "")


def _guarded(build: Callable[..., Any]) -> Callable[..., Any]:
    kinds: dict[type, Check] = {bool: as_truth, int: whole_number, float: as_number, str: as_text}
    known = inspect.signature(build).parameters.items()
    return door(**{key: kinds[type(p.default)] for key, p in known if type(p.default) in kinds})(build)


GAMES: dict[str, Callable[..., Game | VectorGame]] = {
    **{
        f.__name__: _guarded(f)
        for f in (rps, andersson, kuhn, leduc, leduc_nolimit, numbers, spades, small_holdem, liars_dice, borel, neumann)
    },
    **{
        f.__name__.replace("_", "-"): _guarded(f)
        for f in (rhode_island, holdem_limit, holdem_nolimit, holdem_discard, jamfold, preflop)
    },
}


def parameters(name: str) -> dict[str, Any]:
    return {key: p.default for key, p in inspect.signature(GAMES[name]).parameters.items()}


def game(text: str, /, **params: Any) -> Game | VectorGame:
    """The game of a name, `game("leduc", ranks=4)` or `game("leduc:ranks=4,suits=4")`, or of an `.efg` file's path."""
    if not isinstance(text, str):
        raise UserError(f"a game's name is text, not {type(text).__name__}: write for example game('leduc', ranks=4)")
    if text.endswith(".efg"):
        from headsup.games.trees.efg import read_efg

        if params:
            raise UserError(f"'{text}' is a file, which takes no parameters: leave out {', '.join(params)}")
        return read_efg(text)
    name, colon, rest = text.partition(":")
    if name not in GAMES:
        raise UserError(f"there is no game '{name}': choose from {', '.join(GAMES)}, or give the path of an .efg file")
    defaults = parameters(name)
    given: dict[str, Any] = {}
    takes = ", ".join(f"{k}={v}" for k, v in defaults.items()) or "none"
    for part in _parts(rest) if colon else ():
        key, equals, value = part.partition("=")
        if key not in defaults or not equals:
            raise UserError(f"'{part}' is not a parameter of {name}: write key=value with one of these: {takes}")
        if key in given:
            raise UserError(f"{key} of {name} is given twice: leave one of them out")
        given[key] = _read(name, key, value, defaults[key])
    for key, value in params.items():
        if key not in defaults:
            raise UserError(f"'{key}' is not a parameter of {name}: it takes {takes}")
        if key in given:
            raise UserError(f"{key} of {name} is given twice: in the name and as a parameter")
        given[key] = _read(name, key, value, defaults[key])
    return GAMES[name](**given)


def _parts(text: str) -> list[str]:
    """Parameters between commas; a menu has commas of its own, so it comes last and takes the rest."""
    rest, key, menu = text.partition("menu=")
    *parts, last = rest.split(",")
    return [*parts, last + key + menu]


def _read(name: str, key: str, value: Any, default: Any) -> Any:
    """A parameter's value, from text or from a value of its kind."""
    if isinstance(default, str):
        if not isinstance(value, str):
            raise UserError(f"{key} of {name} is text, not {quoted(value)}")
        return value
    kind = "true or false" if isinstance(default, bool) else "a number" if isinstance(default, float) else WHOLE
    if not isinstance(value, str):
        wanted = bool if isinstance(default, bool) else Real if isinstance(default, float) else Integral
        if not isinstance(value, wanted) or isinstance(value, bool) != isinstance(default, bool):
            raise UserError(f"{key} of {name} must be {kind}, not {quoted(value)}")
        return finite(value, f"{key} of {name}") if isinstance(default, float) else type(default)(value)
    if isinstance(default, bool):
        if value.lower() not in ("true", "false", "1", "0"):
            raise UserError(f"{key} of {name} is {kind}, not '{value}'")
        return value.lower() in ("true", "1")
    try:
        return parse_float(value) if isinstance(default, float) else parse_int(value)
    except ValueError:
        raise UserError(f"{key} of {name} must be {kind}, not '{value}'") from None


def _between(key: str, value: int, low: int, high: int) -> None:
    if not low <= whole_number(value, key) <= high:
        raise UserError(f"{key} must be from {low} to {high}, not {quoted(value)}")


KINDS: dict[type, Check] = {bool: as_truth, str: as_text, float: finite}
"""What a parameter must be, by the kind of its default; whole numbers have limits of their own."""


def _changed(build: Callable[..., Any], **given: Any) -> dict[str, Any]:
    """The parameters that differ from their defaults: a game's name carries only those."""
    defaults = {key: p.default for key, p in inspect.signature(build).parameters.items()}
    for key, check in ((key, KINDS.get(type(value))) for key, value in defaults.items() if key in given):
        if check is not None:
            given[key] = check(given[key], key)
    return {key: value for key, value in given.items() if value != defaults[key]}
