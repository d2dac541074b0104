// A flag for work that can be cancelled: it is set when the caller cancels or at a deadline.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lanescope::execution {

class StopAt {
  public:
    // `cancel` may be null.
    StopAt(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* cancel)
        : watch_([this, deadline, cancel] { watch(deadline, cancel); }) {}
    ~StopAt() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        watch_.join();
    }
    StopAt(const StopAt&) = delete;
    StopAt& operator=(const StopAt&) = delete;

    const std::atomic<bool>* flag() const { return &stop_; }
    bool late() const { return late_; }  // the deadline has passed

  private:
    void watch(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* cancel) {
        constexpr std::chrono::milliseconds interval{20};
        std::unique_lock lock(mutex_);
        while (!over_) {
            if (std::chrono::steady_clock::now() >= deadline) late_ = stop_ = true;
            if (cancel != nullptr && *cancel) stop_ = true;
            if (stop_) return;
            changed_.wait_for(lock, interval);
        }
    }

    std::atomic<bool> stop_{false}, late_{false};
    bool over_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread watch_;  // last: it uses the other members
};

}  // namespace lanescope::execution
