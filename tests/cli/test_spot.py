"""`headsup spot` and `headsup look`: JSON, files, Ctrl-C, and one sentence a mistake."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.games.holdem.spot import Spot
from headsup.solve.holdem.vector import VectorCfr
from headsup.spots.solve import SpotSolution
from tests.solve import compiled

WORDS = (
    *("spot", "--board", "Td9d6hQc2s", "--oop", "AA,T9s,KJs,87s", "--ip", "QQ,AQs,J8s,55"),
    *("--pot", "20", "--stack", "50", "--bets", "50%, a", "--raises", "3x"),
)
pytestmark = compiled
KEYS = ("exploitability_pot", "value_oop", "value_ip", "equity_oop", "iterations", "seconds", "bytes", "nodes")


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_json(capsys) -> None:
    code, out, err = ask(capsys, *WORDS, "--target", "0.1%", "--json")
    told = json.loads(out)
    assert code == 0
    assert err.startswith("headsup spot: needs ")
    assert list(told)[:10] == [*KEYS, "actions", "frequencies"]
    assert told["exploitability_pot"] <= 0.001
    assert told["value_oop"] + told["value_ip"] == pytest.approx(20.0)
    assert told["actions"] == ["check", "bet 10", "all-in 50"]
    assert sum(told["frequencies"]) == pytest.approx(1.0)
    assert 0.0 < told["equity_oop"] < 1.0


def test_a_spot_is_written_read_and_changed(capsys, tmp_path: Path) -> None:
    path, saved = str(tmp_path / "my.spot"), str(tmp_path / "my.sol")
    code, out, _ = ask(capsys, *WORDS, "--write", path, "--save", saved)
    assert code == 0
    assert "look into it" in out
    assert "oop first" in out
    found = SpotSolution.load(saved)
    assert found.exploitability_pot <= 0.005
    assert Spot.read(path) == found.spot
    told = json.loads(ask(capsys, "spot", path, "--stack", "60,50", "--rake", "5%/1", "--iterations", "3", "--json")[1])
    assert told["iterations"] == 3
    assert told["value_oop"] + told["value_ip"] == pytest.approx(19.0)
    assert Spot.parse(told["spot"]) == found.spot.with_(stack=(60, 50), rake="5%/1")
    told = json.loads(ask(capsys, "measure", saved, "--json")[1])
    assert told["exploitability"] / 20 == pytest.approx(found.exploitability_pot)


def test_swaps(capsys, tmp_path: Path) -> None:
    saved, turn = str(tmp_path / "my.sol"), (*WORDS[:2], "Td9d6hQc", *WORDS[3:7], "--pot", "20", "--stack", "50")
    words = (*turn, "--bets", "none", "--game", "holdem-discard", "--iterations", "12", "--save", saved)
    code, out, _ = ask(capsys, *words)
    assert code == 0
    assert "in turn; hands do not remember discarded cards" in out
    assert "chips too many: discarded cards are not remembered" in out
    found = SpotSolution.load(saved)
    assert (found.spot.swaps, found.actions) == ("in turn", ["keep", "swap low", "swap high"])
    told = json.loads(ask(capsys, "look", saved, "--line", "swap high, keep, check, check, 2c", "--json")[1])
    assert told["line"] == "swap high, keep, check, check, 2c"
    assert sum(told["totals"]["frequencies"]) == pytest.approx(1.0)
    view = found.at("swap")
    assert view.player == "ip"
    assert view.hand("QQ")["frequencies"]["keep"] > 0.9  # a set
    again = json.loads(
        ask(capsys, "spot", "--from", saved, "--lock", "QQ: swap low", "--iterations", "14", "--json")[1]
    )
    assert again["locks"] == ["QQ: swap low"]
    assert ask(capsys, *turn, "--bets", "a", "--swaps", "never")[2] == (
        "headsup spot: swaps: they are made in turn or together, not 'never'\n"
    )
    assert "has no spots" in ask(capsys, *turn, "--bets", "a", "--game", "stud")[2]
    played = ask(capsys, "play", "random", "caller", "--game", f"spot:{saved}", "--hands", "2")
    assert "leave swaps and variants out" in played[2]


def test_omaha(capsys, tmp_path: Path) -> None:
    saved = str(tmp_path / "omaha.sol")
    words = ("spot", "--game", "omaha8", "--board", "As8d7c3hQs", "--oop", "AA82,QQ88", "--ip", "A2KK,7733,65AJ")
    words += ("--pot", "60", "--stack", "200", "--bets", "50%, pot")
    code, out, _ = ask(capsys, *words, "--json", "--save", saved)
    answer = json.loads(out)
    assert code == 0
    assert list(answer)[:10] == [*KEYS, "actions", "frequencies"]
    assert answer["actions"] == ["check", "bet 30", "bet 60"]  # pot-limit
    equity = json.loads(ask(capsys, "equity", words[6], words[8], "--board", words[4], "--game", "omaha8", "--json")[1])
    assert answer["equity_oop"] == pytest.approx(equity["players"][0]["equity"], abs=1e-12)
    assert Spot.parse(answer["spot"]).variant == "omaha8"
    out = ask(capsys, "look", saved, "--line", "check")[1]
    for text in ("made hand", "counterfeited low", "best of "):
        assert text in out
    out = ask(capsys, "look", saved, "--line", "check", "--list", "--hand", "7733")[1]
    assert "7h7d3d3c" in out
    assert "AcJc6c5c" not in out
    view = json.loads(ask(capsys, "look", saved, "--extremes", "--blockers", "--json")[1])
    assert {"extremes", "blockers", "categories"} <= set(view)
    answer = json.loads(
        ask(capsys, "spot", "--from", saved, "--betting", "no-limit", "--iterations", "20", "--json")[1]
    )
    assert "betting: no-limit" in answer["spot"]
    assert "is of some flops" in ask(capsys, "report", *words[1:3], *words[5:], "--work", str(tmp_path / "report"))[2]


def test_look(capsys, tmp_path: Path) -> None:
    saved = str(tmp_path / "my.sol")
    ask(capsys, *WORDS, "--iterations", "20", "--save", saved)
    code, out, _ = ask(capsys, "look", saved, "--line", "check, bet 10")
    assert code == 0
    assert "oop with" in out
    assert "suited above the diagonal" in out
    out = ask(capsys, "look", saved, "--line", "check, bet 10", "--list")[1]
    assert "ev call" in out
    assert "AsAh" in out
    out = ask(capsys, "look", saved, "--hand", "AA", "--line", "check, bet 10")[1]
    assert "AA, 6 combos" in out
    out = ask(capsys, "look", saved, "--by", "category", "--blockers")[1]
    assert "made hand" in out
    assert "overpair" in out
    assert "bet 10: fold" in out
    assert "the hand is over" not in out
    told = json.loads(ask(capsys, "look", saved, "--line", "check", "--hand", "QQ", "--blockers", "--json")[1])
    assert told["categories"][0]["category"] == "straight"
    assert len(told["realised"]) == len(told["category"]) == len(told["hands"])
    assert {row["cards"] for row in told["blockers"]} == {"QsQh", "QsQd", "QhQd"}
    assert told["player"] == "ip"
    assert told["hand"]["combos"] == 3
    assert len(told["frequencies"]) == len(told["actions"]) == len(told["ev"])
    assert len(told["hands"]) == len(told["equity"]) == len(told["reach"]) == len(told["weights"])
    code, _, err = ask(capsys, "look", saved, "--line", "check, check")
    assert code == 2
    assert err == "headsup look: after 'check, check' the hand is over and nobody acts: leave out the last action\n"


def test_go_on_lock_exploit_and_compare(capsys, tmp_path: Path) -> None:
    a, b, c, reply = (str(tmp_path / name) for name in ("a.sol", "b.sol", "c.sol", "reply.sol"))
    first = json.loads(ask(capsys, *WORDS, "--target", "2%", "--save", a, "--json")[1])
    tight = json.loads(ask(capsys, "spot", "--from", a, "--target", "0.2%", "--save", b, "--json")[1])
    assert tight["exploitability_pot"] <= 0.002
    assert tight["params"]["began"] == first["iterations"] < tight["iterations"]
    lock = ("--lock", "check | bet 10 60%", "--lock", "KJs: check .5, bet 10")
    code, out, _ = ask(capsys, "spot", "--from", b, *lock, "--save", c)
    assert code == 0
    assert "within the locks" in out
    assert "if both players may break the locks" in out
    assert SpotSolution.load(c).locks.texts == ("check | bet 10 60%", "KJs: check .5, bet 10")
    told = json.loads(ask(capsys, "spot", "--from", c, "--unlock", "--iterations", "1", "--json")[1])
    assert "locks" not in told
    told = json.loads(ask(capsys, "spot", "--from", c, "--small", "--save", c, "--bets", "50%, 100%, a", "--json")[1])
    assert told["exploitability_locked_pot"] <= 0.005 < told["exploitability_pot"]
    assert told["actions"] == ["check", "bet 10", "bet 20", "all-in 50"]
    _, _, err = ask(capsys, "spot", "--from", c, "--json")
    assert "has no regrets: resuming from its strategies alone" in err

    told = json.loads(ask(capsys, "exploit", b, "--json")[1])
    assert [one["player"] for one in told["replies"]] == ["oop", "ip"]
    gains = [one["gains_pot"] for one in told["replies"]]
    assert sum(gains) / 2 == pytest.approx(tight["exploitability_pot"], abs=1e-9)
    code, out, _ = ask(capsys, "exploit", b, "--seat", "oop", "--lock", "check | all: check", "--save", reply)
    assert code == 0
    assert "oop at best  wins " in out
    assert "the first decision" in ask(capsys, "look", reply)[1]

    out = ask(capsys, "compare", a, b)[1]
    assert "how far they were solved: to " in out
    assert "that both exploitabilities allow" in out
    assert "the first decision (oop)" in out
    assert "no differences in the lines that both have" in ask(capsys, "compare", a, a)[1]
    assert "moved" in ask(capsys, "compare", a, c, "--line", "check", "--most", "3")[1]
    assert "no differences in the hands that both have" in ask(capsys, "compare", a, a, "--line", "check")[1]
    assert re.search(r"ip \d+\.\d{3} and \d+\.\d{3} chips\n", ask(capsys, "compare", a, b)[1])
    told = json.loads(ask(capsys, "compare", a, b, "--line", "check", "--json")[1])
    assert told["agrees"] is True
    assert told["hands"][0]["moved"] > 0.0
    for words, sentence in (
        (("spot", "--from", a, "nofile.spot"), f"--from {a} already contains a spot: leave nofile.spot out"),
        ((*WORDS, "--unlock"), "--unlock drops the locks of a solution: name one with --from"),
        ((*WORDS, "--lock", "check | bet 10 60%"), "needs a solution to stand on"),
        (("spot", "--from", a, "--board", "Td9d6hQc3s"), "solve another board from the start"),
        (("spot", "--from", c, "--bets", "75%"), "locked hands play 'bet 10' at the first decision, which the changed"),
        (("spot", "--from", a, "--small"), "--small changes what --save writes: add --save FILE, or leave it out"),
        (("spot", a), f"{a} is a solution, not a text file: resume from it with --from {a}"),
        (("exploit", a, "--save", reply), "--save writes one best response: add --seat oop or --seat ip"),
        (("exploit", a, "--seat", "me"), "a player is oop or ip, not 'me'"),
        (("exploit", a, "--seat", "ip", "--save", a), f"--save {a} would overwrite {a}"),
        (("compare", a, b, "--most", "0"), "--most must be at least 1, not 0"),
    ):
        code, out, err = ask(capsys, *words)
        assert (code, out) == (2, "")
        assert sentence in err.splitlines()[-1]


def test_figures_have_units_and_nothing_is_minus_zero(capsys, tmp_path: Path) -> None:
    saved = str(tmp_path / "checked.sol")
    code, out, _ = ask(capsys, *WORDS, "--bets", "none", "--raises", "", "--save", saved)
    assert code == 0
    assert "exploitability  0.0000% of the pot\n" in out
    assert re.search(r"value +oop \d+\.\d{3}, ip \d+\.\d{3} chips\n", out)
    out = ask(capsys, "exploit", saved)[1]
    assert out.count(" chips, 0.000 more (0.000% of the pot)") == 2
    out = ask(capsys, "measure", saved)[1]
    assert "(average of both seats; 0.0000% of the pot)" in out
    assert "mbb" not in out


def test_a_checkpoint_is_of_one_spot_and_its_locks(capsys, tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "my.ck"), "--iterations", "2")
    assert ask(capsys, *WORDS, *kept)[0] == 0
    for change in (("--lock", "AA: check"), ("--stack", "40")):
        code, out, err = ask(capsys, *WORDS, *kept, *change)
        assert (code, out) == (2, "")
        assert "too, has other hands locked, or is too old to tell: name another file" in err


def test_solutions_of_other_games_are_named(capsys, tmp_path: Path) -> None:
    saved, other = str(tmp_path / "my.sol"), str(tmp_path / "kuhn.sol")
    assert ask(capsys, *WORDS, "--save", saved)[0] == 0
    assert ask(capsys, "solve", "kuhn", "--iterations", "2", "--method", "cfr", "--save", other)[0] == 0
    for words in (("look", other), ("exploit", other), ("compare", saved, other), ("spot", "--from", other)):
        code, out, err = ask(capsys, *words)
        assert (code, out) == (2, "")
        assert f"{other} is a solution of kuhn, not of a spot" in err


def test_ctrl_c_ends_measured_and_saved(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, step = str(tmp_path / "my.sol"), VectorCfr.step

    def interrupted(self: VectorCfr, n: int) -> None:
        step(self, n)
        if self.iterations >= 5:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(VectorCfr, "step", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code, out, err = ask(capsys, *WORDS, "--target", "0.0001%", "--save", saved, "--json")
    finally:
        signal.signal(signal.SIGINT, before)
    told = json.loads(out)
    assert code == 130
    assert err.splitlines()[-1] == f"headsup spot: stopped after {told['iterations']} iterations, saved in {saved}"
    assert SpotSolution.load(saved).exploitability_pot == told["exploitability_pot"] > 0.0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("spot",), "a spot needs board, oop, ip, pot, stack: add options such as --board QsJh2h, or give a file"),
        (("spot", "nofile.spot"), "nofile.spot cannot be read: there is no file of that name"),
        ((*WORDS, "--stack", "x"), "stack: 'x' is not a whole number of chips, or two such as 910, 850"),
        ((*WORDS, "--board", "Td"), "board: a spot begins with three, four or five cards, not 1"),
        ((*WORDS, "--flop", "50%"), "flop: a spot with 5 cards has no betting on the flop"),
        ((*WORDS, "--rake", "x"), "rake: 'x' is not a rake"),
        ((*WORDS, "--store", "x"), "a store is float32, float64, int16, not 'x'"),
        ((*WORDS, "--method", "lp"), "spots are solved by cfr, cfr+, linear, dcfr, pcfr+, dcfr-holdem, not by 'lp'"),
        ((*WORDS, "--threads", "0"), "threads must be at least 1, not 0"),
        ((*WORDS, "--iterations", "-1"), "iterations must be at least 0, not -1"),
        ((*WORDS, "--save", "/nonexistent/x"), "/nonexistent/x cannot be written"),
        (("look", "nofile"), "nofile cannot be read: there is no file of that name"),
    ],
)
def test_mistakes_are_one_sentence(capsys, words: tuple[str, ...], sentence: str) -> None:
    code, out, err = ask(capsys, *words)
    assert (code, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert len([line for line in err.splitlines() if "of memory" not in line]) == 1
