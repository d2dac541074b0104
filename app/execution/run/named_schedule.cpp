#include "execution/run/named_schedule.h"

#include "lesson/course/registry.h"

namespace lanescope::execution {

Result<simt::Schedule> find_schedule(const std::string& text, const std::filesystem::path& file) {
    if (text.empty()) {
        const lesson::LessonEntry* entry = lesson::lesson_entry(file);
        return entry && !entry->schedule.empty() ? find_schedule(entry->schedule, file) : simt::Schedule();
    }
    Result<simt::Schedule> schedule = simt::parse_schedule(text);
    if (schedule) return schedule;
    const lesson::LessonEntry* entry = lesson::lesson_entry(file);
    if (entry == nullptr || entry->schedules.empty()) return schedule;
    std::string names;
    for (const lesson::NamedSchedule& each : entry->schedules) {
        if (each.name == text) return simt::parse_schedule(each.schedule);
        names += (names.empty() ? "" : ", ") + each.name;
    }
    Diagnostics why = schedule.diagnostics();
    why.front().hint += (why.front().hint.empty() ? "" : "; ") + ("or a schedule of this lesson: " + names);
    return why;
}

}  // namespace lanescope::execution
