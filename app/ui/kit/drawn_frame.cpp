#include "ui/kit/drawn_frame.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

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

// --- Panels ------------------------------------------------------------------------------------------------

DrawnBox box_of(const ImVec4& clip) {
    return {clip.x, clip.y, clip.z, clip.w};
}

class Reader {
  public:
    explicit Reader(const std::map<AtlasPlace, Letter>& letters) : letters_(letters) {}

    DrawnPanel panel(const ImDrawList& list) {
        panel_ = {panel_name(list), &list, {}};
        for (const ImDrawCmd& command : list.CmdBuffer)
            if (command.UserCallback == nullptr) read(list, command);
        finish_text();
        return std::move(panel_);
    }

  private:
    void read(const ImDrawList& list, const ImDrawCmd& command) {
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
            const DrawnFigure place{{},
                                    {},
                                    box_of(command.ClipRect),
                                    atlas ? 0 : texture_of(command),
                                    0,
                                    int(command.VtxOffset + low),
                                    int(command.IdxOffset + i),
                                    int(command.IdxOffset + end),
                                    int(command.VtxOffset)};
            figure({vertices + low, vertices + high + 1}, place, box_of(command.ClipRect), atlas);
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

    static unsigned texture_of(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM >= 19140
        return static_cast<unsigned>(command.GetTexID());
#else
        return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(command.GetTexID()));
#endif
    }

    void figure(std::span<const ImDrawVert> corners, DrawnFigure place, const DrawnBox& clip, bool atlas) {
        if (atlas && corners.size() == 4) {
            const auto letter = letters_.find({corners[0].uv.x, corners[0].uv.y});
            if (letter != letters_.end()) return write(letter->second, corners, place.first_vertex, clip);
        }
        DrawnBox box{corners[0].pos.x, corners[0].pos.y, corners[0].pos.x, corners[0].pos.y};
        ImU32 colour = 0;
        for (const ImDrawVert& corner : corners) {
            if ((corner.col >> IM_COL32_A_SHIFT) >= (colour >> IM_COL32_A_SHIFT)) colour = corner.col;
            // The transparent rim that smooths an edge is not part of the figure.
            if ((corner.col & IM_COL32_A_MASK) != 0) box.add(corner.pos);
        }
        if ((colour & IM_COL32_A_MASK) == 0) return;
        const DrawnBox seen = box.within(clip);
        if (seen.right < seen.left || seen.bottom < seen.top) return;
        // Cells have four corners, or eight if their corners are cut off.
        const bool plain = corners.size() == 4 || corners.size() == 8;
        const bool filled = plain && !seen.empty() && covers(corners, box);
        finish_text();
        place.kind = !atlas   ? DrawnFigure::Kind::picture
                     : filled ? DrawnFigure::Kind::box
                              : DrawnFigure::Kind::shape;
        place.box = seen, place.colour = colour;
        panel_.items.push_back(place);
    }

    // Returns whether all corners lie on the edges of the box around them, as a cell's corners do.
    static bool covers(std::span<const ImDrawVert> corners, const DrawnBox& box) {
        // Dear ImGui's lines go through an approximate square root, whose last bits depend on the processor.
        const auto same = [](float a, float b) { return std::abs(a - b) < 0.01f; };
        return std::all_of(corners.begin(), corners.end(), [&](const ImDrawVert& corner) {
            return same(corner.pos.x, box.left) || same(corner.pos.x, box.right) ||
                   same(corner.pos.y, box.top) || same(corner.pos.y, box.bottom);
        });
    }

    void write(const Letter& letter, std::span<const ImDrawVert> corners, int first_vertex,
               const DrawnBox& clip) {
        const DrawnBox box{corners[0].pos.x, corners[0].pos.y, corners[2].pos.x, corners[2].pos.y};
        const DrawnBox seen = box.within(clip);
        const bool clipped = seen.width() < box.width() - 1.5f || seen.height() < box.height() - 1.5f;
        const float pen = corners[0].pos.x - letter.left, top = corners[0].pos.y - letter.top;
        const float space = letter.font->FindGlyph(' ')->AdvanceX;
        const float gap = pen - pen_;
        const bool goes_on = !text_.text.empty() && text_.font == letter.font &&
                             text_.colour == corners[0].col && std::abs(top - text_.line.top) < 0.6f &&
                             gap > -1.5f && gap < 3.6f * space;
        if (!goes_on) {
            finish_text();
            const DrawnBox line{pen, top, pen, top + font_size(letter.font)};
            text_ = {{}, letter.font, corners[0].col, line, box, seen, clip, false, first_vertex};
        } else {
            text_.text.append(std::size_t(std::max(std::lround((gap - 0.3f * space) / space), 0l)), ' ');
        }
        append_utf8(text_.text, letter.code);
        pen_ = pen + letter.advance;
        text_.clipped |= clipped;
        text_.line.right = pen_;
        text_.ink.add({box.left, box.top}), text_.ink.add({box.right, box.bottom});
        if (seen.empty()) return;
        text_.seen.add({seen.left, seen.top}), text_.seen.add({seen.right, seen.bottom});
        shown_ = true;
    }

    void finish_text() {
        if (shown_) panel_.items.push_back(std::move(text_));
        text_ = {};
        shown_ = false;
    }

    const std::map<AtlasPlace, Letter>& letters_;
    DrawnPanel panel_;
    DrawnText text_;
    float pen_ = 0;       // behind the text's last letter
    bool shown_ = false;  // a letter of the text is in sight
};

}  // namespace

void DrawnBox::add(const ImVec2& at) {
    left = std::min(left, at.x), top = std::min(top, at.y);
    right = std::max(right, at.x), bottom = std::max(bottom, at.y);
}

DrawnBox DrawnBox::within(const DrawnBox& clip) const {
    return {std::max(left, clip.left), std::max(top, clip.top), std::min(right, clip.right),
            std::min(bottom, clip.bottom)};
}

bool covers(const ImDrawList& list, const DrawnFigure& figure, const ImVec2& point) {
    const auto side = [&](const ImVec2& a, const ImVec2& b) {
        return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
    };
    for (int i = figure.first_index; i < figure.end_index; i += 3) {
        const auto corner = [&](int k) -> const ImVec2& {
            return list.VtxBuffer[figure.vertex_offset + list.IdxBuffer[i + k]].pos;
        };
        const float a = side(corner(0), corner(1)), b = side(corner(1), corner(2)),
                    c = side(corner(2), corner(0));
        if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) return true;
    }
    return false;
}

const char* name_of(DrawnFigure::Kind kind) {
    constexpr const char* names[] = {"box", "shape", "picture"};
    return names[int(kind)];
}

std::vector<DrawnPanel> read_frame(const ImDrawData& drawn) {
    const std::map<AtlasPlace, Letter> letters = letters_of_atlas();
    Reader reader(letters);
    std::vector<DrawnPanel> panels;
    for (int i = 0; i < drawn.CmdListsCount; ++i)
        if (DrawnPanel panel = reader.panel(*drawn.CmdLists[i]); !panel.items.empty())
            panels.push_back(std::move(panel));
    return panels;
}

}  // namespace lanescope::ui
