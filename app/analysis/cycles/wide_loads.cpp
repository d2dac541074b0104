#include "analysis/cycles/wide_loads.h"

#include <algorithm>
#include <map>

#include "analysis/code.h"
#include "ptx/module.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {

namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;

constexpr std::uint64_t most_alignment = 16, word_bytes = 4;

std::uint64_t lowest_bit(std::uint64_t bits) {
    return bits == 0 ? most_alignment : std::min(most_alignment, bits & (~bits + 1));
}

// A power of two that divides each register's value in every thread.
class Alignments {
  public:
    Alignments(const Code& code, std::uint32_t first, std::uint32_t end)
        : of_(code.function_at(first)->registers.size(), most_alignment) {
        for (bool more = true; more;) {
            more = false;
            for (std::uint32_t pc = first; pc < end; ++pc)
                for (const std::uint32_t reg : ptx::writes(*code.at(pc))) {
                    const std::uint64_t now = std::min(of_[reg], result(*code.at(pc)));
                    more = more || now != of_[reg];
                    of_[reg] = now;
                }
        }
    }
    std::uint64_t of(const Operand& operand) const {
        switch (operand.kind) {
            case Operand::Kind::integer:
                return lowest_bit(operand.bits);
            case Operand::Kind::reg:
                return of_[operand.reg];
            case Operand::Kind::symbol:
                return lowest_bit(static_cast<std::uint64_t>(operand.offset));
            case Operand::Kind::address:
                return operand.reg != ptx::no_index ? of_[operand.reg] : most_alignment;
            default:
                return 1;
        }
    }

  private:
    std::uint64_t result(const Instruction& made) const {
        const auto& o = made.operands;
        switch (made.op) {
            case Op::mov:
            case Op::cvta:
            case Op::cvt:
                return of(o[1]);
            case Op::add:
            case Op::sub:
            case Op::or_:
                return std::min(of(o[1]), of(o[2]));
            case Op::and_:
                return std::max(of(o[1]), of(o[2]));
            case Op::mul:
                return made.has(ptx::Mod::hi) ? 1 : std::min(most_alignment, of(o[1]) * of(o[2]));
            case Op::mad:
                return std::min(of(o[1]) * of(o[2]), of(o[3]));
            case Op::shl:
                if (o[2].kind != Operand::Kind::integer) return of(o[1]);
                return std::min(most_alignment, of(o[1]) << std::min<std::uint64_t>(o[2].bits, 4));
            case Op::selp:
                return std::min(of(o[1]), of(o[2]));
            default:
                return 1;
        }
    }
    std::vector<std::uint64_t> of_;
};

bool loads_shared_word(const Instruction& made) {
    return made.op == Op::ld && made.guard == ptx::no_index && made.vector_length() == 1 &&
           (made.space() == ptx::Space::shared || made.space() == ptx::Space::shared_cta) &&
           (made.type() == ptx::Type::u32 || made.type() == ptx::Type::s32 || made.type() == ptx::Type::f32 ||
            made.type() == ptx::Type::b32) &&
           !made.has(ptx::Mod::volatile_) && made.operands[1].kind == Operand::Kind::address;
}

bool ends_run(const Instruction& made) {
    constexpr unsigned flags = ptx::op_flag::store | ptx::op_flag::atomic | ptx::op_flag::barrier |
                               ptx::op_flag::warp_sync | ptx::op_flag::call;
    return (ptx::info(made.op).flags & flags) != 0;
}

struct Place {
    std::int64_t offset = 0;
    std::uint32_t pc = 0;
};

void join(std::vector<Place>& places, std::uint64_t alignment, std::vector<WideLoad>& found) {
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.offset < b.offset; });
    for (std::size_t at = 0; at < places.size();) {
        std::size_t taken = 1;
        for (const std::size_t count : {std::size_t{4}, std::size_t{2}}) {
            const auto bytes = static_cast<std::int64_t>(count * word_bytes);
            if (at + count > places.size() || alignment < count * word_bytes ||
                places[at].offset % bytes != 0 ||
                places[at + count - 1].offset !=
                    places[at].offset + bytes - static_cast<std::int64_t>(word_bytes))
                continue;
            WideLoad made;
            for (std::size_t i = 0; i < count; ++i)
                made.loads.push_back(places[at + i].pc);
            std::sort(made.loads.begin(), made.loads.end());
            found.push_back(std::move(made));
            taken = count;
            break;
        }
        at += taken;
    }
    places.clear();
}

}  // namespace

std::vector<WideLoad> find_wide_loads(const Code& code, std::uint32_t first, std::uint32_t end,
                                      const std::vector<std::uint32_t>& blocks) {
    std::vector<WideLoad> found;
    const Alignments alignments(code, first, end);
    struct Run {
        std::vector<Place> places;
        std::uint64_t alignment = 1;
    };
    std::map<std::pair<std::uint32_t, std::string>, Run> runs;  // by the register or the name of the address
    const auto flush = [&] {
        for (auto& [base, run] : runs)
            join(run.places, run.alignment, found);
        runs.clear();
    };
    for (std::uint32_t pc = first; pc < end; ++pc) {
        const Instruction& made = *code.at(pc);
        if (std::binary_search(blocks.begin(), blocks.end(), pc) || ends_run(made)) flush();
        if (loads_shared_word(made)) {
            const Operand& address = made.operands[1];
            Run& run = runs[{address.reg, address.reg == ptx::no_index ? address.name : std::string()}];
            run.alignment = alignments.of(address);
            const auto same = [&](const Place& each) { return each.offset == address.offset; };
            if (std::none_of(run.places.begin(), run.places.end(), same))
                run.places.push_back({address.offset, pc});
        }
        for (const std::uint32_t reg : ptx::writes(made)) {
            const auto run = runs.find({reg, {}});
            if (run == runs.end()) continue;
            join(run->second.places, run->second.alignment, found);
            runs.erase(run);
        }
    }
    flush();
    return found;
}

}  // namespace lanescope::analysis
