#include "execution/proposal/parameter_facts.h"

#include <algorithm>
#include <map>

#include "execution/ptx/register_variables.h"
#include "ptx/register_use.h"
#include "ptx/used_types.h"

namespace lanescope::execution {

namespace {

using ptx::Op;
using ptx::Operand;
using ptx::Special;
using ptx::Type;

constexpr std::size_t max_words = 64;
constexpr int max_rounds = 16;
constexpr int smallest_tile = 8;  // of a block's elements: fewer are a factor of an index

// What the values of a register were made of.
struct Origin {
    std::uint64_t added = 0;  // words that reach it by moves and sums alone: it may be an address
    std::uint64_t any = 0;    // words that it is computed from
    std::uint8_t blocks = 0, threads = 0, extents = 0;  // axes of %ctaid, %tid, %ntid
    std::uint8_t pure_block = 0;                        // it is the block's index, or a quotient of it
    std::uint8_t pure_extent = 0;                       // it is the block's extent
    bool operator==(const Origin&) const = default;

    void join(const Origin& other) {
        added |= other.added;
        any |= other.any;
        blocks |= other.blocks;
        threads |= other.threads;
        extents |= other.extents;
        pure_block |= other.pure_block;
        pure_extent |= other.pure_extent;
    }
};

// A place in the stack or in the parameters whose address a register holds.
struct Place {
    enum class Kind : std::uint8_t { none, stack, parameter };
    Kind kind = Kind::none;
    std::uint32_t parameter = 0;
    std::int64_t offset = 0;
};

int axis_of(Special special, Special first) {
    const int axis = static_cast<int>(special) - static_cast<int>(first);
    return axis >= 0 && axis < 3 ? axis : -1;
}

class Analysis {
  public:
    Analysis(const ptx::Module& module, const ptx::Function& kernel, const ptx::DebugInfo* debug)
        : module_(module),
          kernel_(kernel),
          debug_(debug),
          origins_(kernel.registers.size()),
          places_(kernel.registers.size()),
          floating_(ptx::floating_registers(kernel)),
          cells_(ptx::accessed_types(module)) {}

    KernelFacts run() {
        find_words();
        read_functions();
        for (int round = 0; round < max_rounds; ++round) {
            changed_ = false;
            for (const ptx::Instruction& each : kernel_.instructions)
                follow(each);
            if (!changed_) break;
        }
        for (const ptx::Instruction& each : kernel_.instructions) {
            note_real(each);
            note_sizes(each);
            note_axes(each);
        }
        note_addresses();
        return std::move(facts_);
    }

  private:
    // --- words ---------------------------------------------------------------------------------------------

    // The place that a memory operand names, if it is in the parameters or the stack.
    Place place_of(const Operand& operand) const {
        if (operand.kind != Operand::Kind::address && operand.kind != Operand::Kind::symbol) return {};
        if (operand.refers.kind == ptx::Reference::Kind::parameter)
            return {Place::Kind::parameter, operand.refers.index, operand.offset};
        if (operand.refers.kind == ptx::Reference::Kind::local) {
            const ptx::Variable& variable = kernel_.variables[operand.refers.index];
            if (variable.space != ptx::Space::local && variable.space != ptx::Space::param) return {};
            return {Place::Kind::stack, 0,
                    operand.offset + (static_cast<std::int64_t>(operand.refers.index) << 32)};
        }
        if (operand.reg == ptx::no_index || operand.kind != Operand::Kind::address) return {};
        Place place = places_[operand.reg];
        place.offset += operand.offset;
        return place;
    }

    // Registers that hold the address of a place; constants are added to it.
    void find_places() {
        for (const ptx::Instruction& each : kernel_.instructions) {
            const std::vector<std::uint32_t> written = ptx::writes(each);
            if (written.size() != 1 || each.operands.size() < 2) continue;
            const Operand& source = each.operands[1];
            Place place = place_of(source);
            if (source.kind == Operand::Kind::reg) place = places_[source.reg];
            if (place.kind == Place::Kind::none) continue;
            const bool sum = each.op == Op::add && each.operands[2].kind == Operand::Kind::integer;
            if (sum) place.offset += static_cast<std::int64_t>(each.operands[2].bits);
            if (sum || each.op == Op::mov || each.op == Op::cvta) places_[written[0]] = place;
        }
    }

    void find_words() {
        find_places();
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> found;  // → bytes
        for (const ptx::Instruction& each : kernel_.instructions) {
            if (each.op != Op::ld) continue;
            const Place place = place_of(each.operands[1]);
            if (place.kind != Place::Kind::parameter) continue;
            const unsigned bytes = ptx::size_bytes(each.type());
            for (unsigned i = 0; i < each.vector_length(); ++i)
                found.try_emplace({place.parameter, static_cast<std::uint64_t>(place.offset) + i * bytes},
                                  bytes);
        }
        for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) {
            const ptx::Variable& parameter = kernel_.parameters[i];
            const auto first = found.lower_bound({i, 0});
            const bool plain = !parameter.is_array && parameter.size_bytes() <= 8;
            if (plain || first == found.end() || first->first.first != i) {
                ParameterWord word;
                word.parameter = i;
                word.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(parameter.size_bytes(), 8));
                word.loaded = first != found.end() && first->first.first == i;
                word.real = ptx::is_float(parameter.type);
                facts_.words.push_back(word);
                continue;
            }
            for (auto at = first; at != found.end() && at->first.first == i; ++at) {
                ParameterWord word;
                word.parameter = i;
                word.offset = at->first.second;
                word.bytes = at->second;
                word.loaded = true;
                facts_.words.push_back(word);
            }
        }
        for (ParameterWord& word : facts_.words) {
            const std::vector<std::string>& attributes = kernel_.parameters[word.parameter].attributes;
            word.address = std::any_of(attributes.begin(), attributes.end(), [](const std::string& text) {
                return text.find(".ptr") != std::string::npos;
            });
        }
    }

    // What the functions of the module, which the kernel may call, read of the launch.
    void read_functions() {
        const auto read = [&](const Operand& operand, std::uint8_t axes) {
            const Origin origin = origin_of(operand);
            called_.blocks |= origin.blocks & axes;
            called_.threads |= origin.threads & axes;
            called_.extents |= origin.extents & axes;
        };
        for (const ptx::Function& function : module_.functions) {
            if (function.kind == ptx::Function::Kind::entry && &function != &kernel_) continue;
            const auto index = static_cast<std::uint32_t>(&function - module_.functions.data());
            const ptx::DebugFunction* known = debug_ != nullptr ? debug_->find_function(index) : nullptr;
            // Compilers write helpers of their own without lines.
            const bool library =
                (has_lines(kernel_) && !has_lines(function)) ||
                (debug_ != nullptr && !debug_->functions.empty() && (known == nullptr || !known->user_code));
            const std::uint8_t axes = library ? 1 : 7;
            for (const ptx::Variable& variable : function.variables)
                facts_.shared = facts_.shared || variable.space == ptx::Space::shared;
            for (const ptx::Instruction& each : function.instructions) {
                const unsigned flags = ptx::info(each.op).flags;
                if ((flags & ptx::op_flag::warp_sync) != 0) facts_.warp_wide = true;
                if ((flags & (ptx::op_flag::barrier | ptx::op_flag::arrives)) != 0)
                    facts_.block_barrier = true;
                if ((flags & ptx::op_flag::atomic) != 0) facts_.atomic = true;
                for (const Operand& operand : each.operands) {
                    note_shared(operand);
                    if (operand.kind != Operand::Kind::special) continue;
                    if (operand.special == Special::laneid) facts_.warp_wide = true;
                    if (!library && axis_of(operand.special, Special::nctaid_x) >= 0)
                        facts_.grid_extent = true;
                    if (&function != &kernel_) read(operand, axes);
                    facts_.grid_barrier = facts_.grid_barrier || operand.special == Special::envreg1 ||
                                          operand.special == Special::envreg2;
                }
            }
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool block = (called_.blocks >> axis & 1) != 0, extent = (called_.extents >> axis & 1) != 0;
            facts_.blocks[axis].used = block;
            facts_.blocks[axis].times_block = block && extent;
            facts_.threads[axis] = (called_.threads >> axis & 1) != 0;
        }
    }

    static std::uint64_t bit(std::size_t word) { return word < max_words ? std::uint64_t{1} << word : 0; }

    std::uint64_t word_at(const Place& place) const {
        for (std::size_t i = 0; i < facts_.words.size(); ++i)
            if (facts_.words[i].parameter == place.parameter &&
                facts_.words[i].offset == static_cast<std::uint64_t>(place.offset))
                return bit(i);
        return 0;
    }

    // --- values --------------------------------------------------------------------------------------------

    Origin origin_of(const Operand& operand) const {
        Origin origin;
        if (operand.kind == Operand::Kind::reg) return origins_[operand.reg];
        if (operand.kind == Operand::Kind::address && operand.reg != ptx::no_index)
            return origins_[operand.reg];
        for (const Operand& element : operand.elements)
            origin.join(origin_of(element));
        if (operand.kind != Operand::Kind::special) return origin;
        if (const int axis = axis_of(operand.special, Special::ctaid_x); axis >= 0)
            origin.blocks = origin.pure_block = static_cast<std::uint8_t>(1 << axis);
        if (const int axis = axis_of(operand.special, Special::tid_x); axis >= 0)
            origin.threads = static_cast<std::uint8_t>(1 << axis);
        if (const int axis = axis_of(operand.special, Special::ntid_x); axis >= 0)
            origin.extents = origin.pure_extent = static_cast<std::uint8_t>(1 << axis);
        return origin;
    }

    void write(std::uint32_t reg, const Origin& origin) {
        const Origin before = origins_[reg];
        origins_[reg].join(origin);
        changed_ = changed_ || origins_[reg] != before;
    }

    void follow(const ptx::Instruction& each) {
        const unsigned flags = ptx::info(each.op).flags;
        if (each.op == Op::ld) return follow_load(each);
        if ((flags & ptx::op_flag::call) != 0) return follow_call(each);
        if ((flags & ptx::op_flag::store) != 0 && each.op == Op::st) {
            const Place place = place_of(each.operands[0]);
            if (place.kind == Place::Kind::stack) store(place, each);
            return;
        }
        if ((flags & ptx::op_flag::load) != 0) return;  // values of memory
        Origin made;
        const std::size_t first = ptx::first_source(each);
        for (std::size_t i = first; i < each.operands.size(); ++i) {
            Origin part = origin_in(each, each.operands[i]);
            if (!keeps_address(each.op, i - first)) part.added = 0;
            if (!keeps_index(each.op, i - first) && !scales(each)) part.pure_block = part.pure_extent = 0;
            made.join(part);
        }
        for (const std::uint32_t reg : ptx::writes(each))
            write(reg, made);
    }

    // An operand's origin. Code of headers, such as the ranks of cooperative groups, reads all axes; of
    // these, only x says something of the kernel.
    Origin origin_in(const ptx::Instruction& each, const Operand& operand) const {
        Origin origin = origin_of(operand);
        if (operand.kind != Operand::Kind::special || own_file(each)) return origin;
        for (std::uint8_t* axes :
             {&origin.blocks, &origin.threads, &origin.extents, &origin.pure_block, &origin.pure_extent})
            *axes &= 1;
        return origin;
    }

    static bool has_lines(const ptx::Function& function) {
        return std::any_of(function.rows.begin(), function.rows.end(),
                           [](const ptx::Row& row) { return row.line != 0; });
    }

    bool own_file(const ptx::Instruction& each) const {
        if (each.row >= kernel_.rows.size()) return true;
        const auto first = std::find_if(kernel_.rows.begin(), kernel_.rows.end(),
                                        [](const ptx::Row& row) { return row.line != 0; });
        return first == kernel_.rows.end() || kernel_.rows[each.row].file == first->file;
    }

    static bool keeps_address(Op op, std::size_t source) {
        switch (op) {
            case Op::mov:
            case Op::cvta:
            case Op::add:
                return true;
            case Op::sub:
                return source == 0;
            case Op::selp:
                return source < 2;
            case Op::mad:
                return source == 2;
            default:
                return false;
        }
    }

    // "2 * blockIdx.x": it is not a tile, but may become one.
    static bool scales(const ptx::Instruction& each) {
        const bool shift = each.op == Op::shl;
        if ((!shift && each.op != Op::mul) || each.operands.size() < 3) return false;
        const Operand& factor = each.operands[2];
        return factor.kind == Operand::Kind::integer && factor.bits < (shift ? 3 : smallest_tile) &&
               !each.has(ptx::Mod::wide);
    }

    static bool keeps_index(Op op, std::size_t source) {
        switch (op) {
            case Op::mov:
            case Op::cvt:
                return true;
            case Op::div:
            case Op::rem:
                return source == 0;
            default:
                return false;
        }
    }

    void follow_load(const ptx::Instruction& each) {
        const Place place = place_of(each.operands[1]);
        if (place.kind == Place::Kind::none) return;
        const unsigned bytes = ptx::size_bytes(each.type());
        Place at = place;
        for (const std::uint32_t reg : ptx::writes(each)) {
            Origin origin;
            if (at.kind == Place::Kind::parameter)
                origin.added = origin.any = word_at(at);
            else
                origin = stack_[at.offset];
            write(reg, origin);
            at.offset += bytes;
        }
    }

    void follow_call(const ptx::Instruction& each) {
        std::vector<const Operand*> lists;
        for (const Operand& operand : each.operands)
            if (operand.kind == Operand::Kind::list) lists.push_back(&operand);
        if (lists.empty() || each.operands.front().kind != Operand::Kind::list) return;
        Origin made = called_;
        for (std::size_t i = 1; i < lists.size(); ++i)
            for (const Operand& argument : lists[i]->elements)
                if (const Place place = place_of(argument); place.kind == Place::Kind::stack)
                    made.join(stack_[place.offset]);
        made.added = 0;
        made.pure_block = made.pure_extent = 0;
        for (const Operand& result : lists.front()->elements)
            if (const Place place = place_of(result); place.kind == Place::Kind::stack) {
                const Origin before = stack_[place.offset];
                stack_[place.offset].join(made);
                changed_ = changed_ || stack_[place.offset] != before;
            }
    }

    void store(const Place& place, const ptx::Instruction& each) {
        Place at = place;
        const Operand& value = each.operands[1];
        const std::vector<Operand> one{value};
        for (const Operand& part : value.elements.empty() ? one : value.elements) {
            Origin& there = stack_[at.offset];
            const Origin before = there;
            there.join(origin_of(part));
            changed_ = changed_ || there != before;
            at.offset += ptx::size_bytes(each.type());
        }
    }

    // --- findings ------------------------------------------------------------------------------------------

    template <class F>
    void for_words(std::uint64_t words, F visit) {
        for (std::size_t i = 0; i < facts_.words.size() && i < max_words; ++i)
            if ((words & bit(i)) != 0) visit(facts_.words[i]);
    }

    void note_real(const ptx::Instruction& each) {
        for (const std::uint32_t reg : ptx::writes(each))
            if (each.op == Op::ld && floating_[reg] != Type::none &&
                place_of(each.operands[1]).kind == Place::Kind::parameter)
                for_words(origins_[reg].added, [](ParameterWord& word) { word.real = true; });
        if (each.op == Op::mma) facts_.half_matrices = facts_.half_matrices || each.type(1) == Type::f16;
    }

    void note_shared(const Operand& operand) {
        if (operand.refers.kind != ptx::Reference::Kind::variable) return;
        const ptx::Variable& variable = module_.variables[operand.refers.index];
        if (variable.space != ptx::Space::shared) return;
        facts_.shared = true;
        if (variable.size_bytes() == 0) facts_.dynamic_shared = true;
    }

    void note_sizes(const ptx::Instruction& each) {
        const bool compares = each.op == Op::setp || each.op == Op::min || each.op == Op::max;
        const bool divides = each.op == Op::div || each.op == Op::rem;
        if (compares && each.operands.size() > 2) {
            const Origin left = origin_of(each.operands[1]), right = origin_of(each.operands[2]);
            // "mode == 7" chooses; "i == n - 1" and "k < n" count.
            const bool equal = each.op == Op::setp && (each.has(ptx::Mod::eq) || each.has(ptx::Mod::ne));
            const auto counts = [&](const Operand& other, const Origin& origin) {
                return equal ? (origin.blocks | origin.threads) != 0 : other.kind != Operand::Kind::integer;
            };
            const std::uint64_t sizes = (counts(each.operands[2], right) ? left.any : 0) |
                                        (counts(each.operands[1], left) ? right.any : 0);
            for_words(sizes, [](ParameterWord& word) { word.size = true; });
            compare_axes(left, right);
            compare_axes(right, left);
        }
        if (divides)
            for_words(origin_of(each.operands[2]).any, [](ParameterWord& word) { word.size = true; });
        if (each.op == Op::mul || each.op == Op::mad)
            for (const std::size_t i : {1u, 2u})
                for_words(origin_of(each.operands[i]).added, [](ParameterWord& word) { word.stride = true; });
    }

    // An index that is compared with a size says how large the grid must be.
    void compare_axes(const Origin& index, const Origin& limit) {
        if (limit.blocks != 0 || limit.threads != 0 || limit.any == 0) return;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if ((index.blocks >> axis & 1) != 0 && facts_.blocks[axis].sizes.empty())
                for (std::size_t i = 0; i < facts_.words.size() && i < max_words; ++i)
                    if ((limit.any & bit(i)) != 0) facts_.blocks[axis].sizes.push_back(i);
    }

    void note_axes(const ptx::Instruction& each) {
        for (std::size_t i = ptx::first_source(each); i < each.operands.size(); ++i) {
            const Origin origin = origin_in(each, each.operands[i]);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                facts_.blocks[axis].used = facts_.blocks[axis].used || (origin.blocks >> axis & 1) != 0;
                facts_.threads[axis] = facts_.threads[axis] || (origin.threads >> axis & 1) != 0;
            }
        }
        if (each.op == Op::div || each.op == Op::rem) {
            const Origin divided = origin_of(each.operands[1]);
            for (std::size_t axis = 0; axis < 3; ++axis)
                if ((divided.pure_block >> axis & 1) != 0) facts_.blocks[axis].divided = true;
        }
        const bool product = each.op == Op::mul || each.op == Op::mad;
        if (!product && each.op != Op::shl) return;
        note_tile(each, each.operands[1], each.operands[2]);
        if (product) note_tile(each, each.operands[2], each.operands[1]);
    }

    void note_tile(const ptx::Instruction& each, const Operand& index, const Operand& factor) {
        const Origin origin = origin_of(index);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if ((origin.pure_block >> axis & 1) == 0) continue;
            AxisFacts& found = facts_.blocks[axis];
            if ((origin_of(factor).pure_extent >> axis & 1) != 0) found.times_block = true;
            if (factor.kind != Operand::Kind::integer || factor.bits > 1u << 20) continue;
            const auto number = static_cast<std::int64_t>(factor.bits);
            // An offset in bytes of an element for each block.
            const bool wide = each.has(ptx::Mod::wide) || ptx::size_bytes(each.type()) == 8;
            if (wide && (each.op == Op::shl ? number <= 4 : number <= 16)) continue;
            const std::int64_t tile =
                each.op == Op::shl ? number < 20 ? std::int64_t{1} << number : 0 : number;
            if (tile >= smallest_tile && (!found.tile || tile < *found.tile)) found.tile = tile;
        }
    }

    // --- addresses -----------------------------------------------------------------------------------------

    // An address is a sum, of which one term is the buffer's. A term is known to be one if it is the only
    // candidate somewhere else.
    void note_addresses() {
        for (int round = 0; round < 2; ++round)
            for (const ptx::Instruction& each : kernel_.instructions) {
                const unsigned flags = ptx::info(each.op).flags;
                if ((flags & ptx::op_flag::access) == 0) continue;
                for (const Operand& operand : each.operands)
                    if (operand.kind == Operand::Kind::address && operand.reg != ptx::no_index &&
                        place_of(operand).kind == Place::Kind::none)
                        note_access(each, origins_[operand.reg].added, round);
            }
    }

    void note_access(const ptx::Instruction& each, std::uint64_t candidates, int round) {
        std::vector<std::size_t> words;
        for (std::size_t i = 0; i < facts_.words.size() && i < max_words; ++i)
            if ((candidates & bit(i)) != 0 && facts_.words[i].bytes == 8) words.push_back(i);
        if (words.empty() || (words.size() > 1 && round == 0)) return;
        const auto known =
            std::find_if(words.begin(), words.end(), [&](std::size_t i) { return facts_.words[i].address; });
        ParameterWord& word = facts_.words[known != words.end() ? *known : words.front()];
        word.address = true;
        word.real = word.size = word.stride = false;
        const unsigned flags = ptx::info(each.op).flags;
        const bool atomic = (flags & ptx::op_flag::atomic) != 0;
        word.updated = word.updated || atomic;
        word.read = word.read || (!atomic && (flags & ptx::op_flag::load) != 0);
        word.written = word.written || (!atomic && (flags & ptx::op_flag::store) != 0);
        word.width_bytes = std::max(word.width_bytes, each.vector_length() * ptx::size_bytes(each.type()));
        const Type type = meaning_of(each);
        if (word.element == Type::none || (!ptx::is_float(word.element) && ptx::is_float(type)))
            word.element = type;
    }

    // "ld.b32" loads a float where the register is used as one. A copy to shared memory moves what the code
    // loads from there.
    Type meaning_of(const ptx::Instruction& each) const {
        const Type type = each.type();
        if (each.op == Op::cp_async) return shared_type();
        std::vector<std::uint32_t> registers = ptx::writes(each);
        if (each.op == Op::st && each.operands.size() > 1) {
            const Operand& value = each.operands[1];
            if (value.kind == Operand::Kind::reg) registers.push_back(value.reg);
            for (const Operand& element : value.elements)
                if (element.kind == Operand::Kind::reg) registers.push_back(element.reg);
        }
        if (ptx::is_float(type)) return type;
        for (const std::uint32_t reg : registers)
            if (floating_[reg] != Type::none) return ptx::part_of(floating_[reg]);
        return type;
    }

    // The type of the cells of all variables in shared memory, if they have one.
    Type shared_type() const {
        Type found = Type::none;
        for (const ptx::Variable& variable : module_.variables) {
            const auto cells = cells_.find(variable.name);
            if (variable.space != ptx::Space::shared || cells == cells_.end()) continue;
            if (found != Type::none && found != cells->second) return Type::none;
            found = cells->second;
        }
        return found;
    }

    const ptx::Module& module_;
    const ptx::Function& kernel_;
    const ptx::DebugInfo* debug_;
    KernelFacts facts_;
    std::vector<Origin> origins_;
    std::vector<Place> places_;
    std::map<std::int64_t, Origin> stack_;
    Origin called_;  // what functions read
    std::vector<Type> floating_;
    std::map<std::string, Type, std::less<>> cells_;  // of shared variables
    bool changed_ = false;
};

}  // namespace

KernelFacts facts_of(const ptx::Module& module, const ptx::Function& kernel, const ptx::DebugInfo* debug) {
    return Analysis(module, kernel, debug).run();
}

}  // namespace lanescope::execution
