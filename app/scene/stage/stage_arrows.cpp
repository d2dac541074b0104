#include "scene/stage/stage_arrows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::scene {

namespace {

constexpr std::size_t dense_links = 9;         // parallel links from this many on become one wide arrow
constexpr std::size_t crossing_arcs = 5;       // arcs that cross each other this often become a bracket
constexpr std::size_t bright_curves = 12;      // more single curves than this are drawn faint
constexpr std::size_t max_curves = 40;         // more single curves between two arrays become one wide arrow
constexpr std::size_t max_matrix_curves = 12;  // the same for matrices, where curves cross other cells
constexpr std::size_t max_bar_curves = 256;    // the same for bars, where curves cross no values
constexpr std::size_t max_bands = 8;           // more wide arrows become one wide arrow

using LinkGroup = std::vector<Link>;

class ArrowMaker {
  public:
    explicit ArrowMaker(std::span<const RowShape> shapes) : shapes_(shapes) {}

    void group(const LinkGroup& links) {
        if (shape_of(links[0].to).bars && links[0].from.array != links[0].to.array && !of_one_offset(links)) {
            singles(links, Arrow::Shape::curve, false);
            return;
        }
        if (rows_apart(links) && links.size() >= dense_links && dense(links)) {
            wide(links, Arrow::Shape::band);
            return;
        }
        std::map<std::pair<std::uint64_t, std::uint64_t>, LinkGroup> by_rows;
        for (const Link& link : links)
            by_rows[{row(link.from), row(link.to)}].push_back(link);
        for (const auto& [rows, part] : by_rows) {
            if (part[0].from.array == part[0].to.array && rows.first == rows.second) {
                arcs_of_row(part);
            } else if (part.size() >= dense_links && dense(part)) {
                wide(part, Arrow::Shape::band);
            } else {
                singles(part, Arrow::Shape::curve, false);
            }
        }
    }

    // The arrows of all groups between two arrays.
    ArrowSet finish() {
        const std::size_t curves = std::count_if(set_.arrows.begin(), set_.arrows.end(), is_curve);
        if (curves > bright_curves)
            for (Arrow& arrow : set_.arrows)
                if (is_curve(arrow)) arrow.faint = true;
        return std::move(set_);
    }

    bool too_many(const Link& example) const {
        const bool matrix = shape_of(example.from).matrix || shape_of(example.to).matrix;
        const std::size_t curves = std::count_if(set_.arrows.begin(), set_.arrows.end(), is_curve);
        const std::size_t bands = std::count_if(set_.arrows.begin(), set_.arrows.end(),
                                                [](const Arrow& a) { return a.shape == Arrow::Shape::band; });
        const std::size_t most = shape_of(example.to).bars ? max_bar_curves
                                 : matrix                  ? max_matrix_curves
                                                           : max_curves;
        return curves > most || bands > max_bands;
    }

    void replace_by_band(const LinkGroup& links) {
        set_ = {};
        if (links[0].from.array != links[0].to.array) wide(links, Arrow::Shape::band);
    }

    static bool is_curve(const Arrow& arrow) { return arrow.shape == Arrow::Shape::curve; }

  private:
    RowShape shape_of(const CellRef& cell) const {
        return cell.array < shapes_.size() ? shapes_[cell.array] : RowShape{1};
    }
    std::uint64_t columns_of(const CellRef& cell) const {
        return std::max<std::uint64_t>(1, shape_of(cell).columns);
    }
    std::uint64_t row(const CellRef& cell) const {
        return (cell.index + shape_of(cell).lead) / columns_of(cell);
    }
    std::uint64_t column(const CellRef& cell) const {
        return (cell.index + shape_of(cell).lead) % columns_of(cell);
    }
    CellBox box(const CellRef& cell) const {
        return {cell.array, row(cell), row(cell), column(cell), column(cell)};
    }

    // Whether all sources lie above or below all destinations, so that one wide arrow between them crosses
    // none of their cells.
    bool rows_apart(const LinkGroup& links) const {
        if (links[0].from.array != links[0].to.array) return true;
        std::uint64_t from_low = ~0ull, from_high = 0, to_low = ~0ull, to_high = 0;
        for (const Link& link : links) {
            from_low = std::min(from_low, row(link.from));
            from_high = std::max(from_high, row(link.from));
            to_low = std::min(to_low, row(link.to));
            to_high = std::max(to_high, row(link.to));
        }
        return from_high < to_low || to_high < from_low;
    }

    static bool of_one_offset(const LinkGroup& links) {
        return std::all_of(links.begin(), links.end(), [&](const Link& link) {
            return link.to.index - link.from.index == links[0].to.index - links[0].from.index;
        });
    }

    // Whether most cells between the first and the last source take part.
    static bool dense(const LinkGroup& links) {
        const std::uint64_t range = links.back().from.index - links.front().from.index + 1;
        return links.size() * 2 > range;
    }

    void arcs_of_row(const LinkGroup& links) {
        std::vector<ColumnArc> arcs;
        for (const Link& link : links)
            arcs.push_back({static_cast<std::int64_t>(column(link.from)),
                            static_cast<std::int64_t>(column(link.to)), link.thread, link.conflict});
        if (busiest_crossing(arcs) >= crossing_arcs && dense(links)) {
            wide(links, Arrow::Shape::bracket);
        } else {
            singles(links, Arrow::Shape::arc, busiest_crossing(arcs) > 2);
        }
    }

    void singles(const LinkGroup& links, Arrow::Shape shape, bool faint) {
        for (const Link& link : links) {
            Arrow arrow{shape, box(link.from), box(link.to), link.thread, link.thread,
                        1,     link.conflict,  faint};
            set_.arrows.push_back(arrow);
        }
    }

    void wide(const LinkGroup& links, Arrow::Shape shape) {
        Arrow arrow{shape, box(links[0].from), box(links[0].to), links[0].thread, links[0].thread, 0, false,
                    false};
        const bool rows = row(links.front().from) != row(links.back().from);
        if (rows && links[0].from.array == links[0].to.array)
            arrow.cells_apart = static_cast<std::int64_t>(links[0].from.index - links[0].to.index);
        for (const Link& link : links) {
            arrow.from.include(row(link.from), column(link.from));
            arrow.to.include(row(link.to), column(link.to));
            arrow.first_thread = std::min(arrow.first_thread, link.thread);
            arrow.last_thread = std::max(arrow.last_thread, link.thread);
            arrow.conflict |= link.conflict;
            ++arrow.count;
        }
        set_.arrows.push_back(arrow);
    }

    std::span<const RowShape> shapes_;
    ArrowSet set_;
};

}  // namespace

void CellBox::include(std::uint64_t row, std::uint64_t column) {
    first_row = std::min(first_row, row);
    last_row = std::max(last_row, row);
    first_column = std::min(first_column, column);
    last_column = std::max(last_column, column);
}

std::string Arrow::label() const {
    if (count == 1) return "t" + std::to_string(first_thread);
    if (cells_apart != 0)
        return "cell i" + std::string(cells_apart > 0 ? " + " : " − ") +
               std::to_string(cells_apart > 0 ? cells_apart : -cells_apart) + " → cell i";
    if (last_thread - first_thread + 1 == count)
        return "t" + std::to_string(first_thread) + "…t" + std::to_string(last_thread);
    return std::to_string(count) + " values";
}

std::size_t busiest_crossing(std::span<const ColumnArc> arcs) {
    std::vector<std::pair<std::int64_t, int>> ends;
    for (const ColumnArc& arc : arcs) {
        ends.emplace_back(std::min(arc.from, arc.to), 1);
        ends.emplace_back(std::max(arc.from, arc.to), -1);
    }
    // At one column, arcs that end there are closed before others begin: they only touch.
    std::sort(ends.begin(), ends.end());
    std::int64_t open = 0, most = 0;
    for (const auto& [column, change] : ends) {
        open += change;
        most = std::max(most, open);
    }
    return static_cast<std::size_t>(most);
}

namespace {

// All links between two arrays.
ArrowSet arrows_of_pair(const LinkGroup& links, std::span<const RowShape> shapes) {
    std::map<std::int64_t, LinkGroup> by_offset;
    for (const Link& link : links)
        by_offset[static_cast<std::int64_t>(link.to.index - link.from.index)].push_back(link);
    ArrowMaker maker(shapes);
    for (const auto& [offset, group] : by_offset)
        maker.group(group);
    if (!maker.too_many(links[0])) return maker.finish();
    maker.replace_by_band(links);
    ArrowSet set = maker.finish();
    set.left_out = true;
    return set;
}

}  // namespace

ArrowSet make_arrows(std::span<const Link> links, std::span<const RowShape> shapes) {
    // Links are ascending by source, so every group is too.
    std::map<std::pair<std::uint32_t, std::uint32_t>, LinkGroup> pairs;
    for (const Link& link : links)
        pairs[{link.from.array, link.to.array}].push_back(link);
    ArrowSet all;
    for (const auto& [arrays, group] : pairs) {
        const ArrowSet set = arrows_of_pair(group, shapes);
        all.arrows.insert(all.arrows.end(), set.arrows.begin(), set.arrows.end());
        all.left_out |= set.left_out;
    }
    return all;
}

std::vector<bool> labels_that_fit(std::span<const float> centres, std::span<const float> widths, float gap) {
    std::vector<bool> kept(centres.size(), false);
    float free_from = -1e30f;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const float left = centres[i] - widths[i] / 2;
        if (left < free_from) continue;
        kept[i] = true;
        free_from = left + widths[i] + gap;
    }
    return kept;
}

}  // namespace lanescope::scene
