// The map of threads without a GPU: computes and draws on the CPU what the shaders in shaders/ do, for the
// same records. The tests compare the two.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "render/map_data.h"
#include "trace/record.h"

namespace lanescope::render {

// The records of a launch; shape.bytes() of them, and one count for each slot.
struct MapRecords {
    StreamShape shape;
    std::span<const trace::Record> records;
    std::span<const std::uint32_t> counts;
};

class MapOnCpu {
  public:
    MapOnCpu() { set_code({}); }
    // As the functions of ThreadMap.
    void set_code(std::span<const CodePoint> code);
    void set_clock_offsets(std::span<const std::uint64_t> offsets);
    void set_watched(const std::vector<std::vector<WatchedRegister>>& by_function);

    // Call it before the records differ from those of the last update.
    void forget() { spans_.clear(); }
    // Computes the states at this time. A warp in which nothing has happened since the last update costs one
    // comparison.
    void update(const MapRecords& records, std::uint64_t time);
    ValueRange range(const MapRecords& records) const;
    const Tally& tally() const { return tally_; }
    ThreadNow thread(std::uint32_t slot) const;
    // Draws the last update: width × height pixels of 8-bit RGBA, red in the lowest byte, top row first.
    void draw(const MapPicture& picture, std::span<std::uint32_t> pixels);

  private:
    struct Value {
        std::uint64_t bits = 0;
        std::uint32_t type = 0;
        bool set = false;
    };
    // All times at which the states of a warp are the same: from ≤ time < until.
    struct Span {
        std::uint64_t from = 1, until = 0;
    };
    // A row of the picture's samples: its part of a warp in each of the blocks that lie beside each other.
    struct Row {
        std::uint32_t first_slot = 0;  // of the first of these blocks
        std::uint32_t lanes = 0;       // 0: the row lies between cells
        std::uint32_t blocks = 0;
        float in_cell = 0;  // 0 to 1
        bool operator==(const Row&) const = default;
    };
    struct Column {
        std::uint32_t offset = 0;   // of the slot from the row's first one
        std::uint32_t lane = ~0u;   // more than there are: the column lies between cells
        std::uint32_t block = ~0u;  // of those that lie beside each other
        float in_cell = 0;
    };

    void begin(const StreamShape& shape);
    void count(std::uint32_t slot, bool more);
    Span place_warp(const MapRecords& records, std::uint64_t time, std::uint32_t block, std::uint32_t warp);
    Value last_value(const MapRecords& records, std::uint32_t slot, std::uint32_t until) const;
    const WatchedRegister* watched_by(const trace::Record& record) const;
    void lay_out(const MapPicture& picture, int samples);
    std::pair<std::size_t, std::size_t> shown_columns(std::size_t samples) const;
    void choose_colours(const MapPicture& picture, bool weighted);
    std::uint32_t colour_of(const MapPicture& picture, std::uint32_t slot) const;
    std::uint32_t value_colour(const MapPicture& picture, const Value& value) const;
    std::uint32_t averaged(std::span<const Row> rows, std::span<const Column> columns) const;

    std::vector<CodePoint> code_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::vector<WatchedRegister>> watched_;  // by function
    bool watching_ = false;

    StreamShape shape_;
    std::vector<Span> spans_;          // by warp
    std::vector<std::uint32_t> nows_;  // by slot: bits 0-27 pc, bits 28-31 state
    std::vector<Value> values_;        // by slot, if a variable is watched
    Tally tally_;

    std::vector<std::uint32_t> scale_;    // colours from the least value to the greatest
    std::vector<std::uint32_t> colours_;  // by slot, of those that are in the picture
    std::vector<Row> rows_;
    std::vector<Column> columns_;
};

}  // namespace lanescope::render
