#include "lesson/course/exercise_reader.h"

#include <algorithm>

#include "lesson/expression.h"
#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

namespace fs = std::filesystem;

constexpr int most_points = 1000;
constexpr Feature features[] = {Feature::shared,  Feature::shuffle,  Feature::atomics,
                                Feature::barrier, Feature::constant, Feature::local};
const std::vector<std::string> usual_schedules{"rr", "warp", "seed:1"};

std::vector<std::string> goal_names() {
    std::vector<std::string> names;
    for (const GoalForm& form : goal_forms())
        names.push_back(form.name);
    return names;
}

}  // namespace

std::string topic_name(const fs::path& folder) {
    std::error_code failed;
    fs::path whole = fs::absolute(folder, failed).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    return whole.filename().string();
}

std::vector<Exercise> ExerciseReader::read(const toml::table& table, const std::string& where,
                                           const std::string& lesson) {
    where_ = where;
    std::vector<Exercise> exercises;
    for (const toml::table* each : reader_.tables(table, "exercise"))
        read_one(*each, lesson, exercises);
    return exercises;
}

void ExerciseReader::read_one(const toml::table& table, const std::string& lesson,
                              std::vector<Exercise>& into) {
    reader_.check_keys(
        table,
        {"name", "title", "level", "text", "starter", "solution", "hints", "hidden", "schedules", "goals"},
        where_);
    for (const char* key : {"name", "title", "text"})
        if (!table.contains(key)) return reader_.missing(table, key, where_, std::string(key) + " = \"…\"");
    Exercise exercise;
    exercise.topic = topic_;
    exercise.lesson = lesson;
    exercise.file = reader_.file();
    exercise.line = TomlReader::line_of(table);
    exercise.name = reader_.text(table, "name").value_or("");
    exercise.title = reader_.text(table, "title").value_or("");
    exercise.text = reader_.text(table, "text").value_or("");
    const std::int64_t level = reader_.integer(table, "level").value_or(1);
    if (level < 1 || level > 3) reader_.fail(*table.get("level"), "'level' must be 1, 2 or 3");
    exercise.level = static_cast<int>(level);
    exercise.hints = reader_.texts(table, "hints");
    exercise.schedules = table.contains("schedules") ? reader_.texts(table, "schedules") : usual_schedules;
    if (exercise.schedules.empty()) reader_.fail(*table.get("schedules"), "'schedules' is empty");
    if (!is_identifier(exercise.name))
        return reader_.fail(*table.get("name"), "'" + exercise.name + "' cannot name an exercise",
                            "expected letters, digits and '_'");
    if (!names_.insert(exercise.name).second)
        return reader_.fail(*table.get("name"), "the exercise '" + exercise.name + "' is listed twice");
    read_files(table, exercise);
    read_hidden(table, exercise);
    read_goals(table, exercise);
    into.push_back(std::move(exercise));
}

void ExerciseReader::read_files(const toml::table& table, Exercise& exercise) {
    const std::string starter = "exercises/" + exercise.name + ".cu",
                      solution = "exercises/" + exercise.name + ".solution.cu";
    exercise.starter = folder_ / reader_.text(table, "starter").value_or(starter);
    exercise.solution = folder_ / reader_.text(table, "solution").value_or(solution);
    std::error_code failed;
    for (const auto& [key, path] :
         {std::pair{"starter", &exercise.starter}, std::pair{"solution", &exercise.solution}}) {
        const toml::node* given = table.get(key);
        if (!fs::is_regular_file(*path, failed))
            reader_.fail(given ? *given : static_cast<const toml::node&>(table),
                         "the " + std::string(key) + " file '" + path->lexically_relative(folder_).string() +
                             "' of the exercise '" + exercise.name + "' does not exist");
    }
}

void ExerciseReader::read_hidden(const toml::table& table, Exercise& exercise) {
    const toml::node* node = table.get("hidden");
    if (!node) return;
    const std::string example = "hidden = [ { set = { n = 1000 }, seed = 3 } ]";
    for (const toml::table* each : reader_.tables(table, "hidden")) {
        reader_.check_keys(*each, {"set", "seed", "contents", "about"}, "a hidden case");
        HiddenCase hidden;
        hidden.line = TomlReader::line_of(*each);
        hidden.seed = reader_.integer(*each, "seed").value_or(0);
        if (hidden.seed < 0) reader_.fail(*each->get("seed"), "'seed' must be at least 0");
        if (const toml::table* set = reader_.table(*each, "set"))
            for (const auto& [key, value] : TomlReader::in_order(*set))
                if (const auto number = reader_.integer(*set, key->str()))
                    hidden.set[std::string(key->str())] = *number;
        if (const toml::table* contents = reader_.table(*each, "contents"))
            for (const auto& [key, value] : TomlReader::in_order(*contents))
                if (auto init = reader_.expression(*contents, key->str()))
                    hidden.contents[std::string(key->str())] = std::move(*init);
        hidden.about = reader_.text(*each, "about").value_or("");
        if (each->empty()) reader_.fail(*each, "a hidden case is empty", "as in " + example);
        exercise.hidden.push_back(std::move(hidden));
    }
}

void ExerciseReader::read_goals(const toml::table& table, Exercise& exercise) {
    const std::string example = "goals = [ { goal = \"result\", points = 4 } ]";
    if (!table.contains("goals"))
        return reader_.missing(table, "goals", "the exercise '" + exercise.name + "'", example);
    for (const toml::table* each : reader_.tables(table, "goals")) {
        Goal goal;
        if (read_goal(*each, goal)) exercise.goals.push_back(std::move(goal));
    }
    if (reader_.ok() && exercise.goals.empty())
        reader_.fail(*table.get("goals"), "'goals' is empty", "as in " + example);
    const bool checks = std::any_of(exercise.goals.begin(), exercise.goals.end(),
                                    [](const Goal& goal) { return goal.kind == GoalKind::result; });
    if (reader_.ok() && !checks)
        reader_.fail(*table.get("goals"), "the exercise '" + exercise.name + "' has no goal 'result'",
                     "without it an empty kernel would pass");
}

bool ExerciseReader::read_goal(const toml::table& table, Goal& goal) {
    goal.line = TomlReader::line_of(table);
    if (!table.contains("goal")) {
        reader_.missing(table, "goal", "a goal", "{ goal = \"result\", points = 4 }");
        return false;
    }
    const std::string name = reader_.text(table, "goal").value_or("");
    const auto known = goal_forms();
    const auto form =
        std::find_if(known.begin(), known.end(), [&](const GoalForm& each) { return each.name == name; });
    if (form == known.end()) {
        reader_.fail(*table.get("goal"), "unknown goal '" + name + "'", suggestion(name, goal_names()));
        return false;
    }
    goal.kind = form->kind;
    read_points(table, goal);
    read_bound(table, *form, goal);
    read_details(table, goal);
    return true;
}

void ExerciseReader::read_points(const toml::table& table, Goal& goal) {
    const std::int64_t points = reader_.integer(table, "points").value_or(1);
    if (points < 0 || points > most_points)
        reader_.fail(*table.get("points"), "'points' must be 0 to " + std::to_string(most_points));
    else
        goal.points = static_cast<int>(points);
    const std::string cases = reader_.text(table, "cases").value_or("all");
    const std::vector<std::string> known{"all", "given", "hidden"};
    const auto found = std::find(known.begin(), known.end(), cases);
    if (found == known.end())
        reader_.fail(*table.get("cases"), "unknown cases '" + cases + "'", suggestion(cases, known));
    else
        goal.cases = static_cast<Goal::Cases>(found - known.begin());
}

void ExerciseReader::read_bound(const toml::table& table, const GoalForm& form, Goal& goal) {
    std::vector<std::string> keys{"goal", "points", "cases"};
    const char* bound = form.bound == GoalForm::Bound::at_most    ? "at_most"
                        : form.bound == GoalForm::Bound::at_least ? "at_least"
                                                                  : nullptr;
    if (bound != nullptr) keys.emplace_back(bound);
    if (goal.kind == GoalKind::no_problem) keys.emplace_back("kinds");
    if (goal.kind == GoalKind::depth || goal.kind == GoalKind::loads || goal.kind == GoalKind::stores)
        keys.emplace_back("buffer");
    if (goal.kind == GoalKind::result) keys.emplace_back("parallel");
    if (goal.kind == GoalKind::uses || goal.kind == GoalKind::avoids) keys.emplace_back("what");
    reader_.check_keys(table, keys, "the goal '" + std::string(form.name) + "'");
    if (bound == nullptr) return;
    if (!table.contains(bound))
        return reader_.missing(table, bound, "the goal '" + std::string(form.name) + "'",
                               "{ goal = \"" + std::string(form.name) + "\", " + bound + " = 1 }");
    goal.bound = reader_.expression(table, bound).value_or(Expression());
}

void ExerciseReader::read_details(const toml::table& table, Goal& goal) {
    const std::string name = form_of(goal.kind).name;
    goal.problems = reader_.texts(table, "kinds");
    const std::vector<std::string>& known = problem_kind_names();
    for (const std::string& kind : goal.problems)
        if (std::find(known.begin(), known.end(), kind) == known.end())
            reader_.fail(*table.get("kinds"), "unknown kind of problem '" + kind + "'",
                         suggestion(kind, known));
    if (goal.kind == GoalKind::result)
        goal.parallel = reader_.number(table, "parallel").value_or(goal.parallel);
    if (goal.kind == GoalKind::depth && !table.contains("buffer"))
        return reader_.missing(table, "buffer", "the goal 'depth'", "buffer = \"out\"");
    goal.buffer = reader_.text(table, "buffer").value_or("");
    if (goal.kind != GoalKind::uses && goal.kind != GoalKind::avoids) return;
    if (!table.contains("what"))
        return reader_.missing(table, "what", "the goal '" + name + "'", "what = \"shared\"");
    const std::string what = reader_.text(table, "what").value_or("");
    std::vector<std::string> words;
    for (const Feature feature : features) {
        words.emplace_back(to_text(feature));
        if (what == words.back()) {
            goal.feature = feature;
            return;
        }
    }
    if (goal.kind == GoalKind::uses && nearest(what, words).empty())
        goal.buffer = what;  // prepare() looks for it
    else
        reader_.fail(*table.get("what"), "unknown feature '" + what + "'", suggestion(what, words));
}

}  // namespace lanescope::lesson
