#include "simt/schedule/parallel.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "simt/schedule/scheduler.h"

namespace lanescope::simt {

namespace {

using Progress = std::function<void(std::uint64_t)>;

// Less work than this is not worth another thread, if the caller gave no number of threads.
constexpr std::uint64_t least_threads = 16'384;
// Global memory is copied first; that must stay cheap beside the work.
constexpr std::uint64_t copied_bytes_per_thread = 64;

std::uint64_t worker_count(const LaunchContext& run, const Schedule& schedule) {
    if (run.recorder != nullptr || !run.kernel.blocks_apart || run.cluster.count() > 1) return 1;
    if (schedule.kind != Schedule::Kind::round_robin || schedule.resident_blocks != 0) return 1;
    if (run.request.resident_blocks != 0 || run.request.cooperative) return 1;
    const std::uint64_t blocks = run.end_block - run.first_block;
    if (run.limits.workers != 0) return std::min<std::uint64_t>(run.limits.workers, blocks);
    const std::uint64_t threads = blocks * run.request.block.count();
    if (threads < least_threads || run.global.bytes().size() > threads * copied_bytes_per_thread) return 1;
    return std::min<std::uint64_t>(std::max(1u, std::thread::hardware_concurrency()), blocks);
}

// A host thread that runs blocks: its counts, problems, frames and set bits.
struct Worker {
    Worker(LaunchContext& launch, std::uint64_t memory_bytes)
        : global(launch.global.view()),
          budget(memory_bytes),
          problems(launch.limits.problems),
          run{launch.program, launch.kernel, launch.request, launch.limits, *global, launch.constant,
              launch.images,  budget,        launch.heap,    problems,      console} {
        run.launch = launch.launch;
        run.cluster = launch.cluster;
        run.parameters = launch.parameters;
        run.parameter_region = launch.parameter_region;
        run.parameter_region.data = run.parameters.data();
        run.launch_rows = launch.launch_rows;
        run.warp_rows = launch.warp_rows;
        run.shared_symbols = launch.shared_symbols;
        run.shared_bytes = launch.shared_bytes;
        run.byte_type = launch.byte_type;
        run.earlier_instructions = launch.earlier_instructions;
        run.concurrent = true;
    }

    std::unique_ptr<Arena> global;
    Budget budget;
    Problems problems;
    std::string console;
    LaunchContext run;
    std::uint64_t reported = 0;  // of run.warp_instructions, to the launch's count
    Ending ending = Ending::finished;
};

class ParallelLaunch {
  public:
    ParallelLaunch(LaunchContext& run, const Schedule& schedule, const std::atomic<bool>* cancel,
                   const Progress& progress, RunClock& clock)
        : run_(run), schedule_(schedule), cancel_(cancel), progress_(progress), clock_(clock) {
        executed_ = run.earlier_instructions;
        next_block_ = run.first_block;
    }
    ~ParallelLaunch() { run_.budget.give(budget_bytes_); }
    ParallelLaunch(const ParallelLaunch&) = delete;
    ParallelLaunch& operator=(const ParallelLaunch&) = delete;

    // Returns nothing if one thread must run the launch; memory is then as before.
    std::optional<Ending> run(std::uint64_t workers) {
        if (!prepare(workers)) return std::nullopt;
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < workers_.size(); ++i) {
            try {
                threads.emplace_back([this, i] { work(*workers_[i]); });
            } catch (const std::system_error&) {
                break;  // the started threads take all blocks
            }
        }
        work(*workers_[0]);
        for (std::thread& thread : threads)
            thread.join();
        return conclude();
    }

  private:
    bool prepare(std::uint64_t workers) {
        const std::span<const std::byte> bytes = run_.global.bytes();
        const std::uint64_t bits = run_.global.uninit_bytes() == 0 ? 0 : bytes.size() / 8;
        budget_bytes_ = bytes.size() + workers * bits;
        if (!run_.budget.take(budget_bytes_)) {
            budget_bytes_ = 0;
            return false;
        }
        before_.reset(new (std::nothrow) std::byte[std::max<std::size_t>(bytes.size(), 1)]);
        if (before_ == nullptr) return false;
        std::memcpy(before_.get(), bytes.data(), bytes.size());
        const std::uint64_t left = (run_.budget.limit() - run_.budget.used()) / workers;
        for (std::uint64_t i = 0; i < workers; ++i) {
            workers_.push_back(std::make_unique<Worker>(run_, left));
            if (workers_.back()->global == nullptr) return false;
        }
        constexpr std::uint64_t portions = 16;  // per worker, so that all end at about the same time
        portion_ = std::max<std::uint64_t>(1, (run_.end_block - run_.first_block) / (workers * portions));
        return true;
    }

    void work(Worker& worker) {
        const Progress note = [this, &worker](std::uint64_t) { note_progress(worker); };
        while (!stop_.load(std::memory_order_relaxed)) {
            worker.run.first_block = next_block_.fetch_add(portion_, std::memory_order_relaxed);
            if (worker.run.first_block >= run_.end_block) return;
            worker.run.end_block = std::min(worker.run.first_block + portion_, run_.end_block);
            try {
                RunClock clock = clock_;
                worker.ending = Scheduler(worker.run, schedule_, &stop_, note, clock).run();
            } catch (const std::bad_alloc&) {
                worker.ending = Ending::refused;
            }
            note_progress(worker);
            if (worker.ending != Ending::finished) stop_ = true;
        }
    }

    void note_progress(Worker& worker) {
        const std::uint64_t more = worker.run.warp_instructions - worker.reported;
        worker.reported = worker.run.warp_instructions;
        const std::uint64_t total = executed_.fetch_add(more, std::memory_order_relaxed) + more;
        const bool cancelled = cancel_ != nullptr && cancel_->load(std::memory_order_relaxed);
        if (cancelled || total >= run_.limits.warp_instructions || !worker.problems.all().empty())
            stop_ = true;
        if (&worker == workers_[0].get() && progress_) progress_(total);
    }

    std::optional<Ending> conclude() {
        const auto timed_out = std::find_if(workers_.begin(), workers_.end(), [](const auto& worker) {
            return worker->ending == Ending::timeout;
        });
        const bool quiet = std::all_of(workers_.begin(), workers_.end(), [](const auto& worker) {
            return worker->ending == Ending::finished && worker->problems.all().empty() && !worker->run.fatal;
        });
        if (quiet && next_block_ >= run_.end_block && executed_ < run_.limits.warp_instructions)
            return accept(Ending::finished);
        if (cancel_ != nullptr && cancel_->load()) return accept(Ending::cancelled);
        if (timed_out != workers_.end()) {
            for (const trace::Problem& problem : (*timed_out)->problems.all())
                if (problem.kind == trace::ProblemKind::timeout)
                    if (trace::Problem* known = run_.problems.note(problem.kind, trace::none))
                        *known = problem;
            return accept(Ending::timeout);
        }
        run_.global.restore({before_.get(), run_.global.bytes().size()});
        return std::nullopt;
    }

    Ending accept(Ending ending) {
        for (const auto& worker : workers_) {
            run_.global.merge(*worker->global);
            run_.warp_instructions += worker->run.warp_instructions;
            run_.thread_instructions += worker->run.thread_instructions;
        }
        return ending;
    }

    LaunchContext& run_;
    const Schedule& schedule_;
    const std::atomic<bool>* cancel_;
    const Progress& progress_;
    RunClock& clock_;
    std::uint64_t budget_bytes_ = 0;
    std::unique_ptr<std::byte[]> before_;  // global memory
    std::vector<std::unique_ptr<Worker>> workers_;
    std::uint64_t portion_ = 1;
    std::atomic<std::uint64_t> next_block_{0}, executed_{0};
    std::atomic<bool> stop_{false};
};

}  // namespace

Ending run_blocks(LaunchContext& run, const Schedule& schedule, const std::atomic<bool>* cancel,
                  const Progress& progress, RunClock& clock) {
    if (const std::uint64_t workers = worker_count(run, schedule); workers > 1)
        if (const std::optional<Ending> ending =
                ParallelLaunch(run, schedule, cancel, progress, clock).run(workers))
            return *ending;
    return Scheduler(run, schedule, cancel, progress, clock).run();
}

}  // namespace lanescope::simt
