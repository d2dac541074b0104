// The course: topics and their files, as kernels/<topic>/lesson.toml orders and explains them.
//
//   order = 2                             # of the topic in the course
//   title = "Tree reduction"
//   text  = """ … """                     # Markdown
//
//   [[lesson]]                            # in the order of the course
//   file  = "modulo.cu"                   # beside the lesson.toml
//   title = "Interleaved addressing (modulo)"
//   bytes = "4 * n + 4"                   # what a run reads and writes at least once; may be left out, as the next two
//   operations = "n - 1"                  # what the algorithm computes
//   peer  = "cub_reduce"                  # the library's implementation to time beside it
//   text  = """ … """                     # Markdown: what it does, and why
//   look  = "…"                           # Markdown: what to look at
//   look_step = 31                        # the step that `look` speaks of; may be left out
//   try   = ["…", "…"]                    # questions
//   sources = ["…"]                       # books, papers, guides
//
// Every .cu file of the folder must be listed once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

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
