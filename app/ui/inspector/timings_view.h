// The speed of the topic's files on a real GPU: a bar of GB/s for each file, beside the bandwidth of a copy
// and the libraries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/inspector/roofline_plot.h"
#include "scene/inspector/timing_bars.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class TimingsPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    void prepare(const session::Session& session);
    void choose_size(const session::Session& session);
    float draw_head(const Rect& row, const session::Session& session, const WindowState& window);
    float draw_measure(const Rect& whole, const ViewContext& view);
    void draw_bars(Rect row, const Rect& inside, const WindowState& window, Requests& requests);
    float draw_ceiling(const Rect& row, float bottom, const WindowState& window) const;
    float draw_bar(const Rect& row, const TimingBar& bar, const WindowState& window,
                   Requests& requests) const;
    float draw_missing(const Rect& row, const session::Session& session, const WindowState& window) const;

    std::shared_ptr<const session::Timings> timings_;
    const lesson::LessonEntry* lesson_ = nullptr;
    std::vector<session::SizeGroup> sizes_;
    std::size_t size_ = 0;
    std::uint64_t wanted_elements_ = 0;  // the size that the user chose; 0: none yet
    std::vector<TimingBar> bars_;
    scene::RooflinePlot roofline_;
    double ceiling_ = 0, full_width_ = 1;  // GB/s
    float scroll_ = 0;
    bool follow_ = true;  // brings the open file into view
};

}  // namespace lanescope::ui
