// Runs of the open file: on the CPU machine, on a device, under all schedules.
#include <utility>

#include "session/state.h"
#include "trace/io.h"

namespace lanescope::session {

RunRequest Session::State::request() const {
    RunRequest request;
    request.file = path.string();
    request.source = source;
    request.parameters = overrides;
    request.code = code;
    request.schedule = schedule;
    return request;
}

// The program is another one now: what was found out about its schedules, and turns of its threads, are void.
void Session::State::start_changed_run() {
    jobs.cancel(explore_tag);
    exploration.reset();
    if (schedule.kind == simt::Schedule::Kind::threads) schedule = {};
    chosen.reset();
    start_run();
}

void Session::State::start_exploring() {
    exploration.reset();
    jobs.start(explore_tag, [this, request = request()](JobContext& context) -> Jobs::Completion {
        auto found = std::make_shared<Result<Exploration>>(
            explore(request, {}, &context.cancel_flag(), [&](float share) { context.report(share); }));
        return [this, found] {
            if (*found)
                exploration = std::make_unique<Exploration>(std::move(**found));
            else
                diagnostics = found->diagnostics();
        };
    });
}

void Session::State::start_run() {
    if (path.empty() || trace::is_trace_name(path)) return;  // a schedule may be set before a file is opened
    device_outdated = device_busy;
    if (on_gpu) return start_run_on_device();
    jobs.start(run_tag,
               [this, request = request(), block = selection.block,
                wanted = granularity](JobContext& context) -> Jobs::Completion {
                   Result<RunResult> result =
                       execute(request, &context.cancel_flag(), [&](float share) { context.report(share); });
                   if (!result) return [this, why = result.diagnostics()] { diagnostics = why; };
                   auto prepared = std::make_shared<PreparedTrace>(std::move(*result), block, wanted);
                   return [this, prepared] { adopt(std::move(*prepared)); };
               });
}

// One at a time: CUDA cannot stop a kernel, and its buffers are in use until it has ended.
void Session::State::start_run_on_device() {
    jobs.cancel(run_tag);
    if (device_busy) return;  // end_run_on_device() starts it
    const Result<gpu::TraceDevice*> device = source_of_devices->begin_run();
    if (!device) {  // the last good run stays
        on_gpu = false;
        diagnostics = device.diagnostics();
        return;
    }
    RunRequest wanted = request();
    wanted.device = *device;
    wanted.schedule = {};
    wanted.limits.seconds = 10;
    device_busy = true;
    jobs.start(device_tag, [this, wanted](JobContext& context) -> Jobs::Completion {
        auto result = std::make_shared<Result<RunResult>>(
            execute_on_device(wanted, &context.cancel_flag(), [&](float share) { context.report(share); }));
        return [this, result] { end_run_on_device(std::move(*result)); };
    });
}

void Session::State::end_run_on_device(Result<RunResult> result) {
    const bool outdated = std::exchange(device_outdated, false);
    device_busy = false;
    source_of_devices->end_run(result && !outdated ? &*result : nullptr);
    if (outdated) {
        if (on_gpu) start_run_on_device();
        return;
    }
    if (!result) on_gpu = false;
    finish_run(std::move(result));
}

// The run on the device cannot be stopped; what comes out of it is not wanted any more.
void Session::State::cancel_run() {
    jobs.cancel(run_tag);
    jobs.cancel(open_tag);
    stop_counting();
    if (!device_busy) return;
    device_outdated = true;
    on_gpu = false;
}

void Session::State::use_gpu(bool wanted) {
    if (wanted == on_gpu) return;
    if (wanted && source_of_devices == nullptr) {
        diagnostics = {error("there is no GPU engine here")};
        return;
    }
    Snapshot before = snapshot();
    on_gpu = wanted;
    start_run();
    if (on_gpu == wanted)  // the GPU is there
        history.remember(std::move(before), wanted ? "the GPU as the engine" : "the CPU as the engine");
}

PreparedTrace Session::State::prepare(RunResult result) const {
    return {std::move(result), selection.block, granularity};
}

void Session::State::finish_run(Result<RunResult> result) {
    if (!result) {
        diagnostics = result.diagnostics();
        return;
    }
    adopt(prepare(std::move(*result)));
}

}  // namespace lanescope::session
