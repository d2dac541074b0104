#include "simt/launch/schedule.h"

#include <charconv>

namespace lanescope::simt {

Result<Schedule> parse_schedule(std::string_view text) {
    Schedule schedule;
    if (text == "rr") return schedule;
    if (text == "warp") {
        schedule.kind = Schedule::Kind::warp;
        return schedule;
    }
    const std::string_view prefix = "seed:";
    if (text.starts_with(prefix)) {
        schedule.kind = Schedule::Kind::seed;
        const std::string_view number = text.substr(prefix.size());
        const auto [end, failed] =
            std::from_chars(number.data(), number.data() + number.size(), schedule.seed);
        if (failed == std::errc{} && end == number.data() + number.size()) return schedule;
    }
    const std::string_view threads = "threads:";
    if (text.starts_with(threads)) {
        Result<std::vector<ThreadTurns>> turns = parse_thread_turns(text.substr(threads.size()));
        if (!turns) return turns.diagnostics();
        schedule.kind = Schedule::Kind::threads;
        schedule.turns = std::move(*turns);
        return schedule;
    }
    return error("unknown schedule '" + std::string(text) + "'", "use rr, warp, seed:N or threads:0*3,1,2.5");
}

std::string to_text(const Schedule& schedule) {
    switch (schedule.kind) {
        case Schedule::Kind::warp:
            return "warp";
        case Schedule::Kind::seed:
            return "seed:" + std::to_string(schedule.seed);
        case Schedule::Kind::threads:
            return "threads:" + to_text(schedule.turns);
        case Schedule::Kind::round_robin:
            break;
    }
    return "rr";
}

}  // namespace lanescope::simt
