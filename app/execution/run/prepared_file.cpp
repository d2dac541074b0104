#include "execution/run/prepared_file.h"

#include "base/file_kind.h"
#include "execution/run/launch_arguments.h"
#include "execution/run/loaded_code.h"
#include "execution/run/proposed_launch.h"
#include "execution/run/ptx_program.h"
#include "lesson/course/registry.h"

namespace lanescope::execution {

namespace {

using Clock = std::chrono::steady_clock;

void take_code(LoadedCode code, Prepared& prepared) {
    prepared.result.lines_file = std::move(code.lines_file);
    prepared.result.lines_text = std::move(code.lines_text);
    prepared.compiled = {std::move(code.module), std::move(code.program), std::move(code.debug.types)};
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

// The values that a person sets are not guessed.
void state_values(lesson::ProposalFacts& facts, const lesson::ParameterValues& values) {
    for (const auto& [name, value] : values)
        if (std::erase(facts.guessed, "value " + name) > 0) facts.stated.push_back("value " + name);
}

// A PTX file is compiled already.
Result<Prepared> prepare_ptx(const RunRequest& request) {
    Prepared prepared;
    RunResult& result = prepared.result = begun(request);
    const Clock::time_point start = Clock::now();
    Result<PtxProgram> ptx = load_ptx(request.source, request.file);
    if (!ptx) return ptx.diagnostics();
    Result<Proposal> made =
        request.front ? Result<Proposal>(Proposal{*request.front, {}})
                      : ptx_front_matter(*ptx, request.source, request.file,
                                         {request.flags, request.kernel, request.launch}, result.proposed);
    if (!made) return made.diagnostics();
    prepared.guesses = std::move(made->guesses);
    state_values(made->front.proposal, request.parameters);
    const lesson::FrontMatter& front = made->front;
    Result<lesson::Instance> instance =
        lesson::instantiate(front, request.parameters, front_file(request, front));
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
    const Clock::time_point start = Clock::now();
    const Opening opening{request.flags, request.kernel, request.launch};
    const std::string newest =
        request.device != nullptr ? request.device->newest_target() : compile::newest_target;
    std::optional<ProposedLaunch> made;
    Result<lesson::FrontMatter> front = request.front
                                            ? Result<lesson::FrontMatter>(*request.front)
                                            : lesson::parse_front_matter(request.source, request.file);
    if (!front) return front.diagnostics();
    if (!request.front) {
        if (Result<void> fits = check_kernel_choice(*front, request.file, opening); !fits)
            return fits.diagnostics();
        result.proposed = !front->present;
        if (result.proposed) {
            Result<ProposedLaunch> launch = propose_for_source(request.source, request.file, opening, newest);
            if (!launch) return launch.diagnostics();
            made = std::move(*launch);
            prepared.guesses = std::move(made->proposal.guesses);
            front = std::move(made->proposal.front);
            state_values(front->proposal, request.parameters);
        }
    }
    lesson::add_lesson_drawing(*front, request.file);
    Result<lesson::Instance> instance =
        lesson::instantiate(*front, request.parameters, front_file(request, *front));
    if (!instance) return instance.diagnostics();
    result.instance = std::move(*instance);
    if (made && request.code == compile::Code::debug) {
        result.compiled = std::move(made->compiled);
        take_code(std::move(made->code), prepared);
        result.compile_ms = milliseconds_since(start);
        return prepared;
    }
    compile::Options options;
    options.code = request.code;
    Result<compile::Flags> flags =
        flags_of(result.instance.front, front_file(request, result.instance.front), request.flags);
    if (!flags) return flags.diagnostics();
    options.flags = std::move(*flags);
    options.newest = newest;
    if (result.proposed && request.flags.arch.empty()) options.flags.arch = options.newest;
    options.instantiations = lesson::template_kernels(result.instance.front);
    Result<compile::Output> compiled = compile::compile(request.source, request.file, options);
    if (!compiled) return compiled.diagnostics();
    result.compiled = std::move(*compiled);
    const std::vector<lesson::LaunchSpec>& launches = result.instance.front.launches;
    Result<LoadedCode> code = load_code(result.compiled, request.file, request.source,
                                        launches.empty() ? std::string() : launches.front().kernel);
    if (!code) return code.diagnostics();
    take_code(std::move(*code), prepared);
    result.compile_ms = milliseconds_since(start);
    return prepared;
}

}  // namespace lanescope::execution
