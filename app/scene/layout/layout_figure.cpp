#include "scene/layout/layout_figure.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/executed_pcs.h"
#include "trace/cells.h"

namespace lanescope::scene {
namespace {

using analysis::ArrayOwners;
using analysis::BankPass;
using analysis::BlockLayouts;
using analysis::Fragment;
using analysis::FragmentCell;
using analysis::Fragments;
using analysis::SharedRequest;
using analysis::SharedTile;
using trace::Symbol;

constexpr std::uint32_t most_rows = 128, most_columns = 128;  // of a grid
constexpr std::size_t most_bank_rows = 64;
constexpr std::uint32_t bank_count = 32, word_bytes = 4;

std::string number(std::uint64_t value) {
    return std::to_string(value);
}
std::string size_words(std::uint64_t rows, std::uint64_t columns) {
    return rows == 1 ? number(columns) : number(rows) + "×" + number(columns);
}

std::string lanes_words(trace::Mask lanes) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const auto last = static_cast<unsigned>(31 - std::countl_zero(lanes));
    if (first == last) return "lane " + number(first);
    const std::string range = "lanes " + number(first) + "–" + number(last);
    return trace::lane_count(lanes) == last - first + 1 ? range
                                                        : number(trace::lane_count(lanes)) + " of " + range;
}

std::string ways_words(unsigned ways) {
    return ways <= 1 ? "no bank conflict" : number(ways) + "-way bank conflict";
}

class Maker {
  public:
    Maker(const LayoutStep& at, const BlockLayouts& layouts, const LayoutWanted& wanted)
        : trace_(at.trace),
          code_(at.code),
          at_(at),
          launch_(at.trace.launches[at.step.launch]),
          layouts_(layouts),
          wanted_(wanted) {
        for (const Symbol& symbol : launch_.shared)
            figure_.arrays.push_back(symbol.name);
        for (const ArrayOwners& owners : layouts.owners)
            if (owners.space != trace::Space::shared) figure_.arrays.push_back(name_of(owners));
        choose_request();
        choose_fragments();
    }

    LayoutFigure make() {
        LayoutPart part = wanted_.part;
        if (part == LayoutPart::automatic)
            part = fragments_ ? LayoutPart::fragments
                   : request_ ? LayoutPart::banks
                   : vector_  ? LayoutPart::fragments
                              : LayoutPart::owners;
        if (wanted_.part == LayoutPart::automatic && !wanted_.array.empty() && !request_ && !fragments_)
            part = tile_now() != nullptr ? LayoutPart::tile : LayoutPart::owners;
        figure_.part = part;
        switch (part) {
            case LayoutPart::banks:
                banks();
                break;
            case LayoutPart::tile:
                tile();
                break;
            case LayoutPart::fragments:
                fragments();
                break;
            default:
                owners();
        }
        if (!layouts_.incomplete.empty() && figure_.note.empty()) figure_.note = layouts_.incomplete;
        return std::move(figure_);
    }

  private:
    const std::string& name_of(const ArrayOwners& owners) const {
        return owners.space == trace::Space::shared ? launch_.shared[owners.symbol].name
                                                    : trace_.symbols[owners.symbol].name;
    }
    std::string array_of(const SharedRequest& request) const {
        return request.symbol == trace::none ? std::string("shared memory")
                                             : launch_.shared[request.symbol].name;
    }

    // --- what the step does

    // The request of the chosen warp with the most wavefronts; without one, that of any warp.
    void choose_request() {
        requests_ = analysis::shared_requests(trace_, code_, at_.details);
        const auto rank = [&](const SharedRequest& request) {
            return std::tuple(request.warp == wanted_.warp, request.wavefronts());
        };
        for (const SharedRequest& each : requests_) {
            if (each.passes.empty() || (!wanted_.array.empty() && array_of(each) != wanted_.array)) continue;
            if (!request_ || rank(each) > rank(*request_)) request_ = &each;
        }
    }

    void choose_fragments() {
        for (const bool own : {true, false}) {
            for (const trace::TurnDetail& detail : at_.details) {
                const trace::Turn& turn = trace_.turns[detail.turn];
                if (own && turn.warp != wanted_.warp) continue;
                for (const std::uint32_t pc : analysis::executed_pcs(turn, detail)) {
                    Fragments found = analysis::fragments_of(code_, pc);
                    if (found.operands.empty() || (fragments_ && !found.multiplies)) continue;
                    found.line = turn.line;
                    fragments_ = std::move(found);
                    if (fragments_->multiplies) return;
                }
                for (const trace::Access& access : detail.accesses) {
                    if (vector_) break;
                    Fragments found = analysis::vector_fragment(code_, access);
                    if (found.operands.empty()) continue;
                    found.line = turn.line;
                    vector_ = std::move(found);
                }
            }
            if (fragments_) return;
        }
    }

    // The tile that the array holds at this step: the last one that is begun.
    const SharedTile* tile_of(std::uint32_t symbol) const {
        const SharedTile* found = nullptr;
        for (const SharedTile& tile : layouts_.tiles)
            if (tile.symbol == symbol && (found == nullptr || tile.first_turn < at_.step.end)) found = &tile;
        return found;
    }
    const SharedTile* tile_now() const {
        if (request_ && request_->symbol != trace::none) return tile_of(request_->symbol);
        for (std::uint32_t i = 0; i < launch_.shared.size(); ++i) {
            if (!wanted_.array.empty() && launch_.shared[i].name != wanted_.array) continue;
            if (const SharedTile* tile = tile_of(i)) return tile;
        }
        return nullptr;
    }

    // The lanes of the request that access a byte of shared memory.
    trace::Mask lanes_at(std::uint64_t byte) const {
        trace::Mask lanes = 0;
        if (!request_) return lanes;
        const trace::Access& access = request_->access;
        trace::each_lane(access.mask, [&](unsigned lane) {
            if (byte >= access.offset[lane] && byte < access.offset[lane] + access.width_bytes)
                lanes |= trace::Mask{1} << lane;
        });
        return lanes;
    }

    // --- a tile

    LayoutGrid tile_grid(const SharedTile& tile) {
        const Symbol &array = launch_.shared[tile.symbol], &input = trace_.symbols[tile.source];
        LayoutGrid grid;
        grid.title = array.name + " holds " + size_words(tile.rows, tile.columns) + " of " + input.name;
        grid.facts = tile.name.text;
        grid.rows = std::min(tile.rows, most_rows);
        grid.columns = std::min(tile.columns, most_columns);
        grid.first_row = tile.first_row;
        grid.first_column = tile.first_column;
        for (const analysis::PlacedElement& each : tile.elements) {
            if (each.row >= grid.rows || each.column >= grid.columns) continue;
            const std::uint64_t byte = array.offset + tile.byte_of(each);
            const auto bank = static_cast<std::uint16_t>(byte / word_bytes % bank_count);
            const trace::Mask lanes = lanes_at(byte);
            LayoutCell cell{
                each.row, each.column, number(bank), number(bank), "+" + number(std::uint64_t(each.offset)),
                {},       bank,        lanes != 0,   false};
            cell.story = input.name + "[" + number(tile.first_row + each.row) + "][" +
                         number(tile.first_column + each.column) + "] stands in " + array.name +
                         " at element " + number(std::uint64_t(each.offset)) + ", bank " + number(bank) +
                         (lanes != 0 ? ". " + lanes_words(lanes) + " access it" : std::string());
            grid.cells.push_back(std::move(cell));
        }
        sort(grid);
        if (grid.rows < tile.rows || grid.columns < tile.columns)
            figure_.note = "only the first " + size_words(grid.rows, grid.columns) + " elements are shown";
        return grid;
    }

    std::string tile_words(const SharedTile& tile) const {
        const std::string unit = tile.name.kind == analysis::LayoutName::Kind::swizzled
                                     ? " in elements of " + number(tile.element_bytes) + " bytes"
                                     : "";
        const std::string formula = tile.name.shape + ":" + tile.name.stride;
        const bool told = tile.name.shape.empty() || tile.name.text.find(formula) != std::string::npos;
        return launch_.shared[tile.symbol].name + " is " + tile.name.text + unit +
               (told ? "" : ", " + formula) +
               (tile.name.exact() ? ": all " + number(tile.name.elements) + " elements follow it." : ".");
    }

    void tile() {
        const SharedTile* tile = tile_now();
        if (tile == nullptr) {
            figure_.note = launch_.shared.empty()
                               ? "The kernel has no shared array, so that no tile has a layout."
                               : "No shared array holds elements of an input: what it holds is computed.";
            return;
        }
        figure_.grids.push_back(tile_grid(*tile));
        figure_.sentence = tile_words(*tile);
        figure_.key = tile_key;
    }

    // --- the banks of a request

    void banks() {
        if (!request_) {
            figure_.note = wanted_.array.empty()
                               ? "No shared array is accessed at this step. Go to a step that loads from "
                                 "shared memory or stores to it, or choose another picture."
                               : wanted_.array + " is not accessed in shared memory at this step.";
            return;
        }
        const SharedTile* tile = request_->symbol == trace::none ? nullptr : tile_of(request_->symbol);
        if (tile != nullptr) figure_.grids.push_back(tile_grid(*tile));
        // A wide tile leaves no room beside it.
        add_passes(tile != nullptr && tile->columns <= bank_count ? 1 : 0, tile != nullptr ? 1 : 0);
        const trace::Access& access = request_->access;
        figure_.sentence = "Line " + number(request_->line) + ", warp " + number(request_->warp) + ": " +
                           (access.kind == trace::AccessKind::load ? "loads " : "stores ") +
                           number(access.width_bytes) + " bytes a lane, " + number(request_->wavefronts()) +
                           (request_->wavefronts() == 1 ? " wavefront" : " wavefronts") + " (" +
                           number(request_->passes.size()) + " without conflicts).";
        if (tile != nullptr) figure_.sentence += " " + tile_words(*tile);
        figure_.key = tile != nullptr ? tile_and_bank_key : bank_key;
    }

    void add_passes(std::uint32_t place_column, std::uint32_t first_row = 0) {
        const std::size_t count = request_->passes.size();
        for (std::size_t i = 0; i < count; ++i) {
            const BankPass& pass = request_->passes[i];
            LayoutGrid grid = pass_grid(pass);
            grid.title = (count == 1 ? array_of(*request_) + " by bank: " : "phase " + number(i + 1) + ": ") +
                         lanes_words(pass.lanes);
            grid.facts = ways_words(pass.wavefronts);
            grid.place_column = place_column;
            grid.place_row = first_row + static_cast<std::uint32_t>(i);
            figure_.grids.push_back(std::move(grid));
        }
    }

    LayoutGrid pass_grid(const BankPass& pass) const {
        const trace::Access& access = request_->access;
        std::map<std::uint64_t, trace::Mask> words;
        trace::each_lane(pass.lanes, [&](unsigned lane) {
            const std::uint64_t last = (access.offset[lane] + access.width_bytes - 1) / word_bytes;
            for (std::uint64_t word = access.offset[lane] / word_bytes; word <= last; ++word)
                words[word] |= trace::Mask{1} << lane;
        });
        std::map<std::uint64_t, std::uint32_t> rows;
        for (const auto& [word, lanes] : words)
            if (rows.size() < most_bank_rows) rows.try_emplace(word / bank_count, 0);
        LayoutGrid grid;
        grid.columns = bank_count;
        for (auto& [row, place] : rows) {
            place = grid.rows++;
            grid.row_names.push_back(number(row * bank_count * word_bytes));
        }
        for (const auto& [word, lanes] : words) {
            const auto row = rows.find(word / bank_count);
            if (row == rows.end()) continue;
            const auto bank = static_cast<std::uint32_t>(word % bank_count);
            const auto lane = static_cast<std::uint16_t>(std::countr_zero(lanes));
            const bool several = trace::lane_count(lanes) > 1;
            LayoutCell cell{row->second,  bank, "T" + number(lane) + (several ? "…" : ""),
                            number(lane), {},   {},
                            lane,         true, pass.words[bank] > 1};
            cell.story = "Bytes " + number(word * word_bytes) + "–" + number(word * word_bytes + 3) +
                         ", bank " + number(bank) + ": " + lanes_words(lanes) +
                         (cell.conflict ? ". The bank has " + number(pass.words[bank]) +
                                              " different words to give, one after the other"
                                        : std::string());
            grid.cells.push_back(std::move(cell));
        }
        add_patches(grid);
        return grid;
    }

    // --- fragments

    void fragments() {
        const Fragments* shown = fragments_ ? &*fragments_ : vector_ ? &*vector_ : nullptr;
        if (shown == nullptr) {
            figure_.note =
                "No fragment at this step: no lane holds several elements by a matrix instruction or a "
                "vector load. Go to an mma, wmma, ldmatrix or float4 step, or choose another picture.";
            return;
        }
        for (const Fragment& each : shown->operands)
            figure_.grids.push_back(fragment_grid(each, *shown));
        place_operands(*shown);
        figure_.sentence = "Line " + number(shown->line) + ": " + shown->instruction + ".";
        if (shown->rows_by_lane) {
            figure_.sentence += shown->transposed
                                    ? " Lanes 8i to 8i + 7 give the addresses of the rows of matrix i; each "
                                      "matrix is transposed."
                                    : " Lanes 8i to 8i + 7 give the addresses of the rows of matrix i.";
            if (request_)
                add_passes(std::min<std::uint32_t>(2, static_cast<std::uint32_t>(shown->operands.size())));
        }
        figure_.key = fragment_key;
    }

    // A below B's left, C below B: rows and columns line up as in the product.
    void place_operands(const Fragments& shown) {
        figure_.aligned = !shown.rows_by_lane;
        for (std::size_t i = 0; i < shown.operands.size(); ++i) {
            LayoutGrid& grid = figure_.grids[i];
            const auto at = static_cast<std::uint32_t>(i);
            if (shown.multiplies) {
                grid.place_row = at == 1 ? 0 : at == 3 ? 2 : 1;
                grid.place_column = at == 0 ? 0 : 1;
            } else {
                grid.place_row = at / 2;
                grid.place_column = at % 2;
            }
        }
    }

    LayoutGrid fragment_grid(const Fragment& fragment, const Fragments& of) const {
        LayoutGrid grid;
        grid.title = fragment.operand + ": " + size_words(fragment.rows, fragment.columns) +
                     (fragment.type.empty() ? "" : " " + fragment.type);
        grid.facts = fragment.name.exact() ? "(lane, value) " + fragment.name.text : "";
        grid.rows = std::min(fragment.rows, most_rows);
        grid.columns = std::min(fragment.columns, most_columns);
        for (const FragmentCell& each : fragment.cells) {
            if (each.row >= grid.rows || each.column >= grid.columns) continue;
            const std::string lane = "T" + number(each.lane), reg = "r" + number(each.reg);
            LayoutCell cell{each.row, each.column, lane + " " + reg, lane, reg, {}, each.lane, true, false};
            cell.story = "Lane " + number(each.lane) + " holds it in register " + number(each.reg) +
                         (fragment.per_register > 1
                              ? ", element " + number(each.element) + " of " + number(fragment.per_register)
                              : std::string());
            grid.cells.push_back(std::move(cell));
        }
        sort(grid);
        add_patches(grid);
        if (of.rows_by_lane && request_) name_rows(grid, fragment);
        return grid;
    }

    // "T9: s + 144": the lane that gives the address of a row, and the address.
    void name_rows(LayoutGrid& grid, const Fragment& fragment) const {
        const unsigned matrix = fragment.cells.empty() ? 0 : fragment.cells[0].reg;
        for (unsigned row = 0; row < 8; ++row) {
            const unsigned lane = matrix * 8 + row;
            if ((request_->access.mask >> lane & 1) == 0) return grid.row_names.clear();
            grid.row_names.push_back("T" + number(lane) + " " + number(request_->access.offset[lane]));
        }
    }

    // --- owners

    const ArrayOwners* chosen_owners() const {
        if (!wanted_.array.empty()) {
            for (const ArrayOwners& owners : layouts_.owners)
                if (name_of(owners) == wanted_.array) return &owners;
            return nullptr;
        }
        for (const trace::TurnDetail& detail : at_.details)  // what the step writes
            for (const trace::Access& access : detail.accesses) {
                if (access.kind == trace::AccessKind::load) continue;
                const trace::Resolved place =
                    trace::resolve(trace_, at_.step.launch, access.space,
                                   access.offset[static_cast<unsigned>(std::countr_zero(access.mask))]);
                for (const ArrayOwners& owners : layouts_.owners)
                    if (place.symbol != nullptr && owners.space == access.space &&
                        name_of(owners) == place.symbol->name)
                        return &owners;
            }
        return layouts_.owners.empty() ? nullptr : &layouts_.owners.front();
    }

    void owners() {
        const ArrayOwners* of = chosen_owners();
        if (of == nullptr || of->rows == 0) {
            figure_.note = of != nullptr ? "Block " + number(layouts_.block) + " wrote no element of " +
                                               name_of(*of) + ". Choose another block or array."
                           : wanted_.array.empty() ? std::string("The launch writes to no array.")
                                                   : "The launch does not write to " + wanted_.array + ".";
            return;
        }
        const std::uint64_t threads = launch_.block.count();
        const std::uint64_t first = of->space == trace::Space::shared ? 0 : of->block * threads;
        LayoutGrid grid;
        grid.title = name_of(*of) + ": the thread that wrote each element last";
        const std::string words = analysis::owner_words(*of);
        grid.facts = words;
        grid.rows = std::min(of->rows, most_rows);
        grid.columns = std::min(of->part_columns, most_columns);
        grid.first_row = of->first_row;
        grid.first_column = of->first_column;
        const std::uint64_t columns = of->columns == 0 ? of->owners.size() : of->columns;
        for (std::uint32_t row = 0; row < grid.rows; ++row)
            for (std::uint32_t column = 0; column < grid.columns; ++column) {
                const std::uint64_t cell = (of->first_row + row) * columns + of->first_column + column;
                if (cell >= of->owners.size()) continue;
                const std::uint64_t owner = of->owners[cell];
                if (owner == ArrayOwners::no_thread || owner < first || owner >= first + threads) continue;
                const std::uint64_t thread = owner - first;
                const std::uint64_t warp = thread / trace::warp_size, lane = thread % trace::warp_size;
                LayoutCell made{row,
                                column,
                                "t" + number(thread),
                                number(thread),
                                {},
                                {},
                                static_cast<std::uint16_t>(lane),
                                false,
                                false};
                made.story = name_of(*of) + "[" +
                             (of->columns == 0
                                  ? number(cell)
                                  : number(of->first_row + row) + "][" + number(of->first_column + column)) +
                             "]: thread " + number(thread) + ", warp " + number(warp) + ", lane " +
                             number(lane);
                grid.cells.push_back(std::move(made));
            }
        if (of->rows == 1 && grid.columns > bank_count) fold(grid);
        add_patches(grid);
        figure_.grids.push_back(std::move(grid));
        if (of->rows > most_rows || of->part_columns > most_columns)
            figure_.note =
                "only the first " +
                size_words(std::min(of->rows, most_rows), std::min(of->part_columns, most_columns)) +
                " elements are shown";
        figure_.sentence =
            name_of(*of) + ", block " + number(layouts_.block) + ": " + number(of->threads) +
            " threads wrote " + size_words(of->rows, of->part_columns) +
            (words.empty() ? " elements; no rule describes all of them." : " elements, " + words + ".");
        figure_.key = owner_key;
    }

    // A long row goes on below, 32 elements at a time.
    static void fold(LayoutGrid& grid) {
        grid.rows = (grid.columns + bank_count - 1) / bank_count;
        for (std::uint32_t row = 0; row < grid.rows; ++row)
            grid.row_names.push_back(number(grid.first_column + row * bank_count));
        for (LayoutCell& cell : grid.cells) {
            cell.row = cell.column / bank_count;
            cell.column %= bank_count;
        }
        grid.columns = bank_count;
        grid.first_column = 0;
    }

    static void add_patches(LayoutGrid& grid) {
        const auto same = [&](const LayoutCell& cell, std::uint32_t row, std::uint32_t column) {
            const LayoutCell* other =
                row < grid.rows && column < grid.columns ? grid.at(row, column) : nullptr;
            return other != nullptr && other->text == cell.text;
        };
        for (const LayoutCell& cell : grid.cells) {
            if ((cell.column > 0 && same(cell, cell.row, cell.column - 1)) ||
                (cell.row > 0 && same(cell, cell.row - 1, cell.column)))
                continue;
            LayoutPatch patch{cell.row, cell.column, 1, 1, cell.brief, cell.colour};
            while (same(cell, cell.row, cell.column + patch.columns))
                ++patch.columns;
            while (same(cell, cell.row + patch.rows, cell.column))
                ++patch.rows;
            if (patch.rows * patch.columns > 1) grid.patches.push_back(std::move(patch));
        }
    }

    static void sort(LayoutGrid& grid) {
        std::stable_sort(grid.cells.begin(), grid.cells.end(), [](const LayoutCell& a, const LayoutCell& b) {
            return std::tie(a.row, a.column) < std::tie(b.row, b.column);
        });
    }

    static constexpr const char* tile_key =
        "number and colour: bank · below: place in the array, in elements · frame: accessed by the step";
    static constexpr const char* bank_key =
        "row: 128 bytes · T: lane, … and further ones · red frame: another word of the same bank waits";
    static constexpr const char* tile_and_bank_key =
        "the tile: number and colour: bank, frame: accessed · by bank: row: 128 bytes, T: lane, red "
        "frame: the words of one bank wait for each other";
    static constexpr const char* fragment_key =
        "T: lane, r: its register · a colour is a group of four lanes, its brightness the lane in it";
    static constexpr const char* owner_key = "t: thread of the block · colour: its lane";

    const trace::Trace& trace_;
    const analysis::Code& code_;
    const LayoutStep& at_;
    const trace::Launch& launch_;
    const BlockLayouts& layouts_;
    const LayoutWanted& wanted_;
    std::vector<SharedRequest> requests_;
    const SharedRequest* request_ = nullptr;
    std::optional<Fragments> fragments_, vector_;
    LayoutFigure figure_;
};

}  // namespace

const LayoutCell* LayoutGrid::at(std::uint32_t row, std::uint32_t column) const {
    const auto found =
        std::lower_bound(cells.begin(), cells.end(), std::tuple(row, column),
                         [](const LayoutCell& cell, const std::tuple<std::uint32_t, std::uint32_t>& place) {
                             return std::tie(cell.row, cell.column) < place;
                         });
    return found != cells.end() && found->row == row && found->column == column ? &*found : nullptr;
}

LayoutFigure make_layout_figure(const LayoutStep& at, const BlockLayouts& layouts,
                                const LayoutWanted& wanted) {
    return Maker(at, layouts, wanted).make();
}

}  // namespace lanescope::scene
