#include "execution/ptx/ptx_file.h"

#include <algorithm>
#include <map>

#include "base/files.h"
#include "execution/ptx/register_variables.h"
#include "ptx/parser.h"

namespace lanescope::execution {

namespace {

namespace fs = std::filesystem;

// How often each file is named by the lines of kernels and functions, and its last line.
struct NamedLines {
    std::size_t rows = 0;
    std::uint32_t last = 0;
};

std::map<std::uint32_t, NamedLines> named_lines(const ptx::Module& module) {
    std::map<std::uint32_t, NamedLines> named;
    const auto count = [&](std::uint32_t file, std::uint32_t line) {
        if (line == 0) return;
        NamedLines& lines = named[file];
        ++lines.rows;
        lines.last = std::max(lines.last, line);
    };
    for (const ptx::Function& function : module.functions)
        for (const ptx::Row& row : function.rows) {
            count(row.file, row.line);
            if (row.inlined_file != 0) count(row.inlined_file, row.inlined_line);
        }
    return named;
}

// The files in the order in which they are the person's: that of the first kernel's first line, then those
// with most lines.
std::vector<std::uint32_t> files_in_order(const ptx::Module& module,
                                          const std::map<std::uint32_t, NamedLines>& named) {
    std::vector<std::uint32_t> order;
    for (const auto& [file, lines] : named)
        order.push_back(file);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return named.at(a).rows > named.at(b).rows; });
    for (const ptx::Function& function : module.functions) {
        if (function.kind != ptx::Function::Kind::entry) continue;
        const auto row = std::find_if(function.rows.begin(), function.rows.end(),
                                      [](const ptx::Row& each) { return each.line != 0; });
        if (row == function.rows.end()) continue;
        const auto found = std::find(order.begin(), order.end(), row->file);
        std::rotate(order.begin(), found, found + 1);
        break;
    }
    return order;
}

// A source that is where the PTX says, or beside the PTX.
std::optional<std::string> read_source(const fs::path& named, const fs::path& file, fs::path& found) {
    std::error_code failed;
    const fs::path folder = fs::absolute(file, failed).parent_path();
    for (const fs::path& path : {named.is_absolute() ? named : folder / named, folder / named.filename()}) {
        if (!fs::is_regular_file(path, failed)) continue;
        Result<std::string> text = read_text_file(path);
        if (!text) continue;
        found = path;
        return std::move(*text);
    }
    return std::nullopt;
}

// Every instruction begins a step at its own line of the PTX.
void use_own_lines(ptx::Module& module, const std::string& file) {
    for (ptx::Function& function : module.functions) {
        std::vector<ptx::Item> items;
        function.rows.clear();
        for (const ptx::Item& item : function.items) {
            if (item.kind == ptx::Item::Kind::row) continue;
            if (item.kind == ptx::Item::Kind::instruction) {
                ptx::Instruction& instruction = function.instructions[item.index];
                instruction.row = static_cast<std::uint32_t>(function.rows.size());
                items.push_back({ptx::Item::Kind::row, instruction.row});
                function.rows.push_back({1, instruction.text_line, 1, {}, 0, 0, 0, 0});
            }
            if (item.kind == ptx::Item::Kind::label)
                function.labels[item.index].item = static_cast<std::uint32_t>(items.size());
            items.push_back(item);
        }
        function.items = std::move(items);
    }
    std::erase_if(module.order,
                  [](const ptx::TopLevel& each) { return each.kind == ptx::TopLevel::Kind::file; });
    module.files = {{1, file, {}}};
    module.order.push_back({ptx::TopLevel::Kind::file, 0});
}

// Sets the file whose lines are steps.
void choose_lines(PtxFile& opened, const std::string& text, const std::string& file) {
    const std::map<std::uint32_t, NamedLines> named = named_lines(opened.module);
    std::string missing;
    for (const std::uint32_t number : files_in_order(opened.module, named)) {
        const ptx::SourceFile* known = opened.module.find_file(number);
        if (known == nullptr) continue;
        fs::path found;
        std::optional<std::string> source = read_source(known->path, file, found);
        const std::string name = fs::path(known->path).filename().string();
        if (!source) {
            if (missing.empty()) missing = known->path + " is not there";
            continue;
        }
        const auto lines = static_cast<std::uint32_t>(std::count(source->begin(), source->end(), '\n')) + 1;
        if (named.at(number).last > lines) {
            if (missing.empty())
                missing = name + " has changed: line " + std::to_string(named.at(number).last) +
                          ", which the PTX names, is not there";
            continue;
        }
        opened.source = std::move(*source);
        for (ptx::SourceFile& each : opened.module.files)
            if (each.number == number) each.path = found.string();
        opened.user_file = found.string();
        return;
    }
    opened.note = "the lines are those of the PTX, because " +
                  (missing.empty() ? "it names no lines of a source" : missing);
    opened.user_file = file;
    opened.source = text;
    use_own_lines(opened.module, file);
}

// Triton uses these for large tiles, but only on the newest targets.
Diagnostics explained(Diagnostics problems) {
    for (Diagnostic& each : problems)
        for (const char* family : {"wgmma", "tcgen05"})
            if (each.message.find(family) != std::string::npos && each.hint.empty())
                each.hint = "the machine does not support " + std::string(family) +
                            "; compile for an older target, such as sm_80";
    return problems;
}

}  // namespace

Result<PtxFile> open_ptx(const std::string& text, const std::string& file) {
    Result<ptx::Module> module = ptx::parse(text, file);
    if (!module) return explained(module.diagnostics());
    const bool kernels = std::any_of(
        module->functions.begin(), module->functions.end(),
        [](const auto& each) { return each.kind == ptx::Function::Kind::entry && each.has_body; });
    if (!kernels)
        return error_at(file, 0, 0, "the file has no kernel", "a kernel begins with .visible .entry NAME(");
    PtxFile opened;
    opened.module = std::move(*module);
    opened.target = opened.module.target.substr(0, opened.module.target.find(','));
    choose_lines(opened, text, file);
    Result<ptx::DebugInfo> debug = ptx::read_debug_info(opened.module, opened.user_file);
    if (!debug) {  // that of another compiler; the code runs without names
        opened.module.sections.clear();
        std::erase_if(opened.module.order,
                      [](const ptx::TopLevel& each) { return each.kind == ptx::TopLevel::Kind::section; });
        debug = ptx::read_debug_info(opened.module, opened.user_file);
        if (!debug) return debug.diagnostics();
    }
    opened.debug = std::move(*debug);
    add_register_variables(opened.module, opened.debug);
    return opened;
}

}  // namespace lanescope::execution
