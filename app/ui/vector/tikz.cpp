#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "ui/vector/vector_picture.h"

namespace lanescope::ui {
namespace {

constexpr float column_pt = 345;  // width of the text in LaTeX's article

std::string number(float value) {
    std::array<char, 48> digits{};
    const float rounded = std::round(value * 100) / 100;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rounded == 0 ? 0 : rounded,
                                   std::chars_format::fixed);
    return {digits.data(), end.ptr};
}

std::string at(const ImVec2& place) {
    return "(" + number(place.x) + "," + number(place.y) + ")";
}

// LaTeX's own signs, and those that its fonts lack.
std::string latex(const std::string& text) {
    static const std::map<std::string, std::string> signs = {{"\\", "\\textbackslash{}"},
                                                             {"{", "\\{"},
                                                             {"}", "\\}"},
                                                             {"$", "\\$"},
                                                             {"&", "\\&"},
                                                             {"#", "\\#"},
                                                             {"%", "\\%"},
                                                             {"_", "\\_"},
                                                             {"^", "\\textasciicircum{}"},
                                                             {"~", "\\textasciitilde{}"},
                                                             {"<", "$<$"},
                                                             {">", "$>$"},
                                                             {" ", "\\ "},
                                                             {"→", "$\\rightarrow$"},
                                                             {"←", "$\\leftarrow$"},
                                                             {"↑", "$\\uparrow$"},
                                                             {"↓", "$\\downarrow$"},
                                                             {"…", "\\ldots{}"},
                                                             {"·", "$\\cdot$"},
                                                             {"×", "$\\times$"},
                                                             {"÷", "$\\div$"},
                                                             {"−", "$-$"},
                                                             {"–", "--"},
                                                             {"≥", "$\\geq$"},
                                                             {"≤", "$\\leq$"},
                                                             {"≠", "$\\neq$"},
                                                             {"≈", "$\\approx$"},
                                                             {"∞", "$\\infty$"},
                                                             {"▴", "$\\vartriangle$"},
                                                             {"▾", "$\\triangledown$"},
                                                             {"▸", "$\\triangleright$"},
                                                             {"◂", "$\\triangleleft$"},
                                                             {"✓", "$\\checkmark$"},
                                                             {"✗", "$\\times$"},
                                                             {"²", "$^2$"},
                                                             {"µ", "$\\mu$"},
                                                             {"⁰", "$^0$"}};
    std::string safe;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        const std::string sign = text.substr(i, bytes);
        const auto known = signs.find(sign);
        safe += known == signs.end() ? sign : known->second;
        i += bytes;
    }
    return safe;
}

class TikzWriter {
  public:
    explicit TikzWriter(float pt) : pt_(pt) {}

    Result<void> add(const Shape& shape) {
        if (std::holds_alternative<Raster>(shape.form))
            return error("the picture holds an image of a large array, which TikZ cannot hold",
                         "use a name that ends in .svg or .pdf, or a smaller array");
        begin_clip(shape);
        const std::string look = look_of(shape.colour);
        if (const auto* polygon = std::get_if<Polygon>(&shape.form)) {
            body_ += polygon->to == shape.colour
                         ? "\\fill[" + look + "] "
                         : "\\shade[" + std::string(polygon->downwards ? "top" : "left") +
                               " color=" + name_of_colour(shape.colour) + "," +
                               (polygon->downwards ? "bottom" : "right") +
                               " color=" + name_of_colour(polygon->to) + "] ";
            body_ += path(polygon->corners) + " -- cycle;\n";
        } else if (const auto* line = std::get_if<Line>(&shape.form)) {
            body_ += "\\draw[" + look + ",line width=" + number(line->width * pt_) + "pt,line join=round] " +
                     path(line->points) + (line->closed ? " -- cycle;\n" : ";\n");
        } else if (const auto* words = std::get_if<Words>(&shape.form)) {
            const std::string size = number(words->size * pt_);
            body_ +=
                "\\node[anchor=base,inner sep=0pt,outer sep=0pt,text=" + look + ",font=\\fontsize{" + size +
                "pt}{" + size + "pt}\\selectfont" + (words->face.monospaced ? "\\ttfamily" : "\\sffamily") +
                (words->face.weight > 400 ? "\\bfseries" : "") + "] at " +
                at({words->begin.x + words->width / 2, words->begin.y}) + " {" + latex(words->text) + "};\n";
        }
        return {};
    }

    std::string take(const VectorFrame& frame) {
        end_clip();
        const ImVec2 size(float(frame.size.width), float(frame.size.height));
        std::string text = "% Needs \\usepackage{tikz}, \\usepackage{amssymb} and UTF-8.\n";
        const std::string background = name_of_colour(frame.background);
        std::string below = "\\fill[" + background + "] (0,0) rectangle " + at(size) + ";\n";
        for (const Surface& surface : frame.surfaces)
            below += "\\fill[" + look_of(surface.colour) + "] " + at(surface.rect.min()) + " rectangle " +
                     at(surface.rect.max()) + ";\n";
        for (const auto& [rgb, name] : colours_)
            text += "\\definecolor{" + name + "}{RGB}{" + rgb + "}\n";
        return text + "\\begin{tikzpicture}[x=" + unit() + ",y=-" + unit() + "]\n" +
               "\\clip (0,0) rectangle " + at(size) + ";\n" + below + body_ + "\\end{tikzpicture}\n";
    }

  private:
    std::string unit() const {
        std::array<char, 32> digits{};
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), pt_, std::chars_format::fixed, 5);
        return std::string(digits.data(), end.ptr) + "pt";
    }

    static std::string path(const std::vector<ImVec2>& points) {
        std::string text;
        for (const ImVec2& point : points)
            text += (text.empty() ? "" : " -- ") + at(point);
        return text;
    }

    std::string name_of_colour(ImU32 colour) {
        const auto channel = [&](int shift) { return std::to_string(colour >> shift & 255); };
        const std::string rgb =
            channel(IM_COL32_R_SHIFT) + "," + channel(IM_COL32_G_SHIFT) + "," + channel(IM_COL32_B_SHIFT);
        return colours_.emplace(rgb, "lanescope" + letters(colours_.size())).first->second;
    }

    // LaTeX's names of colours may have digits; letters alone are safe everywhere.
    static std::string letters(std::size_t index) {
        std::string text(1, char('a' + index % 26));
        for (index /= 26; index > 0; index /= 26)
            text += char('a' + index % 26);
        return text;
    }

    std::string look_of(ImU32 colour) {
        const float seen = float(colour >> IM_COL32_A_SHIFT & 255) / 255;
        return name_of_colour(colour) + (seen < 1 ? ",opacity=" + number(seen) : std::string());
    }

    void begin_clip(const Shape& shape) {
        const std::string wanted = shape.clipped ? at({shape.clip.left, shape.clip.top}) + " rectangle " +
                                                       at({shape.clip.right, shape.clip.bottom})
                                                 : std::string();
        if (wanted == clip_) return;
        end_clip();
        if (!wanted.empty()) body_ += "\\begin{scope}\n\\clip " + wanted + ";\n";
        clip_ = wanted;
    }

    void end_clip() {
        if (!std::exchange(clip_, {}).empty()) body_ += "\\end{scope}\n";
    }

    float pt_;  // of a pixel
    std::string body_, clip_;
    std::map<std::string, std::string> colours_;
};

}  // namespace

Result<std::string> tikz_of(const VectorFrame& frame) {
    TikzWriter writer(column_pt / float(std::max(frame.size.width, 1)));
    for (const Shape& shape : frame.shapes)
        if (Result<void> added = writer.add(shape); !added) return added.diagnostics();
    return writer.take(frame);
}

}  // namespace lanescope::ui
