// What the host code of a program did: a timeline with a lane for each stream, and a list. A click on a row
// shows its line, a click on a launch records it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/inspector/host_timeline.h"
#include "ui/inspector/program_state.h"

namespace lanescope::ui {

class HostPanel {
  public:
    // `host` has the rows of the session's program.
    void draw(const Rect& inside, const scene::HostTimeline& host, HostLine& line, const ViewContext& view);

  private:
    void prepare(const scene::HostTimeline& host, const session::Session& session);
    float draw_filter(const Rect& row, const scene::HostTimeline& host, const WindowState& window);
    float draw_source(const Rect& row, const scene::HostTimeline& host, const ViewContext& view) const;
    float draw_timeline(const Rect& row, const scene::HostTimeline& host, float seen_rows,
                        const WindowState& window);
    std::int32_t nearest_call(std::size_t column, std::size_t lanes) const;
    void fold(const scene::HostTimeline& host, std::size_t room);
    void draw_bar(const Rect& bar, std::size_t index, std::size_t lane, const scene::HostTimeline& host,
                  const WindowState& window) const;
    void draw_list(const Rect& list, const scene::HostTimeline& host, HostLine& line,
                   const ViewContext& view);
    void draw_row(const Rect& row, std::size_t index, const scene::HostTimeline& host, HostLine& line,
                  const ViewContext& view);
    void scroll_to(std::size_t index, float height, const WindowState& window);

    std::uint64_t generation_ = ~0ull;
    std::string typed_;
    scene::HostFilter filter_;
    std::vector<std::size_t> left_;      // indices of the rows that the filter leaves
    std::vector<std::int32_t> columns_;  // of the timeline, lane by lane; see scene::folded()
    std::size_t column_count_ = 0;
    std::optional<std::uint64_t> shown_;
    std::optional<std::size_t> selected_;  // the row
    bool follow_ = false;                  // brings the shown launch into view
    float scroll_ = 0, strip_ = 0;         // the height of a lane of the timeline
};

}  // namespace lanescope::ui
