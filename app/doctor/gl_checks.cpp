#include <cstdlib>

#include "doctor/checks.h"
#include "doctor/gl_worker.h"

namespace lanescope::doctor {

namespace {

// Without it records and pictures are copied through the host, which is slower, but no failure.
void add_shared(Report& report, const std::string& where, const GlAnswer& answer) {
    if (!answer.shared) return;
    const std::string name = "shared_" + where, label = "Records drawn in place (" + where + ")";
    if (*answer.shared)
        report.checks.push_back(
            {name, label, Status::works,
             "a process with CUDA wrote into shared memory and OpenGL read the same values", ""});
    else
        report.checks.push_back(
            {name, label, Status::absent,
             "records are copied through the host: " + answer.shared->diagnostics().front().message, ""});
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

void check_headless(Report& report) {
    const GlAnswer answer = try_gl(GlPlace::headless, report.verdict() != Verdict::no_gpu);
    if (!answer.device) {
        report.gl.push_back({"headless", std::nullopt, answer.device.diagnostics().front().message});
        report.checks.push_back(checked("opengl", "OpenGL", answer.device.diagnostics(), ""));
        return;
    }
    report.gl.push_back({"headless", *answer.device, ""});
    report.checks.push_back(checked("opengl", "OpenGL", {}, described(*answer.device)));
    add_shared(report, "headless", answer);
}

void check_window(Report& report) {
    if (!has_display()) {
        report.gl.push_back({"window", std::nullopt, "no display: " + display_state()});
        report.checks.push_back({"window", "Window", Status::absent,
                                 "no display (" + display_state() + "); lanescope render draws without one",
                                 ""});
        return;
    }
    const GlAnswer answer = try_gl(GlPlace::window, report.verdict() != Verdict::no_gpu);
    if (!answer.device) {
        report.gl.push_back({"window", std::nullopt, answer.device.diagnostics().front().message});
        report.checks.push_back(checked("window", "Window", answer.device.diagnostics(), ""));
        return;
    }
    report.gl.push_back({"window", *answer.device, ""});
    report.checks.push_back(
        checked("window", "Window", {}, described(*answer.device) + "; " + display_state()));
    add_shared(report, "window", answer);
}

}  // namespace

void check_gl(Report& report) {
    check_headless(report);
    check_window(report);
}

}  // namespace lanescope::doctor
