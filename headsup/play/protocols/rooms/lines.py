"""Hand histories that are lines of text: PokerStars, GGPoker, Winamax, partypoker, 888, WPN, Ignition and Bovada.

Their lines differ in brackets, colons and signs, and mean the same: a player's name, then what the player does. Names
are taken from the list of seats, so that any name can be read. A line that is none of these is chat or a notice; if the
chips do not add up in the end, the first such line is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from headsup.cards.games import GAMES as CARD_GAMES
from headsup.common.errors import DataError, UserError
from headsup.play.protocols.rooms.amounts import MONEY, read_amount, read_hand_cards
from headsup.play.protocols.rooms.hand import RoomAction, RoomHand, RoomPost

LONGEST, MOST_LINES = 500, 2000  # characters in a line, lines in a hand
SEAT = re.compile(r"seat\s*(\d{1,5})\s*:\s*(.+?)\s*\(([^()]*)\)\s*([^()]*)$", re.IGNORECASE)
BUTTON = re.compile(r"\bseat\s*#?\s*(\d{1,3}) is the button|set dealer[^\[]*\[(\d{1,3})\]", re.IGNORECASE)
STAKES = re.compile(rf"({MONEY})\s*[^\d\s/]{{0,4}}\s*/\s*({MONEY})(?:\s*[^\d\s/]{{0,4}}\s*/\s*({MONEY}))?")
STREET = re.compile(r"\*{2,3}\s*(?:dealing )?([a-z][a-z /-]*?)\s*\*{2,3}\s*:?\s*(.*)$", re.IGNORECASE)
TABLE_CARDS = re.compile(r"card dealt to table\s*(.*)$", re.IGNORECASE)  # Bovada in 2012
BRACKETS = re.compile(r"\[([^\[\]]*)\]")
UNCALLED = re.compile(rf"uncalled bet ({MONEY})[^)]*\) returned to (.+)$", re.IGNORECASE)
POT = re.compile(rf"(?:total pot|main pot:?)\s*({MONEY})(.*)$", re.IGNORECASE)
TAKEN = re.compile(rf"\b(?:rake|jackpot|bingo|fortune|tax|jp fee)\s*:?\s*({MONEY})", re.IGNORECASE)
START = r"\s*(?:\[ME\]\s*)?:?\s*"
STREETS = {"flop": 1, "turn": 2, "river": 3}
ROLES = ("Small Blind", "Big Blind", "UTG", "Dealer")  # what Ignition and Bovada call players
ROLE = re.compile(r"Small Blind|Big Blind|UTG(?:\+\d)?|Dealer")
GAMES = (
    (
        r"[56].?card|PLO-?[56]|six.?plus|6\+|short.?deck|stud|razz|draw|badugi|courchevel|irish|\bhorse\b|double hold",
        "",
    ),
    (r"omaha.{0,4}(?:hi.{0,2}lo|h/l|hi-?lo|8)|\bplo8\b", "omaha8"),
    (r"omaha|\bplo\b", "omaha"),
    (r"hold.?em", "holdem"),
)  # the words of a header and the game that they name, tried in this order; none is one that is not played here
KINDS = (
    (r"no.?limit|\bNL\b|\bSL\b|NL$", "no-limit"),
    (r"pot.?limit|\bPL\b|\bPLO", "pot-limit"),
    (r"limit|\bL\b|\bFL\b", "limit"),
    (r"tournament", "no-limit"),
)
POSTS = (
    (r"small\s*(?:&|and|\+)\s*big blinds?|big blind\s*\+\s*dead|small blind\s*\+\s*big blind", "both"),
    (r"dead chip", "both"),
    (r"dead|missed", "dead"),
    (r"small blind", "small blind"),
    (r"big blind", "big blind"),
    (r"straddle|button blind", "straddle"),
    (r"ante", "ante"),
)


def game_of(header: str) -> tuple[str, str]:
    """The cards and the betting that a header names; DataError if they are not played here."""
    cards = next((game for words, game in GAMES if re.search(words, header, re.IGNORECASE)), "")
    kind = next((kind for words, kind in KINDS if re.search(words, header, re.IGNORECASE)), "")
    if not cards or not kind:
        raise DataError(f"its game is not hold'em or Omaha with a known betting: '{header.strip()[:60]}'")
    return cards, kind


def seat_in(line: str) -> re.Match[str] | None:
    """A line that gives a player a seat and a stack: its number, the name, the stack and what follows."""
    seat = SEAT.match(line)
    return seat if seat and any(sign.isdigit() for sign in seat[3]) else None


def read_lines(text: str, label: str) -> RoomHand:
    """A hand of one of these rooms."""
    return _LineReader(text, label).hand


class _LineReader:
    def __init__(self, text: str, label: str) -> None:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        longest = max(map(len, lines), default=0)
        if longest > LONGEST or len(lines) > MOST_LINES:
            raise DataError(f"it has {len(lines):,} lines, the longest of {longest:,} characters")
        self.hand = RoomHand(label)
        self.names: list[str] = []
        self.final_board = False  # whether the summary of Bovada has a board
        self.body = self.dealt = False  # whether seats are over, and whether cards are dealt
        self.summary = False
        self.won: dict[str, Fraction] = {}  # by lines of the summary
        self.by_role = re.match(r"\ufeff?(?:Bovada|Ignition|Bodog)", text) is not None  # a raise is to a total
        at = next((i for i, line in enumerate(lines) if seat_in(line)), 0)
        header = " | ".join(line for line in lines[: max(at, 1)] if not line.lower().startswith(("table", "seat")))
        self.hand.cards, self.hand.kind = game_of(header)
        stakes = STAKES.search(re.sub(r"\d{4}/\d+/\d+|players : \S+", "", header))
        self._read_all(lines)
        self._finish(stakes)

    def _read_all(self, lines: list[str]) -> None:
        for line in lines:
            try:
                self._read(line)
            except (UserError, ValueError) as error:
                raise DataError(f"'{line[:40]}': {error}") from None

    def _read(self, line: str) -> None:
        """Make something of a line; the first rule that fits."""
        street, table = STREET.match(line), TABLE_CARDS.match(line)
        if street:
            self._street(street[1].lower(), street[2])
            return
        if table:
            self._street({0: "flop", 3: "turn"}.get(len(self.hand.board), "river"), table[1])
            return
        button = BUTTON.search(line)
        if button and not self.hand.button:
            self.hand.button = int(button[1] or button[2])
            return
        seat = seat_in(line)
        if seat and not self.body:
            self._seat(seat)
            return
        if self.by_role and re.match(r"board \[\w", line, re.IGNORECASE):
            self.final_board = True
            return
        pot = POT.match(line)
        if pot and self.summary:
            self._pot(pot)
            return
        uncalled = UNCALLED.match(line)
        if uncalled:
            self._add(self.hand.returned, self._name(uncalled[2])[0], uncalled[1])
            return
        dealt = re.match(r"dealt to (.+)$", line, re.IGNORECASE)
        name, rest = self._name(dealt[1] if dealt else re.sub(r"^seat\s*\+?\d+\s*:\s*", "", line, flags=re.IGNORECASE))
        if not name:
            return
        if dealt or self.summary or not self._does(name, rest):
            self._sees(name, rest)

    def _street(self, title: str, rest: str) -> None:
        if re.search(r"first|second|third|run", title):
            raise DataError("its board was run more than once")
        if title == "summary":
            self.summary = True
        self.body = self.body or title not in ("seats",)
        self.dealt = self.dealt or title in ("hole cards", "pre-flop", "preflop", "down cards")
        if title in STREETS:
            groups = BRACKETS.findall(rest)
            cards = [card for group in groups for card in read_hand_cards(group)]
            known = self.hand.board
            new = [card for card in cards if card not in known]
            if len(self.hand.streets) != STREETS[title] or len(new) != (3 if title == "flop" else 1):
                raise DataError(f"the {title} is not {'three new cards' if title == 'flop' else 'one new card'}")
            self.hand.board += new
            self.hand.streets.append([])

    def _seat(self, seat: re.Match[str]) -> None:
        name = seat[2].removesuffix("[ME]").strip()
        if "out of hand" in seat[4].lower():
            return
        if name in self.hand.seats or len(self.hand.seats) >= 12:
            raise DataError("a player has two seats, or there are more than 12")
        self.hand.seats[name] = int(seat[1]), read_amount(seat[3].split(", ")[0])
        self.names = sorted(self.hand.seats, key=len, reverse=True)

    def _name(self, text: str) -> tuple[str, str]:
        """The player whose name a text begins with, and the rest of it."""
        for name in self.names:
            rest = text[len(name) :]
            if text.startswith(name) and not rest[:1].isalnum():
                return name, rest
        return "", text

    def _does(self, name: str, rest: str) -> bool:
        """Read a player's line before the summary; whether it is an action, a post or a payout."""
        for pattern, work in DOES:
            match = pattern.match(rest)
            if match:
                self.body = True
                work(self, name, match)
                return True
        if re.search(r"\d", rest) and not re.search(r"said|says|show|:", rest[:12], re.IGNORECASE):
            self.hand.unread = self.hand.unread or f"{name}{rest}"
        return False

    def _post(self, name: str, match: re.Match[str]) -> None:
        kind = next((kind for words, kind in POSTS if re.search(words, match[1], re.IGNORECASE)), "big blind")
        amounts = [read_amount(text) for text in re.findall(MONEY, match[0][match.start(2) :])]
        self.hand.posts.append(RoomPost(name, "both" if len(amounts) == 2 else kind, sum(amounts, Fraction(0))))

    def _act(self, name: str, kind: str, amount: str = "", total: bool = False) -> None:
        value = read_amount(amount) if amount else None
        if not self.dealt and kind == "all-in":  # a blind that takes the whole stack
            blind = "big blind" if any(post.kind == "small blind" for post in self.hand.posts) else "small blind"
            self.hand.posts.append(RoomPost(name, blind, value or Fraction(0)))
            return
        self.hand.streets[-1].append(RoomAction(name, kind, value, total))

    def _add(self, to: dict[str, Fraction], name: str, amount: str) -> None:
        if not name:
            raise DataError("it names a player without a seat")
        to[name] = to.get(name, Fraction(0)) + read_amount(amount)

    def _pot(self, pot: re.Match[str]) -> None:
        taken = TAKEN.findall(pot[2])
        if self.hand.pot is None and not pot[2].startswith("k"):  # some round large pots to thousands
            self.hand.pot = read_amount(pot[1])
        if taken:
            self.hand.rake = sum(map(read_amount, taken), Fraction(0))
        elif "no rake" in pot[2].lower():
            self.hand.rake = Fraction(0)

    def _sees(self, name: str, rest: str) -> None:
        """Cards that a line shows, and in the summary what a player has won."""
        size = CARD_GAMES[self.hand.cards]
        for group in BRACKETS.findall(rest):
            try:
                cards = read_hand_cards(group)
            except UserError:
                continue
            if len(cards) == size and not re.match(rf"{START}showdown", rest, re.IGNORECASE):
                self.hand.holes[name] = cards
                break
        won = WON.search(rest) if self.summary else None
        if won:
            self._add(self.won, name, won[1])

    def _finish(self, stakes: re.Match[str] | None) -> None:
        hand = self.hand
        if not hand.seats:
            raise DataError("it has no seats")
        if all(ROLE.fullmatch(name) for name in hand.seats):
            self._by_role()
        if len(hand.streets) == 1 and self.final_board:
            raise DataError("it does not mark where its flop, turn and river begin, as some texts of Bovada in 2012")
        hand.collected = hand.collected or self.won
        big = next((post for post in hand.posts if post.kind == "big blind"), None)
        named = [read_amount(amount) for amount in stakes.groups() if amount] if stakes else []
        hand.big_blind = Fraction(0) if big is None else big.amount
        if not any(post.kind == "small blind" for post in hand.posts) and big is None and len(named) > 1:
            self._post_blinds(named[-2:])
        hand.posts = [post._replace(kind="both") if post.kind == "dead" and post.amount > hand.big_blind > 0 else post for post in hand.posts]  # noqa: E501  # fmt: skip
        if named and (big is None or big.amount >= hand.seats[big.player][1]):  # an all-in blind may be short
            hand.big_blind = max(hand.big_blind, named[0 if hand.kind == "limit" else -1])
        if not hand.big_blind:
            raise DataError("it has no big blind")

    def _post_blinds(self, blinds: list[Fraction]) -> None:
        """Blinds that only the header mentions."""
        hand = self.hand
        acting = {post.player for post in hand.posts} | {action.player for action in hand.streets[0]}
        order = sorted(acting, key=lambda name: (hand.seats[name][0] <= hand.button, hand.seats[name][0]))
        order = order[::-1] if len(order) == 2 else order
        for name, kind, blind in zip(order, ("small blind", "big blind"), blinds, strict=False):
            paid = sum((post.amount for post in hand.posts if post.player == name), Fraction(0))
            hand.posts.append(RoomPost(name, kind, min(blind, hand.seats[name][1] - paid)))

    def _by_role(self) -> None:
        """Where players are called by their position, that orders them: seat numbers of some tables are arbitrary."""
        hand = self.hand
        roles = sorted(hand.seats, key=lambda name: (ROLES.index(name.partition("+")[0]), len(name), name))
        hand.seats = {name: (place, hand.seats[name][1]) for place, name in enumerate(roles, start=1)}
        hand.button = len(roles) + ("Dealer" not in roles)


def _action(kind: str, total: bool = False) -> Callable[[_LineReader, str, re.Match[str]], None]:
    def work(reader: _LineReader, name: str, match: re.Match[str]) -> None:
        reader._act(name, kind, match[1] if match.re.groups else "", total)

    return work


WON = re.compile(rf"\b(?:won|collected|wins)\s*({MONEY})", re.IGNORECASE)
DOES: tuple[tuple[re.Pattern[str], Callable[[_LineReader, str, re.Match[str]], None]], ...] = tuple(
    (re.compile(START + pattern, re.IGNORECASE), work)
    for pattern, work in (
        (rf"posts?\s*([a-z &+]{{0,40}}?)(?:of )?({MONEY}(?:[^\d+]{{0,6}}\+\s*{MONEY})?)", _LineReader._post),
        (rf"((?:ante/)?(?:small|big) blind(?:/bring in)?|straddle|ante chip)\s*({MONEY})", _LineReader._post),
        (r"folds?\b", _action("fold")),
        (r"checks?\b", _action("check")),
        (rf"calls?(?:\([a-z ]+\))?\s*({MONEY})", _action("call")),
        (rf"raises?\s*(?:{MONEY}[^\d]{{0,6}}?\s)?to\s*({MONEY})", _action("bet", total=True)),
        (rf"all-in\(?(?:raise)?\)?\s*{MONEY}\s+to\s+({MONEY})", _action("bet", total=True)),
        (rf"bets?\s*({MONEY})", _action("bet")),
        (rf"raises?\s*({MONEY})", lambda reader, name, match: reader._act(name, "bet", match[1], reader.by_role)),
        (rf"(?:is )?all-in[^\d.]{{0,3}}\s*({MONEY})", _action("all-in")),
        (
            rf"return uncalled portion of bet\s*({MONEY})",
            lambda reader, name, match: reader._add(reader.hand.returned, name, match[1]),
        ),
        (
            rf"(?:collected|wins|hand result(?:-side pot)?)\s*({MONEY})(?!.*(?:eliminat|bounty))",
            lambda reader, name, match: reader._add(reader.hand.collected, name, match[1]),
        ),
    )
)
"""A player's line after the name, and what it means; the first that fits."""
