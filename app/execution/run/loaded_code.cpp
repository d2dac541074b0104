#include "execution/run/loaded_code.h"

#include <algorithm>

#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/inspect/names.h"

namespace lanescope::execution {

void name_buffer_types(TypeTable& types) {
    for (const std::string scalar :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
        for (const char* components : {"", "2", "3", "4"})
            (void)types.named(scalar + components);
}

namespace {

const ptx::Function* kernel_in(const ptx::Module& module, const compile::Output& compiled,
                               const std::string& kernel) {
    if (const auto known = compiled.symbols.find(kernel); known != compiled.symbols.end())
        return module.find_function(known->second);
    for (const ptx::Function& each : module.functions)
        if (each.kind == ptx::Function::Kind::entry && simt::plain_name(each.name) == kernel) return &each;
    return nullptr;
}

// The header that holds the kernel; null: the file itself does.
const compile::HeaderFile* header_of(const ptx::Module& module, const compile::Output& compiled,
                                     const std::string& kernel) {
    const ptx::Function* function = kernel_in(module, compiled, kernel);
    if (function == nullptr) return nullptr;
    for (const ptx::Row& row : function->rows) {
        const auto file = std::find_if(module.files.begin(), module.files.end(),
                                       [&](const ptx::SourceFile& each) { return each.number == row.file; });
        if (file == module.files.end()) continue;
        if (file->path == compiled.user_file) return nullptr;
        for (const compile::HeaderFile& header : compiled.headers)
            if (header.in_ptx == file->path) return &header;
    }
    return nullptr;
}

}  // namespace

Result<LoadedCode> load_code(const compile::Output& compiled, const std::string& file,
                             const std::string& source, const std::string& kernel) {
    Result<ptx::Module> module = ptx::parse(compiled.ptx, file + " (PTX)");
    if (!module) return module.diagnostics();
    // Types of function-scope shared arrays are an extra: without them, names and sizes are still known.
    Result<ptx::Module> aliased = compiled.aliased_ptx.empty() ? Result<ptx::Module>(ptx::Module{})
                                                               : ptx::parse(compiled.aliased_ptx, file);
    const compile::HeaderFile* header = header_of(*module, compiled, kernel);
    const std::string& user_file = header ? header->in_ptx : compiled.user_file;
    Result<ptx::DebugInfo> debug = ptx::read_debug_info(
        *module, user_file, aliased && !compiled.aliased_ptx.empty() ? &*aliased : nullptr);
    if (!debug) return debug.diagnostics();
    name_buffer_types(debug->types);
    LoadedCode made;
    if (header) made.lines_file = header->shown, made.lines_text = header->text;
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, *debug, compiled.ptx, user_file, header ? header->text : source);
    if (!program) return program.diagnostics();
    made.program = *program;
    made.module = std::make_shared<ptx::Module>(std::move(*module));
    made.debug = std::move(*debug);
    return made;
}

}  // namespace lanescope::execution
