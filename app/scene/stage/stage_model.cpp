#include "scene/stage/stage_model.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/text.h"

namespace lanescope::scene {

namespace {

using trace::Space;

bool same(const LayoutFrame& a, const LayoutFrame& b) {
    return a.grid.label_x == b.grid.label_x && a.grid.cells_x == b.grid.cells_x &&
           a.grid.pitch == b.grid.pitch && a.grid.right == b.grid.right && a.panel_height == b.panel_height &&
           a.scale == b.scale && a.zoom == b.zoom && a.fit == b.fit && a.tall == b.tall &&
           a.sizes.data() == b.sizes.data();
}

std::uint64_t instance_of(const trace::Symbol& symbol, std::uint32_t block) {
    return symbol.space == Space::shared ? block : 0;
}

// Bytes of some cells with a flag for each byte that has a value.
struct Bytes {
    std::vector<std::byte> bytes;
    std::unique_ptr<bool[]> set;
    std::span<const bool> flags() const { return {set.get(), bytes.size()}; }
};

Bytes read_cells(const session::Session& session, const session::StepState& step_state,
                 const StageArray& array, std::uint64_t first, std::uint64_t count) {
    Bytes read;
    if (first >= array.count) return read;
    count = std::min(count, array.count - first);
    read.bytes.resize(count * array.cell_bytes);
    read.set.reset(new bool[read.bytes.size()]());
    const trace::Symbol& symbol = *array.symbol;
    session.playhead().replay()->read(symbol.space, step_state.step.launch,
                                      instance_of(symbol, step_state.step.block),
                                      symbol.offset + first * array.cell_bytes, read.bytes,
                                      std::span<bool>(read.set.get(), read.bytes.size()));
    return read;
}

bool cell_set(const ValueType& type, std::span<const bool> flags) {
    const auto is_set = [](bool flag) { return flag; };
    const bool parts = type.kind == ValueType::Kind::structure || type.kind == ValueType::Kind::array;
    return parts ? std::any_of(flags.begin(), flags.end(), is_set)
                 : std::all_of(flags.begin(), flags.end(), is_set);
}

std::vector<std::uint64_t> turns_of_block(const session::Session& session,
                                          const session::StepState& step_state) {
    std::vector<std::uint64_t> turns;
    const trace::TurnIndex* index =
        (session.playhead().replay() ? &session.playhead().replay()->turns() : nullptr);
    if (!index || !step_state.launch) return turns;
    for (std::uint32_t warp = 0; warp < step_state.launch->warps_per_block(); ++warp) {
        const auto& of_warp = index->turns(step_state.step.launch, step_state.step.block, warp);
        turns.insert(turns.end(), of_warp.begin(), of_warp.end());
    }
    return turns;
}

std::uint32_t focus_thread(const session::Session& session) {
    return session.selection().warp * trace::warp_size + session.selection().lane;
}

bool has_reals(const TypeTable& types, TypeId type) {
    const ValueType& shown = types[type];
    return shown.scalar == Scalar::floating ||
           std::any_of(shown.members.begin(), shown.members.end(), [&](const TypeMember& member) {
               return types[member.type].scalar == Scalar::floating;
           });
}

std::uint64_t first_index(const ArrayPlan& plan, std::uint64_t row) {
    return row == 0 ? 0 : plan.index_at(row, 0);
}

// Marks of one array: a range of the scene's marks.
std::span<const CellMark> marks_of(const StepScene& scene, std::uint32_t array) {
    const auto begin =
        std::lower_bound(scene.marks.begin(), scene.marks.end(), CellRef{array, 0},
                         [](const CellMark& mark, const CellRef& cell) { return mark.cell < cell; });
    const auto end =
        std::lower_bound(begin, scene.marks.end(), CellRef{array + 1, 0},
                         [](const CellMark& mark, const CellRef& cell) { return mark.cell < cell; });
    return {begin, end};
}

}  // namespace

bool StageModel::update(const session::Session& session, const LayoutFrame& frame, CellLabel label,
                        RealFormat reals, bool wait) {
    jobs_.poll();
    const session::StepState* step_state = session.playhead().step_state();
    step_changed_ = run_changed_ = false;
    if (!step_state || !session.trace() || !session.playhead().replay()) {
        generation_ = ~0ull;
        arrays_.clear();
        return false;
    }
    const trace::Step& step = step_state->step;
    const bool new_run =
        session.runner().generation() != generation_ || step.launch != launch_ || step.block != block_;
    if (session.runner().generation() != generation_) {
        flow_.emplace(session.trace()->program);
        follow_values(session, wait);
    }
    if (new_run) load_run(session, *step_state);
    run_changed_ = new_run;
    follow_origins(wait);
    follow_overlays(session, *step_state, wait);
    if (new_run || step_state->index != step_ || step_state->instruction != instruction_ ||
        step.first != first_turn_ || step.end != end_turn_)
        load_step(session, *step_state);
    if (new_run || (!last_shared_asked_ && session.run()->report_ready)) read_last_shared(session, wait);
    if (std::exchange(last_shared_read_, false)) {
        widen_to_last_shared(session);
        dirty_ = true;
    }
    if (reals != reals_) {  // other texts need other widths
        reals_ = reals;
        for (std::size_t i = 0; i < arrays_.size(); ++i)
            hints_[i].widest_chars = 1;
        for (std::size_t i = 0; i < arrays_.size(); ++i)
            note_contents(session, i);
        widen_to_last_shared(session);
        dirty_ = true;
    }
    if (!same(frame, frame_) || label != label_ || focus_thread(session) != focus_thread_) dirty_ = true;
    const session::Playhead& playhead = session.playhead();
    dirty_ |= playhead.results().concealed != concealed_ || playhead.stands_before() != before_;
    concealed_ = playhead.results().concealed;
    before_ = playhead.stands_before();
    if (!dirty_) return true;

    frame_ = frame;
    label_ = label;
    focus_thread_ = focus_thread(session);
    even_out_widths();
    layout_ = make_layout(arrays_, hints_, frame_);
    if (step_changed_ && follow_marks()) layout_ = make_layout(arrays_, hints_, frame_);
    load_values(session, *step_state);
    if (widen()) {
        even_out_widths();
        layout_ = make_layout(arrays_, hints_, frame_);
        load_values(session, *step_state);
    }
    make_arrows_that_have_room();
    dirty_ = false;
    return true;
}

void StageModel::make_arrows_that_have_room() {
    std::vector<RowShape> shapes;
    for (const ArrayPlan& plan : layout_.plans)
        shapes.push_back({plan.columns, plan.flows, plan.lead});
    arrows_ = make_arrows(scene_.links, shapes);
    // Arcs need room above their row: without it they would cross out the values of the row above.
    const auto no_room = [&](const Arrow& arrow) {
        const bool inside_row = arrow.shape == Arrow::Shape::arc || arrow.shape == Arrow::Shape::bracket;
        return inside_row && layout_.plans[arrow.from.array].arc_room == 0;
    };
    if (std::erase_if(arrows_.arrows, no_room) > 0) arrows_.left_out = true;
}

bool StageModel::fits(const LayoutFrame& frame, unsigned lanes_wide, const StageLayout& usual) const {
    const StageLayout layout = make_layout(arrays_, hints_, frame);
    if (frame.grid.x(lanes_wide) > frame.grid.right || layout.height > frame.panel_height) return false;
    for (std::size_t i = 0; i < layout.plans.size(); ++i) {
        const ArrayPlan& plan = layout.plans[i];
        const ArrayPlan& before = usual.plans[i];
        if (!plan.flows && plan.x + plan.width() > frame.grid.right) return false;
        if (!plan.flows && plan.shown_rows < before.shown_rows * before.columns / plan.columns) return false;
        if (plan.flows && (plan.form != before.form || plan.cell_height < 0.8f * before.cell_height))
            return false;
    }
    return true;
}

void StageModel::load_run(const session::Session& session, const session::StepState& step_state) {
    generation_ = session.runner().generation();
    launch_ = step_state.step.launch;
    block_ = step_state.step.block;
    const trace::Trace& trace = *session.trace();
    arrays_ =
        stage_arrays(trace, launch_, turns_of_block(session, step_state), session.run()->instance.shapes);
    if (!only_.empty())
        std::erase_if(arrays_, [&](const StageArray& array) {
            return std::find(only_.begin(), only_.end(), array.symbol->name) == only_.end();
        });
    if (values_) note_value_links(trace, *values_, block_, arrays_);
    hints_.assign(arrays_.size(), {});
    ranges_.assign(arrays_.size(), {});
    shows_reals_ = false;
    in_clusters_ = trace.launches[launch_].cluster.count() > 1;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        const TypeId type = arrays_[i].symbol->element;
        hints_[i].lines = arrays_[i].flows() ? 1 : stacked_lines(trace.program.types, type);
        hints_[i].banks = banks_ && arrays_[i].symbol->space == Space::shared;
        shows_reals_ |= has_reals(trace.program.types, type);
    }
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (arrays_[i].use.touched()) hints_[i].window_index = arrays_[i].use.first;
        note_contents(session, i);
        if (arrays_[i].view == ArrayView::bars) ranges_[i].include(0);
    }
}

CellStyle StageModel::style_of(std::size_t array) const {
    return {reals_, hints_[array].lines > 1, arrays_[array].symbol->text};
}

// The run does not keep the contents of shared arrays, so a job replays the launch to its end.
void StageModel::read_last_shared(const session::Session& session, bool wait) {
    constexpr std::uint64_t looked_at_bytes = 1 << 16;
    constexpr std::size_t read_at_once = 1'000'000;  // turns: a frame waits for the job
    const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
    jobs_.cancel(last_shared_job);
    last_shared_.clear();
    last_shared_asked_ = true;
    if (trace->launches[launch_].shared.empty()) return;
    const std::uint64_t end = trace->launches[launch_].end_turn;
    last_shared_asked_ = session.playhead().replay()->is_near(end, end);
    if (!last_shared_asked_) return;
    std::vector<std::pair<std::size_t, const trace::Symbol*>> shared;
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].symbol->space == Space::shared && arrays_[i].cell_bytes != 0)
            shared.emplace_back(i, arrays_[i].symbol);
    jobs_.start(
        last_shared_job, [=, this, launch = launch_, block = block_](JobContext&) -> Jobs::Completion {
            auto contents = std::make_shared<std::vector<LastContents>>();
            trace::Replay replay(trace);
            replay.seek(end);
            for (const auto& [number, symbol] : shared) {
                const std::uint64_t size = std::min(symbol->size_bytes, looked_at_bytes);
                LastContents last{number, std::vector<std::byte>(size), std::make_unique<bool[]>(size)};
                replay.read(symbol->space, launch, block, symbol->offset, last.bytes, {last.set.get(), size});
                contents->push_back(std::move(last));
            }
            return [this, contents] {
                last_shared_ = std::move(*contents);
                last_shared_read_ = true;
            };
        });
    if (wait || trace->turns.size() < read_at_once) jobs_.wait(last_shared_job);
    jobs_.poll();
}

void StageModel::widen_to_last_shared(const session::Session& session) {
    const TypeTable& types = session.trace()->program.types;
    for (const LastContents& last : last_shared_) {
        const StageArray& array = arrays_[last.array];
        const int widest = widest_cell(types, array.symbol->element, array.cell_bytes, last.bytes,
                                       {last.set.get(), last.bytes.size()}, style_of(last.array));
        hints_[last.array].widest_chars = std::max(hints_[last.array].widest_chars, widest);
        if (array.view != ArrayView::bars) continue;
        // Bars keep their scale from step to step, and they only grow.
        for (std::size_t at = 0; at + array.cell_bytes <= last.bytes.size(); at += array.cell_bytes)
            if (cell_set(types[array.symbol->element], {last.set.get() + at, array.cell_bytes}))
                ranges_[last.array].include(numeric_value(
                    types, array.symbol->element, std::span(last.bytes).subspan(at, array.cell_bytes)));
    }
}

// Widths and colours of a buffer come from its first and last contents, so that they stay the same from step
// to step.
void StageModel::note_contents(const session::Session& session, std::size_t array) {
    const session::RunResult* run = session.run();
    const trace::Symbol& symbol = *arrays_[array].symbol;
    if (!run || !symbol.buffer) return;
    const TypeTable& types = session.trace()->program.types;
    const std::uint32_t size = arrays_[array].cell_bytes;
    const auto note = [&](std::span<const std::byte> bytes) {
        hints_[array].widest_chars = std::max(
            hints_[array].widest_chars, widest_cell(types, symbol.element, size, bytes, {}, style_of(array)));
        const std::size_t cells = bytes.size() / size, stride = std::max<std::size_t>(1, cells / 4096);
        for (std::size_t i = 0; i < cells; i += stride)
            ranges_[array].include(numeric_value(types, symbol.element, bytes.subspan(i * size, size)));
    };
    for (const lesson::BufferInstance& buffer : run->instance.buffers)
        if (buffer.name == symbol.name && buffer.initialised) note(buffer.contents);
    for (const session::BufferView& buffer : run->buffers) {
        const bool all_set = std::find(buffer.set.begin(), buffer.set.end(), false) == buffer.set.end();
        if (buffer.name == symbol.name && all_set) note(buffer.contents);
    }
}

void StageModel::load_step(const session::Session& session, const session::StepState& step_state) {
    step_ = step_state.index;
    instruction_ = step_state.instruction;
    first_turn_ = step_state.step.first;
    end_turn_ = step_state.step.end;
    scene_ = make_scene(*session.trace(), arrays_, step_state.details, *flow_, values_.get());
    step_changed_ = dirty_ = true;
}

bool StageModel::follow_marks() {
    bool moved = false;
    for (const ArrayPlan& plan : layout_.plans) {
        const std::span<const CellMark> marks = marks_of(scene_, plan.array);
        if (marks.empty()) continue;
        ArrayHint& hint = hints_[plan.array];
        const std::uint64_t row =
            follow_window(plan.first_row, plan.shown_rows, plan.rows, plan.row_of(marks.front().cell.index),
                          plan.row_of(marks.back().cell.index));
        const auto column_of = [&](const CellMark& mark) { return plan.column_of(mark.cell.index); };
        const auto [left, right] = std::ranges::minmax(marks, {}, column_of);
        const std::uint64_t column = plan.shown_columns < plan.columns
                                         ? follow_window(plan.first_column, plan.shown_columns, plan.columns,
                                                         column_of(left), column_of(right))
                                         : 0;
        moved |= row != plan.first_row || column != plan.first_column;
        hint.window_index = first_index(plan, row);
        hint.window_column = column;
    }
    return moved;
}

// In a step of many warps the pinned warp's cells stand out, because only the pattern of one warp can be
// read.
bool StageModel::many_warps() const {
    std::vector<std::uint32_t> warps;
    bool matrix = false;
    for (const CellAccess& access : scene_.accesses) {
        warps.push_back(access.thread / trace::warp_size);
        matrix |= arrays_[access.cell.array].is_matrix();
    }
    std::sort(warps.begin(), warps.end());
    const auto count = std::unique(warps.begin(), warps.end()) - warps.begin();
    const bool focus_takes_part =
        std::binary_search(warps.begin(), warps.begin() + count, focus_thread_ / trace::warp_size);
    return focus_takes_part && count > (matrix ? 2 : 8);
}

bool StageModel::touched_by_focus(const CellMark& mark) const {
    const auto accesses = scene_.accesses_of(mark);
    return std::any_of(accesses.begin(), accesses.end(), [&](const CellAccess& access) {
        return access.thread / trace::warp_size == focus_thread_ / trace::warp_size;
    });
}

void StageModel::load_values(const session::Session& session, const session::StepState& step_state) {
    one_warp_bright_ = many_warps();
    shown_.assign(arrays_.size(), {});
    for (const ArrayPlan& plan : layout_.plans)
        load_array(session, step_state, plan);
    const bool written = std::any_of(scene_.marks.begin(), scene_.marks.end(),
                                     [](const CellMark& mark) { return mark.written(); });
    if (!written || before_ || label_ != CellLabel::value) return;
    session.playhead().while_before([&] {
        for (const ArrayPlan& plan : layout_.plans)
            load_before(session, step_state, plan);
    });
}

// Adds what the written cells held before the step.
void StageModel::load_before(const session::Session& session, const session::StepState& step_state,
                             const ArrayPlan& plan) {
    if (plan.text.size < 0) return;
    const StageArray& array = arrays_[plan.array];
    const TypeTable& types = session.trace()->program.types;
    const TypeId element = array.symbol->element;
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const std::uint64_t skipped = plan.first_row + row == 0 ? plan.lead : 0;
        const auto cells = std::span(shown_[plan.array].cells)
                               .subspan(row * plan.shown_columns + skipped,
                                        static_cast<std::size_t>(plan.shown_columns - skipped));
        const auto written = [](const ShownCell& cell) { return cell.mark && cell.mark->written(); };
        if (std::none_of(cells.begin(), cells.end(), written)) continue;
        const Bytes read =
            read_cells(session, step_state, array,
                       plan.index_at(plan.first_row + row, plan.first_column + skipped), cells.size());
        for (std::size_t i = 0; i < read.bytes.size() / array.cell_bytes; ++i) {
            const std::size_t at = i * array.cell_bytes;
            if (!written(cells[i]) || !cell_set(types[element], read.flags().subspan(at, array.cell_bytes)))
                continue;
            cells[i].was_set = true;
            std::string text = cell_text(types, element, std::span(read.bytes).subspan(at, array.cell_bytes),
                                         plan.text.max_chars, style_of(plan.array));
            if (text != cells[i].text) cells[i].before = std::move(text);
        }
    }
}

void StageModel::load_array(const session::Session& session, const session::StepState& step_state,
                            const ArrayPlan& plan) {
    const StageArray& array = arrays_[plan.array];
    const trace::Symbol& symbol = *array.symbol;
    const TypeTable& types = session.trace()->program.types;
    ShownArray& shown = shown_[plan.array];
    const CellStyle style = style_of(plan.array);
    shown.cells.resize(plan.shown_rows * plan.shown_columns);
    const CellUses* uses = overlays_.uses();
    const std::uint64_t position = session.playhead().replay()->position();
    const bool banks = label_ == CellLabel::bank && symbol.space == Space::shared;
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const std::uint64_t skipped = plan.first_row + row == 0 ? plan.lead : 0;
        const std::uint64_t first = plan.index_at(plan.first_row + row, plan.first_column + skipped);
        const Bytes read = read_cells(session, step_state, array, first, plan.shown_columns - skipped);
        std::vector<CellOrigin> origins(shows_origins_ ? read.bytes.size() / array.cell_bytes : 0);
        if (shows_origins_) origins_->read(arrays_, array, step_state.step, position, first, origins);
        for (std::uint64_t i = 0; i < read.bytes.size() / array.cell_bytes; ++i) {
            ShownCell& cell = shown.cells[row * plan.shown_columns + skipped + i];
            const std::size_t at = i * array.cell_bytes;
            const auto bytes = std::span(read.bytes).subspan(at, array.cell_bytes);
            cell.exists = true;
            cell.set = cell_set(types[symbol.element], read.flags().subspan(at, array.cell_bytes));
            shown.any_set |= cell.set;
            cell.mark = scene_.mark({plan.array, first + i});
            cell.faded = cell.set && !cell.mark && !shows_origins_ && uses != nullptr &&
                         uses->dead(plan.array, first + i, position);
            if (shows_origins_) cell.origin = origins[i];
            cell.dimmed = one_warp_bright_ && cell.mark && !touched_by_focus(*cell.mark);
            if (cell.set) {
                cell.number = numeric_value(types, symbol.element, bytes);
                ranges_[plan.array].include(cell.number);
            }
            cell.hidden = concealed_ && cell.mark && cell.mark->written();
            if (plan.text.size < 0) continue;
            if (label_ == CellLabel::index || banks) {
                const std::uint64_t bank = (symbol.offset + (first + i) * array.cell_bytes) / 4 % 32;
                cell.text = std::to_string(banks ? bank : first + i);
            } else {
                cell.text =
                    cell.set ? cell_text(types, symbol.element, bytes, plan.text.max_chars, style) : "?";
                if (cell.set)
                    shown.widest = std::max(shown.widest, wanted_chars(types, symbol.element, bytes, style));
            }
            if (cell.hidden &&
                label_ == CellLabel::value) {  // the old value is an operand, and stays visible
                if (cell.set) cell.before = std::move(cell.text);
                cell.text = "?";
            }
            const bool one_line = cell.text.find('\n') == std::string::npos;
            if (one_line && character_count(cell.text) > static_cast<std::size_t>(plan.text.max_chars))
                cell.text = "…";
        }
    }
    for (ShownCell& cell : shown.cells) {
        shown.any_faded |= cell.faded;
        shown.any_several |= cell.origin.kind == CellOrigin::Kind::several;
        shown.any_unknown |= cell.origin.kind == CellOrigin::Kind::unknown;
        if (cell.set) cell.share = ranges_[plan.array].share(cell.number);
    }
    if (plan.form == Form::bars) measure_bars(session, step_state, plan);
}

// Cells never get narrower from step to step, so that the picture does not jump to and fro.
bool StageModel::widen() {
    bool wider = false;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        if (shown_[i].widest <= hints_[i].widest_chars) continue;
        hints_[i].widest_chars = shown_[i].widest;
        wider = true;
    }
    return wider;
}

void StageModel::page(std::uint32_t array, int pages) {
    if (array >= layout_.plans.size()) return;
    const ArrayPlan& plan = layout_.plans[array];
    const std::int64_t step = static_cast<std::int64_t>(plan.shown_rows) * pages;
    const auto furthest = static_cast<std::int64_t>(plan.rows - plan.shown_rows);
    const std::int64_t row =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(plan.first_row) + step, 0, furthest);
    hints_[array].window_index = first_index(plan, static_cast<std::uint64_t>(row));
    dirty_ = true;
}

std::string StageModel::cell_value(const session::Session& session, const CellRef& cell) const {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || cell.array >= arrays_.size()) return {};
    const StageArray& array = arrays_[cell.array];
    const auto value = [&] {
        const Bytes read = read_cells(session, *step_state, array, cell.index, 1);
        const TypeTable& types = session.trace()->program.types;
        if (read.bytes.empty() || !cell_set(types[array.symbol->element], read.flags()))
            return std::string("not set");
        return format_value(types, array.symbol->element, read.bytes);
    };
    const CellMark* mark = scene_.mark(cell);
    if (!mark || !mark->written()) return value();
    if (session.playhead().results().concealed) return value() + " → ? (→ or R reveals it)";
    if (session.playhead().stands_before()) return value() + ", before the step writes it";
    std::string before;
    session.playhead().while_before([&] { before = value(); });
    return before + " → " + value();
}

std::optional<std::uint32_t> StageModel::find(const std::string& symbol) const {
    for (std::uint32_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].symbol->name == symbol) return i;
    return {};
}

}  // namespace lanescope::scene
