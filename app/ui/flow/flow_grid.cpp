#include "ui/flow/flow_grid.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "scene/words/cell_text.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float title_width = 148, title_share = 0.24f, margin = 18, numbers_height = 20;
constexpr float largest_column = 96, least_row = 26, largest_row = 112, largest_cell_height = 52;
constexpr float largest_zoom = 60;
constexpr float unplaced = -1e30f;
constexpr float share_of_column = 0.84f, share_of_narrow = 0.92f;  // that a cell takes
constexpr float few_slots = 8;  // with fewer ones of one width, each gets its own
constexpr float least_slot = 15, fold_slot = 21;
// Rows × slots; a larger figure has no tree.
constexpr std::uint64_t most_places = 4'000'000;

}  // namespace

void FlowGrid::show(std::shared_ptr<const scene::FlowFigure> figure) {
    figure_ = std::move(figure);
    room_ = 0;
    opened_.clear();
    tree_x_.clear();
    followed_.reset();
    longest_text_ = 1;
    longest_texts_.assign(std::size_t(std::lround(figure_->right - figure_->left)) + 1, 1);
    for (const scene::FlowRow& row : figure_->rows)
        for (const scene::FlowCell& cell : row.cells) {
            const std::size_t value = character_count(cell.text);
            const auto place = std::size_t(std::lround(float(cell.column) + row.shift - figure_->left));
            std::size_t& longest = longest_texts_[std::min(place, longest_texts_.size() - 1)];
            longest = std::max(longest, value != 0 ? value : character_count(cell.range));
            longest_text_ = std::max(longest_text_, value);
        }
}

void FlowGrid::fit() {
    zoom_ = 1;
    pan_x_ = pan_y_ = 0;
    if (!opened_.empty()) room_ = 0;
    opened_.clear();
    followed_.reset();
}

void FlowGrid::open_fold(std::uint32_t slot) {
    const scene::FlowSlot& fold = slots_.slots()[slot];
    for (std::uint32_t i = 0; i < fold.count; ++i)
        opened_.insert(fold.first + i);
    room_ = 0;
}

// A column in which the longest value can be read.
float FlowGrid::needed_column(const WindowState& window) const {
    const float text = float(longest_text_) * text_width(fonts().mono_tiny, "0") + window.px(3);
    return std::max(text / share_of_narrow, window.px(20));
}

// Each column as wide as its own values need it.
scene::FlowRoom FlowGrid::narrow_room(float width, const WindowState& window) const {
    scene::FlowRoom room{width, {}, window.px(fold_slot)};
    const float digit = text_width(fonts().mono_tiny, "0");
    for (const std::size_t longest : longest_texts_)
        room.columns.push_back(
            std::max((float(longest) * digit + window.px(3)) / share_of_narrow, window.px(least_slot)));
    return room;
}

void FlowGrid::choose_slots(float width, const WindowState& window) {
    const float needed = needed_column(window), columns = figure_->right - figure_->left + 1;
    const bool all = columns * needed <= width || window.flow.unfolded;
    const float wide = width / std::max(needed, window.px(28));
    const bool equal = all || wide >= few_slots;
    const auto most = std::uint32_t(std::max(1.0f, all ? columns : wide));
    if (most == room_ && all == all_ && equal == equal_ && (equal || width == narrow_px_)) return;
    room_ = most;
    all_ = all;
    equal_ = equal;
    narrow_px_ = width;
    tree_x_.clear();
    const scene::FlowRoom room = equal ? scene::FlowRoom{float(most), {}, 1} : narrow_room(width, window);
    slots_ = scene::FlowSlots(*figure_, room, opened_);
    place_slots(equal ? 1 : needed, room);
}

void FlowGrid::place_slots(float needed, const scene::FlowRoom& room) {
    edges_.assign(1, 0);
    for (const scene::FlowSlot& slot : slots_.slots())
        edges_.push_back(edges_.back() + (slot.folded() ? room.fold : room.column(slot.first)) / needed);
}

// Each written cell stands above the middle of what it was computed from.
void FlowGrid::place_tree() {
    tree_x_.assign(figure_->rows.size(), std::vector<float>(slots_.count(), unplaced));
    for (std::uint32_t row = 0; row < figure_->rows.size(); ++row) {
        if (row > figure_->first_own && figure_->is_own(row)) tree_x_[row] = tree_x_[row - 1];
        for (const scene::FlowItem& item : slots_.items(row)) {
            float sum = 0;
            unsigned count = 0;
            for (std::uint32_t i = item.first_link; i < item.end_link; ++i, ++count)
                sum += tree_x_[slots_.links()[i].from_row][slots_.links()[i].from_slot];
            tree_x_[row][item.slot] = count == 0 ? middle(item.slot) : sum / float(count);
        }
    }
}

float FlowGrid::x_of(std::uint32_t row, std::uint32_t slot) const {
    const bool tree = layout_ == FlowLayout::tree && row < tree_x_.size() && tree_x_[row][slot] > unplaced;
    return left_ + ((tree ? tree_x_[row][slot] : middle(slot)) - middle(0)) * column_;
}

Rect FlowGrid::box_of(std::uint32_t row, std::uint32_t slot) const {
    const float width = equal_ ? cell_width_ : slot_px(slot) * share_of_narrow;
    return {x_of(row, slot) - width / 2, y_of(row) - cell_height_ / 2, width, cell_height_};
}

void FlowGrid::arrange(const Rect& inside, const WindowState& window, std::optional<std::uint32_t> current) {
    layout_ = window.flow.layout;
    inside_ = inside;
    const float head = layout_ == FlowLayout::tree ? 0 : window.px(numbers_height);
    titles_ = std::round(std::min(window.px(title_width), inside.width * title_share));
    cells_ = {inside.x + titles_, inside.y + head, inside.width - titles_, inside.height - head};
    const float width = cells_.width - window.px(margin);
    choose_slots(width, window);
    if (layout_ == FlowLayout::tree && tree_x_.empty() &&
        std::uint64_t{slots_.count()} * figure_->rows.size() <= most_places)
        place_tree();
    const float columns = edges_.back(), rows = float(figure_->rows.size());
    const float all = width / std::max(1.0f, columns);
    // Only folds that a person opened need more room than there is.
    const float least = all_ || opened_.empty() ? 0.1f : needed_column(window);
    const float base = std::min(std::max(all, least), window.px(largest_column));
    least_zoom_ = std::min(1.0f, all / base);
    zoom_ = std::max(zoom_, least_zoom_);
    column_ = base * zoom_;
    row_ = std::clamp(cells_.height / std::max(1.0f, rows), window.px(least_row), window.px(largest_row)) *
           std::sqrt(std::max(zoom_, 1.0f));
    cell_width_ = std::max({1.0f, column_ * share_of_column,
                            std::min(column_ * share_of_narrow, needed_column(window) * share_of_narrow)});
    cell_height_ =
        std::clamp(row_ * 0.6f, 4.0f, window.px(largest_cell_height) * std::sqrt(std::max(zoom_, 1.0f)));
    if (current != followed_ && current) {
        const float y = pan_y_ + (float(*current) + 0.5f) * row_;
        if (y < row_ / 2 || y > cells_.height - row_ / 2)
            pan_y_ = cells_.height / 2 - (float(*current) + 0.5f) * row_;
    }
    followed_ = current;
    pan_x_ = std::clamp(pan_x_, std::min(0.0f, width - column_ * columns), 0.0f);
    pan_y_ = std::clamp(pan_y_, std::min(0.0f, cells_.height - content_height()), 0.0f);
    left_ = std::round(cells_.x + pan_x_ + middle(0) * column_);
    top_ = std::round(cells_.y + pan_y_ + row_ / 2);
}

void FlowGrid::navigate(const WindowState& window) {
    dragged_ = dragged_ &&
               (ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left));
    if (window.still || !hovered(inside_, window)) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && io.KeyShift) {
        pan_y_ += io.MouseWheel * row_;
    } else if (io.MouseWheel != 0) {
        const float wanted = std::clamp(zoom_ * std::pow(1.2f, io.MouseWheel), least_zoom_, largest_zoom);
        const float x = io.MousePos.x - cells_.x, y = io.MousePos.y - cells_.y;
        pan_x_ = x - (x - pan_x_) * wanted / zoom_;
        pan_y_ = y - (y - pan_y_) * std::sqrt(std::max(wanted, 1.0f) / std::max(zoom_, 1.0f));
        zoom_ = wanted;
    }
    pan_x_ += io.MouseWheelH * column_;
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) {
        pan_x_ += io.MouseDelta.x;
        pan_y_ += io.MouseDelta.y;
        dragged_ = true;
    }
}

std::uint32_t FlowGrid::first_row() const {
    return std::uint32_t(std::clamp(std::floor((cells_.y - top_) / row_), 0.0f, float(figure_->rows.size())));
}

std::uint32_t FlowGrid::end_row() const {
    return std::uint32_t(
        std::clamp(std::ceil((cells_.bottom() - top_) / row_) + 1, 0.0f, float(figure_->rows.size())));
}

std::uint32_t FlowGrid::slot_below(float x) const {
    const auto right = std::upper_bound(edges_.begin() + 1, edges_.end(), (x - left_) / column_ + middle(0));
    return std::uint32_t(right - edges_.begin() - 1);
}

std::uint32_t FlowGrid::first_slot() const {
    return slot_below(cells_.x);
}

std::uint32_t FlowGrid::end_slot() const {
    return std::min(slot_below(cells_.right()) + 1, slots_.count());
}

std::optional<std::uint32_t> FlowGrid::row_at(ImVec2 mouse) const {
    const float at = (mouse.y - top_) / row_ + 0.5f;
    if (mouse.x < cells_.x || mouse.x > cells_.right() || mouse.y < cells_.y || mouse.y > cells_.bottom() ||
        at < 0 || at >= float(figure_->rows.size()))
        return {};
    const auto row = std::uint32_t(at);
    return std::abs(mouse.y - y_of(row)) <= cell_height_ / 2 ? std::optional(row) : std::nullopt;
}

std::optional<std::uint32_t> FlowGrid::slot_at(std::uint32_t row, ImVec2 mouse) const {
    if (layout_ != FlowLayout::tree) {
        const std::uint32_t slot = slot_below(mouse.x);
        return mouse.x >= left_ - middle(0) * column_ && slot < slots_.count() ? std::optional(slot)
                                                                               : std::nullopt;
    }
    for (const scene::FlowItem& item : slots_.items(row))
        if (std::abs(mouse.x - x_of(row, item.slot)) <= std::max(cell_width_ / 2, 3.0f)) return item.slot;
    return {};
}

std::optional<FlowPlace> FlowGrid::cell_at(ImVec2 mouse) const {
    const std::optional<std::uint32_t> row = row_at(mouse);
    const std::optional<std::uint32_t> slot = row ? slot_at(*row, mouse) : std::nullopt;
    if (!slot || slots_.slots()[*slot].folded()) return {};
    const std::int64_t column = slots_.column_in(*row, *slot);
    if (column < 0 || column >= std::int64_t{figure_->widest()} ||
        (figure_->is_own(*row) && column >= std::int64_t{figure_->columns}))
        return {};
    const FlowPlace place{*row, std::uint32_t(column)};
    const scene::FlowCell* cell = layout_ == FlowLayout::rows ? figure_->seen(place.row, place.column)
                                                              : figure_->written(place.row, place.column);
    return cell != nullptr ? std::optional(place) : std::nullopt;
}

std::optional<std::uint32_t> FlowGrid::fold_at(ImVec2 mouse) const {
    if (layout_ != FlowLayout::tree && mouse.y >= inside_.y && mouse.y < cells_.y && mouse.x >= cells_.x) {
        const std::uint32_t slot = slot_below(mouse.x);
        const bool inside = mouse.x >= left_ - middle(0) * column_ && slot < slots_.count();
        return inside && slots_.slots()[slot].folded() ? std::optional(slot) : std::nullopt;
    }
    const std::optional<std::uint32_t> row = row_at(mouse);
    const std::optional<std::uint32_t> slot = row ? slot_at(*row, mouse) : std::nullopt;
    return slot && slots_.slots()[*slot].folded() ? slot : std::nullopt;
}

}  // namespace lanescope::ui
