// The GPU twin of kmeans_kernels.py: the nearest centre of each point, the first of equals, and its cost, to the bit (no fused
// multiply-adds, dimensions in order). A thread holds POINTS points of DIMENSIONS numbers in registers; a block reads centres
// together, TILE at a time. CITY: distances are sums of differences, otherwise of their squares.
//   points float32[n, DIMENSIONS], centres float32[k, DIMENSIONS], bucket uint32[n], distance float32[n]

#define TILE 64
#define WIDE ((DIMENSIONS + 3) / 4)  // in fours

extern "C" __global__ void nearest_kernel(const float* points, const float* centres, long long n, int k, unsigned* bucket,
                                          float* distance) {
    __shared__ float4 tile[TILE * WIDE];
    long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * POINTS;
    float mine[POINTS][4 * WIDE], least[POINTS];
    unsigned best[POINTS];
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        best[p] = 0;
        least[p] = 0;
#pragma unroll
        for (int j = 0; j < 4 * WIDE; j++)
            mine[p][j] = first + p < n && j < DIMENSIONS ? points[(first + p) * DIMENSIONS + j] : 0.0f;
    }
    for (int at = 0; at < k; at += TILE) {
        int some = k - at < TILE ? k - at : TILE;
        __syncthreads();
        for (int i = threadIdx.x; i < some * 4 * WIDE; i += blockDim.x) {
            int c = i / (4 * WIDE), j = i % (4 * WIDE);
            ((float*)tile)[i] = j < DIMENSIONS ? centres[(long long)(at + c) * DIMENSIONS + j] : 0.0f;
        }
        __syncthreads();
        for (int c = 0; c < some; c++) {
            float sum[POINTS];
#pragma unroll
            for (int p = 0; p < POINTS; p++) sum[p] = 0;
#pragma unroll
            for (int w = 0; w < WIDE; w++) {
                float4 four = tile[c * WIDE + w];
                float of[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
                for (int i = 0; i < 4; i++)
                    if (4 * w + i < DIMENSIONS) {
#pragma unroll
                        for (int p = 0; p < POINTS; p++) {
                            float apart = mine[p][4 * w + i] - of[i];
                            sum[p] += CITY ? fabsf(apart) : apart * apart;
                        }
                    }
            }
#pragma unroll
            for (int p = 0; p < POINTS; p++)
                if (at + c == 0 || sum[p] < least[p]) {
                    best[p] = at + c;
                    least[p] = sum[p];
                }
        }
    }
#pragma unroll
    for (int p = 0; p < POINTS; p++)
        if (first + p < n) {
            bucket[first + p] = best[p];
            distance[first + p] = least[p];
        }
}
