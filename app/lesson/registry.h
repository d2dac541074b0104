// The course: topics and their files, as kernels/<topic>/lesson.toml orders and explains them.
//
//   order = 2                             # of the topic in the course
//   title = "Tree reduction"
//   text  = """ … """                     # Markdown
//
//   [[lesson]]                            # in the order of the course
//   file  = "modulo.cu"                   # beside the lesson.toml
//   title = "Interleaved addressing (modulo)"
//   after = "modulo"                      # the lesson above that it is measured against: else the one
//   before; "" is none bytes = "4 * n + 4"                   # what a run reads and writes at least once; may
//   be left out, as the next two operations = "n - 1"                  # what the algorithm computes peer  =
//   "cub_reduce"                  # the library's implementation to time beside it text  = """ … """ #
//   Markdown: what it does, and why look  = "…"                           # Markdown: what to look at
//   look_step = 31                        # the step that `look` speaks of; may be left out
//   try   = ["…", "…"]                    # questions
//   sources = ["…"]                       # books, papers, guides
//
//   [[lesson.schedules]]                  # of that lesson, each worth a look; may be left out
//   name = "0-then-1"                     # what --schedule takes for it
//   schedule = "threads:0*3,1*3"
//   text = "thread 0, then thread 1"      # what the window shows
//
//   [[lesson.note]]                       # on a place of the run with the lesson's own parameters, for a
//   lecture phase = 2                             # its first step; or step = 24, as `look_step` counts
//   launch = 0                            # of the phase; may be left out
//   text  = "…"
//
// Every .cu file of the folder must be listed once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

struct NamedSchedule {
    std::string name;      // "0-then-1"
    std::string schedule;  // as of --schedule: "threads:0*3,1*3"
    std::string text;      // "thread 0, then thread 1"
};

// What a lecturer says at a place of the run.
struct StepNote {
    int step = -1;   // from 0; -1: the first step of a phase
    int phase = -1;  // from 0, in its launch
    int launch = 0;
    std::string text;
};

struct LessonEntry {
    std::string name;   // "modulo"
    std::string title;  // "Interleaved addressing (modulo)"
    std::filesystem::path path;
    std::string text;                    // Markdown: what it does, and why
    std::string look;                    // Markdown: what to look at
    int look_step = -1;                  // a step to jump to, -1 when none
    Cost cost;                           // its places are in the topic's lesson.toml
    std::vector<std::string> questions;  // "try"
    std::vector<std::string> sources;    // books, papers, guides
    std::vector<NamedSchedule> schedules;
    std::string after;  // name of the lesson of this topic that it is measured against; empty: none
    std::vector<StepNote> notes;
};

struct Topic {
    std::string name;   // "reduction"
    std::string title;  // "Tree reduction"
    std::string text;   // Markdown introduction
    std::vector<LessonEntry> lessons;
};

// Reads every kernels/*/lesson.toml. Topics that are damaged become diagnostics; the others are returned.
struct Registry {
    std::vector<Topic> topics;
    Diagnostics problems;
    const LessonEntry* find(const std::filesystem::path& path) const;
};
Registry load_registry(const std::filesystem::path& kernels_folder);

}  // namespace lanescope::lesson
