// Base of all views: a titled panel at a given rectangle. A view reads the session and appends commands.
#pragma once

#include <string>

#include "session/session.h"

namespace lanescope::ui {

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
};

// Transient state of the window that views share and that is not the session's (modes, toggles, clock).
struct Shared {
    double now_s = 0;
    bool lecture = false;
    bool show_help = false;
    float scale = 1.0f;       // of all sizes and fonts
    bool still = false;       // headless picture: no hover, no animation
    float lane_zoom = 1.0f;   // of the 32 columns that stage and warps share (see lane_grid.h)
    float lane_pan_px = 0;    // how far those columns are moved to the left
};

class View {
  public:
    virtual ~View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // Owns Begin/End: panel background, heading, clipping.
    void draw(const Rect& rect, const session::Session& session, Shared& shared, session::Commands& commands);

  protected:
    explicit View(std::string id) : id_(std::move(id)) {}
    // Heading in capitals, left; empty for none. Called every frame.
    virtual std::string title(const session::Session&) const { return {}; }
    // Small controls at the right of the heading.
    virtual void tools(const session::Session&, Shared&, session::Commands&) {}
    virtual void content(const Rect& inside, const session::Session& session, Shared& shared,
                         session::Commands& commands) = 0;

  private:
    std::string id_;
};

}  // namespace lanescope::ui
