// How long the topic's files take on a real GPU: a bar for each, as GB/s, against the bandwidth of a copy and
// the libraries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session/timing/timings.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// One bar. GB/s of the median; `low` and `high` of the slowest and the fastest run, `lower` and `upper` of
// the quartiles.
struct TimingBar {
    std::string title, figures, note;
    std::filesystem::path file;  // opened by a click; empty: of a library
    bool open = false, library = false, wrong = false;
    double rate = 0, low = 0, high = 0, lower = 0, upper = 0;
    std::string details;  // tooltip
};

// Shares are of the bandwidth of a copy. A library's bar is that of the open file's run, where it has one,
// else its fastest.
std::vector<TimingBar> timing_bars(const session::SizeGroup& group, const lesson::Topic& topic,
                                   const lesson::LessonEntry* open, double copy_gb_per_s);

class TimingsPanel {
  public:
    void draw(const Rect& inside, const session::Session& session, const WindowState& shared,
              Requests& requests);

  private:
    void prepare(const session::Session& session);
    void choose_size(const session::Session& session);
    float draw_head(const Rect& row, const session::Session& session, const WindowState& shared);
    float draw_measure(const Rect& row, const session::Session& session, const WindowState& shared,
                       Requests& requests);
    float draw_ceiling(const Rect& row, float bottom, const WindowState& shared) const;
    float draw_bar(const Rect& row, const TimingBar& bar, const WindowState& shared,
                   Requests& requests) const;
    float draw_missing(const Rect& row, const session::Session& session, const WindowState& shared) const;

    std::shared_ptr<const session::Timings> timings_;
    const lesson::LessonEntry* lesson_ = nullptr;
    std::vector<session::SizeGroup> sizes_;
    std::size_t size_ = 0;
    std::uint64_t wanted_elements_ = 0;  // that the person chose; 0: none yet
    std::vector<TimingBar> bars_;
    double ceiling_ = 0, full_width_ = 1;  // GB/s
    float scroll_ = 0;
    bool follow_ = true;  // brings the open file into view
};

}  // namespace lanescope::ui
