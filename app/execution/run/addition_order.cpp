#include "execution/run/addition_order.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "base/number_text.h"
#include "ptx/module.h"
#include "ptx/opcodes.h"
#include "trace/events.h"
#include "trace/replay.h"

namespace lanescope::execution {
namespace {

// The line of the first atomic addition of floating-point numbers that ran; 0: there is none.
std::uint32_t line_of_addition(const trace::Trace& recorded, const analysis::Code& code) {
    std::vector<bool> adds(recorded.program.code_rows.size());
    for (std::uint32_t pc = 0; pc < adds.size(); ++pc) {
        const ptx::Instruction* instruction = code.at(pc);
        adds[pc] = instruction != nullptr &&
                   (instruction->op == ptx::Op::atom || instruction->op == ptx::Op::red) &&
                   instruction->has(ptx::Mod::add) && ptx::is_float(instruction->type());
    }
    if (std::find(adds.begin(), adds.end(), true) == adds.end()) return 0;
    trace::Event event;
    for (std::uint64_t turn = 0; turn < recorded.turns.size(); ++turn) {
        trace::EventReader reader(recorded, turn);
        while (reader.next(event))
            if (event.kind == trace::EventKind::atomic && event.pc < adds.size() && adds[event.pc])
                return trace::line_of(recorded, recorded.turns[turn], event.pc);
    }
    return 0;
}

struct Spread {
    const BufferView* buffer = nullptr;  // of the first cell that differs
    std::uint64_t cell = 0, cells = 0;
    double most = 0;
};

// Compares the buffers of real numbers of two runs.
Spread spread_of(const std::vector<BufferView>& one, const std::vector<BufferView>& other) {
    TypeTable types;
    Spread found;
    for (std::size_t b = 0; b < std::min(one.size(), other.size()); ++b) {
        const TypeId type = types.named(one[b].type);
        const std::size_t bytes = types[type].size_bytes;
        if (!is_real(types[type].scalar) || bytes == 0) continue;
        for (std::uint64_t at = 0; at + bytes <= one[b].contents.size(); at += bytes) {
            if (std::memcmp(&one[b].contents[at], &other[b].contents[at], bytes) == 0) continue;
            if (found.cells++ == 0) found.buffer = &one[b], found.cell = at / bytes;
            const double difference = std::abs(numeric_value(types, type, {&one[b].contents[at], bytes}) -
                                               numeric_value(types, type, {&other[b].contents[at], bytes}));
            if (difference > found.most) found.most = difference;
        }
    }
    return found;
}

std::string value_at(const std::vector<BufferView>& buffers, const Spread& spread) {
    TypeTable types;
    const auto found = std::find_if(buffers.begin(), buffers.end(),
                                    [&](const BufferView& each) { return each.name == spread.buffer->name; });
    const TypeId type = types.named(found->type);
    const std::size_t bytes = types[type].size_bytes;
    return format_value(types, type, {found->contents.data() + spread.cell * bytes, bytes});
}

std::string short_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", number);
    return text;
}

}  // namespace

void note_addition_order(const RunRequest& request, const trace::Trace& recorded, double seconds,
                         RunResult& result, const std::atomic<bool>* cancel) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint64_t most_instructions = 1'000'000;  // of a run, so that a slow computer says the same
    const auto is_problem = [](const trace::Problem& problem) { return !problem.note; };
    if (request.device != nullptr || request.schedule.chooser != nullptr ||
        result.warp_instructions > most_instructions || result.outcome.ending != simt::Ending::finished ||
        std::any_of(result.problems.begin(), result.problems.end(), is_problem))
        return;
    const std::uint32_t line = line_of_addition(recorded, *result.instructions);
    if (line == 0) return;
    Result<PreparedRun> prepared = PreparedRun::make(request);
    if (!prepared) return;
    const Clock::time_point begin = Clock::now();
    for (const char* const name : {"rr", "warp", "seed:1", "seed:2", "seed:3"}) {
        const double left = seconds - std::chrono::duration<double>(Clock::now() - begin).count();
        if (left <= 0 || !prepared->run(*simt::parse_schedule(name), left, cancel) ||
            prepared->result().outcome.ending != simt::Ending::finished)
            return;
        const std::vector<BufferView>& buffers = prepared->result().buffers;
        const Spread spread = spread_of(result.buffers, buffers);
        if (spread.cells == 0) continue;
        trace::Problem note;
        note.kind = trace::ProblemKind::addition_order;
        note.note = true;
        note.variable = spread.buffer->name;
        note.index = static_cast<std::int64_t>(spread.cell);
        note.first.line = line;
        note.message = "line " + std::to_string(line) +
                       ": the result depends on the order of additions: " + spread.buffer->name + "[" +
                       std::to_string(spread.cell) + "] is " + value_at(result.buffers, spread) +
                       " here and " + value_at(buffers, spread) + " with --schedule " + name + "; " +
                       counted(spread.cells, "number") + (spread.cells == 1 ? " differs" : " differ") +
                       " by at most " + short_text(spread.most);
        result.problems.push_back(std::move(note));
        return;
    }
}

}  // namespace lanescope::execution
