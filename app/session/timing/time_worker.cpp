// The process that times one file at its sizes: it writes one line of JSON for the device, and one for each
// size. It ends at the first size that fails, because the context may be unusable then; time_files() starts
// another process for the sizes that are left.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"
#include "execution/run/clean_program.h"
#include "execution/run/launch_arguments.h"
#include "gpu/clean/clean_run.h"
#include "gpu/clean/clocks.h"
#include "gpu/clean/empty_launch.h"
#include "gpu/counted/range_counter.h"
#include "gpu/peers/peer.h"
#include "gpu/sampled/sampler.h"
#include "session/timing/time_files.h"
#include "session/timing/time_parcel.h"

namespace lanescope::session {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t max_buffer_bytes = 64ull << 30;
constexpr std::uint64_t ceiling_bytes = 512ull << 20;

// Writes where standard output was, and discards what kernels print, which must not get between the lines.
class Lines {
  public:
    Lines() : out_(dup(STDOUT_FILENO)) {
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    }
    void write(const nlohmann::ordered_json& json) const {
        const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
        for (std::size_t at = 0; at < line.size();) {
            const ssize_t count = ::write(out_, line.data() + at, line.size() - at);
            if (count <= 0) return;
            at += static_cast<std::size_t>(count);
        }
    }

  private:
    int out_;
};

// Held while something is timed: processes of this program that run at the same time take turns on the GPU,
// and only their work on the host overlaps.
class Turn {
  public:
    explicit Turn(int device) {
        const Result<std::filesystem::path> folder = cache_folder();
        if (!folder) return;
        const std::string path = (*folder / ("gpu-" + std::to_string(device) + ".lock")).string();
        file_ = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~Turn() {
        if (file_ >= 0) close(file_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    int file_ = -1;
};

// Bytes read and written per second by the driver's own copy within the device.
Result<double> copy_ceiling(gpu::Context& context, std::uint64_t bytes) {
    Result<gpu::DeviceBuffer> from = gpu::DeviceBuffer::allocate(context, bytes);
    if (!from) return from.diagnostics();
    Result<gpu::DeviceBuffer> to = gpu::DeviceBuffer::allocate(context, bytes);
    if (!to) return to.diagnostics();
    if (Result<void> filled = from->fill(std::byte{1}); !filled) return filled.diagnostics();
    gpu::Work work;
    work.launch = [&](std::size_t) {
        return context.check(
            context.driver().memcpy_dtod_async(to->address(), from->address(), bytes, context.stream()),
            "copying on the GPU");
    };
    const Result<gpu::Timing> timing = gpu::measure(context, work);
    if (!timing) return timing.diagnostics();
    return 2 * static_cast<double>(bytes) / timing->median_ms / 1e6;
}

Result<TimedDevice> describe(gpu::Context& context) {
    const Turn turn(context.device().ordinal);
    TimedDevice device;
    const gpu::DeviceFacts& facts = context.device();
    device.name = facts.name;
    device.compute_capability =
        std::to_string(facts.compute_capability / 10) + "." + std::to_string(facts.compute_capability % 10);
    device.multiprocessors = facts.sm_count;
    device.l2_bytes = facts.l2_bytes;
    device.driver = facts.driver;
    std::size_t free_bytes = 0, all_bytes = 0;
    context.driver().mem_get_info(&free_bytes, &all_bytes);
    device.copy_bytes = std::min<std::uint64_t>(ceiling_bytes, free_bytes / 4);
    const Result<double> copy = copy_ceiling(context, device.copy_bytes);
    if (!copy) return copy.diagnostics();
    device.copy_gb_per_s = *copy;
    const Result<gpu::Timing> empty = gpu::time_empty_launch(context);
    if (!empty) return empty.diagnostics();
    device.empty_launch_ms = empty->median_ms;
    // Read after some work, because an idle GPU clocks down.
    const gpu::Clocks clocks = gpu::read_clocks(context);
    device.sm_mhz = clocks.sm_mhz;
    device.memory_mhz = clocks.memory_mhz;
    device.max_sm_mhz = clocks.max_sm_mhz;
    device.max_memory_mhz = clocks.max_memory_mhz;
    device.clock_source = clocks.source;
    return device;
}

struct CostSource {
    lesson::Cost cost;
    std::string file;  // the file that states it
};

CostSource cost_source(const Json& json) {
    const auto expression = [](const Json& each) {
        return lesson::Expression{each.at("text").get<std::string>(), each.at("line").get<int>(),
                                  each.at("column").get<int>()};
    };
    lesson::Cost cost;
    cost.bytes = expression(json.at("bytes"));
    cost.operations = expression(json.at("operations"));
    cost.peer = json.at("peer").get<std::string>();
    return {std::move(cost), json.at("file").get<std::string>()};
}

gpu::PeerRequest peer_request(const std::string& name, const lesson::Instance& instance) {
    gpu::PeerRequest request;
    request.name = name;
    request.parameters = instance.parameters;
    for (const lesson::BufferInstance& buffer : instance.buffers) {
        if (!buffer.initialised || buffer.space != "global") continue;
        request.n = buffer.count;
        request.element = buffer.type;
        request.input = buffer.contents;
        request.input_bytes = buffer.contents.size();
        if (buffer.extents.size() == 2) request.rows = buffer.extents[0], request.columns = buffer.extents[1];
        break;
    }
    for (const lesson::Expectation& expectation : instance.front.expectations)
        for (const lesson::BufferInstance& buffer : instance.buffers)
            if (request.results == 0 && buffer.name == expectation.buffer) request.results = buffer.count;
    return request;
}

// Times one file in one context.
class FileTimer {
  public:
    FileTimer(gpu::Context& context, const Json& request, double copy_gb_per_s, const Lines& lines)
        : context_(context),
          lines_(lines),
          file_(request.at("file").get<std::string>()),
          source_(request.at("source").get<std::string>()),
          shown_(request.at("shown").get<std::string>()),
          peers_(request.at("peers").get<bool>()),
          copy_gb_per_s_(copy_gb_per_s),
          cost_(cost_source(request.at("cost"))),
          packed_(request.at("parcel")) {
        options_.runs = request.at("runs").get<int>();
        opening_.flags.include_folders = request.at("include_folders").get<std::vector<std::string>>();
        opening_.flags.definitions = request.at("definitions").get<std::vector<std::string>>();
        opening_.flags.standard = request.at("standard").get<std::string>();
        opening_.kernel = request.at("kernel").get<std::string>();
        opening_.launch.grid = request.at("grid").get<std::string>();
        opening_.launch.block = request.at("block").get<std::string>();
        opening_.launch.shared = request.at("shared").get<std::string>();
        opening_.launch.counts = request.at("counts").get<std::vector<std::string>>();
        opening_.launch.fills = request.at("fills").get<std::vector<std::string>>();
        options_.run_limit_s = request.at("run_limit_s").get<double>();
    }

    Result<void> load() {
        if (!packed_.is_null()) return unpack();
        bool proposed = false;
        Result<lesson::FrontMatter> front = execution::front_matter_of(source_, file_, opening_, proposed);
        if (!front) return front.diagnostics();
        front_ = std::move(*front);
        if (proposed) notes_.emplace_back(proposed_note);
        Result<execution::CleanCode> code = execution::compile_clean(
            source_, file_, front_, "sm_" + std::to_string(context_.device().compute_capability),
            opening_.flags);
        if (!code) return code.diagnostics();
        code_ = std::move(*code);
        return {};
    }

    TimingRecord time(const lesson::ParameterValues& point) {
        TimingRecord record;
        record.file = shown_;
        record.parameters = point;
        record.expected_problems = front_.expected_problems;
        record.notes = notes_;
        record.copy_gb_per_s = copy_gb_per_s_;
        // Nothing can be cleaned up while a kernel runs on: the process writes the record and ends.
        options_.stuck = [&](const std::string& words) {
            record.error = words;
            lines_.write({{"timing", to_json(record)}});
            _exit(0);
        };
        if (const Result<void> timed = fill(record); !timed) {
            std::string words = to_text(timed.diagnostics());
            while (!words.empty() && words.back() == '\n')
                words.pop_back();
            record.error = words.starts_with("error: ") ? words.substr(7) : words;
        }
        return record;
    }

    // Runs further times while program counters are sampled. `milliseconds`: of one run.
    Result<LineTimes> sample(const lesson::ParameterValues& point, double milliseconds) {
        const Result<lesson::Instance> instance = instance_at(point);
        if (!instance) return instance.diagnostics();
        std::vector<std::string> notes;
        const Result<gpu::CleanProgram> program = execution::clean_program(code_, *instance, file_, notes);
        if (!program) return program.diagnostics();
        options_.stuck = [&](const std::string& words) {
            lines_.write({{"failed", words}});
            _exit(0);
        };
        const Turn turn(context_.device().ordinal);
        const double all_ms = milliseconds * sampled_runs;
        Result<gpu::Sampler> sampler = gpu::Sampler::start(
            context_, gpu::period_for(all_ms, context_.device().sm_count, wanted_samples));
        if (!sampler) return sampler.diagnostics();
        Result<gpu::CleanRun> clean = gpu::CleanRun::make(context_, *program);
        if (!clean) return clean.diagnostics();
        gpu::MeasureOptions options = options_;
        options.runs = sampled_runs;
        options.warm_up = 1;
        const Result<gpu::Timing> ran = clean->measure(options);
        if (!ran) return ran.diagnostics();
        const Result<gpu::Samples> samples = sampler->stop(program->cubin);
        if (!samples) return samples.diagnostics();
        if (samples->taken == 0)
            return error("no sample was taken in the kernels (" + std::to_string(samples->seen) +
                         " in all, " + std::to_string(samples->elsewhere) + " in the driver's kernels, " +
                         std::to_string(samples->dropped) + " lost)");
        return line_times(*samples, file_);
    }

    // Runs once more while the profiler counts, which repeats each launch.
    Result<CounterComparison> count(const lesson::ParameterValues& point) {
        const Result<lesson::Instance> instance = instance_at(point);
        if (!instance) return instance.diagnostics();
        std::vector<std::string> notes, kernels;
        const Result<gpu::CleanProgram> program = execution::clean_program(code_, *instance, file_, notes);
        if (!program) return program.diagnostics();
        for (const gpu::CleanLaunch& launch : program->launches)
            kernels.push_back(launch.label);
        if (kernels.size() > most_counted_launches)
            return error("counters are read for at most " + std::to_string(most_counted_launches) +
                             " launches, and this file has " + std::to_string(kernels.size()),
                         "set parameters that need fewer");
        options_.stuck = [&](const std::string& words) {
            lines_.write({{"failed", words}});
            _exit(0);
        };
        const Turn turn(context_.device().ordinal);
        Result<gpu::CleanRun> clean = gpu::CleanRun::make(context_, *program);
        if (!clean) return clean.diagnostics();
        const std::vector<std::string> counters = counter_names();
        Result<gpu::RangeCounter> counter = gpu::RangeCounter::start(context_, counters, kernels.size());
        if (!counter) return counter.diagnostics();
        if (const Result<void> ran = clean->run_once(options_); !ran) return ran.diagnostics();
        const Result<std::vector<gpu::CounterValues>> values = counter->stop();
        if (!values) return values.diagnostics();
        return measured_counters(*values, kernels, counter->passes());
    }

  private:
    static constexpr const char* proposed_note = "the launch was proposed: the file has no front matter";
    static constexpr int sampled_runs = 21;
    static constexpr double wanted_samples = 400'000;

    // The file and its code from the request.
    Result<void> unpack() {
        Result<TimeParcel> parcel = time_parcel_of(packed_, file_);
        if (!parcel) return parcel.diagnostics();
        parcel_ = std::move(*parcel);
        Result<lesson::FrontMatter> front = lesson::parse_front_matter(parcel_.source, file_);
        if (!front) return front.diagnostics();
        front_ = std::move(*front);
        code_ = std::move(parcel_.code);
        if (parcel_.proposed) notes_.emplace_back(proposed_note);
        return {};
    }

    Result<lesson::Instance> instance_at(const lesson::ParameterValues& point) const {
        return instantiate(parcel_, front_, point, file_, max_buffer_bytes);
    }

    Result<void> fill(TimingRecord& record) {
        Result<lesson::Instance> instance = instance_at(record.parameters);
        if (!instance) return instance.diagnostics();
        record.parameters = instance->parameters;
        record.launches = instance->launches.size();
        const Result<lesson::CostAmounts> cost = lesson::cost_of(cost_.cost, *instance, cost_.file);
        if (!cost) return cost.diagnostics();
        record.bytes = cost->bytes;
        record.operations = cost->operations;
        if (Result<void> timed = run(*instance, record); !timed) return timed;
        // PyTorch is timed by tests/timings/pytorch.py: it stands only in recordings.
        if (peers_ && !cost_.cost.peer.empty() && !cost_.cost.peer.starts_with("pytorch_"))
            record.peer = time_peer(cost_.cost.peer, *instance);
        return {};
    }

    Result<void> run(const lesson::Instance& instance, TimingRecord& record) {
        const Result<gpu::CleanProgram> program =
            execution::clean_program(code_, instance, file_, record.notes);
        if (!program) return program.diagnostics();
        Result<lesson::Results> results = measured(*program, instance, record);
        if (!results) return results.diagnostics();
        return check(instance, *results, record);
    }

    // Returns the contents of the checked buffers after the last timed run. A GPU does not report what was
    // written; bytes that were not written hold a pattern.
    Result<lesson::Results> measured(const gpu::CleanProgram& program, const lesson::Instance& instance,
                                     TimingRecord& record) const {
        const Turn turn(context_.device().ordinal);
        Result<gpu::CleanRun> clean = gpu::CleanRun::make(context_, program);
        if (!clean) return clean.diagnostics();
        const Result<gpu::Timing> timing = clean->measure(options_);
        if (!timing) return timing.diagnostics();
        record.timing = *timing;
        record.restored = clean->restores();
        Result<std::vector<gpu::LaunchOccupancy>> occupancy = clean->occupancy();
        if (!occupancy) return occupancy.diagnostics();
        record.occupancy = std::move(*occupancy);
        lesson::Results results;
        for (std::size_t i = 0; i < instance.buffers.size(); ++i) {
            const std::string& name = instance.buffers[i].name;
            // A reference may use what a launch wrote into a buffer without initial contents.
            const auto checks = [&](const lesson::Expectation& each) {
                return each.buffer == name ||
                       (!instance.buffers[i].initialised && each.equals.text.find(name) != std::string::npos);
            };
            const auto& expected = instance.front.expectations;
            if (std::none_of(expected.begin(), expected.end(), checks)) continue;
            Result<std::vector<std::byte>> contents = clean->result(i);
            if (!contents) return contents.diagnostics();
            results[name].contents = std::move(*contents);
        }
        return results;
    }

    Result<void> check(const lesson::Instance& instance, const lesson::Results& results,
                       TimingRecord& record) const {
        const Result<std::vector<lesson::ExpectOutcome>> outcomes = lesson::check(instance, results, file_);
        if (!outcomes) return outcomes.diagnostics();
        record.checked = outcomes->empty() ? TimingRecord::Checked::none : TimingRecord::Checked::ok;
        for (const lesson::ExpectOutcome& outcome : *outcomes)
            if (!outcome.ok && record.mismatch.empty()) {
                record.checked = TimingRecord::Checked::wrong;
                record.mismatch = outcome.mismatch;
            }
        return {};
    }

    PeerRecord time_peer(const std::string& name, const lesson::Instance& instance) {
        PeerRecord peer;
        peer.name = name;
        const Turn turn(context_.device().ordinal);
        const Result<gpu::PeerTiming> timed =
            gpu::time_peer(context_, peer_request(name, instance), options_);
        if (!timed) {
            peer.error = timed.diagnostics().front().message;
            return peer;
        }
        peer.library = timed->library;
        peer.timing = timed->timing;
        peer.bytes = timed->bytes;
        return peer;
    }

    gpu::Context& context_;
    const Lines& lines_;
    std::string file_, source_, shown_;  // the source is empty if there is a parcel
    execution::Opening opening_;
    bool peers_;
    double copy_gb_per_s_;
    CostSource cost_;
    const Json& packed_;  // null: the file is here
    gpu::MeasureOptions options_;
    lesson::FrontMatter front_;
    TimeParcel parcel_;
    execution::CleanCode code_;
    std::vector<std::string> notes_;
};

void work(const Json& request, const Lines& lines) {
    const auto failed = [&](const Diagnostics& problems) { lines.write({{"failed", to_text(problems)}}); };
    Result<gpu::Context> context = gpu::Context::create(request.at("device").get<int>());
    if (!context) return failed(context.diagnostics());
    if (request.contains("ask"))
        return lines.write({{"compute_capability", context->device().compute_capability}});
    if (request.contains("sample_ms")) {
        FileTimer timer(*context, request, 0, lines);
        if (const Result<void> loaded = timer.load(); !loaded) return failed(loaded.diagnostics());
        const Result<LineTimes> sampled = timer.sample(
            request.at("points").at(0).get<lesson::ParameterValues>(), request["sample_ms"].get<double>());
        if (!sampled) return failed(sampled.diagnostics());
        return lines.write({{"lines", to_json(*sampled)}});
    }
    if (request.contains("count")) {
        FileTimer timer(*context, request, 0, lines);
        if (const Result<void> loaded = timer.load(); !loaded) return failed(loaded.diagnostics());
        const Result<CounterComparison> counted =
            timer.count(request.at("points").at(0).get<lesson::ParameterValues>());
        if (!counted) return failed(counted.diagnostics());
        return lines.write({{"counters", to_json(*counted)}});
    }
    Result<TimedDevice> device = describe(*context);
    if (!device) return failed(device.diagnostics());
    lines.write({{"device", to_json(*device)}});
    FileTimer timer(*context, request, device->copy_gb_per_s, lines);
    if (const Result<void> loaded = timer.load(); !loaded) return failed(loaded.diagnostics());
    for (const Json& point : request.at("points")) {
        const TimingRecord record = timer.time(point.get<lesson::ParameterValues>());
        lines.write({{"timing", to_json(record)}});
        if (!record.timed()) return;
    }
}

}  // namespace

int time_worker_main() {
    const Lines lines;
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const Json request = Json::from_msgpack(text, true, false);
    if (!request.is_object()) return 2;
    work(request, lines);
    // Skips every destructor: a kernel that never ends would hold them up, but not the end of the process.
    _exit(0);
}

}  // namespace lanescope::session
