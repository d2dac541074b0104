// One side of a comparison: its file, parameters, stage, warps and source.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/compare.h"
#include "ui/flow/flow_view.h"
#include "ui/kit/view.h"
#include "ui/source/source_view.h"
#include "ui/stage/stage_view.h"
#include "ui/warps/warps_view.h"

namespace lanescope::ui {

struct Comparison;

// The top of a side: its letter, its file (for the other run a list to choose from) and its parameters.
class ComparePaneHead : public View {
  public:
    ComparePaneHead(session::Side side, Comparison& shown);

  protected:
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Choice {
        std::string label;
        std::filesystem::path path;
    };
    void file_row(const Rect& row, const session::Session& session, const WindowState& window);
    void parameter_row(const Rect& row, const ViewContext& view);
    float number_input(const Rect& box, const lesson::Parameter& parameter, std::int64_t value,
                       const WindowState& window, Requests& requests);
    std::vector<Choice> choices() const;

    session::Side side_;
    Comparison& shown_;
    std::map<std::string, std::string> typed_;  // numbers that are being typed
    std::string refused_;                       // why the last typed number was refused; empty if it was not
};

class ComparePane {
  public:
    ComparePane(session::Side side, Comparison& shown);
    void draw(const Rect& rect, const ViewContext& view);

  private:
    session::Side side_;
    Comparison& shown_;
    ComparePaneHead head_;
    StageView stage_;
    FlowView flow_;
    WarpsView warps_;
    SourceView source_;
    bool set_up_ = false;
    WindowState own_;  // a copy of the window's state with this side's own columns and tabs
};

}  // namespace lanescope::ui
