// Gets NVRTC for the user's own files. It offers the download when a file cannot be compiled, shows the size
// first, and downloads in a job while the window goes on.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/jobs.h"
#include "ui/kit/overlay.h"
#include "wheels/get_compiler.h"

namespace lanescope::ui {

class CompilerDialog {
  public:
    CompilerDialog() = default;
    ~CompilerDialog();
    CompilerDialog(const CompilerDialog&) = delete;
    CompilerDialog& operator=(const CompilerDialog&) = delete;

    void draw(const ViewContext& view);
    bool busy() const;

  private:
    enum class Stage : std::uint8_t { idle, asking, ready, getting, done, failed };
    // The progress of the job, which the window reads in every frame.
    struct Shared {
        std::mutex mutex;
        wheels::CompilerProgress progress;
    };

    void offer(const ViewContext& view);
    void ask();
    void get();
    void cancel();
    void fail(const Diagnostics& why);
    std::string words() const;
    void buttons(const Rect& row, const WindowState& window, Requests& requests);
    void bar(const Rect& row, const WindowState& window) const;

    Stage stage_ = Stage::idle;
    bool open_ = false;
    bool later_ = false;      // the user declined the offer
    bool run_again_ = false;  // compile the open file again
    std::string failure_;
    std::optional<wheels::CompilerPlan> plan_;
    std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();

    Jobs jobs_;  // last member: its jobs end before the members that their completions use
};

}  // namespace lanescope::ui
