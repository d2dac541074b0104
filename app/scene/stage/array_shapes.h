// The shapes of the stage's arrays: proposed from how a block uses them, or as the file states them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "scene/stage/stage_arrays.h"

namespace lanescope::scene {

// Collects what the shapes follow from. Arrays keep their numbers from the first note() to propose().
class ShapeWatch {
  public:
    explicit ShapeWatch(const trace::Trace& trace) : trace_(trace) {}

    void note(const trace::TurnDetail& detail, std::span<const StageArray> arrays, std::uint32_t launch);

    // A matrix: neighbours in y access cells at one distance, and neighbours in x adjacent cells. Bars: only
    // atomic additions count something in a few cells. `complete`: note() saw all turns, so that cells which
    // no turn touched are left out.
    void propose(std::span<StageArray> arrays, bool complete) const;

    // Puts the cells of tiles under the cells that they are copies of, if all fit in one row of lanes or
    // if the file says so. The arrays have their numbers and shapes.
    void align(std::span<const lesson::ShapeInstance> given, std::span<StageArray> arrays) const;

  private:
    // How far apart threads' cells are, and how often.
    struct Distances {
        std::map<std::int64_t, std::uint64_t> by_x, by_y;
    };
    struct Place {
        std::uint32_t y = 0;
        std::int64_t cell = 0;
    };
    // The accesses of one instruction: how often the warp had executed it before, and the first lane's x.
    using Row = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;

    void note_access(const trace::Access& access, std::uint32_t warp, const trace::Dim3& block,
                     std::span<const StageArray> arrays, std::uint32_t launch);
    void compare_rows(const Row& row, const Place& place, Distances& distances);
    std::uint64_t columns_of(const Distances& distances, std::uint64_t count) const;
    bool counts(const StageArray& array, std::uint32_t number) const;

    void note_copies(const trace::TurnDetail& detail, std::span<const StageArray> arrays,
                     std::uint32_t launch);
    std::optional<std::int64_t> distance_of(std::uint32_t tile, std::uint32_t source) const;

    // The tiles of one array: how far their first cell is from its first one.
    struct Tiles {
        std::map<std::uint32_t, std::int64_t> distances;
        bool stated = false;  // by the file
    };
    void align_under(std::uint32_t source, const Tiles& tiles, std::span<StageArray> arrays) const;

    // A tile, the array that it is copied from, and how far the copied cell is behind the tile's.
    using Copies = std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::int64_t, std::uint64_t>>;

    const trace::Trace& trace_;
    // What each lane of a warp last loaded from global memory, in which line.
    struct Loaded {
        std::uint32_t line = 0;
        std::array<CellSpan, trace::warp_size> cells;
    };

    Copies copies_;
    std::map<std::uint32_t, Loaded> loaded_;        // by warp
    bool flat_ = false;                             // some block has rows of threads
    std::map<std::uint32_t, Distances> distances_;  // by array
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> atomics_;  // by array and instruction
    std::set<std::uint32_t> wide_;  // arrays whose atomic operations span several cells
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> visits_;  // by instruction and warp
    std::map<Row, Place> rows_;
};

// As the file states them, whatever was proposed.
void apply_shapes(std::span<const lesson::ShapeInstance> given, std::span<StageArray> arrays);

}  // namespace lanescope::scene
