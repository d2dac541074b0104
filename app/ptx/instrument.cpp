#include "ptx/instrument.h"

#include <algorithm>
#include <cstdlib>

#include "ptx/parser.h"
#include "ptx/print_hooks.h"
#include "ptx/probe_functions.h"

namespace lanescope::ptx {
namespace {

// The values of trace::RecordKind. The record layout belongs to a higher layer; a test compares the two.
enum Kind : std::uint32_t {
    begin = 1,
    point = 2,
    access = 3,
    data = 4,
    variable = 5,
    lane = 6,
    address = 7,
    end = 8
};

std::string replaced(std::string text, std::string_view name, std::string_view with) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + with.size()))
        text.replace(at, name.size(), with);
    return text;
}

std::string record_function(std::string_view name, std::string_view parameters, std::string_view compute,
                            std::string_view extra, std::string_view value, unsigned more) {
    std::string further;
    if (more > 0)
        further = "\tand.b32 \t%more, %head, 268435455;\n\tor.b32 \t%more, %more, " +
                  std::to_string(std::uint32_t{Kind::data} << 28) + ";\n";
    for (unsigned i = 0; i < more; ++i)
        further += replaced(probe_more, "$VALUE", "%data" + std::to_string(i));
    std::string text = probe_record;
    text = replaced(text, "$NAME", name);
    text = replaced(text, "$PARAMETERS", parameters);
    text = replaced(text, "$COMPUTE", compute);
    text = replaced(text, "$EXTRA", extra);
    text = replaced(text, "$VALUE", value);
    return replaced(text, "$MORE", further);
}

// Devices have clusters since sm_90.
bool has_clusters(const std::string& target) {
    constexpr std::string_view prefix = "sm_";
    return target.starts_with(prefix) && std::atoi(target.c_str() + prefix.size()) >= 90;
}

// The callee of a call of an address; null: another instruction.
const Operand* called_address(const Instruction& made) {
    if (made.op != Op::call) return nullptr;
    const auto found = std::find_if(made.operands.begin(), made.operands.end(), [](const Operand& operand) {
        return operand.kind != Operand::Kind::list;
    });
    return found != made.operands.end() && found->kind == Operand::Kind::reg ? &*found : nullptr;
}

bool calls_addresses(const Module& module) {
    return std::any_of(module.functions.begin(), module.functions.end(), [](const Function& function) {
        return std::any_of(function.instructions.begin(), function.instructions.end(),
                           [](const Instruction& made) { return called_address(made) != nullptr; });
    });
}

std::string all_functions(const GridSlots* grids, Checks checks, bool clusters, bool calls) {
    std::string out = probe_functions;
    if (grids != nullptr)
        out = probe_grids +
              replaced(replaced(out, probe_slot, probe_grid_slot), probe_is_first, probe_is_first_of_grid);
    out += record_function("stamp", "", "\tmov.u32 \t%word, %smid;\n\tmov.u64 \t%stamp, %globaltimer;\n",
                           "%word", "%stamp", 0);
    out += record_function("point", "", "\tactivemask.b32 \t%word;\n\tmov.u64 \t%stamp, %clock64;\n", "%word",
                           "%stamp", 0);
    std::string parameters = ", .reg .b32 %extra, .reg .b64 %value";
    for (unsigned more = 0; more < 4; ++more) {
        out += record_function("record" + std::to_string(more + 1), parameters, "", "%extra", "%value", more);
        parameters += ", .reg .b64 %data" + std::to_string(more);
    }
    if (grids != nullptr) out += replaced(probe_child, "$OFFSET", std::to_string(grids->offset_bytes));
    if (checks == Checks::nothing) return out;
    const std::string check =
        clusters ? replaced(probe_check, probe_is_shared, probe_is_shared_of_cluster) : probe_check;
    return replaced(out, probe_state, probe_checked_state) +
           replaced(check + (calls ? probe_check_call : ""), "$STOP", probe_stop);
}

// Writes the calls into one function's body.
class Inserter {
  public:
    Inserter(const Module& module, const Function& function, const FunctionProbe& probe,
             const GridSlots* grids, Checks checks)
        : module_(module), function_(function), probe_(probe), grids_(grids), checks_(checks) {}

    void enter(std::string& out) const {
        out +=
            "\t.reg .b64 \t%lsthread, %lswho, %lsaddress, %lsvalue<4>;\n\t.reg .b32 \t%lsword;\n"
            "\t.reg .b16 \t%lshalf;\n";
        if (checks_ == Checks::accesses) out += "\t.reg .b32 \t%lsactive;\n";
        if (grids_ != nullptr) enter_grid(out);
        out += "\tcall.uni (%lsthread), lanescope_thread;\n";
        if (function_.kind == Function::Kind::entry) {
            call(out, "stamp", "%lsthread", head(Kind::begin, 0));
            out += "\tcall.uni (%lswho), lanescope_first, (%lsthread);\n";
            if (probe_.workspace) record_workspace(out);
        }
        for (const SymbolProbe& symbol : probe_.symbols)
            record_address(out, "%lswho", symbol.symbol, symbol.space, symbol.number, symbol.of_cluster);
        for (const auto& [local, number] : probe_.locals)
            record_address(out, "%lsthread", function_.variables[local].name, Space::local, number);
    }

    void before(std::string& out, std::uint32_t index) const {
        const InstructionProbe& probe = probe_.instructions[index];
        const Instruction& made = function_.instructions[index];
        if (probe.point) call(out, "point", "%lsthread", head(Kind::point, index));
        const Operand* callee = checks_ == Checks::accesses ? called_address(made) : nullptr;
        if (leaves_kernel(made) || probe.access || probe.source_lane || probe.result ||
            !probe.operands.empty() || !probe.values.empty() || callee != nullptr)
            guard(out, made);
        if (leaves_kernel(made)) {
            call(out, "stamp", who(made), head(Kind::end, index));
        }
        if (probe.source_lane) take_source_lane(out, made);
        if (probe.access) form_address(out, made);
        if (probe.access && checks_ == Checks::accesses && known(made.space()))
            check_access(out, made, index);
        if (checks_ == Checks::accesses) check_operands(out, made, index);
        if (callee != nullptr) check_callee(out, made, *callee, index);
        record_operands(out, made, index);
    }

    void after(std::string& out, std::uint32_t index) const {
        const InstructionProbe& probe = probe_.instructions[index];
        const Instruction& made = function_.instructions[index];
        if (probe.access) record_access(out, made, index);
        if (probe.new_grid) {
            to_wide(out, made.operands[0].reg, "%lsvalue0");
            out += "\tcall.uni lanescope_child, (" + std::string(who(made)) + ", " +
                   head(Kind::access, index) + ", %lsvalue0, %lsthreads);\n";
        }
        if (probe.result) {
            to_wide(out, made.operands[0].reg, "%lsvalue0");
            call(out, "record1", who(made), head(Kind::access, index) + ", 0, %lsvalue0");
        }
        if (probe.source_lane) call(out, "record1", who(made), head(Kind::lane, index) + ", %lsword, 0");
        for (const auto& [reg, number] : probe.values) {
            to_wide(out, reg, "%lsvalue0");
            call(out, "record1", who(made),
                 head(Kind::variable, index) + ", " + std::to_string(number) + ", %lsvalue0");
        }
    }

  private:
    void enter_grid(std::string& out) const {
        out += "\t.reg .b64 \t%lsthreads;\n";
        if (function_.kind != Function::Kind::entry) return;
        out += "\tld.param.u64 \t%lsvalue0, [" + function_.parameters.back().name + "];\n" +
               "\tst.shared.u64 \t[lanescope_grid], %lsvalue0;\n";
    }

    // The threads of a child grid: the product of its extents, which are recorded behind the function.
    void count_threads(std::string& out, const std::vector<RecordedOperand>& operands) const {
        constexpr std::size_t first = 1, end = 7;
        out += "\tmov.u64 \t%lsthreads, 1;\n";
        for (std::size_t i = first; i < end && i < operands.size(); ++i) {
            to_wide(out, operands[i].operand, operands[i].type, "%lsvalue0");
            out += "\tmul.lo.u64 \t%lsthreads, %lsthreads, %lsvalue0;\n";
        }
    }

    std::string head(Kind kind, std::uint32_t index) const {
        return std::to_string(std::uint32_t{kind} << 28 | (probe_.first_pc + index));
    }
    static void call(std::string& out, std::string_view name, std::string_view thread,
                     const std::string& rest) {
        out += "\tcall.uni lanescope_";
        out += name;
        out += ", (";
        out += thread;
        out += ", " + rest + ");\n";
    }
    bool leaves_kernel(const Instruction& made) const {
        return made.op == Op::exit || (made.op == Op::ret && function_.kind == Function::Kind::entry);
    }

    // A thread whose guard is false records nothing.
    void guard(std::string& out, const Instruction& made) const {
        if (made.guard == no_index) return;
        const std::string predicate = function_.registers[made.guard].name;
        out += "\tselp.b64 \t%lswho, ";
        out += made.guard_negated ? "0, %lsthread, " : "%lsthread, 0, ";
        out += predicate + ";\n";
    }
    static const char* who(const Instruction& made) {
        return made.guard == no_index ? "%lsthread" : "%lswho";
    }

    void record_address(std::string& out, std::string_view thread, const std::string& symbol, Space space,
                        std::uint32_t number, bool of_cluster = false) const {
        out += "\tmov.u64 \t%lsaddress, " + symbol + ";\n";
        to_generic(out, space);
        if (of_cluster) out += "\tmapa.u64 \t%lsaddress, %lsaddress, 0;\n";
        call(out, "record1", thread, head(Kind::address, 0) + ", " + std::to_string(number) + ", %lsaddress");
    }

    void record_workspace(std::string& out) const {
        out +=
            "\t{\n\t.reg .b32 \t%lslow, %lshigh;\n\tmov.b32 \t%lslow, %envreg2;\n\tmov.b32 \t%lshigh, "
            "%envreg1;\n"
            "\tmov.b64 \t%lsaddress, {%lslow, %lshigh};\n\t}\n";
        call(out, "record1", "%lswho",
             head(Kind::address, 0) + ", " + std::to_string(probe_.workspace_number) + ", %lsaddress");
    }

    static void to_generic(std::string& out, Space space) {
        const char* name = nullptr;
        if (space == Space::shared || space == Space::shared_cta || space == Space::shared_cluster)
            name = "shared";
        if (space == Space::global) name = "global";
        if (space == Space::local) name = "local";
        if (space == Space::const_) name = "const";
        if (name != nullptr) out += std::string("\tcvta.") + name + ".u64 \t%lsaddress, %lsaddress;\n";
    }

    const Operand& address_of(const Instruction& made) const {
        return *std::find_if(made.operands.begin(), made.operands.end(),
                             [](const Operand& operand) { return operand.kind == Operand::Kind::address; });
    }

    // As many values to a call as its function takes.
    void record_operands(std::string& out, const Instruction& made, std::uint32_t index) const {
        const std::vector<RecordedOperand>& operands = probe_.instructions[index].operands;
        if (probe_.instructions[index].counts_threads) count_threads(out, operands);
        constexpr std::size_t at_once = 4;
        for (std::size_t first = 0; first < operands.size(); first += at_once) {
            const std::size_t count = std::min(at_once, operands.size() - first);
            std::string values = head(Kind::access, index) + ", 0";
            for (std::size_t i = 0; i < count; ++i) {
                const std::string to = "%lsvalue" + std::to_string(i);
                const RecordedOperand& each = operands[first + i];
                if (each.operand.kind == Operand::Kind::address) {
                    form_address(out, each.operand, each.space);
                    out += "\tmov.b64 \t" + to + ", %lsaddress;\n";
                } else {
                    to_wide(out, each.operand, each.type, to);
                }
                values += ", " + to;
            }
            call(out, "record" + std::to_string(count), who(made), values);
        }
    }

    void form_address(std::string& out, const Operand& operand, Space space) const {
        if (operand.reg == no_index) {
            out += "\tmov.u64 \t%lsaddress, " + (operand.name.empty() ? "0" : operand.name) + ";\n";
        } else if (size_bytes(function_.registers[operand.reg].type) == 4) {
            out += "\tmov.b32 \t%lsword, " + function_.registers[operand.reg].name +
                   ";\n\tcvt.u64.u32 \t%lsaddress, %lsword;\n";
        } else {
            out += "\tmov.b64 \t%lsaddress, " + function_.registers[operand.reg].name + ";\n";
        }
        if (operand.offset != 0)
            out += "\tadd.s64 \t%lsaddress, %lsaddress, " + std::to_string(operand.offset) + ";\n";
        to_generic(out, space);
    }

    void form_address(std::string& out, const Instruction& made) const {
        form_address(out, address_of(made), made.space());
        // The result of an atomic operation may overwrite its operands.
        if (made.op != Op::atom && made.op != Op::red) return;
        const std::size_t first = made.op == Op::atom ? 2 : 1;
        for (std::size_t i = first; i < made.operands.size() && i < first + 2; ++i)
            to_wide(out, made.operands[i], made.type(), operand_register(i - first));
    }
    // Nothing tells where constant memory and parameters lie; local memory is the thread's own.
    static bool known(Space space) {
        return space == Space::generic || space == Space::global || space == Space::shared ||
               space == Space::shared_cta;
    }

    // A call of the check of %lsaddress. `active`: a register or a number; where the guard is off, nothing is
    // checked.
    void check(std::string& out, const Instruction& made, std::uint32_t index, std::string_view name,
               std::string active, const std::string& last) const {
        if (made.guard != no_index) {
            out += "\tselp.u32 \t%lsactive, " + (made.guard_negated ? "0, " + active : active + ", 0") +
                   ", " + function_.registers[made.guard].name + ";\n";
            active = "%lsactive";
        }
        out += "\tcall.uni lanescope_" + std::string(name) + ", (" + who(made) + ", " + active + ", " +
               head(Kind::access, index) + ", %lsaddress, " + last + ");\n";
    }

    // After form_address().
    void check_access(std::string& out, const Instruction& made, std::uint32_t index) const {
        check(out, made, index, "check", "1",
              std::to_string(size_bytes(made.type()) * std::max(1u, made.vector_length())));
    }

    // A run of bytes is checked at its first and its last.
    void check_operands(std::string& out, const Instruction& made, std::uint32_t index) const {
        for (const RecordedOperand& each : probe_.instructions[index].operands) {
            if (each.access_size && is_predicate(*each.access_size)) continue;
            if (each.access_size) {
                to_wide(out, *each.access_size, Type::u32, "%lsvalue0");
                form_address(out, each.operand, each.space);
                out += "\tcvt.u32.u64 \t%lsactive, %lsvalue0;\n";
                check(out, made, index, "check", "%lsactive", "1");
                out +=
                    "\tadd.u64 \t%lsaddress, %lsaddress, %lsvalue0;\n\tsub.u64 \t%lsaddress, %lsaddress, 1;\n"
                    "\tcvt.u32.u64 \t%lsactive, %lsvalue0;\n";
                check(out, made, index, "check", "%lsactive", "1");
            } else if (each.access_bytes != 0) {
                form_address(out, each.operand, each.space);
                out += "\tmov.u32 \t%lsword, %laneid;\n\tset.lt.u32.u32 \t%lsactive, %lsword, " +
                       std::to_string(each.accessing_lanes) + ";\n";
                check(out, made, index, "check", "%lsactive", std::to_string(each.access_bytes));
            }
        }
    }

    bool is_predicate(const Operand& operand) const {
        return operand.kind == Operand::Kind::reg && function_.registers[operand.reg].type == Type::pred;
    }

    void check_callee(std::string& out, const Instruction& made, const Operand& callee,
                      std::uint32_t index) const {
        to_wide(out, callee.reg, "%lsaddress");
        out += "\tmov.u32 \t%lsword, 0;\n";
        for (const Function& each : module_.functions)
            if (each.kind != Function::Kind::entry && each.has_body)
                out += "\tmov.u64 \t%lsvalue0, " + each.name +
                       ";\n\tset.eq.u32.u64 \t%lsactive, %lsaddress, %lsvalue0;\n"
                       "\tor.b32 \t%lsword, %lsword, %lsactive;\n";
        check(out, made, index, "check_call", "1", "%lsword");
    }

    static const char* operand_register(std::size_t number) {
        return number == 0 ? "%lsvalue2" : "%lsvalue3";
    }

    void record_access(std::string& out, const Instruction& made, std::uint32_t index) const {
        if (made.op == Op::atom || made.op == Op::red) return record_atomic(out, made, index);
        const Operand& value = made.operands[made.op == Op::st ? 1 : 0];
        const std::vector<Operand> one{value};
        const auto& elements = value.kind == Operand::Kind::vector ? value.elements : one;
        const unsigned size = size_bytes(made.type()), width = size * static_cast<unsigned>(elements.size());
        for (unsigned word = 0; word * 8 < width; ++word) {
            const std::string target = word == 0 ? "%lsvalue0" : "%lsvalue1";
            out += "\tmov.u64 \t" + target + ", 0;\n";
            for (unsigned i = 0; i < elements.size(); ++i) {
                if (i * size / 8 != word || elements[i].kind == Operand::Kind::discard) continue;
                to_wide(out, elements[i], made.type(), "%lsvalue2");
                place(out, target, i * size % 8 * 8, size);
            }
        }
        out += "\tcvt.u32.u64 \t%lsword, %lsvalue0;\n";
        std::string values = head(Kind::access, index) + ", %lsword, %lsaddress";
        if (width > 4) values += ", %lsvalue0";
        if (width > 8) values += ", %lsvalue1";
        call(out, width > 8 ? "record3" : width > 4 ? "record2" : "record1", who(made), values);
    }

    // target |= value2 << shift
    static void place(std::string& out, const std::string& target, unsigned shift, unsigned size) {
        if (size < 8)
            out += "\tand.b64 \t%lsvalue2, %lsvalue2, " + std::to_string((std::uint64_t{1} << size * 8) - 1) +
                   ";\n";
        if (shift != 0) out += "\tshl.b64 \t%lsvalue2, %lsvalue2, " + std::to_string(shift) + ";\n";
        out += "\tor.b64 \t" + target + ", " + target + ", %lsvalue2;\n";
    }

    void record_atomic(std::string& out, const Instruction& made, std::uint32_t index) const {
        const bool has_old = made.op == Op::atom && made.operands[0].kind == Operand::Kind::reg;
        if (has_old)
            to_wide(out, made.operands[0], made.type(), "%lsvalue0");
        else
            out += "\tmov.u64 \t%lsvalue0, 0;\n";
        out += "\tcvt.u32.u64 \t%lsword, %lsvalue0;\n";
        std::string values = head(Kind::access, index) + ", %lsword, %lsaddress";
        unsigned records = 1;
        const auto add = [&](const char* value) {
            values += std::string(", ") + value;
            ++records;
        };
        if (size_bytes(made.type()) > 4) add("%lsvalue0");
        add("%lsvalue2");
        if (made.has(Mod::cas)) add("%lsvalue3");
        call(out, "record" + std::to_string(records), who(made), values);
    }

    // Moves the lanes' numbers in the same way as the values.
    void take_source_lane(std::string& out, const Instruction& made) const {
        Instruction moved = made;
        out += "\tmov.u32 \t%lsword, %laneid;\n";
        std::string text = print(function_, moved);
        const std::size_t to = text.find('\t'), comma = text.find(',', to), from = comma + 1;
        const std::size_t rest = text.find(',', from);
        out += "\t" + text.substr(0, to) + "\t%lsword, %lsword" + text.substr(rest) + "\n";
    }

    void to_wide(std::string& out, const Operand& operand, Type type, std::string_view target) const {
        if (operand.kind == Operand::Kind::reg) return to_wide(out, operand.reg, target);
        std::uint64_t bits = operand.bits;
        if (operand.kind == Operand::Kind::real && operand.real_is_double && size_bytes(type) == 4) {
            double wide = 0;
            __builtin_memcpy(&wide, &bits, sizeof wide);
            const auto narrow = static_cast<float>(wide);
            bits = 0;
            __builtin_memcpy(&bits, &narrow, sizeof narrow);
        }
        if (operand.kind == Operand::Kind::symbol) {
            out += "\tmov.u64 \t" + std::string(target) + ", " + operand.name + ";\n";
            return;
        }
        out += "\tmov.u64 \t" + std::string(target) + ", " + std::to_string(bits) + ";\n";
    }

    void to_wide(std::string& out, std::uint32_t reg, std::string_view target) const {
        const Register& from = function_.registers[reg];
        const std::string to(target);
        if (from.type == Type::pred)
            out += "\tselp.u64 \t" + to + ", 1, 0, " + from.name + ";\n";
        else if (size_bytes(from.type) == 8)
            out += "\tmov.b64 \t" + to + ", " + from.name + ";\n";
        else if (size_bytes(from.type) == 4)
            out += "\tmov.b32 \t%lsword, " + from.name + ";\n\tcvt.u64.u32 \t" + to + ", %lsword;\n";
        else
            out += "\tmov.b16 \t%lshalf, " + from.name + ";\n\tcvt.u64.u16 \t" + to + ", %lshalf;\n";
    }

    const Module& module_;
    const Function& function_;
    const FunctionProbe& probe_;
    const GridSlots* grids_;
    Checks checks_;
};

}  // namespace

namespace {

// The assembler may fuse a product and a sum without a rounding modifier, but it does not fuse debug code.
void forbid_contraction(Function& function) {
    for (Instruction& made : function.instructions) {
        const bool fusible = made.op == Op::add || made.op == Op::sub || made.op == Op::mul;
        const bool real = made.type() == Type::f32 || made.type() == Type::f64;
        const bool rounded = made.has(Mod::rn) || made.has(Mod::rz) || made.has(Mod::rm) || made.has(Mod::rp);
        if (fusible && real && !rounded)
            made.suffixes.insert(made.suffixes.begin(),
                                 {Suffix::Kind::mod, static_cast<std::uint16_t>(Mod::rn)});
    }
}

// The parameter with the number of the grid's first slot, at its offset.
void add_grid_parameter(Function& function, std::uint32_t own_bytes, std::uint32_t offset_bytes) {
    constexpr std::uint32_t size_bytes = 8;
    Variable each;
    each.space = Space::param;
    if (own_bytes < offset_bytes) {
        each.name = function.name + "_lanescope_pad";
        each.type = Type::b8;
        each.alignment = 1;
        each.is_array = true;
        each.extents = {offset_bytes - own_bytes};
        function.parameters.push_back(each);
    }
    each = {};
    each.space = Space::param;
    each.name = function.name + "_lanescope_grid";
    each.type = Type::b64;
    each.alignment = size_bytes;
    function.parameters.push_back(each);
}

}  // namespace

std::string instrument(const Module& module, const std::vector<FunctionProbe>& probes, const GridSlots* grids,
                       Checks checks) {
    Module bare = module;
    if (const std::size_t debug = bare.target.find(", debug"); debug != std::string::npos)
        bare.target.erase(debug, 7);
    const auto has = [&](std::uint32_t function) {
        return function < probes.size() && !probes[function].instructions.empty();
    };
    const auto inserter = [&](std::uint32_t function) {
        return Inserter(bare, bare.functions[function], probes[function], grids, checks);
    };
    for (Function& function : bare.functions) {
        forbid_contraction(function);
        // The names of inlined functions lie in a debug section, and those are dropped.
        for (Row& row : function.rows)
            row = {row.file, row.line, row.column, {}, 0, 0, 0, 0};
    }
    for (std::size_t i = 0; grids != nullptr && i < bare.functions.size(); ++i)
        if (bare.functions[i].kind == Function::Kind::entry && i < grids->parameter_bytes.size())
            add_grid_parameter(bare.functions[i], grids->parameter_bytes[i], grids->offset_bytes);
    PrintHooks hooks;
    const bool calls = checks == Checks::accesses && calls_addresses(bare);
    hooks.prologue = all_functions(grids, checks, has_clusters(bare.target), calls);
    hooks.declares_functions = calls;
    hooks.sections = false;
    hooks.shared_at_module_scope = true;
    hooks.enter = [&](std::string& out, std::uint32_t function) {
        if (has(function)) inserter(function).enter(out);
    };
    hooks.before = [&](std::string& out, std::uint32_t function, std::uint32_t instruction) {
        if (has(function)) inserter(function).before(out, instruction);
    };
    hooks.after = [&](std::string& out, std::uint32_t function, std::uint32_t instruction) {
        if (has(function)) inserter(function).after(out, instruction);
    };
    return print(bare, hooks);
}

}  // namespace lanescope::ptx
