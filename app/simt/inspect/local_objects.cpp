#include "simt/inspect/local_objects.h"

#include <algorithm>

#include "ptx/register_use.h"
#include "simt/inspect/uninit_flow.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;

namespace {

// What a register holds.
struct Origin {
    enum class Kind : std::uint8_t { unset, frame, object, other };
    Kind kind = Kind::unset;
    std::uint64_t offset = 0;  // of an address in the frame that is known, from the frame's start
    std::uint16_t object = 0;
    bool operator==(const Origin&) const = default;
};
constexpr Origin elsewhere{Origin::Kind::other, 0, 0};

class Follower {
  public:
    Follower(const ptx::Function& function, const std::vector<std::uint64_t>& local_offsets,
             const std::vector<LocalObject>& variables)
        : function_(function),
          local_offsets_(local_offsets),
          variables_(variables),
          origins_(function.registers.size()) {}

    std::vector<std::uint16_t> run() {
        // A register changes at most twice: from unset to its origin, and from there to `elsewhere`.
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction& instruction : function_.instructions)
                changed = follow(instruction) || changed;
        }
        std::vector<std::uint16_t> found;
        found.reserve(function_.instructions.size());
        for (const Instruction& instruction : function_.instructions)
            found.push_back(object_of(instruction));
        return found;
    }

  private:
    bool follow(const Instruction& instruction) {
        bool changed = false;
        for (const std::uint32_t written : ptx::writes(instruction)) {
            Origin& known = origins_[written];
            const Origin made = result_of(instruction);
            if (made.kind == Origin::Kind::unset || made == known || known == elsewhere) continue;
            known = known.kind == Origin::Kind::unset ? made : elsewhere;
            changed = true;
        }
        return changed;
    }

    Origin origin(const Operand& operand) const {
        if (operand.kind == Operand::Kind::reg)
            return operand.reg < origins_.size() ? origins_[operand.reg] : elsewhere;
        if (operand.kind != Operand::Kind::symbol || operand.refers.kind != ptx::Reference::Kind::local)
            return elsewhere;
        const std::uint64_t offset = local_offsets_[operand.refers.index];
        return offset == ~0ull ? elsewhere : Origin{Origin::Kind::frame, offset, 0};
    }

    Origin result_of(const Instruction& instruction) const {
        const auto& operands = instruction.operands;
        switch (instruction.op) {
            case Op::mov:
            case Op::cvta:
                return operands.size() == 2 ? origin(operands[1]) : elsewhere;
            case Op::add:
            case Op::sub:
                return operands.size() == 3 ? sum(instruction) : elsewhere;
            default:
                return elsewhere;
        }
    }

    Origin sum(const Instruction& instruction) const {
        const Operand &left = instruction.operands[1], &right = instruction.operands[2];
        const Origin a = origin(left), b = origin(right);
        if (a.kind == Origin::Kind::unset) return a;
        if (a.kind == Origin::Kind::frame && instruction.op == Op::add &&
            right.kind == Operand::Kind::integer)
            return at(a.offset + right.bits);
        if (a.kind == Origin::Kind::object && b == elsewhere) return a;
        if (b.kind == Origin::Kind::object && a == elsewhere && instruction.op == Op::add) return b;
        return b.kind == Origin::Kind::unset ? b : elsewhere;
    }

    // The variable at an address of the frame; addresses of temporaries have none.
    Origin at(std::uint64_t offset) const {
        for (std::size_t i = 0; i < variables_.size(); ++i)
            if (offset >= variables_[i].begin && offset < variables_[i].end)
                return {Origin::Kind::object, 0, static_cast<std::uint16_t>(i + 1)};
        return elsewhere;
    }

    std::uint16_t object_of(const Instruction& instruction) const {
        const Operand* address = address_operand(instruction);
        if (address == nullptr || address->reg >= origins_.size()) return 0;
        const Origin& origin = origins_[address->reg];
        return origin.kind == Origin::Kind::object ? origin.object : std::uint16_t{0};
    }

    const ptx::Function& function_;
    const std::vector<std::uint64_t>& local_offsets_;
    const std::vector<LocalObject>& variables_;
    std::vector<Origin> origins_;  // of registers
};

}  // namespace

std::vector<std::uint16_t> find_local_objects(const ptx::Function& function,
                                              const std::vector<std::uint64_t>& local_offsets,
                                              const std::vector<LocalObject>& variables) {
    return Follower(function, local_offsets, variables).run();
}

}  // namespace lanescope::simt
