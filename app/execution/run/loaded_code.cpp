#include "execution/run/loaded_code.h"

#include "ptx/parser.h"
#include "simt/decode/load.h"

namespace lanescope::execution {

void name_buffer_types(TypeTable& types) {
    for (const std::string scalar :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
        for (const char* components : {"", "2", "3", "4"})
            (void)types.named(scalar + components);
}

Result<LoadedCode> load_code(const compile::Output& compiled, const std::string& file,
                             const std::string& source) {
    Result<ptx::Module> module = ptx::parse(compiled.ptx, file + " (PTX)");
    if (!module) return module.diagnostics();
    // Types of function-scope shared arrays are an extra: without them, names and sizes are still known.
    Result<ptx::Module> aliased = compiled.aliased_ptx.empty() ? Result<ptx::Module>(ptx::Module{})
                                                               : ptx::parse(compiled.aliased_ptx, file);
    Result<ptx::DebugInfo> debug = ptx::read_debug_info(
        *module, compiled.user_file, aliased && !compiled.aliased_ptx.empty() ? &*aliased : nullptr);
    if (!debug) return debug.diagnostics();
    name_buffer_types(debug->types);
    LoadedCode made;
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, *debug, compiled.ptx, compiled.user_file, source);
    if (!program) return program.diagnostics();
    made.program = *program;
    made.module = std::make_shared<ptx::Module>(std::move(*module));
    made.debug = std::move(*debug);
    return made;
}

}  // namespace lanescope::execution
