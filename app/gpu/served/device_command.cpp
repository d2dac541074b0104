#include "gpu/served/device_command.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <utility>

#include "base/child_process.h"
#include "base/folders.h"
#include "base/number_text.h"
#include "base/process.h"
#include "base/worker.h"
#include "gpu/driver/context.h"
#include "gpu/served/frames.h"
#include "gpu/served/machine_device.h"
#include "gpu/served/server.h"
#include "gpu/traced/gpu_trace_device.h"

namespace lanescope::gpu {

namespace {

constexpr std::string_view of_ssh = "ssh:", local_place = "local", descriptors_word = "--descriptors";

Result<std::vector<std::string>> words_for(const std::string& place) {
    if (place == local_place) return std::vector<std::string>{executable_path().string(), "__device"};
    if (!place.starts_with(of_ssh)) return std::vector<std::string>{"/bin/sh", "-c", place};
    if (Result<void> sound = check_place(place); !sound) return sound.diagnostics();
    const std::string host = place.substr(of_ssh.size());
    const char* program = std::getenv("LANESCOPE_REMOTE");
    const std::string name = program != nullptr && *program != 0 ? program : "lanescope";
    return std::vector<std::string>{"ssh", "-T", "--", host, name + " __device"};
}

Result<Wire> start_wire(const std::vector<std::string>& words, Passing passing) {
    Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(words, passing);
    if (!child) return child.diagnostics();
    const std::shared_ptr<ChildProcess> shared = std::move(*child);
    return Wire{shared->output(), shared->input(), shared->passing(), shared,
                [process = shared.get()] { return process->ending(); }};
}

Result<ServedLimits> limits_of_environment() {
    ServedLimits limits;
    const char* text = std::getenv("LANESCOPE_GPU_WAIT");
    if (text == nullptr || *text == 0) return limits;
    char* end = nullptr;
    const double seconds = std::strtod(text, &end);
    constexpr double most = 1e6, per_second = 1000;
    if (*end != 0 || !(seconds > 0) || seconds > most)
        return error("LANESCOPE_GPU_WAIT=" + std::string(text) + " is not a number of seconds",
                     "set it to a number above 0, such as 600");
    limits.begin = std::chrono::milliseconds(static_cast<long long>(seconds * per_second));
    return limits;
}

struct OwnedContext {
    std::unique_ptr<Context> context;
};

// A GPU together with its context, which as a base class outlives the device.
class OwnedGpu : private OwnedContext, public GpuTraceDevice {
  public:
    explicit OwnedGpu(std::unique_ptr<Context> made)
        : OwnedContext{std::move(made)}, GpuTraceDevice(*context) {}
};

Result<std::unique_ptr<TraceDevice>> open_gpu_device() {
    Result<Context> context = Context::create();
    if (!context) return context.diagnostics();
    return std::unique_ptr<TraceDevice>(
        std::make_unique<OwnedGpu>(std::make_unique<Context>(std::move(*context))));
}

}  // namespace

// A name that begins with '-' would be an option of ssh.
Result<void> check_place(const std::string& place) {
    if (place.empty()) return error("--gpu '' names no place", "use local, ssh:HOST or a command");
    if (!place.starts_with(of_ssh)) return {};
    const std::string host = place.substr(of_ssh.size());
    if (host.empty() || host.starts_with('-') || host.find_first_of(" \t\n") != std::string::npos)
        return error("--gpu " + place + " does not name a host", "use ssh:HOST or ssh:USER@HOST");
    return {};
}

namespace {

Result<ServedDevice::Setup> setup_for(const std::string& place, const std::string& program_version,
                                      Passing wanted = Passing::nothing) {
    Result<std::vector<std::string>> words = words_for(place);
    if (!words) return words.diagnostics();
    const Result<ServedLimits> limits = limits_of_environment();
    if (!limits) return limits.diagnostics();
    const bool local = place == local_place;
    const Passing passing = local ? wanted : Passing::nothing;
    if (passing == Passing::descriptors) words->emplace_back(descriptors_word);
    ServedDevice::Setup setup;
    setup.connect = [words = *words, passing] { return start_wire(words, passing); };
    setup.shown = passing == Passing::descriptors ? "GPU" : place;
    setup.program_version = program_version;
    setup.compress = !local;
    setup.limits = *limits;
    return setup;
}

// What comes back must fit into one message.
Result<ProcessOutcome> run_here(const ServedWork& work, const std::atomic<bool>& cancel) {
    constexpr std::uint64_t most_bytes = max_payload_bytes / 4;  // of each stream
    std::vector<std::string> argv{executable_path().string()};
    argv.insert(argv.end(), work.words.begin(), work.words.end());
    return run_process(argv, work.input, work.limit_ms, most_bytes, &cancel);
}

}  // namespace

Result<std::unique_ptr<ServedDevice>> start_served_device(const std::string& place,
                                                          const std::string& program_version) {
    Result<ServedDevice::Setup> setup = setup_for(place, program_version);
    return setup ? ServedDevice::start(std::move(*setup)) : setup.diagnostics();
}

Result<std::unique_ptr<ServedDevice>> make_served_device(const std::string& place,
                                                         const std::string& program_version,
                                                         std::uint64_t share_bytes) {
    Result<ServedDevice::Setup> setup = setup_for(place, program_version, Passing::descriptors);
    if (!setup) return setup.diagnostics();
    setup->share_bytes = share_bytes;
    return ServedDevice::make(std::move(*setup));
}

Result<std::unique_ptr<ServedProgram>> start_served_program(const std::string& place,
                                                            const std::string& program_version) {
    Result<ServedDevice::Setup> setup = setup_for(place, program_version);
    return setup ? ServedProgram::start(std::move(*setup)) : setup.diagnostics();
}

int device_server_main(const std::vector<std::string>& words, const std::string& program_version) {
    constexpr int wrong_usage = 2;
    bool machine = false;
    ServedSide side;
    for (const std::string& word : words) {
        if (word == "--machine") {
            machine = true;
        } else if (word == descriptors_word) {
            side.passing = passing_socket;
        } else {
            std::cerr << "lanescope __device: unknown word '" << word << "'; leave it out\n";
            return wrong_usage;
        }
    }
    const WorkerStreams streams;
    side.out = streams.out();
    side.in = STDIN_FILENO;
    side.program_version = program_version;
    side.work = run_here;
    side.give_up = [] { ::_exit(1); };
    side.open = machine
                    ? [] { return Result<std::unique_ptr<TraceDevice>>(std::make_unique<MachineDevice>()); }
                    : std::function(open_gpu_device);
    const Result<void> served = serve_device(side);
    if (!served) std::cerr << "lanescope __device: " << to_text(served.diagnostics());
    return served ? 0 : 1;
}

}  // namespace lanescope::gpu
