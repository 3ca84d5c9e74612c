"""Hold'em with discards as a small game, and external sampling over it.

The entry of a player's strategy is, before the flop, the betting line and the class of the hand; later the seat, the
stack-to-pot ratio in ten classes, who bet last on each of the two streets before, on which streets each player changed
a card, the betting of this street, and the bucket. So any size of bet leads to some entry. A bet is 0.5 to 1 pot by
texture, a large one two and a half pots, a raise the pot after a call; anything above six tenths of the stack is
all-in.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.common.splitmix_kernels import draw

STREET, PHASE, SEAT, NODE, POT, STACK, BET, LAST, EARLIER, RAISER, FLOP, TURN, FOLDER, ASKED = (
    0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 13, 15, 16,
)  # fmt: skip
"""Places in a state. LAST and EARLIER are who bet last on the street before and on the one before that; BET, FLOP (the
swap on the flop) and TURN have one for each seat."""
WIDTH = 17
SWAP, BETTING, OVER = 0, 1, 2
OPEN, FACING, FACING_LARGE, RAISED, JAMMED, SHOVED, RAISED_ALL = range(7)
"""Where the betting of a street stands for who is to act: nobody has bet; a bet, a large bet, a raise to answer; an
all-in after a raise, as the first bet, as the first raise."""
NODES = 7
ACTIONS = 4
ALL_IN = 3  # the action that bets all where something else need not
ALL = 200.0
LARGE = 2.5
COMMIT = 0.6
DEPTHS = np.array([0.0, 0.6, 1.3, 2.5, 4.5, 7.5, 11.0, 17.5, 30.0])
"""Upper ends of the classes of stack by pot; the first is all-in, the last begins between limped pots with and without
a bet."""
N_DEPTHS = len(DEPTHS) + 1

LINES = np.array(
    [
        [0, 6, 2, 9],  # 0 the button opens: fold, limp (line 1), raise to 6
        [1, 8, 3, 10],  # 1 the big blind after a limp: check, raise to 8
        [1, 20, 4, 11],  # 2 after a raise: fold, call, raise to 20
        [0, 24, 5, 12],  # 3 the button, raised after its limp
        [0, 50, 6, 13],  # 4 the button, raised again
        [1, 200, 7, 0],  # 5 the big blind, raised to 24
        [1, 200, 8, 0],  # 6 the big blind, raised to 50
        [0, 0, 0, 0],  # 7 the button after its 24, all-in to call
        [0, 0, 0, 0],  # 8 after its 50
        [1, 0, 0, 0],  # 9 the big blind, all-in to call at once
        [0, 0, 0, 0],  # 10 the button after its limp
        [0, 0, 0, 0],  # 11 the button after its 6
        [1, 0, 0, 0],  # 12 the big blind after its 8
        [1, 0, 0, 0],  # 13 the big blind after its 20
    ]
)
"""A line before the flop: who acts, what a raise is to, the lines that it and an all-in lead to (0 is none)."""
LIMP = 1
BY_RULE, UNSEEN, ONE_SIZE = 1, 2, 4
"""What may be taken away, to price it: both swap by the report's rule; nobody sees the other's swaps; bets are 2/3 of
the pot."""
PRUNED = 0.95  # the share of walks in which actions that have proved hopeless are passed over
TRIED = 0.3
"""The share of walks in which all swaps of a street are tried; in the others one is drawn, so that more deals are
walked in the same time."""
BEFORE = len(LINES) * 169
FLOP_SIZE, TURN_SIZE, RIVER_SIZE = 18 * 24, 14 * 24, 32 * 8  # buckets by street
FLOP_PLACES, LATER_PLACES = 2 * N_DEPTHS * 3 * 4, 2 * N_DEPTHS * 9 * 16  # what is public, but for the betting
SWAP_FLOP = BEFORE
SWAP_TURN = SWAP_FLOP + FLOP_PLACES * FLOP_SIZE
BET_FLOP = SWAP_TURN + LATER_PLACES * TURN_SIZE
BET_TURN = BET_FLOP + FLOP_PLACES * NODES * FLOP_SIZE
BET_RIVER = BET_TURN + LATER_PLACES * NODES * TURN_SIZE
ENTRIES = BET_RIVER + LATER_PLACES * NODES * RIVER_SIZE


@jit
def depth_of(stack: float, pot: float) -> int:
    """The class of a stack beside a pot, 0 (all-in) to 9."""
    for depth in range(len(DEPTHS)):
        if stack <= DEPTHS[depth] * pot:
            return depth
    return len(DEPTHS)


@jit
def entry_of(street: int, phase: int, seat: int, node: int, depth: int, last: int, mine: int, theirs: int) -> int:
    """The entry of bucket 0 for what is public after the flop; those of the other buckets follow.

    last: who bet last on the street before, 0 nobody, 1 the player, 2 the opponent; after the flop three times that,
    and the same of the street before that. mine, theirs: 1 if a card was changed on the flop, and 2 if on the turn.
    """
    if street == 1:
        public = ((seat * N_DEPTHS + depth) * 3 + last) * 4 + 2 * mine + theirs
    else:
        public = ((seat * N_DEPTHS + depth) * 9 + last) * 16 + 4 * mine + theirs
    if phase == SWAP:
        return SWAP_FLOP + public * FLOP_SIZE if street == 1 else SWAP_TURN + public * TURN_SIZE
    public = public * NODES + node
    if street == 1:
        return BET_FLOP + public * FLOP_SIZE
    return BET_TURN + public * TURN_SIZE if street == 2 else BET_RIVER + public * RIVER_SIZE


@jit
def bet_share(street: int, texture: int) -> float:
    """A bet as a fraction of the pot."""
    if street == 1:
        return 0.5 + 0.1 * (texture // 3 + texture % 3)
    return 0.6 + 0.4 * texture / (3.0 if street == 2 else 4.0)


@jit
def bet_to(node: int, action: int, pot: float, stack: float, theirs: float, share: float) -> float:
    """The amount of a bet, large bet, raise or all-in; `pot` and `stack` are those at the start of the street."""
    if action == ALL_IN:
        total = stack
    elif node == OPEN:
        total = pot * (share if action == 1 else LARGE)
    elif node == RAISED:
        total = stack
    else:
        total = theirs + pot + 2.0 * theirs
    return stack if total > COMMIT * stack else total


@jit
def legal(node: int, action: int, pot: float, stack: float, theirs: float, share: float) -> bool:
    """Whether an action exists: no raise of an all-in bet, nothing larger where a smaller one is all-in."""
    if action < 2:
        return True
    if node == OPEN:
        return (share if action == 2 else LARGE) * pot <= COMMIT * stack
    if node == RAISED:
        return action == 2
    return node <= FACING_LARGE and (action == 2 or pot + 3.0 * theirs <= COMMIT * stack)


@jit
def begin(state: Any) -> None:
    """Post the blinds."""
    state[:] = 0.0
    state[PHASE], state[STACK], state[BET], state[BET + 1], state[FOLDER] = BETTING, ALL, 1.0, 2.0, -1.0


@jit
def next_street(state: Any) -> None:
    """Bets go into the pot; the next street, or the end."""
    matched = min(state[BET], state[BET + 1])
    state[POT] += 2.0 * matched
    state[STACK] -= matched
    state[BET], state[BET + 1] = 0.0, 0.0
    state[EARLIER], state[LAST], state[RAISER] = state[LAST], state[RAISER], 0.0
    state[STREET] += 1.0
    state[NODE], state[SEAT], state[ASKED] = OPEN, 1.0, 0.0
    if state[STREET] <= 2.0:
        state[PHASE] = SWAP
    elif state[STREET] == 3.0 and state[STACK] > 0.0:
        state[PHASE] = BETTING
    else:
        state[PHASE] = OVER


@jit(inner=True)
def do_before(state: Any, action: int) -> None:
    """An action before the flop; `NODE` is the line."""
    line, seat = int(state[NODE]), int(state[SEAT])
    top = max(state[BET], state[BET + 1])
    if action == 0 and line != LIMP:
        state[PHASE], state[FOLDER] = OVER, seat
    elif action == ALL_IN:
        state[BET + seat] = ALL
        state[RAISER] = 1.0 + seat
        state[NODE], state[SEAT] = LINES[line, 3], 1 - seat
    elif action == 2 or (line == LIMP and action == 1):
        state[BET + seat] = LINES[line, 1]
        state[RAISER] = 1.0 + seat
        state[NODE], state[SEAT] = LINES[line, 2], 1 - seat
    elif line == 0:
        state[BET] = top
        state[NODE], state[SEAT] = LIMP, 1.0
    else:
        state[BET + seat] = top
        next_street(state)


@jit(inner=True)
def do_swap(state: Any, action: int) -> None:
    """A swap: 0 keeps, 1 and 2 change a card."""
    seat = int(state[SEAT])
    at = FLOP if state[STREET] == 1.0 else TURN
    state[at + seat] = action
    if state[ASKED] == 0.0:
        state[ASKED], state[SEAT] = 1.0, 0.0
    elif state[STACK] <= 0.0:
        next_street(state)
    else:
        state[PHASE], state[SEAT], state[ASKED] = BETTING, 1.0, 0.0


@jit(inner=True)
def do_bet(state: Any, action: int, share: float) -> None:
    """A betting action after the flop."""
    seat, node = int(state[SEAT]), int(state[NODE])
    theirs = state[BET + 1 - seat]
    if node == OPEN and action == 0:
        if seat == 0:
            next_street(state)
        else:
            state[SEAT] = 0.0
        return
    if node != OPEN and action == 0:
        state[PHASE], state[FOLDER] = OVER, seat
        return
    if node != OPEN and action == 1:
        state[BET + seat] = theirs
        next_street(state)
        return
    total = bet_to(node, action, state[POT], state[STACK], theirs, share)
    state[BET + seat] = total
    state[RAISER] = 1.0 + seat
    state[SEAT] = 1 - seat
    if total >= state[STACK]:
        state[NODE] = SHOVED if node == OPEN else JAMMED if node == RAISED else RAISED_ALL
    else:
        state[NODE] = action if node == OPEN else RAISED


@jit
def entry(state: Any, facts: Any, mode: int) -> int:
    """The entry of the player to act; `facts` is [2, 35] (`headsup.discards.strategy.facts`)."""
    seat, street = int(state[SEAT]), int(state[STREET])
    mine = facts[seat]
    if street == 0:
        return int(state[NODE]) * 169 + int(mine[0])
    flop, turn = int(state[FLOP + seat]), int(state[TURN + seat])
    phase = int(state[PHASE])
    if phase == SWAP:
        bucket = mine[1] if street == 1 else mine[5 + flop]
    elif street == 1:
        bucket = mine[2 + flop]
    else:
        bucket = mine[(8 if street == 2 else 17) + 3 * flop + turn]
    last = who(state[LAST], seat)
    if street > 1:
        last = 3 * last + who(state[EARLIER], seat)
    depth = depth_of(state[STACK], state[POT])
    swaps, others = swaps_of(state, seat), swaps_of(state, 1 - seat) if mode & UNSEEN == 0 else 0
    return entry_of(street, phase, seat, int(state[NODE]), depth, last, swaps, others) + int(bucket)


@jit(inner=True)
def who(raiser: float, seat: int) -> int:
    """0 nobody, 1 the player in this seat, 2 the opponent; `raiser` is 0 or one more than a seat."""
    return 0 if raiser == 0.0 else 1 if int(raiser) == 1 + seat else 2


@jit(inner=True)
def swaps_of(state: Any, seat: int) -> int:
    return int(state[FLOP + seat] > 0.0) + 2 * int(state[TURN + seat] > 0.0)


@jit(inner=True)
def share_of(state: Any, textures: Any, mode: int) -> float:
    """A bet on this street as a fraction of the pot; `textures` are those of flop, turn and river."""
    street = int(state[STREET])
    if mode & ONE_SIZE:
        return 2.0 / 3.0
    return bet_share(street, int(textures[street - 1])) if street > 0 else 0.0


@jit
def act(state: Any, action: int, share: float) -> None:
    if state[STREET] == 0.0:
        do_before(state, action)
    elif state[PHASE] == SWAP:
        do_swap(state, action)
    else:
        do_bet(state, action, share)


@jit(inner=True)
def is_pat(state: Any, facts: Any) -> bool:
    """Whether the report's rule keeps both cards of the player to swap; it is part of the bucket."""
    seat = int(state[SEAT])
    bucket = facts[seat, 1] if state[STREET] == 1.0 else facts[seat, 5 + int(state[FLOP + seat])]
    return int(bucket) // 3 % 2 == 1


@jit(inner=True)
def allowed(state: Any, facts: Any, share: float, mode: int, out: Any) -> int:
    """Write which actions exist into `out`; return their number."""
    count = 0
    for action in range(ACTIONS):
        node = int(state[NODE])
        if state[PHASE] == SWAP:
            ok = action < 3 and (mode & BY_RULE == 0 or action == int(not is_pat(state, facts)))
        elif state[STREET] == 0.0:
            ok = action < 2 or (LINES[node, 3] > 0 if action == ALL_IN else LINES[node, 1] > 0 and node != LIMP)
        else:
            seat = int(state[SEAT])
            ok = legal(node, action, state[POT], state[STACK], state[BET + 1 - seat], share)
        out[action] = ok
        count += ok
    return count


@jit
def won(state: Any, facts: Any) -> float:
    """What the button wins at the end."""
    paid = state[POT] / 2.0 + min(state[BET], state[BET + 1])
    if state[FOLDER] >= 0.0:
        return -paid if state[FOLDER] == 0.0 else paid
    a = facts[0, 26 + 3 * int(state[FLOP]) + int(state[TURN])]
    b = facts[1, 26 + 3 * int(state[FLOP + 1]) + int(state[TURN + 1])]
    return paid if a > b else -paid if a < b else 0.0


@jit
def matched(regret: Any, ok: Any, count: int, out: Any) -> None:
    """Regret matching over the existing actions."""
    total = 0.0
    for a in range(ACTIONS):
        out[a] = max(regret[a], 0.0) if ok[a] else 0.0
        total += out[a]
    for a in range(ACTIONS):
        out[a] = out[a] / total if total > 0.0 else 1.0 / count if ok[a] else 0.0


@jit(inner=True)
def pick(sigma: Any, seed: Any) -> int:
    """A random action, by its probability."""
    left, last = draw(seed), 0
    for a in range(ACTIONS):
        if sigma[a] > 0.0:
            last = a
            left -= sigma[a]
            if left < 0.0:
                return a
    return last


@jit(inner=True)
def prune(regret: Any, sigma: Any, ok: Any, hopeless: float) -> None:
    """Clear `ok` of actions that are not played and have less regret than `hopeless`; one always stays."""
    for a in range(ACTIONS):
        if sigma[a] == 0.0 and regret[a] < hopeless:
            ok[a] = 0.0


@jit(inner=True)
def run_on(
    state: Any, facts: Any, textures: Any, mode: int, me: int, tables: Any, scratch: Any, seed: Any
) -> None:  # fmt: skip
    """Play to the player's next decision or to the end, the opponent by its current strategy."""
    theirs, cumulative = tables[1], tables[2]
    sigma, ok = scratch[len(scratch) - 1, 0], scratch[len(scratch) - 1, 2]
    while state[PHASE] != OVER and int(state[SEAT]) != me:
        share = share_of(state, textures, mode)
        at = entry(state, facts, mode)
        count = allowed(state, facts, share, mode, ok)
        matched(theirs[at], ok, count, sigma)
        for a in range(ACTIONS):
            cumulative[at, a] += sigma[a]
        act(state, pick(sigma, seed), share)


class DealWorkspace(NamedTuple):
    """Memory of a walk, by decision on the way."""

    scratch: Any  # float64[depth, 3, 4] current strategy, values, which actions exist; the last row is the opponent's
    states: Any  # float64[depth, WIDTH + 2] a state, the action tried, the entry


@jit
def walk(
    facts: Any, textures: Any, mode: int, me: int, tables: Any, hopeless: float, workspace: Any, seed: Any
) -> float:  # fmt: skip
    """One walk of external sampling for a seat over one deal: all own actions are tried, the opponent's are sampled.

    facts, textures: of this deal. mode: what is taken away. tables: own regrets, what the opponent plays by (regrets or
    probabilities), and, added to, the opponent's strategy and the gains (the regrets again, where learning is at once),
    [ENTRIES, 4] each. hopeless: the regret below which actions are mostly skipped.
    """
    scratch, states = workspace.scratch, workspace.states
    sign, regret, gains, prunes = 1.0 if me == 0 else -1.0, tables[0], tables[3], draw(seed) < PRUNED
    tries = draw(seed) < TRIED, draw(seed) < TRIED
    depth = 0
    state = states[len(states) - 1]
    begin(state)
    run_on(state, facts, textures, mode, me, tables, scratch, seed)
    while True:
        if state[PHASE] != OVER:
            share = share_of(state, textures, mode)
            at = entry(state, facts, mode)
            frame = states[depth]
            frame[:WIDTH] = state[:WIDTH]
            count = allowed(state, facts, share, mode, scratch[depth, 2])
            matched(regret[at], scratch[depth, 2], count, scratch[depth, 0])
            if prunes:
                prune(regret[at], scratch[depth, 0], scratch[depth, 2], hopeless)
            if state[PHASE] == SWAP and not tries[int(state[STREET]) - 1]:
                drawn = pick(scratch[depth, 0], seed)
                for k in range(ACTIONS):  # it counts for all, and nothing is regretted
                    scratch[depth, 0, k] = scratch[depth, 2, k] = 1.0 if k == drawn else 0.0
            first = 0
            while scratch[depth, 2, first] == 0.0:
                first += 1
            frame[WIDTH], frame[WIDTH + 1] = first, at
            depth += 1
            act(state, first, share)
            run_on(state, facts, textures, mode, me, tables, scratch, seed)
            continue
        value = sign * won(state, facts)
        done = True
        while depth > 0:
            frame, own = states[depth - 1], scratch[depth - 1]
            a = int(frame[WIDTH])
            own[1, a] = value
            a += 1
            while a < ACTIONS and own[2, a] == 0.0:
                a += 1
            if a < ACTIONS:
                frame[WIDTH] = a
                state[:WIDTH] = frame[:WIDTH]
                act(state, a, share_of(state, textures, mode))
                run_on(state, facts, textures, mode, me, tables, scratch, seed)
                done = False
                break
            at, value = int(frame[WIDTH + 1]), 0.0
            for k in range(ACTIONS):
                if own[2, k]:
                    value += own[0, k] * own[1, k]
            for k in range(ACTIONS):
                if own[2, k]:
                    gains[at, k] += own[1, k] - value
            depth -= 1
        if done:
            return value


@jit
def learn(
    facts: Any, textures: Any, mode: int, regret: Any, theirs: Any, cumulative: Any, hopeless: float, seed: Any
) -> None:  # fmt: skip
    """A walk for each seat over each deal; `theirs` is `regret` where both learn, else fixed probabilities."""
    workspace = DealWorkspace(np.zeros((40, 3, ACTIONS)), np.zeros((40, WIDTH + 2)))
    tables = (regret, theirs, cumulative, regret)
    for i in range(len(facts)):
        walk(facts[i], textures[i], mode, 0, tables, hopeless, workspace, seed)
        walk(facts[i], textures[i], mode, 1, tables, hopeless, workspace, seed)


@jit
def play(facts: Any, textures: Any, modes: Any, strategies: Any, seed: Any, out: Any) -> None:
    """What the button wins of each deal where the seats play two strategies, [ENTRIES, 4] each, of these modes."""
    state, ok, sigma = np.zeros(WIDTH), np.zeros(ACTIONS), np.zeros(ACTIONS)
    for i in range(len(facts)):
        begin(state)
        while state[PHASE] != OVER:
            seat = int(state[SEAT])
            share = share_of(state, textures[i], modes[seat])
            at = entry(state, facts[i], modes[seat])
            count = allowed(state, facts[i], share, modes[seat], ok)
            matched(strategies[seat][at], ok, count, sigma)
            act(state, pick(sigma, seed), share)
        out[i] = won(state, facts[i])
