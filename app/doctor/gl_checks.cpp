#include <cstdlib>
#include <span>
#include <vector>

#include "doctor/checks.h"
#include "gpu/clean/trial.h"
#include "gpu/interop/interop.h"
#include "render/headless.h"
#include "render/storage_buffer.h"
#include "render/window.h"

namespace lanescope::doctor {

namespace {

// A kernel writes into a buffer of the current OpenGL context; OpenGL reads it back.
Result<void> try_interop(const std::string& ptx) {
    Result<std::shared_ptr<const gpu::Driver>> driver = gpu::Driver::open();
    if (!driver) return driver.diagnostics();
    const Result<int> ordinal = gpu::interop_device(**driver);
    if (!ordinal) return ordinal.diagnostics();
    const Result<gpu::Context> context = gpu::Context::create(*driver, *ordinal);
    if (!context) return context.diagnostics();
    const Result<gpu::Trial> trial = gpu::Trial::load(*context, ptx);
    if (!trial) return trial.diagnostics();

    std::vector<std::uint32_t> numbers(1 << 16);
    Result<render::StorageBuffer> buffer =
        render::StorageBuffer::create(numbers.size() * sizeof(std::uint32_t));
    if (!buffer) return buffer.diagnostics();
    if (const Result<void> cleared = buffer->write(std::as_bytes(std::span(numbers))); !cleared)
        return cleared;
    Result<gpu::GlBuffer> shared = gpu::GlBuffer::register_buffer(*context, buffer->number());
    if (!shared) return shared.diagnostics();
    const Result<gpu::GlBuffer::Mapping> mapping = shared->map(context->stream());
    if (!mapping) return mapping.diagnostics();
    if (mapping->size_bytes != buffer->size_bytes())
        return error("a mapped OpenGL buffer has the wrong size: " + std::to_string(mapping->size_bytes));
    if (const Result<void> ran = trial->write(mapping->address, static_cast<std::uint32_t>(numbers.size()));
        !ran)
        return ran;
    if (const Result<void> unmapped = shared->unmap(context->stream()); !unmapped) return unmapped;
    if (const Result<void> read = buffer->read(std::as_writable_bytes(std::span(numbers))); !read)
        return read;
    return gpu::Trial::compare(numbers);
}

// Checks interoperation with the current OpenGL context.
void check_interop(Report& report, const std::string& where, const std::optional<std::string>& ptx) {
    const std::string name = "interop_" + where;
    const std::string label = "CUDA and OpenGL (" + where + ")";
    if (report.verdict() == Verdict::no_gpu || !ptx) {
        const char* why =
            ptx ? "not tried without a usable GPU" : "not tried because the compiler does not work";
        report.checks.push_back({name, label, Status::absent, why, ""});
        return;
    }
    report.checks.push_back(checked(name, label, try_interop(*ptx),
                                    "a kernel wrote into an OpenGL buffer and OpenGL read the same values"));
}

std::string described(const render::GlDevice& device) {
    return device.renderer + ", OpenGL " + device.version + (device.software ? " (drawn by the CPU)" : "");
}

std::string display_state() {
    std::string text;
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        const char* value = std::getenv(name);
        text += (text.empty() ? "$" : ", $") + std::string(name) +
                (value && *value ? " is " + std::string(value) : " is not set");
    }
    return text;
}

bool has_display() {
    const char *x11 = std::getenv("DISPLAY"), *wayland = std::getenv("WAYLAND_DISPLAY");
    return (x11 && *x11) || (wayland && *wayland);
}

void check_headless(Report& report, const std::optional<std::string>& ptx) {
    const Result<render::HeadlessContext> context = render::HeadlessContext::create();
    if (!context) {
        report.gl.push_back({"headless", std::nullopt, context.diagnostics().front().message});
        report.checks.push_back(checked("opengl", "OpenGL", context.diagnostics(), ""));
        return;
    }
    report.gl.push_back({"headless", context->device(), ""});
    report.checks.push_back(checked("opengl", "OpenGL", {}, described(context->device())));
    check_interop(report, "headless", ptx);
}

void check_window(Report& report, const std::optional<std::string>& ptx) {
    if (!has_display()) {
        report.gl.push_back({"window", std::nullopt, "no display: " + display_state()});
        report.checks.push_back({"window", "Window", Status::absent,
                                 "no display (" + display_state() + "); lanescope render draws without one",
                                 ""});
        return;
    }
    const Result<render::Window> window =
        render::Window::open("Lanescope", {320, 240}, render::Visibility::hidden);
    if (!window) {
        report.gl.push_back({"window", std::nullopt, window.diagnostics().front().message});
        report.checks.push_back(checked("window", "Window", window.diagnostics(), ""));
        return;
    }
    report.gl.push_back({"window", window->device(), ""});
    report.checks.push_back(
        checked("window", "Window", {}, described(window->device()) + "; " + display_state()));
    check_interop(report, "window", ptx);
}

}  // namespace

void check_gl(Report& report, const std::optional<std::string>& ptx) {
    check_headless(report, ptx);
    check_window(report, ptx);
}

}  // namespace lanescope::doctor
