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

// Halves go up, also those that are a little less in their last bits. The corners of a shape come from the
// system's sine and cosine, whose last bits depend on the processor.
long whole(float value) {
    constexpr float noise = 1.0f / 64;
    return std::lround(value + noise);
}

std::string whole_text(float value) {
    return std::to_string(whole(value));
}

std::string place_text(const DrawnBox& box) {
    return whole_text(box.left) + "," + whole_text(box.top) + " " + whole_text(box.width()) + "x" +
           whole_text(box.height());
}

// A box, a line, a picture; a box may have an edge.
struct Figure {
    DrawnFigure::Kind kind{};
    DrawnBox box;
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
        std::string look = std::string(name_of(figure.kind)) + " " + whole_text(figure.box.width()) + "x" +
                           whole_text(figure.box.height());
        if (figure.kind != DrawnFigure::Kind::picture) look += " " + colour_name(figure.fill);
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
    std::string panel(const DrawnPanel& panel) {
        out_ = "panel " + panel.name + "\n";
        for (const auto& item : panel.items)
            if (const auto* text = std::get_if<DrawnText>(&item))
                write_line(*text);
            else
                add(std::get<DrawnFigure>(item));
        finish_figure();
        return std::move(out_) + figures_.text();
    }

  private:
    // Joins an edge and the figure that it encloses.
    void add(const DrawnFigure& drawn) {
        const Figure next{drawn.kind, drawn.box, drawn.colour};
        if (last_ && encloses(*last_, next)) {
            last_->edge = std::exchange(last_->fill, next.fill);
            last_->edged = true;
            return finish_figure();
        }
        finish_figure();
        last_ = next;
    }

    static bool encloses(const Figure& edge, const Figure& inner) {
        const float inset = inner.box.left - edge.box.left;
        return edge.kind == DrawnFigure::Kind::box && inner.kind == DrawnFigure::Kind::box &&
               inner.fill != edge.fill && inset > 0.4f && inset < 4 &&
               std::abs(edge.box.right - inner.box.right - inset) < 0.6f &&
               std::abs(edge.box.bottom - inner.box.bottom - inset) < 0.6f;
    }

    void finish_figure() {
        if (last_) figures_.add(*std::exchange(last_, std::nullopt));
    }

    // Pieces in the same look at the same height, such as the values of cells, share one line.
    void write_line(const DrawnText& text) {
        const std::string look = " " + colour_name(text.colour) + " " + font_name(text.font);
        const std::string words = " \"" + text.text + "\"" + (text.clipped ? " clipped" : "");
        if (look == text_look_ && std::abs(text.line.top - text_top_) < 0.6f) {
            out_.back() = ',';
            out_ += " " + whole_text(text.line.left) + words + "\n";
        } else {
            out_ += "  text " + place_text(text.line) + look + words + "\n";
        }
        text_look_ = look;
        text_top_ = text.line.top;
    }

    std::string out_;
    std::string text_look_;  // of the last piece of text
    float text_top_ = 0;
    std::optional<Figure> last_;  // not yet written: it may enclose the next one
    Figures figures_;             // of this panel
};

}  // namespace

std::string frame_text(std::span<const DrawnPanel> panels) {
    std::string text;
    for (const DrawnPanel& panel : panels)
        text += Describer().panel(panel);
    return text;
}

std::string widget_text(std::span<const NamedPlace> places) {
    std::string text;
    for (const NamedPlace& each : places)
        text += "widget " + place_text({each.rect.x, each.rect.y, each.rect.right(), each.rect.bottom()}) +
                " " + each.name + "\n";
    return text;
}

}  // namespace lanescope::ui
