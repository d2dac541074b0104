#include "ui/lesson/lesson_figures.h"

#include <algorithm>

#include "base/language.h"
#include "scene/flow/flow_figure.h"
#include "ui/flow/flow_draw.h"
#include "ui/flow/flow_matrices.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"
#include "ui/stage/stage_frame.h"

namespace lanescope::ui {
namespace {

constexpr float waiting_px = 90, message_px = 34, flow_row_px = 40, flow_least_row_px = 26, flow_head_px = 20,
                stage_edge_px = 10, roomy_pitch_px = 18;
constexpr std::uint64_t followed_at_once = 20'000;  // up to so many turns are followed without a job

}  // namespace

struct LessonFigures::Drawing {
    Result<lesson::Figure> wanted = lesson::Figure{};
    std::string problem;                         // why there is nothing to draw
    std::optional<execution::PlacedStep> place;  // in the lesson's run
    std::uint64_t generation = ~0ull;            // of the run in which the place was looked for
    bool making = false;                         // a job makes the flow
    std::shared_ptr<const scene::FlowFigure> flow;
    std::optional<std::uint32_t> row;  // of the flow, at the place
    FlowGrid grid;
    FlowMatrices matrices;
    FlowLight light;
    std::unique_ptr<StageModel> stage;
    LaneColumns columns;
    float width = 0, left = 0, scale = 0;  // for which the stage was laid out
    bool laid_out = false;
    std::vector<render::Texture> heat;
};

LessonFigures::LessonFigures(const FigureLimits& limits) : limits_(limits) {}
LessonFigures::~LessonFigures() = default;

void LessonFigures::show(const lesson::LessonEntry* entry, const session::Session& shown, float left,
                         const WindowState& window) {
    left_ = left;
    registry_ = shown.shared_registry();
    if (entry != entry_) {
        entry_ = entry;
        forget_run();  // ends the jobs that fill the drawings
        drawings_.clear();
        if (run_ && entry_) run_->apply(session::OpenFile{entry_->path});
    }
    if (!run_) return;
    run_->update(window.now_s);
    if (window.still) run_->wait();
    jobs_.poll();
    if (run_->runner().generation() != generation_) {
        forget_run();
        generation_ = run_->runner().generation();
    }
}

// What was made of the run before is of no use.
void LessonFigures::forget_run() {
    for (auto& [target, figure] : drawings_) {
        jobs_.cancel(target);
        auto fresh = std::make_unique<Drawing>();
        fresh->wanted = std::move(figure->wanted);
        figure = std::move(fresh);
    }
}

bool LessonFigures::busy() const {
    if (!run_ || drawings_.empty()) return false;
    const auto at_work = [&](const auto& each) {
        return jobs_.busy(each.first) || (each.second->stage && each.second->stage->preparing());
    };
    return run_->runner().busy() || std::any_of(drawings_.begin(), drawings_.end(), at_work);
}

LessonFigures::Drawing& LessonFigures::drawing(const std::string& target) {
    std::unique_ptr<Drawing>& figure = drawings_[target];
    if (figure) return *figure;
    figure = std::make_unique<Drawing>();
    figure->wanted = lesson::parse_figure(target);
    if (!run_ && entry_) {
        run_ = std::make_unique<session::Session>(registry_);
        run_->apply(session::OpenFile{entry_->path});
        generation_ = run_->runner().generation();
    }
    return *figure;
}

std::optional<execution::PlacedStep> figure_place(const lesson::Figure& figure,
                                                  const lesson::LessonEntry& entry,
                                                  const execution::RunResult& run) {
    if (!run.trace) return {};
    if (!figure.at) return execution::place_to_look(entry, *run.trace, run.source);
    const Result<execution::PlacedStep> place = execution::find_place(*figure.at, *run.trace, run.source);
    return place ? std::optional(*place) : std::nullopt;
}

bool LessonFigures::ready(Drawing& figure) {
    if (!figure.wanted) {
        figure.problem = figure.wanted.diagnostics().front().message;
        return false;
    }
    if (!run_ || !entry_ || run_->runner().busy()) return false;
    if (!run_->run() || !run_->trace()) {
        figure.problem =
            run_->diagnostics().empty() ? tr("the lesson did not run") : run_->diagnostics().front().message;
        return false;
    }
    if (figure.generation == generation_) return figure.problem.empty();
    figure.generation = generation_;
    if (figure.wanted->at) {
        const Result<execution::PlacedStep> place =
            execution::find_place(*figure.wanted->at, *run_->trace(), run_->run()->source);
        if (!place) figure.problem = place.diagnostics().front().message;
    }
    figure.place = figure_place(*figure.wanted, *entry_, *run_->run());
    if (!figure.place && figure.problem.empty() && figure.wanted->kind == lesson::Figure::Kind::stage)
        figure.problem = tr("the lesson names no step for this figure");
    return figure.problem.empty();
}

// --- The flow ----------------------------------------------------------------------------------------------

void LessonFigures::make_flow(const std::string& target, Drawing& figure, const WindowState& window) {
    if (figure.flow || figure.making || !run_->run()->flow) return;
    figure.making = true;
    const std::shared_ptr<const trace::Trace> trace = run_->run()->trace;
    const std::shared_ptr<analysis::SharedFlow> shared = run_->run()->flow;
    scene::FlowWanted wanted;
    wanted.named = execution::phase_lines(entry_, run_->run()->source);
    std::optional<std::uint64_t> end;
    if (figure.place) {
        const std::vector<trace::Step> steps =
            trace::build_steps(*trace, figure.place->block, trace::Granularity::line);
        if (figure.place->step < steps.size()) {
            wanted.launch = steps[figure.place->step].launch;
            wanted.block = figure.place->block;
            end = steps[figure.place->step].end;
        }
    }
    if (!figure.wanted->at) end.reset();  // the whole run
    if (!figure.wanted->arrays.empty()) wanted.array = figure.wanted->arrays.front();
    jobs_.start(target, [&figure, trace, shared, wanted, end](JobContext& context) -> Jobs::Completion {
        const std::shared_ptr<const analysis::Flow> flow = shared->get(&context.cancel_flag());
        const std::vector<scene::FlowArray> arrays = scene::flow_arrays(*trace, *flow, wanted);
        const bool known =
            wanted.array.empty() || std::any_of(arrays.begin(), arrays.end(),
                                                [&](const auto& each) { return each.name == wanted.array; });
        if (!known)
            return
                [&figure, name = wanted.array] { figure.problem = "the flow has no array '" + name + "'"; };
        auto made = scene::make_flow_figure(trace, *flow, wanted, &context.cancel_flag());
        return [&figure, made, end] {
            figure.making = false;
            if (made->rows.empty()) {
                figure.problem = made->note;
                return;
            }
            figure.flow = made;
            figure.row = end ? made->row_before(*end) : std::nullopt;
            figure.grid.show(made);
        };
    });
    if (window.still || trace->turns.size() < followed_at_once) jobs_.wait(target);
    jobs_.poll();
}

void LessonFigures::draw_flow_figure(Drawing& figure, const Rect& area, const WindowState& window) {
    WindowState own = window;
    own.flow = {.array = std::move(own.flow.array)};
    own.lecture = false;
    const FlowColour colour = resolved_flow_colour(*figure.flow, own);
    if (figure.flow->matrices()) {
        figure.matrices.arrange(*figure.flow, area, own);
        figure.matrices.draw(figure.light, figure.row, colour, own);
    } else {
        figure.grid.arrange(area, own, figure.row);
        draw_flow({figure.grid, figure.light, own, figure.row, colour});
    }
}

// --- The stage ---------------------------------------------------------------------------------------------

// All figures share the run's session, which moves to the step of the one that is prepared.
void LessonFigures::make_stage(Drawing& figure, float width, const WindowState& window) {
    const bool same = figure.laid_out && figure.width == width && figure.left == left_ &&
                      figure.scale == window.scale && !figure.stage->preparing();
    if (same) return;
    run_->apply(session::SetGranularity{trace::Granularity::line});
    run_->apply(session::FocusBlock{figure.place->block});
    run_->apply(session::SeekStep{figure.place->step});
    run_->update(window.now_s);
    const session::StepState* state = run_->playhead().step_state();
    if (!state || state->index != figure.place->step) return;  // it is still on its way there
    if (!figure.stage) {
        figure.stage = std::make_unique<StageModel>();
        figure.stage->show_only(figure.wanted->arrays);
        if (figure.wanted->banks) figure.stage->show_banks();
        figure.stage->colour_by(entry_->colour == "origin" ? CellColour::origin : CellColour::state);
    }
    const Rect inside{left_, 0, width, window.px(limits_.stage_px)};
    const auto update = [&] {
        return figure.stage->update(*run_, stage_frame(inside, figure.columns, window.scale),
                                    CellLabel::value, RealFormat::decimal, window.still);
    };
    if (!update()) return;
    fit_columns(*figure.stage, inside, *run_, window.scale, figure.columns);
    update();
    if (figure.stage->arrays().empty()) figure.problem = tr("the step has no such array");
    figure.laid_out = true;
    figure.width = width;
    figure.left = left_;
    figure.scale = window.scale;
}

void LessonFigures::draw_stage_figure(ImDrawList* draw, Drawing& figure, const Rect& area,
                                      const WindowState& window) {
    WindowState own = window;
    own.still = true;  // nothing in it reacts to the mouse
    own.cells.bank_words.clear();
    const std::string no_story;
    const StagePicture picture{draw,
                               *figure.stage,
                               *run_->trace(),
                               lane_grid({area.x, 0, area.width, area.height}, figure.columns, own.scale),
                               area,
                               0,
                               own,
                               0,
                               figure.heat,
                               false,
                               no_motion,
                               no_story};
    draw_bands(picture);
    draw_arrays(picture);
    draw_arrows(picture);
    draw_queues(picture);
}

// --- Both --------------------------------------------------------------------------------------------------

float LessonFigures::figure_height(const std::string& target, float width, const WindowState& window) {
    Drawing& figure = drawing(target);
    if (!ready(figure)) return window.px(figure.problem.empty() ? waiting_px : message_px);
    if (figure.wanted->kind == lesson::Figure::Kind::stage) {
        make_stage(figure, width, window);
        if (!figure.problem.empty()) return window.px(message_px);
        return figure.laid_out ? std::ceil(std::min(figure.stage->layout().height + window.px(stage_edge_px),
                                                    window.px(limits_.most_px)))
                               : window.px(waiting_px);
    }
    make_flow(target, figure, window);
    if (!figure.problem.empty()) return window.px(message_px);
    if (!figure.flow) return window.px(waiting_px);
    if (figure.flow->matrices()) return window.px(limits_.matrices_px);
    return std::min(window.px(flow_head_px + flow_row_px * float(figure.flow->rows.size())),
                    window.px(limits_.most_px));
}

LaneColumns LessonFigures::columns(const std::string& target) {
    return drawing(target).columns;
}

LessonFigures::State LessonFigures::state(const std::string& target, const WindowState& window) {
    const Drawing& figure = drawing(target);
    State state;
    if (!figure.problem.empty())
        state.problem = run_ && !run_->run() && !run_->diagnostics().empty() ? run_->diagnostics().front()
                                                                             : error(figure.problem);
    state.empty = figure.laid_out && figure.stage->arrays().empty();
    state.made = figure.problem.empty() && (figure.flow || figure.laid_out);
    if (!state.made) return state;
    if (figure.laid_out) {
        const Rect inside{figure.left, 0, figure.width, window.px(limits_.stage_px)};
        const bool roomy = lane_grid(inside, figure.columns, window.scale).pitch >= window.px(roomy_pitch_px);
        state.whole = roomy && figure.stage->layout().height + window.px(stage_edge_px) <=
                                   window.px(limits_.most_px) + 1;
    } else {
        state.whole = figure.flow->matrices() ||
                      flow_head_px + flow_least_row_px * float(figure.flow->rows.size()) <= limits_.most_px;
    }
    return state;
}

bool LessonFigures::draw_figure(ImDrawList* draw, const std::string& target, const Rect& area,
                                const WindowState& window) {
    const ImVec2 low = draw->GetClipRectMin(), high = draw->GetClipRectMax();
    if (area.bottom() < low.y || area.y > high.y) return false;
    Drawing& figure = drawing(target);
    const bool over = hovered(area, window);
    draw->AddRectFilled(area.min(), area.max(), theme().background, window.px(4));
    draw->PushClipRect(area.min(), area.max(), true);
    if (!figure.problem.empty())
        draw_text_within(draw, fonts().text,
                         {area.x + window.px(10), centre_line(fonts().text, area.y, area.height)},
                         theme().conflict, "✗ " + figure.problem, area.width - window.px(20));
    else if (figure.flow)
        draw_flow_figure(figure, area, window);
    else if (figure.laid_out)
        draw_stage_figure(draw, figure, area, window);
    else
        draw_text_centred(draw, fonts().text, area, theme().text_faint, tr("drawing …"));
    draw->PopClipRect();
    draw->AddRect(area.min(), area.max(), over ? theme().accent : theme().line, window.px(4));
    if (!over || !figure.problem.empty()) return false;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tooltip(tr("click: show this in the window"), window);
    return ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

}  // namespace lanescope::ui
