// A device for filters that computes on the CPU machine and fails on demand.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "preview/model/filter_device.h"

namespace lanescope::preview {

class FakeDevice : public FilterDevice {
  public:
    std::string name() const override { return "fake"; }

    Result<void> begin() override {
        if (!begin_problem.empty()) return error(begin_problem);
        ++begun;
        return {};
    }
    Result<void> end(bool show) override {
        shown.push_back(show);
        return {};
    }
    Result<GpuFilter::Times> run(const Run& run, const std::atomic<bool>* cancel) override {
        while (held)
            held.wait(true);
        masks.push_back(run.request().filter.name);
        if (missing) {
            closed_ = true;
            return error("no device answers");
        }
        closed_ = false;
        while (endless) {
            if (cancel->load()) return error("cancelled");
            std::this_thread::yield();
        }
        if (!run_problem.empty()) return error(run_problem);
        done_ = std::move(*Run::make(run.request()));
        if (const Result<void> ran = done_->run({}, cancel, {}); !ran) return ran.diagnostics();
        return GpuFilter::Times{1, 2};
    }
    Result<void> fetch(Run& into) override {
        into.take(done_->result().samples, done_->values());
        return {};
    }
    bool closed() const override { return closed_; }

    void release() {
        held = false;
        held.notify_all();
    }

    std::string begin_problem, run_problem;  // the next calls fail with these
    std::atomic<bool> missing{false};        // run() does not find it
    std::atomic<bool> endless{false};        // run() ends when it is cancelled
    std::atomic<bool> held{false};           // run() waits for release()
    int begun = 0;
    std::vector<bool> shown;         // one entry for each end()
    std::vector<std::string> masks;  // one entry for each run()

  private:
    std::unique_ptr<Run> done_;
    std::atomic<bool> closed_{false};
};

}  // namespace lanescope::preview
