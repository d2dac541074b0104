#include "gpu/traced/operands.h"

#include "ptx/register_use.h"

namespace lanescope::gpu {

using ptx::Form;
using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::RecordedOperand;
using ptx::Type;

namespace {

constexpr unsigned object_bytes = 8;  // of an mbarrier

class OperandList {
  public:
    explicit OperandList(const Instruction& made) : made_(made) {}

    // What is accessed there: see RecordedOperand.
    void address(std::size_t index, ptx::Space space, unsigned access_bytes,
                 const Operand* access_size = nullptr, unsigned accessing_lanes = 32) {
        if (index >= made_.operands.size()) return;
        RecordedOperand& added = list_.emplace_back(
            RecordedOperand{made_.operands[index], Type::none, space, 0, {}, accessing_lanes});
        const bool known = space == ptx::Space::generic || space == ptx::Space::global ||
                           space == ptx::Space::shared || space == ptx::Space::shared_cta;
        if (!known) return;  // nothing tells where constant memory and other blocks' memory lie
        added.access_bytes = access_bytes;
        if (access_size != nullptr) added.access_size = *access_size;
    }
    void value(std::size_t index, Type type) {
        if (index < made_.operands.size()) values(made_.operands[index], type);
    }
    void values(const Operand& operand, Type type) {
        if (operand.kind == Operand::Kind::vector)
            for (const Operand& element : operand.elements)
                values(element, type);
        else
            list_.push_back({operand, type, ptx::Space::generic});
    }
    // [object, {x, y}]
    void object(std::size_t index, Type type) {
        if (index >= made_.operands.size() || made_.operands[index].reg == ptx::no_index) return;
        Operand handle;
        handle.kind = Operand::Kind::reg;
        handle.reg = made_.operands[index].reg;
        values(handle, Type::u64);
        for (const Operand& coordinates : made_.operands[index].elements)
            values(coordinates, type);
    }
    std::vector<RecordedOperand> take() { return std::move(list_); }

  private:
    const Instruction& made_;
    std::vector<RecordedOperand> list_;
};

void add_matrix(const Instruction& made, OperandList& list) {
    const bool loads = made.op == Op::wmma_load;
    list.address(loads ? 1 : 0, made.space(), 1);  // the place of its first element
    list.value(2, Type::u32);
    if (!loads) list.value(1, made.type());
}

// Rows of 16 bytes, whose addresses the first lanes hold.
void add_rows(const Instruction& made, OperandList& list) {
    const unsigned matrices = made.has(Mod::x4) ? 4 : made.has(Mod::x2) ? 2 : 1;
    list.address(made.op == Op::ldmatrix ? 1 : 0, made.space(), 16, nullptr, 8 * matrices);
    if (made.op == Op::stmatrix) list.value(1, Type::b32);
}

// Behind the number of bytes may stand that of the source, or a predicate that ignores the source.
void add_copy(const Instruction& made, OperandList& list) {
    const bool more = made.operands.size() > (made.has(Mod::l2_cache_hint) ? 4u : 3u);
    const auto width = static_cast<unsigned>(made.operands[2].bits);
    list.address(0, made.space(0), width);
    if (!more) return list.address(1, made.space(1), width);
    list.address(1, made.space(1), 0, &made.operands[3]);
    list.value(3, Type::u32);
}

void add_barrier_object(const Instruction& made, OperandList& list) {
    const std::size_t at = ptx::first_source(made);
    list.address(at, made.space(), object_bytes);
    const bool state = tests_barrier_object(made.op) && !made.has(Mod::parity);
    list.value(at + 1, state ? Type::b64 : Type::u32);
}

}  // namespace

bool records_operands(const Instruction& made) {
    switch (ptx::info(made.op).form) {
        case Form::sample:
        case Form::surface:
        case Form::matrix_rows:
        case Form::fragment:
        case Form::copy:
        case Form::bulk_copy:
        case Form::copy_arrival:
        case Form::mbarrier:
            return true;
        default:
            return false;
    }
}

std::vector<RecordedOperand> recorded_operands(const Instruction& made) {
    OperandList list(made);
    switch (ptx::info(made.op).form) {
        case Form::sample:
            list.object(1, made.type(1));
            break;
        case Form::surface:
            list.object(made.op == Op::suld ? 1 : 0, Type::s32);
            if (made.op == Op::sust) list.value(1, made.type());
            break;
        case Form::matrix_rows:
            add_rows(made, list);
            break;
        case Form::fragment:
            add_matrix(made, list);
            break;
        case Form::copy:
            add_copy(made, list);
            break;
        case Form::bulk_copy:
            list.address(0, made.space(0), 0, &made.operands[2]);
            list.address(1, made.space(1), 0, &made.operands[2]);
            list.value(2, Type::u32);
            if (!made.has(Mod::bulk_group)) list.address(3, ptx::Space::shared, object_bytes);
            break;
        case Form::copy_arrival:
            list.address(0, made.space(), object_bytes);
            break;
        case Form::mbarrier:
            add_barrier_object(made, list);
            break;
        default:
            break;
    }
    return list.take();
}

bool records_result(const Instruction& made) {
    const auto& [text, operands, flags, form] = ptx::info(made.op);
    return form == Form::mbarrier && (flags & ptx::op_flag::writes) != 0 &&
           made.operands[0].kind == Operand::Kind::reg;
}

}  // namespace lanescope::gpu
