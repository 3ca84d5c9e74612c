"""Hands of WPN before 2019, written again as lines that `lines` reads.

`Player Ann raises (3)` names the chips that are added. Cards are dealt one a line. The header does not name the
betting: stakes whose first number is the big blind are those of limit games; otherwise hold'em is no-limit and Omaha
pot-limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from headsup.play.protocols.rooms.amounts import MONEY, read_amount

HEAD = r"Game started at: [^\n]{0,40}\s+Game ID: "
GAME = re.compile(rf"Game ID: (\d+) ({MONEY})/({MONEY})\s*(.*)\(([^()]*)\)[^()]*$")
PLAYER = re.compile(r"(\*?)Player (.+)$")
CARD = re.compile(r"(.+) received card: \[([^\]]*)\]$")
SHOWN = re.compile(r"(.+?) (?:shows|mucks|does(?:n't| not) show)\b(.*)$")
RESULT = re.compile(rf"Collects: ({MONEY})")
WORDS = (
    (re.compile(r"(.+) (?:has|posts) (small|big) blind \("), r"\1 posts \2 blind ("),
    (re.compile(r"(.+?) (?:posts )?(ante|straddle) \("), r"\1 posts \2 ("),
    (re.compile(r"(.+) allin \("), r"\1 all-in ("),
)


def modern(text: str) -> str:
    """The same hand in lines that are read."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n".join(_modern(lines))


def _modern(lines: list[str]) -> Iterator[str]:
    big = next((read_amount(line) for line in lines if re.search(r" big blind \(", line)), Fraction(0))
    held: dict[str, list[str]] = {}
    dealt = False
    for line in lines:
        game, player = GAME.match(line), PLAYER.match(line)
        if game is not None:
            yield _header(game, big)
        elif line.startswith("------ Summary"):
            yield from (f"Dealt to {name} [{' '.join(cards)}]" for name, cards in held.items())
            yield "*** SUMMARY ***"
        elif line.startswith("Pot: "):
            yield f"Total pot {line[5:]}"
        elif player is not None:
            card, shown = CARD.match(player[2]), SHOWN.match(player[2])
            if card is not None:
                held.setdefault(card[1], []).append(card[2])
            if not dealt and (card is not None or player[2].endswith("received a card.")):
                dealt = True
                yield "*** HOLE CARDS ***"
            if shown is not None:
                yield from _result(shown)
            elif card is None and not player[2].endswith("received a card."):
                yield _words(player[2])
        elif not line.startswith(("Game started", "Game ended", "Board")):
            yield line.removesuffix(".")


def _header(game: re.Match[str], big: Fraction) -> str:
    is_limit = read_amount(game[2]) == big != read_amount(game[3])
    kind = "Limit" if is_limit else "Pot Limit" if "omaha" in game[5].lower() else "No Limit"
    return f"Hand #{game[1]} - {game[5].replace('HiLow', 'Hi-Lo')} ({kind}) - {game[2]}/{game[3]}"


def _words(line: str) -> str:
    for pattern, new in WORDS:
        line = pattern.sub(new, line)
    return line


def _result(shown: re.Match[str]) -> Iterator[str]:
    """The cards that a player shows, and what the player has won."""
    yield f"{shown[1]} shows {shown[2].partition('. Bets')[0]}"
    won = RESULT.search(shown[2])
    if won is not None and read_amount(won[1]):
        yield f"{shown[1]} collected {won[1]}"
