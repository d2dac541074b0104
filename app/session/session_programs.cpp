// Session: whole programs, whose host code runs, and recordings of their launches.
#include <utility>

#include "session/session.h"

namespace lanescope::session {

namespace fs = std::filesystem;

void Session::set_program(OpenedProgram program, ProgramRequest request) {
    request.file = program.file;
    request.launches.clear();
    host_code_.agree(std::move(request));
    launches_.open(std::move(program));
}

void Session::carry_out(const RunProgram& wanted) {
    ProgramRequest request = host_code_.request();
    request.arguments = wanted.arguments;
    request.check = wanted.check;
    request.launches.clear();
    host_code_.agree(std::move(request));
    if (run() == nullptr) launches_.close();  // nothing of it can be shown
    start_run();
}

void Session::carry_out(const DeclineProgram&) {
    host_code_.decline();
    if (launches_.program() == nullptr) return;
    launches_.close();
    drop_run();
    start_run();
}

void Session::carry_out(const RecordLaunch& wanted) {
    launches_.record(wanted.number);
    take_launches();
}

// The file on disk is what runs: a text that is being edited waits until it is saved.
void Session::run_program() {
    if (document_.edited()) return;
    program_text_ = document_.text();
    if (launches_.program() != nullptr && !launches_.shown() && !host_code_.running() && run() == nullptr &&
        !launches_.program()->trace.empty())
        return;  // it has just run, and its recording is about to be opened
    runner_.cancel();
    runner_.report({});
    host_code_.start();
}

void Session::take_program(OpenedProgram program) {
    const bool recorded = !program.trace.empty();
    launches_.open(std::move(program));
    if (!recorded) drop_run();
}

// The open file stays: it is the program's source, and the recording is its run.
void Session::show_recording(Runner::Finished finished) {
    const std::optional<std::uint64_t> before = launches_.shown();
    launches_.show(*finished.opened);
    execution::RunResult& run = *finished.prepared.result;
    const std::string file = document_.path().string(), kernels = run.trace->program.source.path;
    if (!kernels.empty() && fs::path(kernels).lexically_normal() != document_.path()) {
        run.lines_file = kernels;
        run.lines_text = run.source;
    }
    run.file = file;
    run.source = program_text_;
    explorer_.forget();
    show(std::move(finished.prepared), before != launches_.shown());
    runner_.count();
}

// A recorded launch is opened as any recording.
void Session::take_launches() {
    if (std::optional<Result<OpenedProgram>> ended = host_code_.take()) {
        if (*ended)
            take_program(std::move(**ended));
        else
            runner_.report(ended->diagnostics());
    }
    if (const std::optional<fs::path> trace = launches_.take())
        runner_.open_trace(*trace, playhead_.granularity());
}

}  // namespace lanescope::session
