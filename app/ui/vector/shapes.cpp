#include "ui/vector/shapes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "render/texture.h"

namespace lanescope::ui {
namespace {

constexpr float same_px = 0.02f;

bool same(const ImVec2& a, const ImVec2& b) {
    return std::abs(a.x - b.x) < same_px && std::abs(a.y - b.y) < same_px;
}

ImVec2 middle(const ImVec2& a, const ImVec2& b) {
    return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

float distance(const ImVec2& a, const ImVec2& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

bool reaches_out(const DrawnBox& box, const DrawnBox& clip) {
    return box.left < clip.left - 0.5f || box.top < clip.top - 0.5f || box.right > clip.right + 0.5f ||
           box.bottom > clip.bottom + 0.5f;
}

// The part of the texture between two corners in texture coordinates, which may be upside down.
image::Image part_of(const image::Image& texture, const ImVec2& from, const ImVec2& to) {
    const auto place = [](float share, std::uint32_t size) {
        return std::uint32_t(std::clamp(std::lround(share * float(size)), 0l, long(size)));
    };
    const std::uint32_t left = place(std::min(from.x, to.x), texture.width),
                        top = place(std::min(from.y, to.y), texture.height);
    const std::uint32_t right = std::max(place(std::max(from.x, to.x), texture.width), left + 1),
                        bottom = std::max(place(std::max(from.y, to.y), texture.height), top + 1);
    image::Image part{{right - left, bottom - top, texture.channels, texture.bits}, {}};
    for (std::uint32_t y = 0; y < part.height; ++y) {
        const std::uint32_t row = std::min(to.y < from.y ? bottom - 1 - y : top + y, texture.height - 1);
        const auto begin =
            texture.samples.begin() +
            std::ptrdiff_t((std::size_t(row) * texture.width + std::min(left, texture.width - 1)) *
                           texture.channels);
        part.samples.insert(part.samples.end(), begin,
                            begin + std::ptrdiff_t(std::size_t(part.width) * texture.channels));
    }
    return part;
}

// The vertices of a figure, or of the whole polygon whose pieces follow each other.
struct Vertices {
    int first = 0, end = 0;
};

Vertices vertices_of(const ImDrawList& list, const DrawnFigure& figure) {
    int low = INT32_MAX, high = 0;
    for (int i = figure.first_index; i < figure.end_index; ++i) {
        low = std::min(low, figure.vertex_offset + int(list.IdxBuffer[i]));
        high = std::max(high, figure.vertex_offset + int(list.IdxBuffer[i]));
    }
    return {low, high + 1};
}

class Reader {
  public:
    explicit Reader(const ImDrawList& list) : list_(list) {}

    void add(const DrawnText& text) {
        end_polygon();
        const Typeface face = typeface_of(text.font);
        Words words{text.text, face, (text.line.bottom - text.line.top) / face.line_box_em, {}, 0};
        words.begin = {text.line.left, text.line.top + ascent(text.font)};
        words.width = text.line.width();
        shapes_.push_back({std::move(words), text.colour, text.clip, text.clipped});
    }

    void add(const DrawnFigure& figure) {
        const Vertices vertices = vertices_of(list_, figure);
        // Dear ImGui's fan of triangles is read in pieces, which share its first corner.
        if (pending_.end > pending_.first && vertices.first < pending_.end && vertices.end > pending_.first) {
            pending_ = {std::min(pending_.first, vertices.first), std::max(pending_.end, vertices.end)};
            return;
        }
        end_polygon();
        if (figure.kind == DrawnFigure::Kind::picture) {
            add_raster(figure, vertices);
            return;
        }
        pending_ = vertices, clip_ = figure.clip;
    }

    Result<std::vector<Shape>> take() {
        end_polygon();
        if (!problems_.empty()) return problems_;
        return std::move(shapes_);
    }

  private:
    static float ascent(const ImFont* font) {
#if IMGUI_VERSION_NUM < 19200
        return font->Ascent;
#else
        return font->LastBaked->Ascent;
#endif
    }

    const ImDrawVert& at(int vertex) const {
        return list_.VtxBuffer[vertex];
    }

    DrawnBox box_of(const Vertices& vertices) const {
        DrawnBox box{at(vertices.first).pos.x, at(vertices.first).pos.y, at(vertices.first).pos.x,
                     at(vertices.first).pos.y};
        for (int i = vertices.first; i < vertices.end; ++i)
            box.add(at(i).pos);
        return box;
    }

    void add_raster(const DrawnFigure& figure, const Vertices& vertices) {
        const Result<image::Image> texture = render::read_texture(figure.texture);
        if (!texture) {
            problems_ = texture.diagnostics();
            return;
        }
        Raster raster{part_of(*texture, at(vertices.first).uv, at(vertices.first + 2).uv), box_of(vertices)};
        const bool clipped = reaches_out(raster.box, figure.clip);
        shapes_.push_back({std::move(raster), at(vertices.first).col, figure.clip, clipped});
    }

    // A quad may be a piece of a line: from the middle of one short side to the middle of the other.
    bool continues_line(const Vertices& vertices, bool clipped) {
        if (vertices.end - vertices.first != 4) return false;
        const ImVec2 &a = at(vertices.first).pos, &b = at(vertices.first + 1).pos,
                     &c = at(vertices.first + 2).pos, &d = at(vertices.first + 3).pos;
        const float width = distance(a, d);
        const ImVec2 from = middle(a, d), to = middle(b, c);
        const bool goes_on = line_.end == vertices.first && at(vertices.first).col == line_.colour &&
                             std::abs(width - line_.width) < same_px && same(line_.to, from);
        if (goes_on) {
            Shape& shape = shapes_.back();
            shape.clipped |= clipped;
            if (!std::holds_alternative<Line>(shape.form))
                shape.form = Line{{line_.from, line_.to}, width, false};
            Line& line = std::get<Line>(shape.form);
            line.closed = same(line.points.front(), to) && line.points.size() > 2;
            if (!line.closed) line.points.push_back(to);
        }
        line_ = {vertices.end, at(vertices.first).col, width, from, to};
        return goes_on;
    }

    void end_polygon() {
        const Vertices vertices = std::exchange(pending_, {});
        if (vertices.end <= vertices.first) return;
        const bool clipped = reaches_out(box_of(vertices), clip_);
        if (continues_line(vertices, clipped)) return;
        Polygon polygon;
        for (int i = vertices.first; i < vertices.end; ++i)
            polygon.corners.push_back(at(i).pos);
        const ImU32 first = at(vertices.first).col;
        const bool quad = vertices.end - vertices.first == 4;
        polygon.to = quad ? at(vertices.first + 2).col : first;
        polygon.downwards = quad && at(vertices.first + 1).col == first;
        shapes_.push_back({std::move(polygon), first, clip_, clipped});
    }

    struct LastPiece {
        int end = -1;  // its last vertex and one
        ImU32 colour = 0;
        float width = 0;
        ImVec2 from, to;
    };

    const ImDrawList& list_;
    std::vector<Shape> shapes_;
    Diagnostics problems_;
    Vertices pending_;
    DrawnBox clip_;
    LastPiece line_;
};

}  // namespace

Result<std::vector<Shape>> shapes_of(const std::vector<DrawnPanel>& panels) {
    std::vector<Shape> shapes;
    for (const DrawnPanel& panel : panels) {
        Reader reader(*panel.list);
        for (const auto& item : panel.items)
            std::visit([&](const auto& each) { reader.add(each); }, item);
        Result<std::vector<Shape>> some = reader.take();
        if (!some) return some;
        std::move(some->begin(), some->end(), std::back_inserter(shapes));
    }
    return shapes;
}

}  // namespace lanescope::ui
