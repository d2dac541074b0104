// Texts of a topic in another language: lesson.fr.toml beside lesson.toml. It repeats the tables of
// lesson.toml with their texts alone, and names a lesson by `file`, an exercise or a schedule by `name`, a
// note, a question or a claim by `id`. kernels/REFERENCE.md documents the format.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "lesson/course/registry.h"

namespace lanescope::lesson {

// lesson.fr.toml in the topic's folder.
std::filesystem::path overlay_file(const std::filesystem::path& folder, const std::string& language);

// Puts the overlay's texts in the place of the topic's. Texts that the overlay lacks stay, and `untranslated`
// of the topic and its lessons lists them, located in `file`. Errors: what the topic does not have, and lists
// of another length.
Diagnostics apply_overlay(const std::filesystem::path& file, const std::string& text, Topic& topic);

}  // namespace lanescope::lesson
