#include "page/trace_events.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/async_copies.h"
#include "analysis/metrics.h"
#include "base/text.h"
#include "lesson/course/registry.h"
#include "page/facts.h"
#include "scene/inspector/host_timeline.h"
#include "session/session.h"
#include "trace/names.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::page {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t max_name_bytes = 120;
constexpr std::size_t launches_thread = 1000;     // behind the warps of a block
constexpr std::size_t host_process = 10'000'000;  // behind the blocks

// The list of events, up to a limit.
class Events {
  public:
    explicit Events(std::size_t most) : most_(most) {}

    // Processes and threads of `event` count from 0. In the file they count from 1: Linux traces reserve 0
    // for the idle task.
    void add(ordered_json event) {
        for (const char* number : {"pid", "tid"})
            if (event.contains(number)) event[number] = event[number].get<std::size_t>() + 1;
        text_ +=
            (count_ == 0 ? "\n" : ",\n") + event.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
        ++count_;
    }
    void name(const char* what, std::size_t process, std::optional<std::size_t> thread,
              const std::string& name) {
        ordered_json event{{"ph", "M"}, {"name", what}, {"pid", process}};
        if (thread) event["tid"] = *thread;
        event["args"] = {{"name", name}};
        add(event);
    }
    bool full() const { return count_ >= most_; }
    std::size_t next_id() { return ++id_; }
    const std::string& text() const { return text_; }

    // What was added since a mark can be taken back.
    struct Mark {
        std::size_t bytes = 0, count = 0;
    };
    Mark mark() const { return {text_.size(), count_}; }
    void back_to(const Mark& mark) { text_.resize(mark.bytes), count_ = mark.count; }

  private:
    std::size_t most_, count_ = 0, id_ = 0;
    std::string text_;
};

class Lines {
  public:
    explicit Lines(const std::string& text) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            lines_.emplace_back(trimmed(std::string_view(text).substr(begin, end - begin)));
            begin = end + 1;
        }
    }
    std::string operator()(std::uint32_t line) const {
        if (line == 0 || line > lines_.size() || lines_[line - 1].empty())
            return "line " + std::to_string(line);
        const std::string& text = lines_[line - 1];
        if (text.size() <= max_name_bytes) return text;
        std::size_t end = max_name_bytes;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
            --end;
        return text.substr(0, end) + "…";
    }

  private:
    std::vector<std::string> lines_;
};

struct Slice {  // of a warp: steps [begin, end) of the launch
    std::uint64_t begin = 0, end = 0;
    std::uint32_t line = 0;
    trace::Mask lanes = 0;
    trace::TurnEnd last = trace::TurnEnd::step;
    analysis::Metrics metrics;
};

// One block of one launch on the axis of steps.
class BlockWriter {
  public:
    BlockWriter(Events& events, const execution::RunResult& run, const Lines& lines)
        : events_(events), trace_(*run.trace), lines_(lines) {}

    // `steps`: those of the block in the launch; `base`: where the launch begins.
    void write(std::span<const trace::Step> steps, std::size_t first_number, std::uint64_t base) {
        steps_ = steps, first_number_ = first_number, base_ = base;
        launch_ = &trace_.launches[steps.front().launch];
        block_ = steps.front().block;
        warps_.assign(launch_->warps_per_block(), {});
        collect();
        events_.name("process_name", block_, {}, "block " + std::to_string(block_) + " (1 µs = 1 step)");
        for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
            events_.name("thread_name", block_, warp, "warp " + std::to_string(warp));
            write_warp(warp);
        }
        events_.name("thread_name", block_, launches_thread, "launches");
        events_.add({{"ph", "X"},
                     {"name", launch_->kernel},
                     {"cat", "launch"},
                     {"pid", block_},
                     {"tid", launches_thread},
                     {"ts", base_},
                     {"dur", steps.size()},
                     {"args", {{"launch", steps.front().launch + 1}}}});
        write_counters();
        write_releases();
    }

  private:
    std::uint64_t time(std::uint64_t step) const { return base_ + step; }

    void collect() {
        trace::TurnDetail detail;
        for (std::size_t i = 0; i < steps_.size(); ++i)
            for (std::uint64_t number = steps_[i].first; number < steps_[i].end; ++number) {
                const trace::Turn& turn = trace_.turns[number];
                if (turn.block != block_ || turn.warp >= warps_.size()) continue;
                std::vector<Slice>& slices = warps_[turn.warp];
                if (slices.empty() || slices.back().begin != i)
                    slices.push_back({i, i + 1, turn.line, 0, turn.end, {}});
                Slice& slice = slices.back();
                slice.lanes |= turn.mask;
                slice.last = turn.end;
                detail.turn = number;
                trace::decode(trace_, number, detail);
                slice.metrics += analysis::measure_turns({detail}, trace_);
            }
        for (std::vector<Slice>& slices : warps_) {
            std::vector<Slice> merged;
            for (const Slice& slice : slices)
                if (!merged.empty() && merged.back().line == slice.line && merged.back().end == slice.begin &&
                    merged.back().lanes == slice.lanes && merged.back().last == trace::TurnEnd::step) {
                    merged.back().end = slice.end;
                    merged.back().last = slice.last;
                    merged.back().metrics += slice.metrics;
                } else {
                    merged.push_back(slice);
                }
            slices = std::move(merged);
        }
    }

    ordered_json args_of(const Slice& slice) const {
        const analysis::Metrics& counted = slice.metrics;
        ordered_json args{{"line", slice.line},
                          {"step", first_number_ + slice.begin},
                          {"lanes_on", trace::lane_count(slice.lanes)}};
        const auto state = [&](const char* name, std::uint64_t value) {
            if (value != 0) args[name] = value;
        };
        state("instructions", counted.warp_instructions);
        state("divergent_branches", counted.divergent_branches);
        state("global_requests", counted.global_load_requests + counted.global_store_requests);
        state("global_sectors", counted.global_load_sectors + counted.global_store_sectors);
        state("shared_requests", counted.shared_load_requests + counted.shared_store_requests);
        state("shared_bank_conflicts", counted.shared_load_wavefronts + counted.shared_store_wavefronts -
                                           counted.shared_load_ideal_wavefronts -
                                           counted.shared_store_ideal_wavefronts);
        state("atomics", counted.atomics);
        return args;
    }

    void write_warp(std::size_t warp) {
        const std::vector<Slice>& slices = warps_[warp];
        for (std::size_t i = 0; i < slices.size() && !events_.full(); ++i) {
            const Slice& slice = slices[i];
            events_.add({{"ph", "X"},
                         {"name", lines_(slice.line)},
                         {"cat", "line"},
                         {"pid", block_},
                         {"tid", warp},
                         {"ts", time(slice.begin)},
                         {"dur", slice.end - slice.begin},
                         {"args", args_of(slice)}});
            const bool barrier = slice.last == trace::TurnEnd::barrier;
            if (!barrier && slice.last != trace::TurnEnd::warp_sync) continue;
            const std::uint64_t until = i + 1 < slices.size() ? slices[i + 1].begin : steps_.size();
            if (until <= slice.end) continue;
            events_.add({{"ph", "X"},
                         {"name", barrier ? "waits at a barrier" : "waits for lanes of its warp"},
                         {"cat", "wait"},
                         {"pid", block_},
                         {"tid", warp},
                         {"ts", time(slice.end)},
                         {"dur", until - slice.end},
                         {"args", {{"line", slice.line}}}});
        }
    }

    void write_counters() {
        std::vector<unsigned> warps(steps_.size()), lanes(steps_.size());
        for (const std::vector<Slice>& slices : warps_)
            for (const Slice& slice : slices)
                for (std::uint64_t i = slice.begin; i < slice.end; ++i)
                    ++warps[i], lanes[i] += trace::lane_count(slice.lanes);
        const auto count = [&](const char* name, const std::vector<unsigned>& values) {
            for (std::size_t i = 0; i < values.size() && !events_.full(); ++i)
                if (i == 0 || values[i] != values[i - 1]) counter(name, time(i), values[i]);
            if (!values.empty() && values.back() != 0) counter(name, time(values.size()), 0);
        };
        count("active warps", warps);
        count("lanes on", lanes);
    }

    void counter(const char* name, std::uint64_t at, unsigned value) {
        events_.add({{"ph", "C"}, {"name", name}, {"pid", block_}, {"ts", at}, {"args", {{name, value}}}});
    }

    const Slice* slice_at(std::size_t warp, std::uint64_t step) const {
        const std::vector<Slice>& slices = warps_[warp];
        const auto after =
            std::upper_bound(slices.begin(), slices.end(), step,
                             [](std::uint64_t wanted, const Slice& each) { return wanted < each.begin; });
        return after != slices.begin() && std::prev(after)->end > step ? &*std::prev(after) : nullptr;
    }

    // From the warp that arrives last to each warp that waited.
    void write_releases() {
        const auto earlier = [](const trace::BarrierRelease& each, std::uint64_t turn) {
            return each.turn <= turn;
        };
        auto release =
            std::lower_bound(trace_.releases.begin(), trace_.releases.end(), steps_.front().first, earlier);
        for (; release != trace_.releases.end() && release->turn <= steps_.back().end; ++release) {
            if (release->block != block_ || events_.full()) continue;
            std::uint64_t last = release->turn;
            while (last > steps_.front().first && trace_.turns[last - 1].block != block_)
                --last;
            if (last == steps_.front().first) continue;
            const std::size_t from = trace_.turns[last - 1].warp;
            const std::uint64_t opened = step_of(last - 1);
            const Slice* const arrival = slice_at(from, opened);
            if (arrival == nullptr) continue;
            for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
                const auto next = std::upper_bound(
                    warps_[warp].begin(), warps_[warp].end(), opened,
                    [](std::uint64_t wanted, const Slice& each) { return wanted < each.begin; });
                if (warp == from || next == warps_[warp].end() || next == warps_[warp].begin()) continue;
                if (std::prev(next)->last != trace::TurnEnd::barrier) continue;
                flow("barrier opens", from, double(time(opened)) + 0.5, warp,
                     double(time(next->begin)) + 0.25);
            }
        }
    }

    std::uint64_t step_of(std::uint64_t turn) const {
        const auto after = std::upper_bound(
            steps_.begin(), steps_.end(), turn,
            [](std::uint64_t wanted, const trace::Step& each) { return wanted < each.first; });
        return after == steps_.begin() ? 0 : std::uint64_t(after - steps_.begin() - 1);
    }

    void flow(const char* name, std::size_t from, double at, std::size_t to, double until) {
        const std::size_t id = events_.next_id();
        events_.add({{"ph", "s"},
                     {"name", name},
                     {"cat", "barrier"},
                     {"id", id},
                     {"pid", block_},
                     {"tid", from},
                     {"ts", at}});
        events_.add({{"ph", "f"},
                     {"bp", "e"},
                     {"name", name},
                     {"cat", "barrier"},
                     {"id", id},
                     {"pid", block_},
                     {"tid", to},
                     {"ts", until}});
    }

    Events& events_;
    const trace::Trace& trace_;
    const Lines& lines_;
    std::span<const trace::Step> steps_;
    std::size_t first_number_ = 0;
    std::uint64_t base_ = 0;
    const trace::Launch* launch_ = nullptr;
    std::uint32_t block_ = 0;
    std::vector<std::vector<Slice>> warps_;
};

// The run on the axis of steps.
class StepWriter {
  public:
    StepWriter(Events& events, const execution::RunResult& run)
        : events_(events), run_(run), trace_(*run.trace), lines_(run.text_of_lines()) {}

    // Returns what does not fit, in words.
    Result<std::string> write(std::vector<std::uint32_t> blocks) {
        std::set<std::uint32_t> recorded;
        for (const trace::Turn& turn : trace_.turns)
            recorded.insert(turn.block);
        for (const std::uint32_t block : blocks)
            if (!recorded.contains(block))
                return error(
                    "block " + std::to_string(block) + " is not recorded",
                    "--record-blocks chooses the blocks to record; --blocks chooses those of the file");
        if (blocks.empty()) blocks.assign(recorded.begin(), recorded.end());
        place(blocks);
        std::size_t whole = 0;
        for (; whole < blocks.size(); ++whole) {
            const Events::Mark mark = events_.mark();
            write_block(blocks[whole]);
            if (!events_.full()) continue;
            if (whole > 0) events_.back_to(mark);
            break;
        }
        for (const std::uint32_t block : std::span(blocks).first(std::min(whole, blocks.size())))
            written_.insert(block);
        write_copies();
        write_problems();
        if (whole == blocks.size()) return std::string();
        if (whole == 0)
            return "block " + std::to_string(blocks.front()) + " is cut off at the limit of events";
        return "only the first " + std::to_string(whole) + " of " + std::to_string(blocks.size()) +
               " blocks fit into the limit of events";
    }

  private:
    struct Part {  // the steps of a block in one launch
        std::size_t first = 0, count = 0;
    };

    // Launches follow each other; each is as long as its block with the most steps.
    void place(const std::vector<std::uint32_t>& blocks) {
        std::vector<std::uint64_t> length(trace_.launches.size());
        for (const std::uint32_t block : blocks) {
            std::vector<trace::Step>& steps = steps_[block];
            steps = execution::steps_of(trace_, run_.turn_log.get(), block, trace::Granularity::line);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                Part& part = parts_[{steps[i].launch, block}];
                if (steps[i].block != block) continue;
                if (part.count++ == 0) part.first = i;
                length[steps[i].launch] = std::max<std::uint64_t>(length[steps[i].launch], part.count);
            }
        }
        std::uint64_t at = 0;
        for (const std::uint64_t each : length) {
            bases_.push_back(at);
            at += each;
        }
    }

    void write_block(std::uint32_t block) {
        BlockWriter writer(events_, run_, lines_);
        for (std::uint32_t launch = 0; launch < trace_.launches.size(); ++launch) {
            const auto part = parts_.find({launch, block});
            if (part == parts_.end() || part->second.count == 0) continue;
            writer.write(std::span(steps_[block]).subspan(part->second.first, part->second.count),
                         part->second.first + 1, bases_[launch]);
        }
    }

    // When a turn of a block runs; nothing if the block is not written.
    std::optional<std::uint64_t> time_of(std::uint64_t turn) const {
        if (turn >= trace_.turns.size()) return {};
        const std::uint32_t block = trace_.turns[turn].block, launch = trace_.launch_of(turn);
        const auto part = parts_.find({launch, block});
        if (!written_.contains(block) || part == parts_.end() || part->second.count == 0) return {};
        const std::size_t step = trace::step_at(steps_.at(block), turn);
        return bases_[launch] + step - part->second.first;
    }

    void write_copies() {
        if (!run_.instructions) return;
        using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;  // issued, arrived, pc
        std::map<Key, std::pair<std::uint64_t, const analysis::AsyncCopy*>> copies;
        const std::vector<analysis::AsyncCopy> found =
            analysis::find_async_copies(trace_, *run_.instructions, 0, trace_.turns.size());
        for (const analysis::AsyncCopy& copy : found) {
            auto& sum = copies[{copy.issued, copy.arrived, copy.pc}];
            sum.first += copy.read_bytes;
            sum.second = &copy;
        }
        for (const auto& [key, sum] : copies) {
            if (events_.full()) return;
            const analysis::AsyncCopy& copy = *sum.second;
            const auto begin = time_of(copy.issued), end = time_of(copy.arrived);
            if (!begin || (copy.arrived != analysis::AsyncCopy::never && !end)) continue;
            const std::uint32_t warp = copy.thread / trace::warp_size;
            ordered_json event{{"ph", "b"},
                               {"name", "asynchronous copy"},
                               {"cat", "copy"},
                               {"id", events_.next_id()},
                               {"pid", copy.block},
                               {"tid", warp},
                               {"ts", *begin},
                               {"args",
                                {{"bytes", sum.first},
                                 {"from", trace::to_text(copy.from_space)},
                                 {"warp", warp},
                                 {"arrived", end.has_value()}}}};
            events_.add(event);
            event["ph"] = "e";
            event["ts"] = end ? *end + 1 : *begin + 1;
            event.erase("args");
            events_.add(event);
        }
    }

    void write_problems() {
        for (const trace::Problem& problem : run_.problems) {
            const auto first = problem_at(problem, problem.first);
            const auto second = problem.second.line ? problem_at(problem, problem.second) : std::nullopt;
            if (!first || !second) continue;
            const bool ascending = *first <= *second;
            const std::size_t id = events_.next_id();
            end_of_flow("s", problem, ascending ? problem.first : problem.second,
                        double(std::min(*first, *second)) + 0.5, id);
            end_of_flow("f", problem, ascending ? problem.second : problem.first,
                        double(std::max(*first, *second)) + 0.75, id);
        }
    }

    void end_of_flow(const char* phase, const trace::Problem& problem, const trace::ProblemSite& site,
                     double at, std::size_t id) {
        ordered_json event{
            {"ph", phase}, {"name", trace::kind_words(problem.kind)}, {"cat", "problem"},
            {"id", id},    {"pid", trace_.turns[site.turn].block},    {"tid", trace_.turns[site.turn].warp},
            {"ts", at}};
        if (*phase == 'f') event["bp"] = "e";
        events_.add(event);
    }

    std::optional<std::uint64_t> problem_at(const trace::Problem& problem, const trace::ProblemSite& site) {
        const auto at = time_of(site.turn);
        if (!at) return {};
        events_.add({{"ph", "i"},
                     {"s", "t"},
                     {"name", trace::kind_words(problem.kind)},
                     {"cat", "problem"},
                     {"pid", trace_.turns[site.turn].block},
                     {"tid", trace_.turns[site.turn].warp},
                     {"ts", double(*at) + 0.5},
                     {"args", {{"line", site.line}, {"message", problem.message}}}});
        return at;
    }

    Events& events_;
    const execution::RunResult& run_;
    const trace::Trace& trace_;
    const Lines lines_;
    std::map<std::uint32_t, std::vector<trace::Step>> steps_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Part> parts_;  // by launch and block
    std::vector<std::uint64_t> bases_;
    std::set<std::uint32_t> written_;
};

// The estimate: a process for the multiprocessor of each launch, a thread for each of its resident warps.
Result<std::string> write_clock(Events& events, const execution::RunResult& run, std::string& device) {
    session::Session shown(std::make_shared<const lesson::Registry>(lesson::load_lessons()));
    shown.apply(session::WantClock{});
    shown.set_run(run);
    shown.wait();
    const auto reading = shown.clock().reading();
    if (!reading) return error("the time cannot be estimated: " + shown.clock().problem());
    if (!reading->estimate.refused.empty())
        return error("the time cannot be estimated: " + reading->estimate.refused);
    device = reading->device;
    const double us_per_cycle = 1 / (shown.clock().device()->clock_ghz * 1000);
    const Lines lines(run.text_of_lines());
    double at = 0;
    bool cut = false;
    for (std::size_t i = 0; i < reading->estimate.launches.size(); ++i) {
        const analysis::LaunchCycles& launch = reading->estimate.launches[i];
        const std::string kernel = i < reading->launches.size() ? reading->launches[i].kernel : "kernel";
        const std::string part =
            launch.simulated_cycles + 1 < launch.cycles ? "its first blocks, estimated" : "estimated";
        events.name("process_name", i, {},
                    "launch " + std::to_string(i + 1) + ", " + kernel + ": one multiprocessor of an " +
                        reading->device + " (" + part + ")");
        for (std::uint32_t row = 0; row < launch.rows; ++row)
            events.name("thread_name", i, row, "resident warp " + std::to_string(row));
        // The times are single-precision numbers: neighbours can overlap by their last bit.
        std::vector<analysis::WarpInterval> intervals = launch.intervals;
        std::stable_sort(intervals.begin(), intervals.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
        std::vector<float> ended(launch.rows);
        for (analysis::WarpInterval each : intervals) {
            if ((cut = cut || events.full())) break;
            if (each.block >= launch.simulated.size()) continue;
            const analysis::SimulatedBlock& block = launch.simulated[each.block];
            const std::size_t row = block.first_row + each.warp;
            if (row >= ended.size()) continue;
            each.begin = std::max(each.begin, ended[row]);
            if (!(each.end > each.begin)) continue;
            ended[row] = each.end;
            const bool issues = each.stall == analysis::Stall::issues;
            std::string name = issues ? lines(each.line) : analysis::to_text(each.stall);
            if (!issues) std::replace(name.begin(), name.end(), '_', ' ');
            events.add({{"ph", "X"},
                        {"name", issues ? name : "waits: " + name},
                        {"cat", issues ? "line" : "wait"},
                        {"pid", i},
                        {"tid", row},
                        {"ts", at + double(each.begin) * us_per_cycle},
                        {"dur", (double(each.end) - double(each.begin)) * us_per_cycle},
                        {"args", {{"line", each.line}, {"block", block.block}, {"warp", each.warp}}}});
        }
        at += launch.cycles * us_per_cycle;
    }
    return cut ? std::string("the estimate is cut off at the limit of events") : std::string();
}

// What the host did, and what ran in each stream. Returns what does not fit, in words.
std::string write_host(Events& events, const program::ProgramRun& program) {
    const scene::HostTimeline host(program);
    if (host.rows().empty()) return {};
    const bool measured = host.units() == 0;
    const program::HostEvent& last = program.host.back();
    const double whole_us = measured ? (last.at_ms + last.ms) * 1000 : double(host.units());
    events.name("process_name", host_process, {},
                measured ? "host and streams, measured" : "host and streams (1 µs = 1 copy, fill or launch)");
    for (std::size_t lane = 0; lane < host.lanes().size(); ++lane)
        events.name("thread_name", host_process, lane, host.lanes()[lane]);
    std::vector<double> ended(host.lanes().size());
    for (const scene::HostRow& row : host.rows()) {
        if (events.full()) return "the host's calls are cut off at the limit of events";
        const scene::HostWords words = host.words(row);
        ordered_json event{{"name", words.what},
                           {"cat", "host"},
                           {"pid", host_process},
                           {"tid", row.lane},
                           {"args", {{"amount", words.amount}, {"place", words.place}}}};
        const double begin = std::max(double(row.at) * whole_us, ended[row.lane]),
                     end = double(row.end) * whole_us;
        event["ts"] = begin;
        if (end > begin) {
            event["ph"] = "X";
            event["dur"] = end - begin;
            ended[row.lane] = end;
        } else {
            event["ph"] = "i";
            event["s"] = "t";
        }
        if (row.finding >= 0)
            event["args"]["problem"] = host.findings()[std::size_t(row.finding)].finding.message;
        events.add(event);
    }
    return {};
}

}  // namespace

Result<TraceEvents> make_trace_events(const execution::RunResult& run, const TraceEventOptions& options) {
    if (!run.trace || run.trace->turns.empty()) return error("there are no steps: nothing was recorded");
    Events events(options.max_events);
    std::string device;
    Result<std::string> left_out =
        options.clock ? write_clock(events, run, device) : StepWriter(events, run).write(options.blocks);
    if (!left_out) return left_out.diagnostics();
    if (options.program != nullptr)
        if (const std::string host = write_host(events, *options.program); !host.empty())
            *left_out += (left_out->empty() ? "" : "; ") + host;
    ordered_json other{{"program", "Lanescope " + options.version},
                       {"file", public_name(run.file)},
                       {"time", options.clock ? "estimated for an " + device + ", not measured"
                                              : std::string("1 µs stands for one step; it is not a time")}};
    if (!left_out->empty()) other["left_out"] = *left_out;
    return TraceEvents{"{\"displayTimeUnit\":\"ns\",\"otherData\":" +
                           other.dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
                           ",\"traceEvents\":[" + events.text() + "\n]}\n",
                       *left_out};
}

}  // namespace lanescope::page
