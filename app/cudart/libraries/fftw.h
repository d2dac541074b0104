// FFTW, opened at run time, by the 64-bit guru interface of its two precisions.
#pragma once

#include <cstddef>
#include <memory>

namespace lanescope::cudart {

// One dimension: how many, and how far apart they are in the input and in the output (FFTW's fftw_iodim64).
struct FftwAxis {
    std::ptrdiff_t count, in_stride, out_stride;
};

// A transform of one call: its dimensions, the slowest first, its repetitions, and both ends in the host's
// memory, densely packed. `in` is destroyed.
struct FftwJob {
    const FftwAxis* axes;
    int rank;
    const FftwAxis* repeats;
    int repeat_rank;
    void* in;
    void* out;
};
enum class FftwKind { forward, backward, real_to_complex, complex_to_real };

// Whether FFTW of this precision is installed.
bool has_fftw(bool is_double);
// A plan; call it to run the transform. Null: FFTW has no plan for this job.
std::shared_ptr<void> plan_fftw(bool is_double, FftwKind kind, const FftwJob& job);
void run_fftw(bool is_double, void* plan);

}  // namespace lanescope::cudart
