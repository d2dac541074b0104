#include "scene/warps/warps_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>

#include "base/text.h"
#include "scene/words/cell_text.h"

namespace lanescope::scene {

namespace {

using trace::LaneStatus;

struct RowSize {
    float cell, below, gap;  // px at scale 1, for strips the least; `below`: for the sentence
};
constexpr std::array sizes{RowSize{44, 20, 22}, RowSize{38, 19, 5}, RowSize{16, 0, 3}, RowSize{4, 0, 1}};
constexpr float highest_strip_px = 22;
constexpr std::uint32_t max_full_rows = 8;
constexpr float margin_px = 14;

RowSize size_of(WarpForm form) {
    return sizes[static_cast<std::size_t>(form)];
}

float rows_height(std::uint32_t warps, WarpForm form, float arc_room, float scale) {
    const RowSize size = size_of(form);
    const bool arcs = form == WarpForm::roomy || form == WarpForm::tight;
    return static_cast<float>(warps) * ((size.cell + size.below + size.gap) * scale + (arcs ? arc_room : 0));
}

class RowPlacer {
  public:
    RowPlacer(WarpsLayout& layout, float arc_room, float scale)
        : layout_(layout), arc_room_(arc_room), scale_(scale) {}

    void add(std::uint32_t warp, WarpForm form) { add(warp, form, size_of(form).cell); }
    void add(std::uint32_t warp, WarpForm form, float cell_px) {
        const RowSize size = size_of(form);
        WarpRow row{warp, form, y_, std::floor(cell_px * scale_), 0};
        if (row.detailed()) row.y += arc_room_;
        row.bottom = row.y + row.cell_height + size.below * scale_;
        y_ = row.bottom + size.gap * scale_;
        layout_.rows.push_back(row);
    }
    void space(float px) { y_ += px * scale_; }
    float y() const { return y_; }

  private:
    WarpsLayout& layout_;
    float arc_room_, scale_;
    float y_ = 0;
};

bool everyone_is(const std::array<trace::LaneInfo, trace::warp_size>& lanes, LaneStatus status) {
    return std::all_of(lanes.begin(), lanes.end(), [&](const trace::LaneInfo& lane) {
        return lane.status == status || lane.status == LaneStatus::absent;
    });
}

std::string idle_text(const std::array<trace::LaneInfo, trace::warp_size>& lanes) {
    if (everyone_is(lanes, LaneStatus::finished)) return "finished";
    if (everyone_is(lanes, LaneStatus::unstarted)) return "not started";
    if (std::any_of(lanes.begin(), lanes.end(),
                    [](const auto& l) { return l.status == LaneStatus::faulted; }))
        return "fault";
    if (std::any_of(lanes.begin(), lanes.end(),
                    [](const auto& l) { return l.status == LaneStatus::at_barrier; }))
        return "at barrier";
    return "waits";
}

}  // namespace

std::optional<std::uint32_t> WarpsLayout::row_at(float y) const {
    const auto row = std::lower_bound(rows.begin(), rows.end(), y, [](const WarpRow& r, float wanted) {
        return r.y + r.cell_height < wanted;
    });
    if (row == rows.end() || y < row->y) return {};
    return static_cast<std::uint32_t>(row - rows.begin());
}

WarpsLayout make_warps_layout(std::uint32_t warps, std::uint32_t pinned, const WarpsFrame& frame) {
    const float scale = frame.scale;
    WarpsLayout layout;
    RowPlacer placer(layout, frame.arc_room, scale);
    const float room = frame.panel_height - 2 * margin_px * scale;
    const auto fits = [&](WarpForm form) { return rows_height(warps, form, frame.arc_room, scale) <= room; };
    placer.space(margin_px);
    if (warps > 0 && warps <= max_full_rows &&
        (fits(WarpForm::roomy) || fits(WarpForm::tight) || warps == 1)) {
        const WarpForm form = fits(WarpForm::roomy) ? WarpForm::roomy : WarpForm::tight;
        // Few warps sit in the middle of the room, as their stage does.
        if (form == WarpForm::roomy && warps <= 2) placer.space(std::min(18.0f, room / scale * 0.08f));
        const float spare = (room - rows_height(warps, form, frame.arc_room, scale)) / scale;
        const float most = size_of(form).cell * std::max(frame.growth, 1.0f);
        const float cell =
            std::clamp(size_of(form).cell + spare / static_cast<float>(warps), size_of(form).cell, most);
        for (std::uint32_t warp = 0; warp < warps; ++warp)
            placer.add(warp, form, cell);
    } else if (warps > 0) {
        placer.add(std::min(pinned, warps - 1), WarpForm::tight);
        placer.space(8);
        // Strips are as high as the room allows.
        const float pitch = (frame.panel_height - placer.y()) / scale / static_cast<float>(warps);
        const WarpForm form =
            pitch >= rows_height(1, WarpForm::strip, 0, 1) ? WarpForm::strip : WarpForm::thin;
        const float cell = std::clamp(pitch - size_of(form).gap, size_of(form).cell, highest_strip_px);
        for (std::uint32_t warp = 0; warp < warps; ++warp)
            placer.add(warp, form, cell);
    }
    layout.height = placer.y() + margin_px * scale;
    return layout;
}

WarpSummary summarise(const std::array<trace::LaneInfo, trace::warp_size>& lanes, trace::Mask acted) {
    WarpSummary summary;
    for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
        if (lanes[lane].status != LaneStatus::absent) summary.present |= 1u << lane;
        if (lanes[lane].status != LaneStatus::active || (acted >> lane & 1) == 0) continue;
        summary.active |= 1u << lane;
        summary.line = lanes[lane].line;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%08x", summary.active);
    summary.mask_text = text;
    if (summary.active == 0) {
        summary.count_text = summary.short_text = idle_text(lanes);
        return summary;
    }
    std::snprintf(text, sizeof text, "%d/%d", std::popcount(summary.active), std::popcount(summary.present));
    summary.count_text = summary.short_text = text;
    if (summary.line != 0) summary.count_text += " · line " + std::to_string(summary.line);
    return summary;
}

std::string shorten(const std::string& text, double number, int max_chars) {
    if (max_chars < 1) return {};
    if (character_count(text) <= static_cast<std::size_t>(max_chars)) return text;
    // A whole number that people count with is exact or cut, never another number.
    const bool counted = std::isfinite(number) && std::abs(number) < 1e6 &&
                         text.find_first_not_of("-0123456789") == std::string::npos;
    if (counted) return "…";
    for (int precision = std::min(max_chars, 17); precision > 0 && std::isfinite(number); --precision) {
        char buffer[40];
        std::snprintf(buffer, sizeof buffer, "%.*g", precision, number);
        std::string rounded = buffer;
        // "1e+09" as "1e9"
        if (const std::size_t e = rounded.find('e'); e != std::string::npos) {
            const std::size_t digits = rounded.find_first_not_of("+-0", e + 1);
            rounded = rounded.substr(0, e + 1) + (rounded[e + 1] == '-' ? "-" : "") +
                      (digits == std::string::npos ? "0" : rounded.substr(digits));
        }
        if (rounded.size() <= static_cast<std::size_t>(max_chars)) return rounded;
    }
    if (std::isfinite(number) || max_chars < 3) return "…";
    std::size_t end = 0;
    for (int kept = 0; end < text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && kept++ == max_chars - 1) break;
    return text.substr(0, end) + "…";
}

}  // namespace lanescope::scene
