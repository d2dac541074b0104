#include "session/run/prepared_file.h"

#include "base/file_kind.h"
#include "lesson/registry.h"
#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "session/run/launch_arguments.h"
#include "session/run/ptx_program.h"
#include "simt/decode/load.h"

namespace lanescope::session {

namespace {

using Clock = std::chrono::steady_clock;

Result<Compiled> load_program(const RunRequest& request, const lesson::Instance& instance,
                              const compile::Output& compiled) {
    Result<ptx::Module> module = ptx::parse(compiled.ptx, request.file + " (PTX)");
    if (!module) return module.diagnostics();
    // Types of function-scope shared arrays are an extra: without them, names and sizes are still known.
    Result<ptx::Module> aliased = compiled.aliased_ptx.empty()
                                      ? Result<ptx::Module>(ptx::Module{})
                                      : ptx::parse(compiled.aliased_ptx, request.file);
    Result<ptx::DebugInfo> debug = ptx::read_debug_info(
        *module, compiled.user_file, aliased && !compiled.aliased_ptx.empty() ? &*aliased : nullptr);
    if (!debug) return debug.diagnostics();
    // Buffers are described by types of the same table.
    for (const lesson::BufferInstance& buffer : instance.buffers)
        debug->types.named(buffer.type);
    Compiled made;
    made.types = debug->types;
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, *debug, compiled.ptx, compiled.user_file, request.source);
    if (!program) return program.diagnostics();
    made.program = *program;
    made.module = std::make_shared<ptx::Module>(std::move(*module));
    return made;
}

}  // namespace

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The file to which the front matter of the run belongs.
const std::string& front_file(const RunRequest& request, const lesson::FrontMatter& front) {
    if (request.front) return request.front_file;
    return front.file.empty() ? request.file : front.file;
}

namespace {

RunResult begun(const RunRequest& request) {
    RunResult result;
    result.file = request.file;
    result.source = request.source;
    result.code = request.code;
    result.by_thread = request.schedule.kind == simt::Schedule::Kind::threads;
    return result;
}

// A PTX file is compiled already.
Result<Prepared> prepare_ptx(const RunRequest& request) {
    Prepared prepared;
    RunResult& result = prepared.result = begun(request);
    const Clock::time_point start = Clock::now();
    Result<PtxProgram> ptx = load_ptx(request.source, request.file);
    if (!ptx) return ptx.diagnostics();
    Result<lesson::FrontMatter> front =
        request.front ? Result<lesson::FrontMatter>(*request.front)
                      : ptx_front_matter(*ptx, request.source, request.file, {request.flags, request.kernel},
                                         result.proposed);
    if (!front) return front.diagnostics();
    Result<lesson::Instance> instance =
        lesson::instantiate(*front, request.parameters, front_file(request, *front));
    if (!instance) return instance.diagnostics();
    result.instance = std::move(*instance);
    if (!ptx->file.note.empty()) result.instance.front.proposal.notes.push_back(ptx->file.note);
    result.compiled = output_of(*ptx, request.source);
    if (!ptx->file.own_lines()) {
        result.lines_file = ptx->file.user_file;
        result.lines_text = ptx->file.source;
    }
    prepared.compiled.types = ptx->file.debug.types;
    prepared.compiled.program = std::move(ptx->program);
    prepared.compiled.module = std::make_shared<ptx::Module>(std::move(ptx->file.module));
    result.compile_ms = milliseconds_since(start);
    return prepared;
}

}  // namespace

// Does all that comes before the first launch.
Result<Prepared> prepare_file(const RunRequest& request) {
    if (kind_of(request.file) == FileKind::ptx) return prepare_ptx(request);
    Prepared prepared;
    RunResult& result = prepared.result = begun(request);
    Result<lesson::FrontMatter> front =
        request.front
            ? Result<lesson::FrontMatter>(*request.front)
            : front_matter_of(request.source, request.file, {request.flags, request.kernel}, result.proposed);
    if (!front) return front.diagnostics();
    lesson::add_lesson_drawing(*front, request.file);
    Result<lesson::Instance> instance =
        lesson::instantiate(*front, request.parameters, front_file(request, *front));
    if (!instance) return instance.diagnostics();
    result.instance = std::move(*instance);

    const Clock::time_point compile_start = Clock::now();
    compile::Options options;
    options.code = request.code;
    Result<compile::Flags> flags =
        flags_of(result.instance.front, front_file(request, result.instance.front), request.flags);
    if (!flags) return flags.diagnostics();
    options.flags = std::move(*flags);
    if (request.device != nullptr) options.newest = request.device->newest_target();
    if (result.proposed && request.flags.arch.empty()) options.flags.arch = options.newest;
    options.instantiations = lesson::template_kernels(result.instance.front);
    Result<compile::Output> compiled = compile::compile(request.source, request.file, options);
    if (!compiled) return compiled.diagnostics();
    result.compiled = std::move(*compiled);
    Result<Compiled> made = load_program(request, result.instance, result.compiled);
    if (!made) return made.diagnostics();
    prepared.compiled = std::move(*made);
    result.compile_ms = milliseconds_since(compile_start);
    return prepared;
}

}  // namespace lanescope::session
