// Compiles for many addresses: each gets its turn, however much another one asks for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compile/remote.h"

namespace lanescope::serve {

struct Reply {
    int status = 200;
    std::string body;       // JSON
    int retry_after_s = 0;  // 0: not said
};

inline constexpr int retry_soon_s = 5;  // of a queue that is full

// {"message", "hint"}
Reply refusal(int status, const std::string& message, const std::string& hint = {}, int retry_after_s = 0);

struct Counts {
    std::uint64_t compiled = 0, from_cache = 0, with_errors = 0, expired = 0;
    std::size_t waiting = 0, running = 0;
};

class CompileQueue {
  public:
    using Clock = std::chrono::steady_clock;
    using Done = std::function<void(Reply)>;  // called once, on a thread of the queue
    struct Event {
        std::string address;
        double milliseconds = 0;  // from the arrival of the request
        std::size_t source_bytes = 0, answer_bytes = 0;
        bool compiled = false, from_cache = false;
    };
    using Log = std::function<void(const Event&)>;

    CompileQueue(unsigned workers, Log log);
    ~CompileQueue();
    CompileQueue(const CompileQueue&) = delete;
    CompileQueue& operator=(const CompileQueue&) = delete;

    // Takes a request as JSON (compile/remote.h). Returns false, and does not call `done`, if too many wait.
    bool add(const std::string& address, std::string request, Done done);
    Counts counts() const;
    // Stops the compilers that run, and refuses the requests that wait. Then add() takes no more.
    void stop();

  private:
    struct Arrival {
        std::string address, request;
        Done done;
        Clock::time_point since;
    };
    struct Job {
        std::string address;
        compile::RemoteSource source;
        Done done;
        Clock::time_point since;
    };

    void run_reader();
    void run_worker();
    void read(Arrival arrival);
    std::optional<Job> take();
    void answer(const Job& job, Result<compile::Output> output);

    Log log_;
    std::atomic<bool> stopping_{false};
    mutable std::mutex mutex_;
    std::condition_variable arrived_, ready_;
    std::deque<Arrival> arrivals_;
    std::map<std::string, std::deque<Job>> jobs_;  // of each address, never empty
    std::deque<std::string> turns_;                // the addresses that have jobs
    Counts counts_;
    std::vector<std::thread> threads_;
};

}  // namespace lanescope::serve
