#include "analysis/layouts/fragments.h"

#include <algorithm>

#include "analysis/layouts/accesses.h"
#include "ptx/module.h"
#include "simt/inspect/matrix_layout.h"

namespace lanescope::analysis {
namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::Type;
using simt::FragmentLayout;
using simt::MatrixRole;

void name_fragment(Fragment& fragment, bool by_columns) {
    std::vector<PlacedElement> elements;
    const std::uint32_t per_lane = fragment.registers * fragment.per_register;
    for (const FragmentCell& cell : fragment.cells) {
        const std::uint32_t value = cell.reg * fragment.per_register + cell.element;
        const std::uint32_t place =
            by_columns ? cell.column + fragment.columns * cell.row : cell.row + fragment.rows * cell.column;
        elements.push_back({cell.lane, value, place});
    }
    fragment.name = name_layout(elements, trace::warp_size, per_lane);
    if (fragment.name.exact() && !fragment.name.shape.empty())
        fragment.name.text = fragment.name.shape + ":" + fragment.name.stride;
}

Fragment fragment_of(const FragmentLayout& layout, const char* operand, Type type) {
    Fragment fragment;
    fragment.operand = operand;
    fragment.type = ptx::text(type);
    fragment.rows = layout.rows();
    fragment.columns = layout.columns();
    fragment.registers = layout.registers();
    fragment.per_register = layout.per_register();
    for (unsigned lane = 0; lane < trace::warp_size; ++lane)
        for (unsigned reg = 0; reg < fragment.registers; ++reg)
            for (unsigned element = 0; element < fragment.per_register; ++element) {
                const simt::MatrixPlace at = layout.place(lane, reg, element);
                fragment.cells.push_back({at.row, at.column, static_cast<std::uint8_t>(lane),
                                          static_cast<std::uint16_t>(reg),
                                          static_cast<std::uint8_t>(element)});
            }
    name_fragment(fragment, layout.role == MatrixRole::b);
    return fragment;
}

void add_operands(const Instruction& made, Fragments& to) {
    // wmma.mma on f16 states only the types of D and C.
    const bool halves = made.op == Op::wmma_mma && made.type(2) == Type::none;
    const Type d = made.type(0), a = halves ? Type::f16 : made.type(1), b = halves ? Type::f16 : made.type(2),
               c = halves ? made.type(1) : made.type(3);
    const simt::MatrixShape shape = simt::shape_of(made);
    const auto add = [&](MatrixRole role, const char* operand, Type type) {
        const FragmentLayout layout{shape, role, simt::element_bits(type)};
        if (layout.element_bits != 0 && layout.registers() != 0)
            to.operands.push_back(fragment_of(layout, operand, type));
    };
    add(MatrixRole::a, "A", a);
    add(MatrixRole::b, "B", b);
    if (c == d) return add(MatrixRole::c, "C and D", d);
    add(MatrixRole::c, "C", c);
    add(MatrixRole::c, "D", d);
}

void add_moved(const Instruction& made, Fragments& to) {
    const MatrixRole role = made.op != Op::wmma_load || made.has(ptx::Mod::c) ? MatrixRole::c
                            : made.has(ptx::Mod::a)                           ? MatrixRole::a
                                                                              : MatrixRole::b;
    const FragmentLayout layout{simt::shape_of(made), role, simt::element_bits(made.type())};
    if (layout.element_bits == 0 || layout.registers() == 0) return;
    const char* operand = role == MatrixRole::a ? "A" : role == MatrixRole::b ? "B" : "C";
    to.operands.push_back(fragment_of(layout, made.op == Op::wmma_store ? "D" : operand, made.type()));
}

// Lane 4i + j holds elements 2j and 2j + 1 of row i, or of column i of the transposed matrix.
void add_rows(const Instruction& made, Fragments& to) {
    const unsigned count = made.has(ptx::Mod::x4) ? 4 : made.has(ptx::Mod::x2) ? 2 : 1;
    to.rows_by_lane = true;
    to.transposed = made.has(ptx::Mod::trans);
    for (unsigned matrix = 0; matrix < count; ++matrix) {
        Fragment fragment;
        fragment.operand = "matrix " + std::to_string(matrix);
        fragment.type = "b16";
        fragment.rows = fragment.columns = 8;
        fragment.registers = 1;
        fragment.per_register = 2;
        for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane)
            for (std::uint32_t element = 0; element < 2; ++element) {
                const std::uint32_t i = lane / 4, j = lane % 4 * 2 + element;
                fragment.cells.push_back({to.transposed ? j : i, to.transposed ? i : j,
                                          static_cast<std::uint8_t>(lane), 0,
                                          static_cast<std::uint8_t>(element)});
            }
        name_fragment(fragment, false);
        for (FragmentCell& cell : fragment.cells)
            cell.reg = static_cast<std::uint16_t>(matrix);
        to.operands.push_back(std::move(fragment));
    }
}

}  // namespace

Fragments fragments_of(const Code& code, std::uint32_t pc) {
    Fragments found;
    found.pc = pc;
    const Instruction* made = code.at(pc);
    if (made == nullptr) return found;
    switch (ptx::info(made->op).form) {
        case ptx::Form::mma:
            found.multiplies = true;
            add_operands(*made, found);
            break;
        case ptx::Form::fragment:
            add_moved(*made, found);
            break;
        case ptx::Form::matrix_rows:
            add_rows(*made, found);
            break;
        default:
            return found;
    }
    found.instruction = instruction_name(code, pc);
    if (pc < code.program().code_rows.size()) found.line = code.program().code_rows[pc].line;
    return found;
}

Fragments vector_fragment(const Code& code, const trace::Access& access) {
    constexpr std::uint32_t columns = 32;
    constexpr std::uint64_t most_rows = 64;
    Fragments found;
    found.pc = access.pc;
    const Instruction* made = code.at(access.pc);
    const ptx::Form form = made == nullptr ? ptx::Form::unsupported : ptx::info(made->op).form;
    if (form != ptx::Form::load && form != ptx::Form::store) return found;
    const unsigned count = made->vector_length();
    if (count < 2 || access.mask == 0 || access.width_bytes % count != 0) return found;
    const unsigned bytes = access.width_bytes / count;
    std::uint64_t first = ~0ull;
    trace::each_lane(access.mask, [&](unsigned lane) { first = std::min(first, access.offset[lane]); });
    Fragment fragment;
    fragment.operand = "elements of " + std::to_string(bytes) + " bytes";
    fragment.registers = count;
    std::vector<PlacedElement> elements;
    bool fits = true;
    std::uint32_t lanes = 0;
    trace::each_lane(access.mask, [&](unsigned lane) {
        const std::uint64_t offset = access.offset[lane] - first;
        fits = fits && offset % bytes == 0 && offset / bytes / columns < most_rows && lane == lanes;
        ++lanes;
        for (std::uint32_t reg = 0; reg < count && fits; ++reg) {
            const auto element = static_cast<std::uint32_t>(offset / bytes) + reg;
            fragment.cells.push_back({element / columns, element % columns, static_cast<std::uint8_t>(lane),
                                      static_cast<std::uint16_t>(reg), 0});
            elements.push_back({lane, reg, static_cast<std::int64_t>(element)});
            fragment.rows = std::max(fragment.rows, element / columns + 1);
        }
    });
    if (!fits) return found;
    fragment.columns = columns;
    fragment.name = name_layout(elements, lanes, count);
    if (fragment.name.exact() && !fragment.name.shape.empty())
        fragment.name.text = fragment.name.shape + ":" + fragment.name.stride;
    found.operands.push_back(std::move(fragment));
    found.instruction = instruction_name(code, access.pc);
    return found;
}

std::vector<Fragments> fragments_of(const Code& code, const std::vector<std::uint32_t>& pcs) {
    std::vector<std::uint32_t> once(pcs);
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    std::vector<Fragments> found;
    for (const std::uint32_t pc : once) {
        Fragments each = fragments_of(code, pc);
        if (!each.operands.empty()) found.push_back(std::move(each));
    }
    return found;
}

}  // namespace lanescope::analysis
