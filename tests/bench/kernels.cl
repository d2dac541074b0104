// The kernels of kernels.cu in OpenCL C, for peers.py. The reduction's loop ends at a constant: PoCL 3.1 gives
// wrong sums when it ends at get_local_size().

__kernel void convolve(__global const float* in, __global const float* mask, __global float* out, int width,
                       int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            int column = min(max(x + dx, 0), width - 1);
            int row = min(max(y + dy, 0), height - 1);
            sum += mask[(dy + 2) * 5 + dx + 2] * in[row * width + column];
        }
    out[y * width + x] = sum;
}

__kernel void reduce(__global const int* in, __global int* out, int n) {
    __local int s[256];
    int t = get_local_id(0);
    int i = get_global_id(0);
    s[t] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = 1; stride < 256; stride *= 2) {
        if (t % (2 * stride) == 0) s[t] += s[t + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = s[0];
}
