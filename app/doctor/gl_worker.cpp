#include "doctor/gl_worker.h"

#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <vector>

#include "base/folders.h"
#include "base/process.h"
#include "gpu/served/device_command.h"
#include "render/buffer.h"
#include "render/headless.h"
#include "render/window.h"

namespace lanescope::doctor {

namespace {

using Json = nlohmann::ordered_json;

constexpr int timeout_ms = 60'000;
constexpr std::uint64_t most_output = 1 << 20;

// Another process fills memory of the GPU; the current OpenGL context opens and reads it.
Result<void> try_shared() {
    constexpr std::uint64_t size_bytes = 64ull << 20;
    constexpr std::byte value{0x5a};
    const Result<std::unique_ptr<gpu::ServedDevice>> device =
        gpu::make_served_device("local", LANESCOPE_VERSION, size_bytes);
    if (!device) return device.diagnostics();
    if (const Result<void> opened = (*device)->open(nullptr); !opened) return opened;
    const std::shared_ptr<const gpu::ExportedMemory> shared = (*device)->shared();
    if (!shared) return error((*device)->why_not_shared());
    const Result<render::Buffer> buffer =
        render::Buffer::import(shared->descriptor, shared->size_bytes, shared->device, "shared memory");
    if (!buffer) return buffer.diagnostics();
    std::vector<std::byte> read(1 << 20);
    const Result<std::uint64_t> at = (*device)->records(read.size());
    if (!at) return at.diagnostics();
    if (const Result<void> filled = (*device)->fill(*at, read.size(), value); !filled) return filled;
    if (const Result<void> waited = (*device)->read(*at, std::span(read).first(1)); !waited) return waited;
    buffer->read(0, read);
    for (const std::byte each : read)
        if (each != value) return error("OpenGL read other values than CUDA had written");
    return {};
}

Json json_of(const Result<void>& result) {
    if (result) return {{"ok", true}};
    const Diagnostics& why = result.diagnostics();
    return {{"ok", false},
            {"message", why.empty() ? "failed without saying why" : why.front().message},
            {"hint", why.empty() ? "" : why.front().hint}};
}

Result<void> outcome_of(const Json& json) {
    if (json.value("ok", false)) return {};
    return error(json.value("message", std::string("failed without saying why")),
                 json.value("hint", std::string()));
}

// Each answer is a line of its own: if the process crashes while it tries to share memory, the device is
// known.
void print(const Json& json) {
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void print_device(const render::GlDevice& device) {
    print({{"ok", true},
           {"vendor", device.vendor},
           {"renderer", device.renderer},
           {"version", device.version},
           {"reached_through", device.reached_through},
           {"software", device.software}});
}

template <class Context>
void answer(const Result<Context>& context, bool with_gpu) {
    if (!context) return print(json_of(Result<void>(context.diagnostics())));
    print_device(context->device());
    if (with_gpu) print(json_of(try_shared()));
}

std::string ending_of(const ProcessOutcome& outcome) {
    if (outcome.timed_out) return "did not end within " + std::to_string(timeout_ms / 1000) + " s";
    if (outcome.too_much_output) return "printed too much";
    if (outcome.signal != 0) return "ended with signal " + std::to_string(outcome.signal);
    return "ended with status " + std::to_string(outcome.exit_code) + " and without an answer";
}

}  // namespace

GlAnswer try_gl(GlPlace place, bool with_gpu) {
    const Json request{{"window", place == GlPlace::window}, {"gpu", with_gpu}};
    const Result<ProcessOutcome> outcome =
        run_process({executable_path().string(), "__doctor_gl"}, request.dump(), timeout_ms, most_output);
    if (!outcome) return GlAnswer{outcome.diagnostics(), {}};
    std::istringstream lines(outcome->out);
    const auto next = [&] {
        std::string line;
        std::getline(lines, line);
        return Json::parse(line, nullptr, false);
    };
    const Json device = next();
    if (!device.is_object())
        return GlAnswer{error("the check of OpenGL " + ending_of(*outcome)), std::nullopt};
    if (const Result<void> made = outcome_of(device); !made) return GlAnswer{made.diagnostics(), {}};
    GlAnswer answer{render::GlDevice{device.value("vendor", ""), device.value("renderer", ""),
                                     device.value("version", ""), device.value("reached_through", ""),
                                     device.value("software", false)},
                    {}};
    if (!with_gpu) return answer;
    const Json tried = next();
    answer.shared =
        tried.is_object() ? outcome_of(tried) : Result<void>(error("the process " + ending_of(*outcome)));
    return answer;
}

int gl_worker_main() {
    const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    const Json request = Json::parse(input, nullptr, false);
    if (!request.is_object()) return 2;
    const bool with_gpu = request.value("gpu", false);
    if (request.value("window", false))
        answer(render::Window::open("Lanescope", {320, 240}, render::Visibility::hidden), with_gpu);
    else
        answer(render::HeadlessContext::create(), with_gpu);
    return 0;
}

}  // namespace lanescope::doctor
