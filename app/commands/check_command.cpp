#include "commands/check_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <set>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/text_file.h"
#include "commands/options/command.h"
#include "commands/options/status_line.h"
#include "compile/compiler.h"
#include "judge/mark.h"
#include "judge/report.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

lesson::Registry exercises_of(const CheckOptions& options) {
    if (options.exercises.empty()) return lesson::load_lessons();
    return lesson::load_registry(resource_folder() / "kernels", {options.exercises});
}

// A folder stands for the .cu files in it, in the order of their names.
Result<std::vector<std::string>> files_of(const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
        std::error_code failed;
        if (!fs::is_directory(name, failed)) {
            files.push_back(name);
            continue;
        }
        std::vector<std::string> found;
        fs::recursive_directory_iterator entry(name, failed);
        for (const fs::recursive_directory_iterator end; !failed && entry != end; entry.increment(failed))
            if (std::error_code ignored;
                kind_of(entry->path()) == FileKind::cuda && entry->is_regular_file(ignored))
                found.push_back(entry->path().string());
        if (failed) return error_at(name, 0, 0, "the folder cannot be read: " + failed.message());
        if (found.empty()) return error_at(name, 0, 0, "the folder holds no .cu file");
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

// Students' editors may write comments in Latin-1, which the compiler ignores anyway.
std::string as_utf8(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return text;
}

Result<std::string> read_submission(const std::string& file) {
    constexpr std::uint64_t most_bytes = 1u << 20;
    const Result<std::string> bytes = read_file(file, most_bytes);
    if (!bytes) return bytes;
    Result<TextFile> read = decode_text(*bytes, file);
    if (!read && bytes->find('\0') == std::string::npos) read = decode_text(as_utf8(*bytes), file);
    if (!read) return read.diagnostics();
    return std::move(read->text);
}

// The starter file and the solution of an exercise belong to it wherever they lie. A file that was found in a
// folder of submissions does not: there a lesson.toml may be a student's.
lesson::Registry with_named_files(lesson::Registry registry, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (std::error_code ignored; fs::is_regular_file(name, ignored))
            if (std::optional<lesson::Registry> all = lesson::with_topic_beside(registry, name))
                registry = std::move(*all);
    return registry;
}

// The exercise of a file for which no option names one.
Result<const lesson::Exercise*> exercise_of(const std::string& file, const std::string& source,
                                            const lesson::Registry& registry, const CheckOptions& options) {
    if (const lesson::Exercise* its_own = registry.exercise_at(file)) return its_own;
    const std::string id = lesson::exercise_named_by(source);
    if (id.empty())
        return error_at(
            file, 0, 0, "it names no exercise",
            "use --exercise TOPIC/NAME, or write exercise = \"TOPIC/NAME\" into its front matter");
    Result<const lesson::Exercise*> exercise = registry.exercise(id);
    if (exercise) return exercise;
    const Diagnostic& why = exercise.diagnostics().front();
    const bool near = why.hint.starts_with("did you mean");
    return error_at(file, 0, 0, why.message,
                    near || !options.exercises.empty()
                        ? why.hint
                        : "--exercises FOLDER adds exercises of your own; --list shows all");
}

Result<judge::Marked> submission_of(const std::string& file, const lesson::Registry& registry,
                                    const CheckOptions& options) {
    Result<std::string> source = read_submission(file);
    if (!source) return source.diagnostics();
    const Result<const lesson::Exercise*> exercise = options.exercise.empty()
                                                         ? exercise_of(file, *source, registry, options)
                                                         : registry.exercise(options.exercise);
    if (!exercise) return exercise.diagnostics();
    return judge::Marked{{file, std::move(*source), options.arch}, *exercise};
}

std::string printed(const std::vector<judge::Verdict>& verdicts, const CheckOptions& options) {
    if (options.json) return judge::verdicts_json(verdicts);
    if (options.junit) return judge::verdicts_junit(verdicts);
    if (options.csv) return judge::verdicts_csv(verdicts);
    return judge::verdicts_text(verdicts);
}

int exit_of(const std::vector<judge::Verdict>& verdicts) {
    const bool full = std::all_of(verdicts.begin(), verdicts.end(),
                                  [](const judge::Verdict& verdict) { return verdict.full(); });
    return full ? fine : check_failed;
}

int list_exercises(const CheckOptions& options) {
    const lesson::Registry registry = exercises_of(options);
    const std::vector<const lesson::Exercise*> all = registry.exercises();
    std::cout << (options.json ? judge::exercises_json(all) : judge::exercises_text(all));
    Diagnostics faults = registry.problems;
    faults.insert(faults.end(), registry.own_problems.begin(), registry.own_problems.end());
    for (const lesson::Exercise* each : all)
        if (const auto prepared = lesson::prepare(*each); !prepared)
            faults.insert(faults.end(), prepared.diagnostics().begin(), prepared.diagnostics().end());
    return faults.empty() ? fine : fail(faults);
}

int merge_results(const CheckOptions& options) {
    std::vector<std::vector<judge::Verdict>> results;
    for (const std::string& file : options.merge) {
        const Result<std::string> text = read_text_file(file);
        if (!text) return fail(text.diagnostics());
        Result<std::vector<judge::Verdict>> verdicts = judge::read_verdicts(*text, file);
        if (!verdicts) return fail(verdicts.diagnostics());
        results.push_back(std::move(*verdicts));
    }
    const std::vector<judge::Verdict> all = judge::merged(results);
    std::cout << printed(all, options);
    return exit_of(all);
}

// A faulty exercise is found before anything runs.
Diagnostics faults_of(const std::vector<judge::Marked>& submissions) {
    std::set<const lesson::Exercise*> seen;
    Diagnostics faults;
    for (const judge::Marked& each : submissions)
        if (seen.insert(each.exercise).second)
            if (const auto prepared = lesson::prepare(*each.exercise); !prepared)
                faults.insert(faults.end(), prepared.diagnostics().begin(), prepared.diagnostics().end());
    return faults;
}

// Tells how far it is.
class Progress {
  public:
    Progress(const char* what, std::size_t all) : what_(what), all_(all) {}
    void add() {
        ++done_;
        if (all_ > 1)
            line_.tell("  " + std::string(what_) + " " + std::to_string(done_) + " of " +
                       std::to_string(all_) + " files");
    }

  private:
    StatusLine line_;
    const char* what_;
    std::size_t all_, done_ = 0;
};

// The submissions among the files. `unusable` gets the messages about the others.
std::vector<judge::Marked> read_submissions(const std::vector<std::string>& files,
                                            const lesson::Registry& registry, const CheckOptions& options,
                                            Diagnostics& unusable) {
    std::vector<judge::Marked> submissions;
    Progress progress("read", files.size());
    for (const std::string& file : files) {
        Result<judge::Marked> submission = submission_of(file, registry, options);
        if (submission)
            submissions.push_back(std::move(*submission));
        else
            unusable.insert(unusable.end(), submission.diagnostics().begin(), submission.diagnostics().end());
        progress.add();
    }
    return submissions;
}

}  // namespace

void CheckOptions::add_to(CLI::App& app) {
    app.add_option("FILE", files, "the .cu files to judge, or folders with such files")
        ->transform(or_shipped());
    app.add_option("--exercise", exercise,
                   "the exercise, as TOPIC/NAME; without it each file's front matter names its exercise");
    app.add_option("--exercises", exercises,
                   "a folder with exercises of your own, beside those of the course")
        ->check(CLI::ExistingDirectory);
    app.add_option(
           "--arch", arch,
           "the target of the code: sm_50 to sm_90 (default: what the file or else the exercise states)")
        ->type_name("TARGET");
    CLI::Option* as_json = app.add_flag("--json", json, "print JSON");
    CLI::Option* as_junit = app.add_flag("--junit", junit, "print JUnit XML, for CI services");
    CLI::Option* as_csv = app.add_flag("--csv", csv, "print CSV, for a spreadsheet");
    as_junit->excludes(as_json)->excludes(as_csv);
    as_csv->excludes(as_json);
    app.add_option("--jobs", jobs, "judge this many files at a time (default: one for each core)")
        ->check(from(1));
    app.add_option("--timeout", timeout_s, "stop judging a file after this many seconds")
        ->check(CLI::Range(1.0, 3600.0))
        ->capture_default_str();
    app.add_option("--merge", merge, "judge nothing: join these results, which --json printed");
    app.add_flag("--list", list, "judge nothing: list the exercises and check that they are complete");
}

int check_command(const CheckOptions& options) {
    if (options.list) return list_exercises(options);
    if (!options.merge.empty()) {
        if (!options.files.empty())
            return fail(
                error("--merge joins results and judges no file", "leave out " + options.files.front()));
        return merge_results(options);
    }
    if (options.files.empty())
        return fail(error("no file to judge", "name a .cu file or a folder; --list shows the exercises"));
    lesson::Registry registry = exercises_of(options);
    if (options.exercise.empty()) registry = with_named_files(std::move(registry), options.files);
    std::cerr << to_text(registry.own_problems);
    const Result<std::vector<std::string>> files = files_of(options.files);
    if (!files) return fail(files.diagnostics());
    Diagnostics unusable;
    const std::vector<judge::Marked> submissions = read_submissions(*files, registry, options, unusable);
    if (const Diagnostics faults = faults_of(submissions); !faults.empty()) return fail(faults);
    // Without a compiler every submission would seem to be wrong.
    if (const auto toolkit = compile::find_toolkit(); !toolkit && !submissions.empty())
        return fail(toolkit.diagnostics(), no_engine);
    Progress progress("judged", submissions.size());
    const Result<std::vector<judge::Verdict>> verdicts = judge::mark(
        submissions, {options.jobs, options.timeout_s}, [&](const judge::Verdict&) { progress.add(); });
    if (!verdicts) return fail(verdicts.diagnostics());
    if (!verdicts->empty() || options.json) std::cout << printed(*verdicts, options);
    return unusable.empty() ? exit_of(*verdicts) : fail(unusable);
}

}  // namespace lanescope
