// Runs slow work outside the frame loop. A job has a tag; a newer job supersedes an older one with the same
// tag. Where no thread can be started, as in a browser, poll() and wait() do the work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lanescope {

// A running job polls cancelled() and reports its progress (0…1), and in which of its phases it is.
class JobContext {
  public:
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    void report(float share, int phase = 0) {
        share_.store(share, std::memory_order_relaxed);
        phase_.store(phase, std::memory_order_relaxed);
        tell_host(*this);
    }
    int phase() const { return phase_.load(std::memory_order_relaxed); }
    float share() const { return share_.load(std::memory_order_relaxed); }
    const std::atomic<bool>& cancel_flag() const { return cancelled_; }

  private:
    friend class Jobs;
    // Called with each report. A browser shows the progress and asks whether the person cancelled; elsewhere
    // the frame loop does that, and nothing happens here.
    static void tell_host(JobContext& job);

    std::atomic<bool> cancelled_{false};
    std::atomic<float> share_{0.0f};
    std::atomic<int> phase_{0};
};

class Jobs {
  public:
    // The work runs on a worker thread and returns a function for the polling thread to run; it may be empty.
    using Completion = std::function<void()>;
    using Work = std::function<Completion(JobContext&)>;

    explicit Jobs(unsigned workers = 1);
    ~Jobs();  // cancels everything and waits
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    // Cancels waiting and running jobs with the same tag and drops their completions.
    void start(std::string tag, Work work);
    void cancel(const std::string& tag);
    bool busy(const std::string& tag) const;    // true until poll() has run the completion
    float share(const std::string& tag) const;  // of the newest job with that tag; 0 if there is none
    int phase(const std::string& tag) const;    // of the same job; 0 if there is none

    // Runs the completions of finished jobs on the calling thread. Returns whether there was one.
    bool poll();
    // Waits until no job with that tag waits or runs; poll() then runs the completion.
    void wait(const std::string& tag);

  private:
    struct Entry;
    void run_worker();
    void run_waiting();  // on this thread, if there is no other

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Entry>> entries_;
    std::vector<std::thread> threads_;
    bool stopping_ = false;
};

}  // namespace lanescope
