#include "scene/inspector/host_timeline.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/number_text.h"
#include "base/text.h"
#include "scene/inspector/launch_rows.h"
#include "session/timing/timings.h"

namespace lanescope::scene {

namespace {

using program::HostEvent;
using Kind = HostEvent::Kind;

HostMark mark_of(const HostEvent& event) {
    switch (event.kind) {
        case Kind::allocate:
        case Kind::free:
            return HostMark::memory;
        case Kind::copy:
            if (event.direction == "host to device") return HostMark::to_device;  // also from pinned memory
            if (event.direction == "device to host") return HostMark::to_host;
            return event.to.on_device() ? event.from.on_device() ? HostMark::on_device : HostMark::to_device
                                        : HostMark::to_host;
        case Kind::memset:
            return HostMark::on_device;
        case Kind::launch:
        case Kind::launch_graph:
            return HostMark::launch;
        case Kind::synchronise:
        case Kind::wait_for_event:
            return HostMark::wait;
        case Kind::library:
            return HostMark::library;
        case Kind::host_function:
        case Kind::record_event:
        case Kind::create_stream:
        case Kind::destroy_stream:
            break;
    }
    return HostMark::stream;
}

// What stands out where several rows share a column.
int weight_of(const HostRow& row) {
    constexpr int weights[] = {2, 4, 4, 4, 6, 3, 1, 5, 8};
    return weights[static_cast<std::size_t>(row.mark)] + (row.problem ? 10 : 0);
}

// Whether the host goes on only when the copy has ended: unless it is asynchronous and each end is memory of
// the device or pinned memory, which are buffers.
bool holds_host(const HostEvent& event) {
    if (event.kind == Kind::synchronise) return true;
    if (event.kind != Kind::copy) return false;
    return event.function.find("Async") == std::string::npos || !event.to.on_device() ||
           !event.from.on_device();
}

// When work begins at the earliest if each copy, fill and launch takes one unit, and what the host does takes
// none. It waits for earlier work of its stream, for events, for the host, and between the default stream and
// others that block. Inaccuracies: there is one link with one copy at a time in each direction, and launches
// of several streams always find room on the GPU.
class Order {
  public:
    struct Span {
        std::size_t begin = 0, end = 0;
    };
    Span add(const HostEvent& event, HostMark mark) {
        switch (event.kind) {
            case Kind::copy:
            case Kind::memset:
            case Kind::launch:
            case Kind::launch_graph:
            case Kind::host_function:
            case Kind::library:
                return work(event, mark);
            case Kind::synchronise:
                return {std::exchange(host_, std::max(host_, waited_for(event))), host_};
            case Kind::record_event:
                events_[event.cuda_event] = ready(event.stream);
                break;
            case Kind::wait_for_event:
                streams_[event.stream] = std::max(ready(event.stream), events_[event.cuda_event]);
                break;
            case Kind::create_stream:
                if (!event.blocking) apart_.insert(event.stream);
                break;
            case Kind::allocate:
            case Kind::free:
            case Kind::destroy_stream:
                break;
        }
        const std::size_t at = event.kind == Kind::record_event || event.kind == Kind::wait_for_event
                                   ? ready(event.stream)
                                   : host_;
        return {at, at};
    }
    std::size_t host() const { return host_; }

  private:
    Span work(const HostEvent& event, HostMark mark) {
        std::size_t begin = std::max(host_, ready(event.stream));
        std::size_t* link = mark == HostMark::to_device ? &to_device_
                            : mark == HostMark::to_host ? &to_host_
                                                        : nullptr;
        if (link) begin = std::max(begin, *link);
        streams_[event.stream] = begin + 1;
        if (link) *link = begin + 1;
        if (holds_host(event)) host_ = begin + 1;
        return {begin, begin + 1};
    }
    std::size_t ready(std::int64_t stream) const {
        std::size_t at = 0;
        for (const auto& [each, end] : streams_)
            if (each == stream || (stream == 0 && !apart_.contains(each)) ||
                (each == 0 && !apart_.contains(stream)))
                at = std::max(at, end);
        return at;
    }
    std::size_t waited_for(const HostEvent& event) const {
        if (event.of == "event") {
            const auto known = events_.find(event.cuda_event);
            return known == events_.end() ? 0 : known->second;
        }
        if (event.of == "stream") return ready(event.stream);
        std::size_t at = 0;
        for (const auto& [each, end] : streams_)
            at = std::max(at, end);
        return at;
    }

    std::size_t host_ = 0, to_device_ = 0, to_host_ = 0;  // when each is free
    std::map<std::int64_t, std::size_t> streams_, events_;
    std::set<std::int64_t> apart_;  // streams that do not block with the default one
};

std::string bytes_words(std::uint64_t bytes) {
    return grouped(bytes) + " B";
}

}  // namespace

std::string kind_words(const std::string& kind) {
    if (kind == "stream_race") return "race between streams";
    if (kind == "leak") return "not freed";
    std::string words = kind;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

HostTimeline::HostTimeline(const program::ProgramRun& run) : run_(&run), names_(buffer_names(run)) {
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        launches_[static_cast<std::int64_t>(run.launches[i].number)] = i;
    add_lanes();
    add_rows();
    add_findings();
}

void HostTimeline::add_lanes() {
    std::set<std::int64_t> streams;
    for (const HostEvent& each : run_->host)
        if (each.stream > 0 || (each.stream == 0 && each.kind != Kind::free)) streams.insert(each.stream);
    lanes_ = {"host"};
    for (const std::int64_t stream : streams) {
        if (lanes_.size() == host_lane_limit) lanes_.back() = "more streams";
        if (lanes_.size() < host_lane_limit)
            lanes_.push_back(stream == 0 ? "default stream" : "stream " + std::to_string(stream));
        lane_of_stream_[stream] = static_cast<std::uint8_t>(lanes_.size() - 1);
    }
}

// Errors stand before the event that came after them.
void HostTimeline::add_rows() {
    rows_.reserve(run_->host.size() + run_->errors.size());
    std::size_t error = 0;
    const auto add_errors = [&](std::size_t before) {
        for (; error < run_->errors.size() && run_->errors[error].before_event <= before; ++error)
            rows_.push_back({.event = error, .mark = HostMark::error});
    };
    for (std::size_t i = 0; i < run_->host.size(); ++i) {
        add_errors(i);
        const HostEvent& event = run_->host[i];
        HostRow row{.event = i, .mark = mark_of(event), .launch = event.launch};
        row.holds_host = holds_host(event);
        if (const auto lane = lane_of_stream_.find(event.stream); lane != lane_of_stream_.end())
            row.lane = lane->second;
        rows_.push_back(row);
    }
    add_errors(run_->host.size());
    const bool timed =
        !run_->device.empty() && !run_->host.empty() && run_->host.back().at_ms + run_->host.back().ms > 0;
    timed ? place_in_time() : place_in_order();
}

void HostTimeline::place_in_time() {
    const double all_ms = run_->host.back().at_ms + run_->host.back().ms;
    float last = 0;
    for (HostRow& row : rows_) {
        if (row.mark != HostMark::error) {
            const HostEvent& event = run_->host[row.event];
            last = static_cast<float>(event.at_ms / all_ms);
            row.end = static_cast<float>((event.at_ms + event.ms) / all_ms);
        }
        row.at = last;
        row.end = std::max(row.end, row.at);
    }
}

void HostTimeline::place_in_order() {
    Order order;
    std::vector<Order::Span> spans;
    spans.reserve(rows_.size());
    units_ = 1;
    for (const HostRow& row : rows_) {
        spans.push_back(row.mark == HostMark::error ? Order::Span{order.host(), order.host()}
                                                    : order.add(run_->host[row.event], row.mark));
        units_ = std::max(units_, spans.back().end);
    }
    const auto whole = static_cast<float>(units_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        rows_[i].at = static_cast<float>(spans[i].begin) / whole;
        rows_[i].end = static_cast<float>(spans[i].end) / whole;
    }
}

void HostTimeline::add_findings() {
    std::map<std::int64_t, std::int32_t> row_of_launch;
    std::map<std::pair<std::string, int>, std::int32_t> row_of_place, error_of_place;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto number = static_cast<std::int32_t>(i);
        const program::HostPlace& at = place(rows_[i]);
        if (rows_[i].launch >= 0) row_of_launch.emplace(rows_[i].launch, number);
        if (at.line == 0) continue;
        (rows_[i].mark == HostMark::error ? error_of_place : row_of_place)
            .emplace(std::pair(at.file, at.line), number);
    }
    const auto row_at = [](const auto& known, const auto& key) {
        const auto found = known.find(key);
        return found == known.end() ? -1 : found->second;
    };
    for (program::Finding& each : program::findings_of(*run_, false)) {
        HostFinding made{std::move(each), -1, {}};
        const program::Finding& finding = made.finding;
        made.title = kind_words(finding.kind);
        const std::pair place(finding.place.file, finding.place.line);
        if (finding.launch >= 0) made.row = row_at(row_of_launch, finding.launch);
        const bool of_call = finding.kind == "unchecked_error" || finding.kind == "double_free" ||
                             finding.kind == "use_after_free";
        if (made.row < 0 && of_call) made.row = row_at(error_of_place, place);
        if (made.row < 0 && finding.place.line != 0) made.row = row_at(row_of_place, place);
        if (made.row < 0 && finding.place.line != 0) made.row = row_at(error_of_place, place);
        findings_.push_back(std::move(made));
    }
    for (std::size_t i = 0; i < findings_.size(); ++i) {
        if (findings_[i].row < 0) continue;
        HostRow& row = rows_[static_cast<std::size_t>(findings_[i].row)];
        if (row.finding < 0) row.finding = static_cast<std::int32_t>(i);
        ++row.found;
        row.problem |= !findings_[i].finding.note;
    }
    for (HostRow& row : rows_) {
        const auto launch = launches_.find(row.launch);
        if (launch == launches_.end()) continue;
        const program::ProgramLaunch& known = run_->launches[launch->second];
        row.problem |= known.has_problem() || known.ending != "finished";
    }
}

const program::HostPlace& HostTimeline::place(const HostRow& row) const {
    return row.mark == HostMark::error ? run_->errors[row.event].place : run_->host[row.event].place;
}

// --- Words -------------------------------------------------------------------------------------------------

std::string HostTimeline::buffer_words(const HostEvent::End& end) const {
    if (!end.on_device()) return "host";
    std::string words = end.name.empty() ? "buffer " + std::to_string(end.buffer) : end.name;
    if (end.offset_bytes != 0) words += " + " + bytes_words(end.offset_bytes);
    return words;
}

void HostTimeline::describe_launch(const HostEvent& event, HostWords& words) const {
    const auto known = launches_.find(event.launch);
    if (known == launches_.end()) {
        words.what = "launch " + std::to_string(event.launch);
        return;
    }
    const program::ProgramLaunch& launch = run_->launches[known->second];
    const LaunchRow row = launch_row(*run_, launch, names_);
    words.what = "launch " + std::to_string(launch.number) + ": " + launch.kernel;
    words.amount = run_->device.empty() ? grouped(launch.warp_instructions) : row.work;
    words.story = row.story;
}

void HostTimeline::describe_event(const HostEvent& event, HostWords& words) const {
    switch (event.kind) {
        case Kind::allocate:
            words.what = "allocate " + buffer_words(event.to);
            words.amount = bytes_words(event.bytes);
            return;
        case Kind::free:
            words.what = "free " + buffer_words(event.to);
            return;
        case Kind::copy:
            words.what = "copy " + buffer_words(event.from) + " → " + buffer_words(event.to);
            words.amount = bytes_words(event.bytes);
            return;
        case Kind::memset:
            words.what = "fill " + buffer_words(event.to);
            words.amount = bytes_words(event.bytes);
            return;
        case Kind::launch:
            return describe_launch(event, words);
        case Kind::launch_graph:
            words.what = "launch a graph";
            return;
        case Kind::host_function:
            words.what = "function on the host";
            return;
        case Kind::synchronise:
            words.what =
                "the host waits for " +
                (event.of == "event" && event.cuda_event >= 0 ? "event " + std::to_string(event.cuda_event)
                 : event.of == "stream" && event.stream > 0   ? "stream " + std::to_string(event.stream)
                 : event.of == "stream" && event.stream == 0
                     ? std::string("the default stream")
                     : "the " + (event.of.empty() ? std::string("device") : event.of));
            return;
        case Kind::record_event:
            words.what = "record event " + std::to_string(event.cuda_event);
            return;
        case Kind::wait_for_event:
            words.what = "the stream waits for event " + std::to_string(event.cuda_event);
            return;
        case Kind::create_stream:
            words.what = "create stream " + std::to_string(event.stream);
            return;
        case Kind::destroy_stream:
            words.what = "destroy stream " + std::to_string(event.stream);
            return;
        case Kind::library:
            words.what = event.function;
            return;
    }
}

HostWords HostTimeline::words(const HostRow& row) const {
    HostWords made;
    made.place = place_words(place(row));
    const std::string& in = place(row).function;
    std::string function;
    if (row.mark == HostMark::error) {
        const program::ProgramError& error = run_->errors[row.event];
        made.what = error.function + " returned " + error.name;
        if (!error.reason.empty()) made.story = error.reason;
        if (!error.seen)
            made.story += (made.story.empty() ? "" : "\n") + std::string("the program did not look");
        function = error.function;
    } else {
        const HostEvent& event = run_->host[row.event];
        describe_event(event, made);
        function = event.function;
        if (!run_->device.empty() && event.ms > 0 && row.mark != HostMark::launch)
            made.amount += (made.amount.empty() ? "" : ", ") + session::time_words(event.ms);
    }
    std::string call = function;
    if (!made.place.empty()) call += " at " + made.place + (in.empty() ? "" : " in " + in);
    if (row.lane > 0) call += " · " + lanes_[row.lane];
    made.story = call + (made.story.empty() ? "" : "\n" + made.story);
    for (std::size_t i = 0, left = row.found; left > 0 && i < findings_.size(); ++i) {
        const HostFinding& found = findings_[i];
        if (found.row < 0 || &rows_[static_cast<std::size_t>(found.row)] != &row) continue;
        --left;
        made.story += (found.finding.note ? "\nnote: " : "\n✗ ") + found.title + ": " + found.finding.message;
    }
    return made;
}

std::string HostTimeline::short_words(const HostRow& row) const {
    switch (row.mark) {
        case HostMark::to_device:
            return "copy in";
        case HostMark::to_host:
            return "copy out";
        case HostMark::on_device:
            return run_->host[row.event].kind == Kind::memset ? "fill" : "copy";
        case HostMark::launch:
            if (const auto known = launches_.find(row.launch); known != launches_.end())
                return run_->launches[known->second].kernel;
            return "graph";
        case HostMark::wait:
            return "waits";
        case HostMark::library:
            return run_->host[row.event].function;
        case HostMark::memory:
        case HostMark::stream:
        case HostMark::error:
            break;
    }
    return {};
}

std::string HostTimeline::source_words() const {
    return run_->device.empty()
               ? "The earliest order that streams, events and waits allow: bars one above the other may run "
                 "at "
                 "the same time. Not real time: each copy and launch takes one unit, the link carries one "
                 "copy "
                 "in each direction, and launches have their warp instructions."
               : "real times of the calls on " + run_->device + "; work that a call only submits ends later";
}

std::vector<std::size_t> filtered(const HostTimeline& timeline, const HostFilter& filter) {
    const std::string wanted = lower_case(filter.text);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < timeline.rows().size(); ++i) {
        const HostRow& row = timeline.rows()[i];
        if (filter.problems && !row.problem && row.found == 0 && row.mark != HostMark::error) continue;
        if (!wanted.empty()) {
            const HostWords words = timeline.words(row);
            if (lower_case(words.what + "\n" + words.story).find(wanted) == std::string::npos) continue;
        }
        left.push_back(i);
    }
    return left;
}

std::vector<std::int32_t> folded(const std::vector<HostRow>& rows, std::size_t lanes, std::size_t columns) {
    std::vector<std::int32_t> made(lanes * columns, -1);
    if (columns == 0) return made;
    const auto column_of = [&](float place) {
        return std::min(static_cast<std::size_t>(std::lround(place * static_cast<float>(columns))), columns);
    };
    const auto put = [&](std::size_t lane, std::size_t row, std::size_t first, std::size_t end) {
        for (std::size_t column = first; column < end; ++column) {
            std::int32_t& here = made[lane * columns + column];
            if (here < 0 || weight_of(rows[row]) > weight_of(rows[static_cast<std::size_t>(here)]))
                here = static_cast<std::int32_t>(row);
        }
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const HostRow& row = rows[i];
        const std::size_t first = std::min(column_of(row.at), columns - 1);
        const std::size_t end = std::max(column_of(row.end), first + 1);
        const bool only_host = row.mark == HostMark::wait && row.holds_host;
        if (!only_host) put(row.lane, i, first, end);
        if (row.holds_host) put(0, i, first, end);
    }
    return made;
}

}  // namespace lanescope::scene
