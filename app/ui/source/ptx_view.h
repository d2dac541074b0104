// PTX beside the source: the current function's instructions. It marks the instructions of the current source
// line, and the instruction that runs next or, while single instructions are stepped, the one that just ran.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct PtxRow {
    std::string text;
    std::uint32_t line = 0;          // of the source; 0: none
    std::uint32_t pc = trace::none;  // trace::none for a label
};
// Returns the rows of a function: instructions and labels, without directives for lines and debug
// information.
std::vector<PtxRow> ptx_rows(const trace::Program& program, std::uint32_t function);

class PtxView : public View {
  public:
    PtxView() : View("##ptx") {}

  protected:
    std::string title(const session::Session& session) const override;
    bool has_heading(const ViewContext&) const override { return true; }
    void tools(Heading& heading, const ViewContext& view) override;
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    bool prepare(const session::Session& session);
    void draw_row(const Rect& row, const PtxRow& code, const ViewContext& view) const;

    std::uint64_t generation_ = ~0ull;
    std::uint32_t function_ = trace::none, pc_ = trace::none, followed_pc_ = trace::none;
    std::uint32_t followed_line_ = 0;
    std::vector<PtxRow> rows_;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
