#include "preview/run/cpu_code.h"

#include "execution/run/launch_arguments.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"

namespace lanescope::preview {

Result<std::shared_ptr<const CpuCode>> compile_for_cpu(const KernelFile& kernel, const Fit& fit) {
    auto code = std::make_shared<CpuCode>();
    compile::Options options;
    options.code = compile::Code::optimized;
    Result<compile::Flags> flags = execution::flags_of(kernel.front, kernel.file, {});
    if (!flags) return flags.diagnostics();
    options.flags = std::move(*flags);
    options.instantiations = lesson::template_kernels(kernel.front);
    Result<compile::Output> compiled = compile::compile(kernel.source, kernel.file, options);
    if (!compiled) return compiled.diagnostics();
    code->compiled = std::move(*compiled);
    const Result<ptx::Module> module = ptx::parse(code->compiled.ptx, kernel.file + " (PTX)");
    if (!module) return module.diagnostics();
    Result<ptx::DebugInfo> debug = ptx::read_debug_info(*module, code->compiled.user_file, nullptr);
    if (!debug) return debug.diagnostics();
    for (const lesson::BufferInstance& buffer : fit.instance.buffers)
        debug->types.named(buffer.type);
    code->types = debug->types;
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, *debug, code->compiled.ptx, code->compiled.user_file, kernel.source);
    if (!program) return program.diagnostics();
    code->program = std::move(*program);
    code->kernels = simt::kernels(*code->program);
    return std::shared_ptr<const CpuCode>(std::move(code));
}

}  // namespace lanescope::preview
