#include <zlib.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "image/encode.h"
#include "ui/vector/vector_picture.h"

namespace lanescope::ui {
namespace {

// --- Numbers and colours -----------------------------------------------------------------------------------

std::string px(float value) {
    std::array<char, 32> digits{};
    const float rounded = std::round(value * 100) / 100;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rounded == 0 ? 0 : rounded);
    return {digits.data(), end.ptr};
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + "\"";
}

std::string hex(ImU32 colour) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text = "#";
    for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT}) {
        text += digits[colour >> (shift + 4) & 15];
        text += digits[colour >> shift & 15];
    }
    return text;
}

float opacity(ImU32 colour) {
    return float(colour >> IM_COL32_A_SHIFT & 255) / 255;
}

// `name`: fill or stroke.
std::string paint(const std::string& name, ImU32 colour) {
    const float seen = opacity(colour);
    return attribute(name.c_str(), hex(colour)) +
           (seen < 1 ? attribute((name + "-opacity").c_str(), px(seen)) : std::string());
}

std::string points(const std::vector<ImVec2>& corners) {
    std::string text;
    for (const ImVec2& corner : corners)
        text += (text.empty() ? "" : " ") + px(corner.x) + "," + px(corner.y);
    return text;
}

// --- Shapes ------------------------------------------------------------------------------------------------

class SvgWriter {
  public:
    explicit SvgWriter(const std::string& id) : id_(id) {}

    Result<void> add(const Shape& shape) {
        const std::string clip =
            shape.clipped ? attribute("clip-path", "url(#" + clip_of(shape.clip) + ")") : std::string();
        if (const auto* polygon = std::get_if<Polygon>(&shape.form)) add(*polygon, shape.colour, clip);
        if (const auto* line = std::get_if<Line>(&shape.form)) add(*line, shape.colour, clip);
        if (const auto* words = std::get_if<Words>(&shape.form)) add(*words, shape.colour, clip);
        if (const auto* raster = std::get_if<Raster>(&shape.form)) return add(*raster, clip);
        return {};
    }

    std::string take(const VectorFrame& frame) {
        const std::string size = std::to_string(frame.size.width), high = std::to_string(frame.size.height);
        std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"" +
                          high + "\" viewBox=\"0 0 " + size + " " + high + "\">\n";
        if (!defs_.empty()) svg += "<defs>\n" + defs_ + "</defs>\n";
        svg +=
            "<rect width=\"" + size + "\" height=\"" + high + "\"" + paint("fill", frame.background) + "/>\n";
        for (const Surface& surface : frame.surfaces)
            svg += "<rect" + box(surface.rect.x, surface.rect.y, surface.rect.width, surface.rect.height) +
                   paint("fill", surface.colour) + "/>\n";
        return svg + body_ + "</svg>\n";
    }

  private:
    static std::string box(float x, float y, float width, float height) {
        return attribute("x", px(x)) + attribute("y", px(y)) + attribute("width", px(width)) +
               attribute("height", px(height));
    }

    std::string clip_of(const DrawnBox& clip) {
        const std::string shape =
            "<rect" + box(clip.left, clip.top, std::max(clip.width(), 0.0f), std::max(clip.height(), 0.0f)) +
            "/>";
        const auto [at, is_new] = clips_.emplace(shape, id_ + "c" + std::to_string(clips_.size()));
        if (is_new) defs_ += "<clipPath id=\"" + at->second + "\">" + shape + "</clipPath>\n";
        return at->second;
    }

    std::string gradient(const Polygon& polygon, ImU32 from) {
        const std::string name = id_ + "g" + std::to_string(gradients_++);
        defs_ += "<linearGradient id=\"" + name + "\"" +
                 (polygon.downwards ? " x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"" : "") + "><stop" +
                 paint("stop-color", from) + "/><stop offset=\"1\"" + paint("stop-color", polygon.to) +
                 "/></linearGradient>\n";
        return "url(#" + name + ")";
    }

    void add(const Polygon& polygon, ImU32 colour, const std::string& clip) {
        const std::string fill =
            polygon.to == colour ? paint("fill", colour) : attribute("fill", gradient(polygon, colour));
        const std::vector<ImVec2>& at = polygon.corners;
        const bool upright = at.size() == 4 && at[0].y == at[1].y && at[1].x == at[2].x &&
                             at[2].y == at[3].y && at[3].x == at[0].x;
        body_ += upright ? "<rect" + box(std::min(at[0].x, at[2].x), std::min(at[0].y, at[2].y),
                                         std::abs(at[2].x - at[0].x), std::abs(at[2].y - at[0].y))
                         : "<polygon" + attribute("points", points(at));
        body_ += fill + clip + "/>\n";
    }

    void add(const Line& line, ImU32 colour, const std::string& clip) {
        body_ += std::string(line.closed ? "<polygon" : "<polyline") +
                 attribute("points", points(line.points)) + " fill=\"none\"" + paint("stroke", colour) +
                 attribute("stroke-width", px(line.width)) + " stroke-linejoin=\"round\"" + clip + "/>\n";
    }

    void add(const Words& words, ImU32 colour, const std::string& clip) {
        body_ += "<text" + attribute("x", px(words.begin.x)) + attribute("y", px(words.begin.y)) +
                 attribute("font-family", "'" + std::string(words.face.family) + "', " +
                                              (words.face.monospaced ? "monospace" : "sans-serif")) +
                 (words.face.weight != 400 ? attribute("font-weight", std::to_string(words.face.weight))
                                           : std::string()) +
                 attribute("font-size", px(words.size)) + attribute("textLength", px(words.width)) +
                 " lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\"" + paint("fill", colour) + clip +
                 ">" + escaped(words.text) + "</text>\n";
    }

    Result<void> add(const Raster& raster, const std::string& clip) {
        const Result<std::string> png = image::encode_png(raster.pixels, image::Content::drawing);
        if (!png) return png.diagnostics();
        body_ += "<image" + box(raster.box.left, raster.box.top, raster.box.width(), raster.box.height()) +
                 clip + " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"" +
                 attribute("href", "data:image/png;base64," + base64(*png)) + "/>\n";
        return {};
    }

    std::string id_;
    std::string defs_, body_;
    std::map<std::string, std::string> clips_;  // a rectangle's element, and its name
    int gradients_ = 0;
};

// --- Fonts -------------------------------------------------------------------------------------------------

void put(std::string& bytes, std::uint32_t value, int count = 4) {
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8)
        bytes += char(value >> shift & 255);
}

std::uint32_t number_at(const std::string& bytes, std::size_t at, int count = 4) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i)
        value =
            value << 8 | (at + std::size_t(i) < bytes.size() ? std::uint8_t(bytes[at + std::size_t(i)]) : 0);
    return value;
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(uLong(bytes.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), uLong(bytes.size()), 9) != Z_OK ||
        size >= bytes.size())
        return bytes;  // WOFF then holds the table as it is
    packed.resize(size);
    return packed;
}

// Returns a TrueType or OpenType font as WOFF 1.0 (W3C, https://www.w3.org/TR/WOFF/), without the tables that
// place letters: each text has its width already.
std::string woff_of(const std::string& font) {
    struct Table {
        std::string tag, packed;
        std::uint32_t size = 0, checksum = 0;
    };
    std::vector<Table> tables;
    std::uint32_t total = 12, offset = 0;
    for (std::uint32_t i = 0; i < number_at(font, 4, 2); ++i) {
        const std::size_t row = 12 + 16 * std::size_t(i);
        const std::string tag = font.substr(std::min(row, font.size()), 4);
        if (tag == "GSUB" || tag == "GPOS" || tag == "GDEF" || tag == "DSIG") continue;
        const std::uint32_t at = number_at(font, row + 8), size = number_at(font, row + 12);
        if (at > font.size() || size > font.size() - at) continue;
        tables.push_back({tag, deflated(font.substr(at, size)), size, number_at(font, row + 4)});
        total += 16 + (size + 3) / 4 * 4;
    }
    offset = 44 + 20 * std::uint32_t(tables.size());
    std::string directory, data;
    for (const Table& table : tables) {
        directory += table.tag;
        put(directory, offset + std::uint32_t(data.size()));
        put(directory, std::uint32_t(table.packed.size()));
        put(directory, table.size);
        put(directory, table.checksum);
        data += table.packed;
        data.resize((data.size() + 3) / 4 * 4);
    }
    std::string woff = "wOFF" + font.substr(0, 4);
    put(woff, offset + std::uint32_t(data.size()));
    put(woff, std::uint32_t(tables.size()), 2);
    put(woff, 0, 2);
    put(woff, total);
    for (int i = 0; i < 6; ++i)
        put(woff, i == 0 ? 1 << 16 : 0);  // version 1.0; neither metadata nor private data
    return woff + directory + data;
}

}  // namespace

Result<std::string> svg_of(const VectorFrame& frame, const std::string& id) {
    SvgWriter writer(id);
    for (const Shape& shape : frame.shapes)
        if (Result<void> added = writer.add(shape); !added) return added.diagnostics();
    return writer.take(frame);
}

Result<std::string> font_rules(const std::vector<VectorFrame>& frames) {
    std::map<std::filesystem::path, Typeface> faces;
    for (const VectorFrame& frame : frames)
        for (const Shape& shape : frame.shapes)
            if (const auto* words = std::get_if<Words>(&shape.form); words && !words->face.file.empty())
                faces.emplace(words->face.file, words->face);
    std::string rules;
    for (const auto& [file, face] : faces) {
        const Result<std::string> font = read_file(file);
        if (!font) return font.diagnostics();
        rules += "@font-face{font-family:'" + std::string(face.family) +
                 "';font-weight:" + std::to_string(face.weight) + ";src:url(data:font/woff;base64," +
                 base64(woff_of(*font)) + ") format('woff')}\n";
    }
    return rules;
}

Result<std::string> svg_file(const VectorFrame& frame) {
    Result<std::string> svg = svg_of(frame, "p");
    if (!svg) return svg;
    const Result<std::string> rules = font_rules({frame});
    if (!rules) return rules;
    svg->insert(svg->find('\n') + 1, "<style>\n" + *rules + "</style>\n");
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + *svg;
}

}  // namespace lanescope::ui
