#include <algorithm>

#include "trace/names.h"
#include "trace/replay.h"

namespace lanescope::trace {
namespace {

const Symbol* find(const std::vector<Symbol>& symbols, Space space, std::uint64_t offset) {
    for (const Symbol& symbol : symbols)
        if (symbol.space == space && offset >= symbol.offset && offset - symbol.offset < symbol.size_bytes)
            return &symbol;
    return nullptr;
}

std::string cell_text(const Symbol& symbol, std::uint64_t index) {
    std::string text;
    for (std::size_t i = symbol.extents.size(); i-- > 0;) {
        const std::uint64_t extent = std::max<std::uint64_t>(symbol.extents[i], 1);
        text.insert(0, "[" + std::to_string(i == 0 ? index : index % extent) + "]");
        index /= extent;
    }
    return symbol.name + text;
}

}  // namespace

Resolved resolve(const Trace& trace, std::uint32_t launch, Space space, std::uint64_t offset) {
    Resolved resolved;
    if (space == Space::shared) {
        if (launch < trace.launches.size())
            resolved.symbol = find(trace.launches[launch].shared, space, offset);
    } else if (space != Space::local) {
        resolved.symbol = find(trace.symbols, space, offset);
    }
    if (resolved.symbol == nullptr) {
        resolved.text = std::string(to_text(space)) + " + " + std::to_string(offset);
        return resolved;
    }
    const std::uint64_t cell =
        std::max<std::uint64_t>(trace.program.types[resolved.symbol->element].size_bytes, 1);
    const std::uint64_t within = offset - resolved.symbol->offset;
    resolved.index = within / cell;
    resolved.byte = static_cast<std::uint32_t>(within % cell);
    resolved.text = cell_text(*resolved.symbol, resolved.index);
    return resolved;
}

}  // namespace lanescope::trace
