"""The page of the table: what it sends, what it never sends, and what it says of hands that are over."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from headsup.cards.cards import RANK_WORDS, RANKS, SUIT_SYMBOLS, card_name, parse_cards
from headsup.common.backend import JIT_DISABLED
from headsup.play.agents import subgame
from headsup.play.coach.any_stack import blueprint_for, chart_answer
from headsup.play.coach.replay import read_hands
from headsup.play.coach.spot_of import chart_for
from headsup.play.protocols.guest import GuestHand, HandSetup
from headsup.play.table.histories import read_phh
from headsup.play.table.rules import CALLS, FOLDS, Action, Deal, PlayerView, TableHand, raise_to, table
from headsup.web.keep import FILE
from headsup.web.pages.play import read_move
from headsup.web.table.bots import learns, shared
from headsup.web.table.matches import PAGE, Matches
from headsup.web.table.review import CONTINUED, _Asked, _continued, review
from headsup.web.table.seeing import SUIT_WORDS, events_of, marks, part_of, see

PART = {"hx-request": "true", "hx-target": "view"}
GAMES = (("holdem-nolimit", "20"), ("holdem-limit", ""), ("holdem-discard", ""), ("holdem-jamfold", "10"),
         ("omaha8-jamfold", "6"))  # fmt: skip


def sit(client: TestClient, game: str, stack: str, bot: str) -> str:
    """The address of a new match."""
    answer = client.post("/play", data={"game": game, "stack": stack, "bot": bot}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def field(text: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found
    return found[1]


def moves(text: str, rng: random.Random, like: str = "") -> dict[str, str] | None:
    """What a person could press now, of the kind they `like` where it is there; None where the hand is over."""
    found = re.findall(r'name="move" value="([^"]+)"', text)
    if not found:
        return None
    bounds = re.search(r'name="amount" id="amount" min="(\d+)" max="(\d+)"', text)
    amount = str(rng.randint(int(bounds[1]), int(bounds[2]))) if bounds else ""
    return {"decision": field(text, "decision"), "move": like if like in found else rng.choice(found), "amount": amount}


@pytest.fixture
def bytes_sent(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every answer as it was sent, headers too; gzip is left out by asking for none."""
    kept: list[str] = []
    send = client.send

    def listening(*args: Any, **kwargs: Any) -> Any:
        answer = send(*args, **kwargs)
        kept.append(repr(answer.headers) + answer.text)
        return answer

    monkeypatch.setattr(client, "send", listening)
    monkeypatch.setitem(client.headers, "accept-encoding", "identity")
    return kept


def cards_in(text: str) -> set[int]:
    """Every card that a text names, in whichever way something here writes cards."""
    text = re.sub(r"[0-9a-f]{32}", "", text)  # names of matches
    text = re.sub(r'"betting": "[^"]*"', "", text)  # of whose discards a test of its own tells
    found = set[int]()
    for run in re.findall(r"(?<![A-Za-z0-9])d?((?:[2-9TJQKA][cdhs])+)(?![A-Za-z0-9])", text):
        found.update(parse_cards(run))
    ranks = {rank.replace("T", "10"): i for i, rank in enumerate(RANKS)} | {"T": 8}
    for rank, sign in re.findall(rf"(10|[2-9TJQKA])(?:</b><i[^>]*>)?([{SUIT_SYMBOLS}])", text):
        found.add(4 * ranks[rank] + SUIT_SYMBOLS.index(sign))
    for rank, suit in re.findall(rf"({'|'.join(RANK_WORDS)}) of ({'|'.join(SUIT_WORDS)})", text):
        found.add(4 * RANK_WORDS.index(rank) + SUIT_WORDS.index(suit))
    return found


def test_cards_in_a_text_are_found() -> None:
    text = (
        'x AsKh y, 10</b><i aria-hidden="true">♥</i> "two of clubs", <i aria-label="deuce of clubs">, value="d9c" Td.'
    )
    assert {card_name(card) for card in cards_in(text)} == {"As", "Kh", "Th", "2c", "9c", "Td"}


@pytest.mark.parametrize(("game", "stack"), GAMES)
def test_no_card_is_sent_that_may_not_be_seen(client: TestClient, bytes_sent: list[str], game: str, stack: str) -> None:
    """All bytes of a match, hand by hand: own cards, the board as it lies, and what was shown; nothing else."""
    rng = random.Random(game)
    where = sit(client, game, stack, "random")
    matches: Matches = client.app.state.matches  # type: ignore[attr-defined]
    sitting = matches.get(where.rpartition("/")[2], PAGE)
    text = client.get(where).text
    for number in range(4):
        while True:
            del bytes_sent[:]
            found = moves(text, rng)
            path = f"{where}/{'deal' if found is None else 'act'}"
            text = client.post(path, data=found or {"decision": field(text, "decision")}, headers=PART).text
            client.get(where)
            client.get("/play")
            client.get(f"{where}/history.jsonl")
            now = matches.now(sitting)
            assert now is not None
            seen = {card for at in range(now.number) for card in _seen(matches, sitting, at)}  # of hands before
            if now.over:
                client.get(f"{where}/hands/{now.number + 1}?step=1")
            known = seen | set(_known(now))
            everything = "\n".join(bytes_sent)
            named = cards_in(everything)
            assert set(_known(now)) - set(now.guest.hand.deal.holes[now.guest.setup.seat]) <= named
            assert named <= known, ([card_name(card) for card in named - known], now.guest.betting)
            if found is None:
                break
        assert number <= now.number


def _known(now: Any) -> Iterator[int]:
    """What a guest knows of a hand."""
    hand, seat = now.guest.hand, now.guest.setup.seat
    yield from hand.holes[seat]
    yield from hand.deal.holes[seat]
    shown = hand.over and hand.state.folder < 0
    yield from hand.deal.board if shown else hand.board
    yield from (step.action.amount for step in hand.steps if step.seat == seat and step.action.kind == "d")
    if shown:
        yield from hand.holes[1 - seat]
    if hand.table.draws:
        yield from (card for card in hand.deal.draws if card in hand.holes[seat])
        again = hand.table.hand(hand.deal)
        for step in hand.steps:
            yield from again.holes[seat]
            again.forfeit() if step.action.kind == "f" and not again.legal.allows(step.action) else again.act(
                step.action
            )


def _seen(matches: Matches, sitting: Any, number: int) -> Iterator[int]:
    yield from _known(matches.hand(sitting, number))


@pytest.mark.parametrize(("game", "stack"), GAMES[:3])
def test_other_hidden_cards_change_no_byte(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, game: str, stack: str
) -> None:
    """The bot never looks at its cards: whatever it holds and whatever is to come, the same bytes are sent."""
    where = sit(client, game, stack, "caller")
    own = HandSetup.deal.func  # type: ignore[attr-defined]
    text = client.get(where).text
    for _ in range(6):
        now = client.app.state.matches.now(client.app.state.matches.get(where.rpartition("/")[2], PAGE))  # type: ignore[attr-defined]
        hand, seat = now.guest.hand, now.guest.setup.seat
        if hand.over:
            break
        pages = []
        for seed in range(3):
            known = {*hand.holes[seat], *hand.deal.holes[seat], *hand.board, *hand.deal.draws}
            rest = [card for card in range(52) if card not in known]
            random.Random(seed).shuffle(rest)

            def other(self: HandSetup, rest: list[int] = rest, hand: Any = hand, seat: int = seat) -> Deal:
                if self.number != now.number:  # noqa: B023
                    return own(self)  # type: ignore[no-any-return]
                holes = [hand.deal.holes[0], hand.deal.holes[1]]
                size = len(holes[0])
                holes[1 - seat] = tuple(rest[:size])
                lies = hand.board
                return Deal((holes[0], holes[1]), lies + tuple(rest[size : size + 5 - len(lies)]), hand.deal.draws)

            with monkeypatch.context() as patch:
                patch.setattr(HandSetup, "deal", property(other))
                pages.append(client.get(where).text)
        assert pages[0] == pages[1] == pages[2]
        assert pages[0] == client.get(where).text
        sent = {"decision": field(text, "decision"), "move": "c"}
        text = client.post(f"{where}/act", data=sent, headers=PART).text


def test_a_stale_move_gets_409_and_says_where_to_go_on(client: TestClient) -> None:
    where = sit(client, "holdem-nolimit", "20", "caller")
    sent = {"decision": field(client.get(where).text, "decision"), "move": "c"}
    assert client.post(f"{where}/act", data=sent, headers=PART).status_code == 200
    again = client.post(f"{where}/act", data=sent, headers=PART)
    assert again.status_code == 409
    assert again.headers["hx-retarget"] == "#mistake"
    assert "played in another window or sent twice" in again.text
    assert f'href="{where}"' in again.text
    plain = client.post(f"{where}/act", data=sent)
    assert plain.status_code == 409
    assert "This action was already played" in plain.text


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"move": "c"}, "number of the decision"),
        ({"move": "c", "decision": "-1"}, "number of the decision"),
        ({"move": "", "decision": "1"}, "is not an action"),
        ({"move": "cc", "decision": "1"}, "is not an action"),
        ({"move": "x", "decision": "1"}, "is not an action"),
        ({"move": "r", "amount": "a lot", "decision": "1"}, "not a number of chips"),
        ({"move": "r", "amount": "3", "decision": "1"}, "illegal action"),
        ({"move": "z", "decision": "1"}, "which is no action"),
    ],
)
def test_moves_that_cannot_be(client: TestClient, sent: dict[str, str], words: str) -> None:
    where = sit(client, "holdem-nolimit", "20", "caller")
    answer = client.post(f"{where}/act", data=sent, headers=PART)
    assert answer.status_code == 400
    assert words in answer.text


def test_a_full_disk_loses_no_move_that_was_kept(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    where = sit(client, "holdem-nolimit", "20", "caller")
    before = client.get(where).text
    sent = {"decision": field(before, "decision"), "move": "c"}

    class Full(sqlite3.Connection):
        def execute(self, text: str, *rest: Any) -> sqlite3.Cursor:
            if text.startswith(("UPDATE", "INSERT")):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(text, *rest)

    matches: Matches = client.app.state.matches  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        full = sqlite3.connect(matches.folder / FILE, factory=Full, check_same_thread=False)
        full.row_factory = sqlite3.Row
        patch.setattr(Matches, "db", full)
        answer = client.post(f"{where}/act", data=sent, headers=PART)
    full.close()
    assert answer.status_code == 503
    assert "could not be saved (database or disk is full)" in answer.text
    assert client.get(where).text == before
    assert client.post(f"{where}/act", data=sent, headers=PART).status_code == 200


def test_moves_are_read_as_logs_write_them() -> None:
    assert read_move("f") == FOLDS
    assert read_move("r", "1,200") == read_move("r1200") == raise_to(1200)
    assert read_move("dAs") == Action("d", 51)


def test_without_scripts_a_form_leads_back_to_the_table(client: TestClient) -> None:
    where = sit(client, "holdem-limit", "", "caller")
    sent = {"decision": field(client.get(where).text, "decision"), "move": "c"}
    answer = client.post(f"{where}/act", data=sent, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, where)


def _played(client: TestClient, game: str, stack: str, bot: str, hands: int, like: str = "") -> str:
    where, rng = sit(client, game, stack, bot), random.Random(5)
    text, over = client.get(where).text, 0
    while over < hands:
        found = moves(text, rng, like)
        if found is None:
            over += 1
            if over == hands:
                return where
            text = client.post(f"{where}/deal", data={"decision": field(text, "decision")}, headers=PART).text
        else:
            text = client.post(f"{where}/act", data=found, headers=PART).text
    return where


def test_histories_to_download_are_read_again(client: TestClient, tmp_path: Path) -> None:
    for game, stack in (("holdem-nolimit", "20"), ("holdem-limit", "")):
        where = _played(client, game, stack, "random", 5)
        text = client.get(f"{where}/history.phh").text
        told = list(read_phh(text))
        assert len(told) == 5
        for one in told:
            assert one.hand is not None or "?" in text  # a showdown whose cards are not known is left out
            assert not one.wrong
        text = client.get(f"{where}/history.jsonl").text
        _, *lines = (json.loads(line) for line in text.splitlines())
        assert [one["hand"] for one in lines] == list(range(5))
        assert len(client.get(f"{where}/history.jsonl?hand=2").text.splitlines()) == 2
        (tmp_path / "log.jsonl").write_text(text)
        _, again = read_hands(tmp_path / "log.jsonl")
        for one, line in zip(again, lines, strict=True):
            assert one.hand is not None or "?" in line["cards"][1 - line["players"].index("you")]
        assert client.get(f"{where}/history.exe").status_code == 400


def test_a_history_of_discards_hides_what_the_bot_threw_away(client: TestClient) -> None:
    where = _played(client, "holdem-discard", "", "advice", 20, like="c")  # it changes cards in four of five
    assert client.get(f"{where}/history.phh").status_code == 400
    text = client.get(f"{where}/history.jsonl").text
    assert "d??" in text


def test_a_hand_is_replayed_step_by_step(client: TestClient) -> None:
    where = _played(client, "holdem-nolimit", "20", "caller", 1)
    first = client.get(f"{where}/hands/1?step=0")
    assert "step 0 of" in first.text
    assert "You win" not in first.text
    assert "pc-back" in first.text
    last = client.get(f"{where}/hands/1", headers=PART)
    assert "<html" not in last.text
    assert re.search(r"You (win|lose|fold)|The pot is split", last.text)
    assert client.get(f"{where}/hands/2").status_code == 404
    assert client.get("/play/nobody").status_code == 404


def test_matches_in_the_lobby_and_away(client: TestClient) -> None:
    where = _played(client, "holdem-jamfold", "10", "jamfold", 2)
    assert f'href="{where}"' in client.get("/play").text
    assert client.post(f"{where}/delete", follow_redirects=False).status_code == 303
    assert client.get(where).status_code == 404
    assert client.get("/play?game=chess").status_code == 400
    assert client.post("/play", data={"game": "holdem-limit", "bot": "solution:/etc/passwd"}).status_code == 400


# --- what would have been right ---------------------------------------------------------------------------------------


def test_jam_or_fold_is_told_exactly(tmp_path: Path) -> None:
    """63s at 10 big blinds: the values of `headsup jamfold`."""
    from headsup.jamfold.answer import answer

    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-jamfold", 10.0, "jamfold")
    now = matches.act(sitting, matches.deal(sitting).decision, FOLDS)
    found = review(sitting, now.guest)
    (looked,) = found.decisions
    fold, jam = looked.options
    assert (fold.words, jam.words) == ("fold", "jam 1,000")
    assert fold.chosen
    assert fold.value == -0.5
    assert fold.against == -0.5
    hole = now.guest.hand.holes[0]
    from headsup.cards.classes import holdem_class

    worth = float(answer("holdem", 10.0).ev_jam[holdem_class(hole)])
    assert jam.value == pytest.approx(worth)
    assert jam.against == pytest.approx(worth, abs=2e-3)  # the shipped values have four digits
    assert looked.lost == pytest.approx(max(0.0, worth + 0.5), abs=1e-9)
    assert fold.known is not None
    assert (fold.known > 0.5) == (worth < -0.5)


def test_a_choice_against_a_known_bot_by_hand(tmp_path: Path) -> None:
    """Against a caller a jam before the flop is worth its equity against any two cards."""
    from headsup.cards.combos import colex
    from headsup.equity.holdem.table import combo_table

    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-jamfold", 10.0, "caller")
    now = matches.act(sitting, matches.deal(sitting).decision, raise_to(1000))
    jam = review(sitting, now.guest).decisions[0].options[1]
    both, row = combo_table(), colex(sorted(now.guest.hand.holes[0]))
    equity = (both.wins[row].sum() + both.ties[row].sum() / 2) / both.deals[row].sum()
    assert jam.chosen
    assert jam.against == pytest.approx(20 * equity - 10)


def hand_view(hand: TableHand) -> PlayerView:
    """Of the guest's first decision."""
    return part_of(hand, 0).view()


@pytest.mark.parametrize("number", [0, 1])
def test_swaps_after_an_all_in_before_the_flop_are_reviewed(tmp_path: Path, number: int) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-discard", 100.0, "discard")
    place = sitting.place(number)
    hand = place.table.hand(place.table.deal_number(7, number))
    for action in (raise_to(10_000), CALLS, CALLS, CALLS, CALLS, Action("d", hand.holes[0][0])):
        hand.act(action)
    assert hand.over
    found = review(sitting, GuestHand(place, hand, place.first_dice))
    assert [one.street for one in found.decisions] == ["preflop", "flop", "turn"]
    for looked in found.decisions[1:]:
        assert len(looked.options) == 3
        assert all(one.against is not None for one in looked.options)


@pytest.mark.skipif(JIT_DISABLED, reason="buckets of whole boards, and walks over them")
def test_a_review_says_that_the_line_has_left_the_blueprint(tmp_path: Path) -> None:
    """The blueprint always folds 72 offsuit here, and the loss is what that is worth less."""
    sitting = Matches(tmp_path).create(PAGE, "holdem-nolimit", 20.0, "caller")
    place = sitting.place(0)
    hand = place.table.hand(Deal((parse_cards("7c2d"), parse_cards("QhJh")), parse_cards("Ks8h5d2c9c")))
    for action in (raise_to(300), CALLS, CALLS, CALLS, CALLS, raise_to(600), FOLDS):
        hand.act(action)
    before, flop, turn = review(sitting, GuestHand(place, hand, place.first_dice)).decisions
    raised = next(one for one in before.options if one.chosen)
    assert (raised.known, before.options[0].known, before.notes) == (
        pytest.approx(0.0, abs=1e-4),
        pytest.approx(1.0, abs=1e-4),
        ("Bets are read as the nearest of the chart.",),
    )
    assert before.lost == pytest.approx((before.options[0].value or 0.0) - (raised.value or 0.0), abs=1e-4)
    assert before.verdict == f"costs {before.lost:.2f} bb: the chart for 20 bb would fold"
    for looked in (flop, turn):
        assert looked.notes[0].startswith(
            "This line is outside the no-limit blueprint: before the flop you took an action"
        )


@pytest.mark.skipif(JIT_DISABLED, reason="buckets of whole boards, and walks over them")
def test_other_stacks_are_reviewed_by_the_nearest_blueprint_and_solved_streets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hand that a solved flop checks, with one that only the blueprint's flop checks, and with neither."""
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (4, 6))
    for hole, solved in (("9s9d", True), ("AsKd", True), ("7c2d", False)):
        sitting = Matches(tmp_path).create(PAGE, "holdem-nolimit", 60.0, "nolimit:blueprint")
        monkeypatch.setattr(blueprint_for(sitting.table), "runouts", 0)
        place = sitting.place(0)
        hand = place.table.hand(Deal((parse_cards(hole), parse_cards("QhJh")), parse_cards("Ks8h5d2c9c")))
        for action in (raise_to(300), CALLS, CALLS, CALLS, CALLS, raise_to(600), FOLDS):
            hand.act(action)
        found = review(sitting, GuestHand(place, hand, place.first_dice))
        assert found.knows == "the no-limit blueprint for 50 bb"
        assert all(option.known is not None for looked in found.decisions for option in looked.options)
        assert found.bots == ("nolimit" if solved else "")
        turn = found.decisions[-1]
        assert [option.bots is not None for option in turn.options] == [solved] * len(turn.options)


@pytest.mark.skipif(JIT_DISABLED, reason="buckets of whole boards, and walks over them")
def test_no_limit_goes_on_by_the_blueprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a choice ends the betting both kinds of values are the same; on the flop there is an error beside them."""
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", 20.0, "nolimit:blueprint")
    shipped = blueprint_for(sitting.table)
    assert shipped is not None
    monkeypatch.setattr(shipped, "runouts", 12)
    place = sitting.place(0)
    hand = place.table.hand(Deal((parse_cards("AsKd"), parse_cards("QhJh")), parse_cards("Ks8h5d2c9c")))
    for action in (CALLS, CALLS, CALLS, CALLS, CALLS, CALLS, CALLS, raise_to(250), FOLDS):
        hand.act(action)
    found = review(sitting, GuestHand(place, hand, place.first_dice))
    assert (found.values, found.drawn, found.against) == (CONTINUED, 12, "nolimit:blueprint")
    before, flop, turn, river = found.decisions
    assert [one.street for one in found.decisions] == ["preflop", "flop", "turn", "river"]
    assert all(one.error > 0.0 for one in flop.options if one.value is not None and one.known)
    jam = flop.options[-1]
    assert jam.value == pytest.approx(jam.against, abs=1e-4)
    for looked in (turn, river):
        assert [one.error for one in looked.options] == [0.0] * len(looked.options)
        assert looked.options[-1].value == pytest.approx(looked.options[-1].against, abs=1e-3)
        assert all(one.value is not None for one in looked.options if one.known)
    read = next(one.read for one in river.options if one.chosen)  # the pot, or three quarters of it, by the menu
    assert (river.did, read) in (("bet 250", "bet 200"), ("bet 250", "bet 150"))
    assert not any(one.read for one in turn.options)
    assert river.verdict
    assert before.options[0].words == "fold"
    assert before.by == "the chart for 20 bb"
    assert before.options[0].value == pytest.approx(-0.5)
    assert before.options[-1].value == pytest.approx(before.options[-1].against, abs=0.02)  # all-in, the other answers
    assert None not in [one.value for one in before.options]
    assert not found.left
    asked = _Asked(sitting.id)
    _Asked(sitting.id)  # somebody asks about another hand
    assert _continued(shipped, hand_view(hand), CALLS, asked) is None
    assert asked.left


@pytest.mark.parametrize("stack", [8.0, 20.0, 26.0])
def test_a_small_raise_before_the_flop_that_no_chart_has_is_reviewed(tmp_path: Path, stack: float) -> None:
    """It is read as a call or as the next size; where nobody acts after that, nothing is known."""
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", stack, "caller")
    place = sitting.place(0)
    hand = place.table.hand(Deal((parse_cards("AsKd"), parse_cards("QhJh")), parse_cards("Ks8h5d2c9c")))
    for action in (raise_to(200), raise_to(300), FOLDS):
        hand.act(action)
    first, second = review(sitting, GuestHand(place, hand, place.first_dice)).decisions
    assert [first.did, second.did] == ["raise to 200", "fold"]
    assert all(option.value is not None for option in first.options if option.known) or stack > 25


@pytest.mark.parametrize(("stack", "chart"), [(5.0, 5), (10.0, 10), (25.0, 25), (26.0, 25), (50.0, 50)])
def test_before_the_flop_the_page_answers_as_the_chart(tmp_path: Path, stack: float, chart: int) -> None:
    """Also where the blueprint after the flop is that of another stack."""
    sitting = Matches(tmp_path).create(PAGE, "holdem-nolimit", stack, "allin")
    place = sitting.place(0)
    hand = place.table.hand(Deal((parse_cards("KhKc"), parse_cards("2c3d")), parse_cards("Ks8h5d2h9c")))
    for action in (CALLS, raise_to(int(100 * stack)), FOLDS):
        hand.act(action)
    first, second = review(sitting, GuestHand(place, hand, place.first_dice)).decisions
    assert {one.by for one in (first, second)} == {f"the chart for {chart} bb"}
    known = chart_for(stack)
    assert known is not None
    for one, line in ((first, ""), (second, "call, all-in")):
        row = known.at(line).hand("KK")
        shown = {option.words: option for option in one.options if option.known}
        assert [option.known for option in shown.values()] == pytest.approx(
            [share for share in row["frequencies"].values() if share], abs=1e-6
        )
        values = {option.words.split()[0]: option.value for option in one.options}
        assert values["fold"] == pytest.approx(row["ev"]["fold"])
        assert values["call"] == pytest.approx(row["ev"]["call"])
    assert second.lost == pytest.approx(row["ev"]["call"] - row["ev"]["fold"], abs=1e-4)


def test_a_bet_far_from_those_of_the_chart_is_marked(tmp_path: Path) -> None:
    """A raise to 8 of 15 is read as one to 2: the same in the review of a file and on the page."""
    sitting = Matches(tmp_path).create(PAGE, "holdem-nolimit", 15.0, "caller")
    place = sitting.place(1)
    hand = place.table.hand(Deal((parse_cards("2c3d"), parse_cards("KhKc")), parse_cards("Ks8h5d2h9c")))
    hand.act(raise_to(800))
    view = hand.view()
    hand.act(FOLDS)
    (found,) = review(sitting, GuestHand(place, hand, place.first_dice)).decisions
    assert found.notes[-1] == "A bet is far from those of the chart, so its values say little."
    known = chart_answer(view, FOLDS, 15.0)
    assert known is not None
    assert known[0].trust == "low"
    assert found.lost == pytest.approx(known[0].lost_by(known[1]), abs=1e-4)


def test_where_nobody_knows_nothing_is_said(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", 300.0, "average")
    now = matches.act(sitting, matches.deal(sitting).decision, FOLDS)
    found = review(sitting, now.guest)
    assert (found.knows, found.against, found.values, found.bots) == ("", "", "", "")
    assert found.decisions[0].verdict == ""


# --- what is seen -----------------------------------------------------------------------------------------------------


def test_events_and_stages() -> None:
    there = table("holdem-nolimit", 20)
    hand = there.hand(Deal(((48, 49), (0, 1)), (4, 9, 14, 19, 24)))
    for action in (raise_to(250), CALLS, raise_to(300), CALLS, CALLS):
        hand.act(action)
    mine, theirs = events_of(hand, 0), events_of(hand, 1)
    assert [one.text for one in mine] == ["raise to 250", "calls 150", "flop", "bets 300", "call 300", "turn", "checks"]
    assert [one.stage for one in mine] == [0, 0, 0, 0, 0, 1, 2]
    assert [one.stage for one in theirs] == [0] * 7
    seen = see(hand, 0, ("you", "bot"))
    assert (seen.pot, seen.me.stack, seen.total, seen.me.has) == (1100, 1450, 1100, "pair, aces with 6-5-4")
    assert (seen.other.cards, seen.other.hidden) == ((), 2)
    hand.act(raise_to(1450))
    hand.act(CALLS)
    end = see(hand, 0, ("you", "bot"))
    assert [one.text for one in end.events][-3:] == ["go all-in for 1,450", "calls 1,450, all-in", "river"]
    assert [one.stage for one in end.events][-3:] == [0, 1, 2]
    assert end.shown
    assert {card.name for card in end.other.cards} == {"2c", "2d"}
    assert end.me.stack == 2000 + hand.chips[0]


def test_marks_are_the_menus() -> None:
    there = table("holdem-nolimit", 20)
    hand = there.hand(Deal(((48, 49), (0, 1)), (4, 9, 14, 19, 24)))
    assert marks(there.betting, hand.state, hand.legal) == (("min", 200), ("100% pot", 300), ("all-in", 2000))
    hand.act(CALLS)
    hand.act(CALLS)
    found = marks(there.betting, hand.state, hand.legal)
    assert found == (("min", 100), ("100% pot", 200), ("200% pot", 400), ("all-in", 1900))


def test_bots_that_do_not_learn_are_shared() -> None:
    assert shared("holdem-nolimit", 20.0, "caller") is shared("holdem-nolimit", 20.0, "caller")
    assert learns("average")
    assert not learns("tight")
