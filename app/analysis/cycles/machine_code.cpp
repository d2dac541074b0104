#include "analysis/cycles/machine_code.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/cycles/list_schedule.h"
#include "analysis/cycles/spinning.h"
#include "analysis/cycles/wide_loads.h"
#include "analysis/operations.h"
#include "analysis/work.h"
#include "ptx/cfg.h"
#include "ptx/module.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {

namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

constexpr std::uint32_t unrolled_instructions = 20;
constexpr std::uint32_t predicated_instructions = 9;  // a branch over at most so many becomes a predicate

bool is_64_bit(Type type) {
    return type == Type::b64 || type == Type::u64 || type == Type::s64 || type == Type::f64;
}
bool is_number(const Operand& operand) {
    return operand.kind == Operand::Kind::integer || operand.kind == Operand::Kind::real;
}

// The sizes of blocks and grids lie in the constant bank.
bool is_constant(ptx::Special special) {
    return (special >= ptx::Special::ntid_x && special <= ptx::Special::ntid_z) ||
           (special >= ptx::Special::nctaid_x && special <= ptx::Special::nctaid_z) ||
           special == ptx::Special::warp_sz;
}

Unit unit_of_move(const Instruction& made) {
    for (std::size_t i = 1; i < made.operands.size(); ++i) {
        if (made.operands[i].kind != Operand::Kind::special) continue;
        return is_constant(made.operands[i].special) ? Unit::constant : Unit::special;
    }
    return Unit::none;
}

Unit unit_of_barrier(const Instruction& made) {
    switch (made.op) {
        case Op::bar_sync:
        case Op::bar_red:
        case Op::barrier_sync:
        case Op::barrier_red:
            return Unit::barrier;
        case Op::bar_arrive:
        case Op::barrier_arrive:
            return Unit::arrive;
        case Op::membar:
        case Op::fence:
            return Unit::fence;
        default:
            return Unit::warp_sync;
    }
}

Unit unit_of(const Instruction& made) {
    const bool wide_float = made.type() == Type::f64;
    if (made.op == Op::cp_async_wait_group || made.op == Op::cp_async_wait_all) return Unit::copy_wait;
    switch (operation_of(made)) {
        case Operation::int_add:
            return is_64_bit(made.type()) ? Unit::alu : Unit::add;
        case Operation::int_multiply:
        case Operation::int_multiply_add:
            return Unit::wide;
        case Operation::int_divide:
            return Unit::int_divide;
        case Operation::float_divide:
            return made.has(Mod::approx) && !wide_float ? Unit::function : Unit::divide;
        case Operation::bits:
            return made.op == Op::popc || made.op == Op::brev || made.op == Op::bfind || made.op == Op::clz
                       ? Unit::function
                       : Unit::alu;
        case Operation::float_add:
        case Operation::float_multiply:
        case Operation::float_multiply_add:
            return wide_float ? Unit::float64 : Unit::fma;
        case Operation::float_function:
            return wide_float || (made.op == Op::sqrt && !made.has(Mod::approx)) ? Unit::divide
                                                                                 : Unit::function;
        case Operation::float_other:
            return wide_float ? Unit::float64 : Unit::alu;
        case Operation::int_other:
        case Operation::compare:
            return Unit::alu;
        case Operation::matrix:
            return Unit::matrix;
        case Operation::convert:
            return ptx::is_float(made.type(0)) || ptx::is_float(made.type(1)) ? Unit::convert : Unit::alu;
        case Operation::move:
            return unit_of_move(made);
        case Operation::parameter:
            return Unit::constant;
        case Operation::load:
        case Operation::store:
        case Operation::atomic:
            return Unit::memory;
        case Operation::exchange:
            return made.op == Op::shfl || made.op == Op::match || made.op == Op::redux ||
                           made.op == Op::movmatrix
                       ? Unit::shuffle
                       : Unit::vote;
        case Operation::barrier:
            return unit_of_barrier(made);
        case Operation::control:
            return Unit::branch;
        case Operation::other:
        case Operation::count:
            break;
    }
    return Unit::other;
}

bool passes_l1_by(const Instruction& made) {
    for (const Mod mod : {Mod::volatile_, Mod::cg, Mod::cv, Mod::relaxed, Mod::acquire})
        if (made.has(mod)) return true;
    return false;
}

}  // namespace

// Fills a MachineCode, one function after the other.
class Lowering {
  public:
    Lowering(const Code& code, MachineCode& to) : code_(code), to_(to) {}

    void run() {
        const auto count = static_cast<std::uint32_t>(code_.program().code_rows.size());
        to_.ops_.resize(count);
        to_.region_of_.resize(count);
        to_.place_of_.resize(count);
        to_.copy_of_.resize(count);
        to_.first_copy_ = count;
        for (std::uint32_t pc = 0; pc < count;) {
            const Function* function = code_.function_at(pc);
            std::uint32_t end = pc;
            while (end < count && code_.function_at(end) == function)
                ++end;
            if (function != nullptr)
                add_function(*function, pc, end);
            else
                add_region(pc, end);
            pc = end;
        }
    }

  private:
    // `pc`s of a function follow each other in the order of its instructions.
    void add_function(const Function& function, std::uint32_t first, std::uint32_t end) {
        first_ = first;
        end_ = end;
        base_ = to_.register_count_;
        to_.register_count_ += static_cast<std::uint32_t>(function.registers.size());
        count_uses(function);
        for (std::uint32_t pc = first; pc < end; ++pc)
            to_.ops_[pc].unit = unit_of(*code_.at(pc));
        find_thread_values(function);
        find_shared_addresses(function);
        predicate(function);
        for (std::uint32_t pc = first; pc < end; ++pc)
            lower(function, pc);
        join(function);
        add_regions(function);
        if (Refusal refusal = refusal_of(code_, first, end); !refusal.reason.empty())
            to_.refusals_.push_back(std::move(refusal));
    }

    void count_uses(const Function& function) {
        uses_.assign(function.registers.size(), 0);
        writers_.assign(function.registers.size(), 0);
        user_.assign(function.registers.size(), ptx::no_index);
        for (std::uint32_t pc = first_; pc < end_; ++pc) {
            for (const std::uint32_t reg : ptx::reads(*code_.at(pc))) {
                ++uses_[reg];
                user_[reg] = pc;
            }
            for (const std::uint32_t reg : ptx::writes(*code_.at(pc)))
                ++writers_[reg];
        }
    }

    // Registers whose value may differ between the threads of a warp.
    void find_thread_values(const Function& function) {
        differs_.assign(function.registers.size(), false);
        for (bool more = true; more;) {
            more = false;
            for (std::uint32_t pc = first_; pc < end_; ++pc) {
                const Instruction& made = *code_.at(pc);
                const Unit unit = to_.ops_[pc].unit;
                bool own = unit == Unit::special || unit == Unit::memory || unit == Unit::shuffle;
                for (const std::uint32_t reg : ptx::reads(made))
                    own = own || differs_[reg];
                if (!own) continue;
                for (const std::uint32_t reg : ptx::writes(made)) {
                    more = more || !differs_[reg];
                    differs_[reg] = true;
                }
            }
        }
    }

    // Registers that only become addresses of shared memory, which has 32 bits in machine code.
    void find_shared_addresses(const Function& function) {
        shared_address_.assign(function.registers.size(), false);
        for (bool more = true; more;) {
            more = false;
            for (std::uint32_t pc = end_; pc-- > first_;) {
                const Instruction& made = *code_.at(pc);
                const bool accesses = to_.ops_[pc].unit == Unit::memory;
                const std::vector<std::uint32_t> written = ptx::writes(made);
                const bool passes = (made.op == Op::add || made.op == Op::mov || made.op == Op::sub) &&
                                    written.size() == 1 && shared_address_[written[0]];
                for (const Operand& operand : made.operands) {
                    if (operand.reg == ptx::no_index || !is_64_bit(function.registers[operand.reg].type))
                        continue;
                    const bool shared =
                        made.space() == ptx::Space::shared || made.space() == ptx::Space::shared_cta;
                    if (!(passes || (accesses && shared && operand.kind == Operand::Kind::address))) continue;
                    more = more || !shared_address_[operand.reg];
                    shared_address_[operand.reg] = true;
                }
            }
        }
    }

    void lower(const Function& function, std::uint32_t pc) {
        const Instruction& made = *code_.at(pc);
        MachineOp& op = to_.ops_[pc];
        op.reads = static_cast<std::uint32_t>(to_.registers_.size());
        std::vector<std::uint32_t> reads = ptx::reads(made);
        // A guarded instruction leaves the old value in place.
        if (const auto guard = guards_.find(pc); guard != guards_.end()) reads.push_back(guard->second);
        if (made.guard != ptx::no_index || guards_.contains(pc))
            for (const std::uint32_t reg : ptx::writes(made))
                reads.push_back(reg);
        for (const std::uint32_t reg : reads)
            to_.registers_.push_back(base_ + reg);
        op.writes = static_cast<std::uint32_t>(to_.registers_.size());
        for (const std::uint32_t reg : ptx::writes(made))
            to_.registers_.push_back(base_ + reg);
        op.end = static_cast<std::uint32_t>(to_.registers_.size());
        op.slots = slots_of(made, op.unit);
        const std::vector<std::uint32_t> written = ptx::writes(made);
        if (op.slots == 2 && op.unit == Unit::alu && written.size() == 1 && shared_address_[written[0]]) {
            op.slots = 1;
            op.unit = made.op == Op::add || made.op == Op::sub ? Unit::add : Unit::alu;
        }
        if (op.unit == Unit::memory) lower_access(made, op);
        if (function.registers.empty()) return;
        if (made.op == Op::not_ && made.type() == Type::pred) op.unit = Unit::none;
        if (made.op == Op::cvt && vanishes(made)) op.unit = Unit::none;
    }

    // A conversion between integers that only widens or narrows a register.
    static bool vanishes(const Instruction& made) {
        return !ptx::is_float(made.type(0)) && !ptx::is_float(made.type(1)) &&
               (made.type(0) == Type::u64 || made.type(1) == Type::u64 || made.type(1) == Type::s64 ||
                made.type(0) == Type::u32);
    }

    static std::uint8_t slots_of(const Instruction& made, Unit unit) {
        const bool wide = is_64_bit(made.type());
        switch (unit) {
            case Unit::alu:
            case Unit::add:
                return wide ? 2 : 1;
            case Unit::wide:
                return wide && !made.has(Mod::wide) ? 4 : made.has(Mod::hi) ? 2 : 1;
            case Unit::function:
                return made.op == Op::rcp || made.op == Op::ex2 || made.op == Op::lg2 || made.op == Op::rsqrt
                           ? 1
                           : 2;
            case Unit::divide:
            case Unit::int_divide:
                return wide ? 4 : 1;  // times DeviceModel::integer_divide or float_divide
            default:
                return 1;
        }
    }

    void lower_access(const Instruction& made, MachineOp& op) {
        op.texture = made.op == Op::tex;
        op.uncached = op.texture || passes_l1_by(made);
        op.asynchronous = made.op == Op::cp_async;
        if (operation_of(made) != Operation::atomic) return;
        op.swap = made.has(Mod::cas);
        op.unused = true;
        for (const std::uint32_t reg : ptx::writes(made))
            op.unused = op.unused && uses_[reg] == 0;
        // The operand may differ only where the hardware reduces it over the warp.
        const bool reduces = !ptx::is_float(made.type()) && !op.swap && !made.has(Mod::exch);
        bool same_address = true;
        for (const Operand& operand : made.operands)
            if (operand.kind == Operand::Kind::address && operand.reg != ptx::no_index)
                same_address = same_address && !differs_[operand.reg];
        op.aggregated = reduces && same_address;
        // Shared memory counts the lanes at an address itself (ATOMS.POPC.INC).
        const Operand& added = made.operands.back();
        op.counts_lanes = op.unused && made.has(Mod::add) && !ptx::is_float(made.type()) &&
                          added.kind == Operand::Kind::integer && added.bits == 1;
    }

    // An instruction whose only use is an operand of another one becomes a part of it.
    void join(const Function& function) {
        for (std::uint32_t pc = first_; pc < end_; ++pc) {
            const Instruction& made = *code_.at(pc);
            if (made.guard != ptx::no_index) continue;
            const std::vector<std::uint32_t> written = ptx::writes(made);
            if (written.size() != 1 || writers_[written[0]] != 1) continue;
            if (made.op == Op::add && only_addresses(written[0], made)) {
                to_.ops_[pc].unit = Unit::none;
                continue;
            }
            if (uses_[written[0]] != 1 || user_[written[0]] <= pc) continue;
            const std::uint32_t user_pc = user_[written[0]];
            const Instruction& user = *code_.at(user_pc);
            if (user.guard == written[0] || joined_.contains(user_pc) || joined_.contains(pc)) continue;
            if (!joins(function, made, user)) continue;
            to_.ops_[pc].unit = Unit::none;
            joined_[user_pc] = true;
            MachineOp& into = to_.ops_[user_pc];
            if (made.op == Op::mul && user.op == Op::add) {
                into.unit = made.type() == Type::f32 ? Unit::fma : Unit::wide;
                into.slots = 1;
            }
        }
        joined_.clear();
    }

    static bool joins(const Function&, const Instruction& made, const Instruction& user) {
        const bool user_adds = user.op == Op::add || user.op == Op::sub;
        const bool predicates = made.type() == Type::pred && user.type() == Type::pred;
        const bool logic =
            made.op == Op::and_ || made.op == Op::or_ || made.op == Op::xor_ || made.op == Op::not_;
        const bool user_logic = user.op == Op::and_ || user.op == Op::or_ || user.op == Op::xor_;
        if (made.op == Op::mul && !ptx::is_float(made.type())) return user.op == Op::add;
        if (made.op == Op::shl)
            return user_adds && !is_number(made.operands[1]) && is_number(made.operands[2]);
        if (made.op == Op::add && !is_64_bit(made.type()) && !ptx::is_float(made.type()))
            return user_adds && !is_64_bit(user.type()) && !ptx::is_float(user.type());
        if (made.op == Op::setp) return user_logic && user.type() == Type::pred;
        return logic && user_logic && (predicates || made.type() != Type::pred);
    }

    // A constant that is added to an address becomes the offset of the accesses.
    bool only_addresses(std::uint32_t reg, const Instruction& made) const {
        if (!is_64_bit(made.type()) || !is_number(made.operands.back()) || uses_[reg] == 0) return false;
        std::uint32_t found = 0;
        for (std::uint32_t pc = first_; pc < end_; ++pc)
            for (const Operand& operand : code_.at(pc)->operands)
                found += operand.kind == Operand::Kind::address && operand.reg == reg ? 1 : 0;
        return found == uses_[reg];
    }

    void predicate(const Function& function) {
        guards_.clear();
        for (std::uint32_t pc = first_; pc < end_; ++pc) {
            const Instruction& made = *code_.at(pc);
            if (made.op != Op::bra || made.operands.empty() || made.operands[0].label == ptx::no_index)
                continue;
            const std::uint32_t target = first_ + function.labels[made.operands[0].label].instruction;
            if (made.guard == ptx::no_index || target <= pc || target > pc + predicated_instructions)
                continue;
            bool simple = true;
            for (std::uint32_t at = pc + 1; at < target && at < end_; ++at) {
                const Unit unit = to_.ops_[at].unit;
                simple = simple && unit != Unit::branch && unit != Unit::barrier && unit != Unit::shuffle &&
                         unit != Unit::divide && unit != Unit::int_divide;
            }
            if (!simple) continue;
            to_.ops_[pc].unit = Unit::none;
            for (std::uint32_t at = pc + 1; at < target && at < end_; ++at)
                guards_[at] = made.guard;
        }
    }

    void add_regions(const Function& function) {
        const ptx::Cfg cfg = ptx::build_cfg(function);
        std::vector<std::uint32_t> starts;
        for (const ptx::Block& block : cfg.blocks)
            starts.push_back(first_ + block.first);
        for (const WideLoad& wide : find_wide_loads(code_, first_, end_, starts))
            join_loads(wide);
        for (std::size_t first = 0; first < cfg.blocks.size();) {
            std::size_t end = first + 1;
            while (end < cfg.blocks.size() && continues(cfg, first, end))
                ++end;
            add_region(first_ + cfg.blocks[first].first, std::min(first_ + cfg.blocks[end - 1].end, end_));
            if (counts(function, first_ + cfg.blocks[first].first, first_ + cfg.blocks[end - 1].end))
                unroll(first_ + cfg.blocks[first].first, first_ + cfg.blocks[end - 1].end);
            first = end;
        }
    }

    // Whether the block `next` belongs to the region that begins at `first`: it is entered from the region
    // alone, and no branch stays between them.
    bool continues(const ptx::Cfg& cfg, std::size_t first, std::size_t next) const {
        const std::uint32_t last = first_ + cfg.blocks[next - 1].end - 1;
        const bool branches =
            (ptx::info(code_.at(last)->op).flags & (ptx::op_flag::branch | ptx::op_flag::ends)) != 0;
        if (branches && to_.ops_[last].unit != Unit::none) return false;
        const auto& before = cfg.blocks[next].predecessors;
        return std::all_of(before.begin(), before.end(),
                           [&](std::uint32_t block) { return block >= first && block < next; });
    }

    // The first load brings the values of the others.
    void join_loads(const WideLoad& wide) {
        MachineOp& leader = to_.ops_[wide.loads[0]];
        leader.joined = static_cast<std::uint8_t>(wide.loads.size());
        for (std::size_t i = 1; i < wide.loads.size(); ++i) {
            MachineOp& op = to_.ops_[wide.loads[i]];
            op.unit = Unit::none;
            const std::uint32_t written = to_.registers_[op.writes];
            op.reads = static_cast<std::uint32_t>(to_.registers_.size());
            to_.registers_.push_back(to_.registers_[leader.writes]);
            op.writes = static_cast<std::uint32_t>(to_.registers_.size());
            to_.registers_.push_back(written);
            op.end = static_cast<std::uint32_t>(to_.registers_.size());
        }
    }

    void add_region(std::uint32_t first, std::uint32_t end) {
        std::vector<std::uint32_t> pcs(end - first);
        std::iota(pcs.begin(), pcs.end(), first);
        const std::vector<std::uint16_t> order = list_schedule(code_, to_, pcs);
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            to_.region_of_[first + order[i]] = first;
            to_.place_of_[first + order[i]] = i;
        }
    }

    // Whether [first, end) is a loop that ptxas 13.0 unrolls: it is short and without atomics, all of it runs
    // each time, and a constant is added to what the test compares.
    bool counts(const Function& function, std::uint32_t first, std::uint32_t end) const {
        const Instruction& last = *code_.at(end - 1);
        if (end - first > unrolled_instructions || last.op != Op::bra || last.guard == ptx::no_index ||
            first_ + function.labels[last.operands[0].label].instruction != first)
            return false;
        for (std::uint32_t pc = first; pc + 1 < end; ++pc) {
            const Unit unit = to_.ops_[pc].unit;
            if (unit == Unit::branch || unit == Unit::barrier || unit == Unit::fence ||
                guards_.contains(pc) || operation_of(*code_.at(pc)) == Operation::atomic)
                return false;
        }
        for (std::uint32_t pc = first; pc + 1 < end; ++pc) {
            const Instruction& test = *code_.at(pc);
            if (test.op != Op::setp || ptx::writes(test)[0] != last.guard) continue;
            for (const std::uint32_t reg : ptx::reads(test))
                for (std::uint32_t at = first; at + 1 < end; ++at)
                    if (is_step(at) && ptx::writes(*code_.at(at))[0] == reg) return true;
        }
        return false;
    }

    // Adds a constant to a register.
    bool is_step(std::uint32_t pc) const {
        const Instruction& made = *code_.at(pc);
        return made.op == Op::add && made.operands[2].kind == Operand::Kind::integer &&
               ptx::reads(made) == ptx::writes(made);
    }

    // Copies have registers of their own, as far as later copies and the code behind the loop do not read
    // them. Only the last one tests, and steps: the others have other offsets instead.
    void unroll(std::uint32_t first, std::uint32_t end) {
        const std::uint32_t length = end - first, begin = to_.size();
        std::map<std::uint32_t, std::uint32_t> names;
        std::vector<std::uint32_t> pcs;
        for (std::uint32_t copy = 0; copy < MachineCode::copies; ++copy)
            for (std::uint32_t pc = first; pc < end; ++pc) {
                const bool is_last = copy + 1 == MachineCode::copies;
                MachineOp op = to_.ops_[pc];
                const Instruction& made = *code_.at(pc);
                const bool tests =
                    pc + 1 == end || (made.op == Op::setp && uses_[ptx::writes(made)[0]] == 1 &&
                                      ptx::writes(made)[0] == code_.at(end - 1)->guard);
                if (!is_last && (tests || is_step(pc))) op.unit = Unit::none;
                const MachineOp old = op;
                op.reads = static_cast<std::uint32_t>(to_.registers_.size());
                for (std::uint32_t i = old.reads; i < old.writes; ++i) {
                    const auto name = names.find(to_.registers_[i]);
                    to_.registers_.push_back(name == names.end() ? to_.registers_[i] : name->second);
                }
                op.writes = static_cast<std::uint32_t>(to_.registers_.size());
                for (std::uint32_t i = old.writes; i < old.end; ++i) {
                    const std::uint32_t reg = to_.registers_[i];
                    names[reg] = is_last ? reg : to_.register_count_++;
                    to_.registers_.push_back(names[reg]);
                }
                op.end = static_cast<std::uint32_t>(to_.registers_.size());
                if (copy == 0) to_.copy_of_[pc] = to_.size();
                pcs.push_back(to_.size());
                to_.ops_.push_back(op);
                to_.origin_of_.push_back(pc);
            }
        to_.copy_length_[first] = length;
        to_.region_of_.resize(to_.size(), begin);
        to_.place_of_.resize(to_.size());
        const std::vector<std::uint16_t> order = list_schedule(code_, to_, pcs);
        for (std::uint32_t i = 0; i < order.size(); ++i)
            to_.place_of_[begin + order[i]] = i;
    }

    const Code& code_;
    MachineCode& to_;
    std::uint32_t first_ = 0, end_ = 0, base_ = 0;  // of the function
    std::vector<std::uint32_t> uses_, writers_, user_;
    std::vector<bool> differs_, shared_address_;
    std::map<std::uint32_t, bool> joined_;
    std::map<std::uint32_t, std::uint32_t>
        guards_;  // the predicate of each instruction behind a short branch
};

MachineCode::MachineCode(const Code& code) {
    Lowering(code, *this).run();
}

}  // namespace lanescope::analysis
