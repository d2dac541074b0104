// Times the frames of the window while a person scrubs: every frame shows another step.
//
//     frame_bench [--edit | --flow] [--size WxH] [--frames N] [--set NAME=N] [FILE.cu | FILE.trace | --warps
//     N | --turns N]…
//
// Without a file it takes every lesson of the course with its default parameters. `--warps N` makes a
// synthetic trace of N warps; `--turns N` makes one of N turns and opens it from a file. `--edit` instead
// times the way from a change of a file's text to the picture of its run. `--flow` shows the flow of values
// instead of the stage. The frames are drawn without a
// display, as `lanescope render` draws them. "wall" ends when the picture is finished. "own" is this thread's
// CPU time for the frame without the drawing (layout, text, vertices). "all" is the CPU time of all threads,
// including those of a software renderer. CPU times can be compared on a busy machine, too.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compile/compiler.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "session/session.h"
#include "synthetic.h"
#include "trace/io.h"
#include "ui/window/app.h"
#include "ui/window/picture.h"

namespace {

using namespace lanescope;

double cpu_ms(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return 1000.0 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e6;
}

double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The CPU time of child processes that have ended: the compiler's.
double children_ms() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto ms = [](const timeval& time) {
        return 1000.0 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1000;
    };
    return ms(used.ru_utime) + ms(used.ru_stime);
}

struct Spent {
    std::vector<double> wall, own, all;
};

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

// Times rounds of the frame loop that draw no frame: a whole section of the benchmark, and its longest round.
class Rounds {
  public:
    explicit Rounds(session::Session& session) : session_(session) {}

    void next(const std::optional<session::Command>& command = {}) {
        const double began = wall_ms(), own = cpu_ms(CLOCK_THREAD_CPUTIME_ID);
        if (command) session_.apply(*command);
        session_.update(began / 1000);
        longest_ = std::max(longest_, wall_ms() - began);
        max_own_ = std::max(max_own_, cpu_ms(CLOCK_THREAD_CPUTIME_ID) - own);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    void say(const char* what) {
        const double now = wall_ms(), cpu = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
        std::printf("  %s: %.0f ms, %.0f ms of CPU time; longest round %.1f ms, %.1f ms of CPU time\n", what,
                    now - start_, cpu - cpu_, longest_, max_own_);
        start_ = now, cpu_ = cpu, longest_ = max_own_ = 0;
    }
    std::size_t anywhere() {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        return (random_ >> 33) % session_.playhead().steps().size();
    }

  private:
    session::Session& session_;
    double start_ = wall_ms(), cpu_ = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
    double longest_ = 0, max_own_ = 0;
    std::uint64_t random_ = 1;
};

struct Bench {
    render::Extent size{1600, 1000};
    int frames = 200;
    bool edits = false, flow = false;
    std::filesystem::path kernels;
    lesson::ParameterValues parameters = {};
    double worst_median = 0, worst_tail = 0;

    // Goes through all steps, forwards and back, in about `frames` frames, with small and large strides.
    bool scrub(const std::string& name, session::Session& session) {
        if (session.playhead().steps().empty()) {
            std::printf("%-44s no steps\n", name.c_str());
            return false;
        }
        auto context = render::HeadlessContext::create();
        if (!context) return complain(context.diagnostics());
        auto target = render::Framebuffer::create(size.width, size.height);
        if (!target) return complain(target.diagnostics());
        ui::App app(session, nullptr);
        if (flow) ui::set_up(app, {.stage_tab = ui::StageTab::flow});
        ui::FrameInput input;
        input.pixels = size;
        Spent spent;
        const auto last = static_cast<std::int64_t>(session.playhead().steps().size()) - 1;
        for (int frame = -5; frame < frames; ++frame) {
            input.now_s += 1.0 / 60;
            const double share = static_cast<double>(std::abs(2 * std::max(frame, 0) - frames)) / frames;
            session.apply(
                session::SeekStep{static_cast<std::size_t>(static_cast<double>(last) * (1 - share))});
            target->bind();
            const double wall = wall_ms(), own = cpu_ms(CLOCK_THREAD_CPUTIME_ID),
                         all = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
            app.frame(input);
            const double own_end = cpu_ms(CLOCK_THREAD_CPUTIME_ID);
            glFinish();
            if (frame < 0) continue;
            spent.wall.push_back(wall_ms() - wall);
            spent.own.push_back(own_end - own);
            spent.all.push_back(cpu_ms(CLOCK_PROCESS_CPUTIME_ID) - all);
        }
        std::printf("%-44s %8zu %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f\n", name.c_str(),
                    session.playhead().steps().size(), quantile(spent.wall, 0.5), quantile(spent.wall, 0.99),
                    quantile(spent.own, 0.5), quantile(spent.own, 0.99), quantile(spent.all, 0.5),
                    quantile(spent.all, 0.99));
        std::fflush(stdout);
        worst_median = std::max(worst_median, quantile(spent.wall, 0.5));
        worst_tail = std::max(worst_tail, quantile(spent.wall, 0.99));
        return true;
    }

    bool complain(const Diagnostics& diagnostics) {
        for (const Diagnostic& each : diagnostics)
            std::fprintf(stderr, "%s\n", to_text(each).c_str());
        return false;
    }

    bool file(const std::filesystem::path& path) {
        session::Session session(kernels);
        session.apply(session::OpenFile{path});
        if (!session.wait()) return complain(session.diagnostics());
        for (const auto& [parameter, number] : parameters)
            session.apply(session::SetParameter{parameter, number});
        if (!parameters.empty() && !session.wait()) return complain(session.diagnostics());
        const std::string name = path.parent_path().filename().string() + "/" + path.filename().string();
        return edits ? edit(name, session) : scrub(name, session);
    }

    // Times the way from a change of the text to the picture of its run. Each round has another text, so that
    // the compiler's cache does not help.
    bool edit(const std::string& name, session::Session& session) {
        auto context = render::HeadlessContext::create();
        if (!context) return complain(context.diagnostics());
        auto target = render::Framebuffer::create(size.width, size.height);
        if (!target) return complain(target.diagnostics());
        ui::App app(session, nullptr);
        ui::FrameInput input;
        input.pixels = size;
        target->bind();
        app.frame(input);
        std::vector<double> wall, cpu, compile, run;
        for (int i = 0; i < 5; ++i) {
            const std::uint64_t before = session.runner().generation();
            const double start = wall_ms(), spent = cpu_ms(CLOCK_PROCESS_CPUTIME_ID) + children_ms();
            session.apply(session::EditSource{session.document().text() + "\n// " + std::to_string(start)});
            while (session.runner().generation() == before && session.diagnostics().empty()) {
                session.update(input.now_s = wall_ms() / 1000);
                std::this_thread::sleep_for(std::chrono::microseconds(500));
            }
            if (!session.diagnostics().empty()) return complain(session.diagnostics());
            app.frame(input);
            glFinish();
            wall.push_back(wall_ms() - start);
            cpu.push_back(cpu_ms(CLOCK_PROCESS_CPUTIME_ID) + children_ms() - spent);
            compile.push_back(session.run()->compile_ms);
            run.push_back(session.run()->run_ms);
        }
        std::printf("%-44s %8zu %7.0f %7.0f %7.0f %7.0f %7.1f\n", name.c_str(),
                    session.playhead().steps().size(), quantile(wall, 0.5), quantile(wall, 0.99),
                    quantile(cpu, 0.5), quantile(compile, 0.5), quantile(run, 0.5));
        std::fflush(stdout);
        worst_median = std::max(worst_median, quantile(wall, 0.5));
        worst_tail = std::max(worst_tail, quantile(wall, 0.99));
        return true;
    }

    // Opens a trace as the window does. Times the way to the first shown step, the counting while every round
    // of the frame loop seeks to a random step, then seeks, searches and frames.
    bool trace_file(const std::string& name, const std::filesystem::path& path) {
        session::Session session(kernels);
        Rounds rounds(session);
        session.apply(session::OpenFile{path});
        while (session.playhead().step_state() == nullptr && session.diagnostics().empty())
            rounds.next();
        if (!session.diagnostics().empty()) return complain(session.diagnostics());
        std::printf("%s, a file of %.0f MB\n", name.c_str(),
                    static_cast<double>(std::filesystem::file_size(path)) / 1e6);
        rounds.say("first step");
        while (session.runner().counting())
            rounds.next(session::SeekStep{rounds.anywhere()});
        rounds.say("counted");
        for (int i = 0; i < 300; ++i)
            rounds.next(session::SeekStep{rounds.anywhere()});
        rounds.say("300 seeks");
        search(session, rounds, "search for a line", {1u << 20, {}, true});
        const std::uint32_t line = session.playhead().step_state()->step.line;
        search(session, rounds, "search by condition", {line, "blockIdx.x + threadIdx.x < 0", true});
        return scrub(name, session);
    }

    // Searches for something that does not occur, so that the search runs to the end of the trace.
    void search(session::Session& session, Rounds& rounds, const char* what, session::Breakpoint breakpoint) {
        session.apply(session::SeekStep{0});
        session.apply(session::ClearBreakpoints{});
        session.apply(session::SetBreakpoint{std::move(breakpoint)});
        rounds.next(session::Continue{});
        const double limit_ms = wall_ms() + 20'000;
        while (session.search().searching() && wall_ms() < limit_ms)
            rounds.next();
        if (session.search().searching())
            std::printf("  at %.0f %%: ", 100.0 * static_cast<double>(session.search().progress()));
        session.apply(session::StopSearch{});
        rounds.say(what);
    }

    bool trace(const std::string& name, std::shared_ptr<const trace::Trace> trace) {
        session::Session session(kernels);
        execution::RunResult result;
        result.set_trace(std::move(trace));
        const double start = wall_ms(), cpu = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
        session.set_run(std::move(result));
        std::printf("%s: opened in %.0f ms, %.0f ms of CPU time\n", name.c_str(), wall_ms() - start,
                    cpu_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        return scrub(name, session);
    }
};

std::filesystem::path synthetic(std::uint64_t turns) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("lanescope-bench-" + std::to_string(getpid()) + ".trace");
    trace::SyntheticRun run(trace::Pattern::streaming, {.trace_bytes = 16ull << 30});
    run.turns(turns);
    if (!trace::save(*run.finish(), path)) std::abort();
    return path;
}

// Blocks of 8 warps, each with 40 turns between barriers.
std::shared_ptr<const trace::Trace> many_warps(std::uint32_t warps) {
    constexpr std::uint32_t in_block = 8, rounds = 40;
    trace::Recorder recorder({.trace_bytes = 4ull << 30});
    trace::Program program;
    program.functions.push_back({"k", "k", 1, true, 0, 64, 8, 0, {}});
    for (std::uint32_t pc = 0; pc < 64; ++pc)
        program.code_rows.push_back({0, pc / 4 + 1, 1, pc + 1});
    recorder.set_program(std::move(program));
    trace::Launch launch;
    launch.kernel = "k";
    launch.grid = {(warps + in_block - 1) / in_block, 1, 1};
    launch.block = {in_block * trace::warp_size, 1, 1};
    recorder.begin_launch(launch);
    for (std::uint32_t round = 0; round < rounds; ++round)
        for (std::uint32_t warp = 0; warp < warps; ++warp) {
            const std::uint32_t pc = round % 16 * 4;
            const trace::Mask mask = (warp + round) % 5 == 0 ? 0xffffu : ~trace::Mask{0};
            recorder.begin_turn(warp / in_block, static_cast<std::uint16_t>(warp % in_block), mask, pc,
                                pc / 4 + 1, 0);
            recorder.branch(pc + 3, pc + 3, mask, mask);
            recorder.end_turn(trace::TurnEnd::step, 4);
        }
    recorder.end_launch();
    return recorder.finish();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    Bench bench;
    bench.kernels = std::filesystem::path(LANESCOPE_BENCH_KERNELS);
    const auto head = [&] {
        if (bench.edits) {
            std::printf("%-44s %8s %7s %7s %7s %7s %7s\n", "ms from an edit to its picture, medians", "steps",
                        "wall", "worst", "cpu", "compile", "run");
            return;
        }
        std::printf("%-44s %8s %7s %7s %7s %7s %7s %7s\n", "ms per frame: median and 99th percentile",
                    "steps", "wall", "p99", "own", "p99", "all", "p99");
    };
    bool good = true, any = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--size") {
            if (std::sscanf(value, "%dx%d", &bench.size.width, &bench.size.height) != 2) return 2;
            ++i;
            continue;
        }
        if (word == "--edit") {
            bench.edits = true;
            continue;
        }
        if (word == "--flow") {
            bench.flow = true;
            continue;
        }
        if (word == "--set") {
            const std::string_view setting = value;
            const std::size_t equals = setting.find('=');
            if (equals == std::string_view::npos) return 2;
            bench.parameters[std::string(setting.substr(0, equals))] = std::atoll(value + equals + 1);
            ++i;
            continue;
        }
        if (word == "--frames") {
            bench.frames = std::max(std::atoi(value), 2);
            ++i;
            continue;
        }
        if (!std::exchange(any, true)) head();
        if (word == "--warps") {
            good &= bench.trace(std::string(value) + " warps",
                                many_warps(static_cast<std::uint32_t>(std::atoi(value))));
            ++i;
        } else if (word == "--turns") {
            const std::filesystem::path made = synthetic(std::strtoull(value, nullptr, 10));
            good &= bench.trace_file(std::string(value) + " turns", made);
            std::filesystem::remove(made);
            ++i;
        } else if (word.ends_with(".trace")) {
            good &= bench.trace_file(word, word);
        } else {
            good &= bench.file(word);
        }
    }
    if (!any) {
        head();
        for (const lesson::Topic& topic : lesson::load_registry(bench.kernels).topics)
            for (const lesson::LessonEntry& entry : topic.lessons)
                good &= bench.file(entry.path);
        std::printf("worst median %.1f ms, worst 99th percentile %.1f ms\n", bench.worst_median,
                    bench.worst_tail);
    }
    return good ? 0 : 1;
}
