// The last street of strategies by hand, in one kernel for each shape of its betting: both players' reach, showdowns, values and
// learning of an entry on a board, which one block takes. Nothing of the street is written out but values at the entries and what was
// learned. walk.cu does the same in steps, for any street; launched by gpu_last.py.
//
//   up        values of ME's hands from folds and showdowns to the entries; own decisions mix, take the best, or learn
//   run_outs  the same where nobody can bet any more, for WIDE entries at once
//
//   come      [boards above][come_rows][hands] the reach of the street above, `come_at` the row of each entry; `parent` says which board
//   place .. look  from `prepare` in walk.cu; same  the opponent's hand of the same two cards, or -1
//   value     [boards][all entries][hands]
//
// LIVE: both players may hold every hand, and a row has a number for each hand that its board leaves, weakest first. `place` then lists
// the hands in that order, the blocked ones last, and a thread has a column, not a hand.

#define NONE 65535

#ifdef NODES

typedef STORED stored;
#define DEPTH 16  // as among the CPU's kernels
#if LIVE
#define THEIRS MOST  // numbers of a row
#define OURS MOST
#else
#define THEIRS theirs
#define OURS ours
#endif

__device__ __forceinline__ float one_over(float number) { return __fdividef(1.f, number); }
__device__ __forceinline__ double one_over(double number) { return 1 / number; }

// Probabilities of a hand at all decisions of a player, in proportion to what is positive in the rows; equal ones where nothing is.
template <int P>
__device__ __forceinline__ void regret_matching(const stored* numbers, int hands, real* sigma) {
#pragma unroll
    for (int node = 0; node < NODES; node++)
        if (PLAYER[node] == P) {
            real sum = 0;
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) {
                real number = (real)numbers[(ROW[node] + a) * hands];
                sum += sigma[ROW[node] + a] = number > 0 ? number : (real)0;
            }
            bool some = sum > (real)1.2e-38;  // one over anything less is infinite in float32
            real factor = some ? one_over(sum) : (real)0, even = some ? (real)0 : (real)1 / COUNT[node];
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) sigma[ROW[node] + a] = sigma[ROW[node] + a] * factor + even;
        }
}

// Ask for rows that the block reads later.
__device__ __forceinline__ void prefetch(const stored* rows, int count) {
    for (int i = threadIdx.x * (128 / (int)sizeof(stored)); i < count; i += THREADS * (128 / (int)sizeof(stored)))
        asm volatile("prefetch.global.L2 [%0];" ::"l"(rows + i));
}

// What a player has learned below an entry, [rows][hands]; `mark` counts rows over the boards of the street.
struct Learned {
    stored *regret, *cumulative, *prediction;
    float *regret_scale, *cumulative_scale;
    real keep, shrink, weight;
    i64 scale_at, mark, turn;
};

#if WHOLE
__device__ __forceinline__ int floored(float number) { return __float2int_rd(number); }
__device__ __forceinline__ int floored(double number) { return __double2int_rd(number); }

// Up as often as the number is near to the next one.
__device__ __forceinline__ short rounded(real number, real inverse, real chance) {
    return (short)max(floored(number * inverse + chance), -32767);
}
#endif

// Regrets and averages of the hands of a block; `live` says which of a thread's hands the board leaves, `own_reach` what comes in.
__device__ __forceinline__ void learn(const Learned& to, const stored* policy, int hands, const bool* live, const real* own_reach,
                                      const real (*gain)[PAD], unsigned char* room) {
    constexpr int R = ROWS[ME];
#if WHOLE
    constexpr int DECISIONS = R / 2 + 1;  // at most
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    real most[DECISIONS][3], *top = (real*)room;
    real *inverse = top + DECISIONS * 3 * 32, *chances = inverse + DECISIONS * 3;  // one over the scales, which are powers of 2
    real sum[EACH][R + 1], average[EACH][R + 1];  // before they are rounded
#pragma unroll
    for (int d = 0; d < DECISIONS; d++) most[d][0] = most[d][1] = most[d][2] = 0;
#endif
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        if (!live[j]) continue;
        int h = threadIdx.x + j * THREADS;
        real sigma[1 + R], reach[1 + R];
        reach[0] = own_reach[j];
        regret_matching<ME>(policy + h, hands, sigma);
        descend<ME>(sigma, reach);
#pragma unroll
        for (int node = 0; node < NODES; node++)
            if (PLAYER[node] == ME) {
#pragma unroll
                for (int a = 0; a < COUNT[node]; a++) {
                    int r = ROW[node] + a, i = r * hands + h;
#if WHOLE
                    int d = SHIFT[node] / BITS;
                    i64 mark = to.mark + ROW[node];
                    real now = to.regret[i] * (real)to.regret_scale[mark] + gain[j][r];
                    now *= now > 0 ? to.keep : to.shrink;
                    real ahead = now + gain[j][r];
                    sum[j][r] = now;
                    if (AVERAGES) average[j][r] = to.cumulative[i] * (real)to.cumulative_scale[mark] + to.weight * reach[1 + r];
                    most[d][0] = max(most[d][0], now > 0 ? now : -now / DEPTH);
                    if (PREDICTIVE) most[d][1] = max(most[d][1], ahead > 0 ? ahead : -ahead / DEPTH);
                    if (AVERAGES) most[d][2] = max(most[d][2], average[j][r]);
#else
                    real now = to.regret[i] + gain[j][r];
                    now *= now > 0 ? to.keep : to.shrink;
                    to.regret[i] = (stored)now;
                    if (PREDICTIVE) to.prediction[i] = (stored)(now + gain[j][r]);
                    if (AVERAGES) to.cumulative[i] = (stored)(to.cumulative[i] + to.weight * reach[1 + r]);
#endif
                }
            }
    }
#if WHOLE
    __syncthreads();  // sums of hands are not read any more
#pragma unroll
    for (int d = 0; d < DECISIONS; d++)
#pragma unroll
        for (int k = 0; k < 3; k++) {
            if ((k == 1 && !PREDICTIVE) || (k == 2 && !AVERAGES)) continue;
            real greatest = most[d][k];
#pragma unroll
            for (int s = 16; s; s /= 2) greatest = max(greatest, __shfl_xor_sync(0xffffffff, greatest, s));
            if (lane == 0) top[(3 * d + k) * 32 + warp] = greatest;
        }
    __syncthreads();
    for (int i = threadIdx.x; i < DECISIONS * 3; i += THREADS) {
        real greatest = 0;
        for (int w = 0; w < THREADS / 32; w++) greatest = max(greatest, top[i * 32 + w]);
        int exponent = 1;
        frexp(greatest / 32766.0, &exponent);
        inverse[i] = greatest > 0 ? (real)ldexp(1.0, -exponent) : (real)1;
    }
    for (int r = THREADS - 1 - threadIdx.x; r < 2 * R; r += THREADS)
        chances[r] = rounding_chance<real>(to.scale_at + to.mark + r % R, 2 * to.turn + r / R);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        if (!live[j]) continue;
        int h = threadIdx.x + j * THREADS;
#pragma unroll
        for (int node = 0; node < NODES; node++)
            if (PLAYER[node] == ME) {
#pragma unroll
                for (int a = 0; a < COUNT[node]; a++) {
                    int r = ROW[node] + a, i = r * hands + h, d = SHIFT[node] / BITS;
                    to.regret[i] = rounded(sum[j][r], inverse[3 * d], chances[R + r]);
                    if (PREDICTIVE) to.prediction[i] = rounded(sum[j][r] + gain[j][r], inverse[3 * d + 1], chances[R + r]);
                    if (AVERAGES) to.cumulative[i] = rounded(average[j][r], inverse[3 * d + 2], chances[r]);
                }
            }
    }
    if (threadIdx.x == 0) {
#pragma unroll
        for (int node = 0; node < NODES; node++)
            if (PLAYER[node] == ME) {
                int d = SHIFT[node] / BITS;
                to.regret_scale[to.mark + ROW[node]] = (float)(1 / inverse[3 * d]);
                if (AVERAGES) to.cumulative_scale[to.mark + ROW[node]] = (float)(1 / inverse[3 * d + 2]);
            }
    }
#endif
}

//   entry     [entries] the numbers of the entries of this shape on the street; first [2][entries] their first rows, for each player
//   pay       [entries][ENDS][2] for meeting a hand, and more for beating it
//   cumulative  null, as own_come, where averages are not kept (AVERAGES is 0)
//   low       the chunk's first board; policies, regrets and so on are those of all boards of the street
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    up(const real* __restrict__ their_come, int their_come_rows, const int* __restrict__ their_come_at, const real* __restrict__ own_come,
       int own_come_rows, const int* __restrict__ own_come_at, const int* __restrict__ parent, int come_low, i64 low,
       const int* __restrict__ entry, int entries, const int* __restrict__ first, const u16* __restrict__ place,
       const u16* __restrict__ begin, const u16* __restrict__ list, const SumIndex* __restrict__ look, const int* __restrict__ same,
       int theirs, int ours, const stored* their_policy, int their_rows, const stored* own_policy, int own_rows,
       const real* __restrict__ pay, real* __restrict__ value, int all_entries, stored* regret, stored* cumulative, stored* prediction,
       float* regret_scale, float* cumulative_scale, real keep, real shrink, real weight, i64 scale_at, i64 turn) {
    constexpr int THEM = 1 - ME, MODE = UP_MODE;
    extern __shared__ __align__(32) unsigned char room[];
    Vec *part = (Vec*)room, *raw = part + 32, *sum = raw + MOST, *held = sum + MOST + 1;  // MOST hands are left by a board
    u16 *begins = (u16*)(held + 2 * MOST + CARDS), *places = begins + CARDS + 1;
    int e = blockIdx.x % entries, t = threadIdx.x, in = entry[e];
    i64 b = blockIdx.x / entries, above = parent[low + b] - come_low;
    place += b * theirs, begin += b * (CARDS + 1), list += b * 2 * theirs, look += b * ours;
    pay += (i64)e * ENDS * 2;
    i64 their_mark = (low + b) * their_rows + first[THEM * entries + e], own_mark = (low + b) * own_rows + first[ME * entries + e];
    their_come += (above * their_come_rows + their_come_at[in]) * theirs;
    their_policy += their_mark * THEIRS, own_policy += own_mark * OURS;
    int n = (begin[CARDS] - CARDS) / 2;
    if (UP_MODE != BEST) prefetch(own_policy, ROWS[ME] * OURS);
    if (UP_MODE == LEARN && AVERAGES) prefetch(cumulative + own_mark * OURS, ROWS[ME] * OURS);
    for (int i = t; i <= CARDS; i += THREADS) begins[i] = begin[i];
    for (int i = t; i < 2 * n; i += THREADS) places[i] = list[i];
    real x[EACH][LINES], v[EACH][NODES], m[EACH][LINES], gain[EACH][PAD];
    int at[EACH], hand[EACH];
    code_t code = 0;
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        int c = t + j * THREADS;
        at[j] = LIVE ? (c < n ? c : NONE) : c < theirs ? place[c] : NONE;
        hand[j] = LIVE ? (c < n ? place[c] : NONE) : c;
#pragma unroll
        for (int l = 0; l < LINES; l++) x[j][l] = 0;
        if (at[j] != NONE) {
            real reach[1 + ROWS[THEM]], sigma[1 + ROWS[THEM]];
            reach[0] = their_come[hand[j]];
            regret_matching<THEM>(their_policy + c, THEIRS, sigma);
            descend<THEM>(sigma, reach);
#pragma unroll
            for (int l = 0; l < LINES; l++) x[j][l] = reach[LINE_AT[l]];
        }
    }
#pragma unroll
    for (int g = 0; g < PASSES; g++) {
        __syncthreads();
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            Vec here;
#pragma unroll
            for (int l = 0; l < WIDE; l++) here.of[l] = g * WIDE + l < LINES ? x[j][g * WIDE + l < LINES ? g * WIDE + l : 0] : (real)0;
            if (at[j] != NONE) raw[at[j]] = here;
        }
        __syncthreads();
        all_sums(raw, begins, places, held, sum, n, part);
        __syncthreads();
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            int c = t + j * THREADS, h = hand[j];
            if (h >= ours) continue;
            SumIndex index = look[h];
            if (index.low == NONE) continue;
            Vec equal, met, won;
#pragma unroll
            for (int l = 0; l < WIDE; l++) equal.of[l] = 0;
            if (LIVE) equal = raw[c];
            else if (same[h] >= 0) equal = raw[place[same[h]]];
            met = opponent_reach(sum, held, n, index, equal);
#pragma unroll
            for (int l = 0; l < WIDE; l++)
                if (g * WIDE + l < LINES) m[j][g * WIDE + l < LINES ? g * WIDE + l : 0] = met.of[l];
            if (SHOWS[g]) won = beaten_reach(sum, held, index, equal);
            real sigma[1 + ROWS[ME]];
            if (MODE != BEST) regret_matching<ME>(own_policy + c, OURS, sigma);
            rise<MODE>(g, met, won, m[j], sigma, pay, v[j], gain[j], &code, [](int) { return (real)0; });
        }
    }
    bool live[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        int h = hand[j];
        live[j] = h < ours && look[h].low != NONE;
        if (h < ours) value[(b * all_entries + in) * ours + h] = live[j] ? v[j][0] : (real)0;
    }
#if LIVE
    for (int c = n + t; c < ours; c += THREADS) value[(b * all_entries + in) * ours + place[c]] = 0;
#endif
#if UP_MODE == LEARN
    if (AVERAGES) own_come += (above * own_come_rows + own_come_at[in]) * ours;
    real own_reach[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++) own_reach[j] = AVERAGES && live[j] ? own_come[hand[j]] : (real)0;
    i64 from = own_mark * OURS;
    Learned to = {regret + from, cumulative + from, prediction + from, regret_scale, cumulative_scale,
                  keep, shrink, weight, scale_at, own_mark, turn};
    learn(to, own_policy, OURS, live, own_reach, gain, room);
#endif
}

#else  // no tree

typedef REAL real;
#define WIDE 4
typedef Vector<real, WIDE> Vec;

//   entry  [entries] the numbers of these entries on the street; pay [entries][2] for meeting a hand, and more for beating it
extern "C" __global__ void run_outs(const real* __restrict__ come, int come_rows, const int* __restrict__ come_at,
                                    const int* __restrict__ parent, int come_low, i64 low, const int* __restrict__ entry, int entries,
                                    const u16* __restrict__ place, const u16* __restrict__ begin, const u16* __restrict__ list,
                                    const SumIndex* __restrict__ look, const int* __restrict__ same, int theirs, int ours, int most,
                                    const real* __restrict__ pay, real* __restrict__ value, int all_entries) {
    extern __shared__ __align__(32) unsigned char room[];
    Vec *part = (Vec*)room, *sum = part + 32, *held = sum + most + 1;
    int groups = (entries + WIDE - 1) / WIDE, start = blockIdx.x % groups * WIDE;
    i64 b = blockIdx.x / groups;
    place += b * theirs, begin += b * (CARDS + 1), list += b * 2 * theirs, look += b * ours;
    come += (i64)(parent[low + b] - come_low) * come_rows * theirs;
    int n = (begin[CARDS] - CARDS) / 2;
    const real* row[WIDE];
#pragma unroll
    for (int l = 0; l < WIDE; l++) row[l] = come + (i64)come_at[entry[min(start + l, entries - 1)]] * theirs;
    for (int c = threadIdx.x; c < theirs; c += blockDim.x) {
        int i = LIVE ? (c < n ? c : NONE) : place[c], h = LIVE ? place[c] : c;
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
        SumIndex index = look[h];
        Vec equal, met, won;
#pragma unroll
        for (int l = 0; l < WIDE; l++) equal.of[l] = met.of[l] = won.of[l] = 0;
        if (index.low != NONE) {
#pragma unroll
            for (int l = 0; l < WIDE; l++)
                if (same[h] >= 0) equal.of[l] = row[l][same[h]];
            met = opponent_reach(sum, held, n, index, equal);
            won = beaten_reach(sum, held, index, equal);
        }
#pragma unroll
        for (int l = 0; l < WIDE; l++)
            if (start + l < entries)
                value[(b * all_entries + entry[start + l]) * ours + h] =
                    pay[2 * (start + l)] * met.of[l] + pay[2 * (start + l) + 1] * won.of[l];
    }
}

#endif
