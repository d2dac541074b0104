#include "base/unfinished_file.h"

#include <unistd.h>
#include <csignal>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <string>

namespace lanescope {
namespace {

// A signal handler reads the slots, so they have a fixed place and hold no objects.
struct Slot {
    std::atomic<bool> taken{false}, filled{false};
    char path[PATH_MAX] = {};
};
std::array<Slot, 16> slots;

void remove_and_end(int number) {
    for (Slot& slot : slots)
        if (slot.filled.load(std::memory_order_acquire)) ::unlink(slot.path);
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::filesystem::path& path) : slot_(slots.size()) {
    std::error_code failed;
    const std::string name = std::filesystem::absolute(path, failed).string();
    if (failed || name.size() >= PATH_MAX) return;
    for (slot_ = 0; slot_ < slots.size(); ++slot_) {
        Slot& slot = slots[slot_];
        if (slot.taken.exchange(true)) continue;
        std::memcpy(slot.path, name.c_str(), name.size() + 1);
        slot.filled.store(true, std::memory_order_release);
        return;
    }
}

UnfinishedFile::~UnfinishedFile() {
    if (slot_ == slots.size()) return;
    slots[slot_].filled = false;
    slots[slot_].taken = false;
}

void remove_unfinished_files_on_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction now = {};
        if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        now = {};
        now.sa_handler = &remove_and_end;
        ::sigemptyset(&now.sa_mask);
        ::sigaction(number, &now, nullptr);
    }
}

}  // namespace lanescope
