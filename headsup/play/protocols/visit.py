"""Our agents at public servers of heads-up no-limit hold'em: Slumbot, and GTO Wizard's benchmark for researchers.

Both play 200 big blinds with blinds of 50 and 100 chips, every hand from full stacks. A server deals, moves for its own
player, and answers each request with the state of the hand:

    Slumbot         POST /api/new_hand {token}            POST /api/act {token, incr}
    GTO Wizard      POST /hands {game_name}               POST /hands/ID/act {action, amount}

Moves are f, k (check), c (call) and b with the total on the street. Here a state becomes a `HandState`, the agent is
asked as at any table, and the server's own figures are added up. GTO Wizard reports AIVAT scores too. Addresses, tokens
and keys are given by the caller and written nowhere, and redirects are not followed. Only the standard library is
needed.
"""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request

import numpy as np

from headsup.cards.cards import parse_card, parse_cards
from headsup.common.checks import check_seed, whole
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress, Watch
from headsup.games.betting.rules import DEAL
from headsup.play.statistics.interval import fixed
from headsup.play.table.agent import Agent, make_agent
from headsup.play.table.dice import FIRST, Dice
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Action, Legal, PastAction, PlayerView, Table, apply, table
from headsup.spots.remote import LOCAL, opener_to, redirected
from headsup.version import __version__

STACK, BLINDS = 200.0, (50, 100)
AGENT = f"headsup/{__version__}"  # some servers refuse what Python's own library says it is
PATIENCE = 180.0  # seconds for one answer
BUSY = (429, 502, 503, 504)  # statuses after which a request is sent again
TRIES, FIRST_WAIT, LONGEST_WAIT = 8, 1.0, 15.0
MOST_ANSWER = 1 << 20  # bytes
MOVE = re.compile(r"([fkc])|b([0-9]{1,9})(?:\.0+)?|([/_])")


@dataclass(frozen=True)
class HandState:
    """A hand as a server reports it."""

    seat: int  # ours: 0 is the dealer, who has the small blind
    hole: tuple[int, ...]
    board: tuple[int, ...]
    moves: tuple[Action, ...]
    won: float | None  # chips; None while the hand goes on
    reduced: float | None = None  # the same with variance reduction, where the server reports it

    def view(self, there: Table) -> PlayerView:
        """What we see at our turn; DataError if the moves break the rules or it is not our turn."""
        rules, state, steps = there.betting, there.root, list[PastAction]()
        for action in self.moves:
            state = rules.dealt(state)
            if state.player > DEAL or not Legal.of(rules, state).allows(action):
                raise DataError("the server's moves break the rules of no-limit hold'em: it may play another game")
            steps.append(PastAction(state.street, state.player, action))
            state = apply(rules, state, action)
        state = rules.dealt(state)
        if state.player != self.seat or len(self.board) != BOARD[state.street] or len(self.hole) != 2:
            raise DataError("the server waits for a move that is not ours, or shows other cards than the street has")
        return PlayerView.at(there, state, self.hole, self.board, tuple(steps))


def variable(server: str, what: str) -> str:
    """The environment variable for the KEY or ADDRESS of a server; each server has its own."""
    return f"HEADSUP_{server.upper()}_{what}"


class PokerServer(ABC):
    """A server that deals hands and plays against us."""

    name: str
    usual: str  # its public address

    def __init__(self, address: str = "", key: str = "") -> None:
        self.address = _checked(address or self.usual)
        if key and self.address.startswith("http://") and urlsplit(self.address).hostname not in LOCAL:
            raise UserError(f"{self.address} would receive the key unencrypted: write https://")
        if any(not "!" <= letter <= "~" for letter in key):
            raise UserError("a key is ASCII letters, digits and signs without spaces or line breaks: copy it again")
        self.waiting, self.key = FIRST_WAIT, key
        self.opener = opener_to(self.address)

    @abstractmethod
    def deal(self) -> HandState:
        """A new hand, as far as it is our turn."""

    @abstractmethod
    def act(self, action: Action, legal: Legal) -> HandState:
        """Our move, and what follows until our next turn."""

    def post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
        """A JSON object; a busy server is asked again."""
        kinds = {"content-type": "application/json", "accept": "application/json", "user-agent": AGENT}
        request = Request(self.address + path, json.dumps(body).encode(), {**kinds, **headers}, method="POST")
        wait = self.waiting
        for again in range(TRIES):
            try:
                return _object(self._answer(request), self.address)
            except HTTPError as error:
                if error.code not in BUSY or again == TRIES - 1:
                    raise self._refusal(error) from None
                time.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
        raise AssertionError("a request is sent at least once")

    def _answer(self, request: Request) -> bytes:
        """What the server answers. The text of errors of other kinds is left out: it may quote the key."""
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                content: bytes = answer.read(MOST_ANSWER)
                return content
        except HTTPError:
            raise
        except OSError as error:
            why = str(getattr(error, "reason", error))[:80]
            raise UserError(f"{self.address} does not answer ({why}): check the address and the network") from None
        except (HTTPException, ValueError):
            raise UserError(f"{self.address} does not answer as HTTP servers do: check the address") from None

    def _refusal(self, error: HTTPError) -> UserError:
        where = f"give it with --key or in {variable(self.name, 'KEY')}"
        if error.code == 401:
            return UserError(f"{self.address} wants a valid key: {where}")
        elsewhere = redirected(self.address, error)
        if elsewhere is not None:
            return elsewhere
        text = ""
        with suppress(OSError, HTTPException):
            text = error.read(2000).decode("utf-8", "replace")
        try:
            given = json.loads(text)
            text = str(given.get("error_msg") or given.get("detail") or text)
        except (ValueError, AttributeError):
            pass
        text = " ".join((text.replace(self.key, "...") if self.key else text).split())[:200]
        said = f"{self.address} refuses the request ({error.code}): {text or 'it does not say why'}"
        return UserError(f"{said} (if it wants a key, {where})" if error.code == 403 else said)


class Slumbot(PokerServer):
    """Slumbot's public API; a key is the token of a login, and may be left out."""

    name, usual = "slumbot", "https://slumbot.com"

    def __init__(self, address: str = "", key: str = "") -> None:
        super().__init__(address, key)
        self.address = self.address.removesuffix("/api")  # clients of Slumbot write it with or without
        self.token = key

    def deal(self) -> HandState:
        return self._read(self.post("/api/new_hand", {"token": self.token} if self.token else {}, {}))

    def act(self, action: Action, legal: Legal) -> HandState:
        move = {"f": "f", "c": "c" if legal.call else "k"}.get(action.kind, f"b{action.amount}")
        return self._read(self.post("/api/act", {"token": self.token, "incr": move}, {}))

    def _read(self, given: dict[str, Any]) -> HandState:
        if given.get("error_msg"):
            raise UserError(f"{self.address}: {' '.join(str(given['error_msg']).split())[:200]}")
        self.token = str(given.get("token") or self.token)
        with _readable(self.address):
            won = given.get("winnings")
            return HandState(
                seat=1 - int(given["client_pos"]),
                hole=tuple(parse_card(card) for card in given["hole_cards"]),
                board=tuple(parse_card(card) for card in given["board"]),
                moves=read_moves(str(given["action"])),
                won=None if won is None else float(won),
            )


class GtoWizard(PokerServer):
    """GTO Wizard's benchmark; its key is sent with every request."""

    name, usual = "gtowizard", "https://researcher.gtowizard.com"
    game = "HUNL 200BB"

    def __init__(self, address: str = "", key: str = "") -> None:
        super().__init__(address, key)
        if not key:
            where = variable(self.name, "KEY")
            raise UserError(f"GTO Wizard's benchmark needs a key: give it with --key or in {where}")
        self.headers, self.hand, self.seat = {"x-api-key": key}, 0, 0

    def deal(self) -> HandState:
        given = self.post("/hands", {"game_name": self.game}, self.headers)
        with _readable(self.address):
            rules = given["game"]
            chips = sorted(int(blind) for blind in rules["blinds"])  # they come with the big blind first
            if (*chips, float(rules["starting_stack"])) != (*BLINDS, STACK * BLINDS[1]):
                raise DataError(f"{self.address} plays other stakes than 50/100 with 20,000 chips: update headsup")
            self.hand = int(given["hand_id"])
            first, second = given["game_state"]["players"]
            # both show their cards where the hand is over at once
            ours = second if first["name"] == "GTO Wizard" or not first["hole_cards"] else first
            self.seat = int(ours["position"] == "BB")
        return self._read(given)

    def act(self, action: Action, legal: Legal) -> HandState:
        move: dict[str, Any] = {"action": "f" if action.kind == "f" else "c" if legal.call else "k"}
        if action.kind == "r":
            move = {"action": "b", "amount": action.amount}
        return self._read(self.post(f"/hands/{self.hand}/act", move, self.headers))

    def _read(self, given: dict[str, Any]) -> HandState:
        with _readable(self.address):
            state = given["game_state"]
            first, second = state["players"]
            ours = first if (first["position"] == "BB") == bool(self.seat) else second
            won, reduced = (state.get(name) for name in ("winnings", "aivat_score"))
            over = bool(state["is_hand_over"])
            return HandState(
                seat=self.seat,
                hole=parse_cards(str(ours["hole_cards"])),
                board=parse_cards(str(state["board_cards"] or "")),
                moves=read_moves("".join(state["action_history"])),
                won=float(won) if over else None,
                reduced=float(reduced) if over and reduced is not None else None,
            )


SERVERS: dict[str, type[PokerServer]] = {server.name: server for server in (Slumbot, GtoWizard)}


def read_moves(text: str) -> tuple[Action, ...]:
    """The moves of a line such as `b200c/kk/kb300c/`; streets end with a slash or an underscore."""
    moves, at = list[Action](), 0
    while at < len(text):
        match = MOVE.match(text, at)
        if match is None:
            raise DataError(f"'{text[:60]}' is not a line of moves: f, k, c and b with a total are known")
        if match[1]:
            moves.append(FOLDS if match[1] == "f" else CALLS)
        elif match[2]:
            moves.append(Action("r", int(match[2])))
        at = match.end()
    return tuple(moves)


@dataclass
class VisitResult:
    """What an agent won at a server."""

    agent: str
    server: str
    unit: int
    won: list[float] = field(default_factory=list)  # chips, hand by hand
    reduced: list[float] = field(default_factory=list)  # the same with variance reduction, if the server reports it
    trouble: UserError | None = None  # why it ended early

    def summary(self) -> dict[str, Any]:
        def figures(chips: list[float]) -> tuple[float | None, list[float | None]]:
            interval = fixed(np.array(chips) / self.unit)
            return (interval.mean if chips else None), interval.bounds

        mean, bounds = figures(self.won)
        reduced_mean, reduced_bounds = figures(self.reduced)
        return {
            "agent": self.agent,
            "server": self.server,
            "hands": len(self.won),
            "chips": sum(self.won),
            "mean_bb": mean,
            "interval_bb": bounds,
            "aivat_hands": len(self.reduced),
            "aivat_mean_bb": reduced_mean,
            "aivat_interval_bb": reduced_bounds,
        }


def visit(server: PokerServer, agent: str, hands: int, seed: int = 0, progress: Watch | None = None) -> VisitResult:
    """Play hands at a server. If it fails after the first hand, the result so far says why."""
    count, there = whole(hands, "the number of hands", 1), table("holdem-nolimit", STACK, blinds=BLINDS)
    player, seed = make_agent(agent, there), check_seed(seed)
    result = VisitResult(agent, server.name, there.unit)
    try:
        player.start(there)
        for number in range(count):
            player.dice = Dice(seed, number, FIRST)
            try:
                ended = _play(server, player, there)
            except UserError as error:
                if not number:
                    raise
                result.trouble = error
                break
            assert ended.won is not None
            result.won.append(ended.won)
            result.reduced += [] if ended.reduced is None else [ended.reduced]
            if progress is not None:
                progress(Progress(number + 1, count, unit="hands"))
    finally:
        player.close()
    return result


def _play(server: PokerServer, player: Agent, there: Table) -> HandState:
    now = server.deal()
    while now.won is None:
        view = now.view(there)
        now = server.act(player.act(view), view.legal)
    return now


@contextmanager
def _readable(address: str) -> Iterator[None]:
    """What a server sends may be anything."""
    try:
        yield
    except UserError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        what = f"{type(error).__name__}: {error}"[:80]
        raise DataError(f"{address} does not answer as its documents describe ({what}): check the address") from None


def _object(content: bytes, address: str) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise DataError(f"{address} does not answer with a JSON object: check the address")
    return value


def _checked(address: str) -> str:
    """The scheme, host, port and path of an address, without a slash at the end."""
    mistake = UserError(f"'{address[:60]}' is not the address of a server: write https://HOST or http://HOST:PORT/PATH")
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, or of an IPv6 address
        raise mistake from None
    more = parts.username is not None or parts.query or parts.fragment
    if not known or more or not address.isprintable() or " " in address or not parts.path.isascii():
        raise mistake
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
