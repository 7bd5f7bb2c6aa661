// Fused dense attention: one thread a query, tiles of sources through shared memory, the maximum kept on line.
//
// Compiled with -DREAL=double|float -DD=dimension -DTILE=sources. Exponents are in base 2: queries are log2(e) B x, and
// log2 w_j is the last row of the sources. Every block of blockIdx.y sums its own part of the sources; the host joins
// the parts. Nothing here depends on the number of threads of a block, so that one thread on a host computes the same.

#define GROUP 8
#define NOTHING ((REAL)-1e29)  // above the exponent of an atom without weight, below all others

extern "C" __global__ void attend(
    const REAL* sources,  // (D + 1, n)
    const REAL* queries,  // (m, D)
    REAL* largest,        // (parts, m): the largest exponent
    REAL* sums,           // (parts, m, D + 1): sum_j 2^(exponent - largest) (y_j, 1)
    const long long n,
    const long long m)
{
    __shared__ REAL tile[(D + 1) * TILE];
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long first = n * blockIdx.y / gridDim.y;
    const long long last = n * (blockIdx.y + 1) / gridDim.y;

    REAL z[D], total[D + 1], top = NOTHING;
    for (int k = 0; k < D; ++k) z[k] = i < m ? queries[i * D + k] : (REAL)0;
    for (int k = 0; k <= D; ++k) total[k] = (REAL)0;

    for (long long start = first; start < last; start += TILE) {
        const int count = last - start < TILE ? (int)(last - start) : TILE;
        for (int t = threadIdx.x; t < TILE; t += blockDim.x)
            for (int k = 0; k <= D; ++k)
                tile[k * TILE + t] = t < count ? sources[k * n + start + t] : (k < D ? (REAL)0 : 10 * NOTHING);
        __syncthreads();
        for (int j = 0; j < count; j += GROUP) {
            REAL s[GROUP], best = top;
#pragma unroll
            for (int g = 0; g < GROUP; ++g) {
                s[g] = tile[D * TILE + j + g];
#pragma unroll
                for (int k = 0; k < D; ++k) s[g] += z[k] * tile[k * TILE + j + g];
                best = s[g] > best ? s[g] : best;
            }
            if (best > top) {
                const REAL scale = exp2(top - best);
                for (int k = 0; k <= D; ++k) total[k] *= scale;
                top = best;
            }
#pragma unroll
            for (int g = 0; g < GROUP; ++g) {
                const REAL e = exp2(s[g] - top);
                total[D] += e;
#pragma unroll
                for (int k = 0; k < D; ++k) total[k] += e * tile[k * TILE + j + g];
            }
        }
        __syncthreads();
    }
    if (i < m) {
        largest[blockIdx.y * m + i] = top;
        for (int k = 0; k <= D; ++k) sums[(blockIdx.y * m + i) * (D + 1) + k] = total[k];
    }
}
