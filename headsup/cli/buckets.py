"""`headsup buckets SPEC`: an abstraction of a hold'em game, street by street, on a board, and from street to street."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_device, add_json, add_seed, refuse
from headsup.cli.streams import trouble_in
from headsup.common.display import json_line

if TYPE_CHECKING:
    from headsup.abstraction import FeatureBuckets
    from headsup.abstraction.hands.looking import Transitions, Width

HELP = """Look at buckets of hands: how wide they are, who shares one on a board, and how hands move between them.

SPEC is as 169-200-200-200:ehs or '*-5-5-5:emd,seed=1': how many buckets each street has, and by what they are made."""

SHOWN, FEW = 20, 12
"""Rows of a table, and hands of a bucket, that are shown; --json has all."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("spec", metavar="SPEC", help="the abstraction, such as 169-200-200-200:ehs")
    parser.add_argument("--game", default="holdem-limit", metavar="G", help="the game (default: holdem-limit); holdem-limit:ranks=6 is quicker")  # noqa: E501  # fmt: skip
    parser.add_argument("--street", metavar="S", help="preflop, flop, turn or river: every bucket of the street")
    parser.add_argument("--board", metavar="CARDS", help="every bucket on a board, such as AsKd2c")
    parser.add_argument("--hand", metavar="H", help="with --board: the bucket of a hand, and who shares it")
    parser.add_argument(
        "--transitions", action="store_true", help="chances from the street (default: flop) to the next"
    )
    parser.add_argument("--samples", type=int, metavar="N", help="with --transitions: so many deals at random, not all")
    add_seed(parser, "the samples")
    add_device(parser, "what counts the features")
    parser.add_argument("--plot", metavar="FILE", help="write a chart of what is shown as SVG")
    add_json(parser, ", with every bucket and hand")


def run(args: argparse.Namespace) -> int:
    """Build what is needed, look and print."""
    from headsup.common.checks import check_seed
    from headsup.common.errors import UserError
    from headsup.common.files import writable

    if args.plot is not None:
        writable(args.plot)
    check_seed(args.seed)
    if args.hand is not None and args.board is None:
        raise UserError("a hand is in a bucket on a board: give --board too, '' for none")
    if not args.transitions:
        refuse(args, ("samples",), "is for --transitions: add that, or leave it out")
    if args.samples is None:
        refuse(args, ("seed",), "is that of --samples: add --samples N, or leave it out")
    if args.board is not None and (args.street is not None or args.transitions):
        raise UserError("--board is a look by itself: leave out --street and --transitions")
    if args.board is not None:
        found = _board(args)
    elif args.transitions:
        found = _transitions(args)
    elif args.street is not None:
        found = _street(args)
    else:
        found = _streets(args)
    chart, lines, trouble = found.pop("chart", None), found.pop("lines"), None
    if args.plot is not None:
        if chart is None:
            raise UserError("there is nothing to draw: add --street, --board or --transitions")
        from headsup.common.files import write_text

        trouble = trouble_in(lambda: write_text(args.plot, chart))
        found |= {} if trouble else {"written": args.plot}
    if args.json:
        print(json_line(found))
    else:
        from headsup.cli.console import make_console

        console = make_console()
        for line in lines:
            console.print(line)
    if trouble is not None:
        raise trouble
    return 0


def _build(args: argparse.Namespace, *streets: int | None) -> FeatureBuckets:
    """The buckets; streets that nobody asks for keep their suit classes, which take no time."""
    from dataclasses import replace

    from headsup.abstraction import build_buckets, parse_spec
    from headsup.cli.progress import show_progress
    from headsup.common.errors import UserError
    from headsup.games import VectorGame, game

    chosen, spec = game(args.game), parse_spec(args.spec)
    if not isinstance(chosen, VectorGame):
        raise UserError(f"'{args.game}' has no hold'em hands and boards: take holdem-limit or holdem-nolimit")
    if spec.counts == (None,):
        spec = replace(spec, counts=(None,) * chosen.streets)
    text = str(spec)
    if not spec.nested and None not in streets:
        spec = replace(spec, counts=tuple(n if s in streets else None for s, n in enumerate(spec.counts)))
    with show_progress("counting") as progress:
        found = build_buckets(chosen, spec, progress, args.device)
    found.text = text
    return found


def _number(args: argparse.Namespace, default: str) -> int:
    """The number of the street that was named."""
    from headsup.abstraction.hands.features import STREETS
    from headsup.common.errors import UserError

    name = default if args.street is None else args.street.strip().lower()
    if name not in STREETS.values():
        raise UserError(f"'{args.street}' is not a street: choose one of {', '.join(STREETS.values())}")
    return list(STREETS.values()).index(name)


def _streets(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.buckets import class_count

    buckets = _build(args, None)
    rows: list[dict[str, Any]] = []
    for s, sizes in enumerate(buckets.sizes):
        partitions = buckets.partitions[s]
        explained = [getattr(one, "explained", None) for one in partitions]
        rows.append(
            {
                "street": buckets.features.name(s),
                "buckets": list(sizes),
                "suit_classes": class_count(buckets.tree, s),
                "lossless": not partitions,
                "explained": explained[0] if explained else None,
            }
        )
    lines = [f"{buckets.text} of {buckets.game}"]
    for row in rows:
        many = " or ".join(f"{n:,}" for n in row["buckets"])
        said = f"  {row['street']:8} {many} buckets for {row['suit_classes']:,} hands up to suits"
        said += ", which loses nothing" if row["lossless"] else ""
        lines.append(said + (f"; k-means explains {row['explained']:.1%}" if row["explained"] else ""))
    return {"spec": buckets.text, "game": str(buckets.game), "streets": rows, "lines": lines}


def _street(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.looking import width_chart, widths

    street = _number(args, "flop")
    buckets = _build(args, street)
    _check_street(buckets, street)
    found = widths(buckets, street)
    name = buckets.features.name(street)
    lines = [f"{len(found):,} buckets on the {name}, {buckets.text} of {buckets.game}", *_table(found, "deals")]
    return {
        "spec": buckets.text,
        "game": str(buckets.game),
        "street": name,
        "buckets": [one._asdict() for one in found],
        "lines": lines,
        "chart": width_chart(found, f"Buckets on the {name}: {buckets.text}"),
    }


def _check_street(buckets: FeatureBuckets, street: int) -> None:
    from headsup.common.errors import UserError

    if street >= buckets.game.streets:
        raise UserError(f"{buckets.game} has {buckets.game.streets} streets: name an earlier one")


def _table(found: list[Width], what: str) -> list[str]:
    lines = [f"  bucket  share of {what}  mean equity  from    to"]
    shown = found if len(found) <= SHOWN else [*found[: SHOWN // 2], None, *found[-SHOWN // 2 :]]
    for one in shown:
        if one is None:
            lines.append(f"  ... {len(found) - SHOWN} more (--json has them)")
        else:
            lines.append(
                f"  {one.bucket:6}  {one.share:{9 + len(what)}.2%}  {one.mean:11.2%}  {one.least:6.2%}  {one.most:6.2%}"
            )
    return lines


def _board(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.looking import on_board, width_chart
    from headsup.cards.cards import cards_name, parse_cards
    from headsup.common.errors import UserError

    board = parse_cards(args.board)
    hand = None if args.hand is None else parse_cards(args.hand)
    street = {0: 0, 3: 1, 4: 2, 5: 3}.get(len(board))
    if street is None:
        raise UserError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    buckets = _build(args, street)
    _check_street(buckets, street)
    view = on_board(buckets, board)
    found = view.widths()
    where = cards_name(board) if board else "no board"
    result: dict[str, Any] = {
        "spec": buckets.text,
        "game": str(buckets.game),
        "board": cards_name(board),
        "buckets": [one._asdict() | {"hands": view.names(one.bucket)} for one in found],
        "chart": width_chart(found, f"Buckets on {where}: {buckets.text}"),
    }
    lines = [f"{len(found):,} buckets with {len(view.hands):,} hands on {where}, {buckets.text} of {buckets.game}"]
    if hand is not None:
        mine = view.bucket_of(hand)
        width = next(one for one in found if one.bucket == mine)
        names = view.names(mine)
        result |= {"hand": cards_name(hand), "bucket": mine}
        lines = [
            f"{cards_name(hand)} on {where} is in bucket {mine}, with {width.deals - 1} other hands of "
            f"{width.least:.2%} to {width.most:.2%} equity, {buckets.text} of {buckets.game}",
            "  " + ", ".join(names[: 4 * FEW]) + (f", .. {len(names) - 4 * FEW} more" if len(names) > 4 * FEW else ""),
        ]
    else:
        shown = found[::-1][:SHOWN]
        for one in shown:
            names = view.names(one.bucket)
            more = f", .. {len(names) - FEW} more" if len(names) > FEW else ""
            lines.append(
                f"  bucket {one.bucket}: {one.deals} hands, {one.least:.2%} to {one.most:.2%}: "
                f"{', '.join(names[:FEW])}{more}"
            )
        if len(found) > SHOWN:
            lines.append(f"  ... {len(found) - SHOWN} weaker ones (--json has them)")
    return result | {"lines": lines}


def _transitions(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.looking import MOST_ENUMERATED, transitions
    from headsup.common.errors import UserError

    street = _number(args, "flop")
    buckets = _build(args, street, street + 1)
    _check_street(buckets, street + 1)
    n = buckets.game.boards.sizes()[street + 1]
    if args.samples is None and n > MOST_ENUMERATED:
        raise UserError(f"{n:,} boards take long to count: add --samples 100000 for an estimate with its error")
    found = transitions(buckets, street, args.samples, args.seed)
    shares, errors = found.shares(), found.errors()
    names = [buckets.features.name(s) for s in (street, street + 1)]
    how = f"{int(found.counts.sum()):,} deals " + ("at random" if found.sampled else "counted")
    lines = [f"from {names[0]} to {names[1]}, {how}, {buckets.text} of {buckets.game}", *_lines(found)]
    return {
        "spec": buckets.text,
        "game": str(buckets.game),
        "from": names[0],
        "to": names[1],
        "sampled": found.sampled,
        "counts": found.counts.tolist(),
        "shares": shares.tolist(),
        "errors": errors.tolist(),
        "lines": lines,
        "chart": found.chart(f"From {names[0]} to {names[1]}: {buckets.text}"),
    }


def _lines(found: Transitions) -> list[str]:
    """Each bucket's likeliest ways on."""
    import numpy as np

    shares, errors = found.shares(), found.errors()
    lines = []
    held = np.flatnonzero(found.counts.sum(axis=1))
    for one in held[:SHOWN].tolist():
        order = [to for to in np.argsort(-shares[one], kind="stable").tolist() if shares[one, to] > 0]
        parts = [
            f"{to}: {shares[one, to]:.1%}" + (f" ± {errors[one, to]:.1%}" if found.sampled else "")
            for to in sorted(order[:FEW])
        ]
        more = f", .. {len(order) - FEW} more" if len(order) > FEW else ""
        lines.append(f"  bucket {one} to {', '.join(parts)}{more}")
    if len(held) > SHOWN:
        lines.append(f"  ... {len(held) - SHOWN} more (--json has them)")
    return lines
