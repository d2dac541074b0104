#include "base/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace lanescope {

namespace {

// What the child reads. It shares this process's memory until it becomes another program, and the thread that
// starts it waits for that: it must allocate nothing and call no handler of this process.
struct Start {
    const SpawnPlan* plan = nullptr;
    char* const* argv = nullptr;
    char* const* environment = nullptr;
    pid_t parent = 0;
    sigset_t signals{};
    int failure = 0;  // errno of the child
};

void reset_handlers() {
    for (int number = 1; number < NSIG; ++number) {
        struct sigaction known {};
        if (::sigaction(number, nullptr, &known) != 0 || known.sa_handler == SIG_IGN ||
            known.sa_handler == SIG_DFL)
            continue;
        known = {};
        known.sa_handler = SIG_DFL;
        ::sigaction(number, &known, nullptr);
    }
}

// The address sanitizer marks the edges of a frame when it begins and clears them when it returns. This frame
// never returns, so its marks would stay in memory that others get later.
[[gnu::no_sanitize_address]] int become_program(void* given) {
    Start& start = *static_cast<Start*>(given);
    reset_handlers();
    // This process may have ended before the kernel knew.
    const bool bound = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == start.parent;
    bool ready = bound;
    for (const auto& [from, to] : start.plan->descriptors)
        ready = ready && (from == to ? ::fcntl(from, F_SETFD, 0) : ::dup2(from, to)) >= 0;
    if (ready) {
        ::sigprocmask(SIG_SETMASK, &start.signals, nullptr);
        ::execvpe(start.argv[0], start.argv, start.environment);
    }
    start.failure = errno == 0 ? ESRCH : errno;
    constexpr int not_started = 127;
    ::_exit(not_started);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> all;
    for (const std::string& word : words)
        all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    return all;
}

}  // namespace

std::vector<std::string> own_environment() {
    std::vector<std::string> all;
    for (char** each = environ; *each != nullptr; ++each)
        all.emplace_back(*each);
    return all;
}

Result<pid_t> spawn(const SpawnPlan& plan) {
    constexpr std::size_t stack_bytes = 1 << 20;  // execvpe() puts the names that it tries there
    const std::vector<char*> argv = pointers(plan.argv), environment = pointers(plan.environment);
    void* const stack =
        ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return error_at(plan.argv[0], 0, 0, std::string("cannot be started: ") + std::strerror(errno));
    Start start{&plan, argv.data(), environment.data(), ::getpid()};
    sigset_t all{}, before{};
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    start.signals = plan.signals != nullptr ? *plan.signals : before;
    const pid_t pid = ::clone(become_program, static_cast<char*>(stack) + stack_bytes,
                              CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
    const int failure = pid < 0 ? errno : start.failure;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::munmap(stack, stack_bytes);
    if (failure == 0) return pid;
    return error_at(plan.argv[0], 0, 0, std::string("cannot be started: ") + std::strerror(failure));
}

}  // namespace lanescope
