// Names and places of a frame's widgets, for tests of the window: they click "transport/play", not a pixel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct NamedPlace {
    std::string name;  // "PANEL/WIDGET": "source/line 33", "transport/play"
    Rect rect;         // in pixels of the window, clipped to its visible part
};

// Keeps the names that views give while it is the log of Dear ImGui's current context.
class WidgetLog {
  public:
    // Becomes the context's log until it is destroyed. Carets do not blink meanwhile, so that the window
    // changes only if something happens.
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

// Logs a widget of the panel that is being drawn, if it is in sight. Does nothing without a log.
void name_widget(std::string_view name, const Rect& rect);
// Whether a log exists. Views with thousands of parts build their names only then.
bool widgets_are_named();
// Logs the widget that Dear ImGui drew last.
void name_last_item(std::string_view name);

}  // namespace lanescope::ui
