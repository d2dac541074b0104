#include "scene/stage/stage_model.h"

#include <algorithm>
#include <utility>

namespace lanescope::scene {

namespace {

std::vector<std::uint64_t> turns_of_block(const session::Session& session,
                                          const session::StepState& step_state) {
    std::vector<std::uint64_t> turns;
    if (!step_state.launch) return turns;
    const trace::TurnIndex& index = session.playhead().replay()->turns();
    for (std::uint32_t warp = 0; warp < step_state.launch->warps_per_block(); ++warp) {
        const auto& of_warp = index.turns(step_state.step.launch, step_state.step.block, warp);
        turns.insert(turns.end(), of_warp.begin(), of_warp.end());
    }
    return turns;
}

std::uint32_t focus_thread(const session::Session& session) {
    return session.selection().warp * trace::warp_size + session.selection().lane;
}

}  // namespace

bool StageModel::update(const session::Session& session, const LayoutFrame& frame, CellLabel label,
                        RealFormat reals, bool wait) {
    jobs_.poll();
    const session::Playhead& playhead = session.playhead();
    const session::StepState* step_state = playhead.step_state();
    step_changed_ = run_changed_ = false;
    if (!step_state || !session.trace() || !playhead.replay()) {
        block_.reset();
        arrays_.clear();
        return false;
    }
    const trace::Step& step = step_state->step;
    follow_run(session, step, wait);
    if (run_changed_) load_arrays(session, *step_state);
    bool stale = flow_.update(colour_, wait);
    stale |= follow_overlays(session, step, wait);
    stale |= follow_step(session, *step_state);
    const bool last_arrived = last_shared_.update(session, arrays_, step, run_changed_, wait);
    stale |= scales_.update(session, arrays_, reals, last_shared_, last_arrived);
    const Look look{frame, label, focus_thread(session), playhead.results().concealed,
                    playhead.stands_before()};
    stale |= look_ != look;
    if (!stale) return true;

    look_ = look;
    lay_out();
    if (step_changed_ && scales_.follow_marks(scene_, layout_)) layout_ = layout_in(look_.frame);
    read_values(session, *step_state);
    if (scales_.widen(shown_)) {
        lay_out();
        read_values(session, *step_state);
    }
    make_arrows_that_have_room();
    return true;
}

void StageModel::lay_out() {
    scales_.even_out(arrays_);
    layout_ = layout_in(look_.frame);
}

void StageModel::make_arrows_that_have_room() {
    std::vector<RowShape> shapes;
    for (const ArrayPlan& plan : layout_.plans)
        shapes.push_back({plan.columns, plan.flows, plan.lead, plan.form == Form::bars});
    arrows_ = make_arrows(scene_.links, shapes);
    // Arcs need room above their row: without it they would cross out the values of the row above.
    const auto no_room = [&](const Arrow& arrow) {
        const bool inside_row = arrow.shape == Arrow::Shape::arc || arrow.shape == Arrow::Shape::bracket;
        return inside_row && layout_.plans[arrow.from.array].arc_room == 0;
    };
    if (std::erase_if(arrows_.arrows, no_room) > 0) arrows_.left_out = true;
}

bool StageModel::fits(const LayoutFrame& frame, unsigned lanes_wide, const StageLayout& usual) const {
    const StageLayout layout = layout_in(frame);
    if (frame.grid.x(lanes_wide) > frame.grid.right || layout.height > frame.panel_height) return false;
    for (std::size_t i = 0; i < layout.plans.size(); ++i) {
        const ArrayPlan& plan = layout.plans[i];
        const ArrayPlan& before = usual.plans[i];
        if (!plan.flows && plan.right() > frame.grid.right) return false;
        if (!plan.flows && plan.shown_rows < before.shown_rows * before.columns / plan.columns) return false;
        if (plan.flows && (plan.form != before.form || plan.cell_height < 0.8f * before.cell_height))
            return false;
    }
    return true;
}

// Everything is prepared again for another block, launch or run, and once the flow of the run is known.
void StageModel::follow_run(const session::Session& session, const trace::Step& step, bool wait) {
    const BlockKey block{session.runner().generation(), step.launch, step.block};
    const bool another = !block_ || block_->generation != block.generation;
    run_changed_ = flow_.take_arrived() || block_ != block;
    block_ = block;
    if (!another) return;
    turn_flow_.emplace(session.trace()->program);
    flow_.begin(*session.run(), wait);
    (void)flow_.take_arrived();  // the arrays are about to be loaded
}

void StageModel::load_arrays(const session::Session& session, const session::StepState& step_state) {
    const trace::Trace& trace = *session.trace();
    const trace::Step& step = step_state.step;
    arrays_ =
        stage_arrays(trace, step.launch, turns_of_block(session, step_state), session.run()->instance.shapes);
    if (!only_.empty())
        std::erase_if(arrays_, [&](const StageArray& array) {
            return std::find(only_.begin(), only_.end(), array.symbol->name) == only_.end();
        });
    note_copies(trace.launches[step.launch], step.block, arrays_);
    if (flow_.values()) note_value_links(trace, *flow_.values(), step.block, arrays_);
    in_clusters_ = trace.launches[step.launch].cluster.count() > 1;
    copies_.clear();
    if (session.run()->instructions) {
        const trace::Launch& launch = trace.launches[step.launch];
        copies_ = analysis::find_async_copies(trace, *session.run()->instructions, launch.first_turn,
                                              launch.end_turn);
        std::erase_if(copies_, [&](const analysis::AsyncCopy& copy) { return copy.block != step.block; });
    }
    scales_.begin(session, arrays_, banks_);
}

bool StageModel::follow_step(const session::Session& session, const session::StepState& step_state) {
    const StepKey step{step_state.index, step_state.instruction, step_state.step.first, step_state.step.end};
    step_changed_ = run_changed_ || step_ != step;
    step_ = step;
    if (step_changed_)
        scene_ =
            make_scene(*session.trace(), arrays_, step_state.details, *turn_flow_, flow_.values(), copies_);
    return step_changed_;
}

bool StageModel::follow_overlays(const session::Session& session, const trace::Step& step, bool wait) {
    if (run_changed_ || overlays_.index() != flow_.origins()) overlays_.begin(flow_.origins(), arrays_, step);
    if (run_changed_) overlays_.follow_uses(session.run()->trace, arrays_, step);
    if (!overlays_.update(step, focus_thread(session), wait)) return false;
    scales_.make_borders(arrays_, overlays_.block());
    return true;
}

void StageModel::read_values(const session::Session& session, const session::StepState& step_state) {
    const CellReader reader({session, step_state, arrays_, scene_, look_.label, look_.focus_thread,
                             overlays_.uses(), shows_origins() ? origins() : nullptr});
    one_warp_bright_ = reader.one_warp_bright();
    shown_.assign(arrays_.size(), {});
    const auto style = [&](const ArrayPlan& plan) { return scales_.style(arrays_[plan.array], plan.array); };
    for (const ArrayPlan& plan : layout_.plans)
        shown_[plan.array] = reader.read(plan, style(plan), scales_.range(plan.array));
    if (!reader.shows_before()) return;
    session.playhead().while_before([&] {
        for (const ArrayPlan& plan : layout_.plans)
            reader.read_before(plan, style(plan), shown_[plan.array]);
    });
}

void StageModel::page(std::uint32_t array, int pages) {
    if (array < layout_.plans.size()) scales_.page(layout_.plans[array], pages);
}

std::string StageModel::cell_value(const session::Session& session, const CellRef& cell) const {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || cell.array >= arrays_.size()) return {};
    const auto value = [&] { return value_text(session, *step_state, arrays_[cell.array], cell.index); };
    const CellMark* mark = scene_.mark(cell);
    if (!mark || !mark->written()) return value();
    if (session.playhead().results().concealed) return value() + " → ? (→ or R reveals it)";
    if (session.playhead().stands_before()) return value() + ", before the step writes it";
    std::string before;
    session.playhead().while_before([&] { before = value(); });
    return before + " → " + value();
}

const LinkedCells* StageModel::linked(const session::Session& session, const CellRef& cell) {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !session.playhead().replay()) return nullptr;
    return overlays_.linked(cell, step_state->step, session.playhead().replay()->position());
}

std::optional<std::uint32_t> StageModel::find(const std::string& symbol) const {
    for (std::uint32_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].symbol->name == symbol) return i;
    return {};
}

}  // namespace lanescope::scene
