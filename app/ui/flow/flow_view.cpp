#include "ui/flow/flow_view.h"

#include <algorithm>
#include <array>
#include <span>

#include "scene/flow/flow_figure_words.h"
#include "scene/flow/flow_words.h"
#include "trace/cells.h"
#include "ui/flow/flow_draw.h"
#include "ui/kit/stage_tabs.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {
namespace {

constexpr std::uint64_t made_at_once = 20'000;  // up to so many turns are followed without a job
constexpr float footer_height = 46, short_footer_height = 26;
constexpr const char* job = "flow";

const std::array<const char*, 3> label_names{"inputs", "thread", "none"};
const std::array<const char*, 3> layout_names{"all cells", "only what changed", "tree"};
const std::array<const char*, 4> colour_names{"writes", "origin", "warp", "thread"};

template <class E, std::size_t n>
void choose(Heading& heading, const char* id, const std::string& word,
            const std::array<const char*, n>& names, E FlowChoices::*member, const ViewContext& view) {
    const auto now = static_cast<std::size_t>(view.window.flow.*member);
    if (menu_word_right(heading, word + ": " + names[now], view.window)) ImGui::OpenPopup(id);
    const int chosen =
        choice_popup(id, std::vector<std::string>(names.begin(), names.end()), int(now), view.window);
    if (chosen >= 0) view.requests.set(&WindowState::flow, member, E(chosen));
}

}  // namespace

// --- Heading -----------------------------------------------------------------------------------------------

void FlowView::tools(Heading& heading, const ViewContext& view) {
    stage_tabs(heading, view.window, view.requests);
    if (heading.word_right("Fit")) grid_.fit(), matrices_.fit();
    if (made_ && !made_->figure->rows.empty() && !shows_matrices(view.window) &&
        (grid_.slots().folds() || view.window.flow.unfolded) &&
        heading.word_right(view.window.flow.unfolded ? "Fold" : "Unfold"))
        view.requests.set(&WindowState::flow, &FlowChoices::unfolded, !view.window.flow.unfolded);
    if (made_) {
        const int now = int(resolved_flow_colour(*made_->figure, view.window)) - 1;
        if (menu_word_right(heading, std::string("colour: ") + colour_names[std::size_t(now)], view.window))
            ImGui::OpenPopup("flow colour");
        const std::vector<std::string> names(colour_names.begin(), colour_names.end());
        if (const int chosen = choice_popup("flow colour", names, now, view.window); chosen >= 0)
            view.requests.set(&WindowState::flow, &FlowChoices::colour, FlowColour(chosen + 1));
    }
    choose(heading, "flow label", "label", label_names, &FlowChoices::label, view);
    choose(heading, "flow layout", "show", layout_names, &FlowChoices::layout, view);
    if (!made_ || made_->arrays.empty()) return;
    std::vector<std::string> names;
    int now = 0;
    for (const scene::FlowArray& array : made_->arrays) {
        if (array.name == (view.window.flow.array.empty() ? made_->arrays[0].name : view.window.flow.array))
            now = int(names.size());
        names.push_back(array.name);
    }
    if (menu_word_right(heading, "columns: " + names[std::size_t(now)], view.window))
        ImGui::OpenPopup("flow array");
    if (const int chosen = choice_popup("flow array", names, now, view.window); chosen >= 0)
        view.requests.set(&WindowState::flow, &FlowChoices::array, names[std::size_t(chosen)]);
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
                        window.flow.array};
    if (wanted == wanted_) return;
    if (wanted.generation != wanted_.generation && made_) grid_.fit(), matrices_.fit();
    wanted_ = wanted;
    jobs_.cancel(job);
    const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
    const std::shared_ptr<analysis::SharedFlow> shared = session.run()->flow;
    const auto named = execution::phase_lines(session.lesson(), session.run()->source);
    jobs_.start(job, [this, trace, shared, wanted, named](JobContext& context) -> Jobs::Completion {
        auto made = std::make_shared<Made>();
        made->trace = trace;
        made->flow = shared->get(&context.cancel_flag());
        scene::FlowWanted request{wanted.launch, wanted.block, {}, true, named};
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
    grid_.show(made_->figure);
    light_.clear();
}

bool FlowView::shows_matrices(const WindowState& window) const {
    return made_->figure->matrices() && window.flow.layout == FlowLayout::rows;
}

// The row that the session's step has reached.
std::optional<std::uint32_t> FlowView::current_row(const session::Session& session) const {
    const session::StepState* step_state = session.playhead().step_state();
    return step_state ? made_->figure->row_before(step_state->step.end) : std::nullopt;
}

// The life of a cell in memory; lanes have none.
void FlowView::open_menu(const scene::FlowCell& cell, const session::Session& session) {
    const analysis::FlowGraph& graph = made_->flow->graph;
    const trace::Trace& trace = *made_->trace;
    scene::CellPlace place;
    std::span<const trace::Symbol> symbols = trace.symbols;
    if (graph.is_input(cell.value)) {
        const analysis::FlowGraph::Input input = graph.input(cell.value);
        const trace::Symbol& symbol = trace.symbols[input.symbol];
        place.space = symbol.space;
        place.offset = symbol.offset + input.cell * trace::cell_shape(trace, symbol).cell_bytes;
    } else if (graph.is_node(cell.value) && graph.op(cell.value) == analysis::Operator::store) {
        const analysis::FlowWrite& write = graph.write_of(cell.value);
        place.space = write.space;
        place.offset = write.offset;
        if (write.space == trace::Space::shared) {
            place.launch = trace.launch_of(write.turn);
            place.block = write.place();
            symbols = trace.launches[place.launch].shared;
        }
    } else {
        return;
    }
    for (const trace::Symbol& symbol : symbols) {
        if (symbol.space != place.space || place.offset < symbol.offset ||
            place.offset >= symbol.offset + symbol.size_bytes)
            continue;
        place.bytes = trace::cell_shape(trace, symbol).cell_bytes;
        place.element = symbol.element;
        const std::uint64_t index = (place.offset - symbol.offset) / place.bytes;
        place.offset = symbol.offset + index * place.bytes;
        menu_.open(session, place, analysis::cell_name(symbol, index));
        return;
    }
}

// In still pictures, and while the mouse is elsewhere, a matrix shows one cell's lines: those of the lane
// that is selected, in the current row.
std::optional<FlowPlace> FlowView::example(const session::Session& session,
                                           std::optional<std::uint32_t> current) const {
    const scene::FlowFigure& figure = *made_->figure;
    std::uint32_t row = current.value_or(figure.end_own - 1);
    if (figure.rows[row].cells.empty()) return {};
    const std::vector<scene::FlowCell>& cells = figure.rows[row].cells;
    const std::uint32_t thread = session.selection().warp * trace::warp_size + session.selection().lane;
    const auto own = std::find_if(cells.begin(), cells.end(), [&](const scene::FlowCell& cell) {
        return cell.thread == thread && cell.turn != scene::FlowCell::never && thread != 0;
    });
    const scene::FlowCell& cell = own != cells.end() ? *own : cells[cells.size() / 2 + cells.size() % 7];
    return FlowPlace{row, cell.column};
}

void FlowView::point(const Rect& area, const ViewContext& view) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool over = !view.window.still && hovered(area, view.window);
    const bool matrices = shows_matrices(view.window);
    const std::optional<FlowPlace> place = !over      ? std::nullopt
                                           : matrices ? matrices_.cell_at(mouse)
                                                      : grid_.cell_at(mouse);
    light_.light_up(*made_->figure, grid_.slots(),
                    place || !matrices ? place : example(view.session, current_row(view.session)));
    const bool dragged = matrices ? matrices_.dragged() : grid_.dragged();
    const bool clicked = over && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !dragged;
    if (const std::optional<std::uint32_t> fold = over && !matrices ? grid_.fold_at(mouse) : std::nullopt) {
        if (clicked) grid_.open_fold(*fold);
        tooltip(std::to_string(grid_.slots().slots()[*fold].count) + " columns: click to open them",
                view.window);
        return;
    }
    if (!place) return;
    const scene::FlowCell* cell = made_->figure->seen(place->row, place->column);
    if (clicked && cell->turn != scene::FlowCell::never) {
        view.requests.commands.push_back(session::SeekTurn{cell->turn});
        view.requests.commands.push_back(
            session::PinLane{cell->thread / trace::warp_size, cell->thread % trace::warp_size});
    }
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) open_menu(*cell, view.session);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left))
        tooltip(
            made_->figure->name(place->row, place->column) + (cell->text.empty() ? "" : " = " + cell->text),
            scene::flow_story(*cell, *made_->trace, *provenance_), view.window);
}

void FlowView::content(const Rect& inside, const ViewContext& view) {
    prepare(view.session, view.window);
    if (!made_ || made_->figure->rows.empty()) {
        const std::string text = !made_ ? (jobs_.busy(job) ? "following the values …" : "no run yet")
                                        : "nothing to show: " + made_->figure->note;
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint, text);
        return;
    }
    const float footer = view.px(view.window.lecture ? short_footer_height : footer_height);
    const Rect legend{inside.x, inside.bottom() - footer, inside.width, footer};
    const Rect area{inside.x, inside.y, inside.width, inside.height - legend.height};
    const std::optional<std::uint32_t> current = current_row(view.session);
    grid_.arrange(area, view.window, current);
    std::optional<TellInWords> told;
    told.emplace([&] { return scene::flow_words(*made_->figure); });
    const FlowColour colour = resolved_flow_colour(*made_->figure, view.window);
    if (shows_matrices(view.window)) {
        matrices_.arrange(*made_->figure, area, view.window);
        matrices_.navigate(view.window);
        point(area, view);
        matrices_.draw(light_, current, colour, view.window);
    } else {
        grid_.navigate(view.window);
        point(area, view);
        draw_flow({grid_, light_, view.window, current, colour});
    }
    told.reset();
    menu_.draw(view);
    draw_flow_legend(legend, *made_->figure, view.window);
}

}  // namespace lanescope::ui
