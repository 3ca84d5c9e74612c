// Showdowns of four-card hands: the GPU twin of `_against_four` in holdem/showdown_kernels.py, which explains the sums; gpu.py
// launches it. `real` is the type of the work, set by the compiler's options.
//
// A block takes one board and WIDE lines, level by level: hands of equal strength are one level, and no board has more than LEVELS.
// The weight that is counted so far lies in shared memory, for each set of at most three cards. It is counted in whole numbers, as
// parts of a line's whole reach. So threads may add in any order, the result is the same bit for bit, and what inclusion-exclusion
// takes off is exactly what was added.

typedef REAL real;

#define SETS 15                       // subsets of at most three of a hand's cards
#define SLOTS 16                      // numbers stored for a hand, of which the last is not used
#define WIDE (8 / (int)sizeof(real))  // lines that a block takes together
#define LEVELS 144                    // as in gpu_streets.py

template <class T>
struct Parts;  // whole numbers that hold parts of a line's reach; sums that are not needed may overflow
template <>
struct Parts<float> {
    typedef unsigned int part;
    typedef int signed_part;
    static constexpr float all = 1 << 30, least = 1e-27f;  // a line with less reach than the least counts as 0
};
template <>
struct Parts<double> {
    typedef unsigned long long part;
    typedef i64 signed_part;
    static constexpr double all = 1ll << 60, least = 1e-250;
};
typedef Parts<real>::part part;
typedef Parts<real>::signed_part signed_part;
typedef Vector<part, WIDE> PartVec;

struct alignas(16) Eight {
    u16 of[8];
};
struct alignas(8) Level {
    int of[2];  // where the level ends in each player's order
};

// One line of the opponent's reach.
struct Line {
    const real* reach;
    real scale, unit;  // from reach to parts, and back

    __device__ __forceinline__ part parts(int h) const { return (part)(signed_part)(reach[h] * scale + (real)0.5); }
};

// Count the opponent's hands from .. to - 1 of an order; SLOTS threads a hand, one for each of its sets. Where hands that are alike
// share a column, `many` of them have a set.
__device__ __forceinline__ void count_hands(const int* order, int from, int to, const u16* sets, const u8* many, const Line* line,
                                            PartVec* held) {
    int slot = threadIdx.x % SLOTS;
    for (int i = from + threadIdx.x / SLOTS; i < to; i += blockDim.x / SLOTS) {
        int h = order[i];
#pragma unroll
        for (int l = 0; l < WIDE; l++) {
            part weight = line[l].parts(h) * many[(i64)h * SLOTS + slot];
            if (weight) atomicAdd(&held[sets[(i64)h * SLOTS + slot]].of[l], weight);
        }
    }
}

// What is counted of hands that share no card with an own hand, but for its twin, which has the same four cards.
__device__ __forceinline__ PartVec apart(const PartVec* held, const u16* sets, int h) {
    Eight half[2] = {((const Eight*)sets)[2 * (i64)h], ((const Eight*)sets)[2 * (i64)h + 1]};
    PartVec sum = held[half[0].of[0]];
#pragma unroll
    for (int k = 1; k < SETS; k++) {
        PartVec more = held[half[k / 8].of[k % 8]];
#pragma unroll
        for (int l = 0; l < WIDE; l++) sum.of[l] += k < 5 || k > 10 ? -more.of[l] : more.of[l];  // cards, pairs, triples
    }
    return sum;
}

// What every end of the betting is worth to each own hand.
//   rows, showdowns, same, end_first, end_node, pay  as for `against_lines` in walk.cu
//   their_order, our_order  [boards, sweeps, hands] weakest first; the last sweep has all hands by their highs, and where a low
//                           splits the pot the ones before it have all hands by their lows, and those without a low by their highs
//   ends, number            [boards, sweeps, LEVELS] and how many levels there are: none in sweeps that a board does not need
//   their_sets, our_sets    [groups, hands, SLOTS]; `sets` of them are there in all
//   masks, cards            the cards of the boards, and of own hands, [groups, hands, 4]
//   their_at, our_at        where the columns of each board begin, and the last one's end; the first board is number `low`
//   group                   of each board: which columns it has; many, size, same: theirs (`FourTables` in gpu_streets.py)
// While levels are counted, the row of a line's first end adds up what own hands beat.
extern "C" __global__ void __launch_bounds__(1024)
    against_four(const real* __restrict__ reach, i64 reach_rows, const int* __restrict__ rows, int lines, int showdowns, int theirs,
                 int ours, int me, const int* __restrict__ their_order, const int* __restrict__ our_order, int sweeps,
                 const Level* __restrict__ ends, const int* __restrict__ number, const u16* __restrict__ their_sets,
                 const u16* __restrict__ our_sets, int sets, const u64* __restrict__ masks, const u8* __restrict__ cards,
                 const int* __restrict__ same, const int* __restrict__ end_first, const int* __restrict__ end_node,
                 const real* __restrict__ pay, real* value, i64 nodes, i64 low, const i64* __restrict__ their_at,
                 const i64* __restrict__ our_at, const int* __restrict__ group, const u8* __restrict__ many,
                 const real* __restrict__ size) {
    extern __shared__ __align__(16) unsigned char room[];
    PartVec* held = (PartVec*)room;
    real* sums = (real*)(held + sets);  // [WIDE, 32]
    int groups = (lines + WIDE - 1) / WIDE, start = blockIdx.x % groups * WIDE;
    i64 b = blockIdx.x / groups;
    their_order += b * sweeps * theirs, our_order += b * sweeps * ours, ends += b * sweeps * LEVELS, number += b * sweeps;
    i64 g = group[low + b];
    their_sets += g * theirs * SLOTS, many += g * theirs * SLOTS, size += g * theirs;
    our_sets += g * ours * SLOTS, cards += g * ours * 4, same += g * ours;
    reach += (their_at[low + b] - their_at[low]) * reach_rows, value += (our_at[low + b] - our_at[low]) * nodes;
    int their_most = theirs, our_most = ours;
    theirs = (int)(their_at[low + b + 1] - their_at[low + b]), ours = (int)(our_at[low + b + 1] - our_at[low + b]);
    bool shown = start < showdowns, split = number[0] && sweeps > 1;
    real factor = split ? (real)0.25 : (real)0.5;
    Line line[WIDE];
    real* won[WIDE];
#pragma unroll
    for (int l = 0; l < WIDE; l++) {
        int at = min(start + l, lines - 1);
        line[l].reach = reach + (i64)rows[at] * theirs;
        won[l] = value + (i64)end_node[end_first[at]] * ours;
        real sum = 0;
        for (int h = threadIdx.x; h < theirs; h += blockDim.x) sum += size[h] * line[l].reach[h];
        for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
        if (threadIdx.x % 32 == 0) sums[32 * l + threadIdx.x / 32] = sum;
        if (shown && start + l < lines)
            for (int h = threadIdx.x; h < ours; h += blockDim.x) won[l][h] = 0;
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < WIDE; l++) {
        real total = 0;
        for (int w = 0; w < blockDim.x / 32; w++) total += sums[32 * l + w];
        bool some = total > Parts<real>::least;
        line[l].scale = some ? Parts<real>::all / total : (real)0, line[l].unit = total / Parts<real>::all;
    }
    // Add what is counted, times a factor, to what own hands from .. to - 1 of an order beat; `twins` are counted, too.
    auto look = [&](const int* order, int from, int to, bool twins, real times) {
        for (int j = from + threadIdx.x; j < to; j += blockDim.x) {
            int h = order[j], twin = twins ? same[h] : -1;
            PartVec sum = apart(held, our_sets, h);
#pragma unroll
            for (int l = 0; l < WIDE; l++)
                if (start + l < lines) {
                    if (twin >= 0) sum.of[l] += line[l].parts(twin);
                    won[l][h] += times * line[l].unit * (real)(signed_part)sum.of[l];
                }
        }
    };
    for (int sweep = shown ? 0 : sweeps - 1; sweep < sweeps; sweep++) {
        int levels = number[sweep], i = 0, j = 0;
        if (!levels) continue;
        const int *them = their_order + (i64)sweep * their_most, *us = our_order + (i64)sweep * our_most;
        for (int k = threadIdx.x; k < sets; k += blockDim.x) held[k] = PartVec{};
        __syncthreads();
        for (int level = shown ? 0 : levels - 1; level < levels; level++) {
            Level end = ends[sweep * LEVELS + level];
            if (shown) look(us, j, end.of[me], false, factor);
            __syncthreads();
            count_hands(them, i, end.of[1 - me], their_sets, many, line, held);
            __syncthreads();
            if (shown) look(us, j, end.of[me], true, factor);
            i = end.of[1 - me], j = end.of[me];
        }
        __syncthreads();
        if (sweep == 1) look(us, 0, j, true, -factor);
        __syncthreads();
    }
    for (int h = threadIdx.x; h < ours; h += blockDim.x) {
        u64 hand = 0;
#pragma unroll
        for (int c = 0; c < 4; c++) hand |= 1ull << cards[4 * h + c];
        PartVec sum = {};
        bool live = !(hand & masks[b]);
        if (live) sum = apart(held, our_sets, h);
#pragma unroll
        for (int l = 0; l < WIDE; l++)
            if (start + l < lines) {
                if (live && same[h] >= 0) sum.of[l] += line[l].parts(same[h]);
                real met = line[l].unit * (real)(signed_part)sum.of[l], beaten = live && start + l < showdowns ? won[l][h] : (real)0;
                for (int k = end_first[start + l]; k < end_first[start + l + 1]; k++)
                    value[(i64)end_node[k] * ours + h] = pay[2 * k] * met + pay[2 * k + 1] * beaten;
            }
    }
}
