// The course: topics and their files, as kernels/<topic>/lesson.toml orders and explains them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::lesson {

struct LessonEntry {
    std::string name;                // "modulo"
    std::string title;               // "Interleaved addressing (modulo)"
    std::filesystem::path path;
    std::string text;                // Markdown: what it does, and why
    std::string look;                // Markdown: what to look at
    int look_step = -1;              // a step to jump to, -1 when none
    std::vector<std::string> questions;  // "try"
    std::vector<std::string> sources;    // books, papers, guides
};

struct Topic {
    std::string name;                // "reduction"
    std::string title;               // "Tree reduction"
    std::string text;                // Markdown introduction
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
