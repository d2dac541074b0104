#include "scene/stage/cell_origins.h"

#include <algorithm>

#include "trace/cells.h"

namespace lanescope::scene {

namespace {

using analysis::FlowGraph;
using analysis::InputRange;
using analysis::ValueId;

// If a block touches only a small part of a vector, this part has all colours.
constexpr std::uint64_t small_part = 8;

float share_of(std::uint64_t at, std::uint64_t first, std::uint64_t last) {
    if (last <= first) return 0.5f;
    const std::uint64_t inside = std::clamp(at, first, last) - first;
    return static_cast<float>(static_cast<double>(inside) / static_cast<double>(last - first));
}

}  // namespace

OriginIndex::OriginIndex(std::shared_ptr<const trace::Trace> trace,
                         std::shared_ptr<const analysis::Flow> flow)
    : trace_(std::move(trace)),
      flow_(std::move(flow)),
      held_(*trace_, *flow_),
      ranges_(*trace_, *flow_),
      only_copies_(analysis::only_copies(*flow_)) {
    for (std::uint32_t i = 0; i < trace_->symbols.size(); ++i)
        if (const ValueId first = flow_->graph.first_input_of(i); first != 0)
            first_inputs_.emplace(&trace_->symbols[i], first);
}

InputPlace OriginIndex::place_of(std::span<const StageArray> arrays, ValueId input) const {
    const FlowGraph::Input at = flow_->graph.input(input);
    const trace::Symbol* symbol = &trace_->symbols[at.symbol];
    const auto shown = std::find_if(arrays.begin(), arrays.end(),
                                    [&](const StageArray& array) { return array.symbol == symbol; });
    trace::CellShape shape = trace::cell_shape(*trace_, *symbol);
    if (shown != arrays.end()) shape = {shown->cell_bytes, shown->count, shown->columns};
    if (shape.count == 0) return {};
    if (shape.columns != 0)
        return {share_of(at.cell % shape.columns, 0, shape.columns - 1),
                share_of(at.cell / shape.columns, 0, (shape.count - 1) / shape.columns)};
    std::uint64_t first = 0, last = shape.count - 1;
    if (shown != arrays.end() && shown->use.touched() &&
        (shown->use.last - shown->use.first + 1) * small_part <= shape.count)
        first = shown->use.first, last = shown->use.last;
    return {share_of(at.cell, first, last), 0.5f};
}

ValueId OriginIndex::first_value(const StageArray& array, std::uint64_t cell) const {
    if (array.symbol->space == trace::Space::shared) return FlowGraph::constant;
    const auto found = first_inputs_.find(array.symbol);
    if (found == first_inputs_.end()) return FlowGraph::constant;
    const std::uint32_t bytes = std::max(1u, trace_->program.types[array.symbol->element].size_bytes);
    return found->second + static_cast<ValueId>(cell * array.cell_bytes / bytes);
}

void OriginIndex::read(std::span<const StageArray> arrays, const StageArray& array, const trace::Step& place,
                       std::uint64_t turn, std::uint64_t first, std::span<CellOrigin> out) const {
    if (turn > flow_->end_turn) {
        std::fill(out.begin(), out.end(), CellOrigin{CellOrigin::Kind::unknown, {}, {}});
        return;
    }
    std::vector<InputRange> ranges(out.size());
    for (std::size_t i = 0; i < ranges.size(); ++i)
        ranges[i] = ranges_.of(first_value(array, first + i));
    std::vector<bool> written(out.size());
    held_.each(held_range(array, place, first, out.size()), turn, [&](std::uint64_t cell, ValueId value) {
        ranges[cell] = written[cell] ? ranges_.join(ranges[cell], ranges_.of(value)) : ranges_.of(value);
        written[cell] = true;
    });
    InputRange last;
    CellOrigin made;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i == 0 || ranges[i] != last) {
            last = ranges[i];
            made = {};
            if (!last.known()) made.kind = CellOrigin::Kind::unknown;
            if (last.any()) {
                made.kind = last.first == last.last ? CellOrigin::Kind::one : CellOrigin::Kind::several;
                made.first = place_of(arrays, last.first);
                made.last = last.first == last.last ? made.first : place_of(arrays, last.last);
            }
        }
        out[i] = made;
    }
}

analysis::HeldRange held_range(const StageArray& array, const trace::Step& place, std::uint64_t first,
                               std::uint64_t count) {
    analysis::HeldRange range;
    range.space = array.symbol->space;
    range.launch = array.launch != trace::none ? array.launch : place.launch;
    range.block = place.block;
    range.offset = array.symbol->offset + first * array.cell_bytes;
    range.cell_bytes = array.cell_bytes;
    range.count = count;
    return range;
}

}  // namespace lanescope::scene
