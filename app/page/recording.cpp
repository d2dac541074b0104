#include "page/recording.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "execution/run/step_place.h"
#include "page/arrays.h"
#include "scene/stage/step_scene.h"
#include "scene/timeline/timeline_model.h"
#include "session/lane_explanation.h"
#include "trace/names.h"

namespace lanescope::page {
namespace {

using scene::CellSpan;
using scene::StageArray;
using trace::Space;
using trace::warp_size;

// Appends the parts of a JSON list.
class List {
  public:
    explicit List(std::string& text) : text_(text) { text_ += '['; }
    ~List() { text_ += ']'; }
    List(const List&) = delete;
    List& operator=(const List&) = delete;

    List& add(std::uint64_t number) {
        next();
        text_ += std::to_string(number);
        return *this;
    }
    List& add_text(const std::string& json) {
        next();
        text_ += json;
        return *this;
    }
    std::string& next() {
        if (!std::exchange(empty_, false)) text_ += ',';
        return text_;
    }

  private:
    std::string& text_;
    bool empty_ = true;
};

char letter(trace::LaneStatus status) {
    switch (status) {
        case trace::LaneStatus::absent:
            return ' ';
        case trace::LaneStatus::unstarted:
            return 'u';
        case trace::LaneStatus::active:
            return 'a';
        case trace::LaneStatus::ready:
            return 'r';
        case trace::LaneStatus::diverged:
            return 'd';
        case trace::LaneStatus::at_barrier:
            return 'b';
        case trace::LaneStatus::at_warp_sync:
            return 's';
        case trace::LaneStatus::finished:
            return 'f';
        case trace::LaneStatus::faulted:
            return 'x';
    }
    return ' ';
}

struct NamedValues {
    session::NamedVariable variable;
    bool in_registers = false;          // only the lane itself can change the variable
    std::vector<std::uint32_t> values;  // by thread
};

class Recording {
  public:
    Recording(session::Session& shown, StepRange range, Strings& strings)
        : shown_(shown),
          trace_(*shown.trace()),
          strings_(strings),
          steps_(shown.playhead().steps().begin() + std::ptrdiff_t(range.first),
                 shown.playhead().steps().begin() + std::ptrdiff_t(range.last) + 1),
          range_(range),
          page_(page_arrays(trace_, steps_, shown.run()->instance.shapes,
                            steps_.size() == shown.playhead().steps().size())) {
        for (const HeldCells& held : page_.held)
            cells_.emplace_back(held.end - held.first, Strings::unknown);
        for (const trace::Launch& launch : trace_.launches)
            warps_ = std::max(warps_, launch.warps_per_block());
        lanes_.resize(warps_);
        places_.resize(warps_ * warp_size);
    }

    Result<std::string> record(const RecordingWatch& watch);

  private:
    const trace::Step& step() const { return shown_.playhead().step_state()->step; }
    bool launch_begins() const { return launch_ != step().launch; }
    void add_step(std::string& out);
    void add_turns(List& parts);
    void add_changes(List& parts);
    void read_all(List& changes);
    void read_written(List& changes);
    // `block`: which made the access.
    CellSpan cells_of(const trace::Access& access, std::uint32_t block, unsigned lane) const {
        if (access.space == Space::shared && access.block_reached(block) != step().block) return {};
        return scene::cells_at(page_.arrays, access.space, access.offset[lane], access.width_bytes,
                               step().launch);
    }
    void read_cell(List& changes, std::uint32_t array, std::uint64_t cell);
    std::string text_of_cell(const StageArray& array, std::uint64_t cell) const;
    void add_accesses(List& parts);
    void add_access(std::string& out, std::uint32_t turn, std::uint32_t warp, const trace::Access& access);
    void add_lanes(List& parts);
    void add_values(List& parts);
    void add_links(List& parts, const scene::StepScene& made);
    void add_conflicts(List& parts, const scene::StepScene& made);
    std::vector<bool> moved_warps();
    void find_variables();
    bool in_registers(const std::string& name) const;
    void add_value_row(List& rows, std::size_t variable, std::uint32_t warp);
    std::string head() const;

    session::Session& shown_;
    const trace::Trace& trace_;
    Strings& strings_;
    std::vector<trace::Step> steps_;
    StepRange range_;
    PageArrays page_;
    std::vector<std::vector<std::uint32_t>> cells_;  // by array: numbers of texts
    std::vector<NamedValues> variables_;
    std::vector<std::pair<std::string, std::string>> elements_;  // of arrays by a variable: "s", "t"
    std::vector<std::pair<std::string, std::uint32_t>> lanes_;   // by warp: states and sentence
    std::vector<std::uint32_t> places_;                          // by thread: pc
    unsigned warps_ = 1;
    std::uint32_t launch_ = trace::none;
    std::uint64_t told_ = 0;  // the writes of turns before this one are in cells_
    trace::TurnDetail detail_;
    analysis::TurnFlow turns_{trace_.program};
    std::shared_ptr<const analysis::Flow> values_;
};

// Returns whether the variables of this name live in registers, and not in memory that other lanes may write.
bool Recording::in_registers(const std::string& name) const {
    for (const trace::Function& function : trace_.program.functions)
        for (const trace::Variable& variable : function.variables)
            if (variable.name == name && variable.home != trace::Variable::Home::slot &&
                variable.home != trace::Variable::Home::value)
                return false;
    return true;
}

void Recording::find_variables() {
    for (const session::NamedVariable& each :
         shown_.values().variables(shown_.selection().warp, shown_.selection().lane)) {
        const std::size_t bracket = each.name.find('[');
        if (bracket != std::string::npos) {
            std::pair element{each.name.substr(0, bracket),
                              each.name.substr(bracket + 1, each.name.size() - bracket - 2)};
            if (std::find(elements_.begin(), elements_.end(), element) == elements_.end())
                elements_.push_back(std::move(element));
            continue;
        }
        const bool known = std::any_of(variables_.begin(), variables_.end(),
                                       [&](const NamedValues& v) { return v.variable.name == each.name; });
        if (known) continue;
        variables_.push_back({each, each.per_lane && in_registers(each.name),
                              std::vector<std::uint32_t>(warps_ * warp_size, Strings::unknown)});
    }
}

Result<std::string> Recording::record(const RecordingWatch& watch) {
    if (const auto& flow = shown_.run()->flow) values_ = flow->get(watch.cancel);
    std::string steps;
    {
        List list(steps);
        for (std::size_t i = range_.first; i <= range_.last; ++i) {
            if (watch.cancel && watch.cancel->load(std::memory_order_relaxed)) return error("cancelled");
            if (watch.progress)
                watch.progress(float(i - range_.first) / float(range_.last - range_.first + 1));
            shown_.apply(session::SeekStep{i});
            add_step(list.next());
            launch_ = step().launch;
            if (steps.size() > watch.max_bytes)
                return error("the page would be too large from step " + std::to_string(i + 1) + " on",
                             "ask for fewer steps: --steps " + std::to_string(range_.first + 1) + ".." +
                                 std::to_string(range_.first + (i - range_.first) / 2 + 1));
        }
    }
    return head() + ",\"steps\":" + steps + "}";
}

std::string Recording::head() const {
    nlohmann::ordered_json json;
    json["block"] = shown_.playhead().block();
    json["first"] = range_.first;
    json["count"] = shown_.playhead().steps().size();
    json["warps"] = warps_;
    json["arrays"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < page_.arrays.size(); ++i) {
        const StageArray& array = page_.arrays[i];
        json["arrays"].push_back({{"name", array.symbol->name},
                                  {"space", trace::to_text(array.symbol->space)},
                                  {"type", trace_.program.types[array.symbol->element].name},
                                  {"launch", array.launch == trace::none ? -1 : std::int64_t(array.launch)},
                                  {"count", array.count},
                                  {"columns", array.columns},
                                  {"bars", array.view == scene::ArrayView::bars},
                                  {"letters", array.view == scene::ArrayView::text},
                                  {"labels", array.labels},
                                  {"first", page_.held[i].first},
                                  {"end", page_.held[i].end}});
    }
    // The names of the window's timeline.
    const auto timeline = scene::TimelineModel::build(
        trace_, shown_.playhead().block(), shown_.playhead().granularity(), nullptr, nullptr,
        execution::phase_lines(shown_.lesson(), shown_.run()->source));
    json["phases"] = nlohmann::ordered_json::array();
    for (const scene::TimelineMark& mark : timeline->marks())
        json["phases"].push_back(
            {mark.step, mark.launch || mark.label.starts_with("phase ") ? std::string() : mark.label});
    json["variables"] = nlohmann::ordered_json::array();
    for (const NamedValues& each : variables_)
        json["variables"].push_back({each.variable.name, each.variable.type});
    json["elements"] = elements_;
    json["label"] = shown_.selection().label_variable;
    std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.pop_back();
    return text;
}

void Recording::add_step(std::string& out) {
    List parts(out);
    parts.add(step().line).add(step().phase).add(step().launch);
    add_turns(parts);
    add_changes(parts);
    add_accesses(parts);
    add_lanes(parts);
    add_values(parts);
    const scene::StepScene made = scene::make_scene(
        trace_, page_.arrays, shown_.playhead().step_state()->details, turns_, values_.get());
    add_links(parts, made);
    add_conflicts(parts, made);
}

// Adds what the arrows of the window join: from cell to cell. Nothing if they would be a carpet.
void Recording::add_links(List& parts, const scene::StepScene& made) {
    constexpr std::size_t most = 160;
    List links(parts.next());
    if (made.links.size() > most) return;
    for (const scene::Link& link : made.links)
        links.add(link.from.array).add(link.from.index).add(link.to.array).add(link.to.index);
}

// Adds the cells that take part in a bank conflict.
void Recording::add_conflicts(List& parts, const scene::StepScene& made) {
    List conflicts(parts.next());
    for (const scene::CellMark& mark : made.marks)
        if (mark.conflict) conflicts.add(mark.cell.array).add(mark.cell.index);
}

// Adds each warp that ran, its active mask and how its turn ended: 0 goes on, 1 wrote memory, 2 waits at a
// barrier, 3 has finished.
void Recording::add_turns(List& parts) {
    List turns(parts.next());
    for (const trace::TurnDetail& detail : shown_.playhead().step_state()->details) {
        const trace::Turn& turn = trace_.turns[detail.turn];
        const bool writes =
            std::any_of(detail.accesses.begin(), detail.accesses.end(), [](const trace::Access& access) {
                return access.kind != trace::AccessKind::load && access.space != Space::local;
            });
        const unsigned kind = turn.end == trace::TurnEnd::barrier  ? 2
                              : turn.end == trace::TurnEnd::exited ? 3
                              : writes                             ? 1
                                                                   : 0;
        turns.add(turn.warp).add(turn.mask).add(kind);
    }
}

void Recording::add_changes(List& parts) {
    List changes(parts.next());
    if (launch_begins())
        read_all(changes);
    else
        read_written(changes);
    told_ = step().end;
}

void Recording::read_all(List& changes) {
    for (std::uint32_t i = 0; i < page_.arrays.size(); ++i) {
        if (!page_.arrays[i].exists_in(step().launch)) continue;
        for (std::uint64_t cell = page_.held[i].first; cell < page_.held[i].end; ++cell)
            read_cell(changes, i, cell);
    }
}

// Reads the cells that this block wrote and the cells of global memory that other blocks wrote since the
// previous step.
void Recording::read_written(List& changes) {
    std::set<std::pair<std::uint32_t, std::uint64_t>> written;
    for (std::uint64_t turn = told_; turn < step().end; ++turn) {
        const std::uint32_t block = trace_.turns[turn].block;
        trace::decode(trace_, turn, detail_);
        for (const trace::Access& access : detail_.accesses) {
            if (access.kind == trace::AccessKind::load || access.space == Space::local) continue;
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(access.mask >> lane & 1)) continue;
                const CellSpan cells = cells_of(access, block, lane);
                for (std::uint32_t i = 0; i < cells.count; ++i)
                    written.insert({cells.array, cells.first + i});
            }
        }
    }
    for (const auto& [array, cell] : written)
        if (cell >= page_.held[array].first && cell < page_.held[array].end) read_cell(changes, array, cell);
}

void Recording::read_cell(List& changes, std::uint32_t array, std::uint64_t cell) {
    const std::uint32_t value = strings_.of(text_of_cell(page_.arrays[array], cell));
    std::uint32_t& known = cells_[array][cell - page_.held[array].first];
    if (std::exchange(known, value) == value) return;
    changes.add(array).add(cell).add(value);
}

std::string Recording::text_of_cell(const StageArray& array, std::uint64_t cell) const {
    std::vector<std::byte> bytes(array.cell_bytes);
    const std::unique_ptr<bool[]> set(new bool[array.cell_bytes]());
    const bool shared = array.symbol->space == Space::shared;
    shown_.playhead().replay()->read(array.symbol->space, step().launch, shared ? step().block : 0,
                                     array.symbol->offset + cell * array.cell_bytes, bytes,
                                     {set.get(), array.cell_bytes});
    if (!std::all_of(set.get(), set.get() + array.cell_bytes, [](bool byte) { return byte; })) return {};
    return format_value(trace_.program.types, array.symbol->element, bytes);
}

void Recording::add_accesses(List& parts) {
    List accesses(parts.next());
    std::uint32_t turn = 0;
    for (const trace::TurnDetail& detail : shown_.playhead().step_state()->details) {
        for (const trace::Access& access : detail.accesses) {
            if (access.space == Space::local) continue;
            std::string text;
            add_access(text, turn, trace_.turns[detail.turn].warp, access);
            if (!text.empty()) accesses.add_text(text);
        }
        ++turn;
    }
}

// [turn of the step, kind, array, warp, mask, cells a lane, then either 1, first, stride or 0 and each lane's
// first cell]. The lanes of one instruction may access different arrays; the mask has the lanes of this
// array.
void Recording::add_access(std::string& out, std::uint32_t turn, std::uint32_t warp,
                           const trace::Access& access) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<trace::Mask, std::vector<std::uint64_t>>>
        parts;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(access.mask >> lane & 1)) continue;
        const CellSpan cells = cells_of(access, step().block, lane);
        if (cells.count == 0) continue;
        auto& part = parts[{cells.array, cells.count}];
        part.first |= 1u << lane;
        part.second.push_back(cells.first);
    }
    for (const auto& [key, part] : parts) {
        const std::vector<std::uint64_t>& cells = part.second;
        bool even = true;
        const std::int64_t stride = cells.size() > 1 ? std::int64_t(cells[1]) - std::int64_t(cells[0]) : 0;
        for (std::size_t i = 1; i < cells.size(); ++i)
            even &= std::int64_t(cells[i]) - std::int64_t(cells[i - 1]) == stride;
        if (!out.empty()) out += ',';
        List list(out);
        list.add(turn)
            .add(std::uint64_t(access.kind))
            .add(key.first)
            .add(warp)
            .add(part.first)
            .add(key.second);
        if (even) {
            list.add(1).add(cells[0]).add_text(std::to_string(stride));
            continue;
        }
        list.add(0);
        for (const std::uint64_t cell : cells)
            list.add(cell);
    }
}

// Adds the states and sentences of warps whose states or sentences differ from the previous step.
void Recording::add_lanes(List& parts) {
    List rows(parts.next());
    const auto& now = shown_.playhead().step_state()->warps;
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
        std::string states(warp_size, ' ');
        if (warp < now.size())
            for (unsigned lane = 0; lane < warp_size; ++lane)
                states[lane] = now[warp][lane].status == trace::LaneStatus::active &&
                                       (shown_.playhead().step_state()->acted[warp] >> lane & 1) == 0
                                   ? 'e'
                                   : letter(now[warp][lane].status);
        const std::uint32_t sentence = strings_.of(session::warp_words(shown_, warp));
        const std::pair told{states, sentence};
        if (lanes_[warp] == told) continue;
        lanes_[warp] = told;
        List row(rows.next());
        row.add(warp).add_text('"' + states + '"').add(sentence);
    }
}

void Recording::add_values(List& parts) {
    find_variables();
    const std::vector<bool> moved = moved_warps();
    List rows(parts.next());
    for (std::size_t i = 0; i < variables_.size(); ++i)
        for (std::uint32_t warp = 0; warp < warps_; ++warp)
            if (moved[warp] || !variables_[i].in_registers) add_value_row(rows, i, warp);
}

// Returns the warps whose lanes ran or moved to another pc. A barrier that opens moves lanes to a place where
// other variables are in scope.
std::vector<bool> Recording::moved_warps() {
    std::vector<bool> moved(warps_, launch_begins());
    for (const trace::TurnDetail& detail : shown_.playhead().step_state()->details)
        moved[trace_.turns[detail.turn].warp] = true;
    const auto& now = shown_.playhead().step_state()->warps;
    for (std::uint32_t warp = 0; warp < now.size(); ++warp)
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
            if (std::exchange(places_[warp * warp_size + lane], now[warp][lane].pc) != now[warp][lane].pc)
                moved[warp] = true;
    return moved;
}

// [variable, warp, mask of the lanes whose value changed, the new value if it is the same in all of them,
// else each lane's].
void Recording::add_value_row(List& rows, std::size_t variable, std::uint32_t warp) {
    NamedValues& known = variables_[variable];
    trace::Mask changed = 0;
    std::vector<std::uint32_t> values;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        const session::LaneValue value = shown_.values().value(known.variable.name, warp, lane);
        const std::uint32_t number = value.set       ? strings_.of(value.text)
                                     : value.visible ? Strings::unset
                                                     : Strings::unknown;
        if (std::exchange(known.values[warp * warp_size + lane], number) == number) continue;
        changed |= 1u << lane;
        values.push_back(number);
    }
    if (changed == 0) return;
    List row(rows.next());
    row.add(variable).add(warp).add(changed);
    const bool same =
        std::all_of(values.begin(), values.end(), [&](std::uint32_t v) { return v == values[0]; });
    for (const std::uint32_t value : same ? std::vector{values[0]} : values)
        row.add(value);
}

}  // namespace

Result<std::string> record_block(session::Session& shown, StepRange range, Strings& strings,
                                 const RecordingWatch& watch) {
    return Recording(shown, range, strings).record(watch);
}

}  // namespace lanescope::page
