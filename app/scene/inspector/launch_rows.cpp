#include "scene/inspector/launch_rows.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/number_text.h"
#include "base/text.h"
#include "session/timing/timings.h"

namespace lanescope::scene {

namespace {

std::string problem_words(const program::ProgramLaunch& launch) {
    const auto notes =
        static_cast<std::size_t>(std::count_if(launch.problems.begin(), launch.problems.end(),
                                               [](const program::LaunchProblem& each) { return each.note; }));
    if (const std::size_t problems = launch.problems.size() - notes; problems > 0)
        return counted(problems, "problem");
    if (launch.ending != "finished") return launch.ending == "step_limit" ? "step limit" : launch.ending;
    return notes > 0 ? counted(notes, "note") : "";
}

std::string buffer_words(const BufferNames& names, const program::ProgramLaunch& launch) {
    std::string words;
    for (const std::uint64_t number : launch.buffers) {
        const auto known = names.find(number);
        const bool named = known != names.end() && !known->second.empty();
        words += (words.empty() ? "" : ", ") + (named ? known->second : "buffer " + std::to_string(number));
    }
    return words;
}

constexpr double ms_per_us = 1e-3;

}  // namespace

LaunchRow launch_row(const program::ProgramRun& run, const program::ProgramLaunch& launch,
                     const BufferNames& names) {
    LaunchRow row;
    row.number = launch.number;
    row.kernel = launch.kernel;
    row.work = grouped(launch.warp_instructions);
    if (!run.device.empty()) row.work = launch.us ? session::time_words(*launch.us * ms_per_us) : "";
    row.problems = problem_words(launch);
    row.problem = launch.has_problem() || launch.ending != "finished";
    const std::string grid = trace::size_text(launch.grid), block = trace::size_text(launch.block);
    const std::string shared = grouped(launch.shared_bytes) + " B shared";
    const std::string place = place_words(launch.place), buffers = buffer_words(names, launch);
    row.details = grid + " × " + block + " threads";
    if (launch.shared_bytes > 0) row.details += " · " + shared;
    if (!place.empty()) row.details += " · " + place;
    if (!buffers.empty()) row.details += " · " + buffers;
    row.story = "grid " + grid + ", block " + block + ", " + shared + ", stream " +
                std::to_string(launch.stream) + "\n" + grouped(launch.warp_instructions) +
                " warp instructions, " + grouped(launch.thread_instructions) + " of threads";
    if (!place.empty()) row.story += "\nlaunched at " + place + " in " + launch.place.function;
    if (!buffers.empty()) row.story += "\nits arguments point to " + buffers;
    constexpr std::size_t most = 5;
    for (std::size_t i = 0; i < launch.problems.size() && i < most; ++i)
        row.story += (launch.problems[i].note ? "\nnote: " : "\n✗ ") + launch.problems[i].message;
    if (launch.problems.size() > most)
        row.story += "\nand " + std::to_string(launch.problems.size() - most) + " more";
    if (launch.problems.empty() && row.problem) row.story += "\n✗ the launch ended: " + row.problems;
    return row;
}

BufferNames buffer_names(const program::ProgramRun& run) {
    BufferNames names;
    for (const program::ProgramBuffer& each : run.buffers)
        names[each.number] = each.name;
    return names;
}

std::string place_words(const program::HostPlace& place) {
    if (place.line == 0) return {};
    return std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line);
}

std::string work_heading(const program::ProgramRun& run) {
    return run.device.empty() ? "warp instructions" : "time";
}

std::vector<LaunchRow> launch_rows(const program::ProgramRun& run) {
    const BufferNames names = buffer_names(run);
    std::vector<LaunchRow> rows;
    rows.reserve(run.launches.size());
    for (const program::ProgramLaunch& each : run.launches)
        rows.push_back(launch_row(run, each, names));
    return rows;
}

std::vector<std::size_t> filtered(const std::vector<LaunchRow>& rows, const LaunchFilter& filter) {
    const std::string wanted = lower_case(filter.kernel);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if ((!filter.problems || rows[i].problem) &&
            lower_case(rows[i].kernel).find(wanted) != std::string::npos)
            left.push_back(i);
    return left;
}

}  // namespace lanescope::scene
