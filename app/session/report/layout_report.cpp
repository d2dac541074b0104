#include "session/report/layout_report.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "trace/cells.h"

namespace lanescope::session {

namespace {

using nlohmann::ordered_json;

const trace::Symbol& symbol_of(const trace::Trace& trace, const analysis::ArrayOwners& owners) {
    return owners.space == trace::Space::shared ? trace.launches[owners.launch].shared[owners.symbol]
                                                : trace.symbols[owners.symbol];
}

std::string array_name(const trace::Trace& trace, std::uint32_t launch, std::uint32_t symbol) {
    return symbol == trace::none ? std::string("shared memory") : trace.launches[launch].shared[symbol].name;
}

ordered_json json_of(const analysis::LayoutName& name) {
    ordered_json json{{"name", name.text}};
    if (!name.shape.empty()) {
        json["shape"] = name.shape;
        json["stride"] = name.stride;
    }
    if (name.exact()) json["base"] = name.base;
    if (name.kind == analysis::LayoutName::Kind::swizzled)
        json["swizzle"] = {name.swizzle.bits, name.swizzle.base, name.swizzle.shift};
    json["elements"] = name.elements;
    json["follow"] = name.follows;
    return json;
}

ordered_json json_of(const trace::Trace& trace, const analysis::SharedTile& tile, std::uint32_t count) {
    ordered_json json{{"array", array_name(trace, tile.launch, tile.symbol)},
                      {"input", trace.symbols[tile.source].name},
                      {"tile", {tile.rows, tile.columns}},
                      {"first", {tile.first_row, tile.first_column}},
                      {"element_bytes", tile.element_bytes},
                      {"tiles", count}};
    json.update(json_of(tile.name));
    if (tile.copies != 0) json["further_places"] = tile.copies;
    return json;
}

ordered_json json_of(const trace::Trace& trace, const analysis::SharedRequests& requests) {
    const analysis::SharedRequest& worst = requests.worst;
    const trace::Access& access = worst.access;
    ordered_json offsets = ordered_json::array(), passes = ordered_json::array();
    trace::each_lane(access.mask, [&](unsigned lane) { offsets.push_back(access.offset[lane]); });
    for (const analysis::BankPass& pass : worst.passes) {
        ordered_json lanes = ordered_json::array();
        trace::each_lane(pass.lanes, [&](unsigned lane) { lanes.push_back(lane); });
        passes.push_back({{"lanes", std::move(lanes)}, {"ways", pass.wavefronts}});
    }
    return {
        {"line", requests.line},
        {"array", array_name(trace, requests.launch, requests.symbol)},
        {"instruction", worst.instruction},
        {"bytes", access.width_bytes},
        {"requests", requests.requests},
        {"wavefronts", requests.wavefronts},
        {"ideal_wavefronts", requests.ideal},
        {"ways", worst.ways()},
        {"worst", {{"warp", worst.warp}, {"offsets", std::move(offsets)}, {"phases", std::move(passes)}}}};
}

ordered_json json_of(const trace::Trace& trace, const analysis::ArrayOwners& owners) {
    ordered_json json{{"array", symbol_of(trace, owners).name},
                      {"part", {owners.rows, owners.part_columns}},
                      {"first", {owners.first_row, owners.first_column}},
                      {"threads", owners.threads},
                      {"per_thread", owners.per_thread}};
    if (owners.patch_rows != 0) json["patch"] = {owners.patch_rows, owners.patch_columns};
    if (owners.per_thread != 0) json.update(json_of(owners.name));
    return json;
}

ordered_json json_of(const analysis::Fragments& fragments) {
    ordered_json operands = ordered_json::array();
    for (const analysis::Fragment& each : fragments.operands)
        operands.push_back({{"operand", each.operand},
                            {"type", each.type},
                            {"tile", {each.rows, each.columns}},
                            {"registers", each.registers},
                            {"per_register", each.per_register},
                            {"shape", each.name.shape},
                            {"stride", each.name.stride}});
    return {{"line", fragments.line},
            {"instruction", fragments.instruction},
            {"transposed", fragments.transposed},
            {"operands", std::move(operands)}};
}

std::string size_words(std::uint64_t rows, std::uint64_t columns) {
    return rows == 1 ? std::to_string(columns) : std::to_string(rows) + "×" + std::to_string(columns);
}

std::string text_of(const trace::Trace& trace, const analysis::SharedTile& tile, std::uint32_t count) {
    std::string text = "  " + array_name(trace, tile.launch, tile.symbol) + " holds " +
                       size_words(tile.rows, tile.columns) + " of " + trace.symbols[tile.source].name + ": " +
                       tile.name.text;
    if (tile.name.kind == analysis::LayoutName::Kind::swizzled)
        text += ", in elements of " + std::to_string(tile.element_bytes) + " bytes";
    const std::string formula = tile.name.shape + ":" + tile.name.stride;
    if (tile.name.exact() && !tile.name.shape.empty() && tile.name.text.find(formula) == std::string::npos)
        text += "   " + formula;
    if (count > 1) text += "   (" + std::to_string(count) + " tiles)";
    if (tile.copies != 0)
        text += "   (" + std::to_string(tile.copies) + " further places hold the same elements)";
    return text + "\n";
}

std::string text_of(const trace::Trace& trace, const analysis::SharedRequests& requests) {
    const analysis::SharedRequest& worst = requests.worst;
    char head[32];
    std::snprintf(head, sizeof head, "  line %-4u", requests.line);
    std::string text = head + array_name(trace, requests.launch, requests.symbol) + "  " + worst.instruction +
                       ", " + std::to_string(worst.access.width_bytes) + " bytes a lane: ";
    if (worst.passes.empty())
        return text + std::to_string(requests.requests) + " requests, banks not counted\n";
    text += worst.ways() == 1 ? std::string("no bank conflict")
                              : std::to_string(worst.ways()) + "-way bank conflict";
    if (worst.passes.size() > 1) {
        text += ", phases";
        for (const analysis::BankPass& pass : worst.passes)
            text += " " + std::to_string(pass.wavefronts);
    }
    return text + "; " + std::to_string(requests.requests) + " requests, " +
           std::to_string(requests.wavefronts) + " wavefronts (" + std::to_string(requests.ideal) +
           " without conflicts)\n";
}

// Its layout has been told.
bool has_tile(const analysis::BlockLayouts& block, const analysis::ArrayOwners& owners) {
    return owners.space == trace::Space::shared &&
           std::any_of(block.tiles.begin(), block.tiles.end(),
                       [&](const analysis::SharedTile& tile) { return tile.symbol == owners.symbol; });
}

}  // namespace

Result<LayoutReport> layouts_of(const execution::RunResult& result) {
    if (!result.trace)
        return error("layouts need a trace, which this run did not record", "leave out --no-trace");
    const trace::Trace& trace = *result.trace;
    LayoutReport report;
    report.requests = analysis::sum_shared_requests(trace, *result.instructions);
    const std::shared_ptr<const analysis::Flow> flow = result.flow->get();
    for (std::uint32_t launch = 0; launch < trace.launches.size(); ++launch) {
        const std::vector<std::uint32_t>& blocks = trace.launches[launch].recorded_blocks;
        report.blocks.push_back(
            analysis::layouts_of(trace, *flow, launch, blocks.empty() ? 0 : blocks.front()));
    }
    for (const analysis::RanCode& ran : result.report.ran)
        for (std::uint32_t pc = ran.begin; pc < ran.end; ++pc) {
            analysis::Fragments found = analysis::fragments_of(*result.instructions, pc);
            if (found.operands.empty()) continue;
            found.line = ran.line;
            report.fragments.push_back(std::move(found));
        }
    return report;
}

ordered_json layouts_json(const LayoutReport& layouts, const execution::RunResult& result) {
    const trace::Trace& trace = *result.trace;
    ordered_json json{{"launches", ordered_json::array()}, {"fragments", ordered_json::array()}};
    for (const analysis::BlockLayouts& block : layouts.blocks) {
        ordered_json launch{{"kernel", trace.launches[block.launch].kernel},
                            {"block", block.block},
                            {"tiles", ordered_json::array()},
                            {"requests", ordered_json::array()},
                            {"owners", ordered_json::array()}};
        for (const analysis::TileKind& kind : analysis::tile_kinds(block))
            launch["tiles"].push_back(json_of(trace, block.tiles[kind.first], kind.count));
        for (const analysis::SharedRequests& requests : layouts.requests.instructions)
            if (requests.launch == block.launch) launch["requests"].push_back(json_of(trace, requests));
        for (const analysis::ArrayOwners& owners : block.owners)
            launch["owners"].push_back(json_of(trace, owners));
        if (!block.incomplete.empty()) launch["incomplete"] = block.incomplete;
        json["launches"].push_back(std::move(launch));
    }
    for (const analysis::Fragments& fragments : layouts.fragments)
        json["fragments"].push_back(json_of(fragments));
    if (!layouts.requests.complete) json["requests_complete"] = false;
    return json;
}

std::string layouts_text(const LayoutReport& layouts, const execution::RunResult& result) {
    const trace::Trace& trace = *result.trace;
    std::string text;
    for (const analysis::BlockLayouts& block : layouts.blocks) {
        text += "layouts of " + trace.launches[block.launch].kernel + ", block " +
                std::to_string(block.block) + ":\n";
        const std::size_t before = text.size();
        for (const analysis::TileKind& kind : analysis::tile_kinds(block))
            text += text_of(trace, block.tiles[kind.first], kind.count);
        for (const analysis::SharedRequests& requests : layouts.requests.instructions)
            if (requests.launch == block.launch) text += text_of(trace, requests);
        for (const analysis::ArrayOwners& owners : block.owners) {
            if (has_tile(block, owners)) continue;
            const std::string words = analysis::owner_words(owners);
            text += "  " + symbol_of(trace, owners).name + ", " +
                    size_words(owners.rows, owners.part_columns) + " by " + std::to_string(owners.threads) +
                    " threads: " + (words.empty() ? "no rule for all of its elements" : words) + "\n";
        }
        if (text.size() == before) text += "  nothing is written to arrays\n";
        if (!block.incomplete.empty()) text += "  note: " + block.incomplete + "\n";
    }
    if (!layouts.fragments.empty()) text += "fragments, from (lane, value) to element:\n";
    for (const analysis::Fragments& fragments : layouts.fragments) {
        text += "  line " + std::to_string(fragments.line) + "  " + fragments.instruction + "\n";
        if (fragments.rows_by_lane) {
            const analysis::Fragment& each = fragments.operands.front();
            text += "    " + std::to_string(fragments.operands.size()) + " × " +
                    size_words(each.rows, each.columns) + " " + each.type + ": " + each.name.text +
                    (fragments.transposed ? ", transposed\n" : "\n");
            continue;
        }
        for (const analysis::Fragment& each : fragments.operands)
            text += "    " + each.operand + ", " + size_words(each.rows, each.columns) + " " + each.type +
                    ": " + each.name.text + "\n";
    }
    return text;
}

}  // namespace lanescope::session
