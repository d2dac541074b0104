#include "compare.h"

#include <algorithm>
#include <vector>

#include "trace/streams.h"

namespace lanescope::traced {
namespace {

using trace::Record;
using trace::RecordKind;

struct Item {
    RecordKind kind{};
    std::uint64_t a = 0, b = 0;
    bool operator==(const Item&) const = default;
};

const char* name_of(RecordKind kind) {
    switch (kind) {
        case RecordKind::point:
            return "line";
        case RecordKind::access:
            return "access";
        case RecordKind::data:
            return "value";
        case RecordKind::variable:
            return "variable";
        case RecordKind::lane:
            return "lane";
        default:
            return "record";
    }
}

std::string text_of(const std::vector<Item>& items, std::size_t at) {
    if (at >= items.size()) return "the end";
    return std::string(name_of(items[at].kind)) + " " + std::to_string(items[at].a) + " " +
           std::to_string(items[at].b);
}

// Lists a line once, however many turns its step took, because engines divide steps into turns differently.
std::vector<Item> items_of(const trace::Trace& of, const trace::RecordStreams& streams, std::uint32_t slot) {
    std::vector<Item> items;
    std::uint32_t last_line = 0;
    for (std::uint32_t k = 0; k < std::min(streams.counts[slot], streams.capacity); ++k) {
        const Record& record = streams.at(slot, k);
        const RecordKind kind = kind_of(record);
        if (kind == RecordKind::point) {
            const std::uint32_t line = of.program.code_rows[pc_of(record)].line;
            if (line != 0 && line != last_line) items.push_back({kind, line, 0});
            if (line != 0) last_line = line;
        } else if (kind == RecordKind::access) {
            items.push_back({kind, pc_of(record), record.value});
            items.push_back({RecordKind::data, 0, record.extra});
        } else if (kind == RecordKind::data) {
            items.push_back({kind, 0, record.value});
        } else if (kind == RecordKind::variable || kind == RecordKind::lane) {
            items.push_back({kind, record.extra, kind == RecordKind::variable ? record.value : 0});
        }
    }
    return items;
}

}  // namespace

Comparison compare_threads(const trace::Trace& expected, const trace::Trace& found) {
    Comparison result;
    if (expected.launches.size() != found.launches.size()) {
        result.difference = std::to_string(found.launches.size()) + " launches, expected " +
                            std::to_string(expected.launches.size());
        return result;
    }
    for (std::uint32_t launch = 0; launch < expected.launches.size(); ++launch) {
        const trace::RecordStreams a = trace::streams_of(expected, launch),
                                   b = trace::streams_of(found, launch);
        const std::string where = "launch " + std::to_string(launch + 1);
        if (a.blocks != b.blocks) {
            result.difference = where + ": the two traces recorded different blocks";
            return result;
        }
        for (std::uint32_t slot = 0; slot < a.threads(); ++slot) {
            const std::vector<Item> wanted = items_of(expected, a, slot), seen = items_of(found, b, slot);
            ++result.threads;
            result.items += wanted.size();
            if (wanted == seen) continue;
            std::size_t at = 0;
            while (at < wanted.size() && at < seen.size() && wanted[at] == seen[at])
                ++at;
            result.difference = where + ", block " + std::to_string(a.blocks[slot / a.block_threads]) +
                                ", thread " + std::to_string(slot % a.block_threads) + ", item " +
                                std::to_string(at) + ": " + text_of(seen, at) + ", expected " +
                                text_of(wanted, at);
            return result;
        }
    }
    return result;
}

}  // namespace lanescope::traced
