// The life of one cell: every write and read of it, with its values and what they were made of.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/flow/flow.h"
#include "trace/trace.h"

namespace lanescope::scene {

// A cell of an array. Shared arrays live in one block of one launch.
struct CellPlace {
    trace::Space space{};
    std::uint32_t launch = trace::none;  // none: the whole run
    std::uint32_t block = trace::none;   // none: all blocks
    std::uint64_t offset = 0;            // bytes, in its instance
    std::uint32_t bytes = 0;
    TypeId element = 0;
    bool operator==(const CellPlace&) const = default;
};

struct CellEvent {
    std::uint64_t turn = 0;
    std::uint32_t block = 0, line = 0;
    std::uint32_t first_thread = 0;
    std::uint32_t threads = 1;  // that read it in one instruction
    trace::AccessKind kind{};
    std::string before, after;  // values; of a read the same
    std::string origin;         // of a write: "in[0] + in[1]"; empty: not known
};

struct CellLife {
    std::vector<CellEvent> events;  // in the order in which they happened
    std::uint64_t left_out = 0;     // later ones
};

// `flow` may be null; then origins are empty. Once `cancelled` is set, the events so far are returned.
std::shared_ptr<const CellLife> life_of(std::shared_ptr<const trace::Trace> trace, const analysis::Flow* flow,
                                        const CellPlace& cell, const std::atomic<bool>* cancelled = nullptr);

// "5 → 16", "16", "? → 3".
std::string change_text(const CellEvent& event);

}  // namespace lanescope::scene
