// One plane through one mask by a kernel on the CPU SIMT machine.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "compile/compiler.h"
#include "preview/kernel_file.h"
#include "ptx/debug_info.h"
#include "simt/machine.h"

namespace lanescope::preview {

// A kernel file's optimised code, decoded for the machine.
struct CpuCode {
    compile::Output compiled;
    std::shared_ptr<const simt::Program> program;
    std::vector<simt::KernelInfo> kernels;
    TypeTable types;
};
// Errors: the compiler's, at their lines; code that the machine does not know.
Result<std::shared_ptr<const CpuCode>> compile_for_cpu(const KernelFile& kernel, const Fit& fit);

struct BlockRange {
    std::uint64_t first = 0, end = 0;
};

class CpuPass {
  public:
    // `plane`: rows × columns values; the rest of the kernel's image is zero. Both `code` and `fit` are kept.
    // Errors: no memory; a launch that does not fit the kernel.
    static Result<std::unique_ptr<CpuPass>> make(std::shared_ptr<const CpuCode> code,
                                                 std::shared_ptr<const Fit> fit, const std::string& file,
                                                 const std::vector<float>& plane, std::uint64_t rows,
                                                 std::uint64_t columns, const Mask& mask, double seconds);

    trace::Dim3 grid() const;  // of the last launch, the one that makes the result
    // Runs these blocks of the last launch; all launches before it run whole, the first time. A fault or a
    // limit is a problem, not an error. Errors: "cancelled".
    Result<void> run(BlockRange blocks, const std::atomic<bool>* cancel);
    // Columns [first, first + values.size()) of a row of the result; `set` says which of them the kernel
    // wrote.
    void read_row(std::uint64_t row, std::uint64_t first, std::vector<float>& values,
                  std::vector<bool>& set) const;

    const std::vector<trace::Problem>& problems() const { return machine_.problems(); }
    bool failed() const { return failed_; }  // a launch did not end as it should
    // Records what runs from now on, of the last launch these blocks only; null: nothing.
    void record_into(trace::Recorder* recorder, std::vector<std::uint32_t> blocks);
    std::uint64_t memory_bytes() const;

  private:
    CpuPass(std::shared_ptr<const CpuCode> code, std::shared_ptr<const Fit> fit, const simt::Limits& limits);
    Result<void> make_buffers(const std::vector<float>& plane, std::uint64_t rows, std::uint64_t columns,
                              const Mask& mask);
    Result<void> prepare_launches(const std::string& file);
    Result<void> launch(simt::LaunchRequest& request, const std::atomic<bool>* cancel);

    std::shared_ptr<const CpuCode> code_;
    std::shared_ptr<const Fit> fit_;
    simt::Machine machine_;
    TypeTable types_;
    std::vector<simt::DeviceAddress> addresses_;  // of the buffers
    std::vector<simt::LaunchRequest> launches_;
    bool first_launches_done_ = false, failed_ = false;
};

}  // namespace lanescope::preview
