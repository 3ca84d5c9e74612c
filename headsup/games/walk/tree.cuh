// A tree of betting that the compiler knows: what the walks of buckets.cu and last.cu share. gpu_shapes.py writes its constants, and
// this text, above theirs. A thread holds the tree of one hand in registers.

typedef REAL real;

#define BEST 1
#define MIX 2
#define LEARN 0
#define WIDE 4  // lines that are summed together

typedef Vector<real, WIDE> Vec;

// The shape of the betting below an entry, as the player ME sees it; which stands above this text:
//   NODES, PLAYER, CHILD, COUNT, ROW (the first row of a decision, among those of its mover below the entry), ROWS[2],
//   AT[2] (which row of each player's reach holds at a node: 0 the entry's, then 1 + row), LINES, LINE_AT (rows of the opponent's
//   reach that are summed, in the order in which they are needed), LINE_OF (of an end, else -1), LINE_WITH (the line of a row, or
//   -1), DERIVED (a fold of the opponent whose line need not be summed: it meets what its decision, at PARENT, meets, less what
//   the other actions meet), SHOWN (whether an end is a showdown), SHOWS (whether a group of WIDE lines has one), END_OF (an end's
//   number), ENDS, DEAL_OF (a deal's number below the entry), DEALS, PASS (the group of lines after which a node's value is
//   known), PASSES, PAD (numbers stored for a bucket), BITS, SHIFT (of a decision, among those of its mover), CODED (whether all
//   decisions of a player fit into a code; without, a best response is worth something but nobody is told what it does)

// Of what a best response does at each of its decisions below an entry BITS bits are kept, at SHIFT.
typedef CODE code_t;

// A player's reach below an entry: reach[0] is given, row r is reach[1 + r].
template <int P>
__device__ __forceinline__ void descend(const real* sigma, real* reach) {
#pragma unroll
    for (int node = 0; node < NODES; node++)
        if (PLAYER[node] == P) {
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) reach[1 + ROW[node] + a] = reach[AT[P][node]] * sigma[ROW[node] + a];
        }
}

// Values of one hand at the nodes that are known after a group g of lines, from the ends up: `met` and `won` are what it meets
// and beats on the lines of this group, `m` what it meets on all lines so far, `below(deal)` what a deal is worth.
template <int MODE, class Below>
__device__ __forceinline__ void rise(int g, const Vec& met, const Vec& won, const real* m, const real* sigma, const real* pay,
                                     real* v, real* gain, code_t* code, Below below) {
    constexpr int THEM = 1 - ME;
#pragma unroll
    for (int node = NODES - 1; node >= 0; node--) {
        if (PASS[node] != g) continue;
        if (LINE_OF[node] >= 0) {
            int l = LINE_OF[node] >= g * WIDE ? LINE_OF[node] - g * WIDE : 0;
            real worth = pay[2 * END_OF[node]] * met.of[l % WIDE];
            if (SHOWN[node]) worth += pay[2 * END_OF[node] + 1] * won.of[l % WIDE];
            v[node] = worth;
        } else if (DERIVED[node]) {
            real left = m[LINE_WITH[AT[THEM][PARENT[node]]]];
#pragma unroll
            for (int a = 0; a < COUNT[PARENT[node]]; a++) {
                int other = CHILD[PARENT[node]] + a;
                if (other != node) left -= m[LINE_WITH[AT[THEM][other]]];
            }
            v[node] = pay[2 * END_OF[node]] * left;
        } else if (DEAL_OF[node] >= 0) {
            v[node] = below(DEAL_OF[node]);
        } else if (PLAYER[node] == THEM) {
            real all = 0;
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) all += v[CHILD[node] + a];
            v[node] = all;
        } else if (PLAYER[node] == ME) {
            real here = MODE == BEST ? v[CHILD[node]] : (real)0;
            int best = 0;
#pragma unroll
            for (int a = 0; a < COUNT[node]; a++) {
                real there = v[CHILD[node] + a];
                if (MODE != BEST) here += sigma[ROW[node] + a] * there;
                else if (there > here) here = there, best = a;
            }
            if (MODE == BEST && CODED) *code |= (code_t)best << (CODED ? SHIFT[node] : 0);
            if (MODE == LEARN) {
#pragma unroll
                for (int a = 0; a < COUNT[node]; a++) gain[ROW[node] + a] = v[CHILD[node] + a] - here;
            }
            v[node] = here;
        }
    }
}

__device__ __forceinline__ void some_wait(int threads) { asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); }

// What the hands of `raw` add up to, card by card and all together, by two groups of the THREADS threads of a block at once.
__device__ __forceinline__ void all_sums(const Vec* raw, const u16* begin, const u16* list, Vec* held, Vec* sum, int n, Vec* part) {
    int t = threadIdx.x;
    if (t < SCAN_FROM) card_sums(raw, begin, list, held, t, SCAN_FROM);
    else
        running_sums(raw, sum, n, t - SCAN_FROM, THREADS - SCAN_FROM, part, [] { some_wait(THREADS - SCAN_FROM); });
}
