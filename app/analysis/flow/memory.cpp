#include "analysis/flow/memory.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

// Bytes of memory that one page stands for, as a power of two: threads have little local memory each.
constexpr unsigned page_bits[] = {12, 12, 10, 6};

constexpr std::size_t number(trace::Space space) {
    return static_cast<std::size_t>(space);
}

}  // namespace

FlowMemory::FlowMemory(const trace::Trace& trace, FlowGraph& graph) : graph_(graph) {
    for (std::uint32_t i = 0; i < trace.symbols.size(); ++i) {
        const trace::Symbol& symbol = trace.symbols[i];
        if (symbol.space != trace::Space::global && symbol.space != trace::Space::constant) continue;
        const std::uint32_t cell = std::max(1u, trace.program.types[symbol.element].size_bytes);
        const ValueId first = graph.add_inputs(i, symbol.size_bytes / cell);
        if (first != 0)
            symbols_[number(symbol.space)].push_back(
                {symbol.offset, symbol.offset + symbol.size_bytes / cell * cell, cell, first});
    }
    for (std::vector<Symbol>& symbols : symbols_)
        std::sort(symbols.begin(), symbols.end(),
                  [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
}

FlowMemory::Spot FlowMemory::spot(trace::Space space, std::uint64_t instance, std::uint64_t offset) {
    const std::size_t of = number(space);
    const unsigned bits = page_bits[of];
    const std::uint64_t key = (instance << 26 ^ offset >> bits) + 1;
    if (last_page_[of] == nullptr || last_key_[of] != key) {
        std::unique_ptr<Page>& page = pages_[of][key];
        if (!page) {
            page = std::make_unique<Page>();
            page->held.resize((std::size_t{1} << bits) / 4);
            bytes_ += page->held.size() * sizeof(ValueId);
        }
        last_key_[of] = key;
        last_page_[of] = page.get();
    }
    return {last_page_[of], offset & ((std::uint64_t{1} << bits) - 1)};
}

ValueId FlowMemory::initial(trace::Space space, std::uint64_t offset, unsigned width_bytes) {
    const std::size_t of = number(space);
    if (of >= 2) return FlowGraph::constant;
    const std::vector<Symbol>& symbols = symbols_[of];
    std::size_t& last = last_symbol_[of];
    if (last >= symbols.size() || offset < symbols[last].begin || offset >= symbols[last].end) {
        const auto after =
            std::upper_bound(symbols.begin(), symbols.end(), offset,
                             [](std::uint64_t at, const Symbol& each) { return at < each.begin; });
        if (after == symbols.begin()) return FlowGraph::constant;
        last = static_cast<std::size_t>(after - symbols.begin()) - 1;
        if (offset >= symbols[last].end) return FlowGraph::constant;
    }
    const Symbol& symbol = symbols[last];
    const auto cell = [&](std::uint64_t at) {
        return symbol.first + static_cast<ValueId>((at - symbol.begin) / symbol.cell_bytes);
    };
    ValueId value = cell(offset);
    const ValueId end = cell(std::min(offset + width_bytes, symbol.end) - 1);
    for (ValueId more = value + 1; more <= end; ++more)
        value = graph_.join(value, more);
    return value;
}

ValueId FlowMemory::held(const Page& page, std::uint64_t at, trace::Space space, std::uint64_t offset,
                         unsigned width_bytes) {
    const ValueId known = page.held[page.narrow ? at : at / 4];
    return known == 0 ? initial(space, offset, width_bytes) : known - 1;
}

ValueId FlowMemory::read(trace::Space space, std::uint64_t instance, std::uint64_t offset,
                         unsigned width_bytes) {
    if (width_bytes == 8)
        return graph_.pair(read(space, instance, offset, 4), read(space, instance, offset + 4, 4));
    ValueId value = FlowGraph::constant;
    bool first = true;
    for (unsigned done = 0; done < width_bytes;) {
        const auto [page, at] = spot(space, instance, offset + done);
        const unsigned piece =
            std::min(width_bytes - done, page->narrow ? 1u : 4u - static_cast<unsigned>(at % 4));
        const ValueId more = held(*page, at, space, offset + done, piece);
        value = first ? more : graph_.join(value, more);
        first = false;
        done += piece;
    }
    return value;
}

void FlowMemory::make_narrow(Page& page) {
    std::vector<ValueId> bytes(page.held.size() * 4);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = page.held[i / 4];
    bytes_ += (bytes.size() - page.held.size()) * sizeof(ValueId);
    page.held = std::move(bytes);
    page.narrow = true;
}

void FlowMemory::write(trace::Space space, std::uint64_t instance, std::uint64_t offset, unsigned width_bytes,
                       ValueId value) {
    if (width_bytes == 8 && graph_.half(value, false) != graph_.half(value, true)) {
        write(space, instance, offset, 4, graph_.half(value, false));
        return write(space, instance, offset + 4, 4, graph_.half(value, true));
    }
    for (unsigned done = 0; done < width_bytes;) {
        const auto [page, at] = spot(space, instance, offset + done);
        if (!page->narrow && (at % 4 != 0 || width_bytes - done < 4)) make_narrow(*page);
        page->held[page->narrow ? at : at / 4] = value + 1;
        done += page->narrow ? 1 : 4;
    }
}

void FlowMemory::begin_launch() {
    for (const trace::Space space : {trace::Space::shared, trace::Space::local}) {
        const std::size_t of = number(space);
        for (const auto& [key, page] : pages_[of])
            bytes_ -= page->held.size() * sizeof(ValueId);
        pages_[of].clear();
        last_page_[of] = nullptr;
    }
}

}  // namespace lanescope::analysis
