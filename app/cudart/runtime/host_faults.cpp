#include "cudart/runtime/host_faults.h"

#include <ucontext.h>

#include <csignal>

#include "cudart/runtime/runtime.h"

namespace lanescope::cudart {

namespace {

struct sigaction usual_action {};

// The processor's error code of a page fault, whose second bit says that it was a write.
bool is_write(const void* context) {
    return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
}

void note_fault(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    Runtime& runtime = Runtime::instance();
    if (info->si_code == SEGV_ACCERR && runtime.admit_host(address, is_write(context))) return;
    sigaction(signal, &usual_action, nullptr);  // the access comes again after this function
    if (info->si_code <= 0) {                   // a process sent the signal
        raise(signal);
        return;
    }
    const std::unique_lock lock(runtime.mutex(), std::try_to_lock);
    if (lock) runtime.note_host_access(address);
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
