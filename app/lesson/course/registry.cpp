#include "lesson/course/registry.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/sorted_entries.h"
#include "lesson/array_entries.h"
#include "lesson/course/exercise_reader.h"
#include "lesson/course/overlay.h"
#include "lesson/course/question_reader.h"
#include "lesson/expression.h"
#include "lesson/suggest.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

namespace {

namespace fs = std::filesystem;

// Empty if the folder cannot be read.
std::vector<fs::path> entries_of(const fs::path& folder) {
    Result<std::vector<fs::path>> found = sorted_entries(folder);
    return found ? std::move(*found) : std::vector<fs::path>();
}

struct OrderedTopic {
    std::int64_t order = 0;
    Topic topic;
};

class TopicReader {
  public:
    enum class Kind : std::uint8_t { course, own };
    TopicReader(const fs::path& folder, Kind kind)
        : folder_(folder),
          own_(kind == Kind::own),
          reader_((folder / "lesson.toml").string()),
          exercises_(reader_, folder),
          questions_(reader_) {}

    OrderedTopic read(const std::string& text) {
        OrderedTopic read;
        read.topic.name = topic_name(folder_);
        read.topic.own = own_;
        if (own_) read.topic.title = read.topic.name;
        const auto root = reader_.parse(text);
        if (!root) return read;
        reader_.check_keys(*root, {"order", "name", "title", "text", "goals", "needs", "lesson", "exercise"},
                           "a topic");
        for (const char* key : {"order", "title"})
            if (!own_ && !root->contains(key))
                reader_.fail_at(1, 0, "the topic needs '" + std::string(key) + "'");
        read_name(*root, read.topic);
        read.order = reader_.integer(*root, "order").value_or(0);
        read.topic.title = reader_.text(*root, "title").value_or(read.topic.title);
        read.topic.text = reader_.text(*root, "text").value_or("");
        read.topic.goals = reader_.texts(*root, "goals");
        read.topic.needs = reader_.texts(*root, "needs");
        read.topic.exercises = exercises_.read(*root, "[[exercise]]", "");
        for (const toml::table* entry : reader_.tables(*root, "lesson"))
            read_lesson(*entry, read.topic);
        if (!own_) check_folder();
        return read;
    }

    // Lists the .cu files of an own folder that no [[lesson]] names.
    void add_unlisted(Topic& topic) {
        for (const std::string& file : unlisted_files()) {
            LessonEntry entry;
            entry.path = folder_ / file;
            entry.name = entry.path.stem().string();
            entry.title = entry.name;
            entry.own = true;
            const auto text = read_text_file(entry.path);
            const auto front = text ? parse_front_matter(*text, entry.path.string())
                                    : Result<FrontMatter>(text.diagnostics());
            if (!front)
                reader_.add(front.diagnostics());
            else if (!front->title.empty())
                entry.title = front->title;
            topic.lessons.push_back(std::move(entry));
        }
    }

    Diagnostics problems() const { return reader_.problems(); }

  private:
    // A copied or renamed folder keeps the identifiers of its exercises.
    void read_name(const toml::table& root, Topic& topic) {
        topic.name = reader_.text(root, "name").value_or(topic.name);
        if (root.contains("name") && !is_identifier(topic.name))
            reader_.fail(*root.get("name"), "'" + topic.name + "' cannot name a topic",
                         "expected letters, digits and '_'");
        exercises_.set_topic(topic.name);
    }

    void read_lesson(const toml::table& table, Topic& topic) {
        reader_.check_keys(
            table,
            {"file",      "title",  "bytes",      "operations", "peer",    "text",     "look",   "look_block",
             "look_step", "try",    "sources",    "schedules",  "after",   "note",     "timing", "exercise",
             "colour",    "arrays", "lane_label", "look_at",    "minutes", "advanced", "goals",  "needs",
             "question",  "claim",  "phase",      "lecture",    "seen",    "schedule"},
            "[[lesson]]");
        for (const char* key : {"file", "title", "text"})
            if (!table.contains(key))
                return reader_.missing(table, key, "[[lesson]]", std::string(key) + " = \"…\"");
        LessonEntry entry;
        entry.own = own_;
        entry.line = TomlReader::line_of(table);
        const std::string file = reader_.text(table, "file").value_or("");
        entry.path = folder_ / file;
        entry.name = entry.path.stem().string();
        entry.title = reader_.text(table, "title").value_or("");
        entry.text = reader_.text(table, "text").value_or("");
        entry.look = reader_.text(table, "look").value_or("");
        entry.timing = reader_.text(table, "timing").value_or("");
        entry.seen = reader_.text(table, "seen").value_or("");
        entry.questions = questions_.questions(table);
        entry.claims = questions_.claims(table);
        entry.goals = reader_.texts(table, "goals");
        entry.needs = reader_.texts(table, "needs");
        entry.advanced = reader_.boolean(table, "advanced").value_or(false);
        read_number(table, "minutes", 0, entry.minutes);
        entry.cost.bytes = reader_.expression(table, "bytes").value_or(Expression());
        entry.cost.operations = reader_.expression(table, "operations").value_or(Expression());
        entry.cost.peer = reader_.text(table, "peer").value_or("");
        entry.sources = reader_.texts(table, "sources");
        const ArrayRules rules{[](Expression each) { return each; },
                               [](const std::string&) { return std::string(); }};
        read_drawing(reader_, table, rules, entry.drawing);
        read_schedules(table, entry);
        entry.schedule = reader_.text(table, "schedule").value_or("");
        read_predecessor(table, topic, entry);
        read_number(table, "look_block", 0, entry.look_block);
        read_number(table, "look_step", 1, entry.look_step);
        entry.look_at = questions_.place(table, "look_at");
        if (entry.look_at && table.contains("look_step"))
            reader_.fail(*table.get("look_at"), "'look_at' and 'look_step' both name a step");
        read_notes(table, entry);
        check_ids(table);
        read_phases(table, entry);
        entry.exercises = exercises_.read(table, "[[lesson.exercise]]", entry.name);
        entry.colour = reader_.text(table, "colour").value_or("");
        if (table.contains("colour") && entry.colour != "state" && entry.colour != "origin")
            reader_.fail(*table.get("colour"), "'colour' must be \"state\" or \"origin\"");
        const std::string lecture = reader_.text(table, "lecture").value_or("source");
        entry.lecture_lanes = lecture == "lanes";
        if (lecture != "lanes" && lecture != "source")
            reader_.fail(*table.get("lecture"), "'lecture' must be \"lanes\" or \"source\"");
        std::error_code failed;
        if (fs::path(file).filename() != file || kind_of(file) != FileKind::cuda)
            return reader_.fail(*table.get("file"),
                                "'" + file + "' must be the name of a .cu file in this folder");
        if (!fs::is_regular_file(entry.path, failed))
            return reader_.fail(*table.get("file"), "the file '" + file + "' does not exist");
        if (!listed_.insert(file).second)
            return reader_.fail(*table.get("file"), "the file '" + file + "' is listed twice");
        topic.lessons.push_back(std::move(entry));
    }

    void read_predecessor(const toml::table& table, const Topic& topic, LessonEntry& entry) {
        const std::string before = topic.lessons.empty() ? "" : topic.lessons.back().name;
        entry.after = reader_.text(table, "after").value_or(before);
        const auto named = [&](const LessonEntry& each) { return each.name == entry.after; };
        if (!entry.after.empty() && std::none_of(topic.lessons.begin(), topic.lessons.end(), named))
            reader_.fail(*table.get("after"),
                         "there is no earlier lesson '" + entry.after + "' in this topic");
    }

    void read_schedules(const toml::table& lesson, LessonEntry& entry) {
        std::set<std::string> names;
        for (const toml::table* table : reader_.tables(lesson, "schedules")) {
            reader_.check_keys(*table, {"name", "schedule", "text"}, "[[lesson.schedules]]");
            for (const char* key : {"name", "schedule", "text"})
                if (!table->contains(key))
                    return reader_.missing(*table, key, "[[lesson.schedules]]",
                                           std::string(key) + " = \"…\"");
            NamedSchedule named;
            named.name = reader_.text(*table, "name").value_or("");
            named.schedule = reader_.text(*table, "schedule").value_or("");
            named.text = reader_.text(*table, "text").value_or("");
            if (!names.insert(named.name).second)
                return reader_.fail(*table->get("name"), "the schedule '" + named.name + "' is listed twice");
            entry.schedules.push_back(std::move(named));
        }
    }

    void read_notes(const toml::table& lesson, LessonEntry& entry) {
        for (const toml::table* table : reader_.tables(lesson, "note")) {
            reader_.check_keys(*table, {"id", "step", "phase", "launch", "at", "text"}, "[[lesson.note]]");
            if (!table->contains("text")) {
                reader_.missing(*table, "text", "[[lesson.note]]", "text = \"…\"");
                continue;
            }
            if (int(table->contains("step")) + int(table->contains("phase")) + int(table->contains("at")) !=
                1)
                reader_.fail(*table, "a note needs one of 'at', 'step' and 'phase'");
            StepNote note;
            note.line = TomlReader::line_of(*table);
            note.id = reader_.text(*table, "id").value_or("");
            note.text = reader_.text(*table, "text").value_or("");
            read_number(*table, "step", 1, note.step);
            read_number(*table, "phase", 0, note.phase);
            read_number(*table, "launch", 0, note.launch);
            note.at = questions_.place(*table, "at");
            entry.notes.push_back(std::move(note));
        }
    }

    void check_ids(const toml::table& lesson) {
        std::set<std::string> ids;
        for (const char* list : {"note", "question", "claim"})
            if (const toml::array* entries = lesson.get_as<toml::array>(list))
                for (const toml::node& each : *entries)
                    if (const auto id = each.is_table() ? (*each.as_table())["id"].value<std::string>()
                                                        : std::optional<std::string>();
                        id && !ids.insert(*id).second)
                        reader_.fail(*each.as_table()->get("id"), "the id '" + *id + "' is used twice",
                                     "notes, questions and claims of a lesson need different ones");
    }

    void read_phases(const toml::table& lesson, LessonEntry& entry) {
        for (const toml::table* table : reader_.tables(lesson, "phase")) {
            reader_.check_keys(*table, {"name", "code", "line"}, "[[lesson.phase]]");
            NamedPhase phase;
            phase.toml_line = TomlReader::line_of(*table);
            phase.name = reader_.text(*table, "name").value_or("");
            if (phase.name.empty())
                reader_.missing(*table, "name", "[[lesson.phase]]", "name = \"up-sweep\"");
            else if (questions_.read_line(*table, phase.line))
                entry.phases.push_back(std::move(phase));
        }
    }

    // Reads a number that the file counts from `first`, and returns it counted from 0.
    void read_number(const toml::table& table, const char* key, std::int64_t first, int& value) {
        if (!table.contains(key)) return;
        const std::optional<std::int64_t> number = reader_.integer(table, key);
        if (!number) return;
        if (*number < first || *number > 1'000'000'000)
            reader_.fail(*table.get(key), "'" + std::string(key) + "' must be a number from " +
                                              std::to_string(first) + " to 1000000000");
        else
            value = static_cast<int>(*number - first);
    }

    std::vector<std::string> unlisted_files() const {
        std::vector<std::string> extra;
        for (const fs::path& entry : entries_of(folder_))
            if (kind_of(entry) == FileKind::cuda && !listed_.count(entry.filename().string()))
                extra.push_back(entry.filename().string());
        return extra;
    }

    void check_folder() {
        for (const std::string& file : unlisted_files())
            reader_.fail_at(1, 0, "the file '" + file + "' is in the folder but not listed",
                            "add a [[lesson]] for it");
    }

    fs::path folder_;
    bool own_ = false;
    TomlReader reader_;
    ExerciseReader exercises_;
    QuestionReader questions_;
    std::set<std::string> listed_;
};

}  // namespace

const LessonEntry* Registry::find(const fs::path& path) const {
    std::error_code failed;
    for (const Topic& topic : topics)
        for (const LessonEntry& lesson : topic.lessons)
            if (lesson.path == path || fs::equivalent(lesson.path, path, failed)) return &lesson;
    return nullptr;
}

bool Registry::is_of_course(const fs::path& path) const {
    const LessonEntry* lesson = find(path);
    if (lesson != nullptr) return !lesson->own;
    const Exercise* exercise = exercise_at(path);
    const auto is_it = [&](const Exercise& each) { return &each == exercise; };
    const auto holds = [&](const std::vector<Exercise>& some) {
        return std::any_of(some.begin(), some.end(), is_it);
    };
    return std::any_of(topics.begin(), topics.end(), [&](const Topic& topic) {
        return !topic.own && (holds(topic.exercises) ||
                              std::any_of(topic.lessons.begin(), topic.lessons.end(),
                                          [&](const LessonEntry& each) { return holds(each.exercises); }));
    });
}

const Exercise* Registry::exercise_at(const fs::path& path) const {
    std::error_code failed;
    for (const Exercise* exercise : exercises())
        for (const fs::path& file : {exercise->starter, exercise->solution})
            if (file == path || (file.filename() == path.filename() && fs::equivalent(file, path, failed)))
                return exercise;
    return nullptr;
}

std::vector<const Exercise*> Registry::exercises() const {
    std::vector<const Exercise*> all;
    for (const Topic& topic : topics) {
        for (const Exercise& exercise : topic.exercises)
            all.push_back(&exercise);
        for (const LessonEntry& lesson : topic.lessons)
            for (const Exercise& exercise : lesson.exercises)
                all.push_back(&exercise);
    }
    for (const Exercise& exercise : lone_exercises)
        all.push_back(&exercise);
    return all;
}

Result<const Exercise*> Registry::exercise(const std::string& id) const {
    std::vector<std::string> known;
    const std::vector<const Exercise*> all = exercises();
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [&](const Exercise* each) { return each->id() == id; });
    if (found != all.rend()) return *found;
    for (const Exercise* each : all)
        known.push_back(each->id());
    return error("there is no exercise '" + id + "'", suggestion(id, known));
}

namespace {

void add(Diagnostics& all, const Diagnostics& more) {
    all.insert(all.end(), more.begin(), more.end());
}

void append_in_order(std::vector<OrderedTopic> topics, Registry& registry) {
    std::sort(topics.begin(), topics.end(), [](const OrderedTopic& a, const OrderedTopic& b) {
        return a.order != b.order ? a.order < b.order : a.topic.name < b.topic.name;
    });
    for (OrderedTopic& each : topics)
        registry.topics.push_back(std::move(each.topic));
}

bool has_kernels(const fs::path& folder) {
    const std::vector<fs::path> found = entries_of(folder);
    return std::any_of(found.begin(), found.end(),
                       [](const fs::path& each) { return kind_of(each) == FileKind::cuda; });
}

// Returns what is wrong with the topic's overlay. A topic without one stays English.
Diagnostics translate(Topic& topic, const fs::path& folder, const std::string& language) {
    if (language == "en") return {};
    const fs::path file = overlay_file(folder, language);
    std::error_code ignored;
    const Result<std::string> text =
        fs::exists(file, ignored) ? read_text_file(file) : Result<std::string>(std::string());
    return text ? apply_overlay(file, *text, topic) : text.diagnostics();
}

void read_own_topic(const fs::path& folder, const std::string& language, Registry& registry,
                    std::vector<OrderedTopic>& topics) {
    std::error_code ignored;
    const fs::path file = folder / "lesson.toml";
    if (!has_kernels(folder) && !fs::exists(file, ignored)) return;
    const auto text = fs::exists(file, ignored) ? read_text_file(file) : Result<std::string>(std::string());
    if (!text) add(registry.own_problems, text.diagnostics());
    TopicReader reader(folder, TopicReader::Kind::own);
    OrderedTopic topic = reader.read(text ? *text : std::string());
    reader.add_unlisted(topic.topic);
    add(registry.own_problems, reader.problems());
    add(registry.own_problems, translate(topic.topic, folder, language));
    if (!topic.topic.lessons.empty())
        topics.push_back(std::move(topic));
    else
        for (Exercise& exercise : topic.topic.exercises)
            registry.lone_exercises.push_back(std::move(exercise));
}

// A folder of the files of exercises is not a topic.
bool holds_exercises(const fs::path& folder) {
    std::error_code ignored;
    return folder.filename() == "exercises" && fs::exists(folder.parent_path() / "lesson.toml", ignored);
}

void read_own_folder(const fs::path& folder, const std::string& language, Registry& registry) {
    std::vector<OrderedTopic> topics;
    read_own_topic(folder, language, registry, topics);
    std::error_code ignored;
    for (const fs::path& entry : entries_of(folder))
        if (fs::is_directory(entry, ignored) && !holds_exercises(entry))
            read_own_topic(entry, language, registry, topics);
    append_in_order(std::move(topics), registry);
}

void read_course(const fs::path& folder, const std::string& language, Registry& registry) {
    std::vector<OrderedTopic> topics;
    const Result<std::vector<fs::path>> found = sorted_entries(folder);
    if (!found) {
        registry.problems.push_back(error("the lesson folder '" + folder.string() + "' cannot be read"));
        return;
    }
    for (const fs::path& entry : *found) {
        std::error_code ignored;
        if (!fs::is_directory(entry, ignored)) continue;
        const auto text = read_text_file(entry / "lesson.toml");
        if (!text) {
            add(registry.problems, text.diagnostics());
            continue;
        }
        TopicReader reader(entry, TopicReader::Kind::course);
        OrderedTopic topic = reader.read(*text);
        add(registry.problems, reader.problems());
        add(registry.problems, translate(topic.topic, entry, language));
        if (!topic.topic.lessons.empty()) topics.push_back(std::move(topic));
    }
    append_in_order(std::move(topics), registry);
}

}  // namespace

Registry load_registry(const fs::path& kernels_folder, const std::vector<fs::path>& own_folders,
                       const std::string& language) {
    Registry registry;
    read_course(kernels_folder, language, registry);
    for (const fs::path& folder : own_folders)
        read_own_folder(folder, language, registry);
    return registry;
}

Registry load_topic(const fs::path& folder, const std::string& language) {
    Registry registry;
    std::vector<OrderedTopic> topics;
    read_own_topic(folder, language, registry, topics);
    append_in_order(std::move(topics), registry);
    return registry;
}

std::optional<Registry> with_topic_beside(const Registry& registry, const fs::path& file) {
    if (registry.find(file) != nullptr || registry.exercise_at(file) != nullptr) return {};
    std::error_code failed;
    fs::path folder = fs::absolute(file, failed).parent_path();
    if (holds_exercises(folder)) folder = folder.parent_path();
    if (failed || !fs::exists(folder / "lesson.toml", failed)) return {};
    const bool read = std::any_of(registry.topics.begin(), registry.topics.end(), [&](const Topic& topic) {
        std::error_code ignored;
        return fs::equivalent(topic.lessons.front().path.parent_path(), folder, ignored);
    });
    if (read) return {};
    Registry beside = load_topic(folder);
    Registry all = registry;
    for (Topic& topic : beside.topics) {  // a checkout has the topics of the installed course once more
        const auto same = std::find_if(all.topics.begin(), all.topics.end(), [&](const Topic& each) {
            return each.name == topic.name && each.title == topic.title;
        });
        if (same != all.topics.end())
            *same = std::move(topic);
        else
            all.topics.push_back(std::move(topic));
    }
    std::move(beside.lone_exercises.begin(), beside.lone_exercises.end(),
              std::back_inserter(all.lone_exercises));
    add(all.own_problems, beside.own_problems);
    return all;
}

Registry load_lessons() {
    return load_registry(resource_folder() / "kernels", own_kernels_folders());
}

const LessonEntry* lesson_entry(const fs::path& file) {
    static const Registry registry = load_lessons();
    if (const LessonEntry* entry = registry.find(file)) return entry;
    // Entries stay where they are, because callers keep them.
    static std::mutex mutex;
    static std::map<fs::path, Registry> beside;
    const std::scoped_lock lock(mutex);
    const auto [known, added] = beside.try_emplace(file.parent_path());
    if (added)
        if (std::optional<Registry> found = with_topic_beside(Registry(), file))
            known->second = std::move(*found);
    return known->second.find(file);
}

void add_lesson_drawing(FrontMatter& front, const fs::path& file) {
    std::error_code missing;
    if (!fs::exists(file.parent_path() / "lesson.toml", missing)) return;
    const LessonEntry* entry = lesson_entry(file);
    if (entry == nullptr) return;
    if (front.drawing.lane_label.empty()) front.drawing.lane_label = entry->drawing.lane_label;
    if (!front.drawing.arrays.empty()) return;
    front.drawing.arrays = entry->drawing.arrays;
    front.drawing.file = entry->drawing.file;
}

}  // namespace lanescope::lesson
