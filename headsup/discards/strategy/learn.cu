// Learning hold'em with discards on a CUDA device: the GPU twin of walk_kernels.py and of facts.py.
//
// `deal` has a block for each deal: it draws the cards and finds buckets and values of all hands that may come to be.
// `learn` has a thread for each walk of external sampling; regrets and strategies are added to by atomic sums. Names and
// rules are those of walk_kernels.py, whose numbers come as macros and as LINES and DEPTHS (gpu.py writes them above
// this text). Chips are doubles and are not contracted, so that a walk is the CPU's to the last decision.

struct Draws {
    u64 counter;
    __device__ double next() {  // SplitMix64, as walk_kernels.draw
        counter += 0x9E3779B97F4A7C15ULL;
        u64 z = counter;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return (double)((z ^ (z >> 31)) >> 11) * 1.1102230246251565e-16;
    }
};

// ---- cards

struct Tables {  // in the order of gpu.py
    Evaluator evaluator;
    const u16* made;    // the rule's (swap_kernels.Rule)
    const u64* power;
    const u8* ways;
    const signed char* tops;  // the highest rank of the best straight in a mask of ranks
    const u16* classes;       // by combo
    const u8* combos;         // [1326, 2]
    const double* edges[3];   // where bins of places begin, by street
    const double* wetness[3];
    const double* volatility;
    const double* near_;      // 1.5 ** -distance
    const double* steep;      // 1.15 ** value of a card
};

struct Board {
    int cards, ranks, count[4];
    u64 key, set;
};

__device__ Board board_of(const u8* cards, int n, const Tables& t) {
    Board b;
    b.cards = n, b.ranks = 0, b.key = NO_CARDS, b.set = 0;
    for (int s = 0; s < 4; s++) b.count[s] = 0;
    for (int i = 0; i < n; i++) {
        int card = cards[i];
        b.key += t.evaluator.card_keys[card];
        b.set |= 1ULL << card;
        b.ranks |= 1 << (card >> 2);
        b.count[card & 3]++;
    }
    return b;
}

__device__ int value_of(const Board& on, int a, int b, const Tables& t) {
    const u64* keys = t.evaluator.card_keys;
    return value_of(on.key + keys[a] + keys[b], on.set | 1ULL << a | 1ULL << b, t.evaluator);
}

__device__ int swap_of(const Board& on, int a, int b, const Tables& t) {  // swap_kernels.swap_of
    int bit_a = 1 << (a >> 2), bit_b = 1 << (b >> 2), every = on.ranks | bit_a | bit_b;
    int same = (a & 3) == (b & 3), in_a = on.count[a & 3] + 1 + same, in_b = on.count[b & 3] + 1 + same;
    bool keep_a = ((on.ranks | bit_b) & bit_a) || (t.made[every] & bit_a) || in_a == 4 || in_a == 5;
    bool keep_b = ((on.ranks | bit_a) & bit_b) || (t.made[every] & bit_b) || in_b == 4 || in_b == 5;
    int power_a = 0, power_b = 0;
    if (on.count[0] < 3 && on.count[1] < 3 && on.count[2] < 3 && on.count[3] < 3) {
        if (t.ways[every] >= 2) {
            keep_a = keep_a || t.ways[on.ranks | bit_b] < 2;
            keep_b = keep_b || t.ways[on.ranks | bit_a] < 2;
        }
        power_a = (int)(t.power[every] >> 3 * (a >> 2)) & 7;
        power_b = (int)(t.power[every] >> 3 * (b >> 2)) & 7;
    }
    if (!keep_a && !keep_b) return power_a < power_b || (power_a == power_b && a >> 2 < b >> 2) ? 1 : 2;
    return !keep_a ? 1 : !keep_b ? 2 : 0;
}

__device__ int draw_of(const Board& on, int a, int b, const Tables& t) {  // fact_kernels.draws
    int every = on.ranks | 1 << (a >> 2) | 1 << (b >> 2), outs = 0, same = (a & 3) == (b & 3);
    if (t.tops[every] <= t.tops[on.ranks])
        for (int rank = 0; rank < 13; rank++) outs += t.tops[every | 1 << rank] > t.tops[on.ranks | 1 << rank];
    bool four = on.count[a & 3] + 1 + same == 4 || on.count[b & 3] + 1 + same == 4;
    bool over = on.ranks < 1 << min(a >> 2, b >> 2);
    return four ? (outs || over ? 3 : 2) : outs >= 2 ? 2 : outs || over ? 1 : 0;
}

__device__ int bin_of(double x, const double* edges, int n) {
    int bin = 0;
    while (bin < n && edges[bin] <= x) bin++;
    return bin;
}

__device__ int kind_of(const u8* cards, const Board& on) {  // facts.board_kinds
    bool paired = false;
    for (int i = 0; i < on.cards; i++)
        for (int j = 0; j < i; j++) paired = paired || cards[i] >> 2 == cards[j] >> 2;
    int most = max(max(on.count[0], on.count[1]), max(on.count[2], on.count[3]));
    int kind = most >= 3 ? 2 : paired;
    if (on.cards < 5) return kind;
    int there = on.ranks << 1 | (on.ranks >> 12 & 1);  // the ace below the deuce, and above the king
    bool straight = false;
    for (int low = 0; low < 10; low++) straight = straight || __popc(there >> low & 31) >= 4;
    return (most >= 4 ? 3 : kind) + 4 * straight;
}

__device__ int texture_of(const u8* cards, const Board& on, const Tables& t) {  // hand_kernels.textures, in bins
    double close = 0.0, suited = 0.0;
    int total = 0, high = 0, most = 1, size = on.cards;
    for (int i = 0; i < size; i++) {
        int same = 0;
        for (int j = 0; j < size; j++) same += cards[i] >> 2 == cards[j] >> 2;
        most = max(most, same);
        total += (cards[i] >> 2) + 2;
        high = max(high, (cards[i] >> 2) + 2);
    }
    for (int a = 0; a < 13; a++)
        for (int b = 0; b < a; b++)
            if (on.ranks >> a & on.ranks >> b & 1) close += t.near_[a - b];
    for (int suit = 0; suit < 4; suit++) {
        int n = on.count[suit];
        suited += size == 5 ? (n >= 4 ? 5.0 : n == 3 ? 2.0 : 0.0) : n == 4 ? 6.0 : n == 3 ? 3.0 : n == 2 ? 1.0 : 0.0;
    }
    double connected = close * (size == 3 ? 3.0 : size == 4 ? 2.0 : 1.5);
    double wet = connected + suited + (double)total / size / 4.0;
    int bin = bin_of(wet, t.wetness[size - 3], size == 5 ? 4 : 3);
    if (size == 3) bin = 3 * bin + bin_of(connected + suited + 7.0 - t.steep[high] - (most - 1), t.volatility, 2);
    return bin;
}

__device__ void changed(const u8* hand, u8 drawn, const Board& on, const Tables& t, u8* out) {  // facts.swapped
    int rule = swap_of(on, hand[0], hand[1], t);
    int first = rule ? rule - 1 : hand[1] >> 2 < hand[0] >> 2;
    for (int k = 0; k < 6; k++) out[k] = hand[k & 1];
    out[2 + first] = drawn;
    out[4 + 1 - first] = drawn;
}

// facts: [deals, 2, COLUMNS], textures: [deals, 3]; the counter of deal i is seed + i * STEP.
extern "C" __global__ void deal(const Tables* tables, u64 seed, int deals, u8* dealt, u16* facts, u8* textures) {
    __shared__ u8 cards[13], flops[2][6], turns[2][18];
    __shared__ u16 every[1326];
    __shared__ int beaten[18];
    Tables t = *tables;
    for (int i = blockIdx.x; i < deals; i += gridDim.x) {
        u16* out = facts + (u64)i * 2 * COLUMNS;
        __syncthreads();
        if (threadIdx.x == 0) {
            Draws draws = {seed + (u64)i * STEP};
            u8 pack[52];
            for (int j = 0; j < 52; j++) pack[j] = j;
            for (int j = 0; j < 13; j++) {
                int k = j + (int)(draws.next() * (52 - j));
                u8 card = pack[k];
                pack[k] = pack[j];
                pack[j] = cards[j] = dealt[(u64)i * 13 + j] = card;
            }
            Board flop = board_of(cards + 4, 3, t), turn = board_of(cards + 4, 4, t);
            for (int seat = 0; seat < 2; seat++) {
                changed(cards + 2 * seat, cards[9 + seat], flop, t, flops[seat]);
                for (int m = 0; m < 3; m++)
                    changed(flops[seat] + 2 * m, cards[11 + seat], turn, t, turns[seat] + 6 * m);
                int low = min(cards[2 * seat], cards[2 * seat + 1]), high = max(cards[2 * seat], cards[2 * seat + 1]);
                out[seat * COLUMNS] = t.classes[high * (high - 1) / 2 + low];
            }
        }
        __syncthreads();
        for (int street = 1; street < 4; street++) {
            const u8* lying = cards + 4;
            Board on = board_of(lying, street + 2, t);
            int each = street == 1 ? 3 : 9, left = 50 - street;
            for (int k = threadIdx.x; k < 1326; k += blockDim.x) {
                int a = t.combos[2 * k], b = t.combos[2 * k + 1];
                bool dead = false;
                for (int j = 0; j < street + 2; j++) dead = dead || lying[j] == a || lying[j] == b;
                every[k] = dead ? 65535 : value_of(on, a, b, t);
            }
            for (int h = threadIdx.x; h < 2 * each; h += blockDim.x) beaten[h] = 0;
            __syncthreads();
            for (int h = 0; h < 2 * each; h++) {
                const u8* hand = street == 1 ? flops[0] + 2 * h : turns[0] + 2 * h;
                int worth = value_of(on, hand[0], hand[1], t), twice = 0;
                for (int k = threadIdx.x; k < 1326; k += blockDim.x) twice += (every[k] < worth) + (every[k] <= worth);
                atomicAdd(&beaten[h], twice);
            }
            __syncthreads();
            for (int h = threadIdx.x; h < 2 * each; h += blockDim.x) {
                const u8* hand = street == 1 ? flops[0] + 2 * h : turns[0] + 2 * h;
                int seat = h / each, at = h % each, kind = kind_of(lying, on);
                float place = (float)(beaten[h] / (1.0 * left * (left - 1)));
                int bin = bin_of(place, t.edges[street - 1], EDGES[street - 1]);
                int pat = swap_of(on, hand[0], hand[1], t) == 0;
                u16* mine = out + seat * COLUMNS;
                int bucket = street == 3 ? bin * 8 + kind
                                         : ((bin * 4 + draw_of(on, hand[0], hand[1], t)) * 2 + pat) * 3 + kind;
                if (street == 1) {
                    if (at == 0) mine[1] = bucket;
                    mine[2 + at] = bucket;
                } else if (street == 2) {
                    if (at % 3 == 0) mine[5 + at / 3] = bucket;
                    mine[8 + at] = bucket;
                } else {
                    mine[17 + at] = bucket;
                    mine[26 + at] = value_of(on, hand[0], hand[1], t);
                }
            }
            if (threadIdx.x == 0) textures[3 * (u64)i + street - 1] = texture_of(lying, on, t);
            __syncthreads();
        }
    }
}

// ---- the game

struct State {
    double pot, stack, bet[2];
    signed char street, phase, seat, node, last, earlier, raiser, folder, asked, flop[2], turn[2];
};

struct Frame {
    State state;
    double sigma[ACTIONS], value[ACTIONS];
    int at;
    signed char action, ok;  // what is tried, and a bit for each action that there is
};

__device__ int depth_of(double stack, double pot) {
    for (int depth = 0; depth < N_DEPTHS - 1; depth++)
        if (stack <= DEPTHS[depth] * pot) return depth;
    return N_DEPTHS - 1;
}

__device__ double share_of(const State& s, const u8* textures, int mode) {
    if (mode & ONE_SIZE) return 2.0 / 3.0;
    if (s.street == 0) return 0.0;
    int texture = textures[s.street - 1];
    if (s.street == 1) return 0.5 + 0.1 * (texture / 3 + texture % 3);
    return 0.6 + 0.4 * texture / (s.street == 2 ? 3.0 : 4.0);
}

__device__ void next_street(State& s) {
    double matched = fmin(s.bet[0], s.bet[1]);
    s.pot += 2.0 * matched;
    s.stack -= matched;
    s.bet[0] = s.bet[1] = 0.0;
    s.earlier = s.last, s.last = s.raiser, s.raiser = 0;
    s.street++;
    s.node = OPEN, s.seat = 1, s.asked = 0;
    s.phase = s.street <= 2 ? SWAP : s.street == 3 && s.stack > 0.0 ? BETTING : OVER;
}

__device__ void do_before(State& s, int action) {
    int line = s.node, seat = s.seat;
    double top = fmax(s.bet[0], s.bet[1]);
    if (action == 0 && line != LIMP) {
        s.phase = OVER, s.folder = seat;
    } else if (action == ALL_IN) {
        s.bet[seat] = ALL;
        s.raiser = 1 + seat;
        s.node = LINES[line][3], s.seat = 1 - seat;
    } else if (action == 2 || (line == LIMP && action == 1)) {
        s.bet[seat] = LINES[line][1];
        s.raiser = 1 + seat;
        s.node = LINES[line][2], s.seat = 1 - seat;
    } else if (line == 0) {
        s.bet[0] = top;
        s.node = LIMP, s.seat = 1;
    } else {
        s.bet[seat] = top;
        next_street(s);
    }
}

__device__ void do_swap(State& s, int action) {
    int seat = s.seat;
    if (s.street == 1) s.flop[seat] = action;
    else s.turn[seat] = action;
    if (!s.asked) s.asked = 1, s.seat = 0;
    else if (s.stack <= 0.0) next_street(s);
    else s.phase = BETTING, s.seat = 1, s.asked = 0;
}

__device__ void do_bet(State& s, int action, double share) {
    int seat = s.seat, node = s.node;
    double theirs = s.bet[1 - seat];
    if (node == OPEN && action == 0) {
        if (seat == 0) next_street(s);
        else s.seat = 0;
    } else if (node != OPEN && action == 0) {
        s.phase = OVER, s.folder = seat;
    } else if (node != OPEN && action == 1) {
        s.bet[seat] = theirs;
        next_street(s);
    } else {
        double total = action == ALL_IN ? s.stack
                       : node == OPEN   ? s.pot * (action == 1 ? share : LARGE)
                       : node == RAISED ? s.stack
                                        : theirs + s.pot + 2.0 * theirs;
        bool all = total > COMMIT * s.stack;
        s.bet[seat] = all ? s.stack : total;
        s.raiser = 1 + seat;
        s.seat = 1 - seat;
        s.node = all ? (node == OPEN ? SHOVED : node == RAISED ? JAMMED : RAISED_ALL) : node == OPEN ? action : RAISED;
    }
}

__device__ void act(State& s, int action, double share) {
    if (s.street == 0) do_before(s, action);
    else if (s.phase == SWAP) do_swap(s, action);
    else do_bet(s, action, share);
}

__device__ int who(int raiser, int seat) { return raiser == 0 ? 0 : raiser == 1 + seat ? 1 : 2; }

__device__ int swaps_of(const State& s, int seat) { return (s.flop[seat] > 0) + 2 * (s.turn[seat] > 0); }

__device__ int entry(const State& s, const u16* facts, int mode) {
    const u16* mine = facts + s.seat * COLUMNS;
    if (s.street == 0) return s.node * 169 + mine[0];
    int flop = s.flop[s.seat], turn = s.turn[s.seat];
    int last = who(s.last, s.seat), swaps = swaps_of(s, s.seat), others = mode & UNSEEN ? 0 : swaps_of(s, 1 - s.seat);
    int place = s.seat * N_DEPTHS + depth_of(s.stack, s.pot);
    place = s.street == 1 ? (place * 3 + last) * 4 + 2 * swaps + others
                          : (place * 9 + 3 * last + who(s.earlier, s.seat)) * 16 + 4 * swaps + others;
    if (s.phase == SWAP)
        return s.street == 1 ? SWAP_FLOP + place * FLOP_SIZE + mine[1] : SWAP_TURN + place * TURN_SIZE + mine[5 + flop];
    place = place * NODES + s.node;
    if (s.street == 1) return BET_FLOP + place * FLOP_SIZE + mine[2 + flop];
    int at = 3 * flop + turn;
    return s.street == 2 ? BET_TURN + place * TURN_SIZE + mine[8 + at] : BET_RIVER + place * RIVER_SIZE + mine[17 + at];
}

__device__ int allowed(const State& s, const u16* facts, double share, int mode) {
    if (s.phase == SWAP) {
        if (!(mode & BY_RULE)) return 7;
        const u16* mine = facts + s.seat * COLUMNS;
        int bucket = s.street == 1 ? mine[1] : mine[5 + s.flop[s.seat]];
        return bucket / 3 % 2 ? 1 : 2;
    }
    bool third, fourth;
    if (s.street == 0) {
        third = LINES[s.node][1] > 0 && s.node != LIMP, fourth = LINES[s.node][3] > 0;
    } else if (s.node == OPEN) {
        third = share * s.pot <= COMMIT * s.stack, fourth = LARGE * s.pot <= COMMIT * s.stack;
    } else {
        bool faces = s.node == FACING || s.node == FACING_LARGE;
        third = faces || s.node == RAISED, fourth = faces && s.pot + 3.0 * s.bet[1 - s.seat] <= COMMIT * s.stack;
    }
    return 3 | third << 2 | fourth << 3;
}

__device__ double won(const State& s, const u16* facts) {
    double paid = s.pot / 2.0 + fmin(s.bet[0], s.bet[1]);
    if (s.folder >= 0) return s.folder == 0 ? -paid : paid;
    int a = facts[26 + 3 * s.flop[0] + s.turn[0]], b = facts[COLUMNS + 26 + 3 * s.flop[1] + s.turn[1]];
    return a > b ? paid : a < b ? -paid : 0.0;
}

__device__ void matched(const float* regret, int ok, double* sigma) {
    double total = 0.0;
    int count = 0;
    for (int a = 0; a < ACTIONS; a++) {
        sigma[a] = ok >> a & 1 ? fmax((double)regret[a], 0.0) : 0.0;
        total += sigma[a];
        count += ok >> a & 1;
    }
    for (int a = 0; a < ACTIONS; a++) sigma[a] = total > 0.0 ? sigma[a] / total : ok >> a & 1 ? 1.0 / count : 0.0;
}

__device__ int pick(const double* sigma, Draws& draws) {
    double left = draws.next();
    int last = 0;
    for (int a = 0; a < ACTIONS; a++)
        if (sigma[a] > 0.0) {
            last = a;
            left -= sigma[a];
            if (left < 0.0) return a;
        }
    return last;
}

struct Walk {  // the tables are [ENTRIES, ACTIONS]; gains may be regret itself
    const float *regret, *theirs;
    float *total, *gains;
    const u16* facts;
    const u8* textures;
    int mode, me;
};

__device__ void run_on(State& s, const Walk& w, Draws& draws) {
    double sigma[ACTIONS];
    while (s.phase != OVER && s.seat != w.me) {
        double share = share_of(s, w.textures, w.mode);
        int at = ACTIONS * entry(s, w.facts, w.mode);
        matched(w.theirs + at, allowed(s, w.facts, share, w.mode), sigma);
        for (int a = 0; a < ACTIONS; a++)
            if (sigma[a] > 0.0) atomicAdd(w.total + at + a, (float)sigma[a]);
        act(s, pick(sigma, draws), share);
    }
}

__device__ void walk(const Walk& w, double hopeless, Draws draws) {
    Frame frames[DEEP];
    double sign = w.me == 0 ? 1.0 : -1.0;
    bool prunes = draws.next() < PRUNED, tries[2];
    tries[0] = draws.next() < TRIED;
    tries[1] = draws.next() < TRIED;
    int depth = 0;
    State s = {0.0, ALL, {1.0, 2.0}, 0, BETTING, 0, 0, 0, 0, 0, -1, 0, {0, 0}, {0, 0}};
    run_on(s, w, draws);
    while (true) {
        if (s.phase != OVER) {
            double share = share_of(s, w.textures, w.mode);
            Frame& f = frames[depth++];
            f.state = s;
            f.at = ACTIONS * entry(s, w.facts, w.mode);
            f.ok = allowed(s, w.facts, share, w.mode);
            matched(w.regret + f.at, f.ok, f.sigma);
            if (prunes)
                for (int a = 0; a < ACTIONS; a++)
                    if (f.sigma[a] == 0.0 && w.regret[f.at + a] < hopeless) f.ok &= ~(1 << a);
            if (s.phase == SWAP && !tries[s.street - 1]) {
                int drawn = pick(f.sigma, draws);
                for (int a = 0; a < ACTIONS; a++) f.sigma[a] = a == drawn;
                f.ok = 1 << drawn;
            }
            f.action = 0;
            while (!(f.ok >> f.action & 1)) f.action++;
            act(s, f.action, share);
            run_on(s, w, draws);
            continue;
        }
        double value = sign * won(s, w.facts);
        bool done = true;
        while (depth > 0) {
            Frame& f = frames[depth - 1];
            f.value[f.action] = value;
            f.action++;
            while (f.action < ACTIONS && !(f.ok >> f.action & 1)) f.action++;
            if (f.action < ACTIONS) {
                s = f.state;
                act(s, f.action, share_of(s, w.textures, w.mode));
                run_on(s, w, draws);
                done = false;
                break;
            }
            value = 0.0;
            for (int a = 0; a < ACTIONS; a++)
                if (f.ok >> a & 1) value += f.sigma[a] * f.value[a];
            for (int a = 0; a < ACTIONS; a++)
                if (f.ok >> a & 1 && f.value[a] != value) atomicAdd(w.gains + f.at + a, (float)(f.value[a] - value));
            depth--;
        }
        if (done) return;
    }
}

// A thread for each walk: the seats one after the other, then deals, each `times` times. The counter of walk i is
// seed + i * STEP.
extern "C" __global__ void learn(
    const u16* facts, const u8* textures, int deals, int times, int mode, const float* regret, const float* theirs,
    float* total, float* gains, double hopeless, u64 seed
) {
    u64 walks = 2ULL * deals * times;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < walks; i += (u64)gridDim.x * blockDim.x) {
        u64 each = (u64)deals * times, at = i % each / times;
        Walk w = {regret, theirs, total, gains, facts + at * 2 * COLUMNS, textures + at * 3, mode, (int)(i / each)};
        Draws draws = {seed + i * STEP};
        walk(w, hopeless, draws);
    }
}
