struct Pair { int key; float value; };
struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ int counter = 5;
typedef float (*Function)(float);
__device__ float half_of(float x) { return x / 2; }
__device__ float root_of(float x) { return sqrtf(x); }
__device__ Function functions[2] = {half_of, root_of};

template <class T>
__device__ T warp_sum(T value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

template <class T, int Size>
__global__ void features(const T* in, Pair* out, Pair extra, double scale) {
    __shared__ T tile[Size][Size + 1];
    __shared__ int blocks;
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * Size + x] * weights[x % 3];
    if (x == 0 && y == 0) blocks = atomicAdd(&counter, 1);
    __syncthreads();
    T sum = warp_sum(tile[x][y]);
    unsigned votes = __ballot_sync(0xffffffff, sum > 0);
    Square square(sum);
    const Shape& shape = square;
    out[x].value = functions[x & 1](shape.area()) + (float)(scale * __popc(votes));
    out[x].key = extra.key + blocks;
    if (votes == 0) printf("lane %d: %f\n", x, sum);
}

template __global__ void features<float, 16>(const float*, Pair*, Pair, double);
