#include "scene/flow/flow_slots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lanescope::scene {

namespace {

// Columns from the figure's left edge, whatever the row's shift.
std::uint32_t place_in(const FlowFigure& figure, std::uint32_t row, std::uint32_t column) {
    return static_cast<std::uint32_t>(
        std::lround(static_cast<float>(column) + figure.rows[row].shift - figure.left));
}

std::uint32_t places_of(const FlowFigure& figure) {
    return static_cast<std::uint32_t>(std::lround(figure.right - figure.left)) + 1;
}

constexpr std::size_t most_looked_at = 200'000, few_results = 4;

float width_of(const FlowRoom& room, const std::vector<bool>& kept) {
    float width = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i])
            width += room.column(i);
        else if (i == 0 || kept[i - 1])  // one column alone does not fold
            width += i + 1 == kept.size() || kept[i + 1] ? room.column(i) : room.fold;
    }
    return width;
}

// Chooses the columns that stay.
class Chooser {
  public:
    Chooser(const FlowFigure& figure, const FlowRoom& room)
        : figure_(figure), room_(room), kept_(places_of(figure)) {
        float narrowest = room.fold;
        for (const float width : room.columns)
            narrowest = std::min(narrowest, width);
        most_ = static_cast<std::uint32_t>(std::max(1.0f, room.width / narrowest));
    }

    std::vector<bool> choose() {
        // The result's cell: the last that is written, in the last row that is used.
        std::uint32_t row = static_cast<std::uint32_t>(figure_.rows.size());
        while (row > 0 && figure_.rows[row - 1].cells.empty())
            --row;
        if (row > 0) {
            const std::uint32_t column = figure_.rows[row - 1].cells.back().column;
            keep(place_in(figure_, row - 1, column));
            if (figure_.rows[row - 1].cells.size() <= few_results)
                for (const FlowCell& cell : figure_.rows[row - 1].cells)
                    keep(place_in(figure_, row - 1, cell.column));
            keep_path(row - 1, column, Path::first_alone);
            keep_path(row - 1, column, Path::first);
            keep_path(row - 1, column, Path::same_column);
            keep_levels(row - 1, column);
        }
        // The first columns, before those of other arrays.
        std::vector<std::uint32_t> used;
        for (std::uint32_t at = 0; at < figure_.rows.size(); ++at)
            for (const FlowCell& cell : figure_.rows[at].cells)
                if (used.size() < most_looked_at || at == 0) used.push_back(rank(at, cell.column));
        std::sort(used.begin(), used.end());
        for (const std::uint32_t at : used)
            if (!keep(at % static_cast<std::uint32_t>(kept_.size()))) break;
        return std::move(kept_);
    }

  private:
    enum class Path { first_alone, first, same_column };

    // False: there is no room for it.
    bool keep(std::uint32_t at, float share = 1) {
        if (kept_[at]) return true;
        kept_[at] = true;
        if (width_of(room_, kept_) * share <= room_.width) return true;
        kept_[at] = false;
        return false;
    }

    // Columns of the array itself come first.
    std::uint32_t rank(std::uint32_t row, std::uint32_t column) const {
        return place_in(figure_, row, column) +
               (figure_.is_own(row) ? 0 : static_cast<std::uint32_t>(kept_.size()));
    }

    const FlowCell* writer(std::uint32_t& row, std::uint32_t column) const {
        while (row > figure_.first_own && figure_.is_own(row) && figure_.written(row, column) == nullptr)
            --row;
        return figure_.written(row, column);
    }

    // From the result up, a cell of every level: along the first operands, alone or with all that it was made
    // of, or along those of the same column.
    void keep_path(std::uint32_t row, std::uint32_t column, Path path) {
        for (unsigned depth = 0; depth < most_; ++depth) {
            const FlowCell* cell = writer(row, column);
            if (cell == nullptr || cell->first_edge == cell->end_edge) return;
            std::uint32_t next = cell->first_edge;
            for (std::uint32_t i = cell->first_edge; i < cell->end_edge; ++i) {
                if (path != Path::first_alone || i == next)
                    keep(place_in(figure_, figure_.edges[i].from_row, figure_.edges[i].from_column));
                if (path == Path::same_column && figure_.edges[i].from_column == column) next = i;
            }
            row = figure_.edges[next].from_row;
            column = figure_.edges[next].from_column;
        }
    }

    // All of what the result is made of, the last level first, in half of the room.
    void keep_levels(std::uint32_t row, std::uint32_t column) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> level{{row, column}};
        for (unsigned depth = 0; depth < 32 && !level.empty() && level.size() < most_; ++depth) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> next;
            for (auto [at, number] : level) {
                const FlowCell* cell = writer(at, number);
                if (cell == nullptr) continue;
                for (std::uint32_t i = cell->first_edge; i < cell->end_edge; ++i) {
                    const FlowEdge& edge = figure_.edges[i];
                    keep(place_in(figure_, edge.from_row, edge.from_column), 2);
                    next.emplace_back(edge.from_row, edge.from_column);
                }
            }
            std::sort(next.begin(), next.end());
            next.erase(std::unique(next.begin(), next.end()), next.end());
            level = std::move(next);
        }
    }

    const FlowFigure& figure_;
    const FlowRoom& room_;
    std::uint32_t most_;  // slots, about
    std::vector<bool> kept_;
};

}  // namespace

FlowSlots::FlowSlots(const FlowFigure& figure, const FlowRoom& room, const std::set<std::uint32_t>& opened)
    : figure_(&figure) {
    const std::vector<bool> all(places_of(figure), true);
    if (width_of(room, all) <= room.width) {
        fold(all);
    } else {
        std::vector<bool> kept = Chooser(figure, room).choose();
        fold(kept);
        for (const FlowSlot& slot : std::vector<FlowSlot>(slots_))
            if (slot.folded() && opened.lower_bound(slot.first) != opened.end() &&
                *opened.lower_bound(slot.first) < slot.first + slot.count)
                std::fill_n(kept.begin() + slot.first, slot.count, true);
        fold(kept);
    }
    place_cells();
    join_edges();
}

void FlowSlots::fold(const std::vector<bool>& kept) {
    slots_.clear();
    slot_of_.clear();
    for (std::uint32_t i = 0; i < kept.size();) {
        std::uint32_t end = i + 1;
        while (!kept[i] && end < kept.size() && !kept[end])
            ++end;
        slot_of_.insert(slot_of_.end(), end - i, count());
        slots_.push_back({i, end - i});
        i = end;
    }
}

void FlowSlots::place_cells() {
    items_.assign(figure_->rows.size(), {});
    for (std::uint32_t row = 0; row < figure_->rows.size(); ++row)
        for (std::uint32_t i = 0; i < figure_->rows[row].cells.size(); ++i) {
            const std::uint32_t slot = slot_of(row, figure_->rows[row].cells[i].column);
            if (items_[row].empty() || items_[row].back().slot != slot) {
                FlowItem& item = items_[row].emplace_back();
                item.slot = slot;
                item.first_cell = i;
            }
            items_[row].back().end_cell = i + 1;
            items_[row].back().used |= figure_->rows[row].cells[i].used;
        }
}

void FlowSlots::join_edges() {
    links_.clear();
    link_of_.assign(figure_->edges.size(), 0);
    for (std::uint32_t row = 0; row < items_.size(); ++row)
        for (FlowItem& item : items_[row]) {
            item.first_link = static_cast<std::uint32_t>(links_.size());
            std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> known;
            for (std::uint32_t i = item.first_cell; i < item.end_cell; ++i) {
                const FlowCell& cell = figure_->rows[row].cells[i];
                for (std::uint32_t number = cell.first_edge; number < cell.end_edge; ++number) {
                    const FlowEdge& edge = figure_->edges[number];
                    const std::uint32_t from = slot_of(edge.from_row, edge.from_column);
                    const auto [at, added] = known.try_emplace({edge.from_row, from, edge.copy},
                                                               static_cast<std::uint32_t>(links_.size()));
                    link_of_[number] = at->second;
                    if (added)
                        links_.push_back({edge.from_row, from, row, item.slot, 1, edge.copy});
                    else
                        ++links_[at->second].edges;
                    longest_link_ = std::max(longest_link_, row - edge.from_row);
                }
            }
            item.end_link = static_cast<std::uint32_t>(links_.size());
        }
}

std::uint32_t FlowSlots::slot_of(std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t at = place_in(*figure_, row, column);
    return slot_of_[std::min<std::size_t>(at, slot_of_.size() - 1)];
}

std::int64_t FlowSlots::column_in(std::uint32_t row, std::uint32_t slot) const {
    return std::int64_t{slots_[slot].first} + std::lround(figure_->left - figure_->rows[row].shift);
}

const FlowItem* FlowSlots::item(std::uint32_t row, std::uint32_t slot) const {
    const std::vector<FlowItem>& items = items_[row];
    const auto found =
        std::lower_bound(items.begin(), items.end(), slot,
                         [](const FlowItem& item, std::uint32_t wanted) { return item.slot < wanted; });
    return found == items.end() || found->slot != slot ? nullptr : &*found;
}

}  // namespace lanescope::scene
