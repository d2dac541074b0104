#include "trace/check.h"

#include <algorithm>
#include <bit>

#include "trace/events.h"

namespace lanescope::trace {
namespace {

// Larger than on any device. The limits keep the addresses of a state within 2^60 bytes.
constexpr std::uint64_t warps_limit = std::uint64_t{1} << 28;
constexpr std::uint64_t slots_limit = std::uint64_t{1} << 20;
constexpr std::uint64_t global_limit = std::uint64_t{1} << 56;
constexpr std::uint64_t instance_limit = std::uint64_t{1} << 24;  // of shared and local memory
constexpr std::uint64_t cluster_limit = 64;                       // blocks

bool dimensions_are_sound(const Launch& launch) {
    for (const std::uint32_t size : {launch.block.x, launch.block.y, launch.block.z})
        if (size == 0 || size > 1024) return false;
    for (const std::uint32_t size : {launch.grid.x, launch.grid.y, launch.grid.z})
        if (size == 0) return false;
    const std::uint64_t plane = std::uint64_t{launch.grid.x} * launch.grid.y;
    if (plane >= none || plane * launch.grid.z >= none || launch.block.count() > 1024) return false;
    return launch.grid.count() * launch.warps_per_block() <= warps_limit;
}

bool clusters_are_sound(const Launch& launch) {
    const Dim3 &cluster = launch.cluster, &grid = launch.grid;
    for (const std::uint32_t size : {cluster.x, cluster.y, cluster.z})
        if (size == 0 || size > cluster_limit) return false;
    return cluster.count() <= cluster_limit && grid.x % cluster.x == 0 && grid.y % cluster.y == 0 &&
           grid.z % cluster.z == 0;
}

bool blocks_are_sound(const Launch& launch) {
    const auto& blocks = launch.recorded_blocks;
    for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i] <= blocks[i - 1]) return false;
    return blocks.empty() || blocks.back() < launch.grid.count();
}

bool symbols_are_sound(const std::vector<Symbol>& symbols) {
    return std::all_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) {
        return symbol.offset < global_limit && symbol.size_bytes < global_limit;
    });
}

bool turns_are_sound(const Trace& trace, const Launch& launch) {
    for (std::uint64_t i = launch.first_turn; i < launch.end_turn; ++i) {
        const Turn& turn = trace.turns[i];
        if (turn.end > TurnEnd::yielded || turn.mask == 0 || turn.warp >= launch.warps_per_block())
            return false;
        if (!launch.records(turn.block)) return false;
        if (turn.events > events_end(trace, i + 1) || (i == 0 && turn.events != 0)) return false;
    }
    return true;
}

// Checks that types contain each other endlessly only through pointers.
class TypeCheck {
  public:
    explicit TypeCheck(const TypeTable& types) : types_(types), marks_(types.size()) {}
    bool sound() {
        for (TypeId id = 0; id < types_.size(); ++id)
            if (!finite(id, 0)) return false;
        return true;
    }

  private:
    enum class Mark : std::uint8_t { unknown, open, finite };
    static constexpr unsigned depth_limit = 64;

    bool finite(TypeId id, unsigned depth) {
        if (id >= types_.size() || marks_[id] == Mark::finite) return true;
        if (marks_[id] == Mark::open || depth > depth_limit) return false;
        const ValueType& type = types_[id];
        marks_[id] = Mark::open;
        if (type.kind == ValueType::Kind::array && !finite(type.element, depth + 1)) return false;
        for (const TypeMember& member : type.members)
            if (!finite(member.type, depth + 1)) return false;
        marks_[id] = Mark::finite;
        return true;
    }

    const TypeTable& types_;
    std::vector<Mark> marks_;
};

bool access_is_sound(const Event& event) {
    const bool wide = event.space == Space::global || event.space == Space::constant;
    const std::uint64_t limit = wide ? global_limit : instance_limit;
    unsigned nth = 0;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth)
        if (offset_of(event, static_cast<unsigned>(std::countr_zero(rest)), nth) >= limit) return false;
    return true;
}

// Only blocks of the same cluster can be reached.
bool owner_is_sound(const Launch& launch, const Turn& turn, const Event& event) {
    return event.owner == none ||
           (launch.records(event.owner) && launch.cluster_of(event.owner) == launch.cluster_of(turn.block));
}

bool event_is_sound(const Trace& trace, const Event& event) {
    switch (event.kind) {
        case EventKind::store:
        case EventKind::atomic:
        case EventKind::forget:
            return access_is_sound(event);
        case EventKind::variable:
            return std::uint64_t{event.slot} + event.slot_base < slots_limit;
        case EventKind::unset:
            return event.slot < slots_limit;
        case EventKind::push:
        case EventKind::pop:
            return event.function < std::max<std::size_t>(trace.program.functions.size(), 1);
        case EventKind::patch:
            return event.space <= Space::constant && event.base < global_limit;
        default:
            return true;
    }
}

}  // namespace

std::string check_structure(const Trace& trace) {
    std::uint64_t turn = 0;
    for (const Launch& launch : trace.launches) {
        if (!dimensions_are_sound(launch) || !clusters_are_sound(launch) || !blocks_are_sound(launch))
            return "a launch has an invalid size";
        if (launch.first_turn != turn || launch.end_turn < turn) return "the launches are not consecutive";
        turn = launch.end_turn;
        if (turn > trace.turns.size()) return "a launch refers to missing turns";
        if (!symbols_are_sound(launch.shared)) return "a shared array has an invalid position";
        if (!turns_are_sound(trace, launch)) return "a turn is invalid";
    }
    if (turn != trace.turns.size()) return "there are turns outside the launches";
    if (!symbols_are_sound(trace.symbols)) return "a buffer has an invalid position";
    if (!TypeCheck(trace.program.types).sound()) return "a type contains itself";
    for (std::size_t i = 0; i < trace.releases.size(); ++i)
        if (trace.releases[i].turn > turn || (i > 0 && trace.releases[i].turn < trace.releases[i - 1].turn))
            return "a barrier opens at an invalid time";
    std::uint64_t printed = 0;
    for (const Print& print : trace.prints) {
        const bool in_turn = print.turn < turn || print.turn == Print().turn;
        if (print.end < printed || print.end > trace.console.size() || !in_turn)
            return "a part of the console text is invalid";
        printed = print.end;
    }
    return {};
}

bool events_are_sound(const Trace& trace, std::uint64_t turn) {
    const std::uint32_t launch = trace.launch_of(turn);
    bool starts = trace.launches[launch].first_turn == turn;
    EventReader reader(trace, turn);
    Event event;
    while (reader.next(event)) {
        if (event.kind == EventKind::launch) {
            if (!starts || event.function != launch) return false;
            starts = false;
        } else if ((starts && event.kind != EventKind::patch) || !event_is_sound(trace, event) ||
                   !owner_is_sound(trace.launches[launch], trace.turns[turn], event)) {
            return false;
        }
    }
    return !reader.damaged() && !starts;
}

}  // namespace lanescope::trace
