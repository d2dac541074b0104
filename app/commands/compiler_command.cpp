#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "base/folders.h"
#include "commands/info_commands.h"
#include "commands/options/command.h"
#include "compile/compiler.h"
#include "wheels/get_compiler.h"

namespace lanescope {

namespace {

// Ctrl + C ends the download as 'Cancel' does in the window: what is there is kept for the next time.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

class InterruptHandler {
  public:
    InterruptHandler() : before_(std::signal(SIGINT, [](int) { interrupted = true; })) {}
    ~InterruptHandler() { std::signal(SIGINT, before_); }
    InterruptHandler(const InterruptHandler&) = delete;
    InterruptHandler& operator=(const InterruptHandler&) = delete;

  private:
    void (*before_)(int);
};

// One line that is written over in a terminal; elsewhere a line for every tenth.
class ProgressLine {
  public:
    void show(const wheels::CompilerProgress& now) {
        const int tenth = now.all_bytes == 0 ? 0 : int(now.done_bytes * 10 / now.all_bytes);
        const bool changed = now.words != words_;
        if (!terminal_ && !changed && tenth == tenth_) return;
        if (terminal_ && !changed && now.done_bytes < shown_bytes_ + 200'000) return;
        words_ = now.words;
        tenth_ = tenth;
        shown_bytes_ = now.done_bytes;
        const std::string of = now.all_bytes == 0 ? "" : " of " + wheels::megabytes(now.all_bytes);
        std::fprintf(stderr, terminal_ ? "\r\033[K  %s: %s%s" : "  %s: %s%s\n", now.words.c_str(),
                     wheels::megabytes(now.done_bytes).c_str(), of.c_str());
    }
    void end() const {
        if (terminal_) std::fprintf(stderr, "\r\033[K");
    }

  private:
    bool terminal_ = ::isatty(STDERR_FILENO) != 0;
    std::string words_;
    int tenth_ = -1;
    std::uint64_t shown_bytes_ = 0;
};

}  // namespace

int get_compiler_command() {
    if (const Result<compile::Toolkit> there = compile::find_toolkit()) {
        std::cout << "NVRTC " << there->version << " is already there: " << there->nvrtc.string() << '\n';
        return fine;
    }
    if (const Result<std::filesystem::path> data = data_folder(); !data)
        return fail(data.diagnostics(), check_failed);
    const std::filesystem::path folder = compiler_folder();
    const std::vector<wheels::Requirement> wanted = wheels::compiler_wheels();
    const Result<wheels::Http> http = wheels::Http::open(wheels::pip_settings());
    if (!http) {
        Diagnostics why = http.diagnostics();
        why.front().hint += "; " + wheels::by_hand(wanted, folder);
        return fail(why, check_failed);
    }
    const InterruptHandler handler;
    const Result<wheels::CompilerPlan> plan = wheels::plan_compiler(*http, wanted, folder, interrupted);
    if (!plan) return fail(plan.diagnostics(), check_failed);
    std::cerr << "Getting NVRTC " << wanted.front().version << " from " << plan->host << ": "
              << plan->wheels.size() << " files, " << wheels::megabytes(plan->download_bytes) << ", into "
              << folder.string() << '\n';
    ProgressLine line;
    const Result<void> done = wheels::install_compiler(
        *http, *plan, [&](const wheels::CompilerProgress& now) { line.show(now); }, interrupted);
    line.end();
    if (!done) return fail(done.diagnostics(), check_failed);
    const Result<compile::Toolkit> there = compile::find_toolkit();
    if (!there) return fail(there.diagnostics(), check_failed);
    std::cout << "NVRTC " << there->version << " is there: " << there->nvrtc.string() << '\n';
    return fine;
}

}  // namespace lanescope
