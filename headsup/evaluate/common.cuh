// What the CUDA sources share: types, the evaluator, and sums over sorted hands. `headsup.evaluate.cuda` puts this text above
// each source before it is compiled.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

#define CARDS 52
#define NO_CARDS (0x3333ULL << 32)
#define FLUSH_BITS (0x8888ULL << 32)

struct Evaluator {  // evaluate/tables.py explains the tables
    const u64* card_keys;
    const u32* row_starts;
    const u16* values;
    const u16* flush;
};

// The value of up to seven cards, given the sum of their keys and NO_CARDS, and their set.
__device__ inline u16 value_of(u64 key, u64 cards, const Evaluator& tables) {
    u64 full = (key & FLUSH_BITS) >> 32;
    if (full) {
        int suit = full >> 7 & 1 ? 1 : full >> 11 & 1 ? 2 : full >> 15 & 1 ? 3 : 0, ranks = 0;
        for (int rank = 0; rank < 13; rank++) ranks |= (int)(cards >> (4 * rank + suit) & 1) << rank;
        return tables.flush[ranks];
    }
    return tables.values[tables.row_starts[key & 8191] + (key >> 13 & 8191)];
}

// How many of n sorted numbers are below a bound.
template <class T, class Bound>
__device__ inline int count_below(const T* numbers, int n, Bound bound) {
    int low = 0;
    while (low < n) {
        int middle = (low + n) / 2;
        if (numbers[middle] < bound)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// The same number on N betting lines.
template <class T, int N>
struct alignas(N * sizeof(T)) Vector {
    T of[N];
};

// Where a hand finds its running sums: of weaker hands, of hands that are not stronger, and of all hands; then the same among the
// hands with its first card and among those with its second card.
struct alignas(16) SumIndex {
    u16 low, high, first_low, first_high, second_low, second_high, first_end, second_end;
};

// Running sums of n vectors by `threads` threads, a multiple of 32, of which this is number t: out[i] is the sum of the first i.
// `in` and `out` may be the same. `part` holds 32 vectors in shared memory; `wait` is a barrier for these threads.
template <class T, int N, class Wait>
__device__ inline void running_sums(const Vector<T, N>* in, Vector<T, N>* out, int n, int t, int threads, Vector<T, N>* part,
                                    Wait wait) {
    // Each thread takes an odd number of vectors, so that the threads of a warp use different memory banks.
    int each = (n + threads - 1) / threads | 1, lane = t % 32, warp = t / 32;
    int from = min(n, t * each), to = min(n, from + each);
    Vector<T, N> own, run, base;
#pragma unroll
    for (int l = 0; l < N; l++) own.of[l] = base.of[l] = 0;
    for (int i = from; i < to; i++) {
        Vector<T, N> here = in[i];
#pragma unroll
        for (int l = 0; l < N; l++) own.of[l] += here.of[l];
    }
#pragma unroll
    for (int l = 0; l < N; l++) {
        T up = own.of[l];
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            T other = __shfl_up_sync(0xffffffff, up, step);
            if (lane >= step) up += other;
        }
        T before = __shfl_up_sync(0xffffffff, up, 1);
        run.of[l] = lane ? before : (T)0;
        if (lane == 31) part[warp].of[l] = up;
    }
    wait();
    for (int w = 0; w < warp; w++) {
        Vector<T, N> here = part[w];
#pragma unroll
        for (int l = 0; l < N; l++) base.of[l] += here.of[l];
    }
#pragma unroll
    for (int l = 0; l < N; l++) run.of[l] += base.of[l];
    for (int i = from; i < to; i++) {
        Vector<T, N> here = in[i];
        out[i] = run;
#pragma unroll
        for (int l = 0; l < N; l++) run.of[l] += here.of[l];
    }
    if (t == threads - 1) out[n] = run;
}

// Running sums of the hands with each card: held[begin[c] + k] is the sum of the first k. `list` holds their places, card by card.
template <class T, int N>
__device__ inline void card_sums(const Vector<T, N>* in, const u16* begin, const u16* list, Vector<T, N>* held, int t,
                                 int threads) {
    for (; t < CARDS * N; t += threads) {
        int c = t / N, l = t % N, k = begin[c], last = begin[c + 1] - 1;
        T run = 0;
        held[k].of[l] = 0;
        for (; k + 4 <= last; k += 4) {  // four reads before the first write: the compiler must assume that they overlap
            T next[4];
#pragma unroll
            for (int i = 0; i < 4; i++) next[i] = in[list[k - c + i]].of[l];
#pragma unroll
            for (int i = 0; i < 4; i++) held[k + 1 + i].of[l] = run += next[i];
        }
        for (; k < last; k++) held[k + 1].of[l] = run += in[list[k - c]].of[l];
    }
}

// The opponent's reach with hands that share no card with a hand. `equal` is its reach with the same two cards, which both card
// sums contain.
template <class T, int N>
__device__ inline Vector<T, N> opponent_reach(const Vector<T, N>* sum, const Vector<T, N>* held, int n, SumIndex at,
                                              Vector<T, N> equal) {
    Vector<T, N> all = sum[n], x = held[at.first_end], y = held[at.second_end];
#pragma unroll
    for (int l = 0; l < N; l++) all.of[l] = all.of[l] - x.of[l] - y.of[l] + equal.of[l];
    return all;
}

// The part of that reach that the hand beats, and half of the part that it ties with.
template <class T, int N>
__device__ inline Vector<T, N> beaten_reach(const Vector<T, N>* sum, const Vector<T, N>* held, SumIndex at, Vector<T, N> equal) {
    Vector<T, N> weaker = sum[at.low], x_weaker = held[at.first_low], y_weaker = held[at.second_low];
    Vector<T, N> up_to = sum[at.high], x_up_to = held[at.first_high], y_up_to = held[at.second_high];
#pragma unroll
    for (int l = 0; l < N; l++) {
        T beaten = weaker.of[l] - x_weaker.of[l] - y_weaker.of[l];
        T not_lost = up_to.of[l] - x_up_to.of[l] - y_up_to.of[l] + equal.of[l];
        weaker.of[l] = (T)0.5 * (beaten + not_lost);
    }
    return weaker;
}

// Add the values that hand h has on boards from .. to - 1, once for each board that they stand for, on N lines at once. `below`
// begins at board `low` and has `step` numbers a board.
template <class T, int N, class Hand>
__device__ inline void add_boards(T (&sum)[N], const T* const (&below)[N], i64 step, i64 low, i64 from, i64 to, const i64* first,
                                  const u8* renaming, const Hand* maps, int maps_size, int h) {
    for (i64 c = from; c < to; c++)
        for (i64 k = first[c]; k < first[c + 1]; k++) {
            i64 at = (c - low) * step + maps[(i64)renaming[k] * maps_size + h];
#pragma unroll
            for (int n = 0; n < N; n++) sum[n] += below[n][at];
        }
}

// The chance, from 0 to 1, by which the numbers of a row are rounded up to int16: see `_pack` among the CPU's kernels of walks.
template <class T>
__device__ inline T rounding_chance(i64 place, i64 key) {
    u64 seed = (u64)(place * 0x9E3779B1ll + key * 0x85EBCA77ll) & 0xFFFFFFFFull;
    return (T)(((seed ^ (seed >> 15)) * 0x2C1B3C6Dull & 0xFFFFFFFFull) >> 8) / (1 << 24);
}
