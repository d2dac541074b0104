#include "serve/compile_queue.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace lanescope::serve {

namespace {

constexpr std::size_t most_waiting = 256;
constexpr std::chrono::seconds most_patience{120};

Reply stopping() {
    return refusal(503, "the server ends", "start 'lanescope serve' again", retry_soon_s);
}

}  // namespace

Reply refusal(int status, const std::string& message, const std::string& hint, int retry_after_s) {
    const nlohmann::ordered_json body{{"message", message}, {"hint", hint}};
    return {status, body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
            retry_after_s};
}

CompileQueue::CompileQueue(unsigned workers, Log log) : log_(std::move(log)) {
    threads_.emplace_back([this] { run_reader(); });
    for (unsigned i = 0; i < workers; ++i)
        threads_.emplace_back([this] { run_worker(); });
}

CompileQueue::~CompileQueue() {
    stop();
}

void CompileQueue::stop() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    arrived_.notify_all();
    ready_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
    threads_.clear();
    for (const Arrival& arrival : std::exchange(arrivals_, {}))
        arrival.done(stopping());
    for (const auto& [address, jobs] : std::exchange(jobs_, {}))
        for (const Job& job : jobs)
            job.done(stopping());
}

bool CompileQueue::add(const std::string& address, std::string request, Done done) {
    {
        const std::scoped_lock lock(mutex_);
        if (stopping_ || counts_.waiting >= most_waiting) return false;
        ++counts_.waiting;
        arrivals_.push_back({address, std::move(request), std::move(done), Clock::now()});
    }
    arrived_.notify_one();
    return true;
}

Counts CompileQueue::counts() const {
    const std::scoped_lock lock(mutex_);
    return counts_;
}

// Requests are read, and looked up, apart from the compilers: an answer that is known does not wait for them.
void CompileQueue::run_reader() {
    for (;;) {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [&] { return stopping_ || !arrivals_.empty(); });
        if (stopping_) return;
        Arrival arrival = std::move(arrivals_.front());
        arrivals_.pop_front();
        lock.unlock();
        read(std::move(arrival));
    }
}

void CompileQueue::read(Arrival arrival) {
    Result<compile::RemoteSource> source = compile::remote_source(arrival.request);
    arrival.request = {};
    std::optional<compile::Output> known = source ? compile::known_answer(*source) : std::nullopt;
    if (source && !known) {
        const std::scoped_lock lock(mutex_);
        std::deque<Job>& jobs = jobs_[arrival.address];
        if (jobs.empty()) turns_.push_back(arrival.address);
        jobs.push_back({arrival.address, std::move(*source), std::move(arrival.done), arrival.since});
        ready_.notify_one();
        return;
    }
    {
        const std::scoped_lock lock(mutex_);
        --counts_.waiting;
    }
    if (known)
        return answer({arrival.address, std::move(*source), arrival.done, arrival.since}, std::move(*known));
    const Diagnostic& problem = source.diagnostics().front();
    arrival.done(
        refusal(problem.message == compile::too_large_message ? 413 : 400, problem.message, problem.hint));
}

// The first job of the address whose turn it is; nothing: the queue stops.
std::optional<CompileQueue::Job> CompileQueue::take() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return stopping_ || !turns_.empty(); });
    if (stopping_) return std::nullopt;
    const std::string address = std::move(turns_.front());
    turns_.pop_front();
    const auto of_address = jobs_.find(address);
    Job job = std::move(of_address->second.front());
    of_address->second.pop_front();
    if (of_address->second.empty())
        jobs_.erase(of_address);
    else
        turns_.push_back(address);
    --counts_.waiting;
    ++counts_.running;
    return job;
}

void CompileQueue::run_worker() {
    while (const std::optional<Job> job = take()) {
        const bool expired = Clock::now() - job->since > most_patience;
        if (expired)
            job->done(refusal(503, "the request waited for two minutes: the server is too busy",
                              "ask again later, or start the server with more --workers", retry_soon_s));
        else
            answer(*job, compile::compile_remote(job->source, &stopping_));
        const std::scoped_lock lock(mutex_);
        --counts_.running;
        counts_.expired += expired ? 1 : 0;
    }
}

void CompileQueue::answer(const Job& job, Result<compile::Output> output) {
    if (stopping_) return job.done(stopping());
    std::string body = compile::to_json(output);
    if (body.size() > compile::max_remote_answer_bytes) {
        output = error_at(job.source.file, 0, 0, "the compiled code is larger than 8 MiB");
        body = compile::to_json(output);
    }
    const bool cached = output.ok() && output->from_cache;
    {
        const std::scoped_lock lock(mutex_);
        ++(cached ? counts_.from_cache : output.ok() ? counts_.compiled : counts_.with_errors);
    }
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - job.since).count();
    log_({job.address, ms, job.source.text.size(), body.size(), output.ok(), cached});
    job.done({200, std::move(body), 0});
}

}  // namespace lanescope::serve
