// Times the kernels of files on the GPU of this machine, clean (optimised code) and traced.
//   traced_slowdown [--clean] FILE.cu[,name=value…]…
// Prints one line for each file: name, milliseconds clean (median of 11 runs), milliseconds traced, records.
// With --clean nothing is traced; under another tool, the clean time is then the time under that tool.
#include <iostream>
#include <sstream>

#include "base/files.h"
#include "compile/compiler.h"
#include "execution/run/clean_program.h"
#include "execution/run/launch_arguments.h"
#include "execution/run/run.h"
#include "gpu/traced/gpu_trace_device.h"

using namespace lanescope;

namespace {

struct Asked {
    std::string file;
    lesson::ParameterValues parameters;
};

Asked asked_of(const std::string& text) {
    Asked asked;
    std::istringstream parts(text);
    std::getline(parts, asked.file, ',');
    for (std::string part; std::getline(parts, part, ',');)
        if (const auto setting = lesson::parse_setting(part))
            asked.parameters[setting->first] = setting->second;
    return asked;
}

Result<double> clean_ms(gpu::Context& context, const Asked& asked, const std::string& source) {
    bool proposed = false;
    const Result<lesson::FrontMatter> front = execution::front_matter_of(source, asked.file, {}, proposed);
    if (!front) return front.diagnostics();
    const Result<lesson::Instance> instance = lesson::instantiate(*front, asked.parameters, asked.file);
    if (!instance) return instance.diagnostics();
    const std::string target = "sm_" + std::to_string(context.device().compute_capability);
    const Result<execution::CleanCode> code = execution::compile_clean(source, asked.file, *front, target);
    if (!code) return code.diagnostics();
    std::vector<std::string> notes;
    const Result<gpu::CleanProgram> program = execution::clean_program(*code, *instance, asked.file, notes);
    if (!program) return program.diagnostics();
    Result<gpu::CleanRun> run = gpu::CleanRun::make(context, *program);
    if (!run) return run.diagnostics();
    const Result<gpu::Timing> timing = run->measure({});
    if (!timing) return timing.diagnostics();
    return timing->median_ms;
}

// Sums the times of all launches, without the work of the host between them.
class SummingDevice : public gpu::GpuTraceDevice {
  public:
    using gpu::GpuTraceDevice::GpuTraceDevice;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override {
        Result<Ran> ran = gpu::GpuTraceDevice::launch(request, seconds, cancel, console);
        if (++launches % 2 == 0) traced_ms += last_launch_ms();  // the other run only counts records
        return ran;
    }
    int launches = 0;
    double traced_ms = 0;
};

Result<void> report(gpu::Context& context, const Asked& asked, bool only_clean) {
    const Result<std::string> source = read_text_file(asked.file);
    if (!source) return source.diagnostics();
    const Result<double> clean = clean_ms(context, asked, *source);
    if (!clean) return clean.diagnostics();
    std::cout << asked.file << " clean_ms " << *clean;
    if (!only_clean) {
        SummingDevice device(context);
        execution::RunRequest request;
        request.file = asked.file;
        request.source = *source;
        request.parameters = asked.parameters;
        request.recorded_blocks = {0};  // blocks of the trace; the device records all blocks that fit
        request.device = &device;
        const Result<execution::RunResult> run = execution::execute(request);
        if (!run) return run.diagnostics();
        std::uint64_t records = 0;
        for (const std::uint32_t each : run->device_records->counts)
            records += each;
        std::cout << " traced_ms " << device.traced_ms << " records " << records << " blocks "
                  << run->device_records->blocks.size() << " threads " << run->device_records->threads();
    }
    std::cout << std::endl;
    return {};
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::string_view(arguments[1]) == "__compile") return compile::compile_worker_main();
    Result<gpu::Context> context = gpu::Context::create();
    if (!context) return std::cerr << to_text(context.diagnostics()), 3;
    bool only_clean = false;
    for (int i = 1; i < count; ++i) {
        if (std::string_view(arguments[i]) == "--clean") {
            only_clean = true;
            continue;
        }
        if (const Result<void> done = report(*context, asked_of(arguments[i]), only_clean); !done)
            std::cout << arguments[i] << ": " << to_text(done.diagnostics());
    }
}
