#include "base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <future>
#include <thread>

#include "base/spawn.h"

namespace lanescope {

using std::chrono::milliseconds;

// The thread that starts the child, and lives as long: the caller's may end sooner.
class ChildProcess::Keeper {
  public:
    explicit Keeper(SpawnPlan plan)
        : thread_([this, plan = std::move(plan)] {
              started_.set_value(spawn(plan));
              ended_.get_future().wait();
          }) {}
    ~Keeper() {
        ended_.set_value();
        thread_.join();
    }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    Result<pid_t> started() { return started_.get_future().get(); }

  private:
    std::promise<Result<pid_t>> started_;
    std::promise<void> ended_;
    std::thread thread_;  // uses the two
};

ChildProcess::ChildProcess(pid_t pid, int input, int output, Descriptor passing,
                           std::unique_ptr<Keeper> keeper)
    : pid_(pid), input_(input), output_(output), passing_(std::move(passing)), keeper_(std::move(keeper)) {}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& argv,
                                                          Passing passing) {
    if (argv.empty() || argv[0].empty()) return error("no program to run");
    std::array<int, 2> sockets{-1, -1};
    if (passing == Passing::descriptors &&
        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
        return error(std::string("no socket to a child process: ") + std::strerror(errno));
    Descriptor ours(sockets[0]);
    const Descriptor theirs(sockets[1]);
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
        const std::string why = std::strerror(errno);
        for (const int each : in)
            if (each >= 0) ::close(each);
        return error("no pipe to a child process: " + why);
    }
    // A child that ends before it has read its input must not end this process.
    ::signal(SIGPIPE, SIG_IGN);
    SpawnPlan plan{argv, own_environment(), {{in[0], STDIN_FILENO}, {out[1], STDOUT_FILENO}}};
    if (theirs) plan.descriptors.emplace_back(theirs.number(), passing_socket);
    auto keeper = std::make_unique<Keeper>(std::move(plan));
    const Result<pid_t> pid = keeper->started();
    ::close(in[0]);
    ::close(out[1]);
    if (!pid) {
        ::close(in[1]);
        ::close(out[0]);
        return pid.diagnostics();
    }
    ::fcntl(in[1], F_SETFL, O_NONBLOCK);
    return std::unique_ptr<ChildProcess>(
        new ChildProcess(*pid, in[1], out[0], std::move(ours), std::move(keeper)));
}

ChildProcess::~ChildProcess() {
    ::close(input_);
    ::close(output_);
    passing_.close();
    constexpr milliseconds patience{2000};
    if (ended_within(patience)) return;
    ::kill(pid_, SIGKILL);
    if (ended_within(patience)) return;
    // A driver may hold the killed process for long; the caller does not wait for it.
    std::thread([pid = pid_] {
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }).detach();
}

bool ChildProcess::ended_within(milliseconds time) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    constexpr milliseconds pause{5};
    while (!ended_) {
        const pid_t found = ::waitpid(pid_, &status_, WNOHANG);
        ended_ = found == pid_ || (found < 0 && errno != EINTR);
        if (ended_ || std::chrono::steady_clock::now() >= deadline) break;
        std::this_thread::sleep_for(pause);
    }
    return ended_;
}

std::string ChildProcess::ending() {
    constexpr milliseconds patience{200};
    if (!ended_within(patience)) return {};
    if (WIFSIGNALED(status_)) return "ended by signal " + std::to_string(WTERMSIG(status_));
    return "ended with exit code " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace lanescope
