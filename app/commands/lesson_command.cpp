#include "commands/lesson_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"
#include "base/number_text.h"
#include "base/text_file.h"
#include "commands/options/command.h"
#include "compile/compiler.h"
#include "judge/check_lessons.h"
#include "lesson/course/exercise_reader.h"
#include "scene/source/cuda_tokens.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

// --- new ---------------------------------------------------------------------------------------------------

// A lesson to make in the folder of its topic, which may hold other lessons.
struct NewLesson {
    std::string topic, name, exercise;
    fs::path folder;
    bool first = true;  // of its topic
};

// The name of a lesson is a kernel's in the files.
bool is_name(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (name.empty() || !letter(name[0]) ||
        !std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); }))
        return false;
    const auto tokens = scene::tokens_of_lines(name);  // words of the language cannot name a kernel
    return tokens.front().empty() || tokens.front().front().kind == scene::TokenKind::plain;
}

bool path_exists(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// Errors: the names, and files that exist.
Result<NewLesson> new_lesson_of(const LessonOptions& options) {
    if (options.names.size() != 1)
        return error("'lesson new' makes one lesson", "use lanescope lesson new my_topic/my_lesson");
    const std::string& given = options.names.front();
    const std::size_t slash = given.find('/');
    NewLesson lesson;
    lesson.topic = given.substr(0, slash);
    lesson.name = slash == given.npos ? given : given.substr(slash + 1);
    for (const std::string& name : {lesson.topic, lesson.name})
        if (!is_name(name))
            return error("'" + name + "' cannot be the name of a lesson",
                         "use letters, digits and _, with a letter first, and no word of C++: my_lesson");
    lesson.folder = (fs::path(options.in) / lesson.topic).lexically_normal();
    const std::string folder = lesson.folder.string();
    if (path_exists(fs::path(options.in) / "lesson.toml"))
        return error_at(options.in, 0, 0, "it is a topic, which holds lessons and no topics",
                        "add a lesson to it from the folder above: lanescope lesson new TOPIC/NAME");
    lesson.first = !path_exists(lesson.folder / "lesson.toml");
    if (slash == given.npos && path_exists(lesson.folder))
        return error_at(folder, 0, 0, "it exists already",
                        "choose another name, or add a lesson: lanescope lesson new " + given + "/NAME");
    if (lesson.first && path_exists(lesson.folder))
        return error_at(folder, 0, 0, "the folder holds no lesson.toml", "choose another name for the topic");
    if (path_exists(lesson.folder / (lesson.name + ".cu")))
        return error_at((lesson.folder / (lesson.name + ".cu")).string(), 0, 0, "it exists already",
                        "choose another name");
    lesson.exercise = lesson.first ? "add_the_guard" : lesson.name + "_guard";
    return lesson;
}

// The text of a file in assets/new_lesson for this lesson.
Result<std::string> new_text(const char* pattern, const NewLesson& lesson) {
    Result<std::string> text = read_text_file(resource_folder() / "assets" / "new_lesson" / pattern);
    if (!text) return text;
    for (const auto& [mark, name] : {std::pair<std::string_view, const std::string&>("NAME", lesson.name),
                                     {"TOPIC", lesson.topic},
                                     {"EXERCISE", lesson.exercise}})
        for (std::size_t at = text->find(mark); at != text->npos; at = text->find(mark, at + name.size()))
            text->replace(at, mark.size(), name);
    return text;
}

// Writes the topic's head and the lesson, or the lesson behind those of the topic.
Result<void> write_new_toml(const NewLesson& lesson) {
    Result<std::string> text = new_text("lesson.toml", lesson);
    if (!text) return text.diagnostics();
    const fs::path file = lesson.folder / "lesson.toml";
    if (lesson.first) return write_file(file, *text);
    const Result<TextFile> before = read_text(file);
    if (!before) return before.diagnostics();
    return write_file(
        file, encode_text(before->text + "\n" + text->substr(text->find("\n[[lesson]]") + 1), before->form));
}

Result<void> write_new_lesson(const NewLesson& lesson) {
    std::error_code failed;
    fs::create_directories(lesson.folder / "exercises", failed);
    if (failed)
        return error_at(lesson.folder.string(), 0, 0, "the folder cannot be made: " + failed.message());
    if (const Result<void> written = write_new_toml(lesson); !written) return written;
    std::cout << (lesson.folder / "lesson.toml").string() << '\n';
    const std::pair<const char*, std::string> files[] = {
        {"lesson.cu", lesson.name + ".cu"},
        {"starter.cu", "exercises/" + lesson.exercise + ".cu"},
        {"solution.cu", "exercises/" + lesson.exercise + ".solution.cu"}};
    for (const auto& [pattern, name] : files) {
        const Result<std::string> text = new_text(pattern, lesson);
        if (!text) return text.diagnostics();
        if (const Result<void> written = write_file(lesson.folder / name, *text); !written) return written;
        std::cout << (lesson.folder / name).string() << '\n';
    }
    return {};
}

int new_lesson(const LessonOptions& options) {
    const Result<NewLesson> lesson = new_lesson_of(options);
    if (!lesson) return fail(lesson.diagnostics());
    if (const Result<void> written = write_new_lesson(*lesson); !written) return fail(written.diagnostics());
    const std::string folder = lesson->folder.string();
    std::cout << "\nOpen it:         lanescope " << (lesson->folder / (lesson->name + ".cu")).string()
              << "\nCheck it:        lanescope lesson check " << folder
              << "\nJudge a file:    lanescope check FILE --exercises " << folder << " --exercise "
              << lesson->topic << "/" << lesson->exercise << "\nMake slides:     lanescope export " << folder
              << " -o " << lesson->topic << ".html\n";
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

// The file that a name stands for, which may leave out ".cu"; empty if there is none.
fs::path file_named(const std::string& name) {
    std::error_code ignored;
    for (const fs::path& file : {fs::path(name), fs::path(name + ".cu")})
        if (fs::is_regular_file(file, ignored)) return file;
    return {};
}

// The folder that a name stands for, or the topic's in which the file lies; empty if there is none.
fs::path folder_named(const std::string& name) {
    std::error_code ignored;
    if (fs::is_directory(name, ignored)) return name;
    const fs::path file = file_named(name);
    if (file.empty()) return {};
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const fs::path above = folder / "..";
    const bool exercise = lesson::topic_name(folder) == "exercises" && path_exists(above / "lesson.toml");
    return exercise ? above.lexically_normal() : folder;
}

// Folders come into the registry before anything points into it.
lesson::Registry registry_with(const std::vector<std::string>& names) {
    std::vector<fs::path> folders = own_kernels_folders();
    for (const std::string& name : names) {
        const fs::path folder = folder_named(name);
        if (!folder.empty() && !is_course(folder) &&
            std::none_of(folders.begin(), folders.end(),
                         [&](const fs::path& each) { return lies_in(folder, each); }))
            folders.push_back(folder);
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

// A lesson's kernel, a file of an exercise, or a topic's lesson.toml.
Result<void> add_file(Found& found, const std::string& name) {
    const fs::path file = file_named(name), folder = folder_named(name);
    if (file.filename() == "lesson.toml") return add_folder(found, folder.string());
    std::error_code ignored;
    for (const lesson::Topic& topic : found.registry.topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            if (fs::equivalent(entry.path, file, ignored)) {
                add_problems(found, folder);
                found.add(topic, entry);
                return {};
            }
    const lesson::Exercise* exercise = found.registry.exercise_at(file);
    if (exercise == nullptr)
        return error_at(name, 0, 0, "it belongs to no lesson", "name a folder, a lesson or its .cu file");
    add_problems(found, folder);
    found.exercises.push_back(exercise);
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
        const Result<void> added = fs::is_directory(name, ignored) ? add_folder(found, name)
                                   : file_named(name).empty()      ? add_named(found, name)
                                                                   : add_file(found, name);
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
                   "new: my_lesson, or my_topic/my_lesson; check: folders, files, topics or lessons (scan, "
                   "scan/blelloch)");
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
