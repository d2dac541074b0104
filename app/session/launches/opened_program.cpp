#include "session/launches/opened_program.h"

#include <algorithm>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "lesson/front_matter.h"
#include "program/build.h"
#include "program/report.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

const program::ProgramLaunch* recorded_launch(const program::ProgramRun& run) {
    const auto found = std::find_if(run.launches.begin(), run.launches.end(),
                                    [](const program::ProgramLaunch& each) { return !each.trace.empty(); });
    return found == run.launches.end() ? nullptr : &*found;
}

// In a folder that goes when the run's trace has been saved.
Result<program::ProgramRun> run_in(const fs::path& folder, const std::vector<std::string>& argv,
                                   std::vector<std::string> record, const Unattended* unattended, bool on_gpu,
                                   bool check = false) {
    program::RunOptions wanted;
    wanted.record = std::move(record);
    wanted.folder = folder;
    wanted.check = check;
    wanted.on_gpu = on_gpu;
    wanted.capture = unattended != nullptr;
    if (unattended) wanted.cancel = unattended->cancel, wanted.seconds = unattended_limit_s;
    Result<program::ProgramRun> run = program::run_program(argv, wanted);
    if (run && run->process.cancelled) return error("cancelled");
    return run;
}

// Adds the recording of the launch that was asked for, or of the first choice.
Result<OpenedProgram> with_recording(OpenedProgram opened, const ProgramRequest& request,
                                     const Unattended* unattended,
                                     const std::function<void(ProgramPhase)>& tell) {
    const std::string file = request.file.string();
    const program::ProgramLaunch* recorded = recorded_launch(opened.run);
    const program::ProgramLaunch* choice = opened.run.first_choice();
    if (recorded && (!request.launches.empty() || recorded == choice)) {
        opened.launch = recorded->number;
        opened.trace = opened.trace_of(opened.launch);
        if (const Result<void> saved = program::save_trace(opened.run, *recorded, opened.trace); !saved)
            return saved.diagnostics();
        return opened;
    }
    if (!request.launches.empty())
        return error("no launch of " + file + " was recorded",
                     "lanescope run " + file + " lists its launches");
    if (choice == nullptr) {
        if (!opened.run.used_the_machine)
            return error_at(file, 0, 0,
                            program::why_unused(opened.run) + " (" + program::ending_words(opened.run) + ")");
        if (unattended) return opened;
        return error(file + " launches no kernel", "lanescope run " + file + " lists what it did");
    }
    tell(ProgramPhase::recording);
    opened.launch = choice->number;
    const Result<TemporaryFolder> second = TemporaryFolder::create();
    if (!second) return second.diagnostics();
    Result<fs::path> trace =
        record_launch(opened, opened.launch, second->path(), unattended ? unattended->cancel : nullptr);
    if (trace) {
        opened.trace = std::move(*trace);
    } else if (!unattended || (unattended->cancel && *unattended->cancel)) {
        return trace.diagnostics();
    } else {
        opened.problems = trace.diagnostics();
    }
    return opened;
}

}  // namespace

bool is_program(const fs::path& file) {
    if (kind_of(file) == FileKind::trace) return false;  // it may be large
    const Result<std::string> source = read_text_file(file);
    return source && has_program(file, *source) && !lesson::front_matter_range(*source);
}

bool has_program(const fs::path& file) {
    if (kind_of(file) == FileKind::trace) return false;
    const Result<std::string> source = read_text_file(file);
    return source && has_program(file, *source);
}

bool has_program(const fs::path& file, std::string_view source) {
    const FileKind kind = kind_of(file);
    return kind != FileKind::trace && kind != FileKind::ptx && program::is_cuda_program(file, source);
}

fs::path OpenedProgram::trace_of(std::uint64_t number) const {
    return traces / (file.stem().string() + "-launch-" + std::to_string(number) + ".trace");
}

Result<OpenedProgram> open_program(const ProgramRequest& request, const Unattended* unattended) {
    const auto tell = [&](ProgramPhase phase) {
        if (unattended && unattended->tell) unattended->tell(phase);
    };
    const std::atomic<bool>* cancel = unattended ? unattended->cancel : nullptr;
    tell(ProgramPhase::compiling);
    const Result<fs::path> made = program::compile_program(
        request.file, {.arguments = request.compiling, .capability = request.capability, .cancel = cancel});
    if (!made) return made.diagnostics();
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return folder.diagnostics();
    OpenedProgram opened;
    opened.file = request.file;
    opened.traces = made->parent_path();
    opened.on_gpu = request.on_gpu;
    opened.checked = request.check && !request.on_gpu;
    opened.argv = {made->string()};
    opened.argv.insert(opened.argv.end(), request.arguments.begin(), request.arguments.end());
    tell(ProgramPhase::running);
    // The first launch is often the choice; then the program runs only once. A checked run records nothing,
    // and a recording would change the times of a GPU.
    std::vector<std::string> record = request.launches;
    if (record.empty() && !request.check && !request.on_gpu) record = {"0"};
    Result<program::ProgramRun> run =
        run_in(folder->path(), opened.argv, std::move(record), unattended, opened.on_gpu, opened.checked);
    if (!run) return run.diagnostics();
    opened.run = std::move(*run);
    return with_recording(std::move(opened), request, unattended, tell);
}

Result<fs::path> record_launch(const OpenedProgram& program, std::uint64_t number, const fs::path& folder,
                               const std::atomic<bool>* cancel) {
    const Unattended unattended{cancel, {}};
    const Result<program::ProgramRun> run =
        run_in(folder, program.argv, {std::to_string(number)}, &unattended, program.on_gpu);
    if (!run) return run.diagnostics();
    const program::ProgramLaunch* recorded = recorded_launch(*run);
    const std::string which = "launch " + std::to_string(number);
    if (recorded == nullptr)
        for (const std::string& warning : run->warnings)
            if (warning.starts_with(which + " cannot be recorded")) return error(warning);
    if (recorded == nullptr)
        return error(which + " of " + program.file.filename().string() +
                         " was not recorded: this time the number of launches is " +
                         std::to_string(run->launches.size()),
                     "open the program again; a program whose launches depend on time or on random numbers "
                     "makes others each time");
    const fs::path trace = program.trace_of(number);
    if (const Result<void> saved = program::save_trace(*run, *recorded, trace); !saved)
        return saved.diagnostics();
    return trace;
}

}  // namespace lanescope::session
