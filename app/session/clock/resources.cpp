#include "session/clock/resources.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/number_text.h"
#include "compile/compiler.h"

namespace lanescope::session {

namespace {

constexpr const char* target = "sm_90";

// The number before `words`: 376 of "376 bytes stack frame". 0: the words are not there.
std::uint64_t number_before(const std::string& line, const std::string& words) {
    const std::size_t at = line.find(words);
    if (at == line.npos) return 0;
    std::size_t begin = at;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
        --begin;
    return std::strtoull(line.c_str() + begin, nullptr, 10);
}

// The first text between two quotes; empty: there is none.
std::string between(const std::string& line, char quote) {
    const std::size_t open = line.find(quote);
    const std::size_t close = open == line.npos ? open : line.find(quote, open + 1);
    return close == line.npos ? std::string() : line.substr(open + 1, close - open - 1);
}

struct Place {  // of an instruction: its section and its address there
    std::string section, address;
    bool operator<(const Place& other) const {
        return std::pair(section, address) < std::pair(other.section, other.address);
    }
};

struct Printed {  // an instruction
    Place place;
    std::string text;        // from its name on
    std::uint32_t line = 0;  // in the user's file; 0: elsewhere
};

std::vector<Printed> instructions_of(const std::string& printed, const std::string& user_file) {
    constexpr std::string_view section_sign = "\t.section\t.text.", file_sign = "//## File ";
    std::vector<Printed> found;
    std::string section;
    std::uint32_t line = 0;
    std::istringstream texts(printed);
    for (std::string text; std::getline(texts, text);) {
        if (text.starts_with(section_sign)) {
            section = text.substr(section_sign.size(), text.find(',') - section_sign.size());
            line = 0;
        } else if (const std::size_t file = text.find(file_sign); file != text.npos) {
            const bool own = between(text, '"') == user_file;
            const std::size_t number = text.find("line ", file);
            line = own && number != text.npos
                       ? static_cast<std::uint32_t>(std::strtoul(text.c_str() + number + 5, nullptr, 10))
                       : 0;
        } else if (const std::size_t open = text.find("/*"); open != text.npos) {
            const std::size_t close = text.find("*/", open);
            const std::size_t name = close == text.npos ? close : text.find_first_not_of(" \t", close + 2);
            if (text.find_first_not_of(" \t") != open || name == text.npos) continue;
            found.push_back({{section, text.substr(open + 2, close - open - 2)}, text.substr(name), line});
        }
    }
    return found;
}

// The registers that are live at each instruction: the first number behind "// |".
std::map<Place, int> live_of(const std::string& printed) {
    std::map<Place, int> found;
    for (const Printed& each : instructions_of(printed, {}))
        if (const std::size_t column = each.text.find("// |"); column != each.text.npos)
            found[each.place] = std::atoi(each.text.c_str() + column + 4);
    return found;
}

// The opcode without a guard: "STL.64" of "@P0 STL.64 [R1+0x8], R2".
std::string opcode_of(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    words >> word;
    if (word.starts_with('@')) words >> word;
    return word;
}

std::uint64_t bytes_of(const std::string& opcode) {
    const auto has = [&](const char* part) { return opcode.find(part) != opcode.npos; };
    return has(".128") ? 16 : has(".64") ? 8 : has("16") ? 2 : has("8") ? 1 : 4;
}

void add_access(LineResources& line, const std::string& opcode, bool spill) {
    const bool store = opcode.starts_with("STL");
    ++(spill ? store ? line.spill_stores : line.spill_loads : store ? line.local_stores : line.local_loads);
    if (spill) (store ? line.spill_store_bytes : line.spill_load_bytes) += bytes_of(opcode);
}

}  // namespace

std::vector<KernelResources> read_assembler_notes(const std::vector<std::string>& notes) {
    std::vector<KernelResources> kernels;
    KernelResources* of = nullptr;
    const auto named = [&](const std::string& symbol) {
        const auto found = std::find_if(kernels.begin(), kernels.end(),
                                        [&](const KernelResources& each) { return each.symbol == symbol; });
        return found == kernels.end() ? nullptr : &*found;
    };
    const auto most = [](std::uint64_t& now, std::uint64_t read) { now = std::max(now, read); };
    for (const std::string& note : notes) {
        if (note.find("Compiling entry function") != note.npos) {
            const std::string symbol = between(note, '\'');
            of = named(symbol);
            if (!of) of = &kernels.emplace_back(KernelResources{symbol, symbol});
        } else if (const std::size_t at = note.find("Function properties for "); at != note.npos) {
            constexpr std::size_t words = 24;
            std::string symbol = note.substr(at + words);
            std::erase_if(symbol, [](char c) { return c == '\'' || c == ':' || c == ' '; });
            of = named(symbol);
        }
        if (!of) continue;
        most(of->stack_bytes, number_before(note, " bytes stack frame"));
        most(of->spill_store_bytes, number_before(note, " bytes spill stores"));
        most(of->spill_load_bytes, number_before(note, " bytes spill loads"));
        // nvJitLink's own line, "used …", adds what the system reserves.
        if (note.find("Used ") != note.npos) most(of->shared_bytes, number_before(note, " bytes smem"));
        most(of->constant_bytes, number_before(note, " bytes cmem[0]"));
        of->registers = std::max(of->registers, static_cast<int>(number_before(note, " registers")));
        of->barriers = std::max(of->barriers, static_cast<int>(number_before(note, " barriers")));
    }
    return kernels;
}

std::vector<LineResources> read_disassembly(const compile::Disassembly& printed, const std::string& user_file,
                                            const std::vector<KernelResources>& kernels) {
    constexpr std::string_view sign = "SpillRefill", beside_stack = "[R1";
    const bool marked = printed.lines.find(sign) != std::string::npos;
    const std::map<Place, int> live = live_of(printed.live);
    const auto kernel_spills = [&](const std::string& symbol) {
        return std::any_of(kernels.begin(), kernels.end(), [&](const KernelResources& each) {
            return each.symbol == symbol && each.spills();
        });
    };
    std::map<std::uint32_t, LineResources> lines;
    for (const Printed& each : instructions_of(printed.lines, user_file)) {
        if (each.line == 0) continue;
        LineResources& line = lines[each.line];
        line.line = each.line;
        ++line.instructions;
        if (const auto found = live.find(each.place); found != live.end())
            line.live_registers = std::max(line.live_registers, found->second);
        const std::string opcode = opcode_of(each.text);
        if (!opcode.starts_with("STL") && !opcode.starts_with("LDL")) continue;
        add_access(line, opcode,
                   marked
                       ? each.text.find(sign) != each.text.npos
                       : kernel_spills(each.place.section) && each.text.find(beside_stack) != each.text.npos);
    }
    std::vector<LineResources> all;
    for (auto& [number, line] : lines)
        all.push_back(line);
    return all;
}

const KernelResources* Resources::of_kernel(const std::string& kernel) const {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelResources& each) {
        return each.kernel == kernel || each.symbol == kernel;
    });
    return found == kernels.end() ? nullptr : &*found;
}

const LineResources* Resources::of_line(std::uint32_t line) const {
    const auto found =
        std::lower_bound(lines.begin(), lines.end(), line,
                         [](const LineResources& each, std::uint32_t number) { return each.line < number; });
    return found == lines.end() || found->line != line ? nullptr : &*found;
}

int Resources::most_live() const {
    int most = 0;
    for (const LineResources& each : lines)
        most = std::max(most, each.live_registers);
    return most;
}

Resources resources_of(const ExaminedCode& code) {
    const auto why = [](const Diagnostic& problem) {
        return problem.message + (problem.hint.empty() ? "" : ": " + problem.hint);
    };
    Resources found;
    found.target = target;
    const Result<compile::MachineCode> made = compile::machine_code(code.ptx, target);
    if (!made) {
        found.absent = found.lines_absent = why(made.diagnostics().front());
        return found;
    }
    found.kernels = read_assembler_notes(made->notes);
    for (const auto& [kernel, symbol] : code.symbols)
        for (KernelResources& each : found.kernels)
            if (each.symbol == symbol) each.kernel = kernel;
    std::sort(found.kernels.begin(), found.kernels.end(),
              [](const KernelResources& x, const KernelResources& y) { return x.kernel < y.kernel; });
    const Result<compile::Disassembly> printed = compile::disassemble(made->cubin);
    if (printed)
        found.lines = read_disassembly(*printed, code.user_file, found.kernels);
    else
        found.lines_absent = why(printed.diagnostics().front());
    return found;
}

std::string kernel_words(const KernelResources& kernel) {
    std::string words = counted(static_cast<std::uint64_t>(kernel.registers), "register") + " a thread";
    words += kernel.spills() ? "; spills " + counted(kernel.spill_store_bytes, "byte") + " of stores and " +
                                   counted(kernel.spill_load_bytes, "byte") + " of loads a thread"
                             : "; spills nothing";
    if (kernel.stack_bytes > 0) words += "; " + counted(kernel.stack_bytes, "byte") + " of stack a thread";
    words += "; " + counted(kernel.shared_bytes, "byte") + " of static shared memory a block";
    if (kernel.barriers > 0) words += "; " + counted(static_cast<std::uint64_t>(kernel.barriers), "barrier");
    return words;
}

std::string line_words(const LineResources& line) {
    std::string words = counted(static_cast<std::uint64_t>(line.live_registers), "live register");
    if (line.spills())
        words += "; spills " + counted(line.spill_stores, "store") + " (" +
                 counted(line.spill_store_bytes, "byte") + ") and " + counted(line.spill_loads, "load") +
                 " (" + counted(line.spill_load_bytes, "byte") + ")";
    if (line.local_stores + line.local_loads > 0)
        words += "; local arrays: " + counted(line.local_stores, "store") + " and " +
                 counted(line.local_loads, "load");
    return words;
}

nlohmann::ordered_json to_json(const Resources& resources) {
    using nlohmann::ordered_json;
    ordered_json out{
        {"target", resources.target}, {"kernels", ordered_json::array()}, {"lines", ordered_json::array()}};
    for (const KernelResources& each : resources.kernels)
        out["kernels"].push_back({{"kernel", each.kernel},
                                  {"registers", each.registers},
                                  {"stack_bytes", each.stack_bytes},
                                  {"spill_store_bytes", each.spill_store_bytes},
                                  {"spill_load_bytes", each.spill_load_bytes},
                                  {"shared_bytes", each.shared_bytes},
                                  {"constant_bytes", each.constant_bytes},
                                  {"barriers", each.barriers}});
    for (const LineResources& each : resources.lines)
        out["lines"].push_back({{"line", each.line},
                                {"live_registers", each.live_registers},
                                {"spill_stores", each.spill_stores},
                                {"spill_loads", each.spill_loads},
                                {"spill_store_bytes", each.spill_store_bytes},
                                {"spill_load_bytes", each.spill_load_bytes},
                                {"local_stores", each.local_stores},
                                {"local_loads", each.local_loads}});
    if (!resources.absent.empty()) out["absent"] = resources.absent;
    if (!resources.lines_absent.empty()) out["lines_absent"] = resources.lines_absent;
    return out;
}

}  // namespace lanescope::session
