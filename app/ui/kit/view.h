// The base of all views: a titled panel in a given rectangle. A view reads the session and the window's
// state, and collects requests.
#pragma once

#include <string>
#include <vector>

#include "session/session.h"
#include "ui/kit/theme.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    bool empty() const { return width < 1 || height < 1; }
    ImVec2 min() const { return {x, y}; }
    ImVec2 max() const { return {x + width, y + height}; }
};

// The row of the heading. A view adds controls: words after the title, or from the right edge leftwards.
class Heading {
  public:
    Heading(const Rect& rect, const WindowState& window)
        : rect_(rect), window_(window), left_(rect.x), right_(rect.right()) {}
    void title(const std::string& text);                      // in capitals
    bool word(const std::string& text, bool chosen = false);  // after the last word; true if clicked
    bool word_right(const std::string& text, bool chosen = false);
    // Plain text in capitals: the first of these that fits, or as much of the last as fits.
    void words(const std::vector<std::string>& texts);
    // Controls that are added from now on leave room for this text.
    void keep_room(const std::string& text);
    float left() const { return left_; }  // free space: [left, right)
    float right() const { return right_; }
    float middle() const { return rect_.y + rect_.height / 2; }

  private:
    bool clickable(const std::string& text, float x, float width, bool chosen);

    Rect rect_;
    const WindowState& window_;
    float left_, right_;
    float kept_px_ = 0;  // of the free space, for words()
};

class View {
  public:
    virtual ~View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // Draws background and heading, then the content, clipped; calls ImGui's Begin and End.
    void draw(const Rect& rect, const ViewContext& view);
    virtual ImU32 surface() const {
        return theme().panel;
    }  // the colour behind the content; the window clears with it
    // Returns the height that the view needs, with its heading, px; 0 if any height is fine.
    virtual float wanted_height(const session::Session&, const WindowState&, float /*width*/) const {
        return 0;
    }

    // Two views of one kind in one window need different names.
    void rename(std::string id) { id_ = std::move(id); }

  protected:
    explicit View(std::string id) : id_(std::move(id)) {}
    // Returns the heading, which is drawn in capitals, or an empty text for none. Called in every frame.
    virtual std::string title(const session::Session&) const { return {}; }
    virtual bool has_heading(const ViewContext& view) const { return !title(view.session).empty(); }
    // Adds small controls to the heading.
    virtual void tools(Heading&, const ViewContext&) {}
    virtual bool separated() const { return true; }  // draws a line above and at the left
    virtual void content(const Rect& inside, const ViewContext& view) = 0;

  private:
    std::string id_;
};

}  // namespace lanescope::ui
