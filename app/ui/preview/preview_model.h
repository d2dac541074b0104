// What the preview of convolutions shows and does: image, mask, border, kernel file, and the jobs that
// filter.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "image/image.h"
#include "preview/run/block_recorder.h"
#include "preview/run/run.h"
#include "session/history.h"
#include "session/run/run.h"
#include "ui/preview/preview_gpu.h"

namespace lanescope::ui {

// What a finished run says about itself.
struct PreviewFacts {
    preview::Loads loads;
    preview::Difference difference;
    std::uint64_t missing = 0;
    std::vector<trace::Problem> problems;
    std::array<std::uint32_t, 64> levels_before{},
        levels_after{};  // how many samples of colour, of 64 equal parts
};
Result<PreviewFacts> facts_of(const preview::Run& run, const std::atomic<bool>* cancel);

// One pixel, and the block that made it, from that block's trace.
struct PixelFacts {
    std::uint32_t x = 0, y = 0;
    std::uint32_t block_x = 0, block_y = 0, block = 0;
    bool known = false;            // the block's trace says the following
    std::uint32_t thread = 0;      // linear in the block
    preview::Box tile, read;       // in pixels of the plane; less the margin they are the image's
    std::uint32_t neighbours = 0;  // cells under the mask that lie in the plane
    std::uint64_t loads = 0;       // of these, by the block, and by how many threads
    std::uint32_t loaders = 0;
    std::uint64_t own_loads = 0;        // by the thread that makes the pixel
    std::vector<preview::Reuse> reuse;  // of the pixels that the block loads
};

// Traces of blocks that were asked for, as far as there is room.
class BlockSamples {
  public:
    void clear();
    void add(preview::BlockSample sample);
    const preview::BlockSample* find(std::uint32_t block) const;  // until the next add()

  private:
    std::vector<preview::BlockSample> kept_;  // the newest last
};

// A kernel file's text as a person edits it.
struct KernelText {
    std::string disk, text;  // in the file when it was read, and now
    session::History history;
    bool read = false;

    bool edited() const { return text != disk; }
};

class PreviewModel {
  public:
    PreviewModel();

    // Errors are kept for the view: problem(). What is there stays, of an image until the other one is read.
    void open_image(const std::filesystem::path& path);
    void open_kernel(const std::filesystem::path& path);
    void set_mask(const std::string& text);
    void set_filter(preview::Filter filter);
    void set_border(preview::Border border);
    void choose_kernel(std::size_t number);
    void set_visible(preview::Box visible) { visible_ = visible; }
    // The pixel of which pixel() tells: the one under the mouse, until one is pinned.
    void hover(std::uint32_t x, std::uint32_t y);
    void pin(std::uint32_t x, std::uint32_t y);
    void unpin() { pinned_ = false; }
    bool pinned() const { return pinned_; }
    bool sampling() const { return jobs_.busy("pixel"); }
    // Threads of the pixel's block that load this pixel of the image, in the order of the trace.
    std::vector<std::uint32_t> loaders_of(std::uint32_t x, std::uint32_t y) const;
    void cancel();
    // On the thread of the OpenGL context, as start() then is. Without a GPU it says why, and the CPU machine
    // goes on.
    void use_gpu(bool wanted);

    // Polls the jobs and looks for changed files. True when something changed.
    bool update(double now_s);
    void wait();  // for headless pictures
    bool opening() const { return jobs_.busy("image"); }
    bool busy() const { return gpu_busy_ || opening() || jobs_.busy("filter"); }
    float progress() const { return jobs_.share("filter"); }

    bool has_image() const { return request_.image != nullptr; }
    const image::Image& image() const { return *request_.image; }
    const std::filesystem::path& image_path() const { return image_path_; }
    const preview::Filter& filter() const { return request_.filter; }
    preview::Border border() const { return request_.border; }
    const std::vector<std::filesystem::path>& kernels() const { return kernels_; }
    std::size_t kernel() const { return kernel_; }

    // The chosen kernel's text. Every change is tried at once: while it has mistakes, those are diagnostics()
    // and the last good picture stays. preview_kernels.cpp
    const std::string& kernel_text() const { return texts_.at(kernel_).text; }
    bool kernel_edited(std::size_t number) const;
    bool kernel_ships() const;  // with the program: it is never written
    void edit_kernel(const std::string& text, double now_s);
    bool can_undo() const { return texts_.at(kernel_).history.can_undo(); }
    bool can_redo() const { return texts_.at(kernel_).history.can_redo(); }
    void undo_kernel();
    void redo_kernel();
    void reset_kernel();  // to the file's text
    // Under this name, which is the chosen kernel's then. Errors: a file that ships with the program, or one
    // that cannot be written.
    Result<void> save_kernel(const std::filesystem::path& path);
    const Diagnostics& diagnostics() const { return diagnostics_; }  // of the newest attempt

    const preview::Run* run() const { return run_.get(); }  // the last one that finished; null at first
    const PreviewFacts* facts() const { return facts_ ? &*facts_ : nullptr; }
    const std::string& problem() const { return problem_; }  // of the newest attempt
    void tell(const std::string& problem) { problem_ = problem; }
    bool on_gpu() const { return on_gpu_; }
    const PreviewGpu& gpu() const { return gpu_; }
    // Of the last run there; null: none, or the last one was the CPU machine's.
    const preview::GpuFilter::Times* gpu_times() const { return gpu_times_ ? &*gpu_times_ : nullptr; }
    // Shows the result as far as it is known; 0: it has to be drawn from with_result().
    unsigned gpu_texture() const { return gpu_times_ ? gpu_.texture() : 0; }
    void average_gpu_texture() { gpu_.average(); }  // before it is drawn smaller than it is
    const PixelFacts& pixel() const { return pixel_; }
    std::uint64_t generation() const { return generation_; }  // changes with the pictures
    // The result as far as it is there; height × width × channels.
    void with_result(const std::function<void(const std::vector<std::uint16_t>&)>& use) const;

    // A run of the file with the image as its contents that records the pinned pixel's block; taken once.
    void step_into();
    bool stepping() const { return jobs_.busy("step"); }
    std::optional<session::RunResult> take_stepped();
    std::uint32_t stepped_block() const { return stepped_block_; }

  private:
    struct Live {
        // The rows of the run's result that are complete; in portions, so that nobody waits long. Nothing
        // of a run that another one has replaced.
        void take(const preview::Run& run, std::uint64_t number, std::uint32_t first, std::uint32_t end);
        std::uint64_t begin();  // the number of the run whose rows are taken from now on
        std::mutex mutex;
        std::vector<std::uint16_t> samples;
        std::uint64_t newest = 0;
        bool changed = false;
    };
    void take_image(const std::filesystem::path& path, std::shared_ptr<const image::Image> image);
    void start();
    void adopt(const std::shared_ptr<preview::Run>& run, PreviewFacts facts);
    void start_on_gpu();
    void end_on_gpu(const std::shared_ptr<preview::Run>& run, const Result<preview::GpuFilter::Times>& times);
    void fetch_from_gpu(const std::shared_ptr<preview::Run>& run);
    void end_fetch(const std::shared_ptr<preview::Run>& run, const Result<void>& fetched);
    void leave_gpu(const Diagnostics& why);
    void show_pixel(std::uint32_t x, std::uint32_t y);
    void sample_pixel();
    const preview::BlockSample* sample_of(std::uint32_t block) const;
    void describe_pixel(const preview::BlockSample& sample);
    void load_kernel(std::size_t number);
    void take_text();
    void change_text(const std::string& text);
    void fail(const Diagnostics& why);
    void check_disk(double now_s);

    preview::Request request_;
    std::filesystem::path image_path_;
    std::vector<std::filesystem::path> kernels_;
    std::size_t kernel_ = 0;
    std::map<std::size_t, KernelText> texts_;  // by number
    std::filesystem::file_time_type kernel_time_{};
    double next_disk_check_s_ = 0;
    std::optional<preview::Box> visible_;
    std::shared_ptr<Live> live_ = std::make_shared<Live>();
    std::shared_ptr<const preview::Run> run_;
    std::optional<PreviewFacts> facts_;
    std::string problem_;
    Diagnostics diagnostics_;
    PixelFacts pixel_;
    bool pinned_ = false;
    std::shared_ptr<preview::BlockRecorder> recorder_;  // of run_
    BlockSamples samples_;
    std::optional<session::RunResult> stepped_;
    std::uint32_t stepped_block_ = 0;
    std::uint64_t generation_ = 1;
    PreviewGpu gpu_;
    preview::GpuFilter* gpu_filter_ = nullptr;  // of the run under way
    std::optional<preview::GpuFilter::Times> gpu_times_;
    bool on_gpu_ = false;
    bool gpu_busy_ = false, gpu_outdated_ = false,
         gpu_dropped_ = false;  // one run at a time: CUDA cannot stop a kernel

    Jobs jobs_{2};  // last: running jobs end before what their completions touch
};

}  // namespace lanescope::ui
