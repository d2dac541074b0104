// Prints the coverage table: every opcode of opcodes.def with the number of its forms that are tested
// against a GPU.
//   parity_coverage FOLDER      prints the table; FOLDER holds forms.txt, approximate.txt and unrecorded.txt
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "form.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

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

// Maps the first word of each line to the rest of the line.
std::map<std::string, std::string> read_table(const std::string& path) {
    std::map<std::string, std::string> table;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t space = line.find(' ');
        if (line.empty() || line[0] == '#' || space == std::string::npos) continue;
        table[line.substr(0, space)] = line.substr(space + 1);
    }
    return table;
}

void print_row(const std::string& opcode, std::size_t forms, std::size_t approximate) {
    std::string result = approximate == 0 ? "bit for bit" : "within the stated bound";
    if (approximate != 0 && approximate != forms)
        result = "bit for bit; " + std::to_string(approximate) + " within the stated bound";
    std::printf("| `%s` | %zu | %s |\n", opcode.c_str(), forms, result.c_str());
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
    const auto bounds = read_table(folder + "/approximate.txt"),
               unrecorded = read_table(folder + "/unrecorded.txt");
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
        "they are tested.\n\n| opcode | forms | machine and GPU agree |\n|---|---|---|\n",
        total, by_opcode.size());
    for (const std::string& opcode : opcodes()) {
        const auto tested = by_opcode.find(opcode);
        if (tested == by_opcode.end()) continue;
        const auto approximate =
            std::count_if(tested->second.begin(), tested->second.end(),
                          [&](const std::string& form) { return bounds.contains(form); });
        print_row(opcode, tested->second.size(), static_cast<std::size_t>(approximate));
    }
    std::printf("\n## Without a recording\n\n| opcode | |\n|---|---|\n");
    for (const std::string& opcode : opcodes()) {
        if (by_opcode.contains(opcode)) continue;
        const auto why = unrecorded.find(opcode);
        if (why == unrecorded.end()) {
            std::fprintf(stderr, "%s has no form; add one, or a line in unrecorded.txt\n", opcode.c_str());
            ++missing;
            continue;
        }
        std::printf("| `%s` | %s |\n", opcode.c_str(), why->second.c_str());
    }
    for (const auto& [opcode, why] : unrecorded)
        if (by_opcode.contains(opcode)) {
            std::fprintf(stderr, "%s has forms; remove its line from unrecorded.txt\n", opcode.c_str());
            ++missing;
        }
    return missing == 0 ? 0 : 1;
}
