#include "ui/flow/flow_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "ui/kit/stage_tabs.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {
namespace {

constexpr std::uint64_t made_at_once = 20'000;  // up to so many turns are followed without a job
constexpr float title_width = 148, margin = 18, footer_height = 46;
constexpr float largest_column = 96, least_row = 26, largest_row = 112, largest_cell_height = 52;
constexpr float unplaced = -1e30f;
// Rows × columns; a larger figure has no tree and does not light up.
constexpr std::uint64_t most_places = 4'000'000;
constexpr const char* job = "flow";

const std::array<const char*, 3> label_names{"inputs", "thread", "none"};
const std::array<const char*, 3> layout_names{"all cells", "only what changed", "tree"};
const std::array<const char*, 3> colour_names{"writes", "warp", "thread"};

template <class E, std::size_t n>
void choose(Heading& heading, const char* id, const std::string& word,
            const std::array<const char*, n>& names, E WindowState::*member, const WindowState& window,
            Requests& requests) {
    const auto now = static_cast<std::size_t>(window.*member);
    if (menu_word_right(heading, word + ": " + names[now], window)) ImGui::OpenPopup(id);
    const int chosen =
        choice_popup(id, std::vector<std::string>(names.begin(), names.end()), int(now), window);
    if (chosen >= 0) requests.set(member, E(chosen));
}

ImVec2 on_curve(const std::array<ImVec2, 4>& p, float t) {
    const float s = 1 - t, w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    ImVec2 at{0, 0};
    for (std::size_t i = 0; i < p.size(); ++i)
        at.x += w[i] * p[i].x, at.y += w[i] * p[i].y;
    return at;
}

std::string threads_words(const scene::FlowFigure& figure, const scene::FlowRow& row) {
    const std::string number = std::to_string(row.threads);
    if (row.threads == 0) return "at first";
    const bool one_block = std::all_of(row.cells.begin(), row.cells.end(), [&](const scene::FlowCell& cell) {
        return cell.block == row.cells.front().block;
    });
    if (!one_block || !row.array.empty()) return number + (row.threads == 1 ? " thread" : " threads");
    return number + " of " + std::to_string(figure.threads) + (figure.array.lanes ? " lanes" : " threads");
}

ImU32 hue(std::uint32_t number) {
    constexpr float golden = 0.618034f;
    float r = 0, g = 0, b = 0;
    ImGui::ColorConvertHSVtoRGB(std::fmod(0.08f + golden * float(number), 1.0f), 0.62f, 0.95f, r, g, b);
    return ImGui::ColorConvertFloat4ToU32({r, g, b, 1});
}

}  // namespace

// --- Heading -----------------------------------------------------------------------------------------------

void FlowView::tools(Heading& heading, const session::Session&, const WindowState& window,
                     Requests& requests) {
    stage_tabs(heading, window, requests);
    if (heading.word_right("Fit")) zoom_ = 1, pan_x_ = pan_y_ = 0;
    choose(heading, "flow colour", "colour", colour_names, &WindowState::flow_colour, window, requests);
    choose(heading, "flow label", "label", label_names, &WindowState::flow_label, window, requests);
    choose(heading, "flow layout", "show", layout_names, &WindowState::flow_layout, window, requests);
    if (!made_ || made_->arrays.empty()) return;
    std::vector<std::string> names;
    int now = 0;
    for (const scene::FlowArray& array : made_->arrays) {
        if (array.name == (window.flow_array.empty() ? made_->arrays[0].name : window.flow_array))
            now = int(names.size());
        names.push_back(array.name);
    }
    if (menu_word_right(heading, "columns: " + names[std::size_t(now)], window))
        ImGui::OpenPopup("flow array");
    if (const int chosen = choice_popup("flow array", names, now, window); chosen >= 0)
        requests.set(&WindowState::flow_array, names[std::size_t(chosen)]);
}

// --- The figure --------------------------------------------------------------------------------------------

void FlowView::prepare(const session::Session& session, const WindowState& window) {
    jobs_.poll();
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !session.run() || !session.run()->flow) {
        made_.reset();
        provenance_.reset();
        wanted_ = {};
        return;
    }
    const Wanted wanted{session.runner().generation(), step_state->step.launch, step_state->step.block,
                        window.flow_array};
    if (wanted == wanted_) return;
    if (wanted.generation != wanted_.generation) zoom_ = 1, pan_x_ = pan_y_ = 0;
    wanted_ = wanted;
    jobs_.cancel(job);
    const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
    const std::shared_ptr<analysis::SharedFlow> shared = session.run()->flow;
    jobs_.start(job, [this, trace, shared, wanted](JobContext& context) -> Jobs::Completion {
        auto made = std::make_shared<Made>();
        made->trace = trace;
        made->flow = shared->get(&context.cancel_flag());
        scene::FlowWanted request{wanted.launch, wanted.block, {}};
        made->arrays = scene::flow_arrays(*trace, *made->flow, request);
        const bool known = std::any_of(made->arrays.begin(), made->arrays.end(),
                                       [&](const auto& each) { return each.name == wanted.array; });
        if (known) request.array = wanted.array;
        made->figure = scene::make_flow_figure(trace, *made->flow, request, &context.cancel_flag());
        return [this, made] { take(made); };
    });
    if (window.still || trace->turns.size() < made_at_once) jobs_.wait(job);
    jobs_.poll();
}

void FlowView::take(std::shared_ptr<Made> made) {
    made_ = std::move(made);
    provenance_ = std::make_unique<analysis::Provenance>(*made_->trace, *made_->flow);
    tree_x_.clear();
    lit_.clear();
    hovered_.reset();
    std::set<std::string> signs;
    for (const scene::FlowRow& row : made_->figure->rows)
        for (const scene::FlowCell& cell : row.cells)
            if (!analysis::is_copy(cell.op)) signs.insert(analysis::sign_of(cell.op));
    mixed_operators_ = signs.size() > 1;
}

bool FlowView::too_large() const {
    return std::uint64_t{made_->figure->widest()} * made_->figure->rows.size() > most_places;
}

// Each written cell stands above the middle of what it was computed from.
void FlowView::place_tree() {
    const scene::FlowFigure& figure = *made_->figure;
    tree_x_.assign(figure.rows.size(), std::vector<float>(figure.widest(), unplaced));
    for (std::uint32_t row = 0; row < figure.rows.size(); ++row) {
        if (row > figure.first_own && figure.is_own(row)) tree_x_[row] = tree_x_[row - 1];
        for (const scene::FlowCell& cell : figure.rows[row].cells) {
            float sum = 0;
            unsigned count = 0;
            for (std::uint32_t i = cell.first_edge; i < cell.end_edge; ++i) {
                const scene::FlowEdge& edge = figure.edges[i];
                sum += tree_x_[edge.from_row][edge.from_column];
                ++count;
            }
            tree_x_[row][cell.column] =
                count == 0 ? float(cell.column) + figure.rows[row].shift : sum / float(count);
        }
    }
}

float FlowView::x_of(std::uint32_t row, std::uint32_t column) const {
    const bool tree = placed_ == FlowLayout::tree && row < tree_x_.size() && tree_x_[row][column] > unplaced;
    return grid_.left +
           (tree ? tree_x_[row][column] : float(column) + made_->figure->rows[row].shift) * grid_.column;
}

Rect FlowView::box_of(std::uint32_t row, std::uint32_t column) const {
    return {x_of(row, column) - grid_.cell_width / 2, y_of(row) - grid_.cell_height / 2, grid_.cell_width,
            grid_.cell_height};
}

void FlowView::arrange(const Rect& inside, const WindowState& window) {
    const scene::FlowFigure& figure = *made_->figure;
    placed_ = window.flow_layout;
    if (placed_ == FlowLayout::tree && tree_x_.empty() && !too_large()) place_tree();
    const float width = inside.width - window.px(title_width + margin);
    const float columns = figure.right - figure.left + 1, rows = float(figure.rows.size());
    const float fit_column = std::min(width / columns, window.px(largest_column));
    grid_.column = std::max(fit_column, 0.1f) * zoom_;
    grid_.row =
        std::clamp(inside.height / std::max(1.0f, rows), window.px(least_row), window.px(largest_row)) *
        std::sqrt(zoom_);
    grid_.cell_width =
        grid_.column > window.px(14) ? grid_.column * 0.84f : std::max(1.0f, grid_.column * 0.8f);
    grid_.cell_height = std::clamp(grid_.row * 0.6f, 4.0f, window.px(largest_cell_height) * std::sqrt(zoom_));
    const float content_width = grid_.column * columns, content_height = grid_.row * rows;
    pan_x_ = std::clamp(pan_x_, std::min(0.0f, width - content_width), 0.0f);
    pan_y_ = std::clamp(pan_y_, std::min(0.0f, inside.height - content_height), 0.0f);
    grid_.left = std::round(inside.x + window.px(title_width) + pan_x_ + grid_.column * (0.5f - figure.left));
    grid_.top = std::round(inside.y + pan_y_ + grid_.row / 2);
}

void FlowView::navigate(const Rect& inside, const WindowState& window) {
    dragged_ = dragged_ &&
               (ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left));
    if (window.still || !hovered(inside, window)) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && io.KeyCtrl) {
        const float wanted = std::clamp(zoom_ * std::pow(1.2f, io.MouseWheel), 1.0f, 60.0f);
        const float x = io.MousePos.x - inside.x - window.px(title_width);
        pan_x_ = x - (x - pan_x_) * wanted / zoom_;
        zoom_ = wanted;
    } else if (io.MouseWheel != 0) {
        pan_y_ += io.MouseWheel * grid_.row;
    }
    pan_x_ += io.MouseWheelH * grid_.column;
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) {
        pan_x_ += io.MouseDelta.x;
        pan_y_ += io.MouseDelta.y;
        dragged_ = true;
    }
}

// The row that the session's step has reached.
std::optional<std::uint32_t> FlowView::current_row(const session::Session& session) const {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state) return {};
    std::optional<std::uint32_t> found;
    for (std::uint32_t row = 0; row < made_->figure->rows.size(); ++row)
        if (row >= made_->figure->first_own && made_->figure->rows[row].first_turn < step_state->step.end)
            found = row;
    return found;
}

// --- Drawing -----------------------------------------------------------------------------------------------

void FlowView::draw_rows(const Rect& inside, const session::Session& session,
                         const WindowState& window) const {
    const scene::FlowFigure& figure = *made_->figure;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::optional<std::uint32_t> current = current_row(session);
    const float line = font_size(fonts().small);
    for (std::uint32_t row = 0; row < figure.rows.size(); ++row) {
        const float y = y_of(row);
        if (y + grid_.row < inside.y || y - grid_.row > inside.bottom()) continue;
        const bool now = current == row;
        if (widgets_are_named())
            name_widget("row " + std::to_string(row) + " " + figure.rows[row].title,
                        {inside.x, y - grid_.row / 2, inside.width, grid_.row});
        if (now)
            draw->AddRectFilled({inside.x, y - grid_.row / 2}, {inside.right(), y + grid_.row / 2},
                                theme().selected, window.px(4));
        const bool two = grid_.row > 2.2f * line;
        const float x = inside.x + window.px(12), width = window.px(title_width - 20);
        draw_text_within(draw, now ? fonts().strong : fonts().text, {x, y - (two ? line : line / 2)},
                         now ? theme().text_strong : theme().text_quiet, figure.rows[row].title, width);
        if (!two) continue;
        draw_text_within(draw, fonts().small, {x, y + window.px(2)}, theme().text_faint,
                         threads_words(figure, figure.rows[row]), width);
    }
}

void FlowView::draw_edges(const Rect& inside, const WindowState& window) const {
    const scene::FlowFigure& figure = *made_->figure;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool fine = grid_.column >= window.px(5);
    const float thin = window.px(1.2f), thick = window.px(2.4f);
    for (int pass = 0; pass < (lit_.empty() ? 1 : 2); ++pass)  // what is lit lies above
        for (const scene::FlowEdge& edge : figure.edges) {
            const float top = y_of(edge.from_row) + grid_.cell_height / 2,
                        bottom = y_of(edge.to_row) - grid_.cell_height / 2;
            if (bottom < inside.y || top > inside.bottom()) continue;
            const bool lit = is_lit(edge.to_row, edge.to_column) && is_lit(edge.from_row, edge.from_column) &&
                             !lit_.empty();
            if (lit != (pass == 1)) continue;
            const float x0 = x_of(edge.from_row, edge.from_column), x1 = x_of(edge.to_row, edge.to_column);
            if (std::max(x0, x1) < inside.x || std::min(x0, x1) > inside.right()) continue;
            const scene::FlowCell* end = figure.written(edge.to_row, edge.to_column);
            ImU32 colour = edge.copy ? theme().read_edge : theme().write_edge;
            if (lit)
                colour = theme().barrier;
            else if (!lit_.empty() || (end != nullptr && !end->used))
                colour = faded(colour, 0.35f);
            else if (!fine)
                colour = faded(colour, 0.6f);
            const float width = lit ? thick : fine ? thin : window.px(0.8f);
            const float bend = (bottom - top) * 0.5f;
            const ImVec2 a{x0, top}, b{x0, top + bend}, c{x1, bottom - bend}, d{x1, bottom};
            if (!fine || (!edge.copy && std::abs(x0 - x1) < 1)) {
                draw->AddLine(a, d, colour, width);
            } else if (edge.copy) {
                constexpr int dashes = 7;
                for (int i = 0; i < dashes; ++i) {
                    const float from = float(i) / dashes, to = from + 0.6f / dashes;
                    draw->AddLine(on_curve({a, b, c, d}, from), on_curve({a, b, c, d}, to), colour, width);
                }
            } else {
                draw->AddBezierCubic(a, b, c, d, colour, width, grid_.column > window.px(20) ? 14 : 8);
            }
        }
}

ImU32 FlowView::colour_of(const scene::FlowCell& cell, const WindowState& window) const {
    switch (window.flow_colour) {
        case FlowColour::warp:
            return hue(cell.thread / trace::warp_size + cell.block * 7);
        case FlowColour::thread:
            return hue(cell.thread);
        case FlowColour::writes:
            break;
    }
    return theme().write_edge;
}

void FlowView::draw_cell(ImDrawList* draw, std::uint32_t row, const scene::FlowCell& cell, bool written,
                         bool lit, const WindowState& window) const {
    const Rect box = box_of(row, cell.column);
    const bool pale = (!lit_.empty() && !lit) || (written && !cell.used);
    const ImU32 own = colour_of(cell, window);
    ImU32 fill = written ? blend(theme().cell, own, 0.28f) : theme().cell;
    ImU32 edge = written ? own : theme().cell_edge;
    if (lit) edge = theme().barrier;
    if (pale) fill = faded(fill, 0.5f), edge = faded(edge, 0.4f);
    if (grid_.cell_width < window.px(7)) {
        draw->AddRectFilled(box.min(), box.max(), lit ? theme().barrier : written ? edge : fill);
        return;
    }
    draw_cell_box(draw, box, fill, edge, window.px(lit ? 2.0f : 1.2f), theme().rounding);
    if (grid_.cell_width < window.px(15)) return;
    const ImU32 strong = pale ? theme().text_faint : written ? theme().text_strong : theme().text_quiet;
    const std::string label = window.flow_label == FlowLabel::inputs   ? cell.range
                              : window.flow_label == FlowLabel::thread ? "t" + std::to_string(cell.thread)
                                                                       : std::string();
    const std::string& first = cell.text.empty() ? label : cell.text;
    const std::string second = cell.text.empty() ? std::string() : label;
    const auto fitting = [&](const std::string& text, std::initializer_list<ImFont*> candidates) -> ImFont* {
        for (ImFont* font : candidates)
            if (text_width(font, text) <= box.width - window.px(3) &&
                (font != fonts().mono_medium || box.height > window.px(46)))
                return font;
        return nullptr;
    };
    ImFont* large =
        fitting(first, {fonts().mono_medium, fonts().mono, fonts().mono_small, fonts().mono_tiny});
    ImFont* small = second.empty() ? nullptr : fitting(second, {fonts().mono_small, fonts().mono_tiny});
    const bool both = large && small && box.height >= font_size(large) + font_size(small) * 0.9f;
    const float height = both ? font_size(large) + font_size(small) * 0.85f : large ? font_size(large) : 0;
    float y = box.y + (box.height - height) / 2;
    const auto centred = [&](ImFont* font, const std::string& text, ImU32 colour) {
        draw_text(draw, font, {box.x + (box.width - text_width(font, text)) / 2, y}, colour, text);
    };
    if (large) {
        centred(large, first, strong);
        y += font_size(large) * 0.92f;
    }
    if (both) centred(small, second, lit ? theme().barrier : pale ? theme().text_faint : theme().text_quiet);
    if (written && mixed_operators_ && !analysis::is_copy(cell.op) && grid_.row > box.height + window.px(14))
        draw_sign(draw, box, analysis::sign_of(cell.op), window);
}

// The operator, on the upper edge of its result.
void FlowView::draw_sign(ImDrawList* draw, const Rect& box, const char* sign, const WindowState& window) {
    ImFont* font = fonts().mono_tiny;
    const float width = text_width(font, sign), height = font_size(font), pad = window.px(2);
    const float x = box.x + (box.width - width) / 2, y = box.y - height * 0.75f;
    draw->AddRectFilled({x - pad, y}, {x + width + pad, y + height}, theme().background, pad);
    draw_text(draw, font, {x, y}, theme().text_quiet, sign);
}

void FlowView::draw_cells(const Rect& inside, const WindowState& window) const {
    const scene::FlowFigure& figure = *made_->figure;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool all = window.flow_layout == FlowLayout::rows && grid_.cell_width >= window.px(3);
    std::vector<const scene::FlowCell*> seen(all ? figure.columns : 0, nullptr);
    for (std::uint32_t row = 0; row < figure.rows.size(); ++row) {
        if (all && figure.is_own(row))
            for (const scene::FlowCell& cell : figure.rows[row].cells)
                seen[cell.column] = &cell;
        const float y = y_of(row);
        if (y + grid_.row < inside.y) continue;
        if (y - grid_.row > inside.bottom()) break;
        if (all && figure.is_own(row)) {
            const auto column_at = [&](float x) {
                return std::clamp((x - grid_.left) / grid_.column, 0.0f, float(figure.columns));
            };
            const auto first = std::uint32_t(column_at(inside.x + window.px(title_width) - grid_.column));
            const auto end = std::uint32_t(std::ceil(column_at(inside.right() + grid_.column)));
            for (std::uint32_t column = first; column < end; ++column)
                if (seen[column] != nullptr && figure.written(row, column) == nullptr)
                    draw_cell(draw, row, *seen[column], false, is_lit(row, column), window);
        }
        for (const scene::FlowCell& cell : figure.rows[row].cells)
            draw_cell(draw, row, cell, true, is_lit(row, cell.column), window);
    }
}

std::string FlowView::work_words() const {
    const scene::FlowFigure& figure = *made_->figure;
    const auto count = [](std::uint64_t n, const char* what) {
        return grouped(n) + " " + what + (n == 1 ? "" : "s");
    };
    std::string text =
        "This run: " + count(figure.operations, "operation") + " on data, depth " + grouped(figure.depth);
    if (figure.sequential)
        text += "  ·  one after the other: " + count(figure.sequential->operations, "operation") +
                ", depth " + grouped(figure.sequential->depth);
    return text;
}

void FlowView::draw_legend(const Rect& legend, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = legend.x + window.px(12), width = legend.width - window.px(24);
    draw_text_within(draw, fonts().text, {x, legend.y + window.px(4)}, theme().text, work_words(), width);
    std::string words = "line: operand · dashed: copy · pale: nothing at the end is made of it";
    if (window.flow_label == FlowLabel::inputs) words += " · small: the inputs in a cell";
    words += " · point at a cell: what it is made of · click: the step that wrote it";
    if (!made_->figure->note.empty()) words = made_->figure->note + " · " + words;
    draw_text_within(draw, fonts().small, {x, legend.y + window.px(25)}, theme().text_faint, words, width);
}

// --- The mouse ---------------------------------------------------------------------------------------------

std::optional<FlowView::Place> FlowView::cell_at(const Rect& inside) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const scene::FlowFigure& figure = *made_->figure;
    if (mouse.x < inside.x || mouse.x > inside.right() || mouse.y < inside.y || mouse.y > inside.bottom())
        return {};
    const float at = (mouse.y - grid_.top) / grid_.row + 0.5f;
    if (at < 0 || at >= float(figure.rows.size())) return {};
    const auto row = std::uint32_t(at);
    if (std::abs(mouse.y - y_of(row)) > grid_.cell_height / 2) return {};
    if (placed_ == FlowLayout::rows) {
        const float column = (mouse.x - grid_.left) / grid_.column + 0.5f - figure.rows[row].shift;
        if (column < 0 || column >= float(figure.widest())) return {};
        const Place place{row, std::uint32_t(column)};
        return (!figure.is_own(row) || place.column < figure.columns) && figure.seen(place.row, place.column)
                   ? std::optional(place)
                   : std::nullopt;
    }
    for (const scene::FlowCell& cell : figure.rows[row].cells)
        if (std::abs(mouse.x - x_of(row, cell.column)) <= std::max(grid_.cell_width / 2, 3.0f))
            return Place{row, cell.column};
    return {};
}

bool FlowView::is_lit(std::uint32_t row, std::uint32_t column) const {
    return row < lit_.size() && lit_[row][column];
}

// Lights up what the cell was made of, and what was made of it.
void FlowView::light_up(std::optional<Place> place) {
    if (place == hovered_) return;
    hovered_ = place;
    lit_.clear();
    if (!place || too_large()) return;
    const scene::FlowFigure& figure = *made_->figure;
    lit_.assign(figure.rows.size(), std::vector<bool>(figure.widest()));
    // A value is seen from the row that wrote it down to the row that uses it.
    std::vector<std::vector<bool>> made(figure.rows.size(), std::vector<bool>(figure.widest()));
    const auto writer = [&](std::uint32_t row, std::uint32_t column) {
        while (row > figure.first_own && figure.is_own(row) && figure.written(row, column) == nullptr)
            --row;
        return row;
    };
    std::vector<Place> open{*place};
    while (!open.empty()) {
        const Place at = open.back();
        open.pop_back();
        const std::uint32_t row = writer(at.row, at.column);
        for (std::uint32_t i = row; i <= at.row; ++i)
            lit_[i][at.column] = true;
        const scene::FlowCell* cell = figure.written(row, at.column);
        if (cell == nullptr || made[row][at.column]) continue;
        made[row][at.column] = true;
        for (std::uint32_t i = cell->first_edge; i < cell->end_edge; ++i)
            open.push_back({figure.edges[i].from_row, figure.edges[i].from_column});
    }
    // Forward, row by row.
    std::vector<std::vector<bool>> after(figure.rows.size(), std::vector<bool>(figure.widest()));
    after[writer(place->row, place->column)][place->column] = true;
    for (const scene::FlowEdge& edge : figure.edges)
        if (after[writer(edge.from_row, edge.from_column)][edge.from_column]) {
            after[edge.to_row][edge.to_column] = true;
            lit_[edge.to_row][edge.to_column] = true;
            for (std::uint32_t i = writer(edge.from_row, edge.from_column); i <= edge.from_row; ++i)
                lit_[i][edge.from_column] = true;
        }
}

std::string FlowView::story(const Place& place) const {
    const scene::FlowFigure& figure = *made_->figure;
    const scene::FlowCell* cell = figure.seen(place.row, place.column);
    if (cell == nullptr) return {};
    std::string text;
    if (cell->value != 0) {
        const analysis::Origin origin = provenance_->origin(cell->value, 1 << 16);
        std::size_t inputs = 0;
        for (const auto& [symbol, cells] : origin.inputs)
            inputs += cells.size();
        text = origin.text + "\n" + std::to_string(inputs) + (inputs == 1 ? " input, " : " inputs, ") +
               std::to_string(origin.depth) +
               (origin.depth == 1 ? " operation deep\n" : " operations deep\n");
    }
    if (cell->turn == scene::FlowCell::never) return text + "an input";
    if (cell->updates > 1) text += std::to_string(cell->updates) + " atomic updates, the last by ";
    text += "thread " + std::to_string(cell->thread) + " (warp " +
            std::to_string(cell->thread / trace::warp_size) + ", lane " +
            std::to_string(cell->thread % trace::warp_size) + ") of block " + std::to_string(cell->block) +
            ", line " + std::to_string(made_->trace->turns[cell->turn].line);
    return text;
}

void FlowView::content(const Rect& inside, const session::Session& session, const WindowState& window,
                       Requests& requests) {
    prepare(session, window);
    if (!made_ || made_->figure->rows.empty()) {
        const std::string text = !made_ ? (jobs_.busy(job) ? "following the values …" : "no run yet")
                                        : "nothing to show: " + made_->figure->note;
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint, text);
        return;
    }
    const Rect legend{inside.x, inside.bottom() - window.px(footer_height), inside.width,
                      window.px(footer_height)};
    const Rect area{inside.x, inside.y, inside.width, inside.height - legend.height};
    arrange(area, window);
    navigate(area, window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(area.min(), area.max(), true);
    const std::optional<Place> place = !window.still && hovered(area, window) ? cell_at(area) : std::nullopt;
    light_up(place);
    draw_rows(area, session, window);
    draw->PushClipRect({area.x + window.px(title_width - 4), area.y}, area.max(), true);
    draw_edges(area, window);
    draw_cells(area, window);
    draw->PopClipRect();
    draw->PopClipRect();
    draw_legend(legend, window);
    if (!place) return;
    const scene::FlowCell* cell = made_->figure->seen(place->row, place->column);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !dragged_ && cell->turn != scene::FlowCell::never) {
        if (cell->block != session.playhead().block())
            requests.commands.push_back(session::FocusBlock{cell->block});
        requests.commands.push_back(session::SeekTurn{cell->turn});
        requests.commands.push_back(
            session::PinLane{cell->thread / trace::warp_size, cell->thread % trace::warp_size});
    }
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left))
        tooltip((made_->figure->rows[place->row].array.empty() ? made_->figure->array.name
                                                               : made_->figure->rows[place->row].array) +
                    "[" + std::to_string(place->column) + "]" +
                    (cell->text.empty() ? "" : " = " + cell->text),
                story(*place), window);
}

}  // namespace lanescope::ui
