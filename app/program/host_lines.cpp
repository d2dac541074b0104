#include "program/host_lines.h"

#include <elfutils/libdwfl.h>

#include <cctype>
#include <filesystem>
#include <sstream>

#include "base/cpp_lexer.h"
#include "base/files.h"

namespace lanescope::program {

namespace {

char* no_debug_path = nullptr;  // looks for separate debug information in the usual places

const Dwfl_Callbacks& callbacks() {
    static const Dwfl_Callbacks made = [] {
        Dwfl_Callbacks all{};
        all.find_elf = dwfl_build_id_find_elf;
        all.find_debuginfo = dwfl_standard_find_debuginfo;
        all.section_address = dwfl_offline_section_address;
        all.debuginfo_path = &no_debug_path;
        return all;
    }();
    return made;
}

// nvcc makes a function of the kernel's name; of a kernel with internal linkage, "L" marks it.
bool is_stub(const std::string& function, const std::string& kernel) {
    if (kernel.empty()) return false;
    return function == kernel || function.find("__device_stub__") != std::string::npos ||
           (kernel.starts_with("_Z") && function == "_ZL" + kernel.substr(2));
}

bool is_users(const std::string& file) {
    for (const char* part : {"/include/cuda", "/include/crt/", "/usr/include/", "/usr/lib/", "tmpxft_",
                             "crt/host_runtime.h", "cuda_runtime.h", "/include/c++/", "/include/cccl/"})
        if (file.find(part) != std::string::npos) return false;
    return true;
}

}  // namespace

struct HostLines::Module {
    explicit Module(const std::string& file) {
        session = dwfl_begin(&callbacks());
        if (session == nullptr) return;
        dwfl_report_begin(session);
        loaded = dwfl_report_offline(session, file.c_str(), file.c_str(), -1);
        dwfl_report_end(session, nullptr, nullptr);
        if (loaded != nullptr)
            dwfl_module_info(loaded, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
    }
    ~Module() {
        if (session != nullptr) dwfl_end(session);
    }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    Dwfl* session = nullptr;
    Dwfl_Module* loaded = nullptr;
    Dwarf_Addr start = 0;
};

HostLines::HostLines(nlohmann::ordered_json own_names) : own_names_(std::move(own_names)) {}
HostLines::~HostLines() = default;

HostLines::Module& HostLines::module(const std::string& file) {
    std::unique_ptr<Module>& known = modules_[file];
    if (known == nullptr) known = std::make_unique<Module>(file);
    return *known;
}

HostPlace HostLines::place_of(const std::vector<CallFrame>& frames, const std::string& kernel) {
    for (const CallFrame& frame : frames) {
        // The system's libraries, such as memcpy(), name their own sources where these are not.
        if (frame.file.starts_with("/lib") || frame.file.starts_with("/usr/lib")) continue;
        const Module& known = module(frame.file);
        if (known.loaded == nullptr) continue;
        // An executable at fixed addresses is loaded where its file says.
        const Dwarf_Addr address = known.start + frame.offset;
        Dwfl_Line* line = dwfl_module_getsrc(known.loaded, address);
        if (line == nullptr) continue;
        int number = 0;
        const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
        if (file == nullptr || number == 0 || !is_users(file)) continue;
        const char* function = dwfl_module_addrname(known.loaded, address);
        if (function != nullptr && is_stub(function, kernel)) continue;
        std::string own = file;
        if (own_names_.is_object())
            for (const auto& [plain, name] : own_names_.items())
                if (own.starts_with(plain) && name.is_string())
                    own.replace(0, plain.size(), name.get<std::string>());
        return {own, number, function == nullptr ? "" : function};
    }
    return {};
}

const std::vector<std::string>& HostLines::lines_of(const std::string& file) {
    const auto known = sources_.find(file);
    if (known != sources_.end()) return known->second;
    std::vector<std::string>& made = sources_[file];
    if (const Result<std::string> text = read_text_file(file, 64 << 20)) {
        made = numbered_lines(*text, file);
    }
    return made;
}

std::vector<std::string> numbered_lines(const std::string& text, const std::string& file) {
    constexpr std::size_t most = 10'000'000;
    std::vector<std::string> made;
    std::vector<bool> taken;
    std::size_t number = 1;
    bool own = true;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string hash, name;
        std::size_t next = 0;
        words >> hash;
        if (hash == "#") words >> std::ws, hash += std::isdigit(words.peek()) != 0 ? "line" : "";
        if (hash == "#") words >> name, hash += name;
        if (hash == "#line" && words >> next) {
            name.clear();
            if (std::getline(words >> std::ws, name, '"') && std::getline(words, name, '"'))
                own = std::filesystem::path(name).filename() == std::filesystem::path(file).filename();
            number = next;
            continue;
        }
        if (own && number >= 1 && number <= most) {
            if (made.size() < number) made.resize(number), taken.resize(number);
            made[number - 1] = taken[number - 1] ? "" : line;
            taken[number - 1] = true;
        }
        ++number;
    }
    return made;
}

std::string HostLines::first_argument(const HostPlace& place, std::size_t calls_before) {
    const std::vector<std::string>& lines = lines_of(place.file);
    if (place.line < 1 || static_cast<std::size_t>(place.line) > lines.size()) return {};
    const std::vector<CppToken> tokens = tokenize_cpp(lines[static_cast<std::size_t>(place.line) - 1]);
    std::vector<std::string> names;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is_identifier() || !tokens[i].text.starts_with("cuda") || !tokens[i + 1].is("("))
            continue;
        if (tokens[i].text.find("lloc") == std::string_view::npos) continue;
        // The last name of the first argument, which casts and & may precede: "(void**)&this->d_in".
        std::string name;
        int depth = 0;
        for (std::size_t at = i + 1; at < tokens.size(); ++at) {
            if (tokens[at].is("(")) ++depth;
            if (tokens[at].is(")") && --depth == 0) break;
            if (depth == 1 && tokens[at].is(",")) break;
            if (depth == 1 && tokens[at].is_identifier()) name = tokens[at].text;
            if (depth == 1 && !name.empty() && tokens[at].is("[") && at + 1 < tokens.size())
                name += "[" + std::string(tokens[at + 1].text) + "]";
        }
        if (!name.empty()) names.push_back(name);
    }
    return names.empty() ? std::string() : names[calls_before % names.size()];
}

namespace {

// Whether a statement can begin behind this token; `tokens[i]` is what begins there.
bool begins_statement(const std::vector<CppToken>& tokens, std::size_t i) {
    if (i == 0) return true;
    const CppToken& before = tokens[i - 1];
    for (const char* end : {";", "{", "}", ":", "else", "do"})
        if (before.is(end)) return true;
    if (!before.is(")")) return false;
    int depth = 0;
    for (std::size_t at = i; at-- > 0;) {
        if (tokens[at].is(")")) ++depth;
        if (!tokens[at].is("(") || --depth != 0) continue;
        return at > 0 && (tokens[at - 1].is("if") || tokens[at - 1].is("for") || tokens[at - 1].is("while"));
    }
    return false;
}

bool ends_statement(const std::vector<CppToken>& tokens, std::size_t opening) {
    int depth = 0;
    for (std::size_t at = opening; at < tokens.size(); ++at) {
        if (tokens[at].is("(")) ++depth;
        if (tokens[at].is(")") && --depth == 0) return at + 1 < tokens.size() && tokens[at + 1].is(";");
    }
    return false;
}

}  // namespace

bool HostLines::ignores_result(const HostPlace& place, const std::string& function) {
    const std::vector<std::string>& lines = lines_of(place.file);
    if (place.line < 1 || static_cast<std::size_t>(place.line) > lines.size()) return false;
    // The statement may begin some lines above and end some lines below.
    constexpr std::size_t above = 3, below = 8;
    const auto line = static_cast<std::size_t>(place.line) - 1;
    std::string text;
    for (std::size_t i = line - std::min(line, above); i < std::min(lines.size(), line + below); ++i)
        text += lines[i] + "\n";
    const std::vector<CppToken> tokens = tokenize_cpp(text);
    const bool launch = function.starts_with("cudaLaunchKernel");
    bool ignored = false, used = false;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (launch && tokens[i].is("<<<")) ignored = true;
        if (launch && tokens[i].is("<<") && tokens[i + 1].is("<")) ignored = true;
        const bool called =
            tokens[i].text == function || (function == "cudaHostAlloc" && tokens[i].text == "cudaMallocHost");
        if (!called) continue;
        std::size_t opening = i + 1;
        if (tokens[opening].is("<"))  // template arguments
            while (opening < tokens.size() && !tokens[opening].is("("))
                ++opening;
        if (opening >= tokens.size() || !tokens[opening].is("(")) continue;
        const bool lost = begins_statement(tokens, i) && ends_statement(tokens, opening);
        (lost ? ignored : used) = true;
    }
    return ignored && !used;
}

}  // namespace lanescope::program
