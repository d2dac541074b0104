// Reads places, questions and claims of a lesson.toml.
#pragma once

#include <optional>
#include <vector>

#include "lesson/course/questions.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

class QuestionReader {
  public:
    explicit QuestionReader(TomlReader& reader) : reader_(reader) {}  // gets the errors

    // Nothing if the key is missing or its value is wrong.
    std::optional<StepPlace> place(const toml::table& table, const char* key);
    // Reads `code` or `line`. False: the line is not named, or wrongly.
    bool read_line(const toml::table& table, CodeLine& line);
    // [[lesson.question]], then the plain texts of `try`.
    std::vector<Question> questions(const toml::table& lesson);
    std::vector<Claim> claims(const toml::table& lesson);

  private:
    std::optional<Measure> measure(const toml::table& table, const std::string& where);
    void read_kind(const toml::table& table, Measure& measure);
    bool check_kind(const toml::table& table, const Measure& measure);
    int number(const toml::table& table, const char* key, std::int64_t least, int otherwise);
    void read_right(const toml::table& table, Measure& measure);
    void read_numbers(const toml::table& table, Question& question);

    TomlReader& reader_;
};

}  // namespace lanescope::lesson
