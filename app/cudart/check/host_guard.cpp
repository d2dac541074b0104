#include "cudart/check/host_guard.h"

#include <sys/mman.h>

#include <algorithm>

namespace lanescope::cudart {

namespace {

constexpr std::uint64_t page_bytes = Touched::page_bytes;
constexpr std::size_t most_closed = 4096;

void protect(std::uint64_t begin, std::uint64_t end, int access) {
    // A page that stays as it was only hides an access.
    (void)::mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

}  // namespace

bool HostGuard::shares(std::uint64_t address) const {
    const std::uint64_t page = address / page_bytes * page_bytes;
    const auto next = memory_.lower_bound(page + page_bytes);
    return next != memory_.begin() && std::prev(next)->first + std::prev(next)->second > page;
}

void HostGuard::remove_memory(std::uint64_t address) {
    const auto known = memory_.find(address);
    if (known == memory_.end()) return;
    std::erase_if(closed_, [&](const Pages& each) {
        if (each.begin < address || each.begin >= address + known->second) return false;
        protect(each.begin, each.end, PROT_READ | PROT_WRITE);
        return true;
    });
    memory_.erase(known);
}

void HostGuard::close_buffer(std::uint64_t work, const Touched& touched, std::uint64_t begin,
                             std::uint64_t end) {
    const std::uint64_t first = begin / page_bytes, last = (end - 1) / page_bytes;
    Pages run{work, 0, 0};
    const auto finish = [&] {
        if (run.begin == run.end) return;
        if (closed_.size() >= most_closed) {
            const Pages oldest = closed_.front();
            open(oldest.begin);
        }
        protect(run.begin, run.end, PROT_NONE);
        closed_.push_back(run);
        run = {work, 0, 0};
    };
    for (std::uint64_t page = first; page <= last; ++page) {
        const std::uint64_t from = std::max(begin, page * page_bytes),
                            to = std::min(end, (page + 1) * page_bytes);
        const std::uint64_t written = touched.count_changed(from, to);
        if (written == to - from || (first == last && written > 0)) {
            if (run.begin == run.end) run.begin = page * page_bytes;
            run.end = (page + 1) * page_bytes;
        } else {
            finish();
        }
    }
    finish();
}

void HostGuard::close(std::uint64_t work, const Touched& touched) {
    if (touched.incomplete() || touched.signals_host()) return;
    for (const auto& [address, bytes] : memory_)
        close_buffer(work, touched, address, address + bytes);
}

void HostGuard::keep(const std::function<bool(std::uint64_t)>& is_pending) {
    const auto done = std::stable_partition(closed_.begin(), closed_.end(),
                                            [&](const Pages& each) { return is_pending(each.work); });
    if (done == closed_.end()) return;
    for (auto each = done; each != closed_.end(); ++each)
        protect(each->begin, each->end, PROT_READ | PROT_WRITE);
    closed_.erase(done, closed_.end());
    for (const Pages& each : closed_)
        protect(each.begin, each.end, PROT_NONE);
}

bool HostGuard::open(std::uint64_t address) {
    return std::erase_if(closed_, [&](const Pages& each) {
               if (address < each.begin || address >= each.end) return false;
               protect(each.begin, each.end, PROT_READ | PROT_WRITE);
               return true;
           }) > 0;
}

}  // namespace lanescope::cudart
