#include "ui/kit/frame_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

// --- Colours -----------------------------------------------------------------------------------------------

// Where two members have one value, the first name stands for both.
constexpr std::pair<const char*, ImU32 Theme::*> colour_names[] = {
    {"text_strong", &Theme::text_strong},
    {"text", &Theme::text},
    {"text_quiet", &Theme::text_quiet},
    {"text_faint", &Theme::text_faint},
    {"heading", &Theme::heading},
    {"accent", &Theme::accent},
    {"background", &Theme::background},
    {"panel", &Theme::panel},
    {"panel_raised", &Theme::panel_raised},
    {"line", &Theme::line},
    {"selected", &Theme::selected},
    {"active", &Theme::active},
    {"active_edge", &Theme::active_edge},
    {"off", &Theme::off},
    {"off_edge", &Theme::off_edge},
    {"barrier", &Theme::barrier},
    {"read", &Theme::read},
    {"read_edge", &Theme::read_edge},
    {"write", &Theme::write},
    {"write_edge", &Theme::write_edge},
    {"conflict", &Theme::conflict},
    {"race", &Theme::race},
    {"good", &Theme::good},
    {"cell", &Theme::cell},
    {"cell_edge", &Theme::cell_edge},
    {"cell_unset", &Theme::cell_unset},
    {"current_line", &Theme::current_line},
    {"run", &Theme::run},
    {"finished", &Theme::finished},
    {"library", &Theme::library},
    {"keyword", &Theme::keyword},
    {"type_name", &Theme::type_name},
    {"builtin", &Theme::builtin},
    {"number", &Theme::number},
    {"string", &Theme::string},
    {"comment", &Theme::comment},
};

std::string colour_name(ImU32 colour) {
    constexpr ImU32 opaque = IM_COL32_A_MASK;
    const unsigned alpha = colour >> IM_COL32_A_SHIFT & 255;
    std::string name;
    for (const auto& [known, member] : colour_names)
        if (name.empty() && (theme().*member | opaque) == (colour | opaque)) name = known;
    if (name.empty()) {
        char hex[16];
        std::snprintf(hex, sizeof hex, "#%02x%02x%02x", colour >> IM_COL32_R_SHIFT & 255,
                      colour >> IM_COL32_G_SHIFT & 255, colour >> IM_COL32_B_SHIFT & 255);
        name = hex;
    }
    if (alpha == 255) return name;
    return name + "/" + std::to_string((alpha * 100 + 127) / 255);
}

// --- Letters -----------------------------------------------------------------------------------------------

struct Letter {
    const ImFont* font = nullptr;
    ImWchar code = 0;
    float left = 0, top = 0;  // of its quad, from the pen and the top of the line, px
    float advance = 0;        // px
};

using AtlasPlace = std::pair<float, float>;

std::map<AtlasPlace, Letter> letters_of_atlas() {
    std::map<AtlasPlace, Letter> letters;
#if IMGUI_VERSION_NUM < 19200
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
        for (const ImFontGlyph& glyph : font->Glyphs)
            if (glyph.Visible)
                letters.emplace(AtlasPlace(glyph.U0, glyph.V0),
                                Letter{font, ImWchar(glyph.Codepoint), glyph.X0, glyph.Y0, glyph.AdvanceX});
#endif
    return letters;
}

const char* font_name(const ImFont* font) {
    const std::pair<const char*, ImFont*> names[] = {{"text", fonts().text},
                                                     {"small", fonts().small},
                                                     {"strong", fonts().strong},
                                                     {"heading", fonts().heading},
                                                     {"title", fonts().title},
                                                     {"caption", fonts().caption},
                                                     {"mono", fonts().mono},
                                                     {"mono_small", fonts().mono_small},
                                                     {"mono_tiny", fonts().mono_tiny},
                                                     {"mono_medium", fonts().mono_medium},
                                                     {"mono_large", fonts().mono_large}};
    for (const auto& [name, known] : names)
        if (font == known) return name;
    return "default";
}

void append_utf8(std::string& text, unsigned code) {
    if (code < 0x80) {
        text += char(code);
    } else if (code < 0x800) {
        text += char(0xC0 | code >> 6);
        text += char(0x80 | (code & 63));
    } else {
        text += char(0xE0 | code >> 12);
        text += char(0x80 | (code >> 6 & 63));
        text += char(0x80 | (code & 63));
    }
}

// --- What is drawn
// -------------------------------------------------------------------------------------------

struct Box {
    float left = 0, top = 0, right = 0, bottom = 0;
    void add(const ImVec2& at) {
        left = std::min(left, at.x), top = std::min(top, at.y);
        right = std::max(right, at.x), bottom = std::max(bottom, at.y);
    }
    Box within(const ImVec4& clip) const {
        return {std::max(left, clip.x), std::max(top, clip.y), std::min(right, clip.z),
                std::min(bottom, clip.w)};
    }
    bool empty() const { return right - left < 0.5f || bottom - top < 0.5f; }
};

std::string whole(float value) {
    return std::to_string(std::lround(value));
}

std::string place_text(const Box& box) {
    return whole(box.left) + "," + whole(box.top) + " " + whole(box.right - box.left) + "x" +
           whole(box.bottom - box.top);
}

// A piece of text on one line.
struct Run {
    const ImFont* font = nullptr;
    ImU32 colour = 0;
    float left = 0, pen = 0, top = 0;
    std::string text;
    Box seen;
    bool clipped = false;
};

struct Figure {
    const char* kind = "";
    Box box;
    ImU32 fill = 0, edge = 0;
    bool edged = false;
    unsigned count = 1;
    float step_x = 0, step_y = 0;  // between equal figures
};

class Describer {
  public:
    explicit Describer(const std::map<AtlasPlace, Letter>& letters) : letters_(letters) {}

    void panel(const ImDrawList& list) {
        if (list.IdxBuffer.Size == 0) return;
        const std::size_t before = out_.size();
        out_ += "panel " + std::string(list._OwnerName != nullptr ? list._OwnerName : "") + "\n";
        const std::size_t begin = out_.size();
        for (const ImDrawCmd& command : list.CmdBuffer)
            if (command.UserCallback == nullptr) draw(list, command);
        flush();
        if (out_.size() == begin) out_.resize(before);
    }
    std::string text() { return std::move(out_); }

  private:
    void draw(const ImDrawList& list, const ImDrawCmd& command) {
        const bool atlas = is_atlas(command);
        const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
        const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
        // A figure has vertices of its own, which follow each other: the next one begins above its highest.
        for (unsigned i = 0; i < command.ElemCount;) {
            unsigned low = indices[i], high = indices[i], end = i;
            while (end < command.ElemCount) {
                const unsigned a = indices[end], b = indices[end + 1], c = indices[end + 2];
                const unsigned least = std::min({a, b, c}), most = std::max({a, b, c});
                if (end > i && (least > high || most < low)) break;
                low = std::min(low, least), high = std::max(high, most);
                end += 3;
                // Quads that share an edge by chance do not exist; two triangles over four vertices are one.
                if (high - low == 3 && end - i == 6) break;
            }
            figure({vertices + low, vertices + high + 1}, command.ClipRect, atlas);
            i = end;
        }
    }

    static bool is_atlas(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM < 19200
        return command.TextureId == ImGui::GetIO().Fonts->TexID;
#else
        return command.GetTexID() == ImGui::GetIO().Fonts->TexRef.GetTexID();
#endif
    }

    void figure(std::span<const ImDrawVert> corners, const ImVec4& clip, bool atlas) {
        if (atlas && corners.size() == 4) {
            const auto letter = letters_.find({corners[0].uv.x, corners[0].uv.y});
            if (letter != letters_.end()) return write(letter->second, corners, clip);
        }
        Box box{corners[0].pos.x, corners[0].pos.y, corners[0].pos.x, corners[0].pos.y};
        ImU32 colour = 0;
        for (const ImDrawVert& corner : corners) {
            if ((corner.col >> IM_COL32_A_SHIFT) >= (colour >> IM_COL32_A_SHIFT)) colour = corner.col;
            // The transparent rim that smooths an edge does not belong to the figure.
            if ((corner.col & IM_COL32_A_MASK) != 0) box.add(corner.pos);
        }
        if ((colour & IM_COL32_A_MASK) == 0) return;
        const Box seen = box.within(clip);
        if (seen.right < seen.left || seen.bottom < seen.top) return;
        // Cells have four corners, or eight where these are cut off.
        const bool plain = corners.size() == 4 || corners.size() == 8;
        const bool filled = plain && !seen.empty() && covers(corners, box);
        add({!atlas ? "picture" : filled ? "box" : "shape", seen, colour});
    }

    // Whether the corners lie on the edges of the box around them, as those of cells do.
    static bool covers(std::span<const ImDrawVert> corners, const Box& box) {
        return std::all_of(corners.begin(), corners.end(), [&](const ImDrawVert& corner) {
            return corner.pos.x == box.left || corner.pos.x == box.right || corner.pos.y == box.top ||
                   corner.pos.y == box.bottom;
        });
    }

    void write(const Letter& letter, std::span<const ImDrawVert> corners, const ImVec4& clip) {
        Box box{corners[0].pos.x, corners[0].pos.y, corners[2].pos.x, corners[2].pos.y};
        const Box seen = box.within(clip);
        const bool clipped = seen.right - seen.left < box.right - box.left - 1.5f ||
                             seen.bottom - seen.top < box.bottom - box.top - 1.5f;
        const float pen = corners[0].pos.x - letter.left, top = corners[0].pos.y - letter.top;
        const float space = letter.font->FindGlyph(' ')->AdvanceX;
        const float gap = pen - run_.pen;
        const bool goes_on = !run_.text.empty() && run_.font == letter.font &&
                             run_.colour == corners[0].col && std::abs(top - run_.top) < 0.6f &&
                             gap > -1.5f && gap < 3.6f * space;
        if (!goes_on) {
            flush();
            run_ = {letter.font, corners[0].col, box.left, pen, top, {}, box, false};
        } else {
            run_.text.append(std::size_t(std::max(std::lround((gap - 0.3f * space) / space), 0l)), ' ');
        }
        append_utf8(run_.text, letter.code);
        run_.pen = pen + letter.advance;
        run_.clipped |= clipped;
        if (seen.empty()) return;
        run_.seen.add({box.left, box.top});
        run_.seen.add({box.right, box.bottom});
        shown_ = true;
    }

    void add(const Figure& next) {
        finish_run();
        if (last_) {
            // An edge, and what it encloses.
            const float inset = next.box.left - last_->box.left;
            if (!last_->edged && last_->count == 1 && std::strcmp(last_->kind, "box") == 0 &&
                std::strcmp(next.kind, "box") == 0 && inset > 0.4f && inset < 4 && next.fill != last_->fill &&
                std::abs(last_->box.right - next.box.right - inset) < 0.6f &&
                std::abs(last_->box.bottom - next.box.bottom - inset) < 0.6f) {
                last_->edge = std::exchange(last_->fill, next.fill);
                last_->edged = true;
                return join();
            }
            finish_figure();
        }
        last_ = next;
        if (!may_be_edge(next)) join();
    }

    static bool may_be_edge(const Figure& figure) {
        return std::strcmp(figure.kind, "box") == 0;
    }

    // Adds the last figure to the row of equal ones before it, if it goes on with that.
    void join() {
        if (!row_) {
            row_ = std::exchange(last_, std::nullopt);
            return;
        }
        Figure& row = *row_;
        const Figure& next = *last_;
        const float x = next.box.left - row.box.left - row.step_x * float(row.count - 1);
        const float y = next.box.top - row.box.top - row.step_y * float(row.count - 1);
        const bool alike = std::strcmp(row.kind, next.kind) == 0 && row.fill == next.fill &&
                           row.edged == next.edged && row.edge == next.edge &&
                           std::abs(row.box.right - row.box.left - next.box.right + next.box.left) < 1 &&
                           std::abs(row.box.bottom - row.box.top - next.box.bottom + next.box.top) < 1;
        const bool steady =
            row.count == 1 || (std::abs(x - row.step_x) < 1.1f && std::abs(y - row.step_y) < 1.1f);
        if (alike && steady) {
            if (row.count == 1) row.step_x = x, row.step_y = y;
            ++row.count;
            last_.reset();
            return;
        }
        print_row();
        row_ = std::exchange(last_, std::nullopt);
    }

    void finish_figure() {
        if (last_) join();
    }

    void print_row() {
        if (!row_) return;
        const Figure& row = *row_;
        out_ += std::string("  ") + row.kind + " " + place_text(row.box);
        if (std::strcmp(row.kind, "picture") != 0) out_ += " " + colour_name(row.fill);
        if (row.edged) out_ += " " + colour_name(row.edge);
        if (row.count > 1)
            out_ += " ×" + std::to_string(row.count) + " +" + whole(row.step_x) + "," + whole(row.step_y);
        out_ += "\n";
        row_.reset();
    }

    void finish_run() {
        if (run_.text.empty()) return;
        if (shown_) {
            finish_figure();
            print_row();
            const Box line{run_.left, run_.top, run_.seen.right, run_.top + font_size(run_.font)};
            out_ += "  text " + place_text(line) + " " + colour_name(run_.colour) + " " +
                    font_name(run_.font) + " \"" + run_.text + "\"" + (run_.clipped ? " clipped" : "") + "\n";
        }
        run_ = {};
        shown_ = false;
    }

    void flush() {
        finish_run();
        finish_figure();
        print_row();
    }

    const std::map<AtlasPlace, Letter>& letters_;
    std::string out_;
    Run run_;
    bool shown_ = false;          // a letter of the run is in sight
    std::optional<Figure> last_;  // not yet told: the next one may be what it encloses
    std::optional<Figure> row_;   // equal figures, not yet told
};

}  // namespace

std::string frame_text(const ImDrawData& drawn) {
    const std::map<AtlasPlace, Letter> letters = letters_of_atlas();
    Describer describer(letters);
    for (int i = 0; i < drawn.CmdListsCount; ++i)
        describer.panel(*drawn.CmdLists[i]);
    return describer.text();
}

std::string widget_text(std::span<const NamedPlace> places) {
    std::string text;
    for (const NamedPlace& each : places)
        text += "widget " + place_text({each.rect.x, each.rect.y, each.rect.right(), each.rect.bottom()}) +
                " " + each.name + "\n";
    return text;
}

}  // namespace lanescope::ui
