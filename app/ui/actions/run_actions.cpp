#include "ui/actions/groups.h"

#include "base/language.h"

namespace lanescope::ui {

using namespace session;

namespace {

std::string needs_gpu(const Place& place) {
    const LessonTimings& timings = place.session.timings();
    if (timings.gpu() == session::GpuState::missing)
        return tr("Kernels cannot be timed on this machine: {1}.", {timings.no_gpu()});
    return timings.gpu() == session::GpuState::usable ? ""
                                                      : tr("No GPU was found yet. Try again in a moment.");
}

}  // namespace

std::vector<Action> run_actions() {
    return {
        {.id = "engine.toggle",
         .title = "Run on the GPU, or on the CPU machine",
         .help = "run on the GPU, or on the CPU machine",
         .group = Group::run,
         .keys = {typed(U'g')},
         .heard = on_panels,
         .effect = Effect::run,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.commands.push_back(UseGpu{!place.session.runner().on_device()});
             },
         .why_not = needs_source,
         .title_now = [](const Place& place) -> std::string {
             return place.session.runner().on_device() ? tr("Run on the CPU machine") : tr("Run on the GPU");
         }},
        {.id = "engine.choose",
         .title = "Choose the engine: CPU, GPU, a GPU elsewhere",
         .help = "choose the engine, and where its GPU is",
         .group = Group::run,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.dialog = Dialog::engine; });
             },
         .why_not = needs_source,
         .menu = 25},
        {.id = "gpu_times.toggle",
         .title = "GPU times after each run",
         .help = "times each good run on this machine's GPU, in the background",
         .group = Group::run,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.commands.push_back(TimeRuns{!place.session.file_times().on()});
             },
         .why_not = needs_gpu,
         .title_now = [](const Place& place) -> std::string {
             return place.session.file_times().on() ? tr("No GPU times after each run")
                                                    : tr("GPU times after each run");
         },
         .menu = 26},
        {.id = "run.again",
         .title = "Run again",
         .help = "runs the file again, for instance after a cancelled run",
         .group = Group::run,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(RunAgain{}); },
         .why_not = [](const Place& place) -> std::string {
             return place.session.host_code().runs() ? "" : needs_source(place);
         }},
        {.id = "schedules.explore",
         .title = "Try all schedules",
         .help = "try all schedules",
         .group = Group::run,
         .keys = {typed(U't')},
         .heard = on_panels,
         .effect = Effect::run,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(ExploreSchedules{}); },
         .why_not = [](const Place& place) -> std::string {
             return place.session.host_code().runs() ? needs_source(place) : needs_run(place);
         }},
        {.id = "timings.show",
         .title = "Timings",
         .help = "bandwidth and times on a GPU, beside the libraries",
         .group = Group::run,
         .keys = {typed(U'b')},
         .heard = Layer::panels | Layer::compare,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.inspector.tab = InspectorTab::timings;
                     window.lecture = false;
                 });
             }},
        {.id = "watch.add",
         .title = "Watch an expression",
         .help = "watch an expression in every lane",
         .group = Group::run,
         .keys = {typed(U'w')},
         .heard = on_panels,
         .effect = Effect::input,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.inspector.tab = InspectorTab::variables;
                     window.lecture = false;
                     window.signals.add_watch = true;
                 });
             },
         .menu = 22},
    };
}

}  // namespace lanescope::ui
