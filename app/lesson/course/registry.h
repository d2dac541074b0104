// The course and the person's own lessons: topics and their files, as <topic>/lesson.toml orders and explains
// them.
//
//   order = 2                             # of the topic in the course
//   name  = "reduction"                   # in identifiers; optional: its folder's name
//   title = "Tree reduction"
//   goals = ["…"]                         # what a person can do afterwards; optional
//   needs = ["first_steps"]               # topics to know before; optional
//   text  = """ … """                     # Markdown
//
//   [[lesson]]                            # in the order of the course
//   file  = "modulo.cu"                   # beside the lesson.toml
//   title = "Interleaved addressing (modulo)"
//   after = "modulo"                      # earlier lesson to compare with; default: previous; "": none
//   bytes = "4 * n + 4"                   # least bytes that a run reads and writes; optional
//   operations = "n - 1"                  # what the algorithm computes; optional
//   lane_label = "sum"                    # what the lanes show first; optional
//   peer  = "cub_reduce"                  # library implementation to time beside it; optional
//   text  = """ … """                     # Markdown: what it does, and why
//   look  = "…"                           # Markdown: what to look at
//   look_at = { code = "s[t] +=", visit = 2 }  # the step that `look` describes; or look_step = 31, from 1
//   minutes = 10                          # to read and try; optional
//   advanced = true                       # a first course can skip it; optional
//   goals = ["…"]                         # as for the topic; optional
//   needs = ["scan/hillis_steele"]        # lessons to know before; optional
//   schedule = "warp"                     # with which it opens; optional
//   colour = "origin"                     # what colours cells first: "state", "origin"; optional
//   try   = ["…", "…"]                    # questions without an answer
//   sources = ["…"]                       # books, papers, guides
//
//   [[lesson.schedules]]                  # instructive schedules of this lesson; optional
//   name = "0-then-1"                     # accepted by --schedule
//   schedule = "threads:0*3,1*3"
//   text = "thread 0, then thread 1"      # shown in the window
//
//   [lesson.arrays]                       # as in a front matter, for a file that has no [arrays]; optional
//   s = { view = "bars" }
//
//   [[lesson.note]]                       # for a lecture, on a run with the default parameters
//   id    = "sums"                        # unique in the lesson, for a translation; optional
//   phase = 2                             # at the phase's first step; or at = { … }, step = 24, as above
//   launch = 0                            # of the phase; optional
//   text  = "…"
//
//   [[lesson.question]]                   # lesson/course/questions.h
//   ask = "…"
//   answer = "…"
//
//   [[lesson.claim]]                      # a number of the texts, as a test
//   says = "127 additions"
//   is = "operations"
//   right = 127
//
//   [[lesson.exercise]]                   # lesson/course/exercise.h; [[exercise]] belongs to no lesson
//
// Every .cu file of the folder must be listed once. In a folder of the person's own, a lesson.toml may be
// missing or list only some of the files, and `order` and `title` may be missing; the titles are then those
// of the files' front matter. Texts in another language: lesson/course/overlay.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/language.h"
#include "base/result.h"
#include "lesson/course/exercise.h"
#include "lesson/course/questions.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

struct NamedSchedule {
    std::string name;      // "0-then-1"
    std::string schedule;  // for --schedule: "threads:0*3,1*3"
    std::string text;      // "thread 0, then thread 1"
};

// A lecturer's note on a place of the run.
struct StepNote {
    std::string id;  // by which a translation names it; unique within the lesson
    int step = -1;   // from 0; -1: the first step of `phase`, or `at`
    int phase = -1;  // from 0, in its launch
    int launch = 0;
    std::optional<StepPlace> at;
    std::string text;
    int line = 0;  // in the lesson.toml
};

// What the barrier phases do in which a line runs: "up-sweep".
struct NamedPhase {
    CodeLine line;
    std::string name;
    int toml_line = 0;
};

struct LessonEntry {
    std::string name;   // "modulo"
    std::string title;  // "Interleaved addressing (modulo)"
    std::filesystem::path path;
    std::string text;                  // Markdown: what it does, and why
    std::string look;                  // Markdown: what to look at
    int look_block = 0;                // in the steps of this block
    int look_step = -1;                // the step to jump to, from 0; -1 if there is none
    std::optional<StepPlace> look_at;  // or the step at this place
    int minutes = 0;                   // to read and try; 0: not said
    bool advanced = false;             // a first course can skip it
    std::vector<std::string> goals;    // what a person can do afterwards
    std::vector<std::string> needs;    // lessons to know before: "scan/hillis_steele"
    std::string timing;                // Markdown: what decides its times on a GPU
    std::string seen;                  // Markdown: what to remember, in two lines
    std::string colour;                // of the cells of the stage: "state", "origin"; empty: automatic
    bool lecture_lanes = false;        // a lecture shows the lanes of the warps below the picture
    Drawing drawing;                   // positions refer to the topic's lesson.toml
    Cost cost;                         // positions refer to the topic's lesson.toml
    std::vector<Question> questions;
    std::vector<Claim> claims;
    std::vector<std::string> sources;  // books, papers, guides
    std::vector<NamedSchedule> schedules;
    std::string schedule;  // with which it opens, as for --schedule; empty: round robin
    std::string after;     // the lesson of this topic to compare with; empty: none
    bool own = false;      // of the person, who may change the file; the course's files are never written
    std::vector<StepNote> notes;
    std::vector<NamedPhase> phases;
    std::vector<Exercise> exercises;
    Diagnostics untranslated;  // what its translation lacks
    int line = 0;              // in the lesson.toml; 0: it is not listed there
};

struct Topic {
    std::string name;                // "reduction"
    std::string title;               // "Tree reduction"
    std::string text;                // Markdown introduction
    std::vector<std::string> goals;  // what a person can do afterwards
    std::vector<std::string> needs;  // topics to know before: "first_steps"
    std::vector<LessonEntry> lessons;
    std::vector<Exercise> exercises;  // that belong to no lesson
    Diagnostics untranslated;         // what its translation lacks, without its lessons'
    bool own = false;                 // of the person: its lessons, too
};

struct Registry {
    std::vector<Topic> topics;             // the course's, then the person's own; each has lessons
    std::vector<Exercise> lone_exercises;  // of the person's own folders without lessons
    Diagnostics problems;                  // of the course
    Diagnostics own_problems;              // of the person's own lessons, which never touch the course
    const LessonEntry* find(const std::filesystem::path& path) const;
    bool is_of_course(const std::filesystem::path& path) const;
    // The exercise whose starter file or solution this is; null: there is none.
    const Exercise* exercise_at(const std::filesystem::path& path) const;
    // All exercises, in the order of the course.
    std::vector<const Exercise*> exercises() const;
    // Errors: there is none of this name, "reduction/fix_the_race". The person's own come first.
    Result<const Exercise*> exercise(const std::string& id) const;
};

// Reads every TOPIC/lesson.toml of the course's folder, and of each own folder every TOPIC with .cu files;
// .cu files that lie in an own folder itself make a topic of its name. Own folders need not exist. Damaged
// topics become diagnostics; the files of a damaged own topic are listed all the same. Texts are in the
// language, or in English where their topic is not translated.
Registry load_registry(const std::filesystem::path& kernels_folder,
                       const std::vector<std::filesystem::path>& own_folders = {},
                       const std::string& language = lanescope::language());

// Reads the topic of one folder, the course's or the person's own. Its problems are in own_problems.
Registry load_topic(const std::filesystem::path& folder, const std::string& language = lanescope::language());

// The registry with the topic of the lesson.toml that lies beside the file or, for a file of an exercise, in
// the folder above. It takes the place of a topic with the same name and title. Returns nothing if the
// registry knows the file already, or if neither place has a lesson.toml.
std::optional<Registry> with_topic_beside(const Registry& registry, const std::filesystem::path& file);

// The registry of the installed course and of the person's own folders (base/folders.h).
Registry load_lessons();
// The entry of a file in load_lessons() or in the lesson.toml beside it, which are read once; null if
// neither has it.
const LessonEntry* lesson_entry(const std::filesystem::path& file);
// Adds what the lesson.toml beside the file says about its pictures and the file itself does not.
void add_lesson_drawing(FrontMatter& front, const std::filesystem::path& file);

}  // namespace lanescope::lesson
