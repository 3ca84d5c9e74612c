"""Hand histories of poker rooms: fixtures of each, refereed chip by chip and by PokerKit; damaged texts end in a
sentence.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from headsup.cards.cards import cards_name
from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.betting.line import parse_line
from headsup.play.coach.replay import parse_hands, replay_log
from headsup.play.coach.spot_of import spot_of
from headsup.play.protocols.rooms.amounts import read_amount
from headsup.play.protocols.rooms.hand import RoomHand, play_chips
from headsup.play.protocols.rooms.ipoker import gametypes, read_ipoker
from headsup.play.protocols.rooms.lines import read_lines
from headsup.play.protocols.rooms.ohh import objects, read_ohh
from headsup.play.protocols.rooms.read import _HEAD
from headsup.play.protocols.rooms.wpn_old import modern
from headsup.play.table.logged import LoggedHand
from headsup.play.table.record import from_line

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.iterdir() if path.suffix in (".txt", ".xml", ".json"))
BETTING = {
    "hand 251000000001": ("north_wind", "K.Olsen", "r250c/cr330r1100c/r1800c/r5585c", (-8735, 8735), "Jd7c2sKc4h"),
    "hand 251000000002 from the turn": ("77pier", "lo-fi", "cr160f", (0, 219), "9d5h3cTc"),
    "hand 251000000003 of the blinds": ("ada", "bertil", "r2025c", (-1180, 1195), "8h8d4s2c6h"),
    "hand HD1700000011": ("Hero", "3f9a77c0", "r500r1800c/r1200r4000r18200c", (20000, -20000), "Qd8s3dJc2h"),
    "hand TM2800000012 from the flop": ("91aa0c3e", "Hero", "cr1800c/cc/r5200c", (12325, -7000), "Kh7s4d4cJd"),
    "hand 19000001-21-1772900001": ("le.phare", "Marguerite B", "r250c/cr170r680c/r5190c", (6120, -6120), "Tc8d3dThAc"),
    "hand 820000000000000002-9-1772900777 of the blinds": ("le.phare", "T_T", "cc/r40c/r100f", (86, -83), "Kh6s2d9s"),
    "hand 24000000101": ("ZeroWidth", "RuiM", "r250r900c/r900c/r2400r8060c", (-9860, 9860), "Qh9h5c2s6d"),
    "hand 24000000102a7 from the flop": ("Hero", "Rook", "r380f", (1150, 0), "Jc7d6c"),
    "hand 2100000201": ("old.oak", "Siv_3", "r125c/cr125r450r1150r4875c", (5000, -5000), "Kd5d2c9hKs"),
    "hand 2100000202 from the flop": ("karl-otto", "dritte", "r50c/cc/r110f", (125, -50), "Ah8c7c7h2c"),
    "hand 1900000301": ("Hero", "gr8_heron", "r250c/cr250c/cc/cc", (-500, 500), "Kd9d6s6c2h"),
    "hand 1900000302 from the flop": ("Gus T", "Hero", "cr1100r3000c/r17355c", (-13805, 17045), "Qc9s4sTd4c"),
    "hand 4700000401": ("Dealer", "Big Blind", "r250r900c/r600r9100f", (1500, -1500), "Th9c4s"),
    "hand 4700000402 of the blinds":
        ("Small Blind", "Big Blind", "r75c/r75c/r225r675r2380c", (2530, -2530), "Ad8h2h9d5h"),
    "hand 2590000401": ("Dealer", "Big Blind", "r800r1200c/r400r800c/cc/r800c", (-2800, 2800), "Kh9s2d5d3c"),
    "hand 880000301": ("Otto Q", "mill_race", "r600c/cr800r2400c/r4000r15750c", (-18750, 18750), "Qs8d3h2c2d"),
    "hand 880000302": ("mill_race", "Otto Q", "r400r600c/r200r400c/cr400f", (1000, -1000), "Jd9c4h4s"),
    "hand 9000000501": ("Fjord", "Dune & Co", "r500c/cr700r120915c", (-20000, 20000), "8cKh3d2sQs"),
    "hand 9000000502 from the turn": ("Pim", "Fjord", "cr1800f", (0, 2600), "Ad7c6c4d"),
    "hand h-601": ("Tor", "Mina", "r300c/cr400r1400c/r4300c", (6000, -6000), "Qs8c4c2h8d"),
    "hand h-602 from the flop": ("Mina", "Ulla", "r600f", (1900, 0), "Jh7s3d"),
}  # fmt: skip
"""By hand: players, actions, chips and board, as they follow from the texts by hand."""


def room_hands(path: Path) -> list[LoggedHand]:
    return list(parse_hands(path.read_text())[1])


def raw_hands(path: Path) -> list[RoomHand]:
    """The hands with all their players."""
    text = path.read_text()
    if path.suffix == ".json":
        return [read_ohh(value, "x") for _, value in objects(text)]
    starts = [head.start() for head in _HEAD.finditer(text)]
    pieces = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    if path.suffix == ".xml":
        return [read_ipoker(f"{piece.partition('</game>')[0]}</game>", "x", gametypes(text)[0][1]) for piece in pieces]
    return [read_lines(modern(piece) if path.stem == "wpn_old" else piece, "x") for piece in pieces]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_room_is_read_and_its_chips_add_up(path: Path) -> None:
    kind, _ = parse_hands(path.read_text())
    assert kind == path.stem.partition("_")[0]
    found = replay_log(path)
    assert (found.differences, found.left_out) == (0, 0), found.examples
    for logged in room_hands(path):
        assert logged.hand is not None, logged.unread
        hand = logged.record()
        assert hand is not None
        assert (*hand.players, hand.betting, hand.chips, cards_name(hand.board)) == BETTING[logged.label]


def test_all_fixtures_are_compared() -> None:
    assert {logged.label for path in FILES for logged in room_hands(path)} == set(BETTING)


@pytest.mark.filterwarnings("ignore:A card being dealt")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pokerkit_pays_the_same(path: Path) -> None:
    """Heads-up hands as PHH, and hands of more players by PokerKit's rules for any number of them."""
    histories = pytest.importorskip("headsup.play.table.histories")
    pytest.importorskip("pokerkit", reason="pokerkit is not installed (extra: histories)")
    for logged, raw in zip(room_hands(path), raw_hands(path), strict=True):
        record = logged.record()
        assert record is not None
        if record.table.first_street == 0 and record.table.oop == 1:
            (again,) = histories.read_phh(histories.phh_text([record]))
            assert again.differences() == []
            assert again.hand.chips == record.chips
        assert kit_stacks(raw) == our_stacks(raw)


def our_stacks(raw: RoomHand) -> list[int]:
    """Final stacks before the rake, in the order of the betting; None where a showdown has unknown cards."""
    play = play_chips(raw)
    live = [name for name in play.order if play.won[name]]
    rest = dict(play.won)
    rest[live[0]] += play.rake
    return [play.stacks[name] - play.paid[name] + rest[name] for name in play.order]


def kit_stacks(raw: RoomHand) -> list[int]:
    """The same by PokerKit; of two players its first is the big blind, as in our order."""
    from pokerkit import Automation, NoLimitTexasHoldem

    play = play_chips(raw)
    seats = play.order
    blinds, antes = [0] * len(seats), [0] * len(seats)
    for post in raw.posts:
        (antes if post.kind == "ante" else blinds)[seats.index(post.player)] = play.chips(post.amount)
    by_hand = ("HOLE_DEALING", "BOARD_DEALING", "HOLE_CARDS_SHOWING_OR_MUCKING")
    automatic = tuple(step for step in Automation if step.name not in by_hand)
    state = NoLimitTexasHoldem.create_state(
        automatic, True, antes, sorted(blinds) if len(seats) == 2 else blinds, play.chips(raw.big_blind),
        [play.stacks[name] for name in seats], len(seats),
    )  # fmt: skip
    for name in seats:
        state.deal_hole(cards_name(raw.holes[name]) if name in raw.holes else "????")
    board = raw.board
    for street, moves in enumerate(play.moves):
        if street:
            state.deal_board(cards_name(board[(0, 0, 3, 4)[street] : (0, 3, 4, 5)[street]]))
        for _, action in moves:
            if action.kind == "f":
                state.fold()
            elif action.kind == "c":
                state.check_or_call()
            else:
                state.complete_bet_or_raise_to(action.amount)
        while state.showdown_index is not None:
            state.show_or_muck_hole_cards(True)
    return list(state.stacks)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$1,214.15", "1214.15"), ("222,75$", "222.75"), ("1 001,24€", "1001.24"), ("34.069", "34069"),
        ("€1.204,55", "1204.55"), ("1,000,000", "1000000"), ("$0.5", "0.5"), ("2,5", "2.5"), ("0,05", "0.05"),
        ("17", "17"), ("0.125", "0.125"),
    ],
)  # fmt: skip
def test_amounts_as_rooms_write_them(text: str, value: str) -> None:
    assert read_amount(text) == Fraction(value)


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("pokerstars", "K.Olsen: raises $7.70 to $11\n", "", "it is the turn of K.Olsen"),
        ("pokerstars", "calls $55.85", "calls $55.84", "calls 55.84 where 55.85 is to be called"),
        ("pokerstars", "collected $174.20 from", "collected $174.10 from", "its chips do not add up"),
        ("pokerstars", "K.Olsen collected $174", "north_wind collected $174", "the cards are worth 174.70"),
        ("pokerstars", "Total pot $174.70", "Total pot $17.70", "the pot is 174.70 by the bets"),
        ("pokerstars", "[Jd 7c 2s Kc] [4h]", "[Jd 7c 2s Kc] [Kc]", "the river is not one new card"),
        ("pokerstars", "K.Olsen ($87.35 in", "K.Olsen ($7.35 in", "more with"),
        ("ggpoker", "Hold'em No Limit ($1/$2)", "PLO-5 ($1/$2)", "its game is not hold'em or Omaha"),
        ("winamax", "posts big blind 1€", "posts big blind", "Marguerite B"),
        ("bovada", "*** TURN *** [Ad 8h 2h] [9d]", "*** FIRST TURN *** [Ad 8h 2h] [9d]", "run more than once"),
        ("bovada_2012", "Card dealt to table", "Nothing on the", "does not mark where its flop"),
        ("wpn_old", "raises (24)", "caps (24)", "'mill_race caps (24)'"),
        ("888poker", "old.oak collected [ $99.50 ]", "", "nobody collects its pot"),
        ("ipoker", 'type="23" sum="€5"', 'type="77" sum="€5"', "an action of type 77"),
        ("ipoker", "</players>", "", "its XML is damaged"),
        ("ipoker", "<players>", "<!ENTITY x '1'><players>", "declarations"),
        ("ohh", '"dealer_seat": 2,', "", "an entry for 'dealer_seat' is missing"),
        ("ohh", '"starting_stack": 60.00', '"starting_stack": "60"', "'60' is not an amount"),
        ("ohh", '"starting_stack": 60.00', '"starting_stack": NaN', "its JSON is damaged"),
        ("ohh", '"game_type": "Holdem"', '"game_type": "Stud"', "'Stud'"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_one_sentence(file: str, old: str, new: str, why: str) -> None:
    text = next(path for path in FILES if path.stem == file).read_text()
    assert old in text
    reasons = [hand.unread for hand in parse_hands(text.replace(old, new))[1] if hand.unread]
    assert any(why in reason for reason in reasons), reasons
    assert all("\n" not in reason for reason in reasons)


def test_a_text_in_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes((HERE / "wpn_old.txt").read_text().replace("\n", "\r\n\r\n").encode("utf-16"))
    assert (replay_log(path).hands, replay_log(path).differences) == (2, 0)


def test_hands_of_three_that_stay_three_are_skipped() -> None:
    text = (HERE / "pokerstars.txt").read_text()
    three = text.replace("cy: folds ", "cy: calls 150").replace("cy (button) folded", "cy (button) lost")
    *_, last = parse_hands(three)[1]
    assert last.hand is None
    flop = text.replace("three: dots: folds \n77pier: calls $0.62", "three: dots: calls $0.62\n77pier: folds")
    (_, second, _) = parse_hands(flop)[1]
    assert second.hand is None  # the turn was played by another pair


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_damaged_texts_never_end_in_a_traceback(path: Path) -> None:
    """Bytes changed, lines dropped, doubled and exchanged: each hand is read or explained in one line."""
    text, dice = path.read_text(), random.Random(path.stem)
    for _ in range(60):
        assert sentences(mutated(text, dice))


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_many_damaged_texts_never_end_in_a_traceback(path: Path) -> None:
    text, dice = path.read_text(), random.Random()
    for _ in range(5000):
        broken = mutated(text, dice)
        assert sentences(broken), broken


def sentences(text: str) -> bool:
    """Whether everything that a text leads to is a hand or a line."""
    try:
        hands = list(parse_hands(text)[1])
    except UserError as error:
        return len(str(error).splitlines()) == 1
    words = [*(hand.label for hand in hands), *(hand.unread for hand in hands if hand.hand is None)]
    words += [sentence for hand in hands for sentence in hand.differences()]
    return all(len(word.splitlines()) == 1 for word in words)


def mutated(text: str, dice: random.Random) -> str:
    """A text with a few changes."""
    for _ in range(dice.randint(1, 4)):
        lines, at = text.split("\n"), dice.randrange(len(text.split("\n")))
        way = dice.randrange(5)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(at, lines[dice.randrange(len(lines))])
        elif way == 2:
            other = dice.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif lines[at]:
            place = dice.randrange(len(lines[at]))
            sign = dice.choice("0123456789.,-$€ []():*#<>\"'{}xNaA\u00a0\0")
            lines[at] = lines[at][:place] + sign * dice.choice((0, 1, 1, 30)) + lines[at][place + 1 :]
        text = "\n".join(lines)
    return text


# --- spots ------------------------------------------------------------------------------------------------------------


def test_a_hand_becomes_a_spot() -> None:
    first, second, third = room_hands(HERE / "pokerstars.txt")
    assert first.hand is not None
    spot = spot_of(first.hand)
    assert (spot.street, spot.seats) == ("flop", (1, 0))
    assert (spot.spot.board, spot.spot.pot, spot.spot.stacks) == ("Jd7c2s", 500, (8485, 9750))
    assert spot.spot.flop == "66%, 75%, a; 66.4%, a"
    assert "bet 330" in spot.spot.tree.actions(spot.spot.tree.after(0, parse_line("check")[0]))
    river = spot_of(first.hand, 3)
    assert (river.spot.board, river.spot.pot, river.spot.stacks) == ("Jd7c2sKc4h", 6300, (5585, 6850))
    assert second.hand is not None
    assert spot_of(second.hand).street == "turn"
    assert third.hand is not None
    with pytest.raises(UserError, match="all-in before the flop"):
        spot_of(third.hand)


def test_ranges_of_a_short_stack_are_those_of_the_chart() -> None:
    from headsup.preflop.shipped import shipped_preflop

    chart = shipped_preflop(20)
    text = (HERE / "wpn.txt").read_text().replace("($100.00)", "($20.00)").replace("($140.60)", "($20.00)")
    first = next(parse_hands(text)[1])
    assert first.hand is not None
    spot = spot_of(first.hand)
    assert (spot.spot.ip, spot.spot.oop) == chart.ranges("raise 2, call")
    assert spot.ranges == "the chart before the flop for 20 bb after raise 2, call, the nearest to what was played"


def test_a_showdown_with_unknown_cards_still_has_a_spot() -> None:
    text = (HERE / "wpn.txt").read_text().replace(" mucked [Ad 4d]", " mucked").replace("Dealt to Hero [Ad 4d]\n", "")
    first = next(parse_hands(text)[1])
    assert first.hand is None
    assert first.left == "the cards of its showdown are not known"
    assert first.betting is not None
    assert spot_of(first.betting).spot.board == "Kd9d6s"


def test_hands_that_begin_in_the_middle_are_left_out_of_phh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pokerkit", reason="pokerkit is not installed (extra: histories)")
    out = tmp_path / "out.phhs"
    assert main(["replay", str(HERE / "pokerstars.txt"), "--phh", str(out)]) == 0
    assert replay_log(out).hands == 1
    text = (HERE / "pokerstars.txt").read_text()
    late = tmp_path / "late.txt"
    late.write_text(text[text.index("PokerStars Zoom") :])
    capsys.readouterr()
    assert main(["replay", str(late), "--phh", str(out)]) == 2
    assert "no hand that PHH can write" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "label", "ranges", "words"),
    [
        ("888poker.txt", "from the flop", ("27%", "5%-20%"), "cutoff raises 27% and button calls 5%-20%"),
        ("ggpoker.txt", "from the flop", ("6%-45%", "20%"), "big blind calls 6%-45% and hijack raises 20%"),
        ("ohh.json", "from the flop", ("8%", "4%-16%"), "small blind reraises 8% and button calls the reraise 4%-16%"),
        ("pokerstars.txt", "from the turn", ("6%-45%", "20%"), "big blind calls 6%-45% and hijack raises 20%"),
    ],
)
def test_two_players_of_a_larger_table_have_assumed_ranges(
    name: str, label: str, ranges: tuple[str, str], words: str
) -> None:
    logged = next(hand for hand in parse_hands((HERE / name).read_text())[1] if hand.label.endswith(label))
    assert logged.hand is not None
    spot = spot_of(logged.hand, assumed=logged.assumed)
    assert (spot.spot.oop, spot.spot.ip) == ranges
    assert spot.ranges == f"assumed from position, {words}: set them to what you know"
    kept = logged.record()
    assert kept is not None
    assert kept.assumed == logged.assumed
    assert from_line(kept.table, json.loads(json.dumps(kept.line()))).assumed == logged.assumed


def test_heads_up_hands_have_no_assumed_ranges() -> None:
    first = next(iter(parse_hands((HERE / "pokerstars.txt").read_text())[1]))
    assert first.assumed is None
