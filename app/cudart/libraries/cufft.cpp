// cuFFT on the CPU machine, in single and double precision: plans of one to three dimensions with batches,
// strides and embedded arrays. FFTW computes, on copies that CUDA's runtime makes in the plan's stream. What
// else cuFFT has returns CUFFT_NOT_SUPPORTED.
//
// Inaccuracy: the last bits of results differ from a GPU's. Plans need no work area, so that all sizes of
// work areas are 0.
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <cufftXt.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "cudart/libraries/fftw.h"

#define LANESCOPE_CUFFT extern "C" __attribute__((visibility("default"))) cufftResult CUFFTAPI

// The runtime's library has it: notes a call of another library, and once a sentence about it.
extern "C" void __cudaLanescopeLibraryCall(const char* function, const char* sentence);
extern "C" void __cudaLanescopeUnsupported(const char* function, const char* sentence);  // refuses it

namespace lanescope::cudart {

namespace {

using Size = long long;

// `count` elements, `stride` elements apart.
struct Axis {
    Size count, stride;
};

// Where one end of a plan has its elements: the batch, then the dimensions, the slowest first.
using Layout = std::vector<Axis>;

struct Embedding {
    const Size* sizes = nullptr;  // of the whole array; null: the transform's
    Size stride = 1, distance = 0;
};

// One transform whose copies and computation are prepared.
struct Work {
    std::unique_ptr<std::byte[]> in, out;
    std::shared_ptr<void> plan;
    bool is_double = false;
};

struct Plan {
    bool made = false;
    cufftType type = CUFFT_C2C;
    std::vector<Size> sizes;
    Size batch = 1;
    std::optional<std::array<Layout, 2>> given;  // the program's layout of input and output
    cudaStream_t stream = nullptr;
    std::vector<std::shared_ptr<Work>> captured;  // what graphs use

    bool is_double() const { return (type & 0x40) != 0; }
    bool is_complex() const { return type == CUFFT_C2C || type == CUFFT_Z2Z; }
    bool to_complex() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
    bool real_end(bool output) const { return !is_complex() && output != to_complex(); }
    std::size_t element_bytes(bool output) const {
        return (is_double() ? sizeof(double) : sizeof(float)) * (real_end(output) ? 1 : 2);
    }
    // The dimensions of one end: a real transform has half of the complex numbers.
    std::vector<Size> dimensions(bool output) const {
        std::vector<Size> found = sizes;
        if (!is_complex() && !real_end(output)) found.back() = found.back() / 2 + 1;
        return found;
    }
};

class Plans {
  public:
    static Plans& instance() {
        static Plans all;
        return all;
    }
    std::recursive_mutex& mutex() { return mutex_; }
    Plan* find(cufftHandle handle) {
        const auto known = plans_.find(handle);
        return known == plans_.end() ? nullptr : known->second.get();
    }
    cufftHandle add() {
        plans_.emplace(++last_, std::make_unique<Plan>());
        return last_;
    }
    bool remove(cufftHandle handle) { return plans_.erase(handle) != 0; }

  private:
    std::recursive_mutex mutex_;
    std::map<cufftHandle, std::unique_ptr<Plan>> plans_;
    cufftHandle last_ = 0;
};

cufftResult refuse(const char* function, const char* why, cufftResult status) {
    const bool misused = status == CUFFT_INVALID_TYPE || status == CUFFT_INVALID_VALUE ||
                         status == CUFFT_EXEC_FAILED || status == CUFFT_ALLOC_FAILED;
    (misused ? __cudaLanescopeLibraryCall : __cudaLanescopeUnsupported)(
        function, (std::string(function) + ": " + why).c_str());
    return status;
}

bool is_type(cufftType type) {
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}

// --- layouts

Layout dense(const std::vector<Size>& sizes, Size batch, Size row) {
    Layout made(sizes.size() + 1);
    Size stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        made[i + 1] = {sizes[i], stride};
        stride *= i + 1 == sizes.size() ? row : sizes[i];
    }
    made[0] = {batch, stride};
    return made;
}

Layout embedded(const std::vector<Size>& sizes, Size batch, const Embedding& in) {
    Layout made(sizes.size() + 1);
    Size stride = in.stride;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        made[i + 1] = {sizes[i], stride};
        stride *= in.sizes[i];
    }
    made[0] = {batch, in.distance};
    return made;
}

// A real transform in place has rows of real numbers that leave room for the complex ones.
Layout layout_of(const Plan& plan, bool output, bool in_place) {
    if (plan.given) return (*plan.given)[output ? 1 : 0];
    const std::vector<Size> sizes = plan.dimensions(output);
    const bool padded = in_place && plan.real_end(output);
    return dense(sizes, plan.batch, padded ? 2 * (sizes.back() / 2 + 1) : sizes.back());
}

// The same elements without gaps, in the order in which they lie.
Layout packed(const Layout& layout) {
    std::vector<std::size_t> order(layout.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return layout[a].stride < layout[b].stride; });
    Layout made = layout;
    Size stride = 1;
    for (const std::size_t i : order) {
        made[i].stride = stride;
        stride *= layout[i].count;
    }
    return made;
}

std::size_t elements(const Layout& layout) {
    std::size_t count = 1;
    for (const Axis& axis : layout)
        count *= static_cast<std::size_t>(axis.count);
    return count;
}

// The axes from the densest on; those that continue each other are one.
Layout joined(Layout layout) {
    std::stable_sort(layout.begin(), layout.end(),
                     [](const Axis& a, const Axis& b) { return a.stride < b.stride; });
    Layout made;
    for (const Axis& axis : layout) {
        if (axis.count == 1) continue;
        if (!made.empty() && made.back().stride * made.back().count == axis.stride)
            made.back().count *= axis.count;
        else
            made.push_back(axis);
    }
    return made;
}

// --- copies between the device and packed elements

struct Copy {
    std::byte* device;
    std::byte* host;
    std::size_t element_bytes;
    bool to_host;
    cudaStream_t stream;

    bool rows(std::size_t at, std::size_t pitch, std::size_t width, std::size_t height) {
        void* const to = to_host ? host : device + at;
        const void* const from = to_host ? device + at : host;
        host += width * height;
        return height == 1 ? cudaMemcpyAsync(to, from, width, cudaMemcpyDefault, stream) == cudaSuccess
                           : cudaMemcpy2DAsync(to, to_host ? width : pitch, from, to_host ? pitch : width,
                                               width, height, cudaMemcpyDefault, stream) == cudaSuccess;
    }
    // `axes` of joined(), from `depth` outwards to the densest.
    bool boxes(const Layout& axes, std::size_t depth, std::size_t at) {
        const bool dense = !axes.empty() && axes.front().stride == 1;
        const std::size_t inner = dense ? 1 : 0;  // the axis of the rows
        const std::size_t width =
            dense ? static_cast<std::size_t>(axes.front().count) * element_bytes : element_bytes;
        if (depth <= inner) return rows(at, width, width, 1);
        const Axis& axis = axes[depth - 1];
        const std::size_t step = static_cast<std::size_t>(axis.stride) * element_bytes;
        if (depth == inner + 1 && step >= width)
            return rows(at, step, width, static_cast<std::size_t>(axis.count));
        for (Size i = 0; i < axis.count; ++i)
            if (!boxes(axes, depth - 1, at + static_cast<std::size_t>(i) * step)) return false;
        return true;
    }
};

bool copy(const Plan& plan, const Layout& layout, bool output, const void* device, std::byte* host) {
    const Layout axes = joined(layout);
    Copy made{static_cast<std::byte*>(const_cast<void*>(device)), host, plan.element_bytes(output), !output,
              plan.stream};
    return made.boxes(axes, axes.size(), 0);
}

// --- plans

struct Request {
    int rank;
    const Size* sizes;
    Embedding in, out;
    cufftType type;
    Size batch;
};

// Bounds what a plan can make the host allocate, before any multiplication overflows.
constexpr Size most_elements = Size{1} << 40;

bool is_small(const Layout& layout) {
    Size count = 1;
    for (const Axis& axis : layout) {
        if (axis.count > most_elements / count) return false;
        count *= axis.count;
    }
    return true;
}

cufftResult check(const Request& request) {
    constexpr int most_dimensions = 3;
    if (!is_type(request.type)) return CUFFT_INVALID_TYPE;
    if (request.rank < 1 || request.rank > most_dimensions || request.sizes == nullptr)
        return CUFFT_INVALID_VALUE;
    for (int i = 0; i < request.rank; ++i)
        if (request.sizes[i] < 1) return CUFFT_INVALID_SIZE;
    return request.batch < 1 ? CUFFT_INVALID_SIZE : CUFFT_SUCCESS;
}

cufftResult describe(const Request& request, Plan& plan) {
    if (const cufftResult wrong = check(request); wrong != CUFFT_SUCCESS) return wrong;
    plan.type = request.type;
    plan.sizes.assign(request.sizes, request.sizes + request.rank);
    plan.batch = request.batch;
    if ((request.in.sizes == nullptr) != (request.out.sizes == nullptr)) return CUFFT_INVALID_VALUE;
    if (request.in.sizes != nullptr) {
        for (const Embedding* each : {&request.in, &request.out}) {
            if (each->stride < 1 || each->distance < (request.batch > 1 ? 1 : 0)) return CUFFT_INVALID_VALUE;
            for (int i = 1; i < request.rank; ++i)
                if (each->sizes[i] < 1) return CUFFT_INVALID_VALUE;
        }
        plan.given = {embedded(plan.dimensions(false), plan.batch, request.in),
                      embedded(plan.dimensions(true), plan.batch, request.out)};
    }
    return is_small(layout_of(plan, false, true)) && is_small(layout_of(plan, true, true))
               ? CUFFT_SUCCESS
               : CUFFT_INVALID_SIZE;
}

cufftResult make(const char* function, cufftHandle handle, const Request& request) {
    const std::scoped_lock lock(Plans::instance().mutex());
    Plan* const plan = Plans::instance().find(handle);
    if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
    Plan made;
    if (const cufftResult wrong = describe(request, made); wrong != CUFFT_SUCCESS) return wrong;
    if (!has_fftw(made.is_double()))
        return refuse(function,
                      made.is_double() ? "cuFFT needs FFTW (libfftw3.so.3); install libfftw3-double3"
                                       : "cuFFT needs FFTW (libfftw3f.so.3); install libfftw3-single3",
                      CUFFT_MISSING_DEPENDENCY);
    made.stream = plan->stream;
    made.made = true;
    *plan = std::move(made);
    return CUFFT_SUCCESS;
}

cufftResult make(const char* function, cufftHandle handle, const Request& request, std::size_t* work) {
    if (work == nullptr) return CUFFT_INVALID_VALUE;
    const cufftResult status = make(function, handle, request);
    if (status == CUFFT_SUCCESS) *work = 0;
    return status;
}

cufftResult plan_of(const char* function, cufftHandle* handle, const Request& request) {
    if (handle == nullptr) return CUFFT_INVALID_VALUE;
    const std::scoped_lock lock(Plans::instance().mutex());
    const cufftHandle added = Plans::instance().add();
    const cufftResult status = make(function, added, request);
    if (status == CUFFT_SUCCESS)
        *handle = added;
    else
        Plans::instance().remove(added);
    return status;
}

// How large the work area of a plan is: none is needed.
cufftResult size_of(const Request& request, std::size_t* work) {
    if (work == nullptr) return CUFFT_INVALID_VALUE;
    Plan described;
    const cufftResult status = describe(request, described);
    if (status == CUFFT_SUCCESS) *work = 0;
    return status;
}

cufftResult size_of(cufftHandle handle, const Request& request, std::size_t* work) {
    const std::scoped_lock lock(Plans::instance().mutex());
    return Plans::instance().find(handle) == nullptr ? CUFFT_INVALID_PLAN : size_of(request, work);
}

// Sizes of the 32-bit interface; null stays null.
struct Sizes {
    std::array<Size, 3> values{};
    bool known = false;
    Sizes(int rank, const int* from) : known(from != nullptr) {
        for (std::size_t i = 0; known && i < values.size() && i < static_cast<std::size_t>(std::max(rank, 0));
             ++i)
            values[i] = from[i];
    }
    const Size* get() const { return known ? values.data() : nullptr; }
};

// `act` gets the request for a transform of these sizes.
template <class Act, class... N>
cufftResult with(const Act& act, cufftType type, int batch, N... sizes) {
    const Size each[] = {sizes...};
    return act(Request{sizeof...(sizes), each, {}, {}, type, batch});
}

// The arguments of the functions with "Many", of the 32-bit interface.
struct Many {
    int rank;
    const int *sizes, *in_sizes;
    int in_stride, in_distance;
    const int* out_sizes;
    int out_stride, out_distance;
    cufftType type;
    int batch;
};
template <class Act>
cufftResult with(const Act& act, const Many& many) {
    const Sizes all(many.rank, many.sizes), in(many.rank, many.in_sizes), out(many.rank, many.out_sizes);
    return act(Request{many.rank,
                       all.get(),
                       {in.get(), many.in_stride, many.in_distance},
                       {out.get(), many.out_stride, many.out_distance},
                       many.type,
                       many.batch});
}

// --- execution

bool is_aligned(const void* pointer, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

// Whether kernels may use the pointer.
bool is_reachable(const void* pointer) {
    cudaPointerAttributes found{};
    return cudaPointerGetAttributes(&found, pointer) == cudaSuccess &&
           found.type != cudaMemoryTypeUnregistered;
}

std::shared_ptr<Work> prepare(const Plan& plan, const Layout& in, const Layout& out, int direction) {
    auto work = std::make_shared<Work>();
    work->is_double = plan.is_double();
    work->in = std::make_unique_for_overwrite<std::byte[]>(elements(in) * plan.element_bytes(false));
    work->out = std::make_unique_for_overwrite<std::byte[]>(elements(out) * plan.element_bytes(true));
    const Layout from = packed(in), to = packed(out);
    std::vector<FftwAxis> axes;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Size count = i == 0 ? plan.batch : plan.sizes[i - 1];
        axes.push_back({static_cast<std::ptrdiff_t>(count), static_cast<std::ptrdiff_t>(from[i].stride),
                        static_cast<std::ptrdiff_t>(to[i].stride)});
    }
    FftwKind kind = direction == CUFFT_FORWARD ? FftwKind::forward : FftwKind::backward;
    if (!plan.is_complex()) kind = plan.to_complex() ? FftwKind::real_to_complex : FftwKind::complex_to_real;
    work->plan = plan_fftw(work->is_double, kind,
                           {axes.data() + 1, static_cast<int>(plan.sizes.size()), axes.data(), 1,
                            work->in.get(), work->out.get()});
    return work;
}

void CUDART_CB run_captured(void* data) {
    const Work& work = *static_cast<const Work*>(data);
    run_fftw(work.is_double, work.plan.get());
}

cufftResult transform(const char* function, Plan& plan, const void* from, void* to, int direction) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(plan.stream, &capture) != cudaSuccess) return CUFFT_EXEC_FAILED;
    const Layout in = layout_of(plan, false, from == to), out = layout_of(plan, true, from == to);
    const std::shared_ptr<Work> work = prepare(plan, in, out, direction);
    if (work->plan == nullptr) return refuse(function, "FFTW has no plan for it", CUFFT_INTERNAL_ERROR);
    if (!copy(plan, in, false, from, work->in.get())) return CUFFT_EXEC_FAILED;
    if (capture == cudaStreamCaptureStatusNone) {
        run_fftw(work->is_double, work->plan.get());
    } else {
        if (cudaLaunchHostFunc(plan.stream, run_captured, work.get()) != cudaSuccess)
            return CUFFT_EXEC_FAILED;
        plan.captured.push_back(work);
    }
    return copy(plan, out, true, to, work->out.get()) ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult execute(const char* function, cufftHandle handle, std::optional<cufftType> type, const void* from,
                    void* to, int direction) {
    const std::scoped_lock lock(Plans::instance().mutex());
    Plan* const plan = Plans::instance().find(handle);
    if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
    if (type && plan->type != *type)
        return refuse(function, "the plan is of another type of transform", CUFFT_INVALID_TYPE);
    const int wanted = plan->to_complex() ? CUFFT_FORWARD : CUFFT_INVERSE;
    if (!plan->is_complex() && direction != wanted) return CUFFT_INVALID_VALUE;
    if (from == nullptr || to == nullptr ||
        (plan->is_complex() && direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    if (!is_aligned(from, plan->element_bytes(false)) || !is_aligned(to, plan->element_bytes(true)))
        return refuse(function, "the input and the output must be aligned to their elements",
                      CUFFT_INVALID_VALUE);
    __cudaLanescopeLibraryCall(function, "transforms of cuFFT run on the host, by FFTW");
    if (!is_reachable(from) || !is_reachable(to))
        return refuse(function, "the input and the output must be memory of the device", CUFFT_EXEC_FAILED);
    try {
        return transform(function, *plan, from, to, direction);
    } catch (const std::bad_alloc&) {
        return refuse(function, "the host has too little memory for its copies", CUFFT_ALLOC_FAILED);
    }
}

// The type of a transform between these types of numbers.
struct XtType {
    cufftType type = CUFFT_C2C;
    cufftResult status = CUFFT_SUCCESS;
};
XtType type_of(const char* function, cudaDataType in, cudaDataType out, cudaDataType computed) {
    const auto is_single = [](cudaDataType each) { return each == CUDA_R_32F || each == CUDA_C_32F; };
    const auto is_double = [](cudaDataType each) { return each == CUDA_R_64F || each == CUDA_C_64F; };
    for (const cudaDataType each : {in, out, computed})
        if (!is_single(each) && !is_double(each))
            return {CUFFT_C2C,
                    refuse(function, "only single and double precision are supported", CUFFT_NOT_SUPPORTED)};
    const bool single = is_single(in);
    const auto is_real = [](cudaDataType each) { return each == CUDA_R_32F || each == CUDA_R_64F; };
    if (is_single(out) != single || is_single(computed) != single || (is_real(in) && is_real(out)))
        return {CUFFT_C2C, CUFFT_INVALID_TYPE};
    if (is_real(in)) return {single ? CUFFT_R2C : CUFFT_D2Z, CUFFT_SUCCESS};
    if (is_real(out)) return {single ? CUFFT_C2R : CUFFT_Z2D, CUFFT_SUCCESS};
    return {single ? CUFFT_C2C : CUFFT_Z2Z, CUFFT_SUCCESS};
}

// Acts on a plan that the program has made or created.
template <class Act>
cufftResult on_plan(cufftHandle handle, const Act& act) {
    const std::scoped_lock lock(Plans::instance().mutex());
    Plan* const plan = Plans::instance().find(handle);
    return plan == nullptr ? CUFFT_INVALID_PLAN : act(*plan);
}

}  // namespace

}  // namespace lanescope::cudart

using namespace lanescope::cudart;

// --- plans

LANESCOPE_CUFFT cufftCreate(cufftHandle* handle) {
    if (handle == nullptr) return CUFFT_INVALID_VALUE;
    const std::scoped_lock lock(Plans::instance().mutex());
    *handle = Plans::instance().add();
    return CUFFT_SUCCESS;
}
LANESCOPE_CUFFT cufftDestroy(cufftHandle handle) {
    if (handle == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
    const std::scoped_lock lock(Plans::instance().mutex());
    return Plans::instance().remove(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

// One dimension has a batch, two and three have none.
#define LANESCOPE_DIMENSIONS(D, BATCH, SIZES, NAMES, DECLARED)                                           \
    LANESCOPE_CUFFT cufftPlan##D(cufftHandle* handle, LANESCOPE_ALL SIZES, cufftType type DECLARED) {    \
        return with([&](const Request& asked) { return plan_of("cufftPlan" #D, handle, asked); }, type,  \
                    BATCH, LANESCOPE_ALL NAMES);                                                         \
    }                                                                                                    \
    LANESCOPE_CUFFT cufftMakePlan##D(cufftHandle handle, LANESCOPE_ALL SIZES, cufftType type DECLARED,   \
                                     size_t* work) {                                                     \
        return with([&](const Request& asked) { return make("cufftMakePlan" #D, handle, asked, work); }, \
                    type, BATCH, LANESCOPE_ALL NAMES);                                                   \
    }                                                                                                    \
    LANESCOPE_CUFFT cufftGetSize##D(cufftHandle handle, LANESCOPE_ALL SIZES, cufftType type DECLARED,    \
                                    size_t* work) {                                                      \
        return with([&](const Request& asked) { return size_of(handle, asked, work); }, type, BATCH,     \
                    LANESCOPE_ALL NAMES);                                                                \
    }                                                                                                    \
    LANESCOPE_CUFFT cufftEstimate##D(LANESCOPE_ALL SIZES, cufftType type DECLARED, size_t* work) {       \
        return with([&](const Request& asked) { return size_of(asked, work); }, type, BATCH,             \
                    LANESCOPE_ALL NAMES);                                                                \
    }
#define LANESCOPE_ALL(...) __VA_ARGS__
#define LANESCOPE_BATCH , int batch
LANESCOPE_DIMENSIONS(1d, batch, (int nx), (nx), LANESCOPE_BATCH)
LANESCOPE_DIMENSIONS(2d, 1, (int nx, int ny), (nx, ny), )
LANESCOPE_DIMENSIONS(3d, 1, (int nx, int ny, int nz), (nx, ny, nz), )

LANESCOPE_CUFFT cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch) {
    return with([&](const Request& asked) { return plan_of("cufftPlanMany", handle, asked); },
                Many{rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch});
}
LANESCOPE_CUFFT cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                                  int* onembed, int ostride, int odist, cufftType type, int batch,
                                  size_t* work) {
    return with([&](const Request& asked) { return make("cufftMakePlanMany", handle, asked, work); },
                Many{rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch});
}
LANESCOPE_CUFFT cufftGetSizeMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                                 int* onembed, int ostride, int odist, cufftType type, int batch,
                                 size_t* work) {
    return with([&](const Request& asked) { return size_of(handle, asked, work); },
                Many{rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch});
}
LANESCOPE_CUFFT cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                  int ostride, int odist, cufftType type, int batch, size_t* work) {
    return with([&](const Request& asked) { return size_of(asked, work); },
                Many{rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch});
}
LANESCOPE_CUFFT cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                                    long long istride, long long idist, long long* onembed, long long ostride,
                                    long long odist, cufftType type, long long batch, size_t* work) {
    return make("cufftMakePlanMany64", handle,
                {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch}, work);
}
LANESCOPE_CUFFT cufftGetSizeMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                                   long long istride, long long idist, long long* onembed, long long ostride,
                                   long long odist, cufftType type, long long batch, size_t* work) {
    return size_of(handle, {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch},
                   work);
}
LANESCOPE_CUFFT cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                    long long istride, long long idist, cudaDataType in, long long* onembed,
                                    long long ostride, long long odist, cudaDataType out, long long batch,
                                    size_t* work, cudaDataType computed) {
    const XtType known = type_of("cufftXtMakePlanMany", in, out, computed);
    if (known.status != CUFFT_SUCCESS) return known.status;
    return make("cufftXtMakePlanMany", handle,
                {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, known.type, batch}, work);
}
LANESCOPE_CUFFT cufftXtGetSizeMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                   long long istride, long long idist, cudaDataType in, long long* onembed,
                                   long long ostride, long long odist, cudaDataType out, long long batch,
                                   size_t* work, cudaDataType computed) {
    const XtType known = type_of("cufftXtGetSizeMany", in, out, computed);
    if (known.status != CUFFT_SUCCESS) return known.status;
    return size_of(handle, {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, known.type, batch},
                   work);
}

// --- what belongs to a plan

LANESCOPE_CUFFT cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    return on_plan(handle, [&](Plan& plan) {
        plan.stream = stream;
        return CUFFT_SUCCESS;
    });
}
LANESCOPE_CUFFT cufftGetSize(cufftHandle handle, size_t* work) {
    return on_plan(handle, [&](const Plan& plan) {
        if (!plan.made) return CUFFT_INVALID_PLAN;
        if (work == nullptr) return CUFFT_INVALID_VALUE;
        *work = 0;
        return CUFFT_SUCCESS;
    });
}
LANESCOPE_CUFFT cufftSetAutoAllocation(cufftHandle handle, int) {
    return on_plan(handle, [](const Plan&) { return CUFFT_SUCCESS; });
}
LANESCOPE_CUFFT cufftSetWorkArea(cufftHandle handle, void*) {
    return on_plan(handle, [](const Plan&) { return CUFFT_SUCCESS; });
}
LANESCOPE_CUFFT cufftGetVersion(int* version) {
    if (version == nullptr) return CUFFT_INVALID_VALUE;
    *version = LANESCOPE_CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
LANESCOPE_CUFFT cufftGetProperty(libraryPropertyType type, int* value) {
    if (value == nullptr) return CUFFT_INVALID_VALUE;
    constexpr int version = LANESCOPE_CUFFT_VERSION, major = 1000, minor = 100;
    if (type == MAJOR_VERSION)
        *value = version / major;
    else if (type == MINOR_VERSION)
        *value = version % major / minor;
    else if (type == PATCH_LEVEL)
        *value = version % minor;
    else
        return CUFFT_INVALID_TYPE;
    return CUFFT_SUCCESS;
}

// --- transforms

LANESCOPE_CUFFT cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int direction) {
    return execute("cufftExecC2C", handle, CUFFT_C2C, in, out, direction);
}
LANESCOPE_CUFFT cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
    return execute("cufftExecR2C", handle, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
LANESCOPE_CUFFT cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
    return execute("cufftExecC2R", handle, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
LANESCOPE_CUFFT cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleComplex* out,
                             int direction) {
    return execute("cufftExecZ2Z", handle, CUFFT_Z2Z, in, out, direction);
}
LANESCOPE_CUFFT cufftExecD2Z(cufftHandle handle, cufftDoubleReal* in, cufftDoubleComplex* out) {
    return execute("cufftExecD2Z", handle, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
LANESCOPE_CUFFT cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleReal* out) {
    return execute("cufftExecZ2D", handle, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
LANESCOPE_CUFFT cufftXtExec(cufftHandle handle, void* in, void* out, int direction) {
    return execute("cufftXtExec", handle, std::nullopt, in, out, direction);
}
