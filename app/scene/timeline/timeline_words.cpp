#include "scene/timeline/timeline_words.h"

namespace lanescope::scene {
namespace {

constexpr std::size_t most_spans = 24, most_lines = 64;

const char* name_of(CellKind kind) {
    constexpr const char* names[] = {"run", "write", "barrier", "finished"};
    return names[static_cast<std::size_t>(kind)];
}

std::string row_words(const TimelineRow& row) {
    std::string words;
    std::size_t spans = 0;
    for (std::size_t i = 0; i < row.cells.size() && spans < most_spans; ++spans) {
        const TimelineCell& first = row.cells[i];
        std::uint32_t last = first.step;
        for (++i; i < row.cells.size() && row.cells[i].kind == first.kind && row.cells[i].step == last + 1;
             ++i)
            last = row.cells[i].step;
        words += std::string(words.empty() ? "" : ", ") + name_of(first.kind) + " " +
                 std::to_string(first.step + 1);
        if (last != first.step) words += "–" + std::to_string(last + 1);
    }
    return words + (spans == most_spans ? ", …\n" : "\n");
}

}  // namespace

std::string timeline_words(const TimelineModel& model) {
    std::string words;
    for (std::size_t warp = 0; warp < model.rows().size() && warp < most_lines; ++warp)
        words += "warp " + std::to_string(warp) + ": " + row_words(model.rows()[warp]);
    for (std::size_t i = 0; i < model.marks().size() && i < most_lines; ++i) {
        const TimelineMark& mark = model.marks()[i];
        words += std::string(mark.launch ? "launch" : "barrier") + " before step " +
                 std::to_string(mark.step + 1) + (mark.label.empty() ? "" : ": " + mark.label) + "\n";
    }
    return words;
}

}  // namespace lanescope::scene
