// The problems of the run and of its program, and whether its results are as expected. A click goes to the
// access, or to the line of the host.
#pragma once

#include <string>
#include <vector>

#include "scene/inspector/host_timeline.h"
#include "scene/words/race_path.h"
#include "ui/inspector/program_state.h"

namespace lanescope::ui {

class ProblemsPanel {
  public:
    // `host`: of the session's program, else empty.
    void draw(const Rect& inside, const scene::HostTimeline& host, HostLine& line, const ViewContext& view);
    // Returns which of HostTimeline::findings() are not problems of the launch that is shown.
    static std::vector<std::size_t> of_program(const scene::HostTimeline& host,
                                               const session::Session& session);

  private:
    float draw_problem(const Rect& row, const trace::Problem& problem, int number, const WindowState& window,
                       Requests& requests);
    float draw_path(const Rect& row, const scene::RacePath& path, ImU32 colour, const WindowState& window);
    float draw_run(Rect row, const session::Session& session, bool more, const WindowState& window,
                   Requests& requests);
    float draw_finding(const Rect& row, const scene::HostFinding& found, std::size_t number, HostLine& line,
                       const ViewContext& view);
    float draw_expectations(const Rect& row, const execution::RunResult& run, const WindowState& window);

    float scroll_ = 0;
};

}  // namespace lanescope::ui
