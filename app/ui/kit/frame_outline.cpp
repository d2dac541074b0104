#include "ui/kit/frame_outline.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <vector>

namespace lanescope::ui {
namespace {

// Text without words, or a picture in words.
struct Piece {
    DrawnBox line;
    float space_px = 1;  // of the font
    std::string text;
    bool picture = false;
    float middle() const { return (line.top + line.bottom) / 2; }
};

bool is_told(const DrawnText& text, const DrawnPanel& panel, const WidgetLog& log) {
    return std::any_of(log.told().begin(), log.told().end(), [&](const ToldPicture& told) {
        return told.list == panel.list && text.first_vertex >= told.first_vertex &&
               text.first_vertex < told.end_vertex;
    });
}

// One row from left to right. Words that are further apart than a few blanks are columns.
std::string row_text(std::vector<Piece>& row) {
    std::stable_sort(row.begin(), row.end(),
                     [](const Piece& a, const Piece& b) { return a.line.left < b.line.left; });
    std::string text;
    float end = 0;
    for (const Piece& piece : row) {
        const float blanks = (piece.line.left - end) / piece.space_px;
        if (!text.empty()) text += blanks < 0.6f ? "" : blanks < 3.6f ? " " : " | ";
        text += piece.text;
        end = piece.line.right;
    }
    while (text.ends_with(' '))
        text.pop_back();
    return text.empty() ? text : text + "\n";
}

// What one panel and its parts show.
class Section {
  public:
    void add(const DrawnPanel& panel, const WidgetLog& log) {
        for (const auto& item : panel.items) {
            const auto* text = std::get_if<DrawnText>(&item);
            if (text != nullptr && !is_told(*text, panel, log))
                pieces_.push_back({text->line, text->font->FindGlyph(' ')->AdvanceX, text->text});
        }
        for (const ToldPicture& told : log.told())
            if (told.list == panel.list && !told.words.empty()) {
                const float top = told.first_vertex < panel.list->VtxBuffer.Size
                                      ? panel.list->VtxBuffer[told.first_vertex].pos.y
                                      : 0;
                pieces_.push_back({{0, top, 0, top}, 1, told.words, true});
            }
    }
    void add_button(std::string_view name) {
        std::string general;
        for (const char c : name)
            if (!std::isdigit(static_cast<unsigned char>(c)))
                general += c;
            else if (general.empty() || general.back() != '#')
                general += '#';
        if (std::find(buttons_.begin(), buttons_.end(), general) == buttons_.end())
            buttons_.push_back(general);
    }
    std::string text() {
        std::stable_sort(pieces_.begin(), pieces_.end(),
                         [](const Piece& a, const Piece& b) { return a.middle() < b.middle(); });
        std::string text;
        std::vector<Piece> row;
        const auto finish_row = [&] {
            if (!row.empty()) text += row_text(row);
            row.clear();
        };
        for (Piece& piece : pieces_) {
            const bool same = !row.empty() && !piece.picture &&
                              piece.middle() - row.front().middle() <
                                  std::min(row.front().line.height(), piece.line.height()) / 2;
            if (!same) finish_row();
            if (piece.picture)
                text += piece.text;
            else
                row.push_back(std::move(piece));
        }
        finish_row();
        for (std::size_t i = 0; i < buttons_.size(); ++i)
            text += (i == 0 ? "buttons: " : ", ") + buttons_[i];
        return text + (buttons_.empty() ? "" : "\n");
    }

  private:
    std::vector<Piece> pieces_;
    std::vector<std::string> buttons_;
};

}  // namespace

std::string frame_outline(std::span<const DrawnPanel> panels, const WidgetLog& log) {
    std::map<std::string, Section> sections;
    for (const DrawnPanel& panel : panels)
        sections[panel.root()].add(panel, log);
    for (const NamedPlace& place : log.places()) {
        const std::size_t slash = place.name.find('/');
        if (place.clickable && slash != place.name.npos)
            sections[place.name.substr(0, slash)].add_button(std::string_view(place.name).substr(slash + 1));
    }
    std::string text;
    for (auto& [name, section] : sections)
        text += "== " + name + "\n" + section.text();
    return text;
}

}  // namespace lanescope::ui
