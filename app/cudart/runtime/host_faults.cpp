#include "cudart/runtime/host_faults.h"

#include <csignal>

#include "cudart/runtime/runtime.h"

namespace lanescope::cudart {

namespace {

struct sigaction usual_action {};

void note_fault(int signal, siginfo_t* info, void*) {
    sigaction(signal, &usual_action, nullptr);  // the access comes again after this function
    if (info->si_code <= 0) {                   // a process sent the signal
        raise(signal);
        return;
    }
    Runtime& runtime = Runtime::instance();
    const std::unique_lock lock(runtime.mutex(), std::try_to_lock);
    if (lock) runtime.note_host_access(reinterpret_cast<std::uint64_t>(info->si_addr));
}

}  // namespace

void watch_host_faults() {
    struct sigaction action {};
    action.sa_sigaction = note_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &usual_action);
}

}  // namespace lanescope::cudart
