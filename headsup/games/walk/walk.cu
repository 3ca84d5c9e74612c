// The GPU twin of kernels.py: the same steps under the same names, over a chunk of the boards of a street at once.
// kernels.py explains what each step computes and why; gpu.py launches them.
//
// `real` is the type of the work, `stored` that of regrets and averages, ACTIONS the most actions that a decision has, HELD the
// number of cards in a hand: all are set by the compiler's options. Arrays of a chunk have its boards as their first index, then
// rows (or nodes), then hands, so that neighbouring threads, which are neighbouring hands, touch neighbouring numbers. Nothing is
// added up by several threads at once in an order left to chance: the same input gives the same output, bit for bit. Showdowns of
// four-card hands are in four.cu.

typedef REAL real;
typedef STORED stored;
#if HELD == 2
typedef short hand_t;
#else
typedef int hand_t;
#endif
#define DEPTH 16  // as among the CPU's kernels

#define LEARN 0
#define BEST 1
#define RESPOND 3
#define WIDE (16 / (int)sizeof(real))  // lines that `against_lines` takes together: 16 bytes, the widest access there is
#define NONE 65535
#define RENAMINGS 24  // of suits
#define DEALS 4  // whose values a thread of `collect_values` adds up

typedef Vector<real, WIDE> Vec;
struct alignas(16) Four {  // a decision
    int a, b, c, d;
};

// Which board of the chunk and which hand a thread has.
__device__ __forceinline__ bool whose(int hands, int* b, int* h) {
    int blocks = (hands + blockDim.x - 1) / blockDim.x;
    *b = blockIdx.x / blocks;
    *h = (blockIdx.x % blocks) * blockDim.x + threadIdx.x;
    return *h < hands;
}

// Boards have a column for each hand. With four cards hands that are alike may share one, and then boards have different numbers of
// columns, those before `at[b]` being of the boards before b (`FourTables` in gpu_streets.py).
__device__ __forceinline__ i64 columns_before(const i64* at, i64 b, int hands) { return HELD == 2 ? b * hands : at[b]; }
__device__ __forceinline__ int columns_of(const i64* at, i64 b, int hands) { return HELD == 2 ? hands : (int)(at[b + 1] - at[b]); }

// Probabilities of one hand in proportion to what is positive in n rows of the source; equal ones where nothing is. Each is at
// least `floor`.
__device__ __forceinline__ void regret_matching(const stored* source, int n, int hands, real floor, real* sigma) {
    real sum = 0;
#pragma unroll
    for (int a = 0; a < ACTIONS; a++) {
        real share = a < n ? (real)source[(i64)a * hands] : (real)0;
        sigma[a] = share > 0 ? share : (real)0;
        sum += sigma[a];
    }
    bool some = sum > (real)1.2e-38;  // one over anything less is infinite in float32
    real factor = 1 / (some ? sum : (real)1), even = some ? (real)0 : (real)1 / n;
    if (floor > 0) factor *= 1 - n * floor, even = even * (1 - n * floor) + floor;
#pragma unroll
    for (int a = 0; a < ACTIONS; a++) sigma[a] = sigma[a] * factor + even;
}

// A player's reach on each board of a chunk: from the deals above (`come`, of the boards from `come_low` on; `deal_reach` of the CPU),
// then below each own decision. Where `cumulative` is given, the strategy is added to the average on the way.
//   decision  {row of the reach that holds there, first row, actions, -}, entry by entry; `first` says where each entry's begin
//   come_at   which row of the reach above an entry comes from
//   policy, cumulative  those of the street, all of its boards; low is the chunk's first one
//   at, come_at_board   where the columns of each board begin, on the street and on the one above; for hands of four cards only, as are
//   group, link         of each board: which columns it has, and which row of `above` has the columns of the board above
extern "C" __global__ void forward_pass(const Four* decision, const int* first, int entries, int rows, int hands, i64 low,
                                   const real* come, int come_rows, const int* come_at, const int* parent, int come_low,
                                   const u64* masks, const u8* cards, const stored* __restrict__ policy, real* reach,
                                   stored* cumulative, real weight, real floor, const i64* at, const i64* come_at_board,
                                   const int* group, const int* link, const int* above_columns) {
    int b, h;
    if (!whose(hands, &b, &h)) return;
    int up = parent[low + b], come_hands = columns_of(come_at_board, up, hands), from_column = h;
#if HELD == 4
    cards += (i64)group[low + b] * hands * HELD, above_columns += (i64)link[low + b] * hands;
#endif
    i64 before = columns_before(at, low + b, hands);
    i64 come_from = columns_before(come_at_board, up, hands) - columns_before(come_at_board, come_low, hands);
    real* own = reach + (before - columns_before(at, low, hands)) * (entries + rows) + h;
    hands = columns_of(at, low + b, hands);
    if (h >= hands) return;
#if HELD == 4
    from_column = above_columns[h];
#endif
    const real* above = come + come_from * come_rows + from_column;
    u64 board = masks[low + b];
    u64 blocked = 0;
#pragma unroll
    for (int c = 0; c < HELD; c++) blocked |= board >> cards[HELD * h + c];
    bool live = !(blocked & 1);
    for (int e = blockIdx.y; e < entries; e += gridDim.y) {
        own[(i64)e * hands] = live ? above[(i64)come_at[e] * come_hands] : (real)0;
        for (int d = first[e]; d < first[e + 1]; d++) {
            Four node = decision[d];
            real sigma[ACTIONS], here = own[(i64)node.a * hands];
            i64 from = before * rows + h + (i64)node.b * hands;
            regret_matching(policy + from, node.c, hands, floor, sigma);
#pragma unroll
            for (int a = 0; a < ACTIONS; a++)
                if (a < node.c) {
                    real below = here * sigma[a];
                    own[(i64)(entries + node.b + a) * hands] = below;
                    if (cumulative) cumulative[from + (i64)a * hands] = (stored)(cumulative[from + (i64)a * hands] + weight * below);
                }
        }
    }
}

// What `against_lines` must know of each board, once; one block a board. `ours` and `theirs` are the numbers of hands.
//   order, strength, alive  as in `WalkHands`, of the chunk's boards
//   place  [theirs] where a hand stands in the order, or NONE
//   begin  [CARDS + 1] where the sums of each card begin: one more than there are hands with it
//   list   [2 theirs] card by card, the places of the hands with it, in order
//   look   [ours]
extern "C" __global__ void prepare(const short* their_order, const short* their_strength, const int* their_alive,
                                   const u8* their_cards, int theirs, const short* our_order, const short* our_strength,
                                   const int* our_alive, const u8* our_cards, int ours, u16* place, u16* begin, u16* list,
                                   SumIndex* look) {
    i64 b = blockIdx.x;
    their_order += b * theirs, their_strength += b * theirs, our_order += b * ours, our_strength += b * ours;
    place += b * theirs, begin += b * (CARDS + 1), list += b * 2 * theirs, look += b * ours;
    int n = their_alive[b], m = our_alive[b];
    for (int i = threadIdx.x; i < theirs; i += blockDim.x) place[their_order[i]] = i < n ? i : NONE;
    for (int c = threadIdx.x; c < CARDS; c += blockDim.x) {
        int with_card = 0;
        for (int i = 0; i < n; i++) {
            const u8* two = their_cards + 2 * their_order[i];
            with_card += two[0] == c || two[1] == c;
        }
        begin[c + 1] = with_card + 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        begin[0] = 0;
        for (int c = 0; c < CARDS; c++) begin[c + 1] += begin[c];
    }
    __syncthreads();
    for (int c = threadIdx.x; c < CARDS; c += blockDim.x) {
        u16* next = list + begin[c] - c;
        for (int i = 0; i < n; i++) {
            const u8* two = their_cards + 2 * their_order[i];
            if (two[0] == c || two[1] == c) *next++ = i;
        }
    }
    __syncthreads();
    for (int j = threadIdx.x; j < ours; j += blockDim.x) {
        int h = our_order[j], x = our_cards[2 * h], y = our_cards[2 * h + 1];
        SumIndex found = {NONE, 0, 0, 0, 0, 0, 0, 0};
        if (j < m) {
            int low = count_below(their_strength, n, our_strength[j]);
            int high = count_below(their_strength, n, our_strength[j] + 1);
            const u16 *first = list + begin[x] - x, *second = list + begin[y] - y;
            int n_first = begin[x + 1] - begin[x] - 1, n_second = begin[y + 1] - begin[y] - 1;
            found.low = low, found.high = high;
            found.first_low = begin[x] + count_below(first, n_first, low);
            found.first_high = begin[x] + count_below(first, n_first, high);
            found.second_low = begin[y] + count_below(second, n_second, low);
            found.second_high = begin[y] + count_below(second, n_second, high);
            found.first_end = begin[x + 1] - 1, found.second_end = begin[y + 1] - 1;
        }
        look[h] = found;
    }
}

// What every end of the betting is worth to each own hand; `against_lines` and `terminal_values` of the CPU in one. A block takes one board
// and WIDE lines:
//   1. the reach of these lines, put in order of strength: sum[i];
//   2. for each card the running sums of the hands with it: held[begin[c] + k] is that of the first k;
//   3. running sums of all hands, in place: sum[i] is then that of the i weakest;
//   4. for each own hand eight of these numbers give what it meets and beats.
//   rows      the row of the opponent's reach of each line; the first `showdowns` lines have a showdown
//   same      the opponent's hand of the same two cards, or -1
//   end_first where the ends of each line begin; end_node and pay ({for meeting, more for beating}) are of the ends
extern "C" __global__ void against_lines(const real* __restrict__ reach, i64 reach_size, const int* __restrict__ rows, int lines,
                                         int showdowns, int theirs, int ours, const u16* __restrict__ place,
                                         const u16* __restrict__ begin, const u16* __restrict__ list,
                                         const SumIndex* __restrict__ look, const int* __restrict__ same,
                                         const int* __restrict__ end_first, const int* __restrict__ end_node,
                                         const real* __restrict__ pay, real* __restrict__ value, i64 value_size) {
    extern __shared__ __align__(16) unsigned char room[];
    Vec *part = (Vec*)room, *sum = part + 32, *held = sum + theirs + 1;
    int groups = (lines + WIDE - 1) / WIDE, start = blockIdx.x % groups * WIDE;
    i64 b = blockIdx.x / groups;
    place += b * theirs, begin += b * (CARDS + 1), list += b * 2 * theirs, look += b * ours;
    reach += b * reach_size, value += b * value_size;
    int n = (begin[CARDS] - CARDS) / 2;
    const real* row[WIDE];
#pragma unroll
    for (int l = 0; l < WIDE; l++) row[l] = reach + (i64)rows[min(start + l, lines - 1)] * theirs;
    for (int h = threadIdx.x; h < theirs; h += blockDim.x) {
        int i = place[h];
        Vec here;
#pragma unroll
        for (int l = 0; l < WIDE; l++) here.of[l] = row[l][h];
        if (i != NONE) sum[i] = here;
    }
    __syncthreads();
    card_sums(sum, begin, list, held, threadIdx.x, blockDim.x);
    __syncthreads();
    running_sums(sum, sum, n, threadIdx.x, blockDim.x, part, [] { __syncthreads(); });
    __syncthreads();
    for (int h = threadIdx.x; h < ours; h += blockDim.x) {
        SumIndex at = look[h];
        Vec met, won;
#pragma unroll
        for (int l = 0; l < WIDE; l++) met.of[l] = won.of[l] = 0;
        if (at.low != NONE) {
            int twin = same[h];
            Vec equal;
#pragma unroll
            for (int l = 0; l < WIDE; l++) equal.of[l] = twin < 0 ? (real)0 : row[l][twin];
            met = opponent_reach(sum, held, n, at, equal);
            if (start < showdowns) won = beaten_reach(sum, held, at, equal);
        }
#pragma unroll
        for (int l = 0; l < WIDE; l++)
            if (start + l < lines)
                for (int k = end_first[start + l]; k < end_first[start + l + 1]; k++)
                    value[(i64)end_node[k] * ours + h] = pay[2 * k] * met.of[l] + pay[2 * k + 1] * won.of[l];
    }
}

// Values up to the entries; own decisions mix, take the best (and write it down), or learn.
//   decision  {node, first child, first row, actions and 65536 times the player}, entry by entry
//   regret, prediction  those of the street, or 0 where nothing is learnt here; with RESPOND, regret has the shares of hands that are held
//                  to some, and what is below 0 in it, of hands that are free, becomes their best reply
extern "C" __global__ void backward_pass(const Four* decision, const int* first, int entries, int nodes, int rows, int hands, i64 low,
                                  int me, int mode, const stored* policy, real* value, stored* regret, stored* prediction,
                                  real keep, real shrink, real floor, const i64* at) {
    int b, h;
    if (!whose(hands, &b, &h)) return;
    real* worth = value + (columns_before(at, low + b, hands) - columns_before(at, low, hands)) * nodes + h;
    i64 own_rows = columns_before(at, low + b, hands) * rows + h;
    hands = columns_of(at, low + b, hands);
    if (h >= hands) return;
    for (int e = blockIdx.y; e < entries; e += gridDim.y)
        for (int d = first[e + 1] - 1; d >= first[e]; d--) {
            Four node = decision[d];
            int n = node.d & 65535;
            bool own = node.d >> 16 == me;
            real child[ACTIONS], here = 0, rest = 1 - n * floor;
#pragma unroll
            for (int a = 0; a < ACTIONS; a++) child[a] = a < n ? worth[(i64)(node.b + a) * hands] : (real)0;
            if (!own) {
#pragma unroll
                for (int a = 0; a < ACTIONS; a++) here += child[a];
            } else if (mode == BEST) {
                here = child[0];
#pragma unroll
                for (int a = 1; a < ACTIONS; a++)
                    if (a < n && child[a] > here) here = child[a];
                if (floor > 0) {
                    here *= rest;
#pragma unroll
                    for (int a = 0; a < ACTIONS; a++) here += floor * child[a];
                }
            } else if (mode == RESPOND) {
                stored* held = regret + own_rows + (i64)node.c * hands;
                real some = 0;
                int best = 0;
                bool free = held[0] < (stored)0;
                here = child[0];
#pragma unroll
                for (int a = 1; a < ACTIONS; a++)
                    if (a < n && child[a] > here) here = child[a], best = a;
                if (!free) here = 0;
#pragma unroll
                for (int a = 0; a < ACTIONS; a++)
                    if (a < n) {
                        if (free)
                            held[(i64)a * hands] = (stored)(a == best);
                        else {
                            real share = held[(i64)a * hands];
                            some += share, here += share * child[a];
                        }
                    }
                if (!free) here /= some;
            } else {
                real sigma[ACTIONS];
                i64 from = own_rows + (i64)node.c * hands;
                regret_matching(policy + from, n, hands, mode == LEARN ? floor : (real)0, sigma);
#pragma unroll
                for (int a = 0; a < ACTIONS; a++)
                    if (a < n) here += sigma[a] * child[a];
                if (regret) {
                    real mean = here;  // what was chosen is worth, without what is forced (`_unforced` of the CPU)
                    if (floor > 0) {
#pragma unroll
                        for (int a = 0; a < ACTIONS; a++) mean -= floor * child[a];
                        mean /= rest;
                    }
#pragma unroll
                    for (int a = 0; a < ACTIONS; a++)
                        if (a < n) {
                            i64 i = from + (i64)a * hands;
                            real gain = child[a] - mean, sum = regret[i] + gain;
                            sum *= sum > 0 ? keep : shrink;
                            regret[i] = (stored)sum;
                            if (prediction) prediction[i] = (stored)(sum + gain);
                        }
                }
            }
            worth[(i64)node.a * hands] = here;
        }
}

// Up as often as the number is near to the next one.
__device__ __forceinline__ short rounded(real number, double scale, double chance) {
    return (short)max(floor(number / scale + chance), -32767.0);
}

// What `forward_pass` and `backward_pass` learn where stores are int16 times a scale for each decision: a block a decision and board, since a scale
// looks at all hands.
//   decision  the own ones, as in `backward_pass`; regret, cumulative, prediction and the scales are those of the street; nothing is
//             added to the averages, which need not be there, if the weight is 0
extern "C" __global__ void learn_whole(const Four* decision, int decisions, int entries, int nodes, int rows, int hands, i64 low,
                                       const real* value, const real* reach, short* regret, short* cumulative, short* prediction,
                                       float* regret_scale, float* cumulative_scale, real keep, real shrink, real weight,
                                       real floor, i64 scale_at, i64 turn, const i64* at) {
    extern __shared__ __align__(16) unsigned char room[];
    real* top = (real*)room;  // [3, threads]
    Four node = decision[blockIdx.x % decisions];
    int b = blockIdx.x / decisions, n = node.d & 65535;
    i64 before = columns_before(at, low + b, hands), chunk = before - columns_before(at, low, hands);
    hands = columns_of(at, low + b, hands);
    const real *here = value + chunk * nodes + (i64)node.a * hands, *child = value + chunk * nodes + (i64)node.b * hands;
    const real* own = reach + chunk * (entries + rows) + (i64)(entries + node.c) * hands;
    i64 mark = (low + b) * rows + node.c, from = before * rows + (i64)node.c * hands;
    real old_regret = regret_scale[mark], old_cumulative = weight ? cumulative_scale[mark] : (real)0;
    double scale[3] = {1, 1, 1};
    for (int stage = 0; stage < 2; stage++) {  // first the greatest numbers, then the rounding
        real most[3] = {0, 0, 0};
        for (int i = threadIdx.x; i < n * hands; i += blockDim.x) {
            real mean = here[i % hands];
            if (floor > 0) {
                for (int a = 0; a < n; a++) mean -= floor * child[a * hands + i % hands];
                mean /= 1 - n * floor;
            }
            real gain = child[i] - mean, sum = regret[from + i] * old_regret + gain;
            sum *= sum > 0 ? keep : shrink;
            real ahead = sum + gain, average = weight ? cumulative[from + i] * old_cumulative + weight * own[i] : (real)0;
            if (stage == 0) {
                most[0] = max(most[0], sum > 0 ? sum : -sum / DEPTH);
                most[1] = max(most[1], ahead > 0 ? ahead : -ahead / DEPTH);
                most[2] = max(most[2], average);
            } else {
                i64 place = scale_at + mark + i / hands;
                double up = rounding_chance<double>(place, 2 * turn + 1);
                regret[from + i] = rounded(sum, scale[0], up);
                if (prediction) prediction[from + i] = rounded(ahead, scale[1], up);
                if (weight) cumulative[from + i] = rounded(average, scale[2], rounding_chance<double>(place, 2 * turn));
            }
        }
        if (stage == 1) return;
        for (int k = 0; k < 3; k++) top[k * blockDim.x + threadIdx.x] = most[k];
        for (int half = blockDim.x / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half)
                for (int k = 0; k < 3; k++) {
                    real* pair = top + k * blockDim.x + threadIdx.x;
                    pair[0] = max(pair[0], pair[half]);
                }
        }
        __syncthreads();
        for (int k = 0; k < 3; k++) {  // powers of 2
            int exponent = 1;
            frexp(top[k * blockDim.x] / 32766.0, &exponent);
            scale[k] = top[k * blockDim.x] > 0 ? ldexp(1.0, exponent) : 1.0;
        }
        if (threadIdx.x == 0) {
            regret_scale[mark] = (float)scale[0];
            if (weight) cumulative_scale[mark] = (float)scale[2];
        }
    }
}

// Add the values of the entries of boards low .. high - 1 to those of the deals above, once for each board that they stand for.
// A thread has a hand of DEALS deals of a board above, whose children it takes in order.
//   deal, entry  the nodes, by number; child, first, renaming  as in `Boards`, of the whole street
//   at, link, above_at  as for `forward_pass`; each row of links has maps of its own
extern "C" __global__ void collect_values(const int* deal, const int* entry, int deals, int hands, const int* child, i64 above_low, i64 low,
                                 i64 high, const i64* first, const u8* renaming, const hand_t* maps, int maps_size,
                                 const real* come, int come_nodes, real* value, int nodes, const i64* at, const int* link,
                                 const i64* above_at) {
    int b, h;
    if (!whose(hands, &b, &h)) return;
    value += (columns_before(above_at, above_low + b, hands) - columns_before(above_at, above_low, hands)) * nodes + h;
    int wide = columns_of(above_at, above_low + b, hands);
    if (h >= wide) return;
    i64 begin = child[above_low + b], from = begin > low ? begin : low, to = child[above_low + b + 1];
    if (to > high) to = high;
    if (from >= to) return;
    for (int i = DEALS * blockIdx.y; i < deals; i += DEALS * gridDim.y) {
        real *here[DEALS], sum[DEALS];
        i64 source[DEALS];
#pragma unroll
        for (int n = 0; n < DEALS; n++) {
            int d = min(i + n, deals - 1);
            here[n] = value + (i64)deal[d] * wide;
            source[n] = entry[d];
            sum[n] = from == begin ? (real)0 : *here[n];
        }
#if HELD == 2
        const real* below[DEALS];
#pragma unroll
        for (int n = 0; n < DEALS; n++) below[n] = come + source[n] * hands;
        add_boards(sum, below, (i64)come_nodes * hands, low, from, to, first, renaming, maps, maps_size, h);
#else
        for (i64 c = from; c < to; c++) {
            i64 board = (at[c] - at[low]) * come_nodes, come_wide = at[c + 1] - at[c];
            const hand_t* carried = maps + (i64)link[c] * RENAMINGS * maps_size + h;
            for (i64 k = first[c]; k < first[c + 1]; k++) {
                i64 column = board + carried[(i64)renaming[k] * maps_size];
#pragma unroll
                for (int n = 0; n < DEALS; n++) sum[n] += come[column + source[n] * come_wide];
            }
        }
#endif
#pragma unroll
        for (int n = 0; n < DEALS; n++)
            if (i + n < deals) *here[n] = sum[n];
    }
}
