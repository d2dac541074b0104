#include "cudart/libraries/fftw.h"

#include <dlfcn.h>

#include <mutex>
#include <string>

namespace lanescope::cudart {

namespace {

// FFTW's FFTW_ESTIMATE: a plan without trying.
constexpr unsigned estimate = 1u << 6;

void* fftw_function(bool is_double, const char* name) {
    static void* const libraries[] = {dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL),
                                      dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL)};
    void* const library = libraries[is_double ? 1 : 0];
    return library == nullptr ? nullptr
                              : dlsym(library, (std::string(is_double ? "fftw_" : "fftwf_") + name).c_str());
}

template <class Function>
Function* fftw(bool is_double, const char* name) {
    return reinterpret_cast<Function*>(fftw_function(is_double, name));
}

// Only the execution of plans may run in several threads at a time.
std::mutex& planning() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

bool has_fftw(bool is_double) {
    return fftw_function(is_double, "plan_guru64_dft") != nullptr;
}

std::shared_ptr<void> plan_fftw(bool is_double, FftwKind kind, const FftwJob& job) {
    using Real = void*(int, const FftwAxis*, int, const FftwAxis*, void*, void*, unsigned);
    using Complex = void*(int, const FftwAxis*, int, const FftwAxis*, void*, void*, int, unsigned);
    const std::scoped_lock lock(planning());
    void* made = nullptr;
    if (kind == FftwKind::forward || kind == FftwKind::backward) {
        const int sign = kind == FftwKind::forward ? -1 : 1;
        made = fftw<Complex>(is_double, "plan_guru64_dft")(job.rank, job.axes, job.repeat_rank, job.repeats,
                                                           job.in, job.out, sign, estimate);
    } else {
        const bool to_complex = kind == FftwKind::real_to_complex;
        made = fftw<Real>(is_double, to_complex ? "plan_guru64_dft_r2c" : "plan_guru64_dft_c2r")(
            job.rank, job.axes, job.repeat_rank, job.repeats, job.in, job.out, estimate);
    }
    if (made == nullptr) return nullptr;
    return {made, [is_double](void* plan) {
                const std::scoped_lock destroying(planning());
                fftw<void(void*)>(is_double, "destroy_plan")(plan);
            }};
}

void run_fftw(bool is_double, void* plan) {
    fftw<void(void*)>(is_double, "execute")(plan);
}

}  // namespace lanescope::cudart
