#include "scene/warps/warps_model.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "session/lane_explanation.h"

namespace lanescope::scene {

namespace {

constexpr std::size_t fan_lanes = 5;  // a lane that feeds so many others gets one wide arrow
constexpr std::size_t looked_at_turns = 20000;

const trace::Symbol* find_symbol(const trace::Trace& trace, const session::StepState& step_state,
                                 const std::string& name) {
    const auto named = [&](const trace::Symbol& symbol) { return symbol.name == name; };
    if (step_state.launch)
        for (const trace::Symbol& symbol : step_state.launch->shared)
            if (named(symbol)) return &symbol;
    const auto at = std::find_if(trace.symbols.begin(), trace.symbols.end(), named);
    return at == trace.symbols.end() ? nullptr : &*at;
}

void add_fans(std::map<std::uint8_t, std::vector<Link>>& by_source, ArrowSet& set,
              std::vector<Link>& singles) {
    for (auto& [source, links] : by_source) {
        if (links.size() < fan_lanes) {
            singles.insert(singles.end(), links.begin(), links.end());
            continue;
        }
        Arrow arrow;
        arrow.shape = Arrow::Shape::bracket;
        arrow.from = {0, 0, 0, source, source};
        arrow.to = {0, 0, 0, links.front().to.index, links.front().to.index};
        arrow.first_thread = arrow.last_thread = links.front().thread;
        arrow.count = 0;
        for (const Link& link : links) {
            arrow.to.include(0, link.to.index);
            arrow.last_thread = std::max(arrow.last_thread, link.thread);
            ++arrow.count;
        }
        set.arrows.push_back(arrow);
    }
}

}  // namespace

std::vector<std::uint32_t> threads_touching(const trace::Trace& trace, const session::StepState& step_state,
                                            const std::string& name, std::uint64_t index) {
    std::vector<std::uint32_t> threads;
    const trace::Symbol* symbol = find_symbol(trace, step_state, name);
    if (!symbol) return threads;
    std::uint64_t size = trace.program.types[symbol->element].size_bytes;
    if (size == 0) size = 1;
    const std::uint64_t begin = symbol->offset + index * size, end = begin + size;
    for (const trace::TurnDetail& detail : step_state.details)
        for (const trace::Access& access : detail.accesses) {
            if (access.space != symbol->space || access.owner != trace::none) continue;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane)
                if ((access.mask >> lane & 1) && access.offset[lane] < end &&
                    begin < access.offset[lane] + access.width_bytes)
                    threads.push_back(trace.turns[detail.turn].warp * trace::warp_size + lane);
        }
    std::sort(threads.begin(), threads.end());
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    return threads;
}

ArrowSet exchange_arrows(const trace::Trace& trace, std::span<const trace::TurnDetail> details,
                         std::uint32_t warp) {
    // Only the last of several exchanges in one step is drawn: arrows over each other could not be read.
    const trace::Exchange* last = nullptr;
    for (const trace::TurnDetail& detail : details)
        if (detail.turn < trace.turns.size() && trace.turns[detail.turn].warp == warp &&
            !detail.exchanges.empty())
            last = &detail.exchanges.back();
    ArrowSet set;
    if (!last) return set;
    std::map<std::uint8_t, std::vector<Link>> by_source;
    for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
        const std::uint8_t source = last->source[lane];
        if ((last->mask >> lane & 1) && source != lane && source < trace::warp_size)
            by_source[source].push_back({{0, source}, {0, lane}, warp * trace::warp_size + lane, false});
    }
    std::vector<Link> singles;
    add_fans(by_source, set, singles);
    std::sort(singles.begin(), singles.end());
    singles.erase(std::unique(singles.begin(), singles.end()), singles.end());
    const RowShape shapes[] = {{trace::warp_size, false}};
    ArrowSet plain = make_arrows(singles, shapes);
    set.arrows.insert(set.arrows.end(), plain.arrows.begin(), plain.arrows.end());
    return set;
}

bool WarpsModel::block_exchanges(const session::Session& session) const {
    const session::StepState& step_state = *session.playhead().step_state();
    const trace::TurnIndex* index =
        (session.playhead().replay() ? &session.playhead().replay()->turns() : nullptr);
    if (!index || !step_state.launch) return false;
    trace::TurnDetail detail;
    std::size_t looked_at = 0;
    for (std::uint32_t warp = 0; warp < step_state.launch->warps_per_block(); ++warp)
        for (std::uint64_t turn : index->turns(step_state.step.launch, step_state.step.block, warp)) {
            trace::decode(*session.trace(), turn, detail);
            if (!detail.exchanges.empty()) return true;
            if (++looked_at == looked_at_turns) return false;
        }
    return false;
}

bool WarpsModel::update(const session::Session& session, const std::string& colour) {
    if (!session.playhead().step_state() || !session.trace()) {
        generation_ = ~0ull;
        return false;
    }
    const session::StepState& step_state = *session.playhead().step_state();
    const trace::Step& step = step_state.step;
    const session::Selection& selection = session.selection();
    const bool new_run =
        session.runner().generation() != generation_ || step.launch != launch_ || step.block != block_;
    const bool moved = new_run || step.first != first_turn_ || step.end != end_turn_ ||
                       step_state.instruction != instruction_;
    const bool told =
        session.playhead().results().concealed != concealed_ || session.playhead().stands_before() != before_;
    if (moved || told || label_ != selection.label_variable || colour_ != colour) {
        warps_.assign(step_state.warps.size(), {});
        range_ = {};
        widest_ = 1;
    }
    if (moved) variables_ = session.values().variables(session.selection().warp, session.selection().lane);
    touching_.clear();
    if (!selection.hovered_symbol.empty())
        touching_ =
            threads_touching(*session.trace(), step_state, selection.hovered_symbol, selection.hovered_index);
    generation_ = session.runner().generation();
    launch_ = step.launch;
    block_ = step.block;
    first_turn_ = step.first;
    end_turn_ = step.end;
    instruction_ = step_state.instruction;
    label_ = selection.label_variable;
    concealed_ = session.playhead().results().concealed;
    before_ = session.playhead().stands_before();
    colour_ = colour;
    if (new_run) has_exchanges_ = block_exchanges(session);
    return true;
}

void WarpsModel::prepare(const session::Session& session, std::uint32_t number) {
    if (std::exchange(warps_[number].ready, true)) return;
    ShownWarp& warp = warps_[number].shown;
    const session::StepState& step_state = *session.playhead().step_state();
    warp.summary = summarise(step_state.warps[number], step_state.acted[number]);
    warp.sentence = session::warp_words(session, number);
    warp.exchanges = exchange_arrows(*session.trace(), step_state.details, number);
    if (!label_.empty()) warp.values = session.values().values(label_, number);
    for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
        const session::LaneValue& value = warp.values[lane];
        if (value.set) widest_ = std::max(widest_, static_cast<int>(character_count(value.text)));
        if (colour_.empty()) continue;
        warp.colours[lane] = colour_ == label_ ? value : session.values().value(colour_, number, lane);
        if (warp.colours[lane].hidden) warp.colours[lane].set = false;
        if (warp.colours[lane].set) range_.include(warp.colours[lane].number);
    }
}

float WarpsModel::colour_share(std::uint32_t warp, std::uint32_t lane) const {
    const session::LaneValue& colour = warps_[warp].shown.colours[lane];
    return !colour_.empty() && colour.set ? range_.share(colour.number) : -1;
}

std::vector<std::string> WarpsModel::lane_values(const session::Session& session) const {
    std::vector<std::string> names;
    for (const std::string& watch : session.marks().watches())
        if (session.values().problems(watch).empty()) names.push_back(watch);
    for (const session::NamedVariable& variable : variables_)
        if (std::find(names.begin(), names.end(), variable.name) == names.end())
            names.push_back(variable.name);
    return names;
}

std::string WarpsModel::lane_story(const session::Session& session, std::uint32_t warp,
                                   std::uint32_t lane) const {
    std::string text = session::lane_explanation(session, warp, lane);
    const ShownWarp& shown = warps_[warp].shown;
    const auto add = [&](const std::string& name, const session::LaneValue& value) {
        if (name.empty()) return;
        if (value.set)
            text += "\n" + name + " = " + (value.before.empty() ? "" : value.before + " → ") + value.text;
        if (!value.set && value.visible)
            text += "\n" + name + (value.failure.empty() ? " has no value yet" : ": " + value.failure);
    };
    add(label_, shown.values[lane]);
    if (colour_ != label_) add(colour_, shown.colours[lane]);
    return text;
}

}  // namespace lanescope::scene
