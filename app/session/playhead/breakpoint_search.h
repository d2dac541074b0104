// Moves on to the next or previous step at which a breakpoint stops.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "session/playhead/breakpoint_scan.h"
#include "session/playhead/playhead.h"

namespace lanescope::session {

class BreakpointSearch {
  public:
    explicit BreakpointSearch(Playhead& playhead) : playhead_(playhead) {}

    // `line`: the only line that is searched for, which note() names; 0: any breakpoint.
    void start(std::vector<Breakpoint> breakpoints, bool back, std::uint32_t line = 0);
    void stop();
    // Searches on for about this long. True: a search was going on.
    bool advance(std::chrono::microseconds budget);

    bool searching() const { return search_ != nullptr; }
    float progress() const { return search_ ? search_->share() : 1.0f; }  // 0 … 1
    const BreakHit* hit() const;  // where the last search stopped, while the position is there; else null
    std::string note() const;     // "line 12 does not run after this step"; empty after other moves

  private:
    void show_hit();
    void end_without_hit(const std::string& why, const std::string& from_here);
    void say(std::string note);

    Playhead& playhead_;
    std::unique_ptr<BreakpointScan> search_;
    std::uint32_t line_ = 0;
    bool back_ = false;
    std::unique_ptr<BreakHit> hit_;
    std::string note_;
    std::uint64_t hit_at_ = 0, said_at_ = 0;  // Playhead::moves()
};

}  // namespace lanescope::session
