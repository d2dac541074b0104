// Reads [[lesson.exercise]] and [[exercise]] of a lesson.toml.
#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include "lesson/course/exercise.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

// A topic has its folder's name, however a path spells the folder: ".", "vectors/", "../vectors".
std::string topic_name(const std::filesystem::path& folder);

class ExerciseReader {
  public:
    // `folder`: the topic's. Errors go to `reader`.
    ExerciseReader(TomlReader& reader, std::filesystem::path folder)
        : reader_(reader), folder_(std::move(folder)), topic_(topic_name(folder_)) {}

    // The topic's name in the identifiers of the exercises; default: its folder's.
    void set_topic(const std::string& name) { topic_ = name; }

    // Reads the tables of [[exercise]] in `table`; `where` names them in messages: "[[lesson.exercise]]".
    std::vector<Exercise> read(const toml::table& table, const std::string& where, const std::string& lesson);

  private:
    void read_one(const toml::table& table, const std::string& lesson, std::vector<Exercise>& into);
    void read_files(const toml::table& table, Exercise& exercise);
    void read_hidden(const toml::table& table, Exercise& exercise);
    void read_goals(const toml::table& table, Exercise& exercise);
    bool read_goal(const toml::table& table, Goal& goal);
    void read_points(const toml::table& table, Goal& goal);
    void read_bound(const toml::table& table, const GoalForm& form, Goal& goal);
    void read_details(const toml::table& table, Goal& goal);

    TomlReader& reader_;
    std::filesystem::path folder_;
    std::string topic_, where_;
    std::set<std::string> names_;  // of the topic's exercises
};

}  // namespace lanescope::lesson
