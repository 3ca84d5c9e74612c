"""`headsup buckets SPEC`: a card abstraction by street, on a board, and its transitions between streets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_device, add_json, add_seed, print_answer, refuse, show_progress, trouble_in
from headsup.common.checks import check_seed
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.abstraction import FeatureBuckets
    from headsup.abstraction.hands.looking import Transitions, Width

HELP = """Inspect a card abstraction: equity ranges of its buckets, hands on a board, transitions between streets.

SPEC gives the number of buckets per street and the feature they are made by: 169-200-200-200:ehs or
'*-5-5-5:emd,seed=1'."""

SHOWN, FEW = 20, 12  # rows of a table, and hands of a bucket, that are shown; --json has all


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the abstraction, such as 169-200-200-200:ehs")
    parser.add_argument("--game", default="holdem-limit", metavar="G", help="the game (default: holdem-limit); holdem-limit:ranks=6 is faster")  # noqa: E501  # fmt: skip
    parser.add_argument("--street", metavar="S", help="list the buckets of a street: preflop, flop, turn or river")
    parser.add_argument("--board", metavar="CARDS", help="list the buckets on a board, such as AsKd2c")
    parser.add_argument("--hand", metavar="H", help="with --board: the bucket of a hand and the other hands in it")
    ways = "probabilities from each bucket of the street (default: flop) to the next street"
    parser.add_argument("--transitions", action="store_true", help=ways)
    parser.add_argument("--samples", type=int, metavar="N", help="with --transitions: sample N deals instead of all")
    add_seed(parser, "the samples")
    add_device(parser, "the device that computes the features")
    parser.add_argument("--plot", metavar="FILE", help="write a chart as SVG")
    add_json(parser, ", with every bucket and hand")


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable

    if args.plot is not None:
        writable(args.plot)
    check_seed(args.seed)
    if args.hand is not None and args.board is None:
        raise UserError("--hand needs a board: add --board CARDS, or --board '' before the flop")
    if not args.transitions:
        refuse(args, ("samples",), "is for --transitions: add that, or leave it out")
    if args.samples is None:
        refuse(args, ("seed",), "is for --samples: add --samples N, or leave it out")
    if args.board is not None and (args.street is not None or args.transitions):
        raise UserError("--board cannot be combined with --street or --transitions: leave them out")
    if args.board is not None:
        answer = _board(args)
    elif args.transitions:
        answer = _transitions(args)
    elif args.street is not None:
        answer = _street(args)
    else:
        answer = _streets(args)
    chart, lines, trouble = answer.pop("chart", None), answer.pop("lines"), None
    if args.plot is not None:
        if chart is None:
            raise UserError("there is nothing to draw: add --street, --board or --transitions")
        from headsup.common.files import write_text

        trouble = trouble_in(lambda: write_text(args.plot, chart))
        answer |= {} if trouble else {"written": args.plot}
    return print_answer(args, lambda: answer, lambda console: console.print("\n".join(lines)), trouble)


def _build(args: argparse.Namespace, *streets: int | None) -> FeatureBuckets:
    """The buckets; other streets keep their suit classes, which take no time."""
    from dataclasses import replace

    from headsup.abstraction import build_buckets, parse_spec
    from headsup.games import VectorGame, game

    chosen, spec = game(args.game), parse_spec(args.spec)
    if not isinstance(chosen, VectorGame):
        raise UserError(f"'{args.game}' is not a hold'em game: use holdem-limit or holdem-nolimit")
    if spec.counts == (None,):
        spec = replace(spec, counts=(None,) * chosen.streets)
    text = str(spec)
    if not spec.nested and None not in streets:
        spec = replace(spec, counts=tuple(n if s in streets else None for s, n in enumerate(spec.counts)))
    with show_progress("counting") as progress:
        buckets = build_buckets(chosen, spec, progress, args.device)
    buckets.text = text
    return buckets


def _number(args: argparse.Namespace, default: str) -> int:
    from headsup.abstraction.hands.features import STREETS

    name = default if args.street is None else args.street.strip().lower()
    if name not in STREETS.values():
        raise UserError(f"'{args.street}' is not a street: choose one of {', '.join(STREETS.values())}")
    return list(STREETS.values()).index(name)


def _streets(args: argparse.Namespace) -> dict[str, Any]:

    buckets = _build(args, None)
    rows: list[dict[str, Any]] = []
    for s, sizes in enumerate(buckets.sizes):
        partitions = buckets.partitions[s]
        explained = [getattr(partition, "explained", None) for partition in partitions]
        rows.append(
            {
                "street": buckets.features.name(s),
                "buckets": list(sizes),
                "suit_classes": buckets.tree.kinds(s),
                "lossless": not partitions,
                "explained": explained[0] if explained else None,
            }
        )
    lines = [f"{buckets.text} of {buckets.game}"]
    for row in rows:
        many = " or ".join(f"{n:,}" for n in row["buckets"])
        line = f"  {row['street']:8} {many} buckets for {row['suit_classes']:,} hands up to suit isomorphism"
        line += ", lossless" if row["lossless"] else ""
        lines.append(line + (f"; k-means explains {row['explained']:.1%} of the variance" if row["explained"] else ""))
    return {"spec": buckets.text, "game": str(buckets.game), "streets": rows, "lines": lines}


def _street(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.looking import width_chart, widths

    street = _number(args, "flop")
    buckets = _build(args, street)
    _check_street(buckets, street)
    rows = widths(buckets, street)
    name = buckets.features.name(street)
    lines = [f"{len(rows):,} buckets on the {name}, {buckets.text} of {buckets.game}", *_table(rows, "deals")]
    return {
        "spec": buckets.text,
        "game": str(buckets.game),
        "street": name,
        "buckets": [row._asdict() for row in rows],
        "lines": lines,
        "chart": width_chart(rows, f"Buckets on the {name}: {buckets.text}"),
    }


def _check_street(buckets: FeatureBuckets, street: int) -> None:
    if street >= buckets.game.streets:
        raise UserError(f"{buckets.game} has {buckets.game.streets} streets: name an earlier one")


def _table(rows: list[Width], what: str) -> list[str]:
    lines = [f"  bucket  share of {what}  mean equity  from    to"]
    for row in rows:
        share = f"{row.share:{9 + len(what)}.2%}"
        lines.append(f"  {row.bucket:6}  {share}  {row.mean:11.2%}  {row.least:6.2%}  {row.most:6.2%}")
    if len(rows) > SHOWN:
        lines[1 + SHOWN // 2 : -SHOWN // 2] = [f"  ... {len(rows) - SHOWN} more (--json has them)"]
    return lines


def _board(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.looking import on_board, width_chart
    from headsup.cards.cards import cards_name, parse_cards

    board = parse_cards(args.board)
    hand = None if args.hand is None else parse_cards(args.hand)
    street = {0: 0, 3: 1, 4: 2, 5: 3}.get(len(board))
    if street is None:
        raise UserError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    buckets = _build(args, street)
    _check_street(buckets, street)
    view = on_board(buckets, board)
    rows = view.widths()
    where = cards_name(board) if board else "no board"
    result: dict[str, Any] = {
        "spec": buckets.text,
        "game": str(buckets.game),
        "board": cards_name(board),
        "buckets": [row._asdict() | {"hands": view.names(row.bucket)} for row in rows],
        "chart": width_chart(rows, f"Buckets on {where}: {buckets.text}"),
    }
    lines = [f"{len(rows):,} buckets with {len(view.hands):,} hands on {where}, {buckets.text} of {buckets.game}"]
    if hand is not None:
        mine = view.bucket_of(hand)
        width = next(row for row in rows if row.bucket == mine)
        names = view.names(mine)
        result |= {"hand": cards_name(hand), "bucket": mine}
        lines = [
            f"{cards_name(hand)} on {where} is in bucket {mine}, with {width.deals - 1} other hands of "
            f"{width.least:.2%} to {width.most:.2%} equity, {buckets.text} of {buckets.game}",
            "  " + ", ".join(names[: 4 * FEW]) + (f", .. {len(names) - 4 * FEW} more" if len(names) > 4 * FEW else ""),
        ]
    else:
        for row in rows[::-1][:SHOWN]:
            names = view.names(row.bucket)
            more = f", .. {len(names) - FEW} more" if len(names) > FEW else ""
            span = f"{row.deals} hands, {row.least:.2%} to {row.most:.2%}"
            lines.append(f"  bucket {row.bucket}: {span}: {', '.join(names[:FEW])}{more}")
        if len(rows) > SHOWN:
            lines.append(f"  ... {len(rows) - SHOWN} weaker buckets (--json has them)")
    return result | {"lines": lines}


def _transitions(args: argparse.Namespace) -> dict[str, Any]:
    from headsup.abstraction.hands.looking import MOST_ENUMERATED, transitions

    street = _number(args, "flop")
    buckets = _build(args, street, street + 1)
    _check_street(buckets, street + 1)
    n = buckets.game.boards.sizes()[street + 1]
    if args.samples is None and n > MOST_ENUMERATED:
        raise UserError(f"counting {n:,} boards takes long: add --samples 100000 for an estimate with its error")
    ways = transitions(buckets, street, args.samples, args.seed)
    names = [buckets.features.name(s) for s in (street, street + 1)]
    how = f"{int(ways.counts.sum()):,} deals " + ("sampled" if ways.sampled else "counted")
    lines = [f"from {names[0]} to {names[1]}, {how}, {buckets.text} of {buckets.game}", *_lines(ways)]
    return {
        "spec": buckets.text,
        "game": str(buckets.game),
        "from": names[0],
        "to": names[1],
        "sampled": ways.sampled,
        "counts": ways.counts.tolist(),
        "shares": ways.probabilities().tolist(),
        "errors": ways.errors().tolist(),
        "lines": lines,
        "chart": ways.chart(f"From {names[0]} to {names[1]}: {buckets.text}"),
    }


def _lines(ways: Transitions) -> list[str]:
    import numpy as np

    probabilities, errors = ways.probabilities(), ways.errors()
    lines = []
    held = np.flatnonzero(ways.counts.sum(axis=1))
    for bucket in held[:SHOWN].tolist():
        row, error = probabilities[bucket], errors[bucket]
        order = [to for to in np.argsort(-row, kind="stable").tolist() if row[to] > 0]
        parts = [f"{to}: {row[to]:.1%}" + (f" ± {error[to]:.1%}" if ways.sampled else "") for to in sorted(order[:FEW])]
        more = f", .. {len(order) - FEW} more" if len(order) > FEW else ""
        lines.append(f"  bucket {bucket} to {', '.join(parts)}{more}")
    if len(held) > SHOWN:
        lines.append(f"  ... {len(held) - SHOWN} more (--json has them)")
    return lines
