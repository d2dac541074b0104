// What a frame consists of, by name and in words: widgets with their places, so that tests of the window
// click "transport/play" and not a pixel, and the contents of graphical views.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct NamedPlace {
    std::string name;  // "PANEL/WIDGET": "source/line 33", "transport/play"
    Rect rect;         // in pixels of the window, clipped to its visible part
    Rect whole;        // the same, not clipped
    bool clickable = false;
    ImU32 surface = 0;  // of a panel: the colour behind its content
    bool is_panel() const { return surface != 0; }
};

// Contents of a panel that a view tells in words. The text among these vertices of the panel's draw list is
// a part of the picture that they replace.
struct ToldPicture {
    const ImDrawList* list = nullptr;
    int first_vertex = 0, end_vertex = 0;
    std::string words;  // lines
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

    void clear() { places_.clear(), told_.clear(), scrolling_.clear(), cut_at_side_.clear(), cut_.clear(); }
    const std::vector<NamedPlace>& places() const { return places_; }
    const std::vector<ToldPicture>& told() const { return told_; }
    // The draw lists of panels whose content is larger than they are, and can be moved.
    const std::set<const ImDrawList*>& scrolling() const { return scrolling_; }
    // Texts of which a panel's side cuts off a part.
    const std::vector<std::pair<const ImDrawList*, std::string>>& cut_at_side() const { return cut_at_side_; }
    // Texts that did not fit and were drawn with an ellipsis, as a mouse that rests on them shows them.
    const std::set<std::string>& cut() const { return cut_; }

  private:
    friend void name_place(std::string_view name, NamedPlace place);
    friend void name_cut_text(std::string_view text);
    friend void name_scrolling();
    friend void name_text(const Rect& rect, std::string_view text);
    friend class TellInWords;
    std::vector<NamedPlace> places_;
    std::vector<ToldPicture> told_;
    std::set<const ImDrawList*> scrolling_;
    std::vector<std::pair<const ImDrawList*, std::string>> cut_at_side_;
    std::set<std::string> cut_;
};

// Returns "source/code" for the draw list of the window "##source/code_830462E4".
std::string panel_name(const ImDrawList& list);

// Logs a widget of the panel that is being drawn, if it is in sight. Does nothing without a log.
void name_widget(std::string_view name, const Rect& rect);
// The same for a widget that the mouse can click, and for the panel itself.
void name_button(std::string_view name, const Rect& rect);
void name_panel(const Rect& rect, ImU32 surface);
// A text and the place that it needs: it is noted if a side of the panel cuts it.
void name_text(const Rect& rect, std::string_view text);
void name_cut_text(std::string_view text);
void name_scrolling();  // the panel's content is higher or wider than the panel, and can be moved
// Whether a log exists. Views with thousands of parts build their names only then.
bool widgets_are_named();
// Logs the widget that Dear ImGui drew last, which the mouse can click.
void name_last_item(std::string_view name);

// While it exists, a view draws a picture into its panel's draw list. At its end the words are asked for, if
// there is a log.
class TellInWords {
  public:
    explicit TellInWords(std::function<std::string()> words);
    ~TellInWords();
    TellInWords(const TellInWords&) = delete;
    TellInWords& operator=(const TellInWords&) = delete;

  private:
    std::function<std::string()> words_;
    const ImDrawList* list_;
    int first_vertex_;
};

}  // namespace lanescope::ui
