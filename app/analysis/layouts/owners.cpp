#include "analysis/layouts/owners.h"

#include <algorithm>
#include <map>

#include "analysis/layouts/matrix_rows.h"
#include "trace/cells.h"
#include "trace/events.h"

namespace lanescope::analysis {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Launch;
using trace::Space;
using trace::Symbol;
using trace::Trace;

constexpr std::uint64_t most_elements = 4'000'000;      // of one array
constexpr std::uint64_t most_described = 1 << 18;       // elements of one block
constexpr std::uint64_t turns_between_looks = 1 << 14;  // at `cancelled`

struct Place {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t cell_bytes = 1;
    std::size_t array = 0;
};

class OwnerFinder {
  public:
    OwnerFinder(const Trace& trace, std::uint32_t launch, std::uint32_t block)
        : trace_(trace), launch_(trace.launches[launch]), number_(launch), block_(block) {
        add(trace.symbols, Space::global);
        add(launch_.shared, Space::shared);
    }

    std::vector<ArrayOwners> find(const std::atomic<bool>* cancelled) {
        for (std::uint64_t turn = launch_.first_turn; turn < launch_.end_turn; ++turn) {
            if (turn % turns_between_looks == 0 && cancelled != nullptr && *cancelled) return {};
            trace::EventReader reader(trace_, turn);
            Event event;
            while (reader.next(event))
                if (event.kind == EventKind::store || event.kind == EventKind::atomic)
                    write(trace_.turns[turn], event);
        }
        std::vector<ArrayOwners> found;
        for (ArrayOwners& each : arrays_) {
            if (each.owners.empty()) continue;
            describe(each);
            found.push_back(std::move(each));
        }
        return found;
    }

  private:
    void add(const std::vector<Symbol>& symbols, Space space) {
        for (std::uint32_t i = 0; i < symbols.size(); ++i) {
            const Symbol& symbol = symbols[i];
            const trace::CellShape shape = trace::cell_shape(trace_, symbol);
            if (symbol.space != space || shape.count == 0 || shape.count > most_elements) continue;
            places_[space == Space::shared].push_back(
                {symbol.offset, symbol.offset + symbol.size_bytes, shape.cell_bytes, arrays_.size()});
            ArrayOwners& owners = arrays_.emplace_back();
            owners.launch = number_;
            owners.space = space;
            owners.symbol = i;
            owners.block = block_;
            owners.columns = shape.columns;
        }
    }

    void write(const trace::Turn& turn, const Event& event) {
        const bool shared = event.space == Space::shared;
        if (!shared && event.space != Space::global) return;
        if (shared && (event.owner == trace::none ? turn.block : event.owner) != block_) return;
        unsigned nth = 0;
        trace::each_lane(event.mask, [&](unsigned lane) {
            const std::uint64_t offset = trace::offset_of(event, lane, nth++);
            const std::uint64_t thread = turn.warp * std::uint64_t{trace::warp_size} + lane;
            const std::uint64_t owner = shared ? thread : turn.block * launch_.block.count() + thread;
            const Place* place = place_at(shared, offset);
            if (place == nullptr) return;
            ArrayOwners& array = arrays_[place->array];
            const std::uint64_t count = (place->end - place->begin) / place->cell_bytes;
            if (array.owners.empty()) array.owners.assign(count, ArrayOwners::no_thread);
            const std::uint64_t first = (offset - place->begin) / place->cell_bytes,
                                last = (offset - place->begin + event.width - 1) / place->cell_bytes;
            for (std::uint64_t cell = first; cell <= std::min(last, count - 1); ++cell)
                array.owners[cell] = owner;
        });
    }

    // Neighbouring accesses reach one array.
    const Place* place_at(bool shared, std::uint64_t offset) {
        const Place*& last = last_[shared];
        if (last != nullptr && offset >= last->begin && offset < last->end) return last;
        for (const Place& place : places_[shared])
            if (offset >= place.begin && offset < place.end) return last = &place;
        return nullptr;
    }

    // The elements of the block's threads, ascending.
    std::map<std::uint32_t, std::vector<std::uint64_t>> elements_of_block(const ArrayOwners& array) const {
        const std::uint64_t threads = launch_.block.count();
        const std::uint64_t first = array.space == Space::shared ? 0 : array.block * threads;
        std::map<std::uint32_t, std::vector<std::uint64_t>> of;
        std::uint64_t count = 0;
        for (std::uint64_t cell = 0; cell < array.owners.size() && count < most_described; ++cell) {
            const std::uint64_t owner = array.owners[cell];
            if (owner == ArrayOwners::no_thread || owner < first || owner >= first + threads) continue;
            of[static_cast<std::uint32_t>(owner - first)].push_back(cell);
            ++count;
        }
        return of;
    }

    void describe(ArrayOwners& array) const {
        const auto of = elements_of_block(array);
        array.threads = static_cast<std::uint32_t>(of.size());
        if (of.empty()) return;
        std::vector<std::uint64_t> cells;
        for (const auto& [thread, own] : of)
            cells.insert(cells.end(), own.begin(), own.end());
        std::sort(cells.begin(), cells.end());
        if (array.columns == 0) array.columns = row_length(cells);
        const std::uint64_t columns = array.columns == 0 ? array.owners.size() : array.columns;
        std::uint64_t left = ~0ull, right = 0;
        for (const std::uint64_t cell : cells) {
            left = std::min(left, cell % columns);
            right = std::max(right, cell % columns);
        }
        array.first_row = cells.front() / columns;
        array.first_column = left;
        array.rows = static_cast<std::uint32_t>(cells.back() / columns - array.first_row + 1);
        array.part_columns = static_cast<std::uint32_t>(right - left + 1);
        if (cells.size() < most_described) name(array, of, columns);
    }

    static void name(ArrayOwners& array, const std::map<std::uint32_t, std::vector<std::uint64_t>>& of,
                     std::uint64_t columns) {
        const std::vector<std::uint64_t>& first = of.begin()->second;
        if (of.rbegin()->first + 1 != of.size()) return;  // threads between them own nothing
        std::vector<PlacedElement> elements;
        bool patches = true;
        for (const auto& [thread, own] : of) {
            if (own.size() != first.size()) return;
            std::uint64_t left = ~0ull, right = 0;
            for (std::uint32_t nth = 0; nth < own.size(); ++nth) {
                const std::uint64_t row = own[nth] / columns - array.first_row,
                                    column = own[nth] % columns - array.first_column;
                left = std::min(left, column);
                right = std::max(right, column);
                elements.push_back(
                    {thread, nth, static_cast<std::int64_t>(row * array.part_columns + column)});
            }
            const std::uint64_t down = own.back() / columns - own.front() / columns + 1,
                                wide = right - left + 1;
            patches = patches && down * wide == own.size();
            array.patch_rows = static_cast<std::uint32_t>(down);
            array.patch_columns = static_cast<std::uint32_t>(wide);
        }
        array.per_thread = static_cast<std::uint32_t>(first.size());
        if (!patches) array.patch_rows = array.patch_columns = 0;
        array.name = name_layout(elements, array.threads, array.per_thread);
    }

    const Trace& trace_;
    const Launch& launch_;
    std::uint32_t number_, block_;
    std::vector<ArrayOwners> arrays_;
    std::vector<Place> places_[2];  // global, shared
    const Place* last_[2]{};
};

}  // namespace

std::vector<ArrayOwners> owners_of(const Trace& trace, std::uint32_t launch, std::uint32_t block,
                                   const std::atomic<bool>* cancelled) {
    if (launch >= trace.launches.size()) return {};
    return OwnerFinder(trace, launch, block).find(cancelled);
}

}  // namespace lanescope::analysis
