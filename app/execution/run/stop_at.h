// A flag for work that can be cancelled: it is set when the caller cancels or at a deadline. Where no thread
// can be started, as in a browser, only the caller can stop the work.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace lanescope::execution {

class StopAt {
  public:
    // `cancel` may be null.
    StopAt(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* cancel)
        : deadline_(deadline), cancel_(cancel) {
        try {
            watch_ = std::thread([this] { watch(); });
        } catch (const std::system_error&) {
        }
    }
    ~StopAt() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        if (watch_.joinable()) watch_.join();
    }
    StopAt(const StopAt&) = delete;
    StopAt& operator=(const StopAt&) = delete;

    const std::atomic<bool>* flag() const {
        return watch_.joinable() || cancel_ == nullptr ? &stop_ : cancel_;
    }
    bool late() const { return late_; }  // the deadline has passed

  private:
    void watch() {
        constexpr std::chrono::milliseconds interval{20};
        std::unique_lock lock(mutex_);
        while (!over_) {
            if (std::chrono::steady_clock::now() >= deadline_) late_ = stop_ = true;
            if (cancel_ != nullptr && *cancel_) stop_ = true;
            if (stop_) return;
            changed_.wait_for(lock, interval);
        }
    }

    std::chrono::steady_clock::time_point deadline_;
    const std::atomic<bool>* cancel_;
    std::atomic<bool> stop_{false}, late_{false};
    bool over_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread watch_;  // last: it uses the other members
};

}  // namespace lanescope::execution
