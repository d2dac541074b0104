// The memory requests of one warp in this step: words, banks or sectors, the metrics of the step and the
// kernel, and where the time of the step's line goes on a GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/words/access_words.h"
#include "scene/words/gpu_time.h"
#include "ui/inspector/counters_panel.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class AccessPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    void prepare(const session::Session& session);
    float draw_requests(const Rect& inside, float y, const WindowState& window);
    float draw_banks(const Rect& inside, float y, const Request& request, const WindowState& window);
    void show_hovered_bank(const Rect& bars, const trace::Access& access, const WindowState& window);
    float draw_words(const Rect& inside, float y, const char* words, const WindowState& window);
    float draw_sectors(const Rect& inside, float y, const trace::Access& access, const WindowState& window);
    float draw_metrics(const Rect& inside, float y, const WindowState& window, Requests& requests);
    void prepare_time(const session::Session& session);
    float draw_time(const Rect& inside, float y, const WindowState& window) const;
    float roomy_height() const;  // at scale 1
    void scroll(const Rect& inside, float height, const WindowState& window);

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    bool counted_ = false;
    std::string whole_kernel_;  // heading of the whole kernel's column
    std::size_t instruction_ = 0;
    std::uint32_t pinned_warp_ = ~0u;
    std::string place_;  // "line 10 · warp 0"
    std::vector<trace::TurnDetail> details_;
    std::vector<Request> requests_;  // point into details_
    std::vector<MetricRow> metrics_;
    std::size_t chosen_ = 0;
    struct LineTimeOnGpu {
        std::string head, share, explanation;  // no head: nothing is known about the line
        std::vector<StallWords> stalls;
        bool estimated = false;
    };
    CountersPanel counters_;
    bool has_counters_ = false;
    GpuTimeOfFile file_time_;
    LineTimeOnGpu time_;
    std::vector<std::uint64_t> bank_words_;  // of the bank under the mouse
    std::optional<unsigned> cell_bank_;      // of the cell under the mouse
    float scroll_ = 0;
    bool tight_ = false;  // the panel is low, so rows and bars are lower
};

}  // namespace lanescope::ui
