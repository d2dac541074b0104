#include "scene/warps/warps_words.h"

namespace lanescope::scene {
namespace {

std::string state_of(trace::LaneStatus status, bool acted) {
    switch (status) {
        case trace::LaneStatus::absent:
            return {};
        case trace::LaneStatus::unstarted:
        case trace::LaneStatus::ready:
            return {};
        case trace::LaneStatus::active:
            return acted ? ":a" : ":e";
        case trace::LaneStatus::diverged:
            return ":w";
        case trace::LaneStatus::at_barrier:
            return ":b";
        case trace::LaneStatus::at_warp_sync:
            return ":s";
        case trace::LaneStatus::finished:
            return ":f";
        case trace::LaneStatus::faulted:
            return ":x";
    }
    return {};
}

std::string value_words(const session::LaneValue& value) {
    if (!value.set) return value.visible ? "–" : "·";
    return (value.before.empty() ? "" : value.before + "→") + value.text;
}

std::string lanes_words(const CellBox& box) {
    std::string words = "lane " + std::to_string(box.first_column);
    if (box.last_column != box.first_column) words += "…" + std::to_string(box.last_column);
    return words;
}

}  // namespace

std::string warp_words(const ShownWarp& warp, std::uint32_t number, const session::StepState& step_state) {
    std::string words = "warp " + std::to_string(number) + ": " + warp.summary.count_text +
                        (warp.sentence.empty() ? "" : " · " + warp.sentence) + "\n ";
    for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
        const trace::LaneStatus status = step_state.warps[number][lane].status;
        if (status == trace::LaneStatus::absent) continue;
        words += " " + value_words(warp.values[lane]) +
                 state_of(status, (step_state.acted[number] >> lane & 1) != 0);
    }
    words += "\n";
    for (const Arrow& arrow : warp.exchanges.arrows)
        words += "  " + lanes_words(arrow.from) + " → " + lanes_words(arrow.to) + " " + arrow.label() + "\n";
    return words;
}

}  // namespace lanescope::scene
