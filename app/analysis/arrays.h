// How often each buffer, shared array and constant is read and written, by single threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/events.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct ArrayMetrics {
    std::string name;
    trace::Space space{};
    std::uint64_t cells = 0;
    std::uint64_t loads = 0, stores = 0,
                  atomics = 0;  // of lanes: over `cells`, how often each cell is used on average
};

// Counts one launch. A lane counts for the array that holds its first byte.
class ArrayCounter {
  public:
    ArrayCounter(const trace::Trace& trace, const trace::Launch& launch);
    void add(const trace::Event& access);
    std::vector<ArrayMetrics> finish();  // those that were touched, in the order of the trace's symbols

  private:
    struct Place {
        std::uint64_t begin = 0, end = 0;
        std::size_t array = 0;
        bool holds(std::uint64_t offset) const { return offset >= begin && offset < end; }
    };
    struct Places {
        std::vector<Place> sorted;
        Place last;  // where the last access went
    };
    void add_symbols(const std::vector<trace::Symbol>& symbols, const trace::Trace& trace);
    const Place* find(Places& places, std::uint64_t offset) const;
    void count(const trace::Event& access, const Place& place, std::uint64_t lanes);

    std::vector<ArrayMetrics> arrays_;
    Places places_[3];  // global, constant, shared
};

}  // namespace lanescope::analysis
