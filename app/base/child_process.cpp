#include "base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

extern char** environ;

namespace lanescope {

using std::chrono::milliseconds;

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
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (theirs) posix_spawn_file_actions_adddup2(&actions, theirs.number(), passing_socket);
    std::vector<char*> words;
    for (const std::string& word : argv)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = 0;
    const int failure = ::posix_spawnp(&pid, argv[0].c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    if (failure != 0) {
        ::close(in[1]);
        ::close(out[0]);
        return error_at(argv[0], 0, 0, std::string("cannot be started: ") + std::strerror(failure));
    }
    ::fcntl(in[1], F_SETFL, O_NONBLOCK);
    return std::unique_ptr<ChildProcess>(new ChildProcess(pid, in[1], out[0], std::move(ours)));
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
