#include "commands/info_commands.h"

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/folders.h"
#include "commands/options/command.h"
#include "commands/options/status_line.h"
#include "doctor/report.h"
#include "gpu/served/device_command.h"
#include "lesson/course/markdown_text.h"
#include "lesson/course/registry.h"
#include "session/launches/opened_program.h"
#include "session/timing/lesson_comparison.h"
#include "simt/inspect/fidelity.h"

namespace lanescope {

namespace {

// `counted`: of a lesson of the course; may be null.
nlohmann::ordered_json json_of(const lesson::LessonEntry& entry, const session::CountedLesson* counted) {
    nlohmann::ordered_json item{{"name", entry.name}, {"title", entry.title}, {"file", entry.path.string()}};
    if (!entry.after.empty()) item["after"] = entry.after;
    const int look_block = entry.look_at ? entry.look_at->block : entry.look_block;
    if (look_block > 0) item["look_block"] = look_block;
    if (entry.look_step >= 0)
        item["look_step"] = entry.look_step + 1;
    else if (entry.look_at && counted != nullptr && counted->look_step > 0)
        item["look_step"] = counted->look_step;
    if (entry.look_at) {
        nlohmann::ordered_json place;
        if (entry.look_at->line.number > 0)
            place["line"] = entry.look_at->line.number;
        else
            place["code"] = entry.look_at->line.code;
        place["visit"] = entry.look_at->visit;
        place["block"] = entry.look_at->block;
        item["look_at"] = std::move(place);
    }
    if (!entry.goals.empty()) item["goal"] = lesson::plain_text(entry.goals.front());
    if (entry.advanced) item["advanced"] = true;
    if (entry.minutes > 0) item["minutes"] = entry.minutes;
    if (session::has_program(entry.path)) item["program"] = true;
    if (!entry.schedule.empty()) item["schedule"] = entry.schedule;
    for (const lesson::NamedSchedule& each : entry.schedules)
        item["schedules"].push_back({{"name", each.name}, {"schedule", each.schedule}, {"text", each.text}});
    return item;
}

// The first goal says what the lesson is for.
void print_lesson(const lesson::Topic& topic, const lesson::LessonEntry& entry) {
    const std::string file =
        topic.own ? entry.path.string() : "kernels/" + topic.name + "/" + entry.path.filename().string();
    std::printf("  %-42s %s%s%s\n", file.c_str(), entry.title.c_str(), entry.advanced ? " (advanced)" : "",
                session::has_program(entry.path) ? " (runs as a program, too: --program)" : "");
    if (!entry.goals.empty()) std::printf("      %s\n", lesson::plain_text(entry.goals.front()).c_str());
}

}  // namespace

void ListOptions::add_to(CLI::App& app) {
    app.add_flag("--json", json, "print JSON");
    app.add_flag("--core", core, "the path of a first course: without the advanced lessons");
}

void DoctorOptions::add_to(CLI::App& app) {
    CLI::Option* as_json = app.add_flag("--json", json, "print JSON");
    CLI::Option* place =
        app.add_option("--gpu", gpu,
                       "examine another place instead of this machine: ssh:HOST, local, or a command that\n"
                       "starts 'lanescope __device' there")
            ->type_name("PLACE");
    app.add_flag("--get-compiler", get_compiler,
                 "get NVRTC, which compiles your own files, where no CUDA Toolkit is installed")
        ->excludes(as_json)
        ->excludes(place);
    app.add_flag("--fidelity", fidelity,
                 "how far the CPU machine's results agree with a GPU's, by instruction")
        ->excludes(place);
}

namespace {

// Lets this program examine the machine at the place, and shows what it says.
int examine_elsewhere(const DoctorOptions& options) {
    constexpr int limit_ms = 300'000;
    if (const Result<void> sound = gpu::check_place(options.gpu); !sound) return fail(sound.diagnostics());
    StatusLine status;
    status.show("connecting with " + options.gpu + " …");
    const Result<std::unique_ptr<gpu::ServedProgram>> there =
        gpu::start_served_program(options.gpu, LANESCOPE_VERSION);
    status.clear();
    if (!there) return fail(there.diagnostics(), no_engine);
    status.show("examining " + options.gpu + " …");
    gpu::ServedWork work{{"doctor"}, "", limit_ms};
    if (options.json) work.words.emplace_back("--json");
    const Result<ProcessOutcome> outcome = (*there)->run(std::move(work), nullptr);
    status.clear();
    if (!outcome) return fail(outcome.diagnostics(), no_engine);
    std::cerr << outcome->err;
    std::cout << outcome->out;
    if (!outcome->was_killed() && outcome->signal == 0) return outcome->exit_code;
    return fail(error_at(options.gpu, 0, 0, "the examination there did not end",
                         "run lanescope doctor there, to see how far it comes"));
}

}  // namespace

int list_command(const ListOptions& options) {
    lesson::Registry registry = lesson::load_lessons();
    if (options.core) {
        for (lesson::Topic& topic : registry.topics)
            std::erase_if(topic.lessons, [](const lesson::LessonEntry& entry) { return entry.advanced; });
        std::erase_if(registry.topics, [](const lesson::Topic& topic) { return topic.lessons.empty(); });
    }
    if (options.json) {
        nlohmann::ordered_json topics = nlohmann::ordered_json::array();
        // Without the file the steps of places are not known, as for a person's own lessons.
        const Result<session::CourseCounts> read =
            session::read_counts(resource_folder() / "assets" / "counts.json");
        const session::CourseCounts counts = read ? *read : session::CourseCounts();
        for (const lesson::Topic& topic : registry.topics) {
            nlohmann::ordered_json lessons = nlohmann::ordered_json::array();
            for (const lesson::LessonEntry& entry : topic.lessons) {
                const auto counted = counts.find(topic.own ? "" : topic.name + "/" + entry.name);
                lessons.push_back(json_of(entry, counted == counts.end() ? nullptr : &counted->second));
            }
            topics.push_back({{"topic", topic.name}, {"title", topic.title}, {"lessons", lessons}});
            if (topic.own) topics.back()["own"] = true;
        }
        std::cout << topics.dump(2) << '\n';
    } else {
        for (const lesson::Topic& topic : registry.topics) {
            std::cout << topic.title << '\n';
            for (const lesson::LessonEntry& entry : topic.lessons)
                print_lesson(topic, entry);
            std::fflush(stdout);
        }
    }
    std::cerr << to_text(registry.own_problems);
    return registry.problems.empty() ? fine : fail(registry.problems);
}

namespace {

// Every instruction whose results are not an exact copy of a GPU's.
int fidelity_command(bool json) {
    const simt::ComparedDevice compared = simt::compared_device();
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    if (!json)
        std::cout << "compared with  " << compared.device << ", " << compared.driver << ", " << compared.date
                  << "\n"
                  << "recorded       " << compared.forms << " forms of " << compared.opcodes
                  << " opcodes; what is not listed here agrees bit for bit:\n";
    for (const simt::InexactInstruction& row : simt::fidelity_table()) {
        if (json)
            rows.push_back({{"instruction", row.instruction},
                            {"kind", simt::to_text(row.fidelity.kind)},
                            {"ulp", row.fidelity.ulp},
                            {"absolute", row.fidelity.absolute},
                            {"why", simt::words_of(row.fidelity)}});
        else
            std::printf("  %-34s %s\n", row.instruction.c_str(), simt::words_of(row.fidelity).c_str());
        std::fflush(stdout);
    }
    if (json)
        std::cout << nlohmann::ordered_json{{"device", compared.device},   {"driver", compared.driver},
                                            {"date", compared.date},       {"forms", compared.forms},
                                            {"opcodes", compared.opcodes}, {"inexact", rows}}
                         .dump(2)
                  << "\n";
    else
        std::cout << "order          " << simt::words_of(simt::fidelity_of("red.global.add.f32")) << "\n"
                  << "own            clocks, timers and numbers of warps and multiprocessors: "
                  << simt::words_of(simt::fidelity_of("mov.u32 %r1, %clock;")) << "\n"
                  << "lanescope run FILE names those of your kernel, with their lines.\n";
    return fine;
}

}  // namespace

int doctor_command(const DoctorOptions& options) {
    if (options.get_compiler) return get_compiler_command();
    if (options.fidelity) return fidelity_command(options.json);
    if (!options.gpu.empty()) return examine_elsewhere(options);
    const doctor::Report report = doctor::examine();
    std::cout << (options.json ? doctor::report_json(report, LANESCOPE_VERSION)
                               : doctor::report_text(report));
    switch (report.verdict()) {
        case doctor::Verdict::pass:
            return fine;
        case doctor::Verdict::fail:
            return check_failed;
        case doctor::Verdict::no_gpu:
            break;
    }
    return no_engine;
}

}  // namespace lanescope
