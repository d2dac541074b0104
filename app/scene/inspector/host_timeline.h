// What the host code of a program did, in its order: rows for a list and a timeline, with what was found
// there. Words are made for the rows that are in sight, because a program may have 100,000 of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program/check.h"
#include "program/run.h"
#include "scene/inspector/launch_rows.h"

namespace lanescope::scene {

// What a row is; each has a colour and a shape.
enum class HostMark : std::uint8_t {
    memory,     // allocated, freed
    to_device,  // copies and fills
    to_host,
    on_device,  // copies and fills
    launch,
    wait,    // the host or a stream waits
    stream,  // streams and events are made, recorded, destroyed
    library,
    error  // a call returned an error
};

struct HostRow {
    std::size_t event = 0;  // index into ProgramRun::host, or of an error into ProgramRun::errors
    HostMark mark{};
    std::uint8_t lane = 0;      // index into HostTimeline::lanes()
    std::int64_t launch = -1;   // its number
    std::int32_t finding = -1;  // index of the first finding here, into HostTimeline::findings()
    std::uint16_t found = 0;    // findings here
    bool holds_host = false;    // the host waits for this lane
    bool problem = false;       // one of them is not a note
    float at = 0, end = 0;      // the place in the timeline, 0 … 1; equal: it takes no time
};

struct HostFinding {
    program::Finding finding;
    std::int32_t row = -1;  // where it belongs; -1: not known
    std::string title;      // "race between streams"
};

struct HostWords {
    std::string what;    // "d_a ← host"
    std::string amount;  // "4,000 B", "1,234 warp instructions", "12.3 µs"
    std::string place;   // "vector_add.cu:27"
    std::string story;   // all of it, with what was found, for a tooltip
};

class HostTimeline {
  public:
    HostTimeline() = default;
    // `run` outlives the object. Leaks are notes.
    explicit HostTimeline(const program::ProgramRun& run);

    const std::vector<HostRow>& rows() const { return rows_; }
    const std::vector<HostFinding>& findings() const { return findings_; }
    const std::vector<std::string>& lanes() const { return lanes_; }  // "host", "default stream", "stream 1"
    // On the CPU machine: the units of the timeline's axis. Each copy, fill and launch takes one, and begins
    // as soon as its stream, events and the host's waits allow. 0: real times.
    std::size_t units() const { return units_; }
    HostWords words(const HostRow& row) const;
    std::string short_words(const HostRow& row) const;  // "copy in", "square", for a bar
    const program::HostPlace& place(const HostRow& row) const;
    // What the places in the timeline and the numbers are.
    std::string source_words() const;
    // Whether the program has work on several streams, whose races only a checked run finds.
    bool has_streams() const { return lanes_.size() > 2; }

  private:
    void add_lanes();
    void add_rows();
    void place_in_time();
    void place_in_order();
    void add_findings();
    std::string buffer_words(const program::HostEvent::End& end) const;
    void describe_event(const program::HostEvent& event, HostWords& words) const;
    void describe_launch(const program::HostEvent& event, HostWords& words) const;

    const program::ProgramRun* run_ = nullptr;
    BufferNames names_;
    std::vector<HostRow> rows_;
    std::size_t units_ = 0;
    std::vector<HostFinding> findings_;
    std::vector<std::string> lanes_;
    std::map<std::int64_t, std::uint8_t> lane_of_stream_;
    std::map<std::int64_t, std::size_t> launches_;  // by number
};

// The most streams that have a lane of their own; the others share the last lane.
inline constexpr std::size_t host_lane_limit = 8;

struct HostFilter {
    std::string text;  // a part of a function's, a kernel's or a buffer's name, in any case
    bool problems = false;
    bool operator==(const HostFilter&) const = default;
};
// Indices of the rows that the filter leaves, ascending.
std::vector<std::size_t> filtered(const HostTimeline& timeline, const HostFilter& filter);

// Folds rows into columns of a timeline: for each lane and column the row that matters most, as an index into
// `rows`, or -1. The result has lanes × columns entries, lane by lane. What holds the host is in its lane,
// too.
std::vector<std::int32_t> folded(const std::vector<HostRow>& rows, std::size_t lanes, std::size_t columns);

// "out of bounds" of "out_of_bounds".
std::string kind_words(const std::string& kind);

}  // namespace lanescope::scene
