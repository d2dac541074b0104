// Every subcommand with its options: the one table from which --help, the completions and the manual page
// come.
#pragma once

#include <CLI/CLI.hpp>

#include "commands/check_command.h"
#include "commands/dap_command.h"
#include "commands/export_command.h"
#include "commands/info_commands.h"
#include "commands/lesson_command.h"
#include "commands/preview_command.h"
#include "commands/program_command.h"
#include "commands/render_command.h"
#include "commands/run_command.h"
#include "commands/serve_command.h"
#include "commands/time_command.h"
#include "commands/web_command.h"
#include "commands/window_command.h"

namespace lanescope {

class CommandLine {
  public:
    CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    int run(int argc, char** argv);  // the exit code
    const CLI::App& app() const { return app_; }

  private:
    CLI::App app_;
    std::string language_;
    WindowCommand window_;
    RunCommand run_;
    ProgramOptions record_;
    std::vector<std::string> build_;
    RenderOptions render_, exported_;
    ExportOptions export_;
    ListOptions list_;
    CheckOptions check_;
    LessonOptions lesson_;
    TimeOptions time_;
    PreviewOptions preview_;
    DapCommand dap_;
    WebOptions web_;
    ServeOptions serve_;
    DoctorOptions doctor_;
};

}  // namespace lanescope
