// Filters one plane with one mask by a kernel on the CPU SIMT machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "preview/filter/exact.h"
#include "preview/run/fit.h"
#include "simt/launch/launch.h"
#include "trace/trace.h"

namespace lanescope::trace {
class Recorder;
}

namespace lanescope::preview {

struct CpuCode;

using simt::BlockRange;

class CpuPass {
  public:
    // The kernel's image is zero outside of `plane`. Both `code` and `fit` are kept.
    // Errors: no memory; a launch that does not fit the kernel.
    static Result<std::unique_ptr<CpuPass>> make(std::shared_ptr<const CpuCode> code,
                                                 std::shared_ptr<const Fit> fit, const std::string& file,
                                                 const PaddedPlane& plane, const Mask& mask, double seconds);

    ~CpuPass();

    trace::Dim3 grid() const;  // of the last launch, which makes the result
    // Runs these blocks of the last launch; the first call also runs all launches before it. A fault or a
    // limit is a problem, not an error. Errors: "cancelled".
    Result<void> run(BlockRange blocks, const std::atomic<bool>* cancel);
    // Reads columns [first, first + values.size()) of a row of the result; `set` says which of them the
    // kernel wrote.
    void read_row(std::uint64_t row, std::uint64_t first, std::vector<float>& values,
                  std::vector<bool>& set) const;

    const std::vector<trace::Problem>& problems() const;
    bool failed() const;  // a launch did not end as it should
    // Records what runs from now on, of the last launch only these blocks; null: nothing.
    void record_into(trace::Recorder* recorder, std::vector<std::uint32_t> blocks);

  private:
    struct State;
    explicit CpuPass(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::preview
