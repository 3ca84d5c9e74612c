// What a CUDA source needs to be compiled by g++: a block is a ring of coroutines on one thread (cuda_on_cpu.py).
#include <setjmp.h>
#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
using std::floor;
using std::frexp;
using std::ldexp;

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))

struct Index3 {
    int x, y, z;
};
static Index3 threadIdx, blockIdx, blockDim, gridDim;
static unsigned char* shared_room;

template <class A, class B>
static inline auto min(A a, B b) -> decltype(a + b) { return a < b ? a : b; }
template <class A, class B>
static inline auto max(A a, B b) -> decltype(a + b) { return a > b ? a : b; }
static inline int __float2int_rd(float x) { return (int)std::floor(x); }
static inline int __double2int_rd(double x) { return (int)std::floor(x); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }

template <class T>
static inline T atomicAdd(T* at, T more) { return std::exchange(*at, *at + more); }

// Numbers of 16 bits, rounded to even as on a device.
struct __half {
    unsigned short bits;
};
static inline float __half2float(__half given) {
    unsigned sign = (given.bits & 0x8000u) << 16, exponent = given.bits >> 10 & 31, fraction = given.bits & 1023;
    if (exponent == 0) return (sign ? -1.f : 1.f) * std::ldexp((float)fraction, -24);
    unsigned bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    float out;
    memcpy(&out, &bits, 4);
    return out;
}
static inline __half __float2half(float given) {
    unsigned short sign = std::signbit(given) ? 0x8000 : 0;
    float size = std::fabs(given);
    if (size < 6.103515625e-05f) return {(unsigned short)(sign | (int)std::nearbyint(std::ldexp(size, 24)))};
    int exponent;
    int rounded = (int)std::nearbyint(std::ldexp(std::frexp(size, &exponent), 11));  // 1024 to 2048
    if (rounded == 2048) rounded = 1024, exponent++;
    if (exponent > 16) return {(unsigned short)(sign | 0x7c00)};
    return {(unsigned short)(sign | (exponent + 14) << 10 | (rounded - 1024))};
}

struct Barrier {
    int waiting = 0, turn = 0;
};
struct Fiber {
    jmp_buf place;     // where it resumes
    void* stack;       // kept from block to block
    bool done;         // with this block
    Barrier* barrier;  // at which it waits, or none
    int turn;          // of the barrier when it came there
};
static jmp_buf scheduler;
static Fiber fibers[1024];
static int current, threads_left;
static Barrier whole, named, warps[64];
static unsigned long long lanes[64][32];

// A fiber is entered once and then jumps: swapcontext asks the system about signals each time, which takes longer.
static void pause() {
    if (!_setjmp(fibers[current].place)) _longjmp(scheduler, 1);
}

static void wait_at(Barrier& barrier, int count) {
    int turn = barrier.turn;
    if (++barrier.waiting == count) {
        barrier.waiting = 0, barrier.turn++;
        return;
    }
    fibers[current].barrier = &barrier, fibers[current].turn = turn;
    pause();
    fibers[current].barrier = nullptr;
}
static inline void __syncthreads() { wait_at(whole, blockDim.x); }
static inline void named_barrier(int count) { wait_at(named, count); }

template <class T>
static T from_lane(T value, int lane) {
    int warp = threadIdx.x / 32, mine = threadIdx.x % 32;
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof(T));
    lanes[warp][mine] = bits;
    wait_at(warps[warp], 32);
    T got;
    memcpy(&got, &lanes[warp][lane < 0 || lane > 31 ? mine : lane], sizeof(T));
    wait_at(warps[warp], 32);
    return got;
}
template <class T>
static T __shfl_up_sync(unsigned, T value, int step) { return from_lane(value, (int)(threadIdx.x % 32) - step); }
template <class T>
static T __shfl_xor_sync(unsigned, T value, int step) { return from_lane(value, (int)(threadIdx.x % 32) ^ step); }

static unsigned __ballot_sync(unsigned, bool mine) {
    int warp = threadIdx.x / 32;
    lanes[warp][threadIdx.x % 32] = mine;
    wait_at(warps[warp], 32);
    unsigned votes = 0;
    for (int lane = 0; lane < 32; lane++) votes |= (unsigned)lanes[warp][lane] << lane;
    wait_at(warps[warp], 32);
    return votes;
}

static void (*body)(void*);
static void* arguments;
static void enter() {
    for (;;) {
        body(arguments);
        fibers[current].done = true, threads_left--;
        pause();
    }
}

static void resume() {
    if (_setjmp(scheduler)) return;
    if (fibers[current].stack) _longjmp(fibers[current].place, 1);
    static ucontext_t start;
    getcontext(&start);
    start.uc_stack.ss_size = 1 << 17;
    start.uc_stack.ss_sp = fibers[current].stack = malloc(start.uc_stack.ss_size);
    makecontext(&start, enter, 0);
    setcontext(&start);
}

static void run_block(int threads) {
    for (int t = 0; t < threads; t++) fibers[t].done = false, fibers[t].barrier = nullptr;
    threads_left = threads, whole = named = Barrier();
    for (auto& warp : warps) warp = Barrier();
    while (threads_left)
        for (int t = 0; t < threads; t++)
            if (!fibers[t].done && !(fibers[t].barrier && fibers[t].barrier->turn == fibers[t].turn)) {
                current = t, threadIdx = {t, 0, 0};
                resume();
            }
}

template <class... A, size_t... I>
static void launch(void (*kernel)(A...), void** given, const int* sizes, int shared, std::index_sequence<I...>) {
    unsigned char* room = (unsigned char*)malloc(shared + 64);
    shared_room = room + (64 - (size_t)room % 64) % 64;
    blockDim = {sizes[3], 1, 1}, gridDim = {sizes[0], sizes[1], sizes[2]};
    auto call = [&] { kernel(*(std::remove_reference_t<A>*)given[I]...); };
    body = [](void* here) { (*(decltype(call)*)here)(); }, arguments = &call;
    for (int z = 0; z < sizes[2]; z++)
        for (int y = 0; y < sizes[1]; y++)
            for (int x = 0; x < sizes[0]; x++) {
                blockIdx = {x, y, z};
                memset(shared_room, 0xff, shared);
                run_block(sizes[3]);
            }
    free(room);
}
template <class... A>
static void unpack(void (*kernel)(A...), void** given, const int* sizes, int shared) {
    launch(kernel, given, sizes, shared, std::index_sequence_for<A...>());
}
#define LAUNCHER(name) \
    extern "C" void launch_##name(void** given, const int* sizes, int shared) { unpack(&name, given, sizes, shared); }
