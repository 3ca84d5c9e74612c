// The GPU twin of feature_kernels.py: the same numbers under the same names. gpu.py launches them.
//
// A block has a board (or a set of cards and its run-outs), a thread some of its hands. A GPU has so many lanes that every hand is
// simply compared with every other, where the CPU sorts: 1.2 million comparisons a board. All sums of strengths are
// integers; what is floating is added up by one thread in a fixed order. So the same input gives the same bits.

#define MOST_HANDS 1326
#define BLOCKED 65535

// The value of each hand on a board of k cards, 0 where it shares a card with it.
__device__ void value_hands(const u8* board, int k, const u8* cards, int hands, const Evaluator& tables, u16* out) {
    u64 mask = 0, key = NO_CARDS;
    for (int j = 0; j < k; j++) {
        mask |= 1ULL << board[j];
        key += tables.card_keys[board[j]];
    }
    for (int h = threadIdx.x; h < hands; h += blockDim.x) {
        int a = cards[2 * h], b = cards[2 * h + 1];
        u64 own = 1ULL << a | 1ULL << b;
        out[h] = mask & own ? 0 : value_of(key + tables.card_keys[a] + tables.card_keys[b], mask | own, tables);
    }
}

// On each board, twice the hands that each hand beats and once those that it ties with; a block a board.
//   boards uint8[n, k], cards uint8[hands, 2], out uint16[n, hands]
extern "C" __global__ void against_random(const u8* boards, int k, const u8* cards, int hands, const u64* card_keys,
                                          const u32* row_starts, const u16* values, const u16* flush, u16* out) {
    __shared__ u16 value[MOST_HANDS];
    __shared__ u64 held[MOST_HANDS];
    i64 board = blockIdx.x;
    value_hands(boards + board * k, k, cards, hands, {card_keys, row_starts, values, flush}, value);
    for (int h = threadIdx.x; h < hands; h += blockDim.x) held[h] = 1ULL << cards[2 * h] | 1ULL << cards[2 * h + 1];
    __syncthreads();
    for (int h = threadIdx.x; h < hands; h += blockDim.x) {
        int mine = value[h], found = 0;
        u64 own = held[h];
        for (int o = 0; o < hands; o++) {
            int theirs = value[o];
            int meets = theirs != 0 && !(held[o] & own);
            found += meets ? (mine > theirs) + (mine >= theirs) : 0;
        }
        out[board * hands + h] = mine ? (u16)found : (u16)BLOCKED;
    }
}

// The same against K lists of weighted hands, summed over the run-outs of each set; a block a set.
//   boards uint8[run-outs, k], weights float64[hands, lists], first int64[sets + 1], copies int32[run-outs],
//   won and met float64[sets, hands, lists], which begin at zero
extern "C" __global__ void against_weights(const u8* boards, int k, const u8* cards, int hands, const u64* card_keys,
                                           const u32* row_starts, const u16* values, const u16* flush, const double* weights,
                                           int lists, const i64* first, const int* copies, double* won, double* met) {
    __shared__ u16 value[MOST_HANDS];
    __shared__ u64 held[MOST_HANDS];
    i64 set = blockIdx.x;
    for (int h = threadIdx.x; h < hands; h += blockDim.x) held[h] = 1ULL << cards[2 * h] | 1ULL << cards[2 * h + 1];
    for (i64 c = first[set]; c < first[set + 1]; c++) {
        __syncthreads();
        value_hands(boards + c * k, k, cards, hands, {card_keys, row_starts, values, flush}, value);
        __syncthreads();
        for (int h = threadIdx.x; h < hands; h += blockDim.x) {
            int mine = value[h];
            if (!mine) continue;
            u64 own = held[h];
            double* wins = won + (set * hands + h) * lists;
            double* meets = met + (set * hands + h) * lists;
            for (int at = 0; at < lists; at += 8) {
                double w[8] = {0, 0, 0, 0, 0, 0, 0, 0}, m[8] = {0, 0, 0, 0, 0, 0, 0, 0};
                int some = lists - at < 8 ? lists - at : 8;
                for (int o = 0; o < hands; o++) {
                    int theirs = value[o];
                    if (theirs == 0 || (held[o] & own)) continue;
                    double share = 0.5 * ((mine > theirs) + (mine >= theirs));
#pragma unroll
                    for (int j = 0; j < 8; j++) {
                        double weight = j < some ? weights[o * lists + at + j] : 0.0;
                        w[j] += share * weight;
                        m[j] += weight;
                    }
                }
#pragma unroll
                for (int j = 0; j < 8; j++)
                    if (j < some) {
                        wins[at + j] += copies[c] * w[j];
                        meets[at + j] += copies[c] * m[j];
                    }
            }
        }
    }
}

// Strengths, squares and bins added up over the run-outs of each set; blockIdx.x a set, blockIdx.y some of its hands.
//   table uint16[.., hands]; row int64, renaming uint8 and copies int32 [run-outs]; maps int16[24, hands]; first int64[sets + 1];
//   bin_of uint8[strengths]; sums int64[sets, hands, 2]; histogram int32[sets, hands, bins]; both begin at zero
extern "C" __global__ void sum_run_outs(const u16* table, const i64* row, const u8* renaming, const short* maps, int hands,
                                        const i64* first, const int* copies, const u8* bin_of, int bins, i64* sums,
                                        int* histogram) {
    i64 set = blockIdx.x;
    for (int h = blockIdx.y * blockDim.x + threadIdx.x; h < hands; h += gridDim.y * blockDim.x) {
        i64 total = 0, square = 0;
        int* mine = histogram + (set * hands + h) * bins;
        for (i64 c = first[set]; c < first[set + 1]; c++) {
            i64 s = table[row[c] * hands + maps[renaming[c] * hands + h]];
            if (s == BLOCKED) continue;
            total += copies[c] * s;
            square += copies[c] * s * s;
            if (bins) mine[bin_of[s]] += copies[c];
        }
        sums[2 * (set * hands + h)] = total;
        sums[2 * (set * hands + h) + 1] = square;
    }
}

// Rows of buckets for boards low .. low + n - 1: the table's row of a board's set, hands renamed; a thread a board and hand.
//   table uint8, uint16 or uint32 (WIDTH bytes each) [sets, hands]; sets int32, renaming uint8 [boards];
//   maps int16[24, columns]: where each hand of the seat stands under a renaming; out the same type [n, columns]
#define GATHER(name, type)                                                                                                    \
    extern "C" __global__ void name(const type* table, int hands, const int* sets, const u8* renaming, const short* maps,     \
                                    int columns, i64 low, i64 n, type* out) {                                                 \
        i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;                                                                   \
        if (i >= n * columns) return;                                                                                         \
        i64 board = low + i / columns;                                                                                        \
        int h = i % columns;                                                                                                  \
        out[i] = table[(i64)sets[board] * hands + maps[renaming[board] * columns + h]];                                       \
    }
GATHER(gather1, u8)
GATHER(gather2, u16)
GATHER(gather4, u32)

// Nested buckets: the bucket on the street before, of boards from `first` on, times the number of new ones, plus the new one.
//   before uint32[.., columns], parent int32[boards], own uint8, uint16 or uint32 [n, columns], out uint32[n, columns]
#define NEST(name, type)                                                                                                      \
    extern "C" __global__ void name(const u32* before, i64 first, const int* parent, const type* own, u32 size, int columns,  \
                                    i64 low, i64 n, u32* out) {                                                               \
        i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;                                                                   \
        if (i >= n * columns) return;                                                                                         \
        i64 above = parent[low + i / columns] - first;                                                                        \
        out[i] = before[above * columns + i % columns] * size + own[i];                                                       \
    }
NEST(nest1, u8)
NEST(nest2, u16)
NEST(nest4, u32)
