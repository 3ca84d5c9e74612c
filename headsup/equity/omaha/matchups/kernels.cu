// The GPU twin of kernels.py: the same steps, names and argument order, over a batch of rank sets that repeat their ranks in
// the same way (so that parts, places and block shapes agree). kernels.py explains what each step computes and why.
//
// Every array of the batch has the rank set as its first index r. OUTCOMES is 0 or 1, set by the compiler's options.

#define N_SPLITS 35
#define N_BOARDS 6188
#define N_SUITED 2288
#define FULL_HOUSE 7141
#define STRAIGHT_FLUSH 7453
#define GROUPS (OUTCOMES ? 4 : 2)
#define CELLS (OUTCOMES ? 8 : 2)
#define BASE (2 * GROUPS + 4)
#define KEPT (OUTCOMES ? 8 : 2)

// How many (T, U) follow set number t, and where they start in `together`.
__device__ __forceinline__ int size_of(int t) { return t < 286 ? 91 : t < 1001 ? 13 : 1; }
__device__ __forceinline__ int start_of(int t) {
    return t < 286 ? 91 * t : t < 1001 ? 286 * 91 + 13 * (t - 286) : 286 * 91 + 715 * 13 + (t - 1001);
}

__device__ __forceinline__ int weight_of(const int* two, const int* others, int size, int u) {
    return size == 91 ? two[u] : size == 13 ? others[u] : 1;
}

// The ways to draw U from what the other suits have left, by all threads of a block.
__device__ void other_weights(const int* others, const u8* pairs, int* two, int* left) {
    for (int u = threadIdx.x; u < 91; u += blockDim.x) {
        int a = others[pairs[2 * u]], b = others[pairs[2 * u + 1]];
        two[u] = pairs[2 * u] == pairs[2 * u + 1] ? a * (a - 1) / 2 : a * b;
    }
    for (int rank = threadIdx.x; rank < 13; rank += blockDim.x) left[rank] = others[rank];
    __syncthreads();
}

// best[m] = the best flush of the cards in mask m with T, for all m, by `threads` threads.
__device__ void best_flushes(const u16* flush, const int* ranks, const int* cards, int n_cards, int t, u16* best,
                             int thread, int threads) {
    for (int m = thread; m < (1 << n_cards); m += threads) {
        int value = 0;
        for (int i = 1; i < n_cards; i++)
            if (m >> i & 1)
                for (int j = 0; j < i; j++)
                    if (m >> j & 1) {
                        int high = ranks[cards[i]], low = ranks[cards[j]];
                        value = max(value, (int)flush[(low + high * (high - 1) / 2) * N_SUITED + t]);
                    }
        best[m] = value;
    }
}

// The cards of a suit's places, and how many.
__device__ int places_to_cards(int places, int* cards) {
    int n = 0;
    for (int i = 0; i < 8; i++)
        if (places >> i & 1) cards[n++] = i;
    return n;
}

__device__ int share_of(int split, const int* cards, int n_cards) {
    int mine = 0;
    for (int i = 0; i < n_cards; i++) mine |= (split >> cards[i] & 1) << i;
    return mine;
}

extern "C" __global__ void board_weights(const u8* rank_boards, const int* choose, const int* left, int* weights) {
    int r = blockIdx.y, b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= N_BOARDS) return;
    int weight = 1, run = 1;
    for (int i = 1; i < 6; i++) {
        int rank = rank_boards[5 * b + i - 1];
        if (i < 5 && rank_boards[5 * b + i] == rank) {
            run++;
        } else {
            weight *= choose[6 * left[13 * r + rank] + run];
            run = 1;
        }
    }
    weights[r * N_BOARDS + b] = weight;
}

// One block a rank set: how many boards the weights are.
extern "C" __global__ void count_boards(const int* weights, i64* boards) {
    i64 mine = 0;
    for (int b = threadIdx.x; b < N_BOARDS; b += blockDim.x) mine += weights[blockIdx.y * N_BOARDS + b];
    atomicAdd((u64*)&boards[blockIdx.y], (u64)mine);
}

// One block a part of a rank set.
extern "C" __global__ void features(const u16* high, const u8* low, const int* parts, const int* weights, int n, u8* codes,
                                    float* dense, u8* lanes, i64* base) {
    int r = blockIdx.y, q = blockIdx.x;
    size_t first = parts[2 * (r * n + q)], second = parts[2 * (r * n + q) + 1];
    __shared__ u64 sums[BASE];
    for (int c = threadIdx.x; c < BASE; c += blockDim.x) sums[c] = 0;
    __syncthreads();
    i64 mine[BASE];
    for (int c = 0; c < BASE; c++) mine[c] = 0;
    float* flat = dense + (size_t)r * (OUTCOMES ? 3 : 2) * GROUPS * n * N_BOARDS;
    for (int b = threadIdx.x; b < N_BOARDS; b += blockDim.x) {
        int x = high[first * N_BOARDS + b], y = high[second * N_BOARDS + b];
        int u = low[first * N_BOARDS + b], v = low[second * N_BOARDS + b];
        int s = (x > y) - (x < y), plain = x < FULL_HOUSE && y < FULL_HOUSE;
        int share = (u | v) == 0 ? 0 : u > v ? 1 : u < v ? 3 : 2;
        codes[((size_t)r * n + q) * N_BOARDS + b] = (s + 1) | plain << 2 | share << 3;
        i64 weight = weights[r * N_BOARDS + b];
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            int inside = OUTCOMES ? share == g : g == 0 || share != 0;
            int held = plain && inside;
            flat[(size_t)(g * n + q) * N_BOARDS + b] = held;
            flat[(size_t)((GROUPS + g) * n + q) * N_BOARDS + b] = held * s;
            if (OUTCOMES) flat[(size_t)((2 * GROUPS + g) * n + q) * N_BOARDS + b] = held && s == 0;
            lanes[((size_t)r * N_BOARDS + b) * GROUPS * n + g * n + q] = held;
            mine[g] += inside ? weight * s : 0;
            if (OUTCOMES) mine[GROUPS + g] += inside && s == 0 ? weight : 0;
        }
#pragma unroll
        for (int c = 0; c < 4; c++) mine[2 * GROUPS + c] += share == c ? weight : 0;
    }
#pragma unroll
    for (int c = 0; c < BASE; c++) {
        for (int step = 16; step; step >>= 1) mine[c] += __shfl_down_sync(0xffffffffu, mine[c], step);
        if (threadIdx.x % 32 == 0) atomicAdd(&sums[c], (u64)mine[c]);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < BASE; c += blockDim.x) base[(size_t)(r * n + q) * BASE + c] = (i64)sums[c];
}

// One block a suit set of a rank set.
extern "C" __global__ void suit_weights(const u16* suited, const u16* together, const int* sets, const int* others, int deck,
                                        const u8* pairs, int n_sets, float* rows) {
    int r = blockIdx.y, i = blockIdx.x, held = sets[r * n_sets + i];
    __shared__ int row[N_BOARDS], two[91], left[13];
    for (int b = threadIdx.x; b < N_BOARDS; b += blockDim.x) row[b] = 0;
    other_weights(others + 13 * (r * n_sets + i), pairs, two, left);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int t = warp; t < N_SUITED; t += blockDim.x / 32) {
        if (suited[t] & held || suited[t] & ~deck) continue;
        int size = size_of(t), at = start_of(t);
        for (int u = lane; u < size; u += 32) {
            int w = weight_of(two, left, size, u);
            if (w) atomicAdd(&row[together[at + u]], w);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < N_BOARDS; b += blockDim.x) rows[((size_t)r * n_sets + i) * N_BOARDS + b] = row[b];
}

#define MAX_WARPS 4
#define MAX_WIDTH (GROUPS * N_SPLITS)

// One block a suit set of four or more cards of a rank set; a warp takes one T at a time, its lanes the parts by group.
extern "C" __global__ void contested(const u16* suited, const u16* together, const u16* flush, const int* ranks,
                                     const int* splits, const int* sets, const int* places, const int* others, int deck,
                                     const u8* pairs, const int* part_of, int n, const u8* lanes, int n_sets,
                                     const int* large, int* won) {
    int r = blockIdx.y, i = large[blockIdx.x], held = sets[r * n_sets + i], width = GROUPS * n;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __shared__ int two[91], left[13], cards[8], n_cards, rank[8], mine[N_SPLITS], total[GROUPS * N_SPLITS];
    __shared__ u16 best[MAX_WARPS][256], sums[MAX_WARPS][MAX_WIDTH];
    if (threadIdx.x == 0) n_cards = places_to_cards(places[i], cards);
    if (threadIdx.x < 8) rank[threadIdx.x] = ranks[8 * r + threadIdx.x];
    for (int k = threadIdx.x; k < GROUPS * N_SPLITS; k += blockDim.x) total[k] = 0;
    other_weights(others + 13 * (r * n_sets + i), pairs, two, left);
    if (threadIdx.x < N_SPLITS) mine[threadIdx.x] = share_of(splits[threadIdx.x], cards, n_cards);
    __syncthreads();
    int every = (1 << n_cards) - 1;
    const u8* lane_of = lanes + (size_t)r * N_BOARDS * width;
    for (int t = warp; t < N_SUITED; t += blockDim.x / 32) {
        if (suited[t] & held || suited[t] & ~deck) continue;
        int size = size_of(t), at = start_of(t);
        for (int k = lane; k < width; k += 32) {
            int sum = 0;
            for (int u = 0; u < size; u++)
                sum += weight_of(two, left, size, u) * lane_of[(size_t)together[at + u] * width + k];
            sums[warp][k] = sum;
        }
        best_flushes(flush, rank, cards, n_cards, t, best[warp], lane, 32);
        __syncwarp();
        for (int p = lane; p < N_SPLITS; p += 32) {
            int first = best[warp][mine[p]], second = best[warp][every ^ mine[p]];
            if (first > second && second)
                for (int g = 0; g < GROUPS; g++) atomicAdd(&total[g * N_SPLITS + p], (int)sums[warp][g * n + part_of[p]]);
        }
        __syncwarp();
    }
    __syncthreads();
    for (int k = threadIdx.x; k < GROUPS * N_SPLITS; k += blockDim.x)
        won[((size_t)r * n_sets + i) * GROUPS * N_SPLITS + k] = total[k];
}

// One block a suit set of a rank set, one thread a split.
extern "C" __global__ void corrections(const u16* together, const u16* flush, const int* sf_from, const u16* sf_sets,
                                       const u8* pairs, const int* ranks, const int* splits, const int* part_of,
                                       const u8* turned, int n, const int* sets, const int* places, const int* others,
                                       const u8* codes, const float* products, const int* won, int n_sets, int* change) {
    int r = blockIdx.y, i = blockIdx.x, p = threadIdx.x, held = sets[r * n_sets + i];
    __shared__ int two[91], left[13], cards[8], n_cards, rank[8];
    __shared__ u16 best[256];
    if (threadIdx.x == 0) n_cards = places_to_cards(places[i], cards);
    if (threadIdx.x < 8) rank[threadIdx.x] = ranks[8 * r + threadIdx.x];
    other_weights(others + 13 * (r * n_sets + i), pairs, two, left);
    int mine = 0, q = 0, flip = 0, out[2 * GROUPS];
    for (int c = 0; c < 2 * GROUPS; c++) out[c] = 0;
    if (p < N_SPLITS) {
        mine = share_of(splits[p], cards, n_cards), q = part_of[p], flip = turned[p];
        int first = __popc(mine), second = n_cards - first;
        const float* product = products + ((size_t)r * n_sets + i) * (OUTCOMES ? 3 : 2) * GROUPS * n;
        if (first >= 2 || second >= 2)
            for (int g = 0; g < GROUPS; g++) {
                int group = OUTCOMES && flip ? (4 - g) % 4 : g;
                int plain = (int)product[group * n + q], without = (int)product[(GROUPS + group) * n + q];
                int with = second < 2  ? plain
                           : first < 2 ? -plain
                                       : 2 * won[(((size_t)r * n_sets + i) * GROUPS + group) * N_SPLITS + p] - plain;
                out[g] = with - (flip ? -without : without);
                if (OUTCOMES) out[GROUPS + g] = -(int)product[(2 * GROUPS + group) * n + q];
            }
    }
    const u8* code_of = codes + ((size_t)r * n + q) * N_BOARDS;
    for (int k = sf_from[held]; k < sf_from[held + 1]; k++) {
        int t = sf_sets[k], size = size_of(t), at = start_of(t);
        __syncthreads();
        best_flushes(flush, rank, cards, n_cards, t, best, threadIdx.x, blockDim.x);
        __syncthreads();
        int first = best[mine], second = best[((1 << n_cards) - 1) ^ mine];
        if (p >= N_SPLITS || max(first, second) < STRAIGHT_FLUSH) continue;
        int h = first > second ? 1 : -1;
        for (int u = 0; u < size; u++) {
            int w = weight_of(two, left, size, u), code = code_of[together[at + u]];
            if (w == 0 || code & 4) continue;
            int s = (code & 3) - 1, share = code >> 3;
            if (flip) s = -s;
            if (OUTCOMES) {
                if (flip) share = (4 - share) % 4;
                for (int g = 0; g < GROUPS; g++) {
                    out[g] += g == share ? w * (h - s) : 0;
                    out[GROUPS + g] -= g == share && s == 0 ? w : 0;
                }
            } else {
                out[0] += w * (h - s);
                out[1] += share ? w * (h - s) : 0;
            }
        }
    }
    if (p < N_SPLITS)
        for (int c = 0; c < CELLS; c++) change[(((size_t)r * n_sets + i) * N_SPLITS + p) * CELLS + c] = out[c];
}

// One block a rank set and position set, one thread a split; set_at[P] = the suit set with these ranks, or -1.
extern "C" __global__ void spread(const int* lowest, const int* splits, const int* split_index, const int* set_at,
                                  const int* change, int n_sets, int* by_places) {
    int r = blockIdx.y, places = blockIdx.x, p = threadIdx.x;
    if (p >= N_SPLITS) return;
    int* to = by_places + (((size_t)r * 256 + places) * N_SPLITS + p) * CELLS;
    for (int c = 0; c < CELLS; c++) to[c] = 0;
    if (set_at[places] < 0) return;
    int split = splits[p];
    for (int i = 0; i < 8; i++)
        if (places >> i & 1 && (split >> i ^ split >> lowest[i]) & 1) split ^= 1 << i | 1 << lowest[i];
    int flip = !(split & 1), q = split_index[flip ? 255 ^ split : split];
    const int* from = change + (((size_t)r * n_sets + set_at[places]) * N_SPLITS + q) * CELLS;
    for (int g = 0; g < GROUPS; g++) {
        int group = OUTCOMES && flip ? (4 - g) % 4 : g;
        to[g] = flip ? -from[group] : from[group];
        if (OUTCOMES) to[GROUPS + g] = from[GROUPS + group];
    }
}

__device__ void add_to(i64* sums, int x, int cells, int cell, i64 value) {
    atomicAdd((u64*)&sums[(size_t)x * cells + cell], (u64)value);
}

__device__ void add_result(const i64* value, const i64* base, int flip, int orbit, int cell, int cells, i64* sums,
                           i64* number) {
    int sign = flip ? -1 : 1;
    atomicAdd((u64*)&number[cell], (u64)orbit);
    if (OUTCOMES) {
        for (int share = 0; share < 4; share++) {
            int low = flip ? (4 - share) % 4 : share;
            i64 boards = base[8 + low], tie = value[4 + low], win = (boards - tie + sign * value[low]) / 2;
            i64 lose = boards - tie - win;
            int best = share ? share - 1 : 0, step = share ? 1 : 2;
            add_to(sums, best, cells, cell, orbit * win);
            add_to(sums, best + step, cells, cell, orbit * tie);
            add_to(sums, best + 2 * step, cells, cell, orbit * lose);
            add_to(sums, 5, cells, cell, orbit * win);
            add_to(sums, 6, cells, cell, orbit * tie);
            add_to(sums, 7, cells, cell, orbit * lose);
        }
    } else {
        i64 boards = base[4] + base[5] + base[6] + base[7];
        add_to(sums, 0, cells, cell, orbit * (2 * boards + sign * (2 * value[0] - value[1] + base[5] - base[7])));
        add_to(sums, 1, cells, cell, orbit * (2 * boards + sign * 2 * value[0]));
    }
}

// One thread a way to give suits to the ranks; those that are not the first of their orbit stop at once.
// options[c] lists, for c cards of a rank, the choices of suits; runs = how often each rank repeats, lowest first.
extern "C" __global__ void deals(const int* ranks, const int* splits, const int* hands, const u16* class_of_combo,
                                 const int* binomial, const int* first_class, const int* n_classes, const i64* base,
                                 const int* by_places, const int* part_of, const u8* turned, const int* block_at, int n,
                                 const int* runs, int n_runs, int n_ways, int cells, i64* sums, i64* number, int* census,
                                 const int* census_slot, int census_size) {
    const int n_options[5] = {1, 4, 6, 4, 1};
    const int options[5][6] = {{0}, {1, 2, 4, 8}, {3, 5, 6, 9, 10, 12}, {7, 11, 13, 14}, {15}};
    int r = blockIdx.y, way = blockIdx.x * blockDim.x + threadIdx.x;
    if (way >= n_ways) return;
    int suits[8], places[4] = {0, 0, 0, 0}, tied = 7, at = 8;
    for (int k = n_runs - 1; k >= 0; k--) {
        int option = options[runs[k]][way % n_options[runs[k]]];
        way /= n_options[runs[k]];
        if (tied & ~option & (option >> 1)) return;
        tied &= ~(option ^ (option >> 1));
        at -= runs[k];
        int i = at;
        for (int suit = 0; suit < 4; suit++)
            if (option >> suit & 1) {
                suits[i] = suit;
                places[suit] |= 1 << i;
                i++;
            }
    }
    tied &= 7;
    int orbit = 24 / (tied == 7 ? 24 : tied == 3 || tied == 6 ? 6 : tied == 5 ? 4 : tied ? 2 : 1);

    int size[4], group[4];
    for (int suit = 0; suit < 4; suit++) {
        size[suit] = __popc(places[suit]);
        group[suit] = suit ? group[suit - 1] + 1 - (tied >> (suit - 1) & 1) : 0;
    }
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && (size[j] > size[j - 1] || (size[j] == size[j - 1] && group[j] > group[j - 1])); j--) {
            int keep = size[j]; size[j] = size[j - 1]; size[j - 1] = keep;
            keep = group[j]; group[j] = group[j - 1]; group[j - 1] = keep;
        }
    int ties = (group[0] == group[1]) | (group[1] == group[2]) << 1 | (group[2] == group[3]) << 2;
    int key = census_slot[((size[0] * 9 + size[1]) * 9 + size[2]) * 8 + ties];
    atomicAdd(&census[((size_t)r * census_size + key) * 2], 1);
    atomicAdd(&census[((size_t)r * census_size + key) * 2 + 1], orbit);

    sums += (size_t)r * KEPT * cells;
    number += (size_t)r * cells;
    const int* hand_of = hands + 256 * r;
    for (int p = 0; p < N_SPLITS; p++) {
        int q = part_of[p], flip = turned[p], first = splits[p], second = 255 ^ splits[p], local[2];
        if (flip) { int keep = first; first = second; second = keep; }
        for (int turn = 0; turn < 2; turn++) {
            int hand = turn ? second : first, index = 0, k = 1;
            for (int i = 0; i < 8; i++)
                if (hand >> i & 1) index += binomial[(4 * ranks[8 * r + i] + suits[i]) * 9 + k++];
            local[turn] = (int)class_of_combo[index] - first_class[hand_of[hand]];
        }
        const i64* from = base + (size_t)(r * n + q) * BASE;
        i64 value[CELLS];
        for (int c = 0; c < CELLS; c++) {
            int cell = OUTCOMES && flip ? (4 - c % 4) % 4 + c / 4 * 4 : c;
            i64 change = 0;
            for (int suit = 0; suit < 4; suit++)
                change += by_places[(((size_t)r * 256 + places[suit]) * N_SPLITS + p) * CELLS + cell];
            value[c] = from[c] + (c < GROUPS && flip ? -change : change);
        }
        int columns = n_classes[hand_of[second]];
        add_result(value, from, 0, orbit, block_at[q] + local[0] * columns + local[1], cells, sums, number);
        if (hand_of[first] == hand_of[second])
            add_result(value, from, 1, orbit, block_at[q] + local[1] * columns + local[0], cells, sums, number);
    }
}

// One thread a cell of a rank set: what is stored of it; the cells that do not divide evenly are counted.
extern "C" __global__ void keep(const i64* sums, const i64* number, const i64* sizes, int cells, unsigned int* kept, u8* met,
                                int* faults) {
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells) return;
    size_t r = blockIdx.y;
    i64 size = sizes[cell], hands = number[r * cells + cell];
    int uneven = hands % size != 0;
    met[r * cells + cell] = hands / size;
    for (int x = 0; x < KEPT; x++) {
        i64 sum = sums[(r * KEPT + x) * cells + cell];
        uneven |= sum % size != 0;
        kept[(r * KEPT + x) * cells + cell] = sum / size;
    }
    if (uneven) atomicAdd(faults, 1);
}
