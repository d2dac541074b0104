#include "scene/inspector/watch_rows.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "scene/words/cell_text.h"

namespace lanescope::scene {

namespace {

constexpr float box_loss_px = 4;    // the gap between two boxes, and their edges
constexpr int real_characters = 7;  // "-0.3333": the tooltip has all digits

}  // namespace

WatchRow watch_row(const session::Session& session, const std::string& text, std::uint32_t warp) {
    WatchRow row;
    row.text = text;
    row.problems = session.values().problems(text);
    if (!row.problems.empty()) return row;
    row.values = session.values().values(text, warp);
    for (const session::LaneValue& value : row.values) {
        const int earlier = value.before.empty() ? 0 : wanted_characters(value.before) + 1;
        row.widest = std::max(row.widest, earlier + wanted_characters(value.text));
    }
    return row;
}

int wanted_characters(const std::string& value) {
    const int all = int(character_count(value));
    const bool whole = value.find_first_not_of("-0123456789") == std::string::npos;
    return whole ? all : std::min(all, real_characters);
}

LaneRows lane_rows(float width, int widest, float character_px) {
    LaneRows rows;
    for (const int lanes : {32, 16, 8, 4}) {
        rows = {lanes, std::floor(width / float(lanes)), 0};
        rows.characters = int(std::floor((rows.pitch_px - box_loss_px) / character_px));
        if (rows.characters >= widest) break;
    }
    return rows;
}

}  // namespace lanescope::scene
