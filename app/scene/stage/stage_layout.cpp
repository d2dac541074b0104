#include "scene/stage/stage_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scene/stage/array_planner.h"

namespace lanescope::scene {

std::uint64_t follow_window(std::uint64_t current, std::uint64_t shown_rows, std::uint64_t rows,
                            std::uint64_t first_marked, std::uint64_t last_marked) {
    const std::uint64_t furthest = rows > shown_rows ? rows - shown_rows : 0;
    current = std::min(current, furthest);
    if (first_marked >= current && last_marked < current + shown_rows) return current;
    if (last_marked - first_marked >= shown_rows || first_marked < current)
        return std::min(first_marked, furthest);
    return std::min(last_marked + 1 - shown_rows, furthest);
}

float ArrayPlan::row_y(std::uint64_t row) const {
    const std::uint64_t last = first_row + std::max<std::uint64_t>(shown_rows, 1) - 1;
    return y + static_cast<float>(std::clamp(row, first_row, last) - first_row) * pitch_y;
}

float ArrayPlan::column_x(double column) const {
    const double inside =
        std::clamp(column - static_cast<double>(first_column), 0.0, static_cast<double>(shown_columns));
    return x + static_cast<float>(inside) * pitch_x;
}

bool ArrayPlan::shows(std::uint64_t index) const {
    const std::uint64_t column = column_of(index);
    return shows_row(row_of(index)) && column >= first_column && column < first_column + shown_columns;
}

std::optional<CellRef> StageLayout::hit(float x, float y) const {
    for (const ArrayPlan& plan : plans) {
        if (plan.pitch_x <= 0 || plan.pitch_y <= 0) continue;
        const float row = std::floor((y - plan.y) / plan.pitch_y),
                    column = std::floor((x - plan.x) / plan.pitch_x);
        if (row < 0 || row >= static_cast<float>(plan.shown_rows)) continue;
        if (column < 0 || column >= static_cast<float>(plan.shown_columns)) continue;
        if (y - plan.y - row * plan.pitch_y > plan.cell_height) continue;
        const std::uint64_t index = plan.index_at(plan.first_row + static_cast<std::uint64_t>(row),
                                                  plan.first_column + static_cast<std::uint64_t>(column));
        if (index > plan.rows * plan.columns) continue;  // a free place before the first cell
        return CellRef{plan.array, index};
    }
    return {};
}

namespace {

constexpr float flow_gap_px = 26;            // between matrices side by side, at least
constexpr float widest_flow_gap_px = 130;    // and at most, where the panel is wider than they are
constexpr float stack_gap_px = 12;           // between one below the other
constexpr float widest_label_px = 190;       // of a name above its cells
constexpr float label_character_px = 7;      // about
constexpr float windowed_unit_px = 6;        // of a matrix that never fits
constexpr float windowed_room = 0.25f;       // of the width, for its part beside small matrices
constexpr std::uint64_t least_rows = 2;      // of an array that the block only reads
constexpr std::uint64_t least_own_rows = 8;  // of one that it writes

// Where the next matrix or bars may stand: below the last one, right of it, or in a new row.
struct Shelf {
    bool open = false;
    int number = 0;  // from 1
    int columns = 0;
    float top = 0, bottom = 0;
    float column_x = 0, column_right = 0, column_bottom = 0;
};

// How matrices and bars may stand.
struct Arrangement {
    bool bars_beside = false;   // else one below the other
    bool tall_columns = false;  // one below the other even where this makes a row of the stage higher
};

class Placer {
  public:
    Placer(const ArrayPlanner& planner, std::span<const StageArray> arrays, const LayoutFrame& frame,
           const Arrangement& arrangement)
        : planner_(planner), arrays_(arrays), frame_(frame), arrangement_(arrangement) {
        for (const StageArray& array : arrays)
            label_px_.push_back(std::min(widest_label_px,
                                         label_character_px * static_cast<float>(array.symbol->name.size() +
                                                                                 array.detail().size() + 9)));
    }

    // Returns whether all arrays are as wide as the panel at most.
    bool place(StageLayout& layout, float roominess) const {
        const StageAir air = stage_air(roominess, frame_.scale);
        float bottom = 12 * frame_.scale - air.array;
        Shelf shelf;
        bool fits = true;
        const ArrayPlan* before = nullptr;
        std::vector<Slot> slots;
        for (ArrayPlan& plan : layout.plans) {
            const bool after_line = before != nullptr && before->form == Form::line;
            plan.joined = plan.form == Form::line && after_line;
            before = &plan;
            if (plan.joined) {
                plan.top = plan.y = (&plan)[-1].top;
                plan.bottom = bottom;
                continue;
            }
            if (plan.flows) {
                fits &= put(plan, shelf, bottom + air.array, air);
                bottom = std::max(bottom, shelf.bottom);
                slots.push_back({&plan, shelf.number, shelf.columns - 1, shelf.column_right});
                continue;
            }
            shelf.open = false;
            const float gap = plan.form == Form::line ? 0 : air.array;
            planner_.place(plan, arrays_[plan.array], bottom + gap, air);
            bottom = plan.bottom;
        }
        spread(slots);
        layout.legend_y = bottom + air.array / 2;
        layout.height = bottom;
        return fits;
    }

  private:
    // A matrix or bars with their place on a shelf.
    struct Slot {
        ArrayPlan* plan;
        int shelf, column;
        float right;
    };

    // Arrays side by side move apart where the panel has room, so that arrows between them are seen.
    void spread(std::span<const Slot> slots) const {
        for (std::size_t begin = 0, end = 0; begin < slots.size(); begin = end) {
            float right = 0;
            int columns = 0;
            for (; end < slots.size() && slots[end].shelf == slots[begin].shelf; ++end) {
                right = std::max(right, slots[end].right);
                columns = std::max(columns, slots[end].column);
            }
            const float free = planner_.flow_left() + planner_.flow_width() - right;
            if (columns == 0 || free <= 0) continue;
            const float more = std::floor(std::min(free / static_cast<float>(columns),
                                                   (widest_flow_gap_px - flow_gap_px) * frame_.scale));
            for (std::size_t i = begin; i < end; ++i) {
                slots[i].plan->x += more * static_cast<float>(slots[i].column);
                slots[i].plan->label_x += more * static_cast<float>(slots[i].column);
            }
        }
    }

    bool put(ArrayPlan& plan, Shelf& shelf, float new_top, const StageAir& air) const {
        const float right = planner_.flow_left() + planner_.flow_width() + 4 * frame_.scale;
        const float width = std::max(plan.outer_width(), label_px_[plan.array] * frame_.scale);
        const float gap = flow_gap_px * frame_.scale;
        const auto at = [&](float x, float top) {
            plan.label_x = x;
            plan.x = x + static_cast<float>(plan.border.left) * plan.pitch_x;
            planner_.place(plan, arrays_[plan.array], top, air);
        };
        at(shelf.column_x, shelf.column_bottom + stack_gap_px * frame_.scale);
        const float lowest =
            arrangement_.tall_columns ? std::max(shelf.bottom, frame_.panel_height) : shelf.bottom;
        if (shelf.open && plan.bottom <= lowest && shelf.column_x + width <= right) {
            shelf.column_right = std::max(shelf.column_right, shelf.column_x + width);
        } else if (shelf.open && shelf.column_right + gap + width <= right) {
            at(shelf.column_right + gap, shelf.top);
            shelf.column_x = plan.label_x;
            shelf.column_right = plan.label_x + width;
            ++shelf.columns;
        } else {
            at(planner_.flow_left(), new_top);
            shelf = {true, shelf.number + 1, 1, new_top, plan.bottom, plan.label_x, plan.label_x + width, 0};
        }
        shelf.column_bottom = plan.bottom;
        shelf.bottom = std::max(shelf.bottom, plan.bottom);
        return plan.outer_width() <= planner_.flow_width() + 4 * frame_.scale;
    }

    const ArrayPlanner& planner_;
    std::span<const StageArray> arrays_;
    const LayoutFrame& frame_;
    Arrangement arrangement_;
    std::vector<float> label_px_;
};

// Chooses the sizes with which all arrays are in sight.
class Arranger {
  public:
    Arranger(std::span<const StageArray> arrays, std::span<const ArrayHint> hints, const LayoutFrame& frame)
        : arrays_(arrays), hints_(hints), frame_(frame), planner_(frame), sizes_(arrays.size()) {
        touched_ = std::any_of(arrays.begin(), arrays.end(),
                               [](const StageArray& array) { return array.use.touched(); });
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            sizes_[i].unit_px = smallest_unit_px;
            if (arrays[i].flows() && !collapsed(arrays[i], touched_)) flowing_.push_back(i);
            bars_ |= arrays[i].view == ArrayView::bars;
            copies_ |= !arrays[i].copies.empty();
        }
        find_windowed();
    }

    void choose() {
        arrange({});
        if (flowing_.empty()) return;
        if (bars_ && !copies_ && flowing_.size() > 1 && smallest() < readable_unit_px - 2)
            try_other({.bars_beside = true, .tall_columns = false});
        if (flowing_.size() > 2) try_other({.bars_beside = arrangement_.bars_beside, .tall_columns = true});
    }

    StageLayout plans(const ArrayPlanner& planner) const {
        StageLayout layout;
        for (std::uint32_t i = 0; i < arrays_.size(); ++i) {
            if (collapsed(arrays_[i], touched_)) {
                ArrayPlan line;
                line.array = i;
                line.form = Form::line;
                line.x = line.label_x = frame_.grid.label_x;
                layout.plans.push_back(line);
            } else {
                layout.plans.push_back(planner.plan(arrays_[i], hints_[i], i, sizes_[i]));
            }
        }
        return layout;
    }

    const Arrangement& arrangement() const { return arrangement_; }

  private:
    void arrange(const Arrangement& arrangement) {
        arrangement_ = arrangement;
        for (const std::size_t i : flowing_)
            sizes_[i].beside = arrangement.bars_beside;
        fold_rows();
        grow_together();
        grow_alone();
    }

    void try_other(const Arrangement& arrangement) {
        const float before = score();
        const std::vector<ArraySize> sizes = sizes_;
        const Arrangement usual = arrangement_;
        arrange(arrangement);
        if (score() > before) return;
        sizes_ = sizes;
        arrangement_ = usual;
    }

    // Larger cells are better, and cells with values much better.
    float score() const {
        constexpr float with_values = 12;
        float sum = 0;
        const StageLayout layout = plans(planner_);
        for (const std::size_t i : flowing_)
            sum += std::min(sizes_[i].unit_px, 40.0f) + (layout.plans[i].text.size < 0 ? 0 : with_values);
        return sum;
    }

    float smallest() const {
        float unit = largest_unit_px;
        for (const std::size_t i : flowing_)
            unit = std::min(unit, sizes_[i].unit_px);
        return unit;
    }

    bool fits() const {
        StageLayout layout = plans(planner_);
        const bool wide = Placer(planner_, arrays_, frame_, arrangement_).place(layout, 0);
        for (const std::size_t i : flowing_)
            if (!windowed_[i] &&
                (layout.plans[i].folded() || layout.plans[i].shown_columns < layout.plans[i].columns))
                return false;
        return wide && layout.height <= frame_.panel_height;
    }

    // Matrices that are too large even with the smallest cells show a part.
    void find_windowed() {
        windowed_.assign(arrays_.size(), false);
        for (const std::size_t i : flowing_) {
            const ArrayPlan plan =
                planner_.plan(arrays_[i], hints_[i], static_cast<std::uint32_t>(i), {3, 0, true});
            windowed_[i] = plan.folded() || plan.shown_columns < plan.columns;
        }
        // Beside small ones, such as a mask and a tile, a part is enough.
        const bool small = std::any_of(flowing_.begin(), flowing_.end(), [&](std::size_t i) {
            return !windowed_[i] && arrays_[i].is_matrix();
        });
        for (const std::size_t i : flowing_)
            sizes_[i].room = windowed_[i] && small ? windowed_room : 1;
    }

    void set_units(float unit) {
        for (const std::size_t i : flowing_)
            sizes_[i].unit_px = std::min(unit, windowed_[i] ? windowed_unit_px : most_units(i));
    }

    float most_units(std::size_t array) const {
        return arrays_[array].view == ArrayView::bars ? 44 : largest_unit_px;
    }

    // Folds the longest arrays in rows of lanes until the others have room.
    void fold_rows() {
        for (ArraySize& size : sizes_)
            size.rows = 0;
        set_units(readable_unit_px);
        const StageLayout layout = plans(planner_);
        for (std::size_t i = 0; i < arrays_.size(); ++i)
            sizes_[i].rows = arrays_[i].flows() ? 0 : std::max<std::uint64_t>(1, layout.plans[i].shown_rows);
        while (!fits()) {
            const auto longest = longest_foldable();
            if (!longest) break;
            --sizes_[*longest].rows;
        }
    }

    // First what the block only reads, then what it writes.
    std::optional<std::size_t> longest_foldable() const {
        for (const bool written : {false, true}) {
            std::optional<std::size_t> longest;
            for (std::size_t i = 0; i < arrays_.size(); ++i) {
                const ArrayUse& use = arrays_[i].use;
                if ((use.stored || use.updated) != written) continue;
                if (sizes_[i].rows <= (written ? least_own_rows : least_rows)) continue;
                if (!longest || sizes_[i].rows > sizes_[*longest].rows) longest = i;
            }
            if (longest) return longest;
        }
        return {};
    }

    // Neighbours have cells of one size, so that they can be compared.
    void grow_together() {
        for (float unit = largest_unit_px; unit > smallest_unit_px; unit -= 1) {
            set_units(unit);
            if (fits()) return;
        }
        set_units(3);
    }

    // Then each takes what the others leave; arrays of one shape keep one size, transposed or not.
    void grow_alone() {
        std::vector<std::size_t> open = flowing_;
        std::stable_sort(open.begin(), open.end(),
                         [&](std::size_t a, std::size_t b) { return arrays_[a].count > arrays_[b].count; });
        while (!open.empty()) {
            const StageArray& shape = arrays_[open.front()];
            std::vector<std::size_t> group;
            std::erase_if(open, [&](std::size_t i) {
                const bool same = arrays_[i].count == shape.count && arrays_[i].view == shape.view;
                if (same) group.push_back(i);
                return same;
            });
            grow(group);
        }
    }

    void grow(const std::vector<std::size_t>& group) {
        const float least = sizes_[group[0]].unit_px;
        const float most = std::min(most_units(group[0]), std::max(32.0f, 1.6f * least));
        if (windowed_[group[0]]) return;
        for (float unit = most; unit > least; unit -= 1) {
            for (const std::size_t i : group)
                sizes_[i].unit_px = unit;
            if (fits()) return;
        }
        for (const std::size_t i : group)
            sizes_[i].unit_px = least;
    }

    std::span<const StageArray> arrays_;
    std::span<const ArrayHint> hints_;
    const LayoutFrame& frame_;
    ArrayPlanner planner_;
    std::vector<ArraySize> sizes_;
    std::vector<std::size_t> flowing_;
    std::vector<bool> windowed_;
    Arrangement arrangement_;
    bool touched_ = false, bars_ = false, copies_ = false;
};

// Zooming makes arrays larger or smaller; it does not rearrange them.
LayoutFrame unzoomed(LayoutFrame frame) {
    const float gap = frame.grid.pitch - frame.grid.cell;
    frame.grid.pitch /= frame.person_zoom();
    frame.grid.cell = frame.grid.pitch - gap;
    frame.zoom = frame.fit;
    return frame;
}

}  // namespace

StageLayout make_layout(std::span<const StageArray> arrays, std::span<const ArrayHint> hints,
                        const LayoutFrame& frame) {
    const LayoutFrame plain = unzoomed(frame);
    Arranger arranger(arrays, hints, plain);
    arranger.choose();
    const ArrayPlanner planner(frame);
    StageLayout layout = arranger.plans(planner);
    const Placer placer(planner, arrays, frame, arranger.arrangement());
    placer.place(layout, 1);
    const float roomy = layout.height;
    placer.place(layout, 0);
    const float narrow = layout.height;
    const float share = roomy > narrow ? (frame.panel_height - narrow) / (roomy - narrow) : 0;
    placer.place(layout, std::clamp(share, 0.0f, 1.0f));
    return layout;
}

}  // namespace lanescope::scene
