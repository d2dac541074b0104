// Calls of cuFFT, and whether the results are those of the definition: every element of the output's memory
// is compared, so that what lies between the elements must stay as it was.
//
//     transforms layouts | plans | calls | misuse | order
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

#include <cufft.h>
#include <cufftXt.h>

using Complex = std::complex<double>;

constexpr double pi = 3.14159265358979323846;
constexpr int room = 1 << 13;  // reals of each buffer
constexpr double untouched = -77;

struct Case {
    const char* name;
    std::vector<int> n;
    cufftType type;
    int batch = 1;
    bool in_place = false;
    int direction = CUFFT_FORWARD;
    std::vector<int> inembed{};  // empty: the default layout
    int istride = 1, idist = 0;
    std::vector<int> onembed{};
    int ostride = 1, odist = 0;
};

bool is_complex(cufftType type) {
    return type == CUFFT_C2C || type == CUFFT_Z2Z;
}
bool to_complex(cufftType type) {
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}

// Where element `at` of the batch lies, in elements of that end.
struct Place {
    std::vector<int> embed;
    int stride, distance;
    long at(int batch, const std::vector<int>& index) const {
        long place = 0;
        for (size_t i = 0; i < index.size(); ++i)
            place = place * embed[i] + index[i];
        return place * stride + static_cast<long>(batch) * distance;
    }
};

Place place_of(const Case& c, bool output) {
    const bool real = !is_complex(c.type) && output != to_complex(c.type);
    const std::vector<int>& given = output ? c.onembed : c.inembed;
    Place place{given, output ? c.ostride : c.istride, output ? c.odist : c.idist};
    if (!given.empty()) return place;
    place = {c.n, 1, 1};
    const int half = c.n.back() / 2 + 1;
    if (!is_complex(c.type)) place.embed.back() = real ? (c.in_place ? 2 * half : c.n.back()) : half;
    for (int each : place.embed)
        place.distance *= each;
    return place;
}

std::vector<int> unravel(long number, const std::vector<int>& sizes) {
    std::vector<int> index(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
        index[i] = static_cast<int>(number % sizes[i]);
        number /= sizes[i];
    }
    return index;
}

long count_of(const std::vector<int>& sizes) {
    long count = 1;
    for (int each : sizes)
        count *= each;
    return count;
}

// The sum of the definition over the whole of `values`, in the order of `n`.
std::vector<Complex> transformed(const std::vector<Complex>& values, const std::vector<int>& n, int sign) {
    std::vector<Complex> sums(values.size());
    for (size_t k = 0; k < sums.size(); ++k) {
        const std::vector<int> wanted = unravel(static_cast<long>(k), n);
        for (size_t x = 0; x < values.size(); ++x) {
            const std::vector<int> from = unravel(static_cast<long>(x), n);
            double turns = 0;
            for (size_t i = 0; i < n.size(); ++i)
                turns += static_cast<double>(wanted[i]) * from[i] / n[i];
            sums[k] += values[x] * std::polar(1.0, sign * 2 * pi * turns);
        }
    }
    return sums;
}

double value_at(int number) {
    return std::sin(number * 1.7) + number % 5 * 0.25;
}

// Fills the input of a batch, and gives what the output is to hold.
std::vector<Complex> fill(const Case& c, int batch, std::vector<double>& memory) {
    const Place in = place_of(c, false);
    std::vector<Complex> values(count_of(c.n));
    for (size_t i = 0; i < values.size(); ++i) {
        const int at = static_cast<int>(in.at(batch, unravel(static_cast<long>(i), c.n)));
        values[i] = {value_at(at), is_complex(c.type) ? value_at(3 * at + 7) : 0};
    }
    const int sign = is_complex(c.type) ? c.direction : CUFFT_FORWARD;
    std::vector<Complex> sums = transformed(values, c.n, sign);
    const bool backwards = !is_complex(c.type) && !to_complex(c.type);
    if (backwards) {
        std::swap(values, sums);
        for (Complex& each : sums)
            each *= count_of(c.n);
    }
    for (size_t i = 0; i < values.size(); ++i) {
        const std::vector<int> index = unravel(static_cast<long>(i), c.n);
        if (backwards && index.back() > c.n.back() / 2) continue;
        const long at = in.at(batch, index);
        if (to_complex(c.type)) {
            memory[at] = values[i].real();
        } else {
            memory[2 * at] = values[i].real();
            memory[2 * at + 1] = values[i].imag();
        }
    }
    return sums;
}

void expect(const Case& c, int batch, const std::vector<Complex>& sums, std::vector<double>& memory) {
    const Place out = place_of(c, true);
    for (size_t i = 0; i < sums.size(); ++i) {
        const std::vector<int> index = unravel(static_cast<long>(i), c.n);
        if (to_complex(c.type) && index.back() > c.n.back() / 2) continue;
        const long at = out.at(batch, index);
        if (!is_complex(c.type) && !to_complex(c.type)) {
            memory[at] = sums[i].real();
        } else {
            memory[2 * at] = sums[i].real();
            memory[2 * at + 1] = sums[i].imag();
        }
    }
}

template <class T>
int execute(cufftHandle plan, const Case& c, void* in, void* out) {
    switch (c.type) {
        case CUFFT_C2C:
            return cufftExecC2C(plan, (cufftComplex*)in, (cufftComplex*)out, c.direction);
        case CUFFT_R2C:
            return cufftExecR2C(plan, (cufftReal*)in, (cufftComplex*)out);
        case CUFFT_C2R:
            return cufftExecC2R(plan, (cufftComplex*)in, (cufftReal*)out);
        case CUFFT_Z2Z:
            return cufftExecZ2Z(plan, (cufftDoubleComplex*)in, (cufftDoubleComplex*)out, c.direction);
        case CUFFT_D2Z:
            return cufftExecD2Z(plan, (cufftDoubleReal*)in, (cufftDoubleComplex*)out);
        default:
            return cufftExecZ2D(plan, (cufftDoubleComplex*)in, (cufftDoubleReal*)out);
    }
}

int plan_of(cufftHandle* plan, Case& c) {
    int* n = c.n.data();
    if (!c.inembed.empty() || (c.n.size() > 1 && c.batch > 1))
        return cufftPlanMany(
            plan, static_cast<int>(c.n.size()), n, c.inembed.empty() ? nullptr : c.inembed.data(), c.istride,
            c.idist, c.onembed.empty() ? nullptr : c.onembed.data(), c.ostride, c.odist, c.type, c.batch);
    if (c.n.size() == 1) return cufftPlan1d(plan, n[0], c.type, c.batch);
    return c.n.size() == 2 ? cufftPlan2d(plan, n[0], n[1], c.type)
                           : cufftPlan3d(plan, n[0], n[1], n[2], c.type);
}

template <class T>
void run(Case c) {
    std::vector<double> input(room, untouched), wanted(room, untouched);
    std::vector<std::vector<Complex>> sums;
    for (int batch = 0; batch < c.batch; ++batch)
        sums.push_back(fill(c, batch, input));
    if (c.in_place) wanted = input;
    for (int batch = 0; batch < c.batch; ++batch)
        expect(c, batch, sums[batch], wanted);
    std::vector<T> from(input.begin(), input.end()), got(room, static_cast<T>(untouched));
    T *in, *out;
    cudaMalloc(&in, room * sizeof(T));
    cudaMalloc(&out, room * sizeof(T));
    cudaMemcpy(in, from.data(), room * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(out, got.data(), room * sizeof(T), cudaMemcpyHostToDevice);
    cufftHandle plan = 0;
    const int planned = plan_of(&plan, c);
    const int status = execute<T>(plan, c, in, c.in_place ? in : out);
    const int end = cudaDeviceSynchronize();
    cudaMemcpy(got.data(), c.in_place ? in : out, room * sizeof(T), cudaMemcpyDeviceToHost);
    int wrong = 0, first = -1;
    for (int i = 0; i < room; ++i) {
        const double error = std::abs(got[i] - wanted[i]);
        // A real transform in place leaves anything in the padding of its rows.
        const bool padding = c.in_place && !is_complex(c.type) && !to_complex(c.type) && c.inembed.empty() &&
                             i % (2 * (c.n.back() / 2 + 1)) >= c.n.back();
        if (padding || error <= (sizeof(T) == 4 ? 2e-3 : 1e-9)) continue;
        ++wrong;
        if (first < 0) first = i;
    }
    printf("%s: %d %d %d, %d wrong", c.name, planned, status, end, wrong);
    if (wrong > 0) printf(", first %d", first);
    printf(", destroy %d\n", cufftDestroy(plan));
    cudaFree(in);
    cudaFree(out);
}

void layouts() {
    run<float>({"c2c 16", {16}, CUFFT_C2C});
    run<float>({"c2c 15 backwards", {15}, CUFFT_C2C, 1, false, CUFFT_INVERSE});
    run<float>({"c2c 7, 3 of them, in place", {7}, CUFFT_C2C, 3, true});
    run<double>({"z2z 97", {97}, CUFFT_Z2Z});
    run<double>({"z2z 4 x 6", {4, 6}, CUFFT_Z2Z});
    run<double>({"z2z 3 x 4 x 5 backwards in place", {3, 4, 5}, CUFFT_Z2Z, 1, true, CUFFT_INVERSE});
    run<float>({"c2c 4 x 6, 2 of them", {4, 6}, CUFFT_C2C, 2});
    run<float>({"r2c 16", {16}, CUFFT_R2C});
    run<float>({"r2c 15, 2 of them", {15}, CUFFT_R2C, 2});
    run<float>({"r2c 16 in place", {16}, CUFFT_R2C, 1, true});
    run<float>({"r2c 16, 3 of them, in place", {16}, CUFFT_R2C, 3, true});
    run<double>({"d2z 4 x 6", {4, 6}, CUFFT_D2Z});
    run<double>({"d2z 5 x 4 x 6 in place", {5, 4, 6}, CUFFT_D2Z, 1, true});
    run<float>({"c2r 16", {16}, CUFFT_C2R});
    run<float>({"c2r 15, 2 of them", {15}, CUFFT_C2R, 2});
    run<float>({"c2r 16, 3 of them, in place", {16}, CUFFT_C2R, 3, true});
    run<double>({"z2d 4 x 6", {4, 6}, CUFFT_Z2D});
    run<double>({"z2d 3 x 4 x 5", {3, 4, 5}, CUFFT_Z2D});
    run<double>({"z2d 4 x 6 in place", {4, 6}, CUFFT_Z2D, 1, true});
    run<float>({"columns", {8}, CUFFT_C2C, 5, false, CUFFT_FORWARD, {8}, 5, 1, {8}, 5, 1});
    run<float>({"columns into rows", {8}, CUFFT_C2C, 5, false, CUFFT_FORWARD, {8}, 5, 1, {8}, 1, 8});
    run<float>({"columns in place", {8}, CUFFT_C2C, 5, true, CUFFT_FORWARD, {8}, 5, 1, {8}, 5, 1});
    run<float>({"rows with gaps", {8}, CUFFT_C2C, 3, false, CUFFT_FORWARD, {8}, 2, 20, {8}, 3, 30});
    run<float>({"windows", {8}, CUFFT_R2C, 5, false, CUFFT_FORWARD, {8}, 1, 2, {5}, 1, 5});
    run<double>(
        {"a part of an array", {4, 6}, CUFFT_Z2Z, 2, false, CUFFT_FORWARD, {5, 9}, 2, 100, {4, 7}, 1, 30});
    run<double>(
        {"reals of a part", {4, 6}, CUFFT_D2Z, 2, false, CUFFT_FORWARD, {4, 9}, 2, 80, {4, 5}, 1, 25});
    run<double>({"part to reals", {4, 6}, CUFFT_Z2D, 2, false, CUFFT_FORWARD, {4, 5}, 1, 25, {4, 9}, 2, 80});
    run<float>(
        {"reals in place without padding", {16}, CUFFT_R2C, 2, true, CUFFT_FORWARD, {18}, 1, 18, {9}, 1, 9});
    run<double>({"part of a volume",
                 {2, 3, 4},
                 CUFFT_Z2Z,
                 2,
                 false,
                 CUFFT_FORWARD,
                 {2, 5, 6},
                 1,
                 64,
                 {2, 3, 4},
                 1,
                 24});
}

void show(const char* name, int status) {
    printf("%s: %d\n", name, status);
}

void plans() {
    cufftHandle plan = 0;
    int n[] = {8, 8, 8, 8}, small[] = {8, 4};
    size_t size = 99;
    show("1d 0", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    show("1d -1", cufftPlan1d(&plan, -1, CUFFT_C2C, 1));
    show("1d batch 0", cufftPlan1d(&plan, 8, CUFFT_C2C, 0));
    show("1d batch -1", cufftPlan1d(&plan, 8, CUFFT_C2C, -1));
    show("1d type 0", cufftPlan1d(&plan, 8, (cufftType)0, 1));
    show("1d size 1", cufftPlan1d(&plan, 1, CUFFT_R2C, 1));
    show("many rank 0", cufftPlanMany(&plan, 0, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    show("many rank 4", cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    show("many batch 0", cufftPlanMany(&plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 0));
    show("many stride 0", cufftPlanMany(&plan, 2, n, n, 0, 64, n, 1, 64, CUFFT_C2C, 1));
    show("many stride -1", cufftPlanMany(&plan, 2, n, n, -1, 64, n, 1, 64, CUFFT_C2C, 1));
    show("many distance 0", cufftPlanMany(&plan, 2, n, n, 1, 0, n, 1, 0, CUFFT_C2C, 2));
    show("many distance -1", cufftPlanMany(&plan, 2, n, n, 1, -1, n, 1, 64, CUFFT_C2C, 2));
    show("many small embedding", cufftPlanMany(&plan, 2, n, small, 1, 64, n, 1, 64, CUFFT_C2C, 2));
    show("many one embedding", cufftPlanMany(&plan, 1, n, n, 2, 16, nullptr, 1, 8, CUFFT_C2C, 2));
    show("create", cufftCreate(&plan));
    show("exec of an empty plan", cufftExecC2C(plan, nullptr, nullptr, CUFFT_FORWARD));
    show("stream of an empty plan", cufftSetStream(plan, nullptr));
    show("size of an empty plan", cufftGetSize(plan, &size));
    show("make size 0", cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &size));
    show("make after it", cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size));
    show("make again", cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size));
    show("allocation off afterwards", cufftSetAutoAllocation(plan, 0));
    show("get size", cufftGetSize(plan, &size));
    show("get size, null", cufftGetSize(plan, nullptr));
    show("destroy", cufftDestroy(plan));
    show("destroy again", cufftDestroy(plan));
    show("stream of none", cufftSetStream(plan, nullptr));
    show("work area of none", cufftSetWorkArea(plan, nullptr));
    show("get size of none", cufftGetSize(plan, &size));
    show("make of none", cufftMakePlan1d(4711, 8, CUFFT_C2C, 1, &size));
    show("destroy -1", cufftDestroy(-1));
    show("estimate", cufftEstimate1d(8, CUFFT_C2C, 1, &size));
    show("estimate 0", cufftEstimate1d(0, CUFFT_C2C, 1, &size));
    show("estimate type", cufftEstimate2d(8, 8, (cufftType)3, &size));
    show("estimate many", cufftEstimateMany(3, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 2, &size));
    cufftCreate(&plan);
    show("make without a size", cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr));
    cufftDestroy(plan);
    cufftCreate(&plan);
    show("size 1d", cufftGetSize1d(plan, 8, CUFFT_C2C, 1, &size));
    show("size 2d type", cufftGetSize2d(plan, 8, 8, (cufftType)3, &size));
    show("size many", cufftGetSizeMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 3, &size));
    long long long_n[] = {8, 8};
    show("xt mixed", cufftXtMakePlanMany(plan, 2, long_n, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0,
                                         CUDA_C_64F, 1, &size, CUDA_C_32F));
    show("xt many", cufftXtMakePlanMany(plan, 2, long_n, nullptr, 1, 0, CUDA_R_64F, nullptr, 1, 0, CUDA_C_64F,
                                        1, &size, CUDA_C_64F));
    cufftDestroy(plan);
    int value = -1;
    show("major", cufftGetProperty(MAJOR_VERSION, &value));
    show("major is that of the header", value - CUFFT_VER_MAJOR);
    show("version", cufftGetVersion(&value));
    show("version is that of the header", value / 1000 - CUFFT_VER_MAJOR);
    show("property 9", cufftGetProperty((libraryPropertyType)9, &value));
}

void calls() {
    cufftComplex *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    cufftHandle plan = 0, reals = 0, twice = 0, manual = 0;
    cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
    cufftPlan1d(&reals, 64, CUFFT_R2C, 1);
    cufftPlan1d(&twice, 16, CUFFT_Z2Z, 1);
    show("direction 0", cufftExecC2C(plan, in, out, 0));
    show("direction 2", cufftExecC2C(plan, in, out, 2));
    show("c2c of none", cufftExecC2C(4711, in, out, CUFFT_FORWARD));
    show("xt c2c", cufftXtExec(plan, in, out, CUFFT_INVERSE));
    show("xt c2c, direction 5", cufftXtExec(plan, in, out, 5));
    show("xt r2c, direction 0", cufftXtExec(reals, in, out, 0));
    show("xt r2c, inverse", cufftXtExec(reals, in, out, CUFFT_INVERSE));
    show("unaligned", cufftExecC2C(plan, (cufftComplex*)((char*)in + 4), out, CUFFT_FORWARD));
    show("after it", cudaDeviceSynchronize());
    show("unaligned doubles",
         cufftExecZ2Z(twice, (cufftDoubleComplex*)((char*)in + 8), (cufftDoubleComplex*)out, CUFFT_FORWARD));
    show("after them", cudaDeviceSynchronize());
    size_t size = 0;
    cufftCreate(&manual);
    show("allocation off", cufftSetAutoAllocation(manual, 0));
    show("make", cufftMakePlan1d(manual, 60, CUFFT_C2C, 1, &size));
    show("exec without an area", cufftExecC2C(manual, in, out, CUFFT_FORWARD));
    void* area = nullptr;
    cudaMalloc(&area, size + 256);
    show("set the area", cufftSetWorkArea(manual, area));
    show("exec with it", cufftExecC2C(manual, in, out, CUFFT_FORWARD));
    show("the end", cudaDeviceSynchronize());
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    show("stream", cufftSetStream(plan, stream));
    show("exec in it", cufftExecC2C(plan, in, out, CUFFT_FORWARD));
    show("stream's end", cudaStreamSynchronize(stream));
}

// What a GPU runs all the same, or finds later.
void misuse() {
    cufftComplex *in, *out, host[64] = {};
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cufftHandle plan = 0, reals = 0;
    cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
    cufftPlan1d(&reals, 64, CUFFT_R2C, 1);
    show("null input", cufftExecC2C(plan, nullptr, out, CUFFT_FORWARD));
    show("null output", cufftExecC2C(plan, in, nullptr, CUFFT_FORWARD));
    show("r2c of a c2c plan", cufftExecR2C(plan, (cufftReal*)in, out));
    show("c2c of an r2c plan", cufftExecC2C(reals, in, out, CUFFT_FORWARD));
    show("c2r of an r2c plan", cufftExecC2R(reals, in, (cufftReal*)out));
    show("z2z of a c2c plan",
         cufftExecZ2Z(plan, (cufftDoubleComplex*)in, (cufftDoubleComplex*)out, CUFFT_FORWARD));
    size_t size = 0;
    long long long_n[] = {8, 8};
    cufftCreate(&plan);
    show("xt half", cufftXtMakePlanMany(plan, 2, long_n, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F,
                                        1, &size, CUDA_C_16F));
    cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
    show("input of the host", cufftExecC2C(plan, host, out, CUFFT_FORWARD));
    show("output beyond the end", cufftExecC2C(plan, in, out + 1, CUFFT_FORWARD));
    cufftHandle many = 0;
    int n[] = {8, 0}, embed[] = {8, 0};
    show("2d 8 0", cufftPlan2d(&many, 8, 0, CUFFT_C2C));
    show("many size 0", cufftPlanMany(&many, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    n[1] = 8;
    show("many embedding 0", cufftPlanMany(&many, 2, n, embed, 1, 64, n, 1, 64, CUFFT_C2C, 2));
}

__global__ void scale(cufftComplex* values, float by) {
    values[threadIdx.x].x *= by;
    values[threadIdx.x].y *= by;
}

// Transforms stand in the order of their stream, and may be captured.
void order() {
    const int n = 64;
    std::vector<cufftComplex> values(n);
    for (int i = 0; i < n; ++i)
        values[i] = {static_cast<float>(value_at(i)), static_cast<float>(value_at(2 * i))};
    cufftComplex* memory;
    cudaMalloc(&memory, n * sizeof *memory);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    cufftSetStream(plan, stream);
    const auto round = [&] {
        int status = cufftExecC2C(plan, memory, memory, CUFFT_FORWARD);
        scale<<<1, n, 0, stream>>>(memory, 1.0f / n);
        status += cufftExecC2C(plan, memory, memory, CUFFT_INVERSE);
        scale<<<1, n, 0, stream>>>(memory, 2);
        return status;
    };
    const auto compare = [&](const char* name, double by) {
        std::vector<cufftComplex> got(n);
        cudaMemcpyAsync(got.data(), memory, n * sizeof *memory, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        int wrong = 0;
        for (int i = 0; i < n; ++i)
            wrong +=
                std::abs(got[i].x - by * values[i].x) > 1e-4 || std::abs(got[i].y - by * values[i].y) > 1e-4;
        printf("%s: %d wrong\n", name, wrong);
    };
    cudaMemcpyAsync(memory, values.data(), n * sizeof *memory, cudaMemcpyHostToDevice, stream);
    show("round", round());
    compare("there and back", 2);
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    show("captured", round());
    show("end of capture", cudaStreamEndCapture(stream, &graph));
    show("instance", cudaGraphInstantiate(&instance, graph, 0));
    cudaGraphLaunch(instance, stream);
    cudaGraphLaunch(instance, stream);
    compare("two launches of the graph", 8);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cufftDestroy(plan);
    cudaStreamDestroy(stream);
    cudaFree(memory);
}

int main(int count, char** words) {
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    const char* section = count > 1 ? words[1] : "layouts";
    printf("section %s\n", section);
    if (!strcmp(section, "layouts")) layouts();
    if (!strcmp(section, "plans")) plans();
    if (!strcmp(section, "calls")) calls();
    if (!strcmp(section, "misuse")) misuse();
    if (!strcmp(section, "order")) order();
}
