// The differences between two runs as a table; the better figure has a mark.
#pragma once

#include <string>

#include "base/language.h"
#include "session/compare.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

struct Comparison;

class CompareTable : public View {
  public:
    explicit CompareTable(Comparison& shown) : View("##compare table"), shown_(shown) {}

  protected:
    std::string title(const session::Session&) const override { return tr("What differs"); }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    void row(const Rect& line, const session::ComparedFigure& difference, const WindowState& window) const;
    void cell(const Rect& box, const std::string& text, const session::ComparedFigure& difference,
              session::ComparedFigure::Better side, const WindowState& window) const;
    void legend(const Rect& line, const WindowState& window) const;

    Comparison& shown_;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
