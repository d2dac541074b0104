#include "ui/threads/threads_legend.h"

#include <bit>
#include <cstdio>

#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

using render::ThreadState;

constexpr float legend_rows = 2, legend_row_px = 21;

std::string short_number(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

// Draws the same shape as the shader.
void draw_state_shape(ImDrawList* draw, ThreadState state, const Rect& box) {
    const ImU32 ink = faded(theme().background, 0.6f);
    const ImVec2 centre(box.x + box.width / 2, box.y + box.height / 2);
    const float u = box.width;
    if (state == ThreadState::not_started)
        draw->AddRectFilled({box.x + u * 0.14f, box.y + u * 0.14f},
                            {box.right() - u * 0.14f, box.bottom() - u * 0.14f}, theme().background);
    if (state == ThreadState::diverged)
        draw->AddTriangleFilled({box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()},
                                ink);
    if (state == ThreadState::left_behind)
        draw->AddTriangleFilled({box.x, box.y}, {box.right(), box.y}, {box.x, box.bottom()}, ink);
    if (state == ThreadState::at_barrier)
        for (const float side : {-0.16f, 0.16f})
            draw->AddRectFilled({centre.x + (side - 0.07f) * u, centre.y - 0.28f * u},
                                {centre.x + (side + 0.07f) * u, centre.y + 0.28f * u}, ink);
    if (state == ThreadState::finished) draw->AddCircleFilled(centre, u * 0.16f, theme().text_faint);
    if (state == ThreadState::cut_off)
        draw->AddRectFilled({box.x, centre.y - 0.07f * u}, {box.right(), centre.y + 0.07f * u}, ink);
}

class Strip {
  public:
    Strip(const Rect& rect, const WindowState& window)
        : draw_(ImGui::GetWindowDrawList()), rect_(rect), window_(window), x_(rect.x), first_y_(rect.y) {
        rect_.height /= legend_rows;
    }

    // Adds an entry, in the second row if the first one is full. Returns false if both are full.
    bool entry(ImU32 colour, const std::string& words, const std::string& number,
               const ThreadState* shape = nullptr) {
        const float size = window_.px(12), gap = window_.px(6);
        const float width =
            size + gap + text_width(fonts().small, words) + gap + text_width(fonts().mono_small, number);
        if (x_ + width > rect_.right() && !next_row()) return false;
        const Rect box{x_, rect_.y + (rect_.height - size) / 2, size, size};
        draw_->AddRectFilled(box.min(), box.max(), colour);
        if (shape != nullptr) draw_state_shape(draw_, *shape, box);
        text(fonts().small, x_ + size + gap, theme().text_quiet, words);
        text(fonts().mono_small, x_ + width - text_width(fonts().mono_small, number), theme().text_faint,
             number);
        x_ += width + window_.px(18);
        return true;
    }
    void words(const std::string& what) {
        draw_text_within(draw_, fonts().small, {x_, centre_line(fonts().small, rect_.y, rect_.height)},
                         theme().text_faint, what, rect_.right() - x_);
        x_ += text_width(fonts().small, what) + window_.px(18);
    }
    void scale(const render::ValueRange& range) {
        const float width = window_.px(180), height = window_.px(12);
        const std::string least = short_number(range.least), greatest = short_number(range.greatest);
        text(fonts().mono_small, x_, theme().text, least);
        x_ += text_width(fonts().mono_small, least) + window_.px(8);
        const float y = rect_.y + (rect_.height - height) / 2, part = width / 4;
        for (int i = 0; i < 4; ++i) {
            const ImU32 a = theme().scale[std::size_t(i)], b = theme().scale[std::size_t(i) + 1];
            draw_->AddRectFilledMultiColor({x_ + part * float(i), y}, {x_ + part * float(i + 1), y + height},
                                           a, b, b, a);
        }
        x_ += width + window_.px(8);
        text(fonts().mono_small, x_, theme().text, greatest);
        x_ += text_width(fonts().mono_small, greatest) + window_.px(18);
    }
    float room() const { return rect_.right() - x_; }
    bool in_last_row() const { return rect_.y > first_y_; }

  private:
    bool next_row() {
        if (in_last_row()) return false;
        rect_.y += rect_.height;
        x_ = rect_.x;
        return true;
    }
    void text(ImFont* font, float x, ImU32 colour, const std::string& what) {
        draw_text(draw_, font, {x, centre_line(font, rect_.y, rect_.height)}, colour, what);
    }

    ImDrawList* draw_;
    Rect rect_;  // of the current row
    const WindowState& window_;
    float x_, first_y_;
};

void draw_states(Strip& strip, const render::Tally& tally, bool shapes) {
    using enum ThreadState;
    for (const ThreadState state :
         {not_started, active, diverged, left_behind, at_barrier, finished, cut_off}) {
        const std::uint32_t count = tally.states[std::size_t(state)];
        if (state == cut_off && count == 0) continue;
        strip.entry(state_colour(state), state_words(state), grouped(count), shapes ? &state : nullptr);
    }
}

void draw_lines(Strip& strip, const MapLegend& legend, const WindowState& window) {
    std::size_t left_out = 0;
    for (std::size_t rank = 0; rank < legend.model.lines.size(); ++rank) {
        const std::uint32_t count = legend.tally.lines[rank];
        if (count == 0) continue;
        const MapLine& line = legend.model.lines[rank];
        if ((strip.in_last_row() && strip.room() < window.px(170)) ||
            !strip.entry(line.colour, "line " + std::to_string(line.line), grouped(count)))
            ++left_out;
    }
    const std::uint32_t elsewhere = legend.tally.states[std::size_t(ThreadState::not_started)];
    const std::uint32_t finished = legend.tally.states[std::size_t(ThreadState::finished)];
    if (left_out > 0) return strip.words("and " + std::to_string(left_out) + " more lines");
    if (elsewhere > 0) strip.entry(state_colour(ThreadState::not_started), "not started", grouped(elsewhere));
    if (finished > 0) strip.entry(state_colour(ThreadState::finished), "finished", grouped(finished));
}

}  // namespace

ImU32 state_colour(ThreadState state) {
    switch (state) {
        case ThreadState::not_started:
            return theme().off;
        case ThreadState::active:
            return theme().active_edge;
        case ThreadState::diverged:
            return theme().active;
        case ThreadState::left_behind:
            return blend(theme().off, theme().active, 0.4f);
        case ThreadState::at_barrier:
            return theme().barrier;
        case ThreadState::finished:
            return theme().finished;
        case ThreadState::cut_off:
            return theme().text_faint;
        case ThreadState::absent:
            break;
    }
    return 0;
}

const char* state_words(ThreadState state) {
    switch (state) {
        case ThreadState::not_started:
            return "not started";
        case ThreadState::active:
            return "runs, warp whole";
        case ThreadState::diverged:
            return "runs, warp diverged";
        case ThreadState::left_behind:
            return "waits, warp diverged";
        case ThreadState::at_barrier:
            return "waits at a barrier";
        case ThreadState::finished:
            return "finished";
        case ThreadState::cut_off:
            return "no longer recorded";
        case ThreadState::absent:
            break;
    }
    return "no such thread";
}

std::string value_text(std::uint32_t value_type, std::uint64_t bits) {
    const std::uint32_t size = value_type >> 2;
    const auto kind = static_cast<render::NumberKind>(value_type & 3);
    if (kind == render::NumberKind::floating)
        return short_number(size == 8 ? std::bit_cast<double>(bits)
                                      : double(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    const unsigned unused = size >= 8 ? 0 : 64 - 8 * size;
    if (kind == render::NumberKind::signed_int)
        return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
    return std::to_string(bits << unused >> unused);
}

float map_legend_height(const WindowState& window) {
    return window.px(legend_rows * legend_row_px + 6);
}

void draw_map_legend(const Rect& strip_rect, const MapLegend& legend, const WindowState& window) {
    Strip strip({strip_rect.x, strip_rect.y, strip_rect.width, strip_rect.height - window.px(6)}, window);
    switch (legend.colour_by) {
        case render::ColourBy::state:
            draw_states(strip, legend.tally, true);
            break;
        case render::ColourBy::line:
            draw_lines(strip, legend, window);
            break;
        case render::ColourBy::value:
            strip.words(legend.variable);
            if (legend.range.any) strip.scale(legend.range);
            strip.entry(theme().off_edge, "not set", "");
            strip.words("the scale spans the whole launch");
            break;
    }
    if (!legend.model.note.empty()) strip.words(legend.model.note);
}

}  // namespace lanescope::ui
