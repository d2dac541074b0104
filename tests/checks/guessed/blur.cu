__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height) return;
    int sum = 0, cnt = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int r = row + dy, c = col + dx;
            if (r >= 0 && r < height && c >= 0 && c < width) {
                sum += in[r * width + c];
                cnt++;
            }
        }
    out[row * width + col] = sum / cnt;
}
