#include "preview/run/sample.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "trace/replay.h"

namespace lanescope::preview {

namespace {

struct LaunchCount {
    double image_loads = 0, mask_loads = 0, stores = 0;
};

class Counter {
  public:
    Counter(const trace::Trace& trace, const SampleNames& names) : trace_(trace), names_(names) {
        for (const trace::Launch& launch : trace.launches)
            last_kernel_ = launch.kernel;
    }

    LoadCounts count() {
        trace::TurnDetail detail;
        for (std::uint64_t turn = 0; turn < trace_.turns.size(); ++turn) {
            trace::decode(trace_, turn, detail);
            loaded_.fill({});
            for (const trace::Access& access : detail.accesses)
                if (access.space == trace::Space::global)
                    add(turn, access);
                else if (access.space == trace::Space::shared)
                    follow(turn, access);
        }
        for (const auto& [kernel, launch] : launches_) {
            if (launch.stores == 0) continue;
            counts_.image += launch.image_loads / launch.stores;
            counts_.mask += launch.mask_loads / launch.stores;
        }
        for (auto& [block, sample] : blocks_) {
            sample.block = block;
            sample.tile = box_of(sample.stores);
            sample.read = box_of(sample.loads);
            sample.reuse = reuse_of(block, sample);
            counts_.blocks.push_back(std::move(sample));
        }
        return std::move(counts_);
    }

  private:
    const trace::Symbol* symbol_at(std::uint64_t offset) {
        if (last_ != nullptr && offset >= last_->offset && offset < last_->offset + last_->size_bytes)
            return last_;
        for (const trace::Symbol& symbol : trace_.symbols)
            if (symbol.space == trace::Space::global && offset >= symbol.offset &&
                offset < symbol.offset + symbol.size_bytes)
                return last_ = &symbol;
        return nullptr;
    }

    void add(std::uint64_t turn, const trace::Access& access) {
        const trace::Turn& of = trace_.turns[turn];
        // A kernel that a file launches twice counts as two launches; a launch that runs in parts counts as
        // one.
        LaunchCount& launch = launches_[key_of(turn)];
        for (trace::Mask rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const trace::Symbol* symbol = symbol_at(access.offset[lane]);
            if (symbol == nullptr) continue;
            const std::uint64_t cell_bytes =
                std::max<std::uint64_t>(trace_.program.types[symbol->element].size_bytes, 1);
            const std::uint64_t first = (access.offset[lane] - symbol->offset) / cell_bytes;
            const std::uint64_t cells = std::max<std::uint64_t>(access.width_bytes / cell_bytes, 1);
            const bool store = access.kind == trace::AccessKind::store, is_mask = symbol->name == names_.mask;
            (store     ? launch.stores
             : is_mask ? launch.mask_loads
                       : launch.image_loads) += static_cast<double>(cells);
            const bool last = is_last(turn);
            if (!last || is_mask) continue;
            if (store && symbol->name != names_.out) continue;
            BlockSample& sample = blocks_[of.block];
            const std::uint64_t columns =
                std::max<std::uint64_t>(store ? names_.out_columns : names_.image_columns, 1);
            if (!store) loaded_[lane] = {first, cells, access.width_bytes};
            for (std::uint64_t cell = first; cell < first + cells; ++cell)
                (store ? sample.stores : sample.loads)
                    .push_back({of.warp * trace::warp_size + lane, static_cast<std::uint32_t>(cell % columns),
                                static_cast<std::uint32_t>(cell / columns)});
        }
    }

    // A store puts what its lane loaded in this turn into shared memory; a load reads it again.
    void follow(std::uint64_t turn, const trace::Access& access) {
        counts_.shared = true;
        if (!is_last(turn)) return;
        Tile& tile = tiles_[trace_.turns[turn].block];
        for (trace::Mask rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const std::uint64_t begin = access.offset[lane], end = begin + access.width_bytes;
            const auto first = tile.cells.lower_bound(begin), last = tile.cells.lower_bound(end);
            if (access.kind == trace::AccessKind::load) {
                for (auto at = first; at != last; ++at)
                    ++tile.reads[at->second];
                continue;
            }
            tile.cells.erase(first, last);
            const Loaded& from = loaded_[lane];
            if (from.cells != 1 && from.width_bytes != access.width_bytes) continue;
            for (std::uint64_t cell = 0; cell < from.cells; ++cell)
                tile.cells[begin + cell * access.width_bytes / from.cells] = from.first + cell;
        }
    }

    std::vector<Reuse> reuse_of(std::uint32_t block, const BlockSample& sample) {
        const std::uint64_t columns = std::max<std::uint64_t>(names_.image_columns, 1);
        std::map<std::uint64_t, Reuse> pixels;
        for (const PixelAccess& access : sample.loads) {
            Reuse& pixel = pixels[access.y * columns + access.x];
            pixel.x = access.x, pixel.y = access.y;
            ++pixel.global;
        }
        for (const auto& [cell, reads] : tiles_[block].reads)
            if (const auto found = pixels.find(cell); found != pixels.end()) found->second.shared = reads;
        std::vector<Reuse> reuse;
        for (const auto& [cell, pixel] : pixels)
            reuse.push_back(pixel);
        return reuse;
    }

    std::uint64_t key_of(std::uint64_t turn) const {
        const std::uint32_t number = trace_.launch_of(turn);
        return is_last(turn) ? ~0ull : number;
    }
    bool is_last(std::uint64_t turn) const { return turn >= first_turn_of_last(); }

    // Parts of the last launch have its grid and kernel and follow each other at the end.
    std::uint64_t first_turn_of_last() const {
        if (first_of_last_ != ~0ull) return first_of_last_;
        std::size_t at = trace_.launches.size();
        while (at > 0 && trace_.launches[at - 1].kernel == last_kernel_ &&
               trace_.launches[at - 1].grid == trace_.launches.back().grid)
            --at;
        return first_of_last_ = at == trace_.launches.size() ? 0 : trace_.launches[at].first_turn;
    }

    struct Loaded {
        std::uint64_t first = 0, cells = 0;  // of the image
        std::uint32_t width_bytes = 0;
    };
    struct Tile {
        std::map<std::uint64_t, std::uint64_t> cells;  // shared memory's offset → the image's cell
        std::map<std::uint64_t, std::uint32_t> reads;  // of the image's cells
    };

    const trace::Trace& trace_;
    const SampleNames& names_;
    std::array<Loaded, trace::warp_size> loaded_{};  // in this turn, by lane
    std::map<std::uint32_t, Tile> tiles_;
    std::string last_kernel_;
    const trace::Symbol* last_ = nullptr;
    mutable std::uint64_t first_of_last_ = ~0ull;
    std::map<std::uint64_t, LaunchCount> launches_;
    std::map<std::uint32_t, BlockSample> blocks_;
    LoadCounts counts_;
};

}  // namespace

Box box_of(const std::vector<PixelAccess>& accesses) {
    if (accesses.empty()) return {};
    Box box{~0u, ~0u, 0, 0};
    for (const PixelAccess& access : accesses) {
        box.left = std::min(box.left, access.x);
        box.top = std::min(box.top, access.y);
        box.right = std::max(box.right, access.x + 1);
        box.bottom = std::max(box.bottom, access.y + 1);
    }
    return box;
}

LoadCounts count_loads(const trace::Trace& trace, const SampleNames& names) {
    return Counter(trace, names).count();
}

}  // namespace lanescope::preview
