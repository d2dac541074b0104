#include "session/learner/progress.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace lanescope::session {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_progress_bytes = 16u << 20;

// Reads one part after the other, so that damage in one of them does not cost the others.
class ProgressReader {
  public:
    ProgressReader(const Json& json, std::string file) : json_(json), file_(std::move(file)) {}

    ReadProgress read() {
        if (const Json* lessons = part("lessons", Json::value_t::array))
            for (const Json& each : *lessons)
                if (good(each.is_string(), "lessons")) read_.progress.lessons.insert(each.get<std::string>());
        if (const Json* questions = part("questions", Json::value_t::object))
            for (const auto& [lesson, keys] : questions->items())
                if (good(keys.is_array(), "questions")) read_questions(lesson, keys);
        if (const Json* exercises = part("exercises", Json::value_t::object))
            for (const auto& [id, points] : exercises->items())
                read_exercise(id, points);
        return std::move(read_);
    }

  private:
    const Json* part(const char* name, Json::value_t type) {
        const auto found = json_.find(name);
        if (found == json_.end()) return nullptr;
        return good(found->type() == type, name) ? &*found : nullptr;
    }

    bool good(bool fine, const std::string& name) {
        if (!fine && std::none_of(read_.problems.begin(), read_.problems.end(), [&](const Diagnostic& each) {
                return each.message.find("'" + name + "'") != std::string::npos;
            }))
            read_.problems.push_back(error_at(file_, 0, 0, "the part '" + name + "' is damaged"));
        return fine;
    }

    void read_questions(const std::string& lesson, const Json& keys) {
        for (const Json& key : keys)
            if (good(key.is_string(), "questions"))
                read_.progress.questions[lesson].insert(key.get<std::string>());
    }

    void read_exercise(const std::string& id, const Json& points) {
        const auto number = [&](const char* name) {
            const auto found = points.is_object() ? points.find(name) : points.end();
            return points.is_object() && found != points.end() && found->is_number_integer()
                       ? found->get<std::int64_t>()
                       : -1;
        };
        constexpr std::int64_t most = 1'000'000;
        const std::int64_t got = number("points"), all = number("max_points");
        if (good(got >= 0 && got <= all && all <= most, "exercises"))
            read_.progress.exercises[id] = {static_cast<int>(got), static_cast<int>(all)};
    }

    const Json& json_;
    std::string file_;
    ReadProgress read_;
};

}  // namespace

std::string key_of(const lesson::LessonEntry& entry) {
    return entry.own ? entry.path.string() : entry.path.parent_path().filename().string() + "/" + entry.name;
}

std::string key_of(const lesson::Question& question) {
    return content_hash(question.ask).substr(0, 16);
}

bool Progress::seen(const lesson::LessonEntry& entry) const {
    return lessons.contains(key_of(entry));
}

bool Progress::answered(const lesson::LessonEntry& entry, const lesson::Question& question) const {
    const auto found = questions.find(key_of(entry));
    return found != questions.end() && found->second.contains(key_of(question));
}

const ExercisePoints* Progress::of(const lesson::Exercise& exercise) const {
    const auto found = exercises.find(exercise.id());
    return found == exercises.end() ? nullptr : &found->second;
}

void Progress::add(const Progress& other) {
    lessons.insert(other.lessons.begin(), other.lessons.end());
    for (const auto& [lesson, keys] : other.questions)
        questions[lesson].insert(keys.begin(), keys.end());
    for (const auto& [id, points] : other.exercises) {
        ExercisePoints& mine = exercises[id];
        // Shares are compared, because an exercise may have got another number of points since.
        if (mine.max_points == 0 || points.points * mine.max_points >= mine.points * points.max_points)
            mine = points;
    }
}

LessonScore score_of(const Progress& progress, const lesson::LessonEntry& entry) {
    LessonScore score;
    for (const lesson::Question& question : entry.questions) {
        if (!question.measure) continue;
        ++score.all;
        score.done += progress.answered(entry, question);
    }
    for (const lesson::Exercise& exercise : entry.exercises) {
        ++score.all;
        const ExercisePoints* points = progress.of(exercise);
        score.done += points != nullptr && points->passed();
    }
    return score;
}

ReadProgress read_progress(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    const Result<std::string> text = read_file(file, most_progress_bytes);
    if (!text) return {{}, text.diagnostics()};
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object()) return {{}, {error_at(file.string(), 0, 0, "it is not a JSON object")}};
    return ProgressReader(json, file.string()).read();
}

Result<void> write_progress(const Progress& progress, const std::filesystem::path& file) {
    Json exercises = Json::object();
    for (const auto& [id, points] : progress.exercises)
        exercises[id] = {{"points", points.points}, {"max_points", points.max_points}};
    Json questions = Json::object();
    for (const auto& [lesson, keys] : progress.questions)
        questions[lesson] = keys;
    const Json json{{"lessons", progress.lessons},
                    {"questions", std::move(questions)},
                    {"exercises", std::move(exercises)}};
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    return write_file(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace lanescope::session
