#include "scene/words/access_words.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <set>

#include "analysis/work.h"
#include "base/number_text.h"
#include "scene/words/block_words.h"

namespace lanescope::scene {

namespace {

using trace::Access;
using trace::AccessKind;
using trace::Space;
using trace::warp_size;

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Position after the brackets that begin at `at`, several for matrices; npos when they do not close on this
// line.
std::size_t after_brackets(std::string_view line, std::size_t at) {
    while (at < line.size() && line[at] == '[') {
        int depth = 0;
        do {
            if (at >= line.size()) return std::string_view::npos;
            depth += line[at] == '[' ? 1 : line[at] == ']' ? -1 : 0;
            ++at;
        } while (depth > 0);
    }
    return at;
}

void note_assignment(std::string_view rest, IndexExpression& expression) {
    const std::size_t at = rest.find_first_not_of(' ');
    if (at == std::string_view::npos) return;
    rest = rest.substr(at);
    const auto begins = [&](std::string_view with) { return rest.starts_with(with); };
    if (begins("++") || begins("--")) expression.assigned = expression.updated = true;
    if (begins("=") && !begins("==")) expression.assigned = true;
    for (std::string_view compound : {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
        if (begins(compound)) expression.assigned = expression.updated = true;
}

const char* verb(AccessKind kind) {
    switch (kind) {
        case AccessKind::load:
            return "load ";
        case AccessKind::store:
            return "store ";
        case AccessKind::atomic:
            return "atomic on ";
    }
    return "";
}

struct Cells {
    const trace::Symbol* symbol = nullptr;
    std::vector<std::uint64_t> indices;  // per active lane
    std::uint64_t low = ~0ull, high = 0;
};

Cells cells_of(const trace::Trace& trace, std::uint32_t launch, const Access& access) {
    Cells cells;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(access.mask >> lane & 1)) continue;
        const trace::Resolved resolved = trace::resolve(trace, launch, access.space, access.offset[lane]);
        if (!cells.symbol) cells.symbol = resolved.symbol;
        if (!resolved.symbol || resolved.symbol != cells.symbol) continue;
        cells.indices.push_back(resolved.index);
        cells.low = std::min(cells.low, resolved.index);
        cells.high = std::max(cells.high, resolved.index);
    }
    return cells;
}

std::string range_text(const Cells& cells) {
    const trace::Symbol& symbol = *cells.symbol;
    if (cells.low == cells.high) return element_text(symbol.name, symbol.extents, cells.low);
    if (symbol.extents.size() == 2)
        return element_text(symbol.name, symbol.extents, cells.low) + " … " +
               element_text(symbol.name, symbol.extents, cells.high);
    return symbol.name + "[" + std::to_string(cells.low) + " … " + std::to_string(cells.high) + "]";
}

// Returns the expression of the line that makes this access; empty when the line leaves it open.
std::string expression_of(std::string_view line, const Access& access, const Cells& cells,
                          std::span<const Cells> stores) {
    std::vector<IndexExpression> found = index_expressions(line, cells.symbol->name);
    std::set<std::string> different;
    for (const IndexExpression& expression : found)
        different.insert(expression.text);
    if (different.size() == 1) return *different.begin();
    const auto assigned = std::find_if(found.begin(), found.end(), [](const auto& e) { return e.assigned; });
    const bool one_assigned =
        std::count_if(found.begin(), found.end(), [](const auto& e) { return e.assigned; }) == 1;
    if (!one_assigned) return {};
    if (access.kind == AccessKind::store) return assigned->text;
    // A load of exactly the cells that the line writes is the updated expression; any other load is one of
    // the rest.
    const bool of_stored = std::any_of(stores.begin(), stores.end(), [&](const Cells& store) {
        return store.symbol == cells.symbol && store.indices == cells.indices;
    });
    if (of_stored) return assigned->updated ? assigned->text : std::string();
    different.erase(assigned->text);
    return different.size() == 1 ? *different.begin() : std::string();
}

std::string lanes_text(const Access& access, trace::Mask present) {
    const int active = std::popcount(access.mask);
    return std::to_string(active) + " of " + std::to_string(std::popcount(present | access.mask)) +
           (std::popcount(present | access.mask) == 1 ? " lane" : " lanes");
}

std::set<std::uint64_t> distinct_words(const Access& access) {
    std::set<std::uint64_t> words;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (access.mask >> lane & 1)
            for (unsigned byte = 0; byte < std::max<unsigned>(access.width_bytes, 1); byte += 4)
                words.insert((access.offset[lane] + byte) / 4);
    return words;
}

std::string ratio(std::uint64_t numerator, std::uint64_t denominator) {
    if (denominator == 0) return "–";
    char text[32];
    std::snprintf(text, sizeof text, "%.2f",
                  static_cast<double>(numerator) / static_cast<double>(denominator));
    return text;
}

// "4", "1.13"
std::string short_ratio(std::uint64_t numerator, std::uint64_t denominator) {
    if (denominator == 0) return "–";
    if (numerator % denominator == 0) return std::to_string(numerator / denominator);
    return ratio(numerator, denominator);
}

std::string percent(const analysis::Metrics& metrics) {
    if (metrics.warp_instructions == 0) return "–";
    char text[32];
    const double value = metrics.simt_efficiency() * 100;
    std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f %%" : "%.1f %%", value);
    return text;
}

std::string sectors_text(const analysis::Metrics& metrics) {
    return ratio(metrics.global_load_sectors + metrics.global_store_sectors,
                 metrics.global_load_requests + metrics.global_store_requests);
}

std::string sectors_and_ideal(const analysis::Metrics& metrics) {
    const std::uint64_t requests = metrics.global_load_requests + metrics.global_store_requests;
    const std::uint64_t ideal = metrics.global_load_ideal_sectors + metrics.global_store_ideal_sectors;
    return requests == 0 ? "–" : sectors_text(metrics) + " (ideal " + short_ratio(ideal, requests) + ")";
}

std::string wavefronts_text(const analysis::Metrics& metrics) {
    return ratio(metrics.shared_load_wavefronts + metrics.shared_store_wavefronts,
                 metrics.shared_load_requests + metrics.shared_store_requests);
}

std::string atomics_text(const analysis::Metrics& metrics) {
    return ratio(metrics.atomic_passes, metrics.global_atomic_requests + metrics.shared_atomic_requests);
}

std::string branches_text(const analysis::Metrics& metrics) {
    if (metrics.branches == 0) return "–";
    return std::to_string(metrics.divergent_branches) + " of " + std::to_string(metrics.branches);
}

}  // namespace

std::string_view source_line(std::string_view source, std::uint32_t number) {
    if (number == 0) return {};
    for (std::uint32_t line = 1; line < number; ++line) {
        const std::size_t end = source.find('\n');
        if (end == std::string_view::npos) return {};
        source.remove_prefix(end + 1);
    }
    return source.substr(0, source.find('\n'));
}

std::vector<IndexExpression> index_expressions(std::string_view line, std::string_view symbol) {
    std::vector<IndexExpression> found;
    if (symbol.empty()) return found;
    const std::size_t comment = line.find("//");
    line = line.substr(0, comment);
    for (std::size_t at = line.find(symbol); at != std::string_view::npos; at = line.find(symbol, at + 1)) {
        const std::size_t bracket = at + symbol.size();
        if (at > 0 && is_name_character(line[at - 1])) continue;
        if (bracket >= line.size() || line[bracket] != '[') continue;
        const std::size_t end = after_brackets(line, bracket);
        if (end == std::string_view::npos) continue;
        IndexExpression expression{std::string(line.substr(at, end - at))};
        note_assignment(line.substr(end), expression);
        const std::string_view before = line.substr(0, at);
        if (before.ends_with("++") || before.ends_with("--")) expression.assigned = expression.updated = true;
        found.push_back(expression);
    }
    return found;
}

std::string owner_words(const trace::Launch& launch, const trace::Access& access) {
    return access.owner == trace::none ? "" : " of block " + block_name(launch.grid, access.owner);
}

std::vector<Request> describe_requests(const trace::Trace& trace, std::uint32_t launch, trace::Mask present,
                                       std::span<const trace::TurnDetail* const> details,
                                       const analysis::Code* code) {
    const auto through_texture = [&](const Access& access) {
        const ptx::Instruction* instruction = code ? code->at(access.pc) : nullptr;
        return instruction && analysis::is_texture(*instruction);
    };
    std::vector<Request> requests;
    for (const trace::TurnDetail* detail : details) {
        std::vector<Cells> stores;
        for (const Access& access : detail->accesses)
            if (access.kind == AccessKind::store) stores.push_back(cells_of(trace, launch, access));
        for (const Access& access : detail->accesses) {
            if (access.space == Space::local || access.mask == 0) continue;
            const Cells cells = cells_of(trace, launch, access);
            std::string target = "memory";
            if (cells.symbol) {
                const std::string_view line = source_line(trace.program.source.text, access.line);
                target = expression_of(line, access, cells, stores);
                if (target.empty()) target = range_text(cells);
            }
            if (launch < trace.launches.size()) target += owner_words(trace.launches[launch], access);
            Request request{&access, verb(access.kind) + target + ", " + lanes_text(access, present)};
            if (access.owner != trace::none) {
                request.remote = true;
                request.ideal = 1;
            } else if (through_texture(access)) {
                request.texture = true;
                request.ideal = 1;
            } else if (access.kind == AccessKind::atomic) {
                const analysis::AtomicUse use = analysis::atomic_use(access);
                request.cost = access.space == Space::shared ? use.wavefronts : use.passes;
                request.ideal = 1;
            } else if (access.space == Space::shared) {
                request.addressing = analysis::addressing_of(code ? code->at(access.pc) : nullptr);
                request.cost = analysis::banks(access, request.addressing).wavefronts;
                request.ideal = std::max(1u, access.width_bytes / 4u);
            } else {
                request.cost = analysis::sectors(access);
                request.ideal = analysis::ideal_sectors(access);
            }
            requests.push_back(request);
        }
    }
    return requests;
}

const char* const texture_verdict =
    "Through the texture unit. Its sectors are not counted, because CUDA does not publish which it reads.";

const char* const remote_verdict =
    "In the shared memory of another block of the cluster. Its wavefronts are not counted, because another "
    "multiprocessor's banks serve it.";

AccessVerdict atomic_verdict(const Access& access) {
    const analysis::AtomicUse use = analysis::atomic_use(access);
    const auto lanes = static_cast<unsigned>(std::popcount(access.mask));
    const unsigned passes = access.space == Space::shared ? use.wavefronts : use.passes;
    if (passes <= 1)
        return {lanes == 1 ? "one lane, one pass" : "no waiting: " + std::to_string(lanes) + " addresses",
                true};
    const std::string cost = std::to_string(passes) + " passes, one after the other";
    if (use.passes < passes) return {std::to_string(passes) + " lanes on one bank: " + cost, false};
    return {std::to_string(use.passes) + " lanes on one address: " + cost, false};
}

AccessVerdict bank_verdict(const Access& access, analysis::Addressing addressing) {
    if (access.kind == AccessKind::atomic) return atomic_verdict(access);
    const analysis::BankUse use = analysis::banks(access, addressing);
    const std::size_t words = distinct_words(access).size();
    const auto banks = static_cast<std::size_t>(
        std::count_if(use.lanes.begin(), use.lanes.end(), [](std::uint32_t lanes) { return lanes != 0; }));
    const unsigned ways = *std::max_element(use.words.begin(), use.words.end());
    const std::string passes =
        use.wavefronts == 1 ? "one wavefront" : std::to_string(use.wavefronts) + " wavefronts";
    const std::string places = counted(words, "word") + " in " + counted(banks, "bank");
    if (ways > 1) return {std::to_string(ways) + "-way conflict: " + places + ", " + passes, false};
    if (words == 1 && std::popcount(access.mask) > 1)
        return {
            "broadcast: " + std::to_string(std::popcount(access.mask)) + " lanes share one word, " + passes,
            true};
    return {"no conflict: " + places + ", " + passes, true};
}

std::vector<Sector> touched_sectors(const Access& access) {
    std::vector<Sector> sectors;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(access.mask >> lane & 1)) continue;
        for (unsigned byte = 0; byte < access.width_bytes; ++byte) {
            const std::uint64_t address = access.offset[lane] + byte;
            const auto at =
                std::lower_bound(sectors.begin(), sectors.end(), address / 32,
                                 [](const Sector& s, std::uint64_t number) { return s.number < number; });
            const auto sector = at != sectors.end() && at->number == address / 32
                                    ? at
                                    : sectors.insert(at, {address / 32, 0});
            sector->bytes |= 1u << (address % 32);
        }
    }
    return sectors;
}

AccessVerdict sector_verdict(const Access& access) {
    if (access.kind == AccessKind::atomic) return atomic_verdict(access);
    const unsigned sectors = analysis::sectors(access), ideal = analysis::ideal_sectors(access);
    return {counted(sectors, "sector") + " of 32 bytes, ideal " + std::to_string(ideal), sectors <= ideal};
}

std::string not_counted(const session::Session& session) {
    return session.runner().counting() ? "counting …" : "not counted";
}

std::vector<MetricRow> metric_rows(const analysis::Metrics& step, const analysis::Metrics& kernel) {
    std::vector<MetricRow> rows = {
        {"SIMT efficiency", percent(step), percent(kernel)},
        {"shared wavefronts / request", wavefronts_text(step), wavefronts_text(kernel)},
        {"global sectors / request", sectors_text(step), sectors_and_ideal(kernel)},
        {"divergent branches", branches_text(step), branches_text(kernel)},
    };
    if (kernel.atomics > 0)
        rows.push_back({"atomic passes / request", atomics_text(step), atomics_text(kernel)});
    return rows;
}

}  // namespace lanescope::scene
