// Walks of strategies by bucket, over many boards at once: the GPU twin of `headsup.games.holdem.bucketed`, launched by gpu_buckets.py.
//
// A street's betting below a line that comes into it (an entry) is a small tree of the same shape for many lines. Its shape is
// known to the compiler (constants made by gpu_shapes.py), so that a thread holds the tree of one hand in registers, and
// nothing of a street is written out but what leaves it: reach on the way down, values on the way up, and gains.
//
//   down    a player's reach at the deals that end a street
//   up      values from deals, folds and showdowns to the entries; own decisions mix, take the best, or say what they gain
//   collect gains of all hands of a list, in order
//   settle  gains of all hands of a bucket, in order, to its regrets and average, and what it plays next
//   share   what a bucket plays, as numbers of 16 bits
//
// Arrays have boards first, then entries, then hands. Sums are made in the same order every time, so a walk can be repeated to
// the bit.

typedef BUCKET bucket_t;

struct alignas(16) Eight {
    __half of[8];
};

// Numbers of a bucket, and shares of each decision of a player in proportion to them.
template <int P>
__device__ __forceinline__ void shares(const __half* numbers, real* sigma) {
#pragma unroll
    for (int i = 0; i < PAD; i += 8) {
        Eight eight = *(const Eight*)(numbers + i);
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (i + k < ROWS[P]) sigma[i + k] = (real)__half2float(eight.of[k]);
    }
#pragma unroll
    for (int node = 0; node < NODES; node++)
        if (PLAYER[node] == P) {
            real sum = 0;
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) sum += sigma[ROW[node] + a];
            real factor = sum > 0 ? 1 / sum : (real)0, even = sum > 0 ? (real)0 : (real)1 / COUNT[node];
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) sigma[ROW[node] + a] = sigma[ROW[node] + a] * factor + even;
        }
}

// The way there: numbers of a bucket in 16 bits, those below 0 as 0; scaled, the greatest of each decision is 1.
template <int P>
__device__ __forceinline__ void put(const real* given, bool scaled, __half* numbers) {
    Eight out[PAD / 8];
#pragma unroll
    for (int i = 0; i < PAD; i++) out[i / 8].of[i % 8] = __float2half(0.f);
#pragma unroll
    for (int node = 0; node < NODES; node++)
        if (PLAYER[node] == P) {
            real most = 0;
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) most = given[ROW[node] + a] > most ? given[ROW[node] + a] : most;
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) {
                real one = given[ROW[node] + a];
                out[(ROW[node] + a) / 8].of[(ROW[node] + a) % 8] =
                    __float2half(one > 0 ? (float)(scaled ? one / most : one) : 0.f);
            }
        }
#pragma unroll
    for (int i = 0; i < PAD / 8; i++) ((Eight*)numbers)[i] = out[i];
}

// Shares of a player who does what a code says.
template <int P>
__device__ __forceinline__ void decoded(code_t code, real* sigma) {
#pragma unroll
    for (int node = 0; node < NODES; node++)
        if (PLAYER[node] == P) {
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) sigma[ROW[node] + a] = (code >> (CODED ? SHIFT[node] : 0) & ((1 << BITS) - 1)) == a;
        }
}

#ifdef REST

// The reach of player ME at the deals of a street; a thread a hand of an entry of a board.
//   come     [boards above][come_entries][hands] the reach at the deals above; `parent` says which board of it
//   entry    [entries of this shape] their numbers, and `deal` [..][DEALS] those of their deals
//   buckets  [all boards of the street][hands], `number` says which of them each board is
//   policy   [entries of this shape][width][PAD]
//   out      [boards][all deals][hands]
extern "C" __global__ void down(const real* __restrict__ come, int come_entries, const int* __restrict__ parent,
                                const int* __restrict__ entry, const int* __restrict__ deal, const u64* __restrict__ masks,
                                const u8* __restrict__ hand_cards, int hands, const bucket_t* __restrict__ buckets,
                                const int* __restrict__ number, i64 width, const __half* __restrict__ policy,
                                real* __restrict__ out, int deals) {
    i64 b = blockIdx.z;
    int h = blockIdx.x * blockDim.x + threadIdx.x, e = blockIdx.y;
    if (h >= hands) return;
    u64 board = masks[b];
    bool live = !((board >> hand_cards[2 * h] | board >> hand_cards[2 * h + 1]) & 1);
    real reach[1 + ROWS[ME]], sigma[1 + ROWS[ME]];
    reach[0] = live ? come[((i64)parent[b] * come_entries + entry[e]) * hands + h] : (real)0;
    i64 which = live ? buckets[(i64)number[b] * hands + h] : 0;
    shares<ME>(policy + (e * width + which) * PAD, sigma);
    descend<ME>(sigma, reach);
#pragma unroll
    for (int node = 0; node < NODES; node++)
        if (DEAL_OF[node] >= 0) out[(b * deals + deal[e * DEALS + DEAL_OF[node]]) * hands + h] = reach[AT[ME][node]];
}

#endif
#ifndef REST

// Values of ME's hands from the ends and deals of a street up to an entry; a block an entry of a board.
//   come, mine  the opponent's reach at the deals above, and with LEARN the own; the rest of the way in as in `down`
//   order .. look  from `stand`
//   pay      [entries of this shape][ENDS][2] for meeting a hand, and more for beating it
//   below    [boards][deals][hands] values at the deals
//   value    [boards][all entries][hands]; hands that a board blocks are left as they are
//   codes    [boards][entries of this shape][hands]: with BEST what the best response does is written there if it is given; where CHOSEN,
//            the opponent does what it says
//   counts   [boards] how many boards each stands for in the gains
//   gains    with LEARN [boards][entries of this shape][hands by place][PAD]: what each row gains, by the hand's weight, then the
//            own reach; not looked at where ME has no decision
template <int MODE>
__device__ __forceinline__ void walk_up(const real* __restrict__ come, const real* __restrict__ mine, int come_entries,
                                        const int* __restrict__ parent, const int* __restrict__ entry,
                                        const int* __restrict__ deal, int entries, int hands, const u16* __restrict__ order,
                                        const int* __restrict__ alive, const u16* __restrict__ begin,
                                        const u16* __restrict__ list, const SumIndex* __restrict__ look,
                                        const bucket_t* __restrict__ buckets, const int* __restrict__ number, i64 width,
                                        const __half* __restrict__ theirs, const __half* __restrict__ ours,
                                        const real* __restrict__ pay, const real* __restrict__ below, int deals,
                                        real* __restrict__ value, int all_entries, const real* __restrict__ weights,
                                        const real* __restrict__ counts, code_t* __restrict__ codes,
                                        real* __restrict__ gains) {
    constexpr int THEM = 1 - ME;
    extern __shared__ __align__(32) unsigned char room[];
    Vec *part = (Vec*)room, *raw = part + 32, *sum = raw + MOST, *held = sum + MOST + 1;  // MOST hands are left by a board
    int e = blockIdx.x % entries, t = threadIdx.x;
    i64 b = blockIdx.x / entries;
    order += b * hands, begin += b * (CARDS + 1), list += b * 2 * hands, look += b * hands;
    buckets += (i64)number[b] * hands;
    pay += (i64)e * ENDS * 2;
    i64 above = ((i64)parent[b] * come_entries + entry[e]) * hands;
    int n = alive[b];
    real x[EACH][LINES], v[EACH][NODES], m[EACH][LINES];
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        int i = t + j * THREADS;
#pragma unroll
        for (int l = 0; l < LINES; l++) x[j][l] = 0;
        if (i < n) {
            int h = order[i];
            real reach[1 + ROWS[THEM]], sigma[1 + ROWS[THEM]];
            reach[0] = come[above + h];
#ifdef CHOSEN
            decoded<THEM>(codes[(b * entries + e) * hands + h], sigma);
#else
            shares<THEM>(theirs + (e * width + buckets[h]) * PAD, sigma);
#endif
            descend<THEM>(sigma, reach);
#pragma unroll
            for (int l = 0; l < LINES; l++) x[j][l] = reach[LINE_AT[l]];
        }
    }
    real gain[MODE == LEARN ? EACH : 1][MODE == LEARN ? PAD : 1];
    code_t code[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++) code[j] = 0;
#pragma unroll
    for (int g = 0; g < PASSES; g++) {
        __syncthreads();
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            int i = t + j * THREADS;
            Vec here;
#pragma unroll
            for (int l = 0; l < WIDE; l++) here.of[l] = g * WIDE + l < LINES ? x[j][g * WIDE + l < LINES ? g * WIDE + l : 0] : (real)0;
            if (i < n) raw[i] = here;
        }
        __syncthreads();
        all_sums(raw, begin, list, held, sum, n, part);
        __syncthreads();
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            int i = t + j * THREADS;
            if (i >= n) continue;
            Vec equal, met, won;
#pragma unroll
            for (int l = 0; l < WIDE; l++) equal.of[l] = g * WIDE + l < LINES ? x[j][g * WIDE + l < LINES ? g * WIDE + l : 0] : (real)0;
            met = opponent_reach(sum, held, n, look[i], equal);
#pragma unroll
            for (int l = 0; l < WIDE; l++)
                if (g * WIDE + l < LINES) m[j][g * WIDE + l < LINES ? g * WIDE + l : 0] = met.of[l];
            if (SHOWS[g]) won = beaten_reach(sum, held, look[i], equal);
            real sigma[1 + ROWS[ME]];
            int h = order[i];
            if (MODE != BEST) shares<ME>(ours + (e * width + buckets[h]) * PAD, sigma);
            auto deal_value = [&](int d) { return below[(b * deals + deal[e * DEALS + d]) * hands + h]; };
            rise<MODE>(g, met, won, m[j], sigma, pay, v[j], gain[MODE == LEARN ? j : 0], &code[j], deal_value);
        }
    }
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        int i = t + j * THREADS;
        if (i >= n) continue;
        int h = order[i];
        value[(b * all_entries + entry[e]) * hands + h] = v[j][0];
        if (MODE == BEST && CODED && codes) codes[(b * entries + e) * hands + h] = code[j];
        if (MODE == LEARN && ROWS[ME] > 0) {
#pragma unroll
            for (int r = ROWS[ME]; r < PAD; r++) gain[j][r] = 0;
            real weight = weights[h] * counts[b];
#pragma unroll
            for (int r = 0; r < ROWS[ME]; r++) gain[j][r] *= weight;
            gain[j][ROWS[ME]] = mine[above + h] * counts[b];
            Vec* out = (Vec*)(gains + ((b * entries + e) * hands + i) * PAD);
#pragma unroll
            for (int r = 0; r < PAD; r += WIDE) {
                Vec four;
#pragma unroll
                for (int l = 0; l < WIDE; l++) four.of[l] = gain[j][r + l];
                out[r / WIDE] = four;
            }
        }
    }
}

#define UP(name, mode)                                                                                                            \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)                                                                 \
        name(const real* come, const real* mine, int come_entries, const int* parent, const int* entry, const int* deal,          \
             int entries, int hands, const u16* order, const int* alive, const u16* begin, const u16* list, const SumIndex* look,     \
             const bucket_t* buckets, const int* number, i64 width, const __half* theirs, const __half* ours, const real* pay,    \
             const real* below, int deals, real* value, int all_entries, const real* weights, const real* counts, code_t* codes,  \
             real* gains) {                                                                                                       \
        walk_up<mode>(come, mine, come_entries, parent, entry, deal, entries, hands, order, alive, begin, list, look, buckets,    \
                      number, width, theirs, ours, pay, below, deals, value, all_entries, weights, counts, codes, gains);         \
    }
#if UP_MODE == BEST
UP(up, BEST)
#elif UP_MODE == MIX
UP(up, MIX)
#elif UP_MODE == LEARN
UP(up, LEARN)
#endif

#else  // REST

// The gains of the hands of a list, added up; a warp a list of an entry of this shape, its hands in order.
//   member  hands by list: (board x hands + place), from first[list] on
//   sums    [entries of this shape][lists][PAD]
extern "C" __global__ void collect(const real* __restrict__ gains, const int* __restrict__ member, const int* __restrict__ first,
                                   int entries, int hands, i64 lists, real* __restrict__ sums) {
    constexpr int SPAN = PAD <= 16 ? 16 : 32, PARTS = (PAD + SPAN - 1) / SPAN;
    int lane = threadIdx.x % 32;
    i64 at = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (at >= entries * lists) return;
    int e = at / lists, which = at % lists, side = lane / SPAN, row = lane % SPAN;
    real sum[PARTS];
#pragma unroll
    for (int k = 0; k < PARTS; k++) sum[k] = 0;
    for (int m = first[which] + side; m < first[which + 1]; m += 32 / SPAN) {
        int i = member[m];
        const real* from = gains + (((i64)(i / hands) * entries + e) * hands + i % hands) * PAD;
#pragma unroll
        for (int k = 0; k < PARTS; k++)
            if (row + k * SPAN < PAD) sum[k] += from[row + k * SPAN];
    }
#pragma unroll
    for (int k = 0; k < PARTS; k++) {
        for (int s = SPAN; s < 32; s *= 2) sum[k] += __shfl_xor_sync(0xffffffff, sum[k], s);
        if (side == 0 && row + k * SPAN < PAD) sums[at * PAD + row + k * SPAN] = sum[k];
    }
}

// What a bucket's hands gain goes into regrets and average; then what it plays next. A thread a bucket of an entry.
//   gains, member, first  as in `collect`, with one list a bucket; without `member` gains are those of buckets, [entries][width][PAD]
//   regret, cumulative    [entries of this shape][ROWS][width]; policy [entries][width][PAD] what was played, and is played next
extern "C" __global__ void settle(const real* __restrict__ gains, const int* __restrict__ member, const int* __restrict__ first,
                                  int entries, int hands, i64 width, float* __restrict__ regret, float* __restrict__ cumulative,
                                  __half* __restrict__ policy, float keep, float shrink, float weight) {
    constexpr int R = ROWS[ME];
    i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= entries * width) return;
    i64 e = at / width, which = at % width, begin = e * R * width + which;
    real reach[1 + R], sigma[1 + R], sum[PAD];
#pragma unroll
    for (int r = 0; r < PAD; r++) sum[r] = 0;
    auto add = [&](i64 row) {
        const Vec* from = (const Vec*)(gains + row * PAD);
#pragma unroll
        for (int r = 0; r < PAD; r += WIDE) {
            Vec four = from[r / WIDE];
#pragma unroll
            for (int l = 0; l < WIDE; l++) sum[r + l] += four.of[l];
        }
    };
    if (member)
        for (int m = first[which]; m < first[which + 1]; m++) {
            int i = member[m];
            add(((i64)(i / hands) * entries + e) * hands + i % hands);
        }
    else
        add(at);
    reach[0] = sum[R];
    shares<ME>(policy + at * PAD, sigma);
    descend<ME>(sigma, reach);
#pragma unroll
    for (int r = 0; r < R; r++) {
        float now = regret[begin + r * width] + (float)sum[r];
        regret[begin + r * width] = now *= now > 0 ? keep : shrink;
        if (weight != 0) cumulative[begin + r * width] += weight * (float)reach[1 + r];
        sigma[r] = now;
    }
    put<ME>(sigma, true, policy + at * PAD);
}

// What the buckets play in proportion to some numbers: [entries of this shape][ROWS][width] to [entries][width][PAD]; scaled, the
// greatest of each decision is 1.
extern "C" __global__ void share(const float* __restrict__ numbers, i64 buckets, i64 width, int scaled,
                                 __half* __restrict__ policy) {
    constexpr int R = ROWS[ME];
    i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= buckets) return;
    i64 first = at / width * R * width + at % width;
    real given[1 + R];
#pragma unroll
    for (int r = 0; r < R; r++) given[r] = numbers[first + r * width];
    put<ME>(given, scaled, policy + at * PAD);
}

#endif
