// Distributes what is written to the cells of an array over the rows of a figure.
#pragma once

#include <tuple>
#include <vector>

#include "scene/flow/flow_collector.h"

namespace lanescope::scene {

class FlowRows {
  public:
    FlowRows(std::vector<FlowPut>& puts, std::uint32_t columns)
        : puts_(puts), last_(columns, no_put), read_(columns) {}

    void arrange();
    std::uint32_t count() const { return count_; }

  private:
    // Launch, phase, part; what is there at the beginning comes first.
    using Key = std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t>;
    static Key key(const FlowPut& put) {
        return {put.turn != FlowCell::never, put.launch, put.phase, put.part};
    }
    static bool together(const FlowPut& a, const FlowPut& b) {
        return a.launch == b.launch && a.phase == b.phase && a.turn != FlowCell::never &&
               b.turn != FlowCell::never;
    }

    void place(std::uint32_t number);

    struct Reader {
        std::uint32_t put = no_put, part = 0;
    };
    std::vector<FlowPut>& puts_;
    std::vector<std::uint32_t> last_;  // per column
    std::vector<Reader> read_;         // per column: the last row that reads its value
    std::uint32_t count_ = 0;
};

}  // namespace lanescope::scene
