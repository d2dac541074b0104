#include "scene/flow/flow_rows.h"

#include <algorithm>
#include <map>

namespace lanescope::scene {

void FlowRows::arrange() {
    for (std::uint32_t i = 0; i < puts_.size(); ++i)
        place(i);
    std::map<Key, std::uint32_t> rows;
    for (const FlowPut& put : puts_)
        rows.try_emplace(key(put), 0);
    std::uint32_t number = 0;
    for (auto& [at, row] : rows)
        row = number++;
    for (FlowPut& put : puts_)
        put.row = rows[key(put)];
    count_ = number;
}

void FlowRows::place(std::uint32_t number) {
    FlowPut& put = puts_[number];
    for (const FlowSource& source : put.sources)
        if (source.put != no_put && source.put < number && together(puts_[source.put], put))
            put.part = std::max(put.part, puts_[source.put].part + 1);
    // The cell's earlier value stays in sight for those that read it.
    if (const std::uint32_t before = last_[put.column]; before != no_put && together(puts_[before], put))
        put.part = std::max(put.part, puts_[before].part + 1);
    if (const Reader& reader = read_[put.column]; reader.put != no_put && together(puts_[reader.put], put))
        put.part = std::max(put.part, reader.part);
    for (const FlowSource& source : put.sources) {
        Reader& reader = read_[source.column];
        if (reader.put == no_put || !together(puts_[reader.put], put) || put.part > reader.part)
            reader = {number, put.part};
    }
    last_[put.column] = number;
    read_[put.column] = {};
}

}  // namespace lanescope::scene
