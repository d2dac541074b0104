#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "base/spawn.h"

namespace lanescope {

namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
  public:
    Pipe() { ok_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
    ~Pipe() { close_read(), close_write(); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    bool ok() const { return ok_; }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_read() { close_end(ends_[0]); }
    void close_write() { close_end(ends_[1]); }

  private:
    static void close_end(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
    int ends_[2] = {-1, -1};
    bool ok_ = false;
};

// Signals that ask this process to end. While this lives they wait in a descriptor instead.
class EndSignals {
  public:
    EndSignals() {
        sigemptyset(&signals_);
        for (const int each : {SIGTERM, SIGINT, SIGHUP})
            sigaddset(&signals_, each);
        ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
        file_ = ::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    ~EndSignals() {
        while (file_ >= 0 && take()) {
        }
        if (file_ >= 0) ::close(file_);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;

    int file() const { return file_; }
    const sigset_t& before() const { return before_; }

    // Passes on what waits. The terminal sends its signals to the child, too.
    void pass(pid_t to, ProcessOutcome& outcome, Clock::time_point& deadline) {
        constexpr std::chrono::seconds grace{5};
        while (const std::optional<signalfd_siginfo> taken = take()) {
            if (taken->ssi_code == SI_KERNEL) continue;
            outcome.passed_signal = static_cast<int>(taken->ssi_signo);
            ::kill(to, outcome.passed_signal);
            deadline = std::min(deadline, Clock::now() + grace);
        }
    }

  private:
    std::optional<signalfd_siginfo> take() {
        signalfd_siginfo taken{};
        if (::read(file_, &taken, sizeof taken) != sizeof taken) return std::nullopt;
        return taken;
    }

    sigset_t signals_{}, before_{};
    int file_ = -1;
};

struct Streams {
    Pipe in, out, err;
};

// "NAME=VALUE" of all variables of the child.
std::vector<std::string> variables(const Environment& environment) {
    std::vector<std::string> all = own_environment();
    std::erase_if(
        all, [&](const std::string& text) { return environment.contains(text.substr(0, text.find('='))); });
    for (const auto& [name, value] : environment)
        all.push_back(name + "=" + value);
    return all;
}

// `streams`: null for those of this process. `signals`: null, or what blocks signals that the child shall
// have.
Result<pid_t> start(const std::vector<std::string>& argv, const Streams* streams,
                    const Environment& environment, const EndSignals* signals) {
    SpawnPlan plan{argv, variables(environment)};
    if (streams != nullptr)
        plan.descriptors = {
            {streams->in.read_end(), 0}, {streams->out.write_end(), 1}, {streams->err.write_end(), 2}};
    if (signals != nullptr) plan.signals = &signals->before();
    return spawn(plan);
}

// Appends the bytes that can be read now. Returns false at the end of the stream.
bool drain(int fd, std::string& into) {
    char buffer[1 << 16];
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count > 0) into.append(buffer, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

struct Limits {
    std::chrono::milliseconds time;
    Clock::time_point deadline;
    std::uint64_t max_output_bytes = 0;
    const std::atomic<bool>* cancel = nullptr;
    EndSignals* signals = nullptr;  // null: they end this process
    const std::function<void(std::string_view)>& heard;
};

// Tells of output beyond the first `known` bytes; the limit begins anew.
void tell_output(const std::string& out, std::size_t known, Limits& limits) {
    if (!limits.heard || out.size() == known) return;
    limits.heard(std::string_view(out).substr(known));
    limits.deadline = Clock::now() + limits.time;
}

// Feeds input and collects output until both output streams end. Returns false when a limit is reached.
bool pump(pid_t child, Streams& streams, std::string_view input, Limits limits, ProcessOutcome& outcome) {
    const long long patience_ms = limits.cancel ? 20 : 1000;
    bool out_open = true, err_open = true;
    while (out_open || err_open) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(limits.deadline - Clock::now()).count();
        outcome.cancelled = limits.cancel && limits.cancel->load(std::memory_order_relaxed);
        if (outcome.cancelled || left <= 0) return false;
        outcome.too_much_output = outcome.out.size() + outcome.err.size() > limits.max_output_bytes;
        if (outcome.too_much_output) return false;
        pollfd fds[] = {{out_open ? streams.out.read_end() : -1, POLLIN, 0},
                        {err_open ? streams.err.read_end() : -1, POLLIN, 0},
                        {streams.in.write_end(), POLLOUT, 0},
                        {limits.signals ? limits.signals->file() : -1, POLLIN, 0}};
        if (::poll(fds, std::size(fds), static_cast<int>(std::min<long long>(left, patience_ms))) < 0 &&
            errno != EINTR)
            return false;
        const std::size_t known = outcome.out.size();
        if (fds[0].revents) out_open = drain(streams.out.read_end(), outcome.out);
        if (outcome.passed_signal == 0) tell_output(outcome.out, known, limits);
        if (fds[1].revents) err_open = drain(streams.err.read_end(), outcome.err);
        if (fds[3].revents) limits.signals->pass(child, outcome, limits.deadline);
        if (!fds[2].revents) continue;
        const ssize_t count = input.empty() ? 0 : ::write(streams.in.write_end(), input.data(), input.size());
        if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
        if (input.empty() || (count < 0 && errno != EAGAIN && errno != EINTR)) streams.in.close_write();
    }
    return true;
}

void note_end(int status, ProcessOutcome& outcome) {
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status) && !outcome.was_killed()) outcome.signal = WTERMSIG(status);
}

void wait_for(pid_t pid, ProcessOutcome& outcome) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    note_end(status, outcome);
}

// The same, while signals are passed on.
void wait_for(pid_t pid, ProcessOutcome& outcome, EndSignals& signals) {
    constexpr int patience_ms = 20;
    Clock::time_point deadline = Clock::time_point::max();
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        pollfd file{signals.file(), POLLIN, 0};
        if (::poll(&file, 1, patience_ms) > 0) signals.pass(pid, outcome, deadline);
        if (Clock::now() > deadline) ::kill(pid, SIGKILL);
    }
    note_end(status, outcome);
}

// Waits a moment for a child that was killed. One that a driver holds longer is left to a thread of its own.
void leave(pid_t pid) {
    constexpr auto moment = std::chrono::milliseconds(200), pause = std::chrono::milliseconds(2);
    const Clock::time_point enough = Clock::now() + moment;
    while (::waitpid(pid, nullptr, WNOHANG) == 0) {
        if (Clock::now() > enough) {
            std::thread([pid] { ::waitpid(pid, nullptr, 0); }).detach();
            return;
        }
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace

Result<ProcessOutcome> run_process(const std::vector<std::string>& argv, std::string_view input,
                                   int timeout_ms, std::uint64_t max_output_bytes,
                                   const std::atomic<bool>* cancel, const Environment& environment,
                                   bool pass_signals, const std::function<void(std::string_view)>& heard) {
    if (argv.empty() || argv[0].empty()) return error("no program to run");
    Streams streams;
    if (!streams.in.ok() || !streams.out.ok() || !streams.err.ok())
        return error(std::string("no pipe to a child process: ") + std::strerror(errno));
    const std::chrono::milliseconds time(timeout_ms);
    const Clock::time_point deadline = Clock::now() + time;
    // A child that ends before it has read its input must not end this process.
    ::signal(SIGPIPE, SIG_IGN);
    std::optional<EndSignals> signals;
    if (pass_signals) signals.emplace();
    EndSignals* const passed = signals ? &*signals : nullptr;
    Result<pid_t> pid = start(argv, &streams, environment, passed);
    if (!pid) return pid.diagnostics();
    streams.in.close_read();
    streams.out.close_write();
    streams.err.close_write();
    ::fcntl(streams.in.write_end(), F_SETFL, O_NONBLOCK);

    ProcessOutcome outcome;
    if (!pump(*pid, streams, input, {time, deadline, max_output_bytes, cancel, passed, heard}, outcome)) {
        outcome.timed_out = !outcome.was_killed() && outcome.passed_signal == 0;
        ::kill(*pid, SIGKILL);
    }
    if (outcome.cancelled)
        leave(*pid);
    else if (passed != nullptr)
        wait_for(*pid, outcome, *passed);
    else
        wait_for(*pid, outcome);
    return outcome;
}

Result<ProcessOutcome> run_attached(const std::vector<std::string>& argv, const Environment& environment) {
    if (argv.empty() || argv[0].empty()) return error("no program to run");
    // As system() does: the terminal's signals reach the child, too.
    struct sigaction ignore = {}, quit = {};
    ignore.sa_handler = SIG_IGN;
    EndSignals signals;
    const Result<pid_t> pid = start(argv, nullptr, environment, &signals);
    if (!pid) return pid.diagnostics();
    ::sigaction(SIGQUIT, &ignore, &quit);
    ProcessOutcome outcome;
    wait_for(*pid, outcome, signals);
    ::sigaction(SIGQUIT, &quit, nullptr);
    return outcome;
}

bool is_program(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

std::filesystem::path find_program(const std::string& name) {
    const char* listed = std::getenv("PATH");
    std::string_view rest = listed ? listed : "/usr/bin:/bin";
    while (true) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / name;
        if (end > 0 && is_program(file)) return file;
        if (end == rest.size()) return {};
        rest.remove_prefix(end + 1);
    }
}

}  // namespace lanescope
