#include "simt/inspect/fidelity.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "base/text.h"

namespace lanescope::simt {

namespace {

using Kind = Fidelity::Kind;

std::vector<InexactInstruction> read_table() {
    std::vector<InexactInstruction> rows;
#define LANESCOPE_APPROXIMATE(instruction, ulp, absolute) \
    rows.push_back({instruction, {Kind::approximate, ulp, absolute, ""}, {}});
#define LANESCOPE_UNRECORDED(opcode, why) rows.push_back({opcode, {Kind::unrecorded, 0, 0, why}, {}});
#include "simt/inspect/fidelity.def"
    return rows;
}

bool begins_with_words(std::string_view instruction, std::string_view words) {
    return instruction.starts_with(words) &&
           (instruction.size() == words.size() || instruction[words.size()] == '.');
}

bool is_float_sum(std::string_view instruction) {
    if (!begins_with_words(instruction, "atom") && !begins_with_words(instruction, "red")) return false;
    const std::size_t type = instruction.rfind('.') + 1;
    return instruction.find(".add.") != std::string_view::npos &&
           one_of(instruction.substr(type), {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"});
}

bool reads_own_value(std::string_view line) {
    for (const char* name :
         {"%clock", "%globaltimer", "%smid", "%nsmid", "%warpid", "%nwarpid", "%gridid", "%pm"})
        if (line.find(name) != std::string_view::npos) return true;
    return false;
}

}  // namespace

const char* to_text(Kind kind) {
    constexpr const char* texts[] = {"exact", "approximate", "order", "own", "unrecorded"};
    return texts[static_cast<std::size_t>(kind)];
}

std::string words_of(const Fidelity& fidelity) {
    const std::string there = std::string(" from an ") + compared_device().device + "'s";
    switch (fidelity.kind) {
        case Kind::exact:
            return "";
        case Kind::approximate: {
            char number[32];
            std::snprintf(number, sizeof number, "%.3g", fidelity.absolute);
            if (fidelity.absolute != 0) return "at most " + std::string(number) + there;
            // Only the high half of such a result is computed.
            if (fidelity.ulp == 1ull << 32) return "at most 1 unit of the high half" + there;
            return "at most " + std::to_string(fidelity.ulp) + (fidelity.ulp == 1 ? " unit" : " units") +
                   " of the last place" + there;
        }
        case Kind::order:
        case Kind::own:
        case Kind::unrecorded:
            break;
    }
    return fidelity.why;
}

ComparedDevice compared_device() {
#define LANESCOPE_COMPARED(device, driver, date, forms, opcodes) \
    return {device, driver, date, forms, opcodes};
#include "simt/inspect/fidelity.def"
}

const std::vector<InexactInstruction>& fidelity_table() {
    static const std::vector<InexactInstruction> table = read_table();
    return table;
}

std::string_view instruction_in(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with('@')) {
        const std::size_t blank = line.find_first_of(" \t");
        if (blank == std::string_view::npos) return {};
        line = trimmed(line.substr(blank));
    }
    if (line.empty() || !std::islower(static_cast<unsigned char>(line.front()))) return {};
    return line.substr(0, line.find_first_of(" \t;"));
}

Fidelity fidelity_of(std::string_view line) {
    const std::string_view instruction = instruction_in(line);
    const InexactInstruction* best = nullptr;
    for (const InexactInstruction& row : fidelity_table()) {
        const bool whole = row.fidelity.kind == Kind::approximate;
        if (whole ? instruction == row.instruction : begins_with_words(instruction, row.instruction))
            if (best == nullptr || row.instruction.size() > best->instruction.size()) best = &row;
    }
    if (best != nullptr) return best->fidelity;
    if (is_float_sum(instruction))
        return {Kind::order, 0, 0,
                "the last bits of a sum depend on the order of threads, here and on a GPU"};
    if (reads_own_value(line)) return {Kind::own, 0, 0, "each machine has a value of its own"};
    return {};
}

void InexactInstructions::add(std::string_view ptx_line, std::uint32_t line) {
    Fidelity fidelity = fidelity_of(ptx_line);
    if (fidelity.kind == Kind::exact) return;
    const std::string_view instruction = instruction_in(ptx_line);
    auto known = std::find_if(found_.begin(), found_.end(), [&](const InexactInstruction& each) {
        return each.instruction == instruction && each.fidelity.kind == fidelity.kind;
    });
    if (known == found_.end())
        known = found_.insert(found_.end(), {std::string(instruction), std::move(fidelity), {}});
    if (line == 0) return;
    const auto place = std::lower_bound(known->lines.begin(), known->lines.end(), line);
    if (place == known->lines.end() || *place != line) known->lines.insert(place, line);
}

}  // namespace lanescope::simt
