// What a program printed on its standard output and error, where the window kept it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

class OutputPanel {
  public:
    // Whether the session's program printed something that was kept.
    static bool has_text(const session::Session& session);
    void draw(const Rect& inside, const session::Session& session, const WindowState& window);

  private:
    struct Line {
        std::string text;
        bool error = false;  // of standard error
    };
    void prepare(const session::Session& session);

    std::uint64_t generation_ = ~0ull;
    std::vector<Line> lines_;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
