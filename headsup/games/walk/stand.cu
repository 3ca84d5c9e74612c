// Boards for the walks of buckets.cu: where hands stand on them, and values from one street to the street above; launched by
// gpu_buckets.py.
//
//   stand  where the hands stand on each board, and card by card
//   collect_values  values of a street's boards onto those above

typedef REAL real;

#define SORTED 2048
#define DEAD 0xFFFFu

// Where the hands of a board stand, weakest first; one block a board.
//   hand_cards [hands][2]; last: whether hands are compared here, else all are alike
//   order [hands] the hands by place, the `alive` ones; look [hands] by place
//   begin [CARDS + 1] where the sums of each card begin: one more than there are hands with it; list [2 hands] their places
extern "C" __global__ void stand(const u8* cards, int k, const u8* hand_cards, int hands, int last, const u64* keys,
                                 const u32* row_starts, const u16* values, const u16* flush, u16* order, int* alive, u16* begin,
                                 u16* list, SumIndex* look) {
    __shared__ u32 key[SORTED];
    __shared__ u16 places[SORTED * 2], from[CARDS + 1];
    __shared__ u8 board[8];
    i64 b = blockIdx.x;
    order += b * hands, begin += b * (CARDS + 1), list += b * 2 * hands, look += b * hands;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t < k) board[t] = cards[b * k + t];
    __syncthreads();
    Evaluator tables = {keys, row_starts, values, flush};
    u64 mask = 0, lying = NO_CARDS;
    for (int i = 0; i < k; i++) mask |= 1ull << board[i], lying += keys[board[i]];
    for (int h = t; h < SORTED; h += blockDim.x) {
        u32 mine = 0xFFFFFFFFu;
        if (h < hands) {
            const u8* two = hand_cards + 2 * h;
            u64 own = 1ull << two[0] | 1ull << two[1];
            u32 value = mask & own ? DEAD : last ? value_of(lying + keys[two[0]] + keys[two[1]], mask | own, tables) : 0;
            mine = value << 11 | h;
        }
        key[h] = mine;
    }
    for (int size = 2; size <= SORTED; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (int i = t; i < SORTED / 2; i += blockDim.x) {
                int a = 2 * i - (i & (step - 1)), c = a + step;
                u32 x = key[a], y = key[c];
                if ((x > y) == !(a & size)) key[a] = y, key[c] = x;
            }
        }
    __syncthreads();
    int n = count_below(key, hands, DEAD << 11);
    for (int c = warp; c < CARDS; c += blockDim.x / 32) {  // how many hands hold each card
        int found = 0;
        for (int i = lane; i < n; i += 32) {
            const u8* two = hand_cards + 2 * (key[i] & 2047);
            found += two[0] == c || two[1] == c;
        }
        for (int s = 16; s; s /= 2) found += __shfl_xor_sync(0xffffffff, found, s);
        if (lane == 0) from[c + 1] = found + 1;
    }
    __syncthreads();
    if (t == 0) {
        from[0] = 0;
        for (int c = 0; c < CARDS; c++) from[c + 1] += from[c];
        alive[b] = n;
    }
    __syncthreads();
    for (int c = warp; c < CARDS; c += blockDim.x / 32) {
        int at = from[c] - c;
        for (int start = 0; start < n; start += 32) {
            int i = start + lane;
            bool has = false;
            if (i < n) {
                const u8* two = hand_cards + 2 * (key[i] & 2047);
                has = two[0] == c || two[1] == c;
            }
            u32 who = __ballot_sync(0xffffffff, has);
            if (has) places[at + __popc(who & ((1u << lane) - 1))] = i;
            at += __popc(who);
        }
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        u32 mine = key[i];
        u32 weakest = mine >> 11 << 11;  // of the hands that are as strong
        int h = mine & 2047, low = count_below(key, i, weakest);
        int high = i + 1 + count_below(key + i + 1, n - i - 1, weakest + 2048);
        u16 at[4];
        for (int side = 0; side < 2; side++) {
            int x = hand_cards[2 * h + side], first = from[x] - x, count = from[x + 1] - from[x] - 1;
            at[2 * side] = from[x] + count_below(places + first, count, low);
            at[2 * side + 1] = from[x] + count_below(places + first, count, high);
        }
        int x = hand_cards[2 * h], y = hand_cards[2 * h + 1];
        look[i] = {(u16)low, (u16)high, at[0], at[1], at[2], at[3], (u16)(from[x + 1] - 1), (u16)(from[y + 1] - 1)};
        order[i] = h;
    }
    for (int i = t; i < 2 * n; i += blockDim.x) list[i] = places[i];
    for (int c = t; c <= CARDS; c += blockDim.x) begin[c] = from[c];
}

// Add the values of boards low .. high - 1 of a street to those of the deals above, once for each board that they stand for.
// A thread has a hand of a deal of a board above, whose children it takes in order.
extern "C" __global__ void collect_values(int deals, int hands, const int* child, i64 above_low, i64 low, i64 high, const i64* first,
                                 const u8* renaming, const short* maps, const real* come, real* value) {
    i64 b = blockIdx.z;
    int h = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (h >= hands) return;
    i64 begin = child[above_low + b], from = begin > low ? begin : low, to = child[above_low + b + 1];
    if (to > high) to = high;
    if (from >= to) return;
    real *here = value + (b * deals + i) * hands + h, sum[1] = {from == begin ? (real)0 : *here};
    const real* below[1] = {come + (i64)i * hands};
    add_boards(sum, below, (i64)deals * hands, low, from, to, first, renaming, maps, hands, h);
    *here = sum[0];
}
