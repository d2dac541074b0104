#include "ui/kit/frame_check.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "ui/kit/theme.h"
#include "ui/state/window_state.h"

namespace lanescope::ui {
namespace {

// A letter's quad is a little larger than the letter.
constexpr float letter_air_px = 1.5f;

class Inspector {
  public:
    Inspector(std::span<const DrawnPanel> panels, const WidgetLog& log) : panels_(panels), log_(log) {}

    std::vector<std::string> problems() {
        for (std::size_t i = 0; i < panels_.size(); ++i)
            for (std::size_t k = 0; k < panels_[i].items.size(); ++k)
                if (const auto* text = std::get_if<DrawnText>(&panels_[i].items[k]);
                    text != nullptr && !text->seen.empty() && !covered(panels_[i], k, *text)) {
                    in_sight_[panels_[i].root()].push_back(text);
                    whole(panels_[i], *text);
                    readable(i, k, *text);
                }
        sides();
        overlaps();
        clickable();
        empty_panels();
        return std::move(problems_);
    }

  private:
    void report(const std::string& panel, const std::string& text) {
        std::string line = general(panel + ": " + text);
        if (std::find(problems_.begin(), problems_.end(), line) == problems_.end())
            problems_.push_back(std::move(line));
    }

    // Numbers as "#": one line stands for all cells with the same problem.
    static std::string general(std::string_view text) {
        std::string made;
        for (const char c : text)
            if (c < '0' || c > '9')
                made += c;
            else if (made.empty() || made.back() != '#')
                made += '#';
        return made;
    }

    void whole(const DrawnPanel& panel, const DrawnText& text) {
        const bool at_side = text.ink.left < text.clip.left - letter_air_px ||
                             text.ink.right > text.clip.right + letter_air_px;
        if (!at_side && text.clipped && !scrolls(panel))
            report(panel.name, "'" + text.text + "' is cut at its upper or lower edge");
        constexpr std::string_view ellipsis = "…";
        if (!text.text.ends_with(ellipsis) || text.text.ends_with(" …")) return;  // "Save as …" is whole
        // Spaced letters are read with more blanks than they were written with.
        const auto without_blanks = [](std::string words) {
            std::erase(words, ' ');
            return words;
        };
        const std::string start = without_blanks(text.text.substr(0, text.text.size() - ellipsis.size()));
        if (std::none_of(log_.cut().begin(), log_.cut().end(),
                         [&](const std::string& all) { return without_blanks(all).starts_with(start); }))
            report(panel.name, "'" + text.text + "' does not show its rest to a resting mouse");
    }

    void sides() {
        for (const auto& [list, text] : log_.cut_at_side())
            if (!log_.scrolling().contains(list))
                report(panel_name(*list), "'" + text + "' is cut at its side");
    }

    // Whether the panel or a part of it scrolls.
    bool scrolls(const DrawnPanel& panel) const {
        return std::any_of(panels_.begin(), panels_.end(), [&](const DrawnPanel& part) {
            const ImGuiWindow* window = ImGui::FindWindowByName(part.list->_OwnerName);
            return part.root() == panel.root() &&
                   (log_.scrolling().contains(part.list) || (window != nullptr && window->ScrollMax.y > 0));
        });
    }

    // Whether something lies over the middle of the text.
    bool covered(const DrawnPanel& panel, std::size_t item, const DrawnText& text) const {
        const ImVec2 middle = middle_of(text.seen);
        for (std::size_t i = item + 1; i < panel.items.size(); ++i) {
            const auto* figure = std::get_if<DrawnFigure>(&panel.items[i]);
            if (figure != nullptr && (figure->colour & IM_COL32_A_MASK) == IM_COL32_A_MASK &&
                contains(figure->box, middle) && covers(*panel.list, *figure, middle))
                return true;
        }
        return false;
    }
    static ImVec2 middle_of(const DrawnBox& box) {
        return ImVec2((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    }
    static bool contains(const DrawnBox& box, const ImVec2& at) {
        return at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
    }

    // The colour behind the middle of a text.
    std::optional<ImU32> behind(std::size_t panel, std::size_t item, const ImVec2& at) const {
        std::optional<ImU32> colour;
        for (const NamedPlace& place : log_.places())
            if (place.is_panel() && at.x >= place.rect.x && at.x < place.rect.right() &&
                at.y >= place.rect.y && at.y < place.rect.bottom())
                colour = place.surface;
        for (std::size_t i = 0; i <= panel; ++i)
            for (std::size_t k = 0; k < (i == panel ? item : panels_[i].items.size()); ++k) {
                const auto* figure = std::get_if<DrawnFigure>(&panels_[i].items[k]);
                if (figure == nullptr || !contains(figure->box, at) || !covers(*panels_[i].list, *figure, at))
                    continue;
                if (figure->kind == DrawnFigure::Kind::picture)
                    colour.reset();
                else
                    colour = over(figure->colour, colour.value_or(theme().panel));
            }
        return colour;
    }

    void readable(std::size_t panel, std::size_t item, const DrawnText& text) {
        if (text.seen.height() < text.ink.height() / 2) return;  // hardly anything is in sight
        const std::optional<ImU32> surface = behind(panel, item, middle_of(text.seen));
        if (!surface) return;
        const float ratio = contrast(over(text.colour, *surface), *surface);
        if (ratio >= least_contrast) return;
        char words[96];
        std::snprintf(words, sizeof words, "' has contrast %.1f (#%06x on #%06x)", double(ratio),
                      rgb(over(text.colour, *surface)), rgb(*surface));
        report(panels_[panel].name, "'" + text.text + words);
    }
    static unsigned rgb(ImU32 colour) {
        return (colour >> IM_COL32_R_SHIFT & 255) << 16 | (colour >> IM_COL32_G_SHIFT & 255) << 8 |
               (colour >> IM_COL32_B_SHIFT & 255);
    }

    void overlaps() {
        for (auto& [name, texts] : in_sight_) {
            std::sort(texts.begin(), texts.end(),
                      [](const DrawnText* a, const DrawnText* b) { return a->seen.top < b->seen.top; });
            for (std::size_t i = 0; i < texts.size(); ++i)
                for (std::size_t k = i + 1; k < texts.size() && texts[k]->seen.top < texts[i]->seen.bottom;
                     ++k)
                    if (overlap(*texts[i], *texts[k]))
                        report(name, "'" + texts[i]->text + "' and '" + texts[k]->text + "' overlap");
        }
    }

    static bool overlap(const DrawnText& a, const DrawnText& b) {
        const DrawnBox both = a.seen.within(b.seen);
        if (both.width() < letter_air_px || both.height() < letter_air_px) return false;
        // The same text once more, next to it: a shadow.
        return a.text != b.text || std::abs(a.line.left - b.line.left) > 2 ||
               std::abs(a.line.top - b.line.top) > 2;
    }

    void clickable() {
        for (const NamedPlace& place : log_.places())
            if (place.clickable && (place.whole.width < least_clickable_px - 0.5f ||
                                    place.whole.height < least_clickable_px - 0.5f)) {
                char words[64];
                std::snprintf(words, sizeof words, "%.0f×%.0f px to click", double(place.whole.width),
                              double(place.whole.height));
                report(place.name, words);
            }
    }

    void empty_panels() {
        for (const NamedPlace& place : log_.places())
            if (place.is_panel() &&
                std::none_of(panels_.begin(), panels_.end(),
                             [&](const DrawnPanel& panel) { return panel.root() == place.name; }))
                report(place.name, "shows nothing");
    }

    std::span<const DrawnPanel> panels_;
    const WidgetLog& log_;
    std::map<std::string, std::vector<const DrawnText*>> in_sight_;  // by panel
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> frame_problems(std::span<const DrawnPanel> panels, const WidgetLog& log) {
    return Inspector(panels, log).problems();
}

}  // namespace lanescope::ui
