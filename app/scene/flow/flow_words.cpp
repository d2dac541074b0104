#include "scene/flow/flow_words.h"

#include "base/number_text.h"

namespace lanescope::scene {

std::string flow_work_words(const FlowFigure& figure) {
    const auto count = [](std::uint64_t n, const char* what) {
        return grouped(n) + " " + what + (n == 1 ? "" : "s");
    };
    std::string text =
        "This run: " + count(figure.operations, "operation") + " on data, depth " + grouped(figure.depth);
    if (figure.sequential)
        text += "  ·  sequential: " + grouped(figure.sequential->operations) + ", depth " +
                grouped(figure.sequential->depth);
    return text;
}

std::string flow_story(const FlowCell& cell, const trace::Trace& trace, analysis::Provenance& provenance) {
    std::string text;
    if (cell.value != 0) {
        const analysis::Origin origin = provenance.origin(cell.value, 1 << 16);
        std::size_t inputs = 0;
        for (const auto& [symbol, cells] : origin.inputs)
            inputs += cells.size();
        text = origin.text + "\n" + std::to_string(inputs) + (inputs == 1 ? " input, " : " inputs, ") +
               std::to_string(origin.depth) +
               (origin.depth == 1 ? " operation deep\n" : " operations deep\n");
    }
    if (cell.turn == FlowCell::never) return text + "an input";
    if (cell.held) text += "taken up by ";
    if (cell.updates > 1) text += std::to_string(cell.updates) + " atomic updates, the last by ";
    return text + "thread " + std::to_string(cell.thread) + " (warp " +
           std::to_string(cell.thread / trace::warp_size) + ", lane " +
           std::to_string(cell.thread % trace::warp_size) + ") of block " + std::to_string(cell.block) +
           ", line " + std::to_string(trace.turns[cell.turn].line);
}

}  // namespace lanescope::scene
