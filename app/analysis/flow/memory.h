// The value that each piece of memory holds: one per 4 bytes, or per byte where narrower accesses occur.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/flow/graph.h"

namespace lanescope::analysis {

class FlowMemory {
  public:
    // Global and constant memory begin with the inputs, one for each cell of a symbol.
    FlowMemory(const trace::Trace& trace, FlowGraph& graph);

    // What these bytes hold; several values are joined, two words become a pair.
    ValueId read(trace::Space space, std::uint64_t instance, std::uint64_t offset, unsigned width_bytes);
    void write(trace::Space space, std::uint64_t instance, std::uint64_t offset, unsigned width_bytes,
               ValueId value);
    void begin_launch();  // shared and local memory start anew

    std::uint64_t bytes() const { return bytes_; }

  private:
    struct Page {
        bool narrow = false;        // one value per byte
        std::vector<ValueId> held;  // 0: as at the beginning; else the value's id + 1
    };
    struct Symbol {
        std::uint64_t begin = 0, end = 0;  // bytes
        std::uint32_t cell_bytes = 1;
        ValueId first = 0;
    };
    struct Spot {
        Page* page;
        std::uint64_t at;  // byte in the page
    };

    Spot spot(trace::Space space, std::uint64_t instance, std::uint64_t offset);
    ValueId initial(trace::Space space, std::uint64_t offset, unsigned width_bytes);
    ValueId held(const Page& page, std::uint64_t at, trace::Space space, std::uint64_t offset,
                 unsigned width_bytes);
    void make_narrow(Page& page);

    FlowGraph& graph_;
    std::vector<Symbol> symbols_[2];  // global, constant; ascending
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_[4];
    std::uint64_t last_key_[4]{};
    Page* last_page_[4]{};
    std::size_t last_symbol_[2]{};
    std::uint64_t bytes_ = 0;
};

}  // namespace lanescope::analysis
