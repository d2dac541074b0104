#include "ui/lesson/page_texts.h"

#include "base/folders.h"
#include "base/language.h"
#include "session/timing/lesson_comparison.h"

namespace lanescope::ui {
namespace {

std::string list_of(const std::string& heading, const std::vector<std::string>& items) {
    if (items.empty()) return {};
    std::string text = "**" + heading + "**\n\n";
    for (const std::string& item : items)
        text += "- " + item + "\n";
    return text + "\n";
}

std::string link(const std::string& words, const std::string& target) {
    return "[" + words + "](" + target + ")";
}

// A name that leads nowhere is shown as it is.
std::string link_to_lesson(const std::string& name, const lesson::Topic& from,
                           const lesson::Registry& registry) {
    const lesson::LessonEntry* entry = linked_lesson(registry, &from, name);
    return entry ? link(entry->title, name) : name;
}

std::string link_to_topic(const std::string& name, const lesson::Registry& registry) {
    for (const lesson::Topic& topic : registry.topics)
        if (topic.name == name) return link(topic.title, name);
    return name;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace

std::string lesson_facts(const lesson::Topic& topic, const lesson::LessonEntry& entry) {
    const auto number = &entry - topic.lessons.data();
    std::string text = tr("{1}, lesson {2} of {3}",
                          {topic.title, std::to_string(number + 1), std::to_string(topic.lessons.size())});
    if (entry.minutes > 0)
        text += " · " + (entry.minutes == 1 ? std::string(tr("1 minute"))
                                            : tr("{1} minutes", {std::to_string(entry.minutes)}));
    if (entry.advanced) text += " · " + std::string(tr("advanced"));
    return text;
}

std::string topic_text(const lesson::Topic& topic, const lesson::Registry& registry) {
    std::string text = "# " + topic.title + "\n\n" + topic.text + "\n\n" +
                       list_of(tr("After this topic you can"), topic.goals);
    std::vector<std::string> needs;
    for (const std::string& name : topic.needs)
        needs.push_back(link_to_topic(name, registry));
    if (!needs.empty()) text += "**" + std::string(tr("Know before:")) + "** " + joined(needs) + "\n\n";
    return text;
}

std::string lesson_text(const lesson::LessonEntry& entry, const lesson::Topic& topic,
                        const lesson::Registry& registry) {
    std::string text = list_of(tr("After this lesson you can"), entry.goals);
    std::vector<std::string> needs;
    for (const std::string& name : entry.needs)
        needs.push_back(link_to_lesson(name, topic, registry));
    if (!needs.empty()) text += "**" + std::string(tr("Know before:")) + "** " + joined(needs) + "\n\n";
    return text + entry.text;
}

std::string measured_text(const lesson::LessonEntry& entry, const lesson::Topic& topic,
                          const session::Timings* timings) {
    // The file comes with the program, so it is read only once.
    static const Result<session::CourseCounts> counts =
        session::read_counts(resource_folder() / "assets" / "counts.json");
    if (!counts) return to_text(counts.diagnostics().front());
    const std::string compared = session::lesson_comparison_text(topic, entry, *counts, timings);
    std::string text = compared;
    if (!entry.timing.empty() && compared.find(entry.timing) == std::string::npos)
        text += (text.empty() ? "" : "\n\n") + entry.timing;
    return text.empty() ? text : "## " + std::string(tr("How fast it is")) + "\n\n" + text;
}

std::string sources_text(const lesson::LessonEntry& entry) {
    std::string text;
    for (const std::string& source : entry.sources)
        text += "- " + source + "\n";
    return text.empty() ? text : "## " + std::string(tr("Sources")) + "\n\n" + text;
}

const lesson::LessonEntry* linked_lesson(const lesson::Registry& registry, const lesson::Topic* from,
                                         const std::string& target) {
    const lesson::LessonEntry *elsewhere = nullptr, *first = nullptr;
    for (const lesson::Topic& topic : registry.topics) {
        if (topic.name == target && first == nullptr) first = &topic.lessons.front();
        for (const lesson::LessonEntry& entry : topic.lessons) {
            if (topic.name + "/" + entry.name == target) return &entry;
            if (entry.name != target) continue;
            if (from != nullptr && from->name == topic.name) return &entry;
            elsewhere = &entry;
        }
    }
    return elsewhere ? elsewhere : first;
}

Neighbours neighbours_of(const lesson::Registry& registry, const lesson::LessonEntry& entry) {
    Neighbours found;
    const lesson::LessonEntry* last = nullptr;
    for (const lesson::Topic& topic : registry.topics)
        for (const lesson::LessonEntry& each : topic.lessons) {
            if (&each == &entry) found.before = last;
            if (last == &entry) found.after = &each;
            last = &each;
        }
    return found;
}

}  // namespace lanescope::ui
