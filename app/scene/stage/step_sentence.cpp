#include "scene/stage/step_sentence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "analysis/async_copies.h"
#include "scene/words/access_words.h"

namespace lanescope::scene {
namespace {

constexpr std::size_t followed_turns = 4096;

// One thread's part in an instruction.
struct Use {
    std::uint32_t thread = 0;
    std::uint64_t index = 0;  // cell
    double before = 0, after = 0;
};

// "4-way bank conflict" of "4-way conflict: 32 words in 8 banks, 4 wavefronts".
std::string bank_words(const std::string& verdict) {
    std::string text = verdict.substr(0, verdict.find(':'));
    if (const std::size_t at = text.find("conflict"); at != text.npos) text.insert(at, "bank ");
    return text;
}

// What all threads did in one memory instruction.
struct Instruction {
    std::uint32_t pc = 0;
    trace::AccessKind kind{};
    const trace::Symbol* symbol = nullptr;  // null: in several arrays
    std::vector<Use> uses;                  // ascending threads; once each, unless `repeated`
    bool repeated = false;
    std::string conflict;  // of the warp with the worst one
    // What each warp touches, if all do the same.
    enum class Line : std::uint8_t { none, row, column } line = Line::none;
    bool lines_known = false;
};

std::string number_text(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e6)
        return std::to_string(static_cast<long long>(value));
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string threads_word(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

// The threads that the sentence is about.
class Threads {
  public:
    Threads(std::vector<std::uint32_t> numbers, std::uint64_t in_block) : numbers_(std::move(numbers)) {
        std::sort(numbers_.begin(), numbers_.end());
        numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
        all_ = numbers_.size() == in_block && in_block > 1;
    }
    std::size_t count() const { return numbers_.size(); }
    bool one() const { return numbers_.size() == 1; }
    const char* their() const { return one() ? "its" : "their"; }
    // "adds" or "add".
    std::string verb(std::string base) const {
        if (!one()) return base;
        if (base.ends_with("y")) return base.substr(0, base.size() - 1) + "ies";
        return base + (base.ends_with("s") || base.ends_with("sh") || base.ends_with("ch") ? "es" : "s");
    }
    // "Threads 0, 8, 16 and 24", "All 64 threads", "Threads 0 to 31", "16 threads (0, 4, 8, …)", "59
    // threads".
    std::string words() const {
        constexpr std::size_t listed = 5;
        const std::size_t count = numbers_.size();
        if (all_) return "All " + threads_word(count);
        if (one()) return "Thread " + std::to_string(numbers_[0]);
        if (numbers_.back() - numbers_.front() + 1 == count)
            return "Threads " + std::to_string(numbers_.front()) + (count == 2 ? " and " : " to ") +
                   std::to_string(numbers_.back());
        std::string text;
        if (count <= listed) {
            for (std::size_t i = 0; i < count; ++i)
                text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + std::to_string(numbers_[i]);
            return "Threads " + text;
        }
        for (std::size_t i = 2; i < count; ++i)
            if (numbers_[i] - numbers_[i - 1] != numbers_[1] - numbers_[0]) return threads_word(count);
        for (std::size_t i = 0; i < 3; ++i)
            text += std::to_string(numbers_[i]) + ", ";
        return threads_word(count) + " (" + text + "…)";
    }

  private:
    std::vector<std::uint32_t> numbers_;
    bool all_ = false;
};

std::optional<std::int64_t> common_distance(std::span<const Use> from, std::span<const Use> to) {
    if (from.size() != to.size() || from.empty()) return {};
    const auto distance = [&](std::size_t i) {
        return static_cast<std::int64_t>(to[i].index) - static_cast<std::int64_t>(from[i].index);
    };
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i].thread != to[i].thread || distance(i) != distance(0)) return {};
    return distance(0);
}

bool same_threads(const Instruction& a, const Instruction& b) {
    return std::equal(a.uses.begin(), a.uses.end(), b.uses.begin(), b.uses.end(),
                      [](const Use& x, const Use& y) { return x.thread == y.thread; });
}

bool one_row(const trace::Symbol& symbol) {
    return symbol.extents.size() < 2;
}

// Whether the cells of a warp's request form a part of a row or of a column of a matrix.
Instruction::Line line_of_cells(const trace::Symbol& symbol, std::span<const std::uint64_t> cells) {
    if (cells.size() < 4 || one_row(symbol)) return Instruction::Line::none;
    const std::uint64_t columns = symbol.extents.back();
    const bool row = cells.front() / columns == cells.back() / columns;
    for (std::size_t i = 1; i < cells.size(); ++i)
        if (cells[i] - cells[i - 1] != (row ? 1 : columns)) return Instruction::Line::none;
    return row ? Instruction::Line::row : Instruction::Line::column;
}

class StepReader {
  public:
    explicit StepReader(const session::Session& session)
        : trace_(*session.trace()), step_(*session.playhead().step_state()) {
        for (const trace::TurnDetail& detail : step_.details) {
            const std::uint32_t warp = trace_.turns[detail.turn].warp;
            for (const trace::Access& access : detail.accesses)
                if (access.space != trace::Space::local && access.mask != 0) add(access, warp);
        }
        for (Instruction& each : all_) {
            std::stable_sort(each.uses.begin(), each.uses.end(),
                             [](const Use& a, const Use& b) { return a.thread < b.thread; });
            each.repeated =
                std::adjacent_find(each.uses.begin(), each.uses.end(), [](const Use& a, const Use& b) {
                    return a.thread == b.thread;
                }) != each.uses.end();
        }
    }

    std::vector<const Instruction*> of(trace::AccessKind kind) const {
        std::vector<const Instruction*> found;
        for (const Instruction& each : all_)
            if (each.kind == kind) found.push_back(&each);
        return found;
    }
    const std::vector<Instruction>& all() const { return all_; }
    bool simple() const {
        return std::all_of(all_.begin(), all_.end(), [](const Instruction& each) {
            return each.symbol != nullptr && !each.repeated && each.symbol->element != 0;
        });
    }

  private:
    void add(const trace::Access& access, std::uint32_t warp) {
        auto at = std::find_if(all_.begin(), all_.end(),
                               [&](const Instruction& each) { return each.pc == access.pc; });
        const bool first = at == all_.end();
        if (first) {
            all_.push_back({});
            at = all_.end() - 1;
            at->pc = access.pc;
            at->kind = access.kind;
        }
        std::vector<std::uint64_t> cells;
        for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
            if ((access.mask >> lane & 1) == 0) continue;
            const trace::Resolved cell =
                trace::resolve(trace_, step_.step.launch, access.space, access.offset[lane]);
            if (at->uses.empty())
                at->symbol = cell.symbol;
            else if (at->symbol != cell.symbol)
                at->symbol = nullptr;
            cells.push_back(cell.index);
            at->uses.push_back({warp * trace::warp_size + lane, cell.index,
                                number(cell, access, access.before[lane]),
                                number(cell, access, access.value[lane])});
        }
        if (at->symbol != nullptr && access.space == trace::Space::shared &&
            access.kind != trace::AccessKind::atomic)
            if (const AccessVerdict verdict = bank_verdict(access); !verdict.good)
                at->conflict = std::max(at->conflict, bank_words(verdict.text));
        const Instruction::Line line =
            at->symbol == nullptr ? Instruction::Line::none : line_of_cells(*at->symbol, cells);
        at->line = !at->lines_known || at->line == line ? line : Instruction::Line::none;
        at->lines_known = true;
    }

    double number(const trace::Resolved& cell, const trace::Access& access,
                  const std::array<std::byte, 16>& bytes) const {
        if (cell.symbol == nullptr || cell.byte != 0) return std::nan("");
        const std::uint32_t size = trace_.program.types[cell.symbol->element].size_bytes;
        if (size > access.width_bytes) return std::nan("");
        return numeric_value(trace_.program.types, cell.symbol->element, std::span(bytes.data(), size));
    }

    const trace::Trace& trace_;
    const session::StepState& step_;
    std::vector<Instruction> all_;
};

// Whether a relation of numbers holds in every thread.
template <class Holds>
bool in_all(std::size_t count, const Holds& holds) {
    for (std::size_t i = 0; i < count; ++i)
        if (!holds(i)) return false;
    return count > 0;
}

// "the cell 4 to the right", "the next cell".
std::string beside_words(std::int64_t distance) {
    if (distance == 0) return "the same cell";
    if (distance == 1) return "the next cell";
    if (distance == -1) return "the cell before";
    return "the cell " + std::to_string(std::abs(distance)) +
           (distance > 0 ? " to the right" : " to the left");
}

std::string names_of(const std::vector<const Instruction*>& instructions) {
    std::vector<std::string> names;
    for (const Instruction* each : instructions)
        if (each->symbol != nullptr &&
            std::find(names.begin(), names.end(), each->symbol->name) == names.end())
            names.push_back(each->symbol->name);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

// What is done with one instruction of a matrix: "a row of in".
std::string part_of(const Instruction& instruction, const char* otherwise) {
    switch (instruction.line) {
        case Instruction::Line::row:
            return "a row of " + instruction.symbol->name;
        case Instruction::Line::column:
            return "a column of " + instruction.symbol->name;
        case Instruction::Line::none:
            break;
    }
    return otherwise + instruction.symbol->name;
}

// "add the cell 4 to the right to their own cell of s"
std::string combine_words(const Threads& who, const char* verb, const Instruction& read,
                          const Instruction& store) {
    const auto distance = common_distance(store.uses, read.uses);
    const std::string own = std::string(" to ") + who.their() + " own cell of " + store.symbol->name;
    if (read.symbol == store.symbol && distance && one_row(*store.symbol))
        return who.verb(verb) + " " + beside_words(*distance) + own;
    return who.verb(verb) + " a cell of " + read.symbol->name + own;
}

std::string copy_words(const Threads& who, const Instruction& read, const Instruction& store) {
    const auto distance = common_distance(store.uses, read.uses);
    const bool one_array = read.symbol == store.symbol;
    if (one_array && distance && one_row(*store.symbol))
        return who.verb("take") + " over the value of " + beside_words(*distance) + " of " +
               store.symbol->name;
    if (read.line != Instruction::Line::none && store.line != Instruction::Line::none)
        return "copy " + part_of(read, "") + " to " + part_of(store, "");
    const bool mirrored =
        read.uses.size() > 1 && in_all(read.uses.size(), [&](std::size_t i) {
            return read.uses[i].index + store.uses[i].index == read.uses[0].index + store.uses[0].index;
        });
    return who.verb("copy") + " " + (who.one() ? "a cell" : "one cell each") + " of " + read.symbol->name +
           " to " + store.symbol->name + (mirrored && who.count() > 2 ? ", in reverse order" : "");
}

// One store: what its value is, where every thread agrees on it.
std::string store_words(const Threads& who, const Instruction& store,
                        const std::vector<const Instruction*>& loads, bool hidden) {
    std::vector<const Instruction*> others;
    const Instruction* own = nullptr;
    for (const Instruction* load : loads) {
        if (!same_threads(*load, store)) continue;  // a load of a condition, or of a part of the threads
        if (load->symbol == store.symbol && common_distance(load->uses, store.uses) == 0)
            own = load;
        else
            others.push_back(load);
    }
    const std::vector<Use>& after = store.uses;
    const std::size_t count = after.size();
    if (others.size() == 1) {
        const Instruction& read = *others[0];
        const auto becomes = [&](const auto& value) {
            return in_all(count, [&](std::size_t i) { return after[i].after == value(i); });
        };
        const auto old = [&](std::size_t i) { return own->uses[i].after; };
        const auto got = [&](std::size_t i) { return read.uses[i].after; };
        if (own == nullptr && becomes(got)) return copy_words(who, read, store);
        if (own != nullptr && becomes([&](std::size_t i) { return old(i) + got(i); }))
            return combine_words(who, "add", read, store);
        if (own != nullptr && count > 1 && becomes([&](std::size_t i) { return std::max(old(i), got(i)); }))
            return who.verb("keep") + " the larger of " + who.their() + " own cell of " + store.symbol->name +
                   " and another one";
        if (own != nullptr && count > 1 && becomes([&](std::size_t i) { return std::min(old(i), got(i)); }))
            return who.verb("keep") + " the smaller of " + who.their() + " own cell of " +
                   store.symbol->name + " and another one";
    }
    if (others.size() == 2 && own == nullptr && in_all(count, [&](std::size_t i) {
            return after[i].after == others[0]->uses[i].after + others[1]->uses[i].after;
        })) {
        const bool one_array = others[0]->symbol == others[1]->symbol;
        return who.verb("add") + " " +
               (one_array
                    ? "two cells of " + others[0]->symbol->name
                    : "a cell of " + others[0]->symbol->name + " and one of " + others[1]->symbol->name) +
               " and " + who.verb("write") + " the sum to " + store.symbol->name;
    }
    if (loads.empty() && !hidden && count > 0 &&
        in_all(count, [&](std::size_t i) { return after[i].after == after[0].after; }))
        return who.verb("write") + " " + number_text(after[0].after) + " to " +
               (who.one() ? "a cell" : "one cell each") + " of " + store.symbol->name;
    if (loads.empty() && store.line != Instruction::Line::none) return "write " + part_of(store, "");
    if (loads.empty())
        return who.verb("write") + " " + (who.one() ? "a value" : "one value each") + " to " +
               store.symbol->name;
    if (own != nullptr && others.empty() && loads.size() == 1)
        return who.verb("update") + " " + who.their() + " own cell of " + store.symbol->name;
    return who.verb("compute") + " " + (who.one() ? "a cell" : "one cell each") + " of " +
           store.symbol->name + " from " + names_of(loads);
}

// Two stores that exchange two cells; the second may also take the sum, as a down-sweep does.
std::string exchange_words(const Threads& who, const std::vector<const Instruction*>& stores,
                           const std::vector<const Instruction*>& loads) {
    if (stores.size() != 2 || loads.size() < 2 || stores[0]->symbol != stores[1]->symbol) return {};
    const Instruction &a = *stores[0], &b = *stores[1];
    const auto read_of = [&](const Instruction& store) -> const Instruction* {
        for (const Instruction* load : loads)
            if (load->symbol == store.symbol && common_distance(load->uses, store.uses) == 0) return load;
        return nullptr;
    };
    const Instruction *old_a = read_of(a), *old_b = read_of(b);
    if (old_a == nullptr || old_b == nullptr || old_a == old_b || !same_threads(a, b)) return {};
    const auto all = [&](const auto& holds) { return in_all(a.uses.size(), holds); };
    if (!all([&](std::size_t i) { return a.uses[i].after == old_b->uses[i].after; })) return {};
    const auto distance = common_distance(a.uses, b.uses);
    if (!distance || *distance == 0) return {};
    const char* const left = *distance > 0 ? "left" : "right";
    const char* const right = *distance > 0 ? "right" : "left";
    const std::string pair = who.one() ? "one pair" : "a pair of cells each";
    if (all([&](std::size_t i) { return b.uses[i].after == old_a->uses[i].after; }))
        return who.verb("swap") + " " + pair + " of " + a.symbol->name;
    if (all([&](std::size_t i) { return b.uses[i].after == old_a->uses[i].after + old_b->uses[i].after; }))
        return std::string("in each pair of cells of ") + a.symbol->name + ", the " + left +
               " cell gets the " + right + " one, and the " + right + " cell gets the sum of both";
    return {};
}

std::string atomic_words(const Threads& who, const Instruction& atomic, std::string_view source) {
    std::vector<std::uint64_t> cells;
    for (const Use& use : atomic.uses)
        cells.push_back(use.index);
    std::sort(cells.begin(), cells.end());
    std::size_t most = 0, distinct = 0;
    for (std::size_t i = 0; i < cells.size();) {
        const std::size_t end =
            static_cast<std::size_t>(std::upper_bound(cells.begin(), cells.end(), cells[i]) - cells.begin());
        most = std::max(most, end - i);
        ++distinct;
        i = end;
    }
    const double step = atomic.uses[0].after - atomic.uses[0].before;
    const bool adds = source.find("atomicAdd") != source.npos || source.find("fetch_add") != source.npos;
    const bool same = in_all(atomic.uses.size(), [&](std::size_t i) {
        return atomic.uses[i].after - atomic.uses[i].before == step;
    });
    const std::string verb = !adds  ? who.verb("update")
                             : same ? who.verb("add") + " " + number_text(step) + " to"
                                    : who.verb("add") + " " + who.their() + " value to";
    const std::string& name = atomic.symbol->name;
    if (distinct == 1 && who.one()) return verb + " a cell of " + name;
    if (distinct == 1) return verb + " the same cell of " + name + ", one after the other";
    return verb + " a cell of " + name +
           (most == 1 ? ", each to another one"
                      : "; up to " + std::to_string(most) + " meet in one cell and take turns");
}

std::string read_words(const Threads& who, const std::vector<const Instruction*>& loads) {
    if (loads.size() != 1) return who.verb("read") + " cells of " + names_of(loads);
    const Instruction& load = *loads[0];
    const bool same =
        in_all(load.uses.size(), [&](std::size_t i) { return load.uses[i].index == load.uses[0].index; });
    if (same && !who.one()) return "read the same cell of " + load.symbol->name;
    if (load.line != Instruction::Line::none) return "read " + part_of(load, "");
    return who.verb("read") + " " + (who.one() ? "a cell" : "one cell each") + " of " + load.symbol->name;
}

// Threads that the step's memory instructions name.
std::vector<std::uint32_t> threads_of(const std::vector<const Instruction*>& instructions) {
    std::vector<std::uint32_t> threads;
    for (const Instruction* each : instructions)
        for (const Use& use : each->uses)
            threads.push_back(use.thread);
    return threads;
}

// How many lanes of the step's warps wait, and where.
struct Waiting {
    std::size_t split = 0, barrier = 0;
};

Waiting waiting_of(const session::StepState& step, const trace::Trace& trace) {
    Waiting waiting;
    std::vector<bool> takes_part(step.warps.size(), false);
    for (const trace::TurnDetail& detail : step.details)
        if (trace.turns[detail.turn].warp < takes_part.size())
            takes_part[trace.turns[detail.turn].warp] = true;
    for (std::size_t warp = 0; warp < step.warps.size(); ++warp)
        for (const trace::LaneInfo& lane : step.warps[warp]) {
            if (takes_part[warp] && lane.status == trace::LaneStatus::diverged) ++waiting.split;
            if (lane.status == trace::LaneStatus::at_barrier) ++waiting.barrier;
        }
    return waiting;
}

std::string rest_words(const Threads& who, const session::StepState& step, const trace::Trace& trace) {
    const Waiting waiting = waiting_of(step, trace);
    if (waiting.split == 0 && waiting.barrier == 0) return {};
    const bool all = waiting.split == 0 || waiting.barrier == 0;
    const std::size_t count = all ? waiting.split + waiting.barrier : waiting.split;
    const bool others = who.count() + count == step.launch->block.count();
    const std::string number = (!others      ? "; " + threads_word(count)
                                : count == 1 ? std::string("; the other one")
                                             : "; the other " + std::to_string(count)) +
                               (count == 1 ? " waits" : " wait");
    return number + (waiting.split == 0 ? " at the barrier" : "");
}

// The threads that ran, by the masks of their turns.
std::vector<std::uint32_t> ran(const session::StepState& step, const trace::Trace& trace) {
    std::vector<std::uint32_t> threads;
    for (const trace::TurnDetail& detail : step.details)
        for (unsigned lane = 0; lane < trace::warp_size; ++lane)
            if (trace.turns[detail.turn].mask >> lane & 1)
                threads.push_back(trace.turns[detail.turn].warp * trace::warp_size + lane);
    return threads;
}

bool all_end(const session::StepState& step, const trace::Trace& trace, trace::TurnEnd end) {
    return !step.details.empty() &&
           std::all_of(step.details.begin(), step.details.end(),
                       [&](const trace::TurnDetail& detail) { return trace.turns[detail.turn].end == end; });
}

std::string barrier_words(const Threads& who, const session::StepState& step, const trace::Trace& trace) {
    const Waiting waiting = waiting_of(step, trace);
    std::size_t alive = 0;
    for (const auto& warp : step.warps)
        alive += static_cast<std::size_t>(std::count_if(warp.begin(), warp.end(), [](const auto& lane) {
            return lane.status != trace::LaneStatus::absent && lane.status != trace::LaneStatus::finished &&
                   lane.status != trace::LaneStatus::faulted;
        }));
    if (waiting.barrier == 0 || waiting.barrier == alive)
        return "All threads have arrived at the barrier: what they wrote before is visible to the whole "
               "block";
    return who.words() + " " + (who.one() ? "waits" : "wait") + " at the barrier for " +
           threads_word(alive - waiting.barrier);
}

// How values move between the lanes of a warp.
std::string shuffle_words(const Threads& who, const session::StepState& step) {
    const trace::Exchange* last = nullptr;
    for (const trace::TurnDetail& detail : step.details)
        if (!detail.exchanges.empty()) last = &detail.exchanges.back();
    if (last == nullptr) return {};
    std::optional<int> shift, mask, source;
    bool one_shift = true, one_mask = true, one_source = true;
    for (int lane = 0; lane < static_cast<int>(trace::warp_size); ++lane) {
        const int from = last->source[static_cast<std::size_t>(lane)];
        if ((last->mask >> lane & 1) == 0) continue;
        one_source = one_source && (!source || *source == from);
        source = from;
        if (from == lane) continue;  // keeps its own value, as at the edge of a shift
        one_shift = one_shift && (!shift || *shift == from - lane);
        one_mask = one_mask && (!mask || *mask == (from ^ lane));
        shift = from - lane, mask = from ^ lane;
    }
    if (one_source && source)
        return who.words() + " " + who.verb("get") + " the value of lane " + std::to_string(*source);
    if (one_mask && mask)
        return "Lanes exchange their values in pairs that are " + std::to_string(*mask) + " apart";
    if (one_shift && shift)
        return "Each lane takes the value of the lane " + std::to_string(std::abs(*shift)) +
               (*shift > 0 ? " above it" : " below it");
    return "The lanes of a warp pass values to each other";
}

// The register variable that the step gave a value, if it is one: "set stride to 2", "compute their own
// left".
std::string variable_words(const session::Session& session, const Threads& who, bool hidden) {
    const session::StepState& step = *session.playhead().step_state();
    const trace::Trace& trace = *session.trace();
    std::vector<std::string> names;
    bool parameters = true;
    for (const trace::TurnDetail& detail : step.details) {
        const std::uint32_t pc = trace.turns[detail.turn].pc;
        if (pc >= trace.program.code_rows.size()) continue;
        const trace::Function& function = trace.program.functions[trace.program.code_rows[pc].function];
        for (const trace::VariableChange& change : detail.changes)
            for (const trace::Variable& variable : function.variables)
                if (variable.home == trace::Variable::Home::slot && variable.slot == change.slot &&
                    change.depth == trace.turns[detail.turn].depth && !variable.name.empty() &&
                    std::find(names.begin(), names.end(), variable.name) == names.end()) {
                    names.push_back(variable.name);
                    parameters = parameters && variable.parameter;
                }
    }
    if (!names.empty() && parameters) return who.verb("start") + " the kernel";
    if (names.empty() || names.size() > 3) return {};
    if (names.size() == 1 && !hidden) {
        std::optional<std::string> common;
        bool one = true;
        for (const trace::TurnDetail& detail : step.details)
            for (unsigned lane = 0; lane < trace::warp_size && one; ++lane) {
                if ((trace.turns[detail.turn].mask >> lane & 1) == 0) continue;
                const session::LaneValue value =
                    session.values().value(names[0], trace.turns[detail.turn].warp, lane);
                one = value.set && (!common || *common == value.text);
                common = value.text;
            }
        if (one && common) return who.verb("set") + " " + names[0] + " to " + *common;
    }
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return who.verb("compute") + " " + who.their() + " own " + list;
}

std::string branch_words(const Threads& who, const session::StepState& step, const trace::Trace& trace) {
    const bool split =
        std::any_of(step.details.begin(), step.details.end(), [](const trace::TurnDetail& detail) {
            return std::any_of(detail.branches.begin(), detail.branches.end(),
                               [](const trace::Branch& branch) { return branch.divergent(); });
        });
    const bool branches = split || std::any_of(step.details.begin(), step.details.end(),
                                               [](const auto& detail) { return !detail.branches.empty(); });
    if (!branches) return {};
    if (!split)
        return who.words() + " " + who.verb("test") + " the condition and " + who.verb("go") +
               " the same way";
    const std::size_t waiting = waiting_of(step, trace).split;
    if (waiting == 0 || waiting >= who.count())
        return who.words() + " test the condition and take different ways";
    return who.words() +
           " test the condition and take different ways: " + std::to_string(who.count() - waiting) +
           " go on, " + std::to_string(waiting) + (waiting == 1 ? " waits" : " wait");
}

// Asynchronous copies are read where they begin and written where they arrive.
std::string later_words(const session::Session& session, const StepReader& reader) {
    const auto& code = session.run()->instructions;
    std::vector<const Instruction*> begin, arrive;
    for (const Instruction& each : reader.all())
        if (code != nullptr && each.symbol != nullptr && analysis::copies_later(*code, each.pc)) {
            if (each.kind == trace::AccessKind::load) begin.push_back(&each);
            if (each.kind == trace::AccessKind::store) arrive.push_back(&each);
        }
    if (!arrive.empty()) return "What was copied arrives in " + names_of(arrive);
    if (begin.empty()) return {};
    const Threads who(threads_of(begin), session.playhead().step_state()->launch->block.count());
    const bool one_each = begin.size() == 1 && !begin[0]->repeated && !who.one();
    return who.words() + " " + who.verb("begin") + " to copy " + (one_each ? "one cell each" : "cells") +
           " of " + names_of(begin);
}

std::string memory_words(const session::Session& session, const StepReader& reader, bool hidden) {
    const session::StepState& step = *session.playhead().step_state();
    const trace::Trace& trace = *session.trace();
    if (std::string text = later_words(session, reader); !text.empty())
        return text + rest_words(Threads(ran(step, trace), step.launch->block.count()), step, trace);
    const auto loads = reader.of(trace::AccessKind::load), stores = reader.of(trace::AccessKind::store),
               atomics = reader.of(trace::AccessKind::atomic);
    const auto& acting = !atomics.empty() ? atomics : !stores.empty() ? stores : loads;
    const Threads who(threads_of(acting), step.launch->block.count());
    std::string what, conflict;
    for (const Instruction& each : reader.all())
        conflict = std::max(conflict, each.conflict);
    const std::string line(source_line(trace.program.source.text, step.step.line));
    if (!reader.simple() || atomics.size() > 1 || (!atomics.empty() && !stores.empty())) {
        if (!loads.empty()) what = who.verb("read") + " cells of " + names_of(loads);
        std::vector<const Instruction*> written = stores;
        written.insert(written.end(), atomics.begin(), atomics.end());
        if (!written.empty() && !names_of(written).empty())
            what += (what.empty() ? "" : " and ") + who.verb(atomics.empty() ? "write" : "update") +
                    " cells of " + names_of(written);
        if (what.empty() || (names_of(loads).empty() && !loads.empty())) return {};
    } else if (!atomics.empty()) {
        what = atomic_words(who, *atomics[0], line);
    } else if (stores.size() == 1) {
        what = store_words(who, *stores[0], loads, hidden);
    } else if (!stores.empty()) {
        what = exchange_words(who, stores, loads);
        if (what.empty())
            what = who.verb("write") + " " + std::to_string(stores.size()) + " cells" +
                   (who.one() ? "" : " each") + " of " + names_of(stores);
        if (what.starts_with("in each pair"))
            return "I" + what.substr(1) + (conflict.empty() ? "" : " (" + conflict + ")") +
                   rest_words(who, step, trace);
    } else {
        what = read_words(who, loads);
    }
    // Rows and columns are those of whole warps.
    const bool by_warp = what.find(" a row of ") != what.npos || what.find(" a column of ") != what.npos;
    const std::string subject = by_warp ? "Each warp" : who.words();
    if (by_warp && what.starts_with("copy ")) what = "copies " + what.substr(5);
    if (by_warp && what.starts_with("read ")) what = "reads " + what.substr(5);
    if (by_warp && what.starts_with("write ")) what = "writes " + what.substr(6);
    return subject + " " + what + (conflict.empty() ? "" : ": " + conflict) + rest_words(who, step, trace);
}

}  // namespace

std::string step_sentence(const session::Session& session) {
    const session::StepState* step = session.playhead().step_state();
    if (step == nullptr || !session.trace() || step->launch == nullptr || step->details.empty()) return {};
    if (session.playhead().at_start()) return {};
    if (session.playhead().granularity() > trace::Granularity::line || step->details.size() > followed_turns)
        return {};
    const trace::Trace& trace = *session.trace();
    const bool hidden = session.playhead().results().concealed;
    const auto ended = [](std::string text) { return text.empty() ? text : text + "."; };
    const Threads who(ran(*step, trace), step->launch->block.count());
    if (const StepReader reader(session); !reader.all().empty())
        if (std::string text = memory_words(session, reader, hidden); !text.empty())
            return ended(std::move(text));
    if (all_end(*step, trace, trace::TurnEnd::barrier)) return ended(barrier_words(who, *step, trace));
    if (std::string text = shuffle_words(who, *step); !text.empty()) return ended(std::move(text));
    if (std::string text = variable_words(session, who, hidden); !text.empty())
        return ended(who.words() + " " + text + rest_words(who, *step, trace));
    if (std::string text = branch_words(who, *step, trace); !text.empty()) return ended(std::move(text));
    if (all_end(*step, trace, trace::TurnEnd::exited))
        return ended(who.words() + " " + (who.one() ? "has" : "have") + " finished the kernel");
    const std::string_view line = source_line(trace.program.source.text, step->step.line);
    const std::string_view code = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool condition = code.starts_with("if") || code.starts_with("while") || code.starts_with("for");
    return ended(who.words() + " " +
                 (condition ? who.verb("test") + " the condition"
                            : who.verb("run") + " line " + std::to_string(step->step.line)) +
                 rest_words(who, *step, trace));
}

}  // namespace lanescope::scene
