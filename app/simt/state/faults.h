// The problems of a run and their sentences. A kind at an instruction is described once and then counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simt/inspect/uninit.h"
#include "simt/memory/lanes.h"
#include "simt/memory/memory.h"
#include "trace/trace.h"

namespace lanescope::simt {

struct LaunchContext;
struct Warp;
struct Decoded;
struct Frame;

class Problems {
  public:
    explicit Problems(std::uint32_t limit) : limit_(limit) {}

    // Returns a problem to fill in; null if this kind is known at this place, or there are too many.
    // `remark`: it is a note, for which a later error at the place stands in.
    trace::Problem* note(trace::ProblemKind kind, std::uint32_t pc, bool remark = false);
    const std::vector<trace::Problem>& all() const { return all_; }
    std::uint64_t dropped() const { return dropped_; }

  private:
    std::uint32_t limit_;
    std::uint64_t dropped_ = 0;
    std::vector<trace::Problem> all_;
    std::map<std::pair<trace::ProblemKind, std::uint32_t>, std::size_t> known_;
};

// A faulty access.
struct BadAccess {
    trace::ProblemKind kind{};
    trace::AccessKind access{};
    Window window = Window::none;  // the state space that the instruction names; none: generic
    std::uint64_t address = 0;     // generic
    unsigned width_bytes = 0;
    std::uint64_t object = 0;  // generic address of the variable that the address comes from; 0: not known
    bool lands = false;        // it leads into other memory of the frame, as it does on hardware
    bool host = false;         // a program of the host has memory there
};
void report_access(Warp& warp, const Decoded& decoded, unsigned lane, const BadAccess& bad);

// The symbol that is nearest to an address.
struct Neighbour {
    const trace::Symbol* symbol = nullptr;
    std::uint64_t start = 0;  // generic address
    bool freed = false;
    bool untyped = false;
};
// "writes s[64], just past the end of s (64 elements)". `window`: where the address was meant to lie.
std::string access_text(const TypeTable& types, const BadAccess& bad, Window window, const Neighbour& near);
// The number of the cell at a generic address; may be outside.
std::int64_t cell_index(const TypeTable& types, const Neighbour& near, std::uint64_t address);

// Anything else that happens to lanes at an instruction of the current frame. A second place may be named.
// `remark`: it is a note.
void report(Warp& warp, trace::ProblemKind kind, std::uint32_t pc, Mask lanes, std::string message,
            const trace::ProblemSite* second = nullptr, bool remark = false);
// An instruction of the current frame, now.
trace::ProblemSite site_of(const Warp& warp, std::uint32_t pc, unsigned lane);

// A value that was never set reached memory, an address or a branch.
void report_uninit(Warp& warp, std::uint32_t pc, Mask lanes, const UninitUse::Check& check);

// Problems of a whole launch.
void report_launch(LaunchContext& run, trace::ProblemKind kind, std::string message);

// The source line of an instruction, or of the call that leads to it; 0 when unknown.
std::uint32_t line_of(const Warp& warp, std::uint32_t pc);
// Names the memory at a generic address: "flag[0]", or the address.
std::string place_name(const Warp& warp, std::uint64_t address);
std::string place_text(std::uint32_t line);  // " in line 12", or nothing

}  // namespace lanescope::simt
