// Prints the coverage table: every opcode of opcodes.def with the number of its forms that are tested
// against a GPU.
//   parity_coverage FOLDER      prints the table; FOLDER holds forms.txt
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "form.h"
#include "simt/inspect/fidelity.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

constexpr std::size_t most_width = 138;  // of a line

const std::vector<std::string>& opcodes() {
    static const std::vector<std::string> all = {
#define LANESCOPE_OP(name, text, ...) text,
#include "ptx/opcodes.def"
    };
    return all;
}

// Returns the longest opcode that the word begins with: "cp.async.wait_all" is not cp.async.
std::string opcode_of(const std::string& word) {
    std::string best;
    for (const std::string& opcode : opcodes())
        if ((word == opcode || word.starts_with(opcode + ".")) && opcode.size() > best.size()) best = opcode;
    return best;
}

// Returns the instructions in the code of a form.
std::set<std::string> instructions_of(const Form& form) {
    std::set<std::string> found;
    const std::size_t bar = form.code.find(" | ");
    std::string text = bar == std::string::npos ? form.code : form.code.substr(bar + 3);
    std::replace(text.begin(), text.end(), ';', ' ');
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (std::islower(static_cast<unsigned char>(word[0])) && !opcode_of(word).empty()) found.insert(word);
    return found;
}

std::string row_of(const std::string& opcode, std::size_t forms, std::size_t approximate) {
    return "| `" + opcode + "` | " + std::to_string(forms) + " | " +
           (approximate == forms ? "" : "bit for bit; " + std::to_string(approximate) + " ") +
           "within the stated bound |\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "parity_coverage FOLDER\n");
        return 2;
    }
    const std::string folder = argv[1];
    auto forms = read_forms(folder + "/forms.txt");
    if (!forms.ok()) {
        std::fprintf(stderr, "%s\n", to_text(forms.diagnostics()).c_str());
        return 2;
    }
    std::map<std::string, std::string> unrecorded;
    for (const simt::InexactInstruction& row : simt::fidelity_table())
        if (row.fidelity.kind == simt::Fidelity::Kind::unrecorded)
            unrecorded[row.instruction] = row.fidelity.why;
    std::map<std::string, std::set<std::string>> by_opcode;
    for (const Form& form : *forms)
        for (const std::string& instruction : instructions_of(form))
            by_opcode[opcode_of(instruction)].insert(instruction);

    std::size_t total = 0, missing = 0;
    for (const auto& [opcode, tested] : by_opcode)
        total += tested.size();
    std::printf(
        "# Instructions and the forms that are tested against a GPU\n\n"
        "`parity_coverage` makes this page. forms.txt lists the %zu forms of %zu opcodes; README.md says how "
        "they are tested.\nThe opcodes without a form, with the reason, are in "
        "app/simt/inspect/fidelity.def.\n\n",
        total, by_opcode.size());
    std::string exact = "Bit for bit, with so many forms:", table;
    std::size_t line = exact.size();
    for (const std::string& opcode : opcodes()) {
        const auto tested = by_opcode.find(opcode);
        if (tested == by_opcode.end()) continue;
        const auto approximate =
            std::count_if(tested->second.begin(), tested->second.end(), [&](const std::string& form) {
                return simt::fidelity_of(form).kind == simt::Fidelity::Kind::approximate;
            });
        if (approximate != 0) {
            table += row_of(opcode, tested->second.size(), static_cast<std::size_t>(approximate));
            continue;
        }
        const std::string entry = "`" + opcode + "` " + std::to_string(tested->second.size()) + ",";
        const bool fits = line + 1 + entry.size() <= most_width;
        exact += (fits ? " " : "\n") + entry;
        line = fits ? line + 1 + entry.size() : entry.size();
    }
    exact.back() = '.';
    std::printf("%s\n\n| opcode | forms | machine and GPU agree |\n|---|---|---|\n%s", exact.c_str(),
                table.c_str());
    for (const std::string& opcode : opcodes())
        if (!by_opcode.contains(opcode) && !unrecorded.contains(opcode)) {
            std::fprintf(stderr, "%s has no form; add one, or a line in fidelity.def\n", opcode.c_str());
            ++missing;
        }
    for (const auto& [opcode, why] : unrecorded)
        if (by_opcode.contains(opcode)) {
            std::fprintf(stderr, "%s has forms; remove its line from fidelity.def\n", opcode.c_str());
            ++missing;
        }
    const simt::ComparedDevice compared = simt::compared_device();
    if (compared.forms != total || compared.opcodes != by_opcode.size()) {
        std::fprintf(stderr, "fidelity.def states other numbers of forms and opcodes\n");
        ++missing;
    }
    return missing == 0 ? 0 : 1;
}
