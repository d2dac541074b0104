// The source: coloured lines with their heat, the warps that are on them and the compiler's errors. The user
// can edit it in place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/source/line_marks.h"
#include "scene/source/line_parts.h"
#include "scene/source/source_document.h"
#include "scene/words/gpu_time.h"
#include "ui/kit/view.h"
#include "ui/source/source_breakpoints.h"
#include "ui/source/source_editor.h"

namespace lanescope::ui {

class SourceView : public View {
  public:
    SourceView() : View("##source") {}

  protected:
    std::string title(const session::Session& session) const override;
    // A lecture shows code alone.
    bool has_heading(const ViewContext& view) const override {
        return !view.window.lecture || view.window.source.editing || view.session.document().edited();
    }
    void tools(Heading& heading, const ViewContext& view) override;
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Frame;  // data for drawing one frame

    std::string edited_title(const session::Session& session) const;
    void follow_edit_mode(const ViewContext& view);
    void follow_text(const session::Session& session, const WindowState& window, bool editing,
                     Requests& requests);
    void hold_place(float row_height, const WindowState& window);
    void follow_position(const Frame& frame);
    void show_caret(const Frame& frame) const;
    void scroll_to_row(const Frame& frame, std::size_t row) const;
    void name_rows(const Frame& frame) const;
    void draw_row(const Frame& frame, std::size_t row, Requests& requests);
    void wrap_lines(float width, const WindowState& window);
    static float row_left(const Frame& frame, const SourceDocument::Row& row);
    float row_end(const Frame& frame, const SourceDocument::Row& row) const;
    void draw_heat(const Frame& frame, std::size_t line, float y) const;
    float draw_registers_legend(const Rect& inside, const LineRegisters& registers,
                                const WindowState& window) const;
    void draw_registers(const Frame& frame, std::size_t line, float y) const;
    void explain_column(const Frame& frame, std::uint32_t line) const;
    const GpuTime* shown_time(const session::Session& session, const WindowState& window);
    float draw_time_legend(const Rect& inside, const GpuTime* time, const WindowState& window) const;
    float draw_legend(const Rect& inside, const std::string& words, const std::string& more,
                      const WindowState& window) const;
    void draw_column(const Frame& frame, float y, float share, ImU32 colour, bool hatched,
                     const std::string& figure, ImU32 ink) const;
    void draw_time(const Frame& frame, std::size_t line, float y) const;
    bool draw_problem_mark(const Frame& frame, std::size_t line, float y, Requests& requests) const;
    void draw_warps(const Frame& frame, const SourceDocument::Row& row, float y) const;
    void draw_line_diagnostics(const Frame& frame, const SourceDocument::Row& row, float y) const;
    void draw_gutter(const Frame& frame, std::size_t line, float y, bool current) const;
    void draw_condition(const Frame& frame, const SourceDocument::Row& row, float y) const;
    void find_evaluated_part(const session::Session& session);
    void underline_evaluated(const Frame& frame, const SourceDocument::Row& row, float y) const;
    void choose_heat(Heading& heading, const WindowState& window, Requests& requests) const;
    void interact_with_row(const Frame& frame, std::size_t line, Requests& requests);
    void draw_fold_row(const Frame& frame, float y);
    void draw_editor(const Frame& frame);
    float draw_problem_list(const Rect& inside, const ViewContext& view);
    void go_to(const Diagnostic& diagnostic, Requests& requests);

    SourceDocument document_;
    SourceEditor editor_;
    LineMenu menu_;
    GpuTimeOfFile time_;
    std::string sent_;    // the last text that editor and session exchanged
    std::string opened_;  // the path for which the view was set up
    std::size_t followed_step_ = ~std::size_t{0};
    std::uint64_t followed_generation_ = 0;
    std::size_t selected_line_ = 0;
    std::optional<LinePart> evaluated_;  // of the current line
    std::uint64_t evaluated_moves_ = ~0ull, evaluated_generation_ = ~0ull;
    int caret_frames_ = 0;       // for which the caret is brought into sight: a change of the focus scrolls
    float title_room_ = 0;       // for the title of an edited file, px; 0: not known yet
    float caret_height_ = 0;     // of the code when the caret was last brought into sight
    std::size_t held_line_ = 1;  // the first line in sight; the next members are its place and layout
    float held_y_ = 0;
    float held_row_height_ = 0;
    bool held_folded_ = false;
    std::size_t held_columns_ = 0;
    int held_frames_ = 0;
};

}  // namespace lanescope::ui
