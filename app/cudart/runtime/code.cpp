#include "cudart/runtime/code.h"

#include "base/files.h"
#include "cudart/image/fat_binary.h"
#include "cudart/runtime/images.h"
#include "ptx/link.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"

namespace lanescope::cudart {

namespace {

using nlohmann::ordered_json;

// A function of libcudadevrt, which nvcc links to relocatable code.
constexpr const char* device_runtime_symbol = "cnprtCnpv1TranslateError";

// The file whose lines are steps: that of the kernel's first instruction with a line.
std::string file_of(const ptx::Module& module, const ptx::Function& function) {
    for (const ptx::Row& row : function.rows)
        for (const ptx::SourceFile& file : module.files)
            if (file.number == row.file) return file.path;
    return module.files.empty() ? "" : module.files.front().path;
}

std::string file_of(const ptx::Module& module, const std::string& symbol) {
    for (const ptx::Function& function : module.functions)
        if (function.has_body &&
            (symbol.empty() ? function.kind == ptx::Function::Kind::entry : function.name == symbol))
            return file_of(module, function);
    return "";
}

}  // namespace

Result<void> DeviceCode::parse() {
    if (parts.size() == 1) {
        text = parts.front();
    } else {
        Result<std::string> linked = ptx::link(parts, described);
        if (!linked) return linked.diagnostics();
        text = std::move(*linked);
    }
    Result<ptx::Module> parsed = ptx::parse(text, "the program's PTX");
    if (!parsed) return parsed.diagnostics();
    module = std::move(*parsed);
    if (own_names.is_object())
        for (ptx::SourceFile& file : module.files)
            for (const auto& [plain, own] : own_names.items())
                if (file.path.starts_with(plain) && own.is_string())
                    file.path.replace(0, plain.size(), own.get<std::string>());
    return {};
}

Result<void> DeviceCode::read(const RegisteredModule& registered, unsigned capability, Journal& journal) {
    own_names = journal.request().value("own_names", nlohmann::ordered_json());
    if (const std::string types = journal.request().value("shared_types", ""); !types.empty())
        if (Result<std::string> ptx = read_file(types)) shared_types = std::move(*ptx);
    for (const void* fat_binary : registered.fat_binaries) {
        const Result<std::vector<PtxImage>> images = ptx_images(fat_binary);
        if (!images) return images.diagnostics();
        const PtxImage* image = best_image(*images, capability);
        if (image == nullptr)
            return error("the program has device code without PTX", "build it with `lanescope build -- …`");
        // Launches by kernels are the machine's own work.
        if (image->text.find(device_runtime_symbol) != std::string::npos) continue;
        if (!image->debug)
            journal.warn("device code was built without -G: variables and some lines cannot be shown");
        parts.push_back(image->text);
    }
    return parse();
}

Result<void> DeviceCode::describe(const std::string& wanted) {
    const std::string file = wanted.empty() ? file_of(module, "") : wanted;
    Result<ptx::Module> aliased = ptx::parse(shared_types, "types of shared variables");
    const bool typed = !shared_types.empty() && aliased;
    Result<ptx::DebugInfo> found = ptx::read_debug_info(module, file, typed ? &*aliased : nullptr);
    if (!found) return found.diagnostics();
    for (const char* const name : element_names)  // arrays may have elements that the code does not name
        found->types.named(name);
    const Result<std::string> source = read_text_file(file);
    Result<std::shared_ptr<const simt::Program>> decoded =
        simt::load(module, *found, text, file, source ? *source : std::string(), placement);
    if (!decoded) return decoded.diagnostics();
    debug = std::move(*found);
    program = std::move(*decoded);
    return {};
}

bool DeviceCode::show_file_of(const std::string& kernel) {
    for (std::size_t part = 0; part < parts.size() && parts.size() > 1; ++part) {
        if (parts[part].find(".entry " + kernel + "(") == std::string::npos) continue;
        if (part == described) break;
        described = part;
        if (!parse()) return false;  // what was parsed once is parsed again
        break;
    }
    const std::string file = file_of(module, kernel);
    return file != program->description.source.path && describe(file);
}

const ptx::DebugVariable* DeviceCode::parameter(const simt::Kernel& kernel, std::size_t index) const {
    const ptx::DebugFunction* function = debug.find_function(kernel.function);
    if (function == nullptr) return nullptr;
    for (const ptx::DebugVariable& variable : function->variables)
        if (variable.parameter && variable.symbol == kernel.info.parameters[index].name) return &variable;
    return nullptr;
}

trace::Program DeviceCode::with_arguments(const simt::LaunchRequest& request) const {
    trace::Program made = program->description;
    const simt::Kernel& kernel = *program->find_kernel(request.kernel);
    trace::Function& function = made.functions[kernel.function];
    std::vector<trace::Variable> parameters;
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const ptx::DebugVariable* known = parameter(kernel, i);
        if (known == nullptr) continue;
        trace::Variable variable;
        variable.name = known->name;
        variable.type = known->type;
        variable.line = known->line;
        variable.parameter = true;
        variable.home = trace::Variable::Home::value;
        variable.value = request.arguments[i];
        variable.scope_begin_pc = function.first_pc;
        variable.scope_end_pc = function.end_pc;
        parameters.push_back(std::move(variable));
    }
    function.variables.insert(function.variables.begin(), parameters.begin(), parameters.end());
    return made;
}

bool is_wanted(const ordered_json& request, const std::string& kernel, std::uint64_t number,
               std::uint64_t of_kernel) {
    if (!request.contains("record")) return false;
    const std::string plain = kernel.substr(0, kernel.find('<'));
    for (const ordered_json& wanted : request["record"]) {
        if (!wanted.is_string()) continue;
        const std::string text = wanted;
        const std::size_t colon = text.rfind(':');
        const bool numbered = colon != text.npos && colon > 0 && text[colon - 1] != ':' &&
                              text.find_first_not_of("0123456789", colon + 1) == text.npos;
        const std::string name = numbered ? text.substr(0, colon) : text;
        if (text == "all" || text == std::to_string(number)) return true;
        if ((name == kernel || name == plain) &&
            (!numbered || text.substr(colon + 1) == std::to_string(of_kernel)))
            return true;
    }
    return false;
}

}  // namespace lanescope::cudart
