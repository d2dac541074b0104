#include "ui/threads/threads_model.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analysis/barrier_points.h"
#include "base/text.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

void add_code(const trace::Trace& trace, const analysis::Code& code, std::uint32_t launch,
              ThreadsModel& model) {
    const trace::Program& program = trace.program;
    const trace::Launch& of = trace.launches[launch];
    std::vector<std::uint32_t> line_at(program.code_rows.size());
    for (std::size_t pc = 0; pc < line_at.size(); ++pc)
        line_at[pc] = program.code_rows[pc].line;
    std::map<std::uint32_t, std::uint32_t> ranks;
    for (std::uint64_t i = of.first_turn; i < of.end_turn; ++i) {
        const trace::Turn& turn = trace.turns[i];
        if (turn.pc < line_at.size())
            line_at[turn.pc] = turn.line;  // the caller's line if the instruction has none
        ranks[turn.line];
    }
    std::uint32_t rank = 0;
    for (auto& [line, number] : ranks) {
        number = std::min(rank++, render::max_ranks - 1);
        if (number + 1 < render::max_ranks)
            model.lines.push_back(
                {line, line_colour(number), std::string(text_of_line(program.source.text, line))});
    }
    const std::vector<bool> barriers = analysis::barrier_points(trace, code, launch);
    model.code.resize(line_at.size());
    for (std::size_t pc = 0; pc < line_at.size(); ++pc) {
        const auto found = ranks.find(line_at[pc]);
        render::CodePoint& point = model.code[pc];
        point.line_rank = found == ranks.end() ? render::max_ranks - 1 : found->second;
        point.colour = line_colour(point.line_rank);
        point.flags = barriers[pc] ? std::uint32_t{render::waits_at_barrier} : 0u;
        point.function = program.code_rows[pc].function;
    }
}

std::optional<std::uint32_t> number_type(const ValueType& type) {
    using render::NumberKind;
    if (type.kind != ValueType::Kind::scalar && type.kind != ValueType::Kind::enumeration)
        return std::nullopt;
    if (type.size_bytes == 0 || type.size_bytes > 8) return std::nullopt;
    if (is_real(type.scalar))
        return type.size_bytes < 4 ? std::nullopt
                                   : std::optional(render::value_type(NumberKind::floating, type.size_bytes));
    const bool is_signed = type.scalar == Scalar::signed_int || type.scalar == Scalar::character;
    return render::value_type(is_signed ? NumberKind::signed_int : NumberKind::unsigned_int, type.size_bytes);
}

// Adds the numbers of the user's functions that live in a register; a name in several functions is one entry.
template <class Add>
void add_variables(const trace::Program& program, std::vector<MapVariable>& variables, Add add) {
    for (std::size_t number = 0; number < program.functions.size(); ++number) {
        const trace::Function& function = program.functions[number];
        if (!function.user_code) continue;
        for (const trace::Variable& variable : function.variables) {
            const auto type = number_type(program.types[variable.type]);
            if (variable.home != trace::Variable::Home::slot || !type) continue;
            auto at = std::find_if(variables.begin(), variables.end(),
                                   [&](const MapVariable& each) { return each.name == variable.name; });
            if (at == variables.end()) at = variables.insert(at, {variable.name, {}});
            at->by_function.resize(program.functions.size());
            add(at->by_function[number], number, variable.slot, *type);
        }
    }
}

std::uint64_t bytes_per_block(const std::vector<std::uint32_t>& counts, std::uint64_t threads) {
    const std::uint32_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    return std::uint64_t{most} * threads * sizeof(trace::Record);
}

std::vector<std::uint32_t> shown_blocks(const trace::Launch& launch) {
    if (!launch.recorded_blocks.empty()) return launch.recorded_blocks;
    std::vector<std::uint32_t> blocks(launch.grid.count());
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
        blocks[i] = i;
    return blocks;
}

// Narrows `wanted` until the records fit into `max_bytes`. Returns a note about what is left out.
std::string fit_into(const trace::Trace& trace, std::uint32_t launch, std::uint32_t focus,
                     std::uint64_t max_bytes, trace::StreamsWanted& wanted) {
    const std::uint64_t threads = trace.launches[launch].block.count();
    const std::vector<std::uint32_t> all = shown_blocks(trace.launches[launch]);
    std::uint64_t block_bytes = bytes_per_block(trace::count_records(trace, launch, wanted), threads);
    if (block_bytes == 0 || block_bytes * all.size() <= max_bytes) return {};
    std::string note;
    if (block_bytes > max_bytes) {
        wanted.variables = false;
        note = "without variables";
        block_bytes = bytes_per_block(trace::count_records(trace, launch, wanted), threads);
    }
    if (block_bytes > max_bytes) {
        wanted.max_records = std::uint32_t(max_bytes / (threads * sizeof(trace::Record)));
        note += ", the first " + grouped(wanted.max_records) + " records of each thread";
        block_bytes = max_bytes;
    }
    const std::size_t count =
        std::min<std::size_t>(std::max<std::uint64_t>(max_bytes / block_bytes, 1), all.size());
    if (count == all.size()) return note;
    const auto at = std::size_t(std::lower_bound(all.begin(), all.end(), focus) - all.begin());
    const std::size_t first = std::min(at - std::min(at, count / 2), all.size() - count);
    wanted.blocks.assign(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(first + count));
    return "blocks " + grouped(wanted.blocks.front()) + " to " + grouped(wanted.blocks.back()) + " of " +
           grouped(all.size()) + (note.empty() ? "" : ", ") + note;
}

}  // namespace

std::uint32_t line_colour(std::uint32_t rank) {
    // Neighbouring ranks have distant hues and alternate in brightness.
    const float hue = std::fmod(0.58f + 0.381966f * float(rank), 1.0f);
    const float value = rank % 2 == 0 ? 0.92f : 0.70f;
    float r = 0, g = 0, b = 0;
    ImGui::ColorConvertHSVtoRGB(hue, 0.58f, value, r, g, b);
    return IM_COL32(int(r * 255), int(g * 255), int(b * 255), 255);
}

std::vector<MapVariable> map_variables(
    const trace::Program& program,
    const std::vector<std::vector<std::vector<std::uint32_t>>>& slot_registers) {
    std::vector<MapVariable> variables;
    add_variables(program, variables,
                  [&](auto& watched, std::size_t function, std::uint32_t slot, std::uint32_t type) {
                      if (function >= slot_registers.size() || slot >= slot_registers[function].size())
                          return;
                      for (const std::uint32_t number : slot_registers[function][slot])
                          watched.push_back({number, type});
                  });
    return variables;
}

std::shared_ptr<ThreadsModel> build_threads_tables(const trace::Trace& trace, const analysis::Code& code,
                                                   std::uint32_t launch) {
    auto model = std::make_shared<ThreadsModel>();
    add_code(trace, code, launch, *model);
    return model;
}

std::shared_ptr<ThreadsModel> build_threads_model(const trace::Trace& trace, const analysis::Code& code,
                                                  std::uint32_t launch, std::uint32_t focus_block,
                                                  std::uint64_t max_bytes,
                                                  const std::atomic<bool>* cancelled) {
    auto model = std::make_shared<ThreadsModel>();
    trace::StreamsWanted wanted;
    wanted.accesses = false;
    wanted.cancelled = cancelled;
    model->note = fit_into(trace, launch, focus_block, max_bytes, wanted);
    model->streams = trace::streams_of(trace, launch, wanted);
    add_code(trace, code, launch, *model);
    if (wanted.variables)
        add_variables(trace.program, model->variables,
                      [](auto& watched, std::size_t, std::uint32_t slot, std::uint32_t type) {
                          watched.push_back({slot, type});
                      });
    return cancelled != nullptr && cancelled->load() ? nullptr : model;
}

}  // namespace lanescope::ui
