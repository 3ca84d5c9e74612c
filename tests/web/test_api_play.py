"""Programs that play: a client written from docs/play-api.md alone, and clients that stop, lie and flood."""

from __future__ import annotations

import random
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from headsup.play.table.rules import CALLS, Deal, Illegal, table
from headsup.web import api_play, limits
from headsup.web.api_play import action_texts, read_incr
from headsup.web.keep import database
from headsup.web.limits import Flood, Rate, RateLimits
from headsup.web.table.matches import API, Matches

DOCS = Path(__file__).parents[2] / "docs" / "play-api.md"
TIMES = (
    ("holdem-nolimit", None, "caller"),
    ("holdem-limit", None, "random"),
    ("holdem-discard", 50, "random"),
    ("holdem-jamfold", 10, "jamfold"),
    ("omaha8-jamfold", 8, "caller"),
    ("holdem-nolimit", 20, "average"),
)


@pytest.fixture
def program(client: TestClient) -> TestClient:
    """A client that is a program."""
    return client


def listed(client: TestClient, name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Where a name stands on the leaderboard."""
    boards = client.get("/api/leaderboard").json()
    return [(board, one) for board in boards for one in board["clients"] if one["client"] == name]


def wild(now: dict[str, Any], rng: random.Random) -> str:
    """Any legal move."""
    legal = now["legal"]
    every = [f"d{card}" for card in legal["discard"]] + (["s"] if legal["discard"] else [])
    every += ["f"] if legal["fold"] else []
    every += [] if legal["call"] is None else ["k" if legal["call"] == 0 else "c"]
    every += [f"b{rng.randint(*legal['bet'])}"] if legal["bet"] else []
    return rng.choice(every)


def play_hand(client: TestClient, rng: random.Random, **fields: Any) -> list[dict[str, Any]]:
    """All answers of a hand."""
    answers = [client.post("/api/new_hand", json=fields).json()]
    while "winnings" not in answers[-1]:
        now = answers[-1]
        sent = {"token": now["token"], "incr": wild(now, rng), "decision": now["decision"]}
        answer = client.post("/api/act", json=sent)
        assert answer.status_code == 200, answer.text
        answers.append(answer.json())
    return answers


def from_the_docs() -> Any:
    """The client of the page, as it stands there."""
    code = re.search(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert code
    there: dict[str, Any] = {}
    exec(compile(code[1], str(DOCS), "exec"), there)
    return there["play"]


def test_the_client_of_the_docs_plays_fifty_hands(served: str) -> None:
    assert isinstance(from_the_docs()(served, 50), int)


@pytest.mark.long
def test_the_client_of_the_docs_plays_a_thousand_hands(served: str) -> None:
    assert isinstance(from_the_docs()(served, 1000), int)


@pytest.mark.parametrize(("game", "stack", "bot"), TIMES)
def test_hands_of_every_game_to_the_end(program: TestClient, game: str, stack: float | None, bot: str) -> None:
    rng, token, total = random.Random(1), None, 0
    for number in range(5):
        fields = {"token": token} if token else {"game": game, "stack": stack, "bot": bot}
        answers = play_hand(program, rng, **fields)
        token, last = answers[0]["token"], answers[-1]
        assert (last["hand"], last["client_pos"]) == (number, 1 - number % 2)
        assert last["action"].startswith(last["old_action"])
        total += last["winnings"]
        assert (last["session_num_hands"], last["session_total"]) == (number + 1, total)
        assert isinstance(last["winnings_without_luck"], float)
        numbers = [one["decision"] for one in answers]
        assert numbers == sorted(set(numbers))


def test_moves_in_slumbots_letters() -> None:
    there = table("holdem-nolimit", 200)
    deal = Deal(((48, 49), (0, 1)), (4, 9, 14, 19, 24))
    hand = there.hand(deal)
    for move in ("b200", "c", "k", "b300", "c", "k"):
        hand.act(read_incr(move, hand.legal))
    assert action_texts(hand, 1) == ("b200c/kb300c/", "b200c/kb300c/k")
    assert action_texts(hand, 0) == ("b200c/k", "b200c/kb300c/k")
    with pytest.raises(Illegal, match="'c' is not allowed: send k, b100 to b19500"):
        read_incr("c", hand.legal)
    jam = there.hand(deal)
    for move in ("b20000", "c"):
        jam.act(read_incr(move, jam.legal))
    assert action_texts(jam, 0)[1] == "b20000c///"  # as Slumbot closes the streets that nobody bets on


@pytest.mark.parametrize(
    "text", ["", "x", "b", "b-5", "b1e3", "b٣", "dZz", "d", "kk", "F", "b99999999999999999999", "s"]
)
def test_what_is_no_move(text: str) -> None:
    hand = table("holdem-nolimit", 20).hand(Deal(((48, 49), (0, 1)), (4, 9, 14, 19, 24)))
    with pytest.raises(Illegal):
        read_incr(text, hand.legal)


def test_cards_that_the_bot_changes_are_not_told() -> None:
    there = table("holdem-discard", 50)
    hand = there.hand(Deal(((48, 49), (0, 1)), (4, 9, 14, 19, 24), (30, 31, 32, 33)))
    for move in ("c", "k", "d2c", "dAc"):
        hand.act(read_incr(move, hand.legal))
    assert action_texts(hand, 0)[1] == "ck/ddAc"
    assert action_texts(hand, 1)[1] == "ck/d2cd"


def test_who_lies_loses_the_hand(program: TestClient) -> None:
    now = program.post("/api/new_hand", json={}).json()
    assert program.post("/api/act", json={"token": now["token"]}).status_code == 400  # no move at all
    for i in range(1, api_play.MOST_WRONG):
        answer = program.post("/api/act", json={"token": now["token"], "incr": "b1"})
        assert answer.status_code == 400
        assert "'b1' is not allowed: send f, c, b200 to b20000" in answer.json()["error_msg"]
        assert ("the hand is forfeited" in answer.json()["error"]) == (i == api_play.MOST_WRONG - 1)
    assert program.post("/api/act", json={"token": now["token"], "incr": "c"}).status_code == 409
    after = program.post("/api/new_hand", json={"token": now["token"]}).json()
    assert after["hand"] == 1


def test_a_move_is_made_once(program: TestClient) -> None:
    now = program.post("/api/new_hand", json={"bot": "caller"}).json()
    sent = {"token": now["token"], "incr": "b300", "decision": now["decision"]}
    first = program.post("/api/act", json=sent)
    again = program.post("/api/act", json=sent)
    assert (first.status_code, again.status_code) == (200, 409)
    assert again.json()["now"] == first.json()  # where it stands
    assert "was played in another window or sent twice" in again.json()["error_msg"]


def test_who_stops_loses_what_is_in(program: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    token = program.post("/api/login", json={"username": "sleeper", "password": "long enough"}).json()["token"]
    now = program.post("/api/new_hand", json={"token": token, "bot": "caller"}).json()
    program.post("/api/act", json={"token": token, "incr": "b300", "decision": now["decision"]})
    assert listed(program, "sleeper") == []
    monkeypatch.setattr(api_play, "IDLE", -1.0)  # an hour later
    ((board, sleeper),) = listed(program, "sleeper")
    assert (board["bot"], sleeper["hands"], sleeper["mean_bb"]) == ("caller", 1, -3.0)
    assert program.post("/api/act", json={"token": token, "incr": "k"}).status_code == 409


def test_a_hand_that_is_open_is_given_up_for_the_next(program: TestClient) -> None:
    now = program.post("/api/new_hand", json={"bot": "caller"}).json()
    program.post("/api/act", json={"token": now["token"], "incr": "b500"})
    last = play_hand(program, random.Random(0), token=now["token"])[-1]
    assert last["session_num_hands"] == 2
    assert last["session_total"] - last["winnings"] == -500


def test_duplicate_hands_on_request(program: TestClient) -> None:
    token, seen = None, list[dict[str, Any]]()
    for _ in range(6):
        fields = {"token": token} if token else {"duplicate": True, "bot": "caller", "game": "holdem-limit"}
        now = program.post("/api/new_hand", json=fields).json()
        token = now["token"]
        while "winnings" not in now:
            move = "k" if now["legal"]["call"] == 0 else "c"
            now = program.post("/api/act", json={"token": token, "incr": move}).json()
        seen.append(now)
    for first, second in zip(seen[::2], seen[1::2], strict=True):
        assert first["hole_cards"] == second["bot_hole_cards"]
        assert first["board"] == second["board"]
    assert seen[0]["hole_cards"] != seen[2]["hole_cards"]


def test_a_match_keeps_to_its_game(program: TestClient) -> None:
    now = program.post("/api/new_hand", json={"game": "holdem-limit", "bot": "caller"}).json()
    assert (now["stack"], now["blinds"]) == (None, [5, 10])
    other = program.post("/api/new_hand", json={"token": now["token"], "game": "holdem-discard"})
    assert other.status_code == 409
    assert "cannot change: request a new token" in other.json()["error"]


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"token": "0" * 32}, 404, "unknown token"),
        ({"game": "chess"}, 400, "the game is one of holdem-nolimit"),
        ({"bot": "solution:/etc/passwd"}, 400, "the bot is one of nolimit"),
        ({"bot": "nolimit", "stack": 300}, 400, "'nolimit' plays stacks from 5 to 250 big blinds"),
        ({"stack": 0.3}, 400, "a stack must be 1.5 to 1000 big blinds"),
        ({"stack": "much"}, 422, "stack"),
        ({"duplicate": []}, 422, "duplicate"),
    ],
)
def test_mistakes_are_one_sentence(program: TestClient, fields: dict[str, Any], status: int, words: str) -> None:
    answer = program.post("/api/new_hand", json=fields)
    assert answer.status_code == status
    assert words in answer.json()["error_msg"] == answer.json()["error"]


def test_names_and_passwords(program: TestClient) -> None:
    assert program.post("/api/login", json={"username": "me", "password": "long enough"}).status_code == 400
    assert program.post("/api/login", json={"username": "myself", "password": "short"}).status_code == 422
    first = program.post("/api/login", json={"username": "myself", "password": "long enough"}).json()
    again = program.post("/api/login", json={"username": "myself", "password": "long enough"}).json()
    assert first["token"] != again["token"]
    wrong = program.post("/api/login", json={"username": "myself", "password": "long enough?"})
    assert (wrong.status_code, "taken" in wrong.json()["error"]) == (401, True)
    matches: Matches = program.app.state.matches  # type: ignore[attr-defined]
    kept = [tuple(row) for row in database(matches.folder).execute("SELECT * FROM clients")]
    assert b"long enough" not in repr(kept).encode()


def test_the_leaderboard_counts_named_hands_alone(program: TestClient) -> None:
    rng = random.Random(3)
    token = program.post("/api/login", json={"username": "reader", "password": "long enough"}).json()["token"]
    answers = [play_hand(program, rng, token=token, **more)[-1] for more in ({"bot": "caller"}, {}, {})]
    play_hand(program, rng, bot="caller")  # nobody's
    ((board, reader),) = listed(program, "reader")
    assert (board["game"], board["stack"], board["bot"]) == ("holdem-nolimit", 200.0, "caller")
    assert (reader["client"], reader["hands"], reader["ranked"]) == ("reader", 3, False)
    assert reader["mean_bb"] == pytest.approx(sum(one["winnings"] for one in answers) / 300)
    free = sum(one["winnings_without_luck"] for one in answers) / 300
    assert reader["luckless_mean_bb"] == pytest.approx(free)
    page = program.get("/play/leaders")
    assert "reader" in page.text


# --- limits -----------------------------------------------------------------------------------------------------------


def test_buckets_fill_and_run_dry() -> None:
    now = [0.0]
    found, rate = RateLimits(lambda: now[0]), Rate("moves", 2.0, 3.0)
    for _ in range(3):
        found.take(rate, "a")
    with pytest.raises(Flood, match="too many moves: at most 2 per second, 3 at once; wait") as error:
        found.take(rate, "a")
    assert error.value.wait == pytest.approx(0.5)
    found.take(rate, "b")  # somebody else's is full
    now[0] = 0.5
    found.take(rate, "a")
    with pytest.raises(Flood):
        found.take(rate, "a")


def test_who_asks_one_after_the_other_is_slowed_down_and_not_refused() -> None:
    now, slept = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    found, rate = RateLimits(lambda: now[0], sleep), Rate("moves", 20.0, 3.0)
    for _ in range(50):
        found.take(rate, "a")
        now[0] += 0.01
    assert len(slept) > 30
    assert now[0] >= (50 - 3) / 20.0


def test_who_floods_is_told_to_wait(program: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    token = program.post("/api/new_hand", json={}).json()["token"]
    monkeypatch.setattr(api_play, "MOVES", Rate("requests with one token", 0.001, 2.0))
    told = [program.post("/api/act", json={"token": token, "incr": "x"}) for _ in range(3)]
    assert [one.status_code for one in told] == [400, 400, 429]
    assert int(told[-1].headers["retry-after"]) > 0
    assert program.post("/api/new_hand", json={}).status_code == 200  # others go on


def test_few_questions_of_one_token_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    found = RateLimits()
    monkeypatch.setattr(limits, "AT_ONCE", 1)
    with found.one_of_few("a"), found.one_of_few("b"), pytest.raises(Flood), found.one_of_few("a"):
        pass
    with found.one_of_few("a"):
        pass


# --- a crowd ----------------------------------------------------------------------------------------------------------


def test_a_crowd_loses_nothing(tmp_path: Path) -> None:
    """Threads in many matches at once: all chips are as a single thread would find them."""
    matches, wrong = Matches(tmp_path), list[BaseException]()
    sittings = [matches.create(API, "holdem-nolimit", 20.0, "random") for _ in range(12)]

    def work(which: int) -> None:
        try:
            for _ in range(6):
                now = matches.deal(sittings[which])
                while not now.over:
                    now = matches.act(sittings[which], now.decision, CALLS)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    for sitting in sittings:
        hands = matches.hands(sitting)
        assert [hand.number for hand in hands] == list(range(6))
        kept = [row["chips"] for row in matches.db.execute("SELECT chips FROM hands WHERE match = ?", (sitting.id,))]
        assert kept == [hand.guest.hand.chips[hand.guest.setup.seat] for hand in hands]
        assert matches.get(sitting.id, API).chips == sum(kept)


def test_time_is_kept_with_each_move(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(API, "holdem-nolimit", 20.0, "caller")
    now = matches.deal(sitting)
    began = time.time()
    matches.act(sitting, now.decision, CALLS)
    assert matches.get(sitting.id, API).touched >= began - 0.001
