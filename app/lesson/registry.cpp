#include "lesson/registry.h"

#include <algorithm>
#include <set>

#include "base/files.h"
#include "lesson/suggest.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

namespace {

namespace fs = std::filesystem;

struct OrderedTopic {
    std::int64_t order = 0;
    Topic topic;
};

class TopicReader {
  public:
    TopicReader(const fs::path& folder, const std::string& file) : folder_(folder), reader_(file) {}

    OrderedTopic read(const std::string& text) {
        OrderedTopic read;
        read.topic.name = folder_.filename().string();
        const auto root = reader_.parse(text);
        if (!root) return read;
        reader_.check_keys(*root, {"order", "title", "text", "lesson"}, "a topic");
        for (const char* key : {"order", "title"})
            if (!root->contains(key)) reader_.fail_at(1, 0, "the topic needs '" + std::string(key) + "'");
        read.order = reader_.integer(*root, "order").value_or(0);
        read.topic.title = reader_.text(*root, "title").value_or("");
        read.topic.text = reader_.text(*root, "text").value_or("");
        for (const toml::table* entry : reader_.tables(*root, "lesson"))
            read_lesson(*entry, read.topic);
        check_folder();
        return read;
    }

    Diagnostics problems() const { return reader_.problems(); }

  private:
    void read_lesson(const toml::table& table, Topic& topic) {
        reader_.check_keys(table,
                           {"file", "title", "bytes", "operations", "peer", "text", "look", "look_step",
                            "try", "sources", "schedules", "after", "note"},
                           "[[lesson]]");
        for (const char* key : {"file", "title", "text"})
            if (!table.contains(key))
                return reader_.missing(table, key, "[[lesson]]", std::string(key) + " = \"…\"");
        LessonEntry entry;
        const std::string file = reader_.text(table, "file").value_or("");
        entry.path = folder_ / file;
        entry.name = entry.path.stem().string();
        entry.title = reader_.text(table, "title").value_or("");
        entry.text = reader_.text(table, "text").value_or("");
        entry.look = reader_.text(table, "look").value_or("");
        entry.questions = reader_.texts(table, "try");
        entry.cost.bytes = reader_.expression(table, "bytes").value_or(Expression());
        entry.cost.operations = reader_.expression(table, "operations").value_or(Expression());
        entry.cost.peer = reader_.text(table, "peer").value_or("");
        entry.sources = reader_.texts(table, "sources");
        read_schedules(table, entry);
        read_predecessor(table, topic, entry);
        const std::int64_t step = reader_.integer(table, "look_step").value_or(-1);
        if (table.contains("look_step") && (step < 0 || step > 1'000'000'000))
            reader_.fail(*table.get("look_step"), "'look_step' must be a step number, 0 to 1000000000");
        else
            entry.look_step = static_cast<int>(step);
        read_notes(table, entry);
        std::error_code failed;
        if (fs::path(file).filename() != file || fs::path(file).extension() != ".cu")
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
            reader_.check_keys(*table, {"step", "phase", "launch", "text"}, "[[lesson.note]]");
            if (!table->contains("text")) {
                reader_.missing(*table, "text", "[[lesson.note]]", "text = \"…\"");
                continue;
            }
            if (table->contains("step") == table->contains("phase"))
                reader_.fail(*table, "a note needs either 'step' or 'phase'");
            StepNote note;
            note.text = reader_.text(*table, "text").value_or("");
            for (const auto& [key, value] : {std::pair{"step", &note.step}, std::pair{"phase", &note.phase},
                                             std::pair{"launch", &note.launch}}) {
                const std::int64_t number = reader_.integer(*table, key).value_or(*value);
                if (table->contains(key) && (number < 0 || number > 1'000'000'000))
                    reader_.fail(*table->get(key), "'" + std::string(key) + "' must be 0 to 1000000000");
                else
                    *value = static_cast<int>(number);
            }
            entry.notes.push_back(std::move(note));
        }
    }

    void check_folder() {
        std::error_code failed;
        std::vector<std::string> extra;
        for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end;
             entry.increment(failed))
            if (entry->path().extension() == ".cu" && !listed_.count(entry->path().filename().string()))
                extra.push_back(entry->path().filename().string());
        std::sort(extra.begin(), extra.end());
        for (const std::string& file : extra)
            reader_.fail_at(1, 0, "the file '" + file + "' is in the folder but not listed",
                            "add a [[lesson]] for it");
    }

    fs::path folder_;
    TomlReader reader_;
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

Registry load_registry(const fs::path& kernels_folder) {
    Registry registry;
    std::vector<OrderedTopic> topics;
    std::error_code failed;
    fs::directory_iterator entry(kernels_folder, failed);
    if (failed) {
        registry.problems.push_back(
            error("the lesson folder '" + kernels_folder.string() + "' cannot be read"));
        return registry;
    }
    for (const fs::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
        std::error_code ignored;
        if (!entry->is_directory(ignored)) continue;
        const fs::path file = entry->path() / "lesson.toml";
        const auto text = read_text_file(file);
        if (!text) {
            registry.problems.insert(registry.problems.end(), text.diagnostics().begin(),
                                     text.diagnostics().end());
            continue;
        }
        TopicReader reader(entry->path(), file.string());
        OrderedTopic topic = reader.read(*text);
        const Diagnostics problems = reader.problems();
        registry.problems.insert(registry.problems.end(), problems.begin(), problems.end());
        if (!topic.topic.lessons.empty()) topics.push_back(std::move(topic));
    }
    std::sort(topics.begin(), topics.end(), [](const OrderedTopic& a, const OrderedTopic& b) {
        return a.order != b.order ? a.order < b.order : a.topic.name < b.topic.name;
    });
    for (OrderedTopic& each : topics)
        registry.topics.push_back(std::move(each.topic));
    return registry;
}

}  // namespace lanescope::lesson
