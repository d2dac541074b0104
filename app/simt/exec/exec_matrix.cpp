// mma.sync, wmma.load, wmma.mma and wmma.store (PTX ISA 9.7.14). All 32 lanes of the warp take part.
//
// Inaccuracies: sums of floats follow dot_product.h; those with f16 results are rounded to f16 once, at the
// end.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "simt/exec/control_parts.h"
#include "simt/exec/executors.h"
#include "simt/math/dot_product.h"
#include "simt/math/float_semantics.h"
#include "simt/math/small_floats.h"
#include "simt/state/access.h"
#include "simt/state/async.h"
#include "simt/state/block.h"
#include "simt/state/control.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;
using ptx::Type;

namespace {

constexpr unsigned max_elements = 4096;

const MatrixForm& matrix_form(const Warp& warp, const Decoded& decoded) {
    return warp.run->program.tables.matrices[decoded.target];
}

// Element `index` of a register, as bits.
std::uint64_t element_at(const Warp& warp, Ref ref, unsigned lane, unsigned bits, unsigned index) {
    if (bits == 64) return warp.row<std::uint64_t>(ref)[lane];
    const std::uint32_t word = warp.row<std::uint32_t>(ref)[lane];
    return bits == 32 ? word : word >> (index * bits) & ((1u << bits) - 1);
}

double number_of(Type type, std::uint64_t bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    switch (type) {
        case Type::f16:
            return half_to_float(low);
        case Type::bf16:
            return brain_to_float(low);
        case Type::tf32:  // the low 13 bits of the register do not count
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits) & ~0x1fffu);
        case Type::f32:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case Type::f64:
            return std::bit_cast<double>(bits);
        case Type::e4m3:
            return e4m3_to_float(static_cast<std::uint8_t>(bits));
        case Type::e5m2:
            return e5m2_to_float(static_cast<std::uint8_t>(bits));
        case Type::s4:
            return static_cast<double>(static_cast<int>(bits ^ 8) - 8);
        case Type::s8:
            return static_cast<double>(static_cast<std::int8_t>(bits));
        case Type::s32:
            return static_cast<double>(static_cast<std::int32_t>(bits));
        default:
            return static_cast<double>(bits);
    }
}

// Calls visit(row, column, bits) for every element of a fragment, once.
template <class Visit>
void for_each_element(const Warp& warp, const FragmentLayout& layout, const std::vector<Ref>& refs,
                      Visit visit) {
    const unsigned registers = std::min<unsigned>(layout.registers(), static_cast<unsigned>(refs.size()));
    for (unsigned reg = 0; reg < registers; ++reg)
        for (unsigned lane = 0; lane < warp_size; ++lane)
            for (unsigned e = 0; e < layout.per_register(); ++e) {
                const MatrixPlace at = layout.place(lane, reg, e);
                visit(at.row, at.column, element_at(warp, refs[reg], lane, layout.element_bits, e));
            }
}

// Row i of A and column j of B, each as k factors side by side.
struct Operands {
    std::array<Factor, max_elements> a, b;
};

void gather(const Warp& warp, const MatrixForm& form, Operands& operands) {
    const unsigned k = form.shape.k;
    const FragmentLayout a{form.shape, MatrixRole::a, element_bits(form.a)};
    const FragmentLayout b{form.shape, MatrixRole::b, element_bits(form.b)};
    const int least_a = least_exponent(form.a), least_b = least_exponent(form.b);
    for_each_element(warp, a, form.a_refs, [&](unsigned row, unsigned column, std::uint64_t bits) {
        operands.a[row * k + column] = factor_of(number_of(form.a, bits), least_a);
    });
    for_each_element(warp, b, form.b_refs, [&](unsigned row, unsigned column, std::uint64_t bits) {
        operands.b[column * k + row] = factor_of(number_of(form.b, bits), least_b);
    });
}

std::uint64_t float_sum(const MatrixForm& form, std::uint64_t c, const Factor* a, const Factor* b) {
    const float start = static_cast<float>(number_of(form.c, c));
    const DotModel model = dot_model(form.a);
    if (form.d != Type::f16)
        return std::bit_cast<std::uint32_t>(accumulate_float(start, a, b, form.shape.k, model));
    const double sum = accumulate(start, a, b, form.shape.k, model);
    return sum != sum ? 0x7fff : round_to(half_format, sum, Rounding::nearest);
}

std::uint64_t double_sum(const MatrixForm& form, std::uint64_t c, const Factor* a, const Factor* b) {
    double sum = std::bit_cast<double>(c);
    for (unsigned i = 0; i < form.shape.k; ++i)
        sum = with_nan(fused(a[i].value, b[i].value, sum), a[i].value, b[i].value, sum);
    return std::bit_cast<std::uint64_t>(sum);
}

std::uint64_t integer_sum(const MatrixForm& form, std::uint64_t c, const Factor* a, const Factor* b) {
    std::int64_t sum = static_cast<std::int32_t>(c);
    for (unsigned i = 0; i < form.shape.k; ++i) {
        const auto x = static_cast<std::int64_t>(a[i].value), y = static_cast<std::int64_t>(b[i].value);
        sum += form.sum == MatrixForm::Sum::products   ? x * y
               : form.sum == MatrixForm::Sum::xor_popc ? x ^ y
                                                       : x & y;
    }
    if (form.saturates)
        sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::max());
    return static_cast<std::uint32_t>(sum);
}

std::uint64_t sum_of(const MatrixForm& form, std::uint64_t c, const Factor* a, const Factor* b) {
    if (form.d == Type::f64) return double_sum(form, c, a, b);
    return form.d == Type::s32 ? integer_sum(form, c, a, b) : float_sum(form, c, a, b);
}

void write_element(const Warp& warp, Ref ref, unsigned lane, unsigned bits, unsigned index,
                   std::uint64_t value) {
    if (bits == 64) {
        warp.row<std::uint64_t>(ref)[lane] = value;
        return;
    }
    std::uint32_t& word = warp.row<std::uint32_t>(ref)[lane];
    if (bits == 32)
        word = static_cast<std::uint32_t>(value);
    else
        word = (word & ~(((1u << bits) - 1) << (index * bits))) | static_cast<std::uint32_t>(value)
                                                                      << (index * bits);
}

void multiply(Warp& warp, const Decoded& decoded, Mask mask) {
    if (!whole_warp_present(warp, decoded, mask)) return;
    const MatrixForm& form = matrix_form(warp, decoded);
    const MatrixShape shape = form.shape;
    Operands operands;
    gather(warp, form, operands);
    std::array<std::uint64_t, max_elements> c;
    const FragmentLayout from{shape, MatrixRole::c, element_bits(form.c)};
    for_each_element(warp, from, form.c_refs, [&](unsigned row, unsigned column, std::uint64_t bits) {
        c[row * shape.n + column] = bits;
    });
    for (unsigned row = 0; row < shape.m; ++row)
        for (unsigned column = 0; column < shape.n; ++column) {
            std::uint64_t& sum = c[row * shape.n + column];
            sum = sum_of(form, sum, &operands.a[row * shape.k], &operands.b[column * shape.k]);
        }
    const FragmentLayout to{shape, MatrixRole::c, element_bits(form.d)};
    for (unsigned reg = 0; reg < to.registers(); ++reg)
        for_each_lane(mask, [&](unsigned lane) {
            for (unsigned e = 0; e < to.per_register(); ++e) {
                const MatrixPlace at = to.place(lane, reg, e);
                write_element(warp, form.d_refs[reg], lane, to.element_bits, e,
                              c[at.row * shape.n + at.column]);
            }
        });
}

// --- wmma.load and wmma.store ------------------------------------------------------------------------------

constexpr unsigned matrix_alignment = 32;

FragmentLayout layout_of(const MatrixForm& form) {
    const Type type = form.role == MatrixRole::a ? form.a : form.role == MatrixRole::b ? form.b : form.c;
    return {form.shape, form.role, element_bits(type)};
}

// Whether the elements of a register lie side by side in memory.
bool side_by_side(const MatrixForm& form) {
    return form.row_major == layout_of(form).along_rows();
}

// Addresses of a register's element; the lanes whose matrix lies as it must.
Mask element_addresses(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& base, unsigned reg,
                       unsigned element, Addresses& addresses) {
    const MatrixForm& form = matrix_form(warp, decoded);
    const FragmentLayout layout = layout_of(form);
    const auto* stride = form.stride == no_ref ? nullptr : warp.row<std::uint32_t>(form.stride);
    Mask sound = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const MatrixPlace at = layout.place(lane, reg, element);
        const std::uint64_t packed = form.row_major ? layout.columns() : layout.rows();
        const std::uint64_t leading = stride == nullptr ? packed : stride[lane];
        if (base[lane] % matrix_alignment != 0 || leading * layout.element_bits % 128 != 0) {
            BadAccess bad{trace::ProblemKind::misaligned, trace::AccessKind::load, decoded.window, base[lane],
                          matrix_alignment};
            if (base[lane] % matrix_alignment != 0) return report_access(warp, decoded, lane, bad);
            return report(warp, trace::ProblemKind::misaligned, warp.run->pc_of(decoded), lane_bit(lane),
                          "uses a leading dimension of " + std::to_string(leading) +
                              " elements, which is not a multiple of 16 bytes");
        }
        const std::uint64_t index =
            form.row_major ? at.row * leading + at.column : at.column * leading + at.row;
        addresses[lane] = base[lane] + index * layout.element_bits / 8;
        sound |= lane_bit(lane);
    });
    return sound;
}

// Calls move(targets, reg, first element, addresses, piece) for each access of the warp.
template <class Move>
void for_each_access(Warp& warp, const Decoded& decoded, Mask mask, trace::AccessKind kind, Move move) {
    const MatrixForm& form = matrix_form(warp, decoded);
    const FragmentLayout layout = layout_of(form);
    const unsigned at_once = side_by_side(form) ? layout.per_register() : 1;
    const unsigned width = std::max(1u, layout.element_bits * at_once / 8);
    Addresses base, addresses;
    form_addresses(warp, decoded, base);
    const Decoded piece = piece_at(warp.run->pc_of(decoded), decoded.window, width);
    for (unsigned reg = 0; reg < layout.registers(); ++reg)
        for (unsigned e = 0; e < layout.per_register(); e += at_once) {
            const Mask sound = element_addresses(warp, decoded, mask, base, reg, e, addresses);
            Targets targets;
            resolve(warp, piece, sound, addresses, kind, targets);
            move(targets, reg, e, addresses, piece);
        }
}

void load_matrix(Warp& warp, const Decoded& decoded, Mask mask) {
    if (!whole_warp_present(warp, decoded, mask)) return;
    const MatrixForm& form = matrix_form(warp, decoded);
    const FragmentLayout layout = layout_of(form);
    for_each_access(warp, decoded, mask, trace::AccessKind::load,
                    [&](const Targets& targets, unsigned reg, unsigned element, const Addresses& addresses,
                        const Decoded& piece) {
                        const unsigned bits = piece.width * 8u;
                        for_each_lane(mask, [&](unsigned lane) {
                            std::uint64_t value = 0;
                            if (has_lane(targets.mask, lane))
                                std::memcpy(&value, targets.data[lane], piece.width);
                            const unsigned index = bits < 32 ? element * layout.element_bits / bits : 0;
                            write_element(warp, form.d_refs[reg], lane, bits, index, value);
                        });
                        record_access(warp, piece, trace::AccessKind::load, targets.mask, addresses, nullptr);
                    });
    const std::size_t different = layout.registers();
    for (std::size_t reg = different; reg < form.d_refs.size(); ++reg)
        for_each_lane(mask, [&](unsigned lane) {
            warp.row<std::uint32_t>(form.d_refs[reg])[lane] =
                warp.row<std::uint32_t>(form.d_refs[reg % different])[lane];
        });
}

void store_matrix(Warp& warp, const Decoded& decoded, Mask mask) {
    if (!whole_warp_present(warp, decoded, mask)) return;
    const MatrixForm& form = matrix_form(warp, decoded);
    const FragmentLayout layout = layout_of(form);
    warp.progressed = true;
    for_each_access(warp, decoded, mask, trace::AccessKind::store,
                    [&](Targets& targets, unsigned reg, unsigned element, const Addresses& addresses,
                        const Decoded& piece) {
                        const unsigned bits = piece.width * 8u;
                        Recorded values;
                        for_each_lane(targets.mask, [&](unsigned lane) {
                            const unsigned index = bits < 32 ? element * layout.element_bits / bits : 0;
                            const std::uint64_t value = element_at(warp, form.c_refs[reg], lane, bits, index);
                            const std::size_t at = std::size_t{lane} * piece.width;
                            std::memcpy(values.before.data() + at, targets.data[lane], piece.width);
                            std::memcpy(values.after.data() + at, &value, piece.width);
                            std::memcpy(targets.data[lane], &value, piece.width);
                            values.newly_set[lane] = mark_lane(targets, lane, piece.width);
                        });
                        record_access(warp, piece, trace::AccessKind::store, targets.mask, addresses,
                                      &values);
                    });
}

}  // namespace

Exec select_multiply(const Instruction&, bool) {
    return &multiply;
}
Exec select_load_matrix(const Instruction&, bool) {
    return &load_matrix;
}
Exec select_store_matrix(const Instruction&, bool) {
    return &store_matrix;
}

}  // namespace lanescope::simt
