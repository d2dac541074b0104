// Whether the open file is a whole program, whether its host code may run, and the job that runs it. Host
// code can do all that the person can do, so that it runs only when the person has agreed.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/jobs.h"
#include "session/launches/opened_program.h"

namespace lanescope::session {

class HostCode {
  public:
    enum class Stand : std::uint8_t {
        no_program,   // the file has kernels alone
        forbidden,    // no host code runs in this session
        no_compiler,  // missing() says what is missing
        offered,      // the person has not answered yet
        declined,
        agreed
    };
    explicit HostCode(Jobs& jobs) : jobs_(jobs) {}

    void forbid() { forbidden_ = true; }
    // The open file and its text. An edited lesson is not saved, so that only its kernels can run.
    void follow(const std::filesystem::path& file, std::string_view text, bool of_course, bool edited);
    Stand stand() const;
    bool runs() const { return stand() == Stand::agreed; }
    bool of_course() const { return of_course_; }  // its host code came with this program, so it may run
    const Diagnostics& missing() const { return missing_; }

    // How the open file runs; with what was given the last time.
    ProgramRequest request() const;
    // The person agrees that this program runs, now and whenever its file changes, until the window closes.
    void agree(ProgramRequest request);
    void decline() { agreed_.erase(file_), declined_.insert_or_assign(file_, true); }

    // Compiles and runs the open file in a job, and records a launch. A newer start replaces an older one.
    void start();
    bool running() const { return jobs_.busy(run_tag); }
    ProgramPhase phase() const { return static_cast<ProgramPhase>(jobs_.phase(run_tag)); }
    void cancel();
    bool cancelled() const { return cancelled_; }  // the newest run
    void wait();
    // What has ended since the last call of take().
    std::optional<Result<OpenedProgram>> take() { return std::exchange(finished_, std::nullopt); }

  private:
    static constexpr const char* run_tag = "run a program";

    Jobs& jobs_;
    bool forbidden_ = false, cancelled_ = false;
    std::filesystem::path file_;
    bool is_program_ = false, of_course_ = false;
    Diagnostics missing_;  // why programs cannot be compiled
    std::map<std::filesystem::path, ProgramRequest> agreed_;
    std::map<std::filesystem::path, bool> declined_;
    std::optional<Result<OpenedProgram>> finished_;
};

// Splits a line into words as a shell does with quotes and \, and nothing else. Error: a quote is not closed.
Result<std::vector<std::string>> words_of(std::string_view line);
// The line from which words_of() makes these words.
std::string line_of(const std::vector<std::string>& words);

}  // namespace lanescope::session
