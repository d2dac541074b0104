#include "execution/proposal/trial.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "trace/replay.h"

namespace lanescope::execution {

namespace {

using trace::Access;
using trace::AccessKind;
using trace::Space;

constexpr std::int64_t most_threads = 1024;

// Where the threads of the first block access memory with one instruction, each for the first time.
struct Pattern {
    struct Point {
        std::int64_t x = 0, y = 0, offset = 0;
    };
    std::vector<Point> points;
    std::set<std::uint32_t> warps;
    bool whole_warps = true;
    std::uint8_t width_bytes = 0;
};

// What the first block writes with one instruction.
struct Stores {
    struct Writer {
        std::int64_t thread = 0, round = 0;
    };
    std::map<std::uint32_t, std::int64_t> rounds;  // of each warp
    std::map<std::uint64_t, Writer> writers;       // of each place, the last one
    std::int64_t stride = 0, meetings = 0;
    bool regular = true;
};

// offset = first + x * step_x + y * step_y
struct Plane {
    std::int64_t first = 0, step_x = 0, step_y = 0;
};

std::optional<Plane> plane_through(const std::vector<Pattern::Point>& points) {
    if (points.size() < 2) return std::nullopt;
    Plane plane;
    const Pattern::Point& origin = points.front();
    for (const Pattern::Point& each : points) {
        if (each.y == origin.y && each.x == origin.x + 1) plane.step_x = each.offset - origin.offset;
        if (each.x == origin.x && each.y == origin.y + 1) plane.step_y = each.offset - origin.offset;
    }
    plane.first = origin.offset - origin.x * plane.step_x - origin.y * plane.step_y;
    const bool fits = std::all_of(points.begin(), points.end(), [&](const Pattern::Point& each) {
        return each.offset == plane.first + each.x * plane.step_x + each.y * plane.step_y;
    });
    return fits ? std::optional(plane) : std::nullopt;
}

class Measurer {
  public:
    Measurer(const TrialRun& run, const std::map<std::string, std::uint32_t>& element_bytes)
        : run_(run), trace_(*run.trace), element_bytes_(element_bytes) {
        made_.problems = run.problems;
        made_.ended = run.ended;
        made_.warp_instructions = run.warp_instructions;
        for (const trace::Symbol& symbol : trace_.symbols)
            if (symbol.buffer && symbol.space == Space::global) {
                made_.buffers[symbol.name];
                written_[symbol.name].resize(symbol.size_bytes);
            }
    }

    Touched run() {
        if (trace_.launches.empty()) return std::move(made_);
        trace::TurnDetail detail;
        for (std::uint64_t turn = 0; turn < trace_.launches.front().end_turn; ++turn) {
            trace::decode(trace_, turn, detail);
            for (const Access& access : detail.accesses)
                follow(trace_.turns[turn], access);
        }
        find_offsets();
        find_blocks();
        find_stride();
        return std::move(made_);
    }

  private:
    void follow(const trace::Turn& turn, const Access& access) {
        const trace::Launch& launch = trace_.launches.front();
        trace::each_lane(access.mask, [&](unsigned lane) {
            const std::uint64_t begin = access.offset[lane], end = begin + access.width_bytes;
            const std::uint64_t dynamic = launch.shared_bytes - run_.dynamic_shared_bytes;
            if (access.space == Space::shared && run_.dynamic_shared_bytes > 0 && end > dynamic)
                made_.shared_bytes = std::max(made_.shared_bytes, end - dynamic);
            if (access.space == Space::global) reach(access, begin, end);
        });
        if (turn.block == 0 && access.kind == AccessKind::store && access.owner == trace::none)
            note_writers(turn, access);
        const bool pattern = access.space == Space::shared || access.kind == AccessKind::load;
        if (turn.block == 0 && pattern && access.owner == trace::none) note(turn, access);
    }

    void reach(const Access& access, std::uint64_t begin, std::uint64_t end) {
        for (const trace::Symbol& symbol : trace_.symbols) {
            if (!symbol.buffer || symbol.space != Space::global || begin < symbol.offset ||
                begin >= symbol.offset + symbol.size_bytes)
                continue;
            Use& use = made_.buffers[symbol.name];
            use.end_bytes = std::max(use.end_bytes, end - symbol.offset);
            std::vector<bool>& written = written_[symbol.name];
            const std::uint64_t at = begin - symbol.offset;
            if (access.kind == AccessKind::load && !written[at]) use.read = true;
            if (access.kind == AccessKind::atomic) use.updated = true;
            if (access.kind == AccessKind::load) return;
            use.written = true;
            for (std::uint64_t byte = at; byte < std::min<std::uint64_t>(end - symbol.offset, written.size());
                 ++byte)
                written[byte] = true;
            return;
        }
    }

    void note(const trace::Turn& turn, const Access& access) {
        const trace::Dim3& block = trace_.launches.front().block;
        Pattern& pattern = patterns_[{access.space == Space::shared, access.pc}];
        if (pattern.points.size() > most_threads || !pattern.warps.insert(turn.warp).second) return;
        const std::uint64_t first = std::uint64_t{turn.warp} * trace::warp_size;
        const std::uint64_t threads = std::min<std::uint64_t>(trace::warp_size, block.count() - first);
        pattern.whole_warps = pattern.whole_warps && trace::lane_count(access.mask) == threads;
        pattern.width_bytes = access.width_bytes;
        trace::each_lane(access.mask, [&](unsigned lane) {
            const std::uint64_t thread = first + lane;
            pattern.points.push_back({static_cast<std::int64_t>(thread % block.x),
                                      static_cast<std::int64_t>(thread / block.x % block.y),
                                      static_cast<std::int64_t>(access.offset[lane])});
        });
    }

    // --- the stride of loops -------------------------------------------------------------------------------

    void note_writers(const trace::Turn& turn, const Access& access) {
        constexpr std::size_t most_places = 1 << 16;
        Stores& stores = stores_[{access.space == Space::shared, access.pc}];
        if (!stores.regular || stores.writers.size() > most_places) return;
        const std::int64_t round = stores.rounds[turn.warp]++;
        trace::each_lane(access.mask, [&](unsigned lane) {
            const Stores::Writer now{std::int64_t{turn.warp} * trace::warp_size + lane, round};
            const auto [found, first] = stores.writers.try_emplace(access.offset[lane], now);
            const Stores::Writer before = std::exchange(found->second, now);
            if (first || before.thread == now.thread) return;
            const std::int64_t threads = now.thread - before.thread, rounds = before.round - round;
            const bool whole = rounds != 0 && threads % rounds == 0 && threads / rounds > 1;
            if (stores.stride == 0 && whole) stores.stride = threads / rounds;
            stores.regular = whole && stores.stride == threads / rounds;
            ++stores.meetings;
        });
    }

    void find_stride() {
        constexpr std::int64_t fewest_meetings = 8;
        for (const auto& [key, stores] : stores_)
            if (stores.regular && stores.meetings >= fewest_meetings)
                made_.loop_stride = std::min(made_.loop_stride.value_or(stores.stride), stores.stride);
    }

    // --- offsets of rows -----------------------------------------------------------------------------------

    void find_offsets() {
        for (const trace::Symbol& symbol : trace_.symbols) {
            const auto bytes = element_bytes_.find(symbol.name);
            if (bytes == element_bytes_.end() || !made_.buffers.contains(symbol.name)) continue;
            Use& use = made_.buffers[symbol.name];
            if (use.written) continue;
            std::vector<const Pattern*> loads;
            for (const auto& [key, pattern] : patterns_)
                if (!key.first && !pattern.points.empty() && lies_in(symbol, pattern.points.front().offset))
                    loads.push_back(&pattern);
            for (const Pattern* a : loads)
                for (const Pattern* b : loads)
                    use.offsets = use.offsets || follows(*a, *b, bytes->second);
        }
    }

    static bool lies_in(const trace::Symbol& symbol, std::int64_t offset) {
        const auto at = static_cast<std::uint64_t>(offset);
        return at >= symbol.offset && at < symbol.offset + symbol.size_bytes;
    }

    // Each thread's element in `b` is the one after its element in `a`.
    static bool follows(const Pattern& a, const Pattern& b, std::uint32_t bytes) {
        return a.points.size() > 1 && a.points.size() == b.points.size() &&
               a.points.front().offset != a.points.back().offset &&
               std::equal(a.points.begin(), a.points.end(), b.points.begin(),
                          [&](const auto& one, const auto& two) {
                              return one.x == two.x && one.y == two.y &&
                                     two.offset == one.offset + std::int64_t{bytes};
                          });
    }

    // --- blocks --------------------------------------------------------------------------------------------

    // Not all warps reach an access beyond the end of an array.
    bool left_the_array(std::uint32_t pc) const {
        return std::any_of(run_.problems.begin(), run_.problems.end(), [&](const trace::Problem& problem) {
            return problem.kind == trace::ProblemKind::out_of_bounds && problem.first.pc == pc;
        });
    }

    void find_blocks() {
        const trace::Launch& launch = trace_.launches.front();
        if (launch.block.z > 1) return;
        std::vector<BlockSize> exact, rough;
        for (const auto& [key, pattern] : patterns_) {
            const auto& [shared, pc] = key;
            const bool everywhere = pattern.whole_warps && pattern.warps.size() == launch.warps_per_block();
            if (!shared || (!everywhere && !left_the_array(pc))) continue;
            const std::optional<Plane> plane = plane_through(pattern.points);
            if (!plane || plane->step_x == 0) continue;
            const auto first = static_cast<std::uint64_t>(pattern.points.front().offset);
            for (const trace::Symbol& symbol : launch.shared)
                if (symbol.size_bytes > 0 && first >= symbol.offset &&
                    first < symbol.offset + symbol.size_bytes &&
                    symbol.offset + symbol.size_bytes + run_.dynamic_shared_bytes <= launch.shared_bytes)
                    add_block(*plane, symbol, pattern.width_bytes, launch.block.y > 1, exact, rough);
        }
        made_.fitting_exactly = !exact.empty();
        made_.fitting = exact.empty() ? rough : exact;
        // Among equal ones the first stays first: std::sort orders them as the library likes.
        std::stable_sort(made_.fitting.begin(), made_.fitting.end(),
                         [](const BlockSize& a, const BlockSize& b) { return a[0] * a[1] > b[0] * b[1]; });
        made_.fitting.erase(std::unique(made_.fitting.begin(), made_.fitting.end()), made_.fitting.end());
    }

    // The elements that the plane has along an axis before it leaves `bytes`.
    static std::int64_t extent(std::int64_t first, std::int64_t step, std::int64_t bytes,
                               std::int64_t width) {
        return step > 0 ? (bytes - width - first) / step + 1 : step < 0 ? first / -step + 1 : 1;
    }

    static void add_block(const Plane& plane, const trace::Symbol& symbol, std::int64_t width,
                          bool plane_of_threads, std::vector<BlockSize>& exact,
                          std::vector<BlockSize>& rough) {
        const std::int64_t first = plane.first - static_cast<std::int64_t>(symbol.offset);
        const auto bytes = static_cast<std::int64_t>(symbol.size_bytes);
        BlockSize block{1, 1, 1};
        if (plane_of_threads) {
            const std::int64_t outer = std::max(std::abs(plane.step_x), std::abs(plane.step_y));
            const std::int64_t inner = std::min(std::abs(plane.step_x), std::abs(plane.step_y));
            if (inner == 0) return;
            const std::int64_t row = outer / inner, rows = bytes / outer;
            const bool x_is_inner = std::abs(plane.step_x) == inner;
            block = {x_is_inner ? row : rows, x_is_inner ? rows : row, 1};
        } else {
            block[0] = extent(first, plane.step_x, bytes, width);
        }
        bool is_exact = true;
        for (std::int64_t& each : block) {
            if (each < 1) return;
            const bool whole = std::has_single_bit(static_cast<std::uint64_t>(each));
            is_exact = is_exact && whole;
            if (!whole)
                each = !plane_of_threads && each > trace::warp_size
                           ? each / trace::warp_size * trace::warp_size
                           : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(each)));
        }
        if (block[0] * block[1] > most_threads || block[0] * block[1] < 2) return;
        (is_exact ? exact : rough).push_back(block);
    }

    const TrialRun& run_;
    const trace::Trace& trace_;
    const std::map<std::string, std::uint32_t>& element_bytes_;
    Touched made_;
    std::map<std::string, std::vector<bool>> written_;
    std::map<std::pair<bool, std::uint32_t>, Pattern> patterns_;  // by space and instruction
    std::map<std::pair<bool, std::uint32_t>, Stores> stores_;
};

}  // namespace

Touched measure(const TrialRun& run, const std::map<std::string, std::uint32_t>& element_bytes) {
    if (!run.trace) return {};
    return Measurer(run, element_bytes).run();
}

}  // namespace lanescope::execution
