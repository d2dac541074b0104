// Filters an image with a kernel on the CPU SIMT machine, in portions, the visible part first.
//
// Every channel is a launch of its own over a plane. Of two masks (the magnitude of derivatives) each has a
// launch of its own, and the host takes the root of the sum of squares. Kernels know only zeros outside of
// the image, so the host makes any other border: the plane gets a margin of the mask's radius around it,
// which is cut off again. Alpha is kept unless it is asked for.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"
#include "preview/filter/border.h"
#include "preview/filter/exact.h"
#include "preview/run/cpu_pass.h"
#include "preview/run/sample.h"

namespace lanescope::preview {

struct Request {
    std::shared_ptr<const image::Image> image;
    Filter filter;
    Border border = Border::zero;
    std::shared_ptr<const KernelFile> kernel;
    lesson::ParameterValues settings;  // of the kernel file
    bool filter_alpha = false;
    double seconds = 600;  // limit of each launch
};

struct Loads {
    LoadCounts counted;
    bool interior = false;     // the halo of the blocks lies inside of the plane
    double without_tiles = 0;  // loads of the image per pixel: the mask's elements
    double reduction = 0;      // without_tiles / counted
    std::optional<double>
        formula;  // outputs² · mask² / (outputs + mask − 1)²; only for tiles in shared memory
};

// Returns the first of these files that takes the request. Error: that of the last file.
Result<std::shared_ptr<const KernelFile>> choose_kernel(const std::vector<std::string>& paths,
                                                        const Request& request);
std::vector<std::string> kernels_to_choose_from();  // tiled_2d.cu, and one for masks that it cannot take

class Run {
  public:
    // Errors: those of fit() and compile_for_cpu().
    static Result<std::unique_ptr<Run>> make(const Request& request);

    using Progress = std::function<void(float done, std::uint32_t first_row, std::uint32_t end_row)>;
    // `visible`: what to compute first. `progress` gets the rows of result() that changed. Errors:
    // "cancelled"; no memory. A mistake of the kernel is a problem.
    Result<void> run(std::optional<Box> visible, const std::atomic<bool>* cancel, const Progress& progress);

    const image::Image& result() const { return result_; }  // what is not computed is 0
    const std::vector<std::uint8_t>& done() const {
        return done_;
    }  // of each pixel; equal to passes() when it is complete
    std::uint8_t passes() const {
        return static_cast<std::uint8_t>(filtered_ * request_.filter.masks.size());
    }
    std::uint64_t missing() const;  // pixels that the kernel did not write
    const std::vector<trace::Problem>& problems() const { return problems_; }
    const std::vector<std::vector<float>>& values() const {
        return values_;
    }  // of filtered channels: not rounded to levels

    // The difference from the exact result, over complete pixels; height × width per filtered channel.
    Difference difference() const;

    // Records blocks of the last launch, for the first channel and mask; if none are given, some in the
    // middle of the image.
    Result<std::shared_ptr<const trace::Trace>> record(std::vector<std::uint32_t> blocks,
                                                       const std::atomic<bool>* cancel) const;
    Result<Loads> loads(const std::atomic<bool>* cancel) const;
    SampleNames sample_names() const;
    // Returns a machine with the first channel and mask that has not run anything.
    Result<std::unique_ptr<CpuPass>> first_pass() const { return make_pass(0); }

    // Takes what another engine computed: levels as in result(), and per filtered channel the values, NaN
    // where the kernel wrote none.
    void take(std::vector<std::uint16_t> levels, std::vector<std::vector<float>> values);

    const Request& request() const { return request_; }
    const Fit& fit(std::size_t mask = 0) const { return *fits_[mask]; }
    std::shared_ptr<const Fit> shared_fit(std::size_t mask) const { return fits_[mask]; }
    std::uint32_t margin() const { return margin_; }
    trace::Dim3 grid() const;
    std::uint32_t filtered_channels() const { return filtered_; }

  private:
    explicit Run(Request request);
    Result<std::unique_ptr<CpuPass>> make_pass(std::size_t number) const;
    std::vector<std::vector<BlockRange>> portions(std::optional<Box> visible) const;
    Result<void> run_together(const std::vector<std::vector<BlockRange>>& portions,
                              const std::atomic<bool>* cancel, const Progress& progress);
    // Returns whether all launches ended as they should. `rows`: of the image, where the portions lie.
    Result<bool> run_one_by_one(const std::vector<std::vector<BlockRange>>& portions,
                                std::pair<std::uint32_t, std::uint32_t> rows, const std::atomic<bool>* cancel,
                                const Progress& progress);
    Result<void> run_portion(CpuPass& pass, const std::vector<BlockRange>& portion,
                             const std::atomic<bool>* cancel);
    std::pair<std::uint32_t, std::uint32_t> rows_of(const std::vector<BlockRange>& portion) const;
    void harvest(const CpuPass& pass, std::size_t number, std::uint32_t first_row, std::uint32_t end_row);
    void keep_problems(const CpuPass& pass);

    Request request_;
    std::uint32_t margin_ = 0, filtered_ = 1;
    std::uint64_t plane_rows_ = 0, plane_columns_ = 0;
    std::vector<std::shared_ptr<const Fit>> fits_;  // of the masks
    std::shared_ptr<const CpuCode> code_;
    image::Image result_;
    std::vector<std::uint8_t> done_;
    std::vector<std::vector<float>> values_;
    std::vector<trace::Problem> problems_;
};

}  // namespace lanescope::preview
