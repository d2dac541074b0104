#include "commands/lesson_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"
#include "commands/command.h"
#include "compile/compiler.h"
#include "judge/check_lessons.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

// --- new ---------------------------------------------------------------------------------------------------

struct NewFile {
    const char* pattern;  // in assets/new_lesson
    std::string name;     // in the new folder
};

// A topic's name is a folder's, and a kernel's in the files.
bool is_name(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Result<void> write_new_file(const NewFile& file, const fs::path& folder, const std::string& name) {
    const Result<std::string> pattern =
        read_text_file(resource_folder() / "assets" / "new_lesson" / file.pattern);
    if (!pattern) return pattern.diagnostics();
    std::string text = *pattern;
    constexpr std::string_view mark = "NAME";
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + name.size()))
        text.replace(at, mark.size(), name);
    std::error_code failed;
    fs::create_directories((folder / file.name).parent_path(), failed);
    if (failed) return error_at(folder.string(), 0, 0, "the folder cannot be made: " + failed.message());
    return write_file(folder / file.name, text);
}

int new_lesson(const LessonOptions& options) {
    if (options.names.size() != 1)
        return fail(error("'lesson new' makes one lesson", "use lanescope lesson new my_lesson"));
    const std::string& name = options.names.front();
    if (!is_name(name))
        return fail(error("'" + name + "' cannot be the name of a lesson",
                          "use letters, digits and _, with a letter first: my_lesson"));
    const fs::path folder = (fs::path(options.in) / name).lexically_normal();
    std::error_code ignored;
    if (fs::exists(folder, ignored))
        return fail(
            error_at(folder.string(), 0, 0, "it exists already", "choose another name, or --in FOLDER"));
    const NewFile files[] = {{"lesson.toml", "lesson.toml"},
                             {"lesson.cu", name + ".cu"},
                             {"starter.cu", "exercises/add_the_guard.cu"},
                             {"solution.cu", "exercises/add_the_guard.solution.cu"}};
    for (const NewFile& file : files) {
        if (const Result<void> written = write_new_file(file, folder, name); !written)
            return fail(written.diagnostics());
        std::cout << (folder / file.name).string() << '\n';
    }
    std::cout << "\nOpen it:   lanescope " << (folder / (name + ".cu")).string()
              << "\nCheck it:  lanescope lesson check " << folder.string() << '\n';
    return fine;
}

// --- check -------------------------------------------------------------------------------------------------

struct Found {
    lesson::Registry registry;
    std::vector<const lesson::Topic*> topics;  // to check as a whole
    std::vector<std::pair<const lesson::Topic*, const lesson::LessonEntry*>> lessons;
    std::vector<const lesson::Exercise*> exercises;
    Diagnostics problems;  // of the files that say what there is

    void add(const lesson::Topic& topic, const lesson::LessonEntry& entry) {
        lessons.emplace_back(&topic, &entry);
        for (const lesson::Exercise& exercise : entry.exercises)
            exercises.push_back(&exercise);
    }
    void add(const lesson::Topic& topic) {
        topics.push_back(&topic);
        for (const lesson::LessonEntry& entry : topic.lessons)
            add(topic, entry);
        for (const lesson::Exercise& exercise : topic.exercises)
            exercises.push_back(&exercise);
    }
};

bool lies_in(const fs::path& file, const fs::path& folder) {
    std::error_code failed;
    const fs::path inside =
        fs::weakly_canonical(file, failed).lexically_relative(fs::weakly_canonical(folder, failed));
    return !failed && !inside.empty() && *inside.begin() != "..";
}

bool is_course(const fs::path& folder) {
    return lies_in(folder, resource_folder() / "kernels");
}

// Folders come into the registry before anything points into it.
lesson::Registry registry_with(const std::vector<std::string>& names) {
    std::vector<fs::path> folders = own_kernels_folders();
    for (const std::string& name : names) {
        std::error_code ignored;
        if (fs::is_directory(name, ignored) && !is_course(name) &&
            std::none_of(folders.begin(), folders.end(),
                         [&](const fs::path& each) { return lies_in(name, each); }))
            folders.emplace_back(name);
    }
    return lesson::load_registry(resource_folder() / "kernels", folders);
}

void add_problems(Found& found, const fs::path& folder) {
    for (const Diagnostics* each : {&found.registry.problems, &found.registry.own_problems})
        for (const Diagnostic& problem : *each)
            if (problem.file.empty() || lies_in(problem.file, folder)) found.problems.push_back(problem);
}

Result<void> add_folder(Found& found, const std::string& name) {
    const std::size_t lessons = found.lessons.size(), exercises = found.exercises.size();
    for (const lesson::Topic& topic : found.registry.topics)
        if (lies_in(topic.lessons.front().path, name)) found.add(topic);
    for (const lesson::Exercise& exercise : found.registry.lone_exercises)
        if (lies_in(exercise.file, name)) found.exercises.push_back(&exercise);
    add_problems(found, name);
    if (found.lessons.size() == lessons && found.exercises.size() == exercises && found.problems.empty())
        return error_at(name, 0, 0, "the folder holds no lesson",
                        "a topic is a folder with .cu files and a lesson.toml");
    return {};
}

Result<void> add_named(Found& found, const std::string& name) {
    std::vector<std::string> known;
    bool is_there = false;
    for (const lesson::Topic& topic : found.registry.topics) {
        known.push_back(topic.name);
        if (topic.name == name) {
            found.add(topic), is_there = true;
            add_problems(found, topic.lessons.front().path.parent_path());
        }
        for (const lesson::LessonEntry& entry : topic.lessons) {
            known.push_back(topic.name + "/" + entry.name);
            if (known.back() != name && entry.name != name) continue;
            found.add(topic, entry), is_there = true;
        }
    }
    if (is_there) return {};
    return error("there is no lesson, topic or folder '" + name + "'", judge::lesson_hint(name, known));
}

Result<void> find_lessons(Found& found, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        std::error_code ignored;
        const bool folder = fs::is_directory(name, ignored);
        const Result<void> added = folder ? add_folder(found, name) : add_named(found, name);
        if (!added) return added.diagnostics();
    }
    return {};
}

std::string json_of(const Found& found, const Diagnostics& problems) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Diagnostic& each : problems)
        list.push_back({{"file", each.file},
                        {"line", each.line},
                        {"column", each.column},
                        {"message", each.message},
                        {"hint", each.hint}});
    return nlohmann::ordered_json{
               {"lessons", found.lessons.size()}, {"exercises", found.exercises.size()}, {"problems", list}}
               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
}

std::string counted(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

int check_lessons(const LessonOptions& options) {
    if (options.names.empty())
        return fail(
            error("nothing to check", "name a folder, a topic or a lesson: lanescope lesson check scan"));
    Found found;
    found.registry = registry_with(options.names);
    if (const Result<void> there = find_lessons(found, options.names); !there)
        return fail(there.diagnostics());
    if (const auto toolkit = compile::find_toolkit(); !toolkit && !found.lessons.empty())
        return fail(toolkit.diagnostics(), no_engine);
    if (options.without_exercises) found.exercises.clear();
    Diagnostics problems = std::move(found.problems);
    const auto add = [&](const Diagnostics& more) {
        problems.insert(problems.end(), more.begin(), more.end());
    };
    for (const lesson::Topic* topic : found.topics)
        add(judge::check_topic(*topic, found.registry));
    for (const auto& [topic, entry] : found.lessons)
        add(judge::check_lesson(*entry, *topic, found.registry));
    add(judge::check_exercises(found.exercises, options.jobs));
    if (options.json) {
        std::cout << json_of(found, problems);
    } else {
        std::cerr << to_text(problems);
        std::cout << counted(found.lessons.size(), "lesson") << " and "
                  << counted(found.exercises.size(), "exercise") << " checked: "
                  << (problems.empty() ? "everything holds" : counted(problems.size(), "problem")) << '\n';
    }
    return problems.empty() ? fine : check_failed;
}

}  // namespace

void LessonOptions::add_to(CLI::App& app) {
    app.add_option("ACTION", action,
                   "new: make a lesson to begin with; check: test everything that lessons say")
        ->required()
        ->check(CLI::IsMember({"new", "check"}));
    app.add_option("NAME", names,
                   "new: the lesson's name; check: folders, topics or lessons (scan, scan/blelloch)");
    app.add_option("--in", in, "new only: make the lesson's folder in this folder")
        ->check(CLI::ExistingDirectory)
        ->capture_default_str();
    app.add_flag("--json", json, "check only: print JSON");
    app.add_flag("--without-exercises", without_exercises, "check only: leave out the exercises");
    app.add_option("--jobs", jobs, "check only: judge this many files at a time (default: one for each core)")
        ->check(from(1));
}

int lesson_command(const LessonOptions& options) {
    return options.action == "new" ? new_lesson(options) : check_lessons(options);
}

}  // namespace lanescope
