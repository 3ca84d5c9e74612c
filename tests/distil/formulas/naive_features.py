"""The 73 flop features a second time: one hand, one flop, plain sets and lists, straights by listing all ten."""

from __future__ import annotations

from collections import Counter

ORDER = "23456789TJQKA"
STRAIGHTS = [set("A2345")] + [set(ORDER[start : start + 5]) for start in range(9)]
BROADWAY = set("TJQKA")
PAINT = set("JQKA")
MEDIUM = set("789T")
SMALL = set("23456")
# Three different ranks that lie in a row but for some gaps, the ace low or high.
LADDER = "A" + ORDER


def _spread(ranks: set[str], distance: int) -> bool:
    """Whether the ranks fit between two ranks this many steps apart, with both ends there."""
    for start in range(len(LADDER) - distance):
        window = LADDER[start : start + distance + 1]
        if ranks <= set(window) and window[0] in ranks and window[-1] in ranks:
            return True
    return False


def category(cards: list[str]) -> str:
    """What five cards are called; a straight flush is a flush here."""
    ranks = Counter(card[0] for card in cards)
    shape = sorted(ranks.values(), reverse=True)
    if shape[0] == 4:
        return "four"
    if shape[:2] == [3, 2]:
        return "full house"
    if len({card[1] for card in cards}) == 1:
        return "flush"
    if set(ranks) in STRAIGHTS:
        return "straight"
    return {3: "three", 2: "two pair" if shape[:2] == [2, 2] else "pair", 1: "high card"}[shape[0]]


def features(hand: list[str], flop: list[str]) -> set[int]:
    """The numbers of the features that this hand has on this flop."""
    return _of_flop(flop) | _of_draws(hand, flop) | _of_made_hand(hand, flop) | _of_straights(hand, flop)


def _of_flop(flop: list[str]) -> set[int]:
    ranks = [card[0] for card in flop]
    kinds = set(ranks)
    suits = Counter(card[1] for card in flop)
    found = set()
    for place, rank in enumerate("AKQJT"):
        found.add(3 * place + {0: 3, 1: 1}.get(ranks.count(rank), 2))
    found.add(15 + len(suits))
    if len(suits) == 2 and any(card[0] == "A" and suits[card[1]] == 2 for card in flop):
        found.add(19)
    found.add(19 + len(kinds))
    paint = sum(rank in PAINT for rank in ranks)
    found |= {0: set(), 1: {23}, 2: {24}, 3: {24, 25}}[paint]
    found.add(26 + sum(rank in BROADWAY for rank in ranks))
    if kinds <= MEDIUM:
        found.add(30)
    if kinds <= SMALL:
        found.add(31)
    if kinds <= MEDIUM | SMALL:
        found.add(32)
    if kinds <= set("2345") and len(kinds) == 3:
        found.add(33)
    if len(kinds) == 3:
        found |= {number for number, distance in ((34, 2), (35, 3), (36, 4)) if _spread(kinds, distance)}
    if _spread(kinds, 2 + len(kinds)) and len(kinds) > 1:
        found.add(37)
    if len(kinds) == 3 and not any(_spread(kinds, distance) for distance in (2, 3, 4, 5)):
        found.add(38)
    return found


def _of_draws(hand: list[str], flop: list[str]) -> set[int]:
    """F39-F43 and the overcards F54-F58."""
    flop_suits = Counter(card[1] for card in flop)
    most = max(Counter(card[1] for card in hand + flop).values())
    held = {card[1] for card in hand}
    found = set()
    if len(flop_suits) > 1 and most == 3:
        found.add(39)
    if most == 4:
        found.add(40)
    if len(flop_suits) == 1 and held.isdisjoint(flop_suits):
        found.add(41)
    if len(flop_suits) == 2 and flop_suits.most_common(1)[0][0] not in held:
        found.add(42)
    if most == 5:
        found.add(43)
    ours = sorted(ORDER.index(card[0]) for card in hand)
    theirs = sorted(ORDER.index(card[0]) for card in flop)
    found.add(54 + min(2, len([rank for rank in theirs if rank > ours[1]])))
    found |= {0: set(), 1: {57}, 2: {58}}[_overcards(hand, flop)]
    return found


def _overcards(hand: list[str], flop: list[str]) -> int:
    return sum(all(ORDER.index(card[0]) > ORDER.index(other[0]) for other in flop) for card in hand)


def _of_made_hand(hand: list[str], flop: list[str]) -> set[int]:
    """F44-F53."""
    ours = {card[0] for card in hand}
    table = sorted({card[0] for card in flop}, key=ORDER.index)
    counts = Counter(card[0] for card in hand + flop)
    name = category(hand + flop)
    # Our cards make the hand unless it is all on the flop: every pair or more that is there counts, ours or not.
    part = any(counts[rank] >= 2 for rank in ours)
    found = set()
    if name in ("four", "full house"):
        found.add(44)
    if name == "three" and part:
        found.add(45)
    if name in ("straight", "flush") or (name in ("three", "four", "full house") and part):
        found |= {46, 48}
    if name == "pair" and part:
        found.add(47)
    if name == "two pair" and len(table) == 3:
        found.add(48)
    if table[-1] in ours:
        found.add(49)
    if len(table) == 3 and table[1] in ours:
        found.add(50)
    if len(table) > 1 and table[0] in ours:
        found.add(51)
    if name in ("two pair", "three") and len(table) == 3:
        found.add(52)
    if name in ("two pair", "three") and len(table) == 2:
        found.add(53)
    return found


def _of_straights(hand: list[str], flop: list[str]) -> set[int]:
    """F59-F73."""
    ranks = {card[0] for card in hand + flop}
    if any(straight <= ranks for straight in STRAIGHTS):
        found = {59}
    else:
        found = _straight_draws({card[0] for card in hand}, ranks)
    four_flush = max(Counter(card[1] for card in hand + flop).values()) == 4
    three_flush = max(Counter(card[1] for card in hand + flop).values()) == 3
    above = _overcards(hand, flop)
    if not found & {60, 61, 62, 63} and not four_flush:
        found.add(66)
    if 62 in found:
        found.add(67 + above)
        if three_flush and len({card[1] for card in flop}) > 1:
            found.add(70)
        if four_flush:
            found.add(71)
    if four_flush and above:
        found.add(71 + above)
    return found


def _straight_draws(ours: set[str], ranks: set[str]) -> set[int]:
    helping = {rank for rank in ORDER if any(straight <= ranks | {rank} for straight in STRAIGHTS)}
    for start in range(9):
        run = ORDER[start : start + 4]
        if set(run) <= ranks and len(helping) == 2:
            return {60} if run[0] in ours else {61}
    if helping:
        return {62} if len(helping) == 1 else {63}
    low_ace = {"A", "2"}
    ways = [one for one in STRAIGHTS if len((one - {"A"} if one > low_ace else one) & ranks) == 3]
    return {64} if len(ways) == 1 else {65} if ways else set()
