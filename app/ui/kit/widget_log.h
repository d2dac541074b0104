// Names of the parts that a frame drew and their places, for those who test the window: a test clicks
// "transport/play", not a pixel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct NamedPlace {
    std::string name;  // "PANEL/WIDGET"
    Rect rect;         // in pixels of the window, clipped to what is in sight
};

// Keeps what the views name while it is the log of Dear ImGui's current context.
class WidgetLog {
  public:
    // Makes it the context's log until it is destroyed.
    WidgetLog();
    ~WidgetLog();
    WidgetLog(const WidgetLog&) = delete;
    WidgetLog& operator=(const WidgetLog&) = delete;

    void clear() { places_.clear(); }
    const std::vector<NamedPlace>& places() const { return places_; }

  private:
    friend void name_widget(std::string_view name, const Rect& rect);
    std::vector<NamedPlace> places_;
};

// Notes the place of a part of the panel that is being drawn; does nothing when there is no log. What is out
// of sight is not noted.
void name_widget(std::string_view name, const Rect& rect);
// The part that Dear ImGui drew last.
void name_last_item(std::string_view name);

}  // namespace lanescope::ui
