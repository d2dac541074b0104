// ldmatrix, stmatrix and movmatrix (PTX ISA 9.7.14.5.15-17): matrices of 8 rows of 16 bytes, element pairs
// spread over the lanes.
#include <array>
#include <cstring>

#include "simt/exec/control_parts.h"
#include "simt/exec/executors.h"
#include "simt/state/access.h"
#include "simt/state/control.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

namespace {

constexpr unsigned row_bytes = 16;
using Matrix = std::array<std::array<std::uint16_t, 8>, 8>;

const std::vector<Ref>& registers_of(const Warp& warp, const Decoded& decoded) {
    return warp.run->program.tables.operands[decoded.target];
}

// Lane 4i + j holds elements 2j and 2j+1 of row i, or of column i of the transposed matrix.
std::uint32_t pair_of(const Matrix& matrix, unsigned lane, bool transposed) {
    const unsigned i = lane / 4, j = lane % 4 * 2;
    const std::uint32_t low = transposed ? matrix[j][i] : matrix[i][j];
    const std::uint32_t high = transposed ? matrix[j + 1][i] : matrix[i][j + 1];
    return low | high << 16;
}
void set_pair(Matrix& matrix, unsigned lane, bool transposed, std::uint32_t pair) {
    const unsigned i = lane / 4, j = lane % 4 * 2;
    (transposed ? matrix[j][i] : matrix[i][j]) = static_cast<std::uint16_t>(pair);
    (transposed ? matrix[j + 1][i] : matrix[i][j + 1]) = static_cast<std::uint16_t>(pair >> 16);
}

// Lanes 8i … 8i+7 hold the addresses of the rows of matrix i.
template <bool transposed>
void load_matrices(Warp& warp, const Decoded& decoded, Mask mask) {
    if (!whole_warp_present(warp, decoded, mask)) return;
    const std::vector<Ref>& registers = registers_of(warp, decoded);
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    const Mask rows = mask & lanes_below(static_cast<unsigned>(registers.size()) * 8);
    Targets targets;
    resolve(warp, decoded, rows, addresses, trace::AccessKind::load, targets);
    std::array<Matrix, 4> matrices{};
    for_each_lane(targets.mask, [&](unsigned lane) {
        std::memcpy(matrices[lane / 8][lane % 8].data(), targets.data[lane], row_bytes);
    });
    for (std::size_t i = 0; i < registers.size(); ++i) {
        if (registers[i] == no_ref) continue;
        auto* out = warp.row<std::uint32_t>(registers[i]);
        for_each_lane(mask, [&](unsigned lane) { out[lane] = pair_of(matrices[i], lane, transposed); });
    }
    record_access(warp, decoded, trace::AccessKind::load, targets.mask, addresses, nullptr);
}

template <bool transposed>
void store_matrices(Warp& warp, const Decoded& decoded, Mask mask) {
    if (!whole_warp_present(warp, decoded, mask)) return;
    const std::vector<Ref>& registers = registers_of(warp, decoded);
    std::array<Matrix, 4> matrices{};
    for (std::size_t i = 0; i < registers.size(); ++i) {
        const auto* row = warp.row<std::uint32_t>(registers[i]);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            set_pair(matrices[i], lane, transposed, row[lane]);
    }
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    const Mask rows = mask & lanes_below(static_cast<unsigned>(registers.size()) * 8);
    Targets targets;
    resolve(warp, decoded, rows, addresses, trace::AccessKind::store, targets);
    warp.progressed = true;
    Recorded values;
    for_each_lane(targets.mask, [&](unsigned lane) {
        const std::byte* from = reinterpret_cast<const std::byte*>(matrices[lane / 8][lane % 8].data());
        std::memcpy(values.before.data() + lane * row_bytes, targets.data[lane], row_bytes);
        std::memcpy(values.after.data() + lane * row_bytes, from, row_bytes);
        std::memcpy(targets.data[lane], from, row_bytes);
        values.newly_set[lane] = mark_lane(targets, lane, row_bytes);
    });
    record_access(warp, decoded, trace::AccessKind::store, targets.mask, addresses, &values);
}

void transpose(Warp& warp, const Decoded& decoded, Mask mask) {
    if (!whole_warp_present(warp, decoded, mask)) return;
    const auto* from = warp.row<std::uint32_t>(decoded.a);
    auto* to = warp.row<std::uint32_t>(decoded.dst);
    Matrix matrix{};
    for (unsigned lane = 0; lane < warp_size; ++lane)
        set_pair(matrix, lane, false, from[lane]);
    for_each_lane(mask, [&](unsigned lane) { to[lane] = pair_of(matrix, lane, true); });
}

bool moves_halves(const Instruction& instruction) {
    return instruction.has(Mod::m8n8) && instruction.type() == ptx::Type::b16;
}

}  // namespace

Exec select_load_rows(const Instruction& instruction, bool) {
    if (!moves_halves(instruction)) return nullptr;
    return instruction.has(Mod::trans) ? &load_matrices<true> : &load_matrices<false>;
}
Exec select_store_rows(const Instruction& instruction, bool) {
    if (!moves_halves(instruction)) return nullptr;
    return instruction.has(Mod::trans) ? &store_matrices<true> : &store_matrices<false>;
}
Exec select_transpose(const Instruction& instruction, bool) {
    return moves_halves(instruction) && instruction.has(Mod::trans) ? &transpose : nullptr;
}

}  // namespace lanescope::simt
