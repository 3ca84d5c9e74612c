"""Locks as text: `LINE | HANDS: MIX; HANDS: MIX`.

The line is that of `headsup look`; a card may be left out or `*` for every card. Hands are range text, or `all` for
those not named before. A mix lists actions with probabilities (`check .7, bet 94 30%`); one without takes the rest; `as
is` is what the solution does now. A mix of one action without hands is the frequency of the whole range: the hands that
lose least by it move first (`least_lost`). Boards are stored up to suits, so a lock that distinguishes hands which
differ by such suits alone raises an error.
"""

import re

import numpy as np

from headsup.cards.ranges import RangeError, parse_range
from headsup.cards.suits import SUIT_PERMUTATIONS, renamings_in
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.games.betting.line import parse_line
from headsup.games.betting.rules import Move
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.solve.records.solution import Locks
from headsup.spots.path import Path, follow
from headsup.spots.view import PLAYERS, ViewCache, view_at

AS_IS = "as is"
TOLERANCE = 1e-6
SHARE = re.compile(r"(.*?)\s+([0-9]*\.?[0-9]+\s*%|[0-9]*\.[0-9]*)")


def locks_of(game: VectorGame, text: str, known: ViewCache | None = None) -> Locks:
    """The locks of a text; `known` is the solution to which `as is` and frequencies refer."""
    strategy, text = None if known is None else known.strategy, " ".join(text.split())
    line, _, what = text.rpartition("|")
    groups = [part.strip() for part in what.split(";") if part.strip()]
    if not groups:
        raise UserError(f"lock '{text}' says nothing: write LINE | HANDS: MIX, such as check | AA: bet 94 100%")
    try:
        node, paths = _follow(game, line)
    except UserError as error:
        raise UserError(f"lock '{text}', {error}") from None
    if any(AS_IS in group.lower() or ":" not in group for group in groups) and strategy is None:
        raise UserError(
            f"lock '{text}' needs a solution to stand on: solve the spot first, and resume from it (--from)"
        )
    if ":" not in what:
        if len(groups) > 1:
            raise UserError(f"lock '{text}': say how often the range takes one action, and lock hands for the rest")
        assert known is not None
        return _whole_range(game, line, node, paths, groups[0], known, text)
    seat, showdown = int(game.betting.player[node]), _cards(game)
    actions, hands = int(game.betting.count[node]), showdown.sizes[seat]
    mask, as_is, rows = np.zeros(hands, dtype=bool), np.zeros(hands, dtype=bool), np.zeros((actions, hands))
    for group in groups:
        named, _, mix = group.rpartition(":")
        chosen = _named(showdown, seat, named.strip(), group) & ~mask
        if mix.strip().lower() == AS_IS:
            as_is |= chosen
        else:
            rows[:, chosen] = _mix(game, node, mix, text)[:, None]
        mask |= chosen
    boards, tables, masks = list[int](), list[Floats](), list[AnyArray]()
    group_bits = _group(game, _shared(paths))
    for path in paths:
        carried = path.carried(showdown, seat)
        here, old, at = np.zeros(hands, dtype=bool), np.zeros(hands, dtype=bool), np.zeros((actions, hands))
        here[carried], old[carried], at[:, carried] = mask, as_is, rows
        if not boards:
            _check_suits(showdown, seat, carried, here, np.where(old, -1.0, at), group_bits, text)
        if strategy is not None and old.any():
            now = alike(game, seat, _rows(game, strategy, node, path), path)
            at = np.where(old, now, at)
        boards.append(path.boards[-1])
        tables.append(at)
        masks.append(here & _alive(showdown, seat, path))
    if not any(mask.any() for mask in masks):
        raise UserError(
            f"lock '{text}' meets no hand: {PLAYERS[seat]} holds none of them there; name hands of theirs, or all"
        )
    return Locks.at(game, node, boards, tables, masks, text)


def locks_of_any(game: VectorGame, lock: str | tuple[str, Floats], known: ViewCache) -> Locks:
    """A lock as text, or as a line and probabilities."""
    if isinstance(lock, str):
        return locks_of(game, lock, known)
    if not isinstance(lock, tuple) or len(lock) != 2:
        raise UserError(f"a lock is a text, or a line and an array of shares, not {quoted(lock)}")
    return locks_of_rows(game, *lock)


def locks_of_rows(game: VectorGame, line: str, rows: Floats) -> Locks:
    """A lock by numbers: [actions, hands] as a `SpotView` of that line has them; columns with nan stay free."""
    node, paths = _follow(game, line)
    if len(paths) > 1:
        raise UserError(f"'{line}' leaves cards open: a lock by numbers is for one board")
    (path,), seat, showdown = paths, int(game.betting.player[node]), _cards(game)
    carried = path.carried(showdown, seat)
    alive = _alive(showdown, seat, path)
    mine = carried[alive[carried]]  # in the order of the view
    wanted = int(game.betting.count[node]), len(mine)
    try:
        given = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError(f"the shares of a lock at '{line}' are an array of numbers, not {quoted(rows)}") from None
    if given.shape != wanted:
        raise UserError(f"a lock at '{line}' has a row an action and a column a hand, {wanted}, not {given.shape}")
    free = np.isnan(given).any(axis=0)
    held = given[:, ~free]
    if (held < 0.0).any() or (np.abs(held.sum(axis=0) - 1.0) > TOLERANCE).any():
        raise UserError("the shares of a locked hand must be 0 or more and add up to 1")
    mask, at = np.zeros(showdown.sizes[seat], dtype=bool), np.zeros((wanted[0], showdown.sizes[seat]))
    mask[mine], at[:, mine] = ~free, np.where(free, 0.0, given)
    text = f"{line} | numbers for {int((~free).sum())} hands"
    _check_suits(showdown, seat, carried, mask, at, _group(game, path), text)
    return Locks.at(game, node, [path.boards[-1]], [at], [mask], text)


def least_lost(rows: Floats, ev: Floats, weights: Floats, action: int, share: float) -> Floats:
    """[actions, hands]: the strategy with the hands moved that lose the least, so that an action has this frequency.

    A unit of weight that takes another action loses ev of the old less ev of the new one. To play the action more, all
    that other actions have of each hand can come, each at its price; to play it less, a hand goes to the best of its
    other actions. Cheapest first, and the last only in part.
    """
    out, need = rows.copy(), share - float(weights @ rows[action])
    others = np.array([a for a in range(len(rows)) if a != action])
    if need > 0.0:
        source, hand = (grid.ravel() for grid in np.meshgrid(others, np.arange(rows.shape[1]), indexing="ij"))
        target = np.full(len(source), action)
    else:
        hand = np.arange(rows.shape[1])
        source, target = np.full(len(hand), action), others[np.argmax(np.nan_to_num(ev[others], nan=0.0), axis=0)]
    some = (weights[hand] > 0.0) & (rows[source, hand] > 0.0)
    source, target, hand = source[some], target[some], hand[some]
    order = np.argsort(ev[source, hand] - ev[target, hand], kind="stable")
    left = abs(need)
    for i in order:
        part = min(left / weights[hand[i]], rows[source[i], hand[i]])
        out[source[i], hand[i]] -= part
        out[target[i], hand[i]] += part
        left -= part * weights[hand[i]]
        if left <= 0.0:
            break
    return np.maximum(out, 0.0)


def _whole_range(
    game: VectorGame, line: str, node: int, paths: list[Path], mix: str, known: ViewCache, text: str
) -> Locks:
    """A lock of every hand: as it plays now, or moved so that the range has a frequency."""
    seat, showdown, strategy = int(game.betting.player[node]), _cards(game), known.strategy
    if mix.lower() == AS_IS:
        rows = [alike(game, seat, _rows(game, strategy, node, path), path) for path in paths]
    else:
        if len(paths) > 1:
            raise UserError(f"lock '{text}': a frequency is for one board: write the cards, or lock hands")
        shares = _probabilities(game, node, mix, text)
        if len(shares) != 1 or None in shares.values():
            raise UserError(f"lock '{text}': a frequency is for one action, such as bet 94 30%: or name the hands")
        ((action, share),) = shares.items()
        view, path = view_at(known, line), paths[0]
        if not view.weights.sum() > 0.0:
            raise UserError(f"lock '{text}': the strategies never come there, and a frequency is of those: lock hands")
        moved = least_lost(view.frequencies, view.ev, view.weights, action, float(share or 0.0))
        carried, alive = path.carried(showdown, seat), _alive(showdown, seat, path)
        at = np.full((len(moved), showdown.sizes[seat]), 1.0 / len(moved))
        at[:, carried[alive[carried]]] = moved
        rows = [alike(game, seat, at, path)]
    masks = [_alive(showdown, seat, path) for path in paths]
    return Locks.at(game, node, [path.boards[-1] for path in paths], rows, masks, text)


def _follow(game: VectorGame, line: str) -> tuple[int, list[Path]]:
    return follow(game, _cards(game).boards, line.strip() if isinstance(line, str) else line, every=True)


def _shared(paths: list[Path]) -> Path:
    """The common part of all paths: up to the open card."""
    shared = len({path.boards for path in paths}) == 1
    most = len(paths[0].boards)
    keep = most if shared else max(k for k in range(1, most) if len({path.boards[:k] for path in paths}) == 1)
    return Path(paths[0].boards[:keep], paths[0].renamings[: keep - 1], ())


def _cards(game: VectorGame) -> CardShowdown:
    if not isinstance(game.showdown, CardShowdown):
        raise UserError(f"{game} has no cards to lock")
    return game.showdown


def _group(game: VectorGame, path: Path) -> int:
    return int(_cards(game).boards.levels[len(path.boards) - 1].group[path.boards[-1]])


def _rows(game: VectorGame, strategy: ArrayStrategy, node: int, path: Path) -> Floats:
    return strategy.rows(node, game.board(len(path.boards) - 1, path.boards[-1]))


def _alive(showdown: CardShowdown, seat: int, path: Path) -> AnyArray:
    mask = np.zeros(showdown.sizes[seat], dtype=bool)
    mask[showdown.alive(seat, len(path.boards) - 1, path.boards[-1])] = True
    return mask


def alike(game: VectorGame, seat: int, rows: Floats, path: Path) -> Floats:
    """The average over hands that are equal up to suits on the last board of a path; they differ by rounding alone."""
    showdown, group = _cards(game), _group(game, path)
    every = [rows[:, showdown.renamed(seat, SUIT_PERMUTATIONS.index(renaming))] for renaming in renamings_in(group)]
    return np.asarray(np.mean(every, axis=0))


def _check_suits(
    showdown: CardShowdown, seat: int, carried: AnyArray, mask: AnyArray, rows: Floats, group: int, text: str
) -> None:
    """Raise an error for locks that distinguish hands of the stored board that are one hand."""
    for renaming in renamings_in(group):
        renamed = showdown.renamed(seat, SUIT_PERMUTATIONS.index(renaming))
        wrong = (mask[renamed] != mask) | (mask & (np.abs(rows[:, renamed] - rows) > TOLERANCE).any(axis=0))
        if wrong.any():
            hand, back = int(np.flatnonzero(wrong)[0]), np.argsort(carried)
            first, second = (showdown.names(seat)[back[i]] for i in (hand, renamed[hand]))
            raise UserError(
                f"lock '{text}': {first} and {second} are one hand here, since nothing distinguishes their suits: lock "
                "both alike"
            )


def _named(showdown: CardShowdown, seat: int, text: str, group: str) -> AnyArray:
    if not text:
        raise UserError(f"'{group}' names no hands before the colon: write a range, or all")
    if text in ("all", "rest"):
        return np.ones(showdown.sizes[seat], dtype=bool)
    try:
        return parse_range(text, showdown.game).weights[showdown.hands[seat]] > 0.0
    except RangeError as error:
        raise error.renamed("the hands of a lock") from None


def _probabilities(game: VectorGame, node: int, mix: str, text: str) -> dict[int, float | None]:
    """Action -> its probability, None where none was written."""
    betting, shares = game.betting, dict[int, float | None]()
    first, count = int(betting.child[node]), int(betting.count[node])
    choices = [(Move(int(betting.kind[c])), int(betting.amount[c])) for c in range(first, first + count)]
    for part in filter(None, (part.strip() for part in mix.split(","))):
        match = SHARE.fullmatch(part)
        name, share = (match[1], _number(match[2])) if match else (part, None)
        try:
            steps = parse_line(name)
            if len(steps) != 1:
                raise UserError(f"'{name}' is not one action: write actions with their shares between commas")
            action = steps[0].among(choices)
        except UserError as error:
            raise UserError(f"lock '{text}', {error}") from None
        if action in shares:
            raise UserError(f"lock '{text}': '{name}' is there twice: leave one out")
        if share is not None and not 0.0 <= share <= 1.0:
            raise UserError(f"lock '{text}': '{part}' is no share: write 30% or .3, from 0% to 100%")
        shares[action] = share
    if not shares:
        raise UserError(f"lock '{text}' names no action: write a mix, such as check 70%, bet 94 30%")
    return shares


def _number(text: str) -> float:
    bare = text.rstrip("% ")
    if bare == ".":
        return -1.0
    return float(bare) / (100.0 if text.endswith("%") else 1.0)


def _mix(game: VectorGame, node: int, mix: str, text: str) -> Floats:
    """[actions] the probabilities of a mix."""
    shares, out = _probabilities(game, node, mix, text), np.zeros(int(game.betting.count[node]))
    total, rest = sum(share for share in shares.values() if share is not None), list(shares.values()).count(None)
    if rest > 1 or total > 1.0 + TOLERANCE or (not rest and abs(total - 1.0) > TOLERANCE):
        raise UserError(
            f"lock '{text}': the shares of '{mix.strip()}' add up to {total:.4g}: make it 1, or leave one of them out"
        )
    for action, share in shares.items():
        out[action] = max(0.0, 1.0 - total) if share is None else share
    return np.asarray(out / out.sum())
