// What the program is started as: the command line, or one of its own child processes and build steps.
// Exit: 0 fine; 1 an expectation failed or a problem was found; 2 bad input or usage; 3 engine not available.

#include <algorithm>
#include <string_view>

#include "base/standard_streams.h"
#include "base/unfinished_file.h"
#include "commands/command_line.h"
#include "commands/options/command.h"
#include "commands/packaging_commands.h"
#include "compile/compiler.h"
#include "compile/remote.h"
#include "doctor/gl_worker.h"
#include "gpu/driver/context.h"
#include "gpu/served/device_command.h"
#include "judge/mark.h"
#include "session/timing/time_files.h"

int main(int argc, char** argv) {
    using namespace lanescope;
    open_standard_streams();
    remove_unfinished_files_on_signals();
    const std::string_view worker = argc > 1 ? argv[1] : "";
    if (worker == "__compile" && argc > 2 && argv[2] == std::string_view(compile::remote_mode))
        return gpu::end_process(compile::remote_worker_main());
    if (worker == "__compile") return gpu::end_process(compile::compile_worker_main());
    if (worker == "__check") return gpu::end_process(judge::mark_worker_main());
    if (worker == "__time") return gpu::end_process(session::time_worker_main());
    if (worker == "__device")
        return gpu::end_process(gpu::device_server_main({argv + 2, argv + argc}, LANESCOPE_VERSION));
    if (worker == "__doctor_gl") return gpu::end_process(doctor::gl_worker_main());
    CommandLine line;
    int code = worker.starts_with("__") ? packaging_command(line.app(), {argv + 1, argv + argc})
                                        : line.run(argc, argv);
    if (const Result<void> written = flush_standard_output(); !written)
        code = std::max(code, fail(written.diagnostics()));
    return gpu::end_process(code);
}
