#include "ui/kit/frame_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

// --- Colours -----------------------------------------------------------------------------------------------

// If two members have the same value, the first name stands for both.
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
    float left = 0, top = 0;  // of its quad, relative to the pen and the top of the line, px
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

// --- Drawn items -------------------------------------------------------------------------------------------

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

// Halves go up, also those that are a little less in their last bits. The corners of a shape come from the
// system's sine and cosine, whose last bits depend on the processor.
long whole(float value) {
    constexpr float noise = 1.0f / 64;
    return std::lround(value + noise);
}

std::string whole_text(float value) {
    return std::to_string(whole(value));
}

std::string place_text(const Box& box) {
    return whole_text(box.left) + "," + whole_text(box.top) + " " + whole_text(box.right - box.left) + "x" +
           whole_text(box.bottom - box.top);
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

// A box, a line, a picture.
struct Figure {
    const char* kind = "";
    Box box;
    ImU32 fill = 0, edge = 0;
    bool edged = false;
};

// Returns "75 ×3 +38, 262, 300": places with equal gaps are folded.
std::string folded(const std::vector<long>& places) {
    std::string text;
    for (std::size_t i = 0; i < places.size();) {
        std::size_t end = i + 1;
        const long gap = end < places.size() ? places[end] - places[i] : 0;
        // Cells stand on whole pixels: a gap of 37.5 is sometimes 37, sometimes 38.
        while (end < places.size() &&
               std::abs(places[end] - places[i] - gap * long(end - i)) <= long(end - i) / 2)
            ++end;
        if (end - i < 3) end = i + 1;
        text += (text.empty() ? "" : ", ") + std::to_string(places[i]);
        if (end - i > 1) text += " ×" + std::to_string(end - i) + " +" + std::to_string(gap);
        i = end;
    }
    return text;
}

// The figures of a panel that look alike, row by row.
class Figures {
  public:
    void add(const Figure& figure) {
        std::string look = std::string(figure.kind) + " " + whole_text(figure.box.right - figure.box.left) +
                           "x" + whole_text(figure.box.bottom - figure.box.top);
        if (std::string_view(figure.kind) != "picture") look += " " + colour_name(figure.fill);
        if (figure.edged) look += " " + colour_name(figure.edge);
        auto [found, fresh] = by_look_.try_emplace(look);
        if (fresh) looks_.push_back(std::move(look));
        found->second[whole(figure.box.top)].push_back(whole(figure.box.left));
    }
    std::string text() const {
        std::string text;
        for (const std::string& look : looks_)
            for (const auto& [top, lefts] : by_look_.at(look))
                text += "  " + look + " at y " + std::to_string(top) + ", x " + folded(lefts) + "\n";
        return text;
    }

  private:
    std::vector<std::string> looks_;  // in the order in which they are first drawn
    std::map<std::string, std::map<long, std::vector<long>>> by_look_;
};

class Describer {
  public:
    explicit Describer(const std::map<AtlasPlace, Letter>& letters) : letters_(letters) {}

    void panel(const ImDrawList& list) {
        if (list.IdxBuffer.Size == 0) return;
        const std::size_t before = out_.size();
        out_ += "panel " + std::string(list._OwnerName != nullptr ? list._OwnerName : "") + "\n";
        const std::size_t begin = out_.size();
        text_look_.clear();
        for (const ImDrawCmd& command : list.CmdBuffer)
            if (command.UserCallback == nullptr) draw(list, command);
        finish_run();
        finish_figure();
        out_ += std::exchange(figures_, {}).text();
        if (out_.size() == begin) out_.resize(before);
    }
    std::string text() { return std::move(out_); }

  private:
    void draw(const ImDrawList& list, const ImDrawCmd& command) {
        const bool atlas = is_atlas(command);
        const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
        const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
        // Figures share no vertices, and the vertices of a figure are contiguous.
        for (unsigned i = 0; i < command.ElemCount;) {
            unsigned low = indices[i], high = indices[i], end = i;
            while (end < command.ElemCount) {
                const unsigned a = indices[end], b = indices[end + 1], c = indices[end + 2];
                const unsigned least = std::min({a, b, c}), most = std::max({a, b, c});
                if (end > i && (least > high || most < low)) break;
                low = std::min(low, least), high = std::max(high, most);
                end += 3;
                // Two triangles over four vertices are a quad; no two figures share an edge by chance.
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
            // The transparent rim that smooths an edge is not part of the figure.
            if ((corner.col & IM_COL32_A_MASK) != 0) box.add(corner.pos);
        }
        if ((colour & IM_COL32_A_MASK) == 0) return;
        const Box seen = box.within(clip);
        if (seen.right < seen.left || seen.bottom < seen.top) return;
        // Cells have four corners, or eight if their corners are cut off.
        const bool plain = corners.size() == 4 || corners.size() == 8;
        const bool filled = plain && !seen.empty() && covers(corners, box);
        add({!atlas ? "picture" : filled ? "box" : "shape", seen, colour});
    }

    // Returns whether all corners lie on the edges of the box around them, as a cell's corners do.
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
            finish_run();
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

    // Joins an edge and the figure that it encloses.
    void add(const Figure& next) {
        finish_run();
        if (last_ && encloses(*last_, next)) {
            last_->edge = std::exchange(last_->fill, next.fill);
            last_->edged = true;
            return finish_figure();
        }
        finish_figure();
        last_ = next;
    }

    static bool encloses(const Figure& edge, const Figure& inner) {
        const auto is_box = [](const Figure& figure) { return std::string_view(figure.kind) == "box"; };
        const float inset = inner.box.left - edge.box.left;
        return is_box(edge) && is_box(inner) && inner.fill != edge.fill && inset > 0.4f && inset < 4 &&
               std::abs(edge.box.right - inner.box.right - inset) < 0.6f &&
               std::abs(edge.box.bottom - inner.box.bottom - inset) < 0.6f;
    }

    void finish_figure() {
        if (last_) figures_.add(*std::exchange(last_, std::nullopt));
    }

    void finish_run() {
        if (run_.text.empty()) return;
        if (shown_) {
            const Box line{run_.left, run_.top, run_.seen.right, run_.top + font_size(run_.font)};
            write_line(line);
        }
        run_ = {};
        shown_ = false;
    }

    // Pieces in the same look at the same height, such as the values of cells, share one line.
    void write_line(const Box& line) {
        const std::string look = " " + colour_name(run_.colour) + " " + font_name(run_.font);
        const std::string words = " \"" + run_.text + "\"" + (run_.clipped ? " clipped" : "");
        if (look == text_look_ && std::abs(line.top - text_top_) < 0.6f) {
            out_.back() = ',';
            out_ += " " + whole_text(line.left) + words + "\n";
        } else {
            out_ += "  text " + place_text(line) + look + words + "\n";
        }
        text_look_ = look;
        text_top_ = line.top;
    }

    const std::map<AtlasPlace, Letter>& letters_;
    std::string out_;
    std::string text_look_;  // of the last piece of text
    float text_top_ = 0;
    Run run_;
    bool shown_ = false;          // a letter of the run is in sight
    std::optional<Figure> last_;  // not yet written: it may enclose the next one
    Figures figures_;             // of this panel
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
