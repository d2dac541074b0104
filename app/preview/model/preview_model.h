// What the preview of convolutions holds: image, filter, border and kernel file, the runs that filter, and
// the pixel that is explained. Every change of the request starts a new run.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "preview/model/block_stepping.h"
#include "preview/model/filter_choice.h"
#include "preview/model/filter_runner.h"
#include "preview/model/kernel_files.h"
#include "preview/model/opened_image.h"
#include "preview/model/result_saver.h"
#include "preview/pixel/pixel_inspector.h"

namespace lanescope::preview {

class PreviewModel {
  public:
    explicit PreviewModel(FilterDevice& device);  // outlives the model

    // problem() keeps errors for the view, and what was there stays. An image stays until the new one is
    // read.
    void open_image(const std::filesystem::path& path);
    void edit_filter(const std::function<void(FilterChoice&)>& edit);
    void choose_kernel(std::size_t number);
    void open_kernel(const std::filesystem::path& path);
    // Edits the chosen kernel file and runs it. `edit` returns whether it changed the text.
    void edit_kernel(const std::function<bool(session::Document&)>& edit);
    Result<void> load_mask(const std::filesystem::path& path);    // errors: FilterChoice::load's
    Result<void> save_kernel(const std::filesystem::path& path);  // errors: KernelFiles::save's
    void set_border(Border border);
    void set_visible(Box visible) { visible_ = visible; }  // is computed first
    // Called on the device's thread; while the device is in use, so is everything that starts runs. Without a
    // GPU the problem says why, and the CPU machine goes on.
    void use_device(bool wanted);
    void cancel();
    Result<void> save_result(const std::filesystem::path& path);  // errors: there is no result, ResultSaver's
    std::vector<std::filesystem::path> inputs() const;            // what is read: no output replaces it
    void step_into_block();                                       // of the chosen pixel
    void tell(const std::string& problem) { problem_ = problem; }

    // Polls the jobs and looks for changed files. True when something changed.
    bool update(double now_s);
    void wait();  // for headless pictures

    const image::Image* image() const { return image_.image().get(); }  // null: none yet
    const OpenedImage& image_file() const { return image_; }
    const FilterChoice& filter() const { return filter_; }
    const KernelFiles& kernels() const { return kernels_; }
    const FilterRunner& runner() const { return runner_; }
    const PixelInspector& inspector() const { return inspector_; }
    PixelInspector& inspector() { return inspector_; }
    const ResultSaver& saver() const { return saver_; }
    const BlockStepping& stepping() const { return stepping_; }
    BlockStepping& stepping() { return stepping_; }
    Border border() const { return border_; }
    bool busy() const { return image_.opening() || runner_.busy(); }
    const std::string& problem() const { return problem_; }  // of the newest attempt
    const std::string& notice() const { return notice_; }    // what was written, until the next run
    // Mistakes in the text of the chosen kernel file, else those that its newest run found.
    const Diagnostics& diagnostics() const;

  private:
    void take_image();
    void take_kernel();
    void start();

    OpenedImage image_;
    FilterChoice filter_;
    KernelFiles kernels_;
    Border border_ = Border::zero;
    std::optional<Box> visible_;
    PixelInspector inspector_;
    BlockStepping stepping_;
    ResultSaver saver_;
    FilterRunner runner_;
    std::string problem_, notice_;
};

}  // namespace lanescope::preview
