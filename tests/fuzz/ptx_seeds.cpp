// Makes small seeds from large PTX texts, and a libFuzzer dictionary of PTX words. Each seed holds one
// function with a body, the module's variables and the declarations of the other functions.
//   fuzz_ptx_seeds FOLDER DICTIONARY PTX…
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "ptx/parser.h"
#include "ptx_words.h"

namespace {

using namespace lanescope;

constexpr std::size_t max_seed_bytes = 8 << 10;

// Prints the module with the body of one function. Parsing it again orders the remaining items.
std::string only(const ptx::Module& module, std::size_t kept) {
    ptx::Module small = module;
    small.sections.clear();
    std::erase_if(small.order, [](const auto& item) { return item.kind == ptx::TopLevel::Kind::section; });
    for (std::size_t i = 0; i < small.functions.size(); ++i) {
        if (i == kept || !small.functions[i].has_body) continue;
        ptx::Function declaration;
        declaration.kind = small.functions[i].kind;
        declaration.linkage = small.functions[i].linkage;
        declaration.name = small.functions[i].name;
        declaration.results = small.functions[i].results;
        declaration.parameters = small.functions[i].parameters;
        small.functions[i] = std::move(declaration);
    }
    return ptx::print(small);
}

bool write(const std::filesystem::path& path, const std::string& text) {
    return bool(write_file(path, text));
}

bool split(const std::filesystem::path& path, const std::filesystem::path& folder) {
    const auto text = read_file(path);
    if (!text) return false;
    const auto module = ptx::parse(*text);
    if (!module) return false;
    for (std::size_t i = 0; i < module->functions.size(); ++i) {
        if (!module->functions[i].has_body) continue;
        const std::string small = only(*module, i);
        if (small.size() > max_seed_bytes || !ptx::parse(small)) continue;
        if (!write(folder / (path.stem().string() + "_" + std::to_string(i) + ".ptx"), small)) return false;
    }
    return true;
}

std::string dictionary() {
    std::string text;
    for (const std::string& word : fuzz::ptx_words())
        text += "\"" + word + "\"\n";
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    std::filesystem::create_directories(argv[1]);
    if (!write(argv[2], dictionary())) return 1;
    for (int i = 3; i < argc; ++i) {
        if (!split(argv[i], argv[1])) {
            std::fprintf(stderr, "%s gives no seeds\n", argv[i]);
            return 1;
        }
    }
    return 0;
}
