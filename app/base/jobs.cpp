#include "base/jobs.h"

#include <algorithm>
#include <system_error>

namespace lanescope {

struct Jobs::Entry {
    enum class Stage { waiting, running, done };
    std::string tag;
    Work work;
    JobContext context;
    Completion completion;
    Stage stage = Stage::waiting;
};

Jobs::Jobs(unsigned workers) {
    try {
        for (unsigned i = 0; i < std::max(1u, workers); ++i)
            threads_.emplace_back([this] { run_worker(); });
    } catch (const std::system_error&) {
        if (!threads_.empty()) throw;
    }
}

Jobs::~Jobs() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const auto& entry : entries_)
            entry->context.cancel();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void Jobs::start(std::string tag, Work work) {
    cancel(tag);
    auto entry = std::make_shared<Entry>();
    entry->tag = std::move(tag);
    entry->work = std::move(work);
    {
        std::lock_guard lock(mutex_);
        entries_.push_back(std::move(entry));
    }
    changed_.notify_all();
}

void Jobs::cancel(const std::string& tag) {
    std::lock_guard lock(mutex_);
    for (const auto& entry : entries_)
        if (entry->tag == tag) entry->context.cancel();
    std::erase_if(entries_, [&](const auto& entry) {
        return entry->tag == tag && entry->stage != Entry::Stage::running;
    });
}

bool Jobs::busy(const std::string& tag) const {
    std::lock_guard lock(mutex_);
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const auto& entry) { return entry->tag == tag && !entry->context.cancelled(); });
}

float Jobs::share(const std::string& tag) const {
    std::lock_guard lock(mutex_);
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
        if ((*entry)->tag == tag) return (*entry)->context.share();
    return 0.0f;
}

int Jobs::phase(const std::string& tag) const {
    std::lock_guard lock(mutex_);
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
        if ((*entry)->tag == tag) return (*entry)->context.phase();
    return 0;
}

bool Jobs::poll() {
    run_waiting();
    std::vector<std::shared_ptr<Entry>> finished;
    {
        std::lock_guard lock(mutex_);
        for (const auto& entry : entries_)
            if (entry->stage == Entry::Stage::done) finished.push_back(entry);
        std::erase_if(entries_, [](const auto& entry) { return entry->stage == Entry::Stage::done; });
    }
    bool any = false;
    for (const auto& entry : finished) {
        if (entry->context.cancelled() || !entry->completion) continue;
        entry->completion();
        any = true;
    }
    return any;
}

void Jobs::wait(const std::string& tag) {
    run_waiting();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
        return std::none_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
            return entry->tag == tag && entry->stage != Entry::Stage::done;
        });
    });
}

void Jobs::run_waiting() {
    if (!threads_.empty()) return;
    const auto waits = [](const auto& entry) { return entry->stage == Entry::Stage::waiting; };
    for (auto next = std::find_if(entries_.begin(), entries_.end(), waits); next != entries_.end();
         next = std::find_if(entries_.begin(), entries_.end(), waits)) {
        const std::shared_ptr<Entry> entry = *next;
        entry->stage = Entry::Stage::running;
        JobContext::tell_host(entry->context);
        entry->completion = entry->work(entry->context);
        entry->stage = Entry::Stage::done;
    }
}

void Jobs::run_worker() {
    std::unique_lock lock(mutex_);
    while (true) {
        auto next = entries_.end();
        changed_.wait(lock, [&] {
            next = std::find_if(entries_.begin(), entries_.end(),
                                [](const auto& entry) { return entry->stage == Entry::Stage::waiting; });
            return stopping_ || next != entries_.end();
        });
        if (stopping_) return;
        const std::shared_ptr<Entry> entry = *next;
        entry->stage = Entry::Stage::running;
        lock.unlock();
        Completion completion = entry->work(entry->context);
        lock.lock();
        entry->completion = std::move(completion);
        entry->stage = Entry::Stage::done;
        changed_.notify_all();
    }
}

}  // namespace lanescope
