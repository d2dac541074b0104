#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/folders.h"
#include "commands/options/command.h"
#include "commands/options/status_line.h"
#include "commands/time_command.h"
#include "session/timing/roofline.h"
#include "session/timing/time_files.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

// A file to time, and how: without parameters as the options say.
struct WantedTime {
    fs::path file;
    std::optional<lesson::ParameterValues> parameters;
};

// What the option names: topics with their sizes, and files.
struct WantedTimes {
    std::vector<const lesson::Topic*> topics;
    std::vector<fs::path> files;
};

Result<WantedTimes> wanted_times(const std::vector<std::string>& names, const lesson::Registry& registry) {
    WantedTimes wanted;
    std::error_code failed;
    for (const std::string& name : names) {
        const fs::path path = fs::path(name).lexically_normal();
        const std::string last = (path.has_filename() ? path : path.parent_path()).filename().string();
        const auto named = std::find_if(registry.topics.begin(), registry.topics.end(),
                                        [&](const lesson::Topic& topic) { return topic.name == last; });
        if (fs::is_regular_file(path, failed))
            wanted.files.push_back(path);
        else if (named != registry.topics.end())
            wanted.topics.push_back(&*named);
        else
            return error("there is no topic and no file '" + name + "'",
                         "'lanescope list' prints the topics and their files");
    }
    return wanted;
}

// The size at which most files of the topic were timed; of several such sizes, the largest.
const session::SizeGroup* fullest(const std::vector<session::SizeGroup>& groups) {
    const session::SizeGroup* best = nullptr;
    for (const session::SizeGroup& group : groups)
        if (!best || group.records.size() >= best->records.size()) best = &group;
    return best;
}

bool is_record_of(const session::TimingRecord& record, const fs::path& file) {
    std::error_code failed;
    return fs::equivalent(resource_folder() / record.file, file, failed);
}

std::vector<const session::TimingRecord*> recorded_of(const WantedTimes& wanted,
                                                      const session::Timings& timings) {
    std::vector<const session::TimingRecord*> records;
    for (const lesson::Topic* topic : wanted.topics) {
        const std::vector<session::SizeGroup> groups = sizes_of(timings, *topic);
        if (const session::SizeGroup* group = fullest(groups))
            records.insert(records.end(), group->records.begin(), group->records.end());
    }
    for (const fs::path& file : wanted.files)
        for (const session::TimingRecord& record : timings.report.timings)
            if (is_record_of(record, file)) records.push_back(&record);
    return records;
}

void show(const session::Timings& timings, const session::Roofline& roofline, bool as_json) {
    if (!as_json) {
        std::cout << (timings.recorded ? "RECORDED times, not from this machine: " : "") << timings.origin()
                  << '\n'
                  << session::table_of(roofline);
        return;
    }
    nlohmann::ordered_json out{{"device", to_json(timings.report.device)},
                               {"date", timings.report.date},
                               {"recorded", timings.recorded}};
    out.update(to_json(roofline));
    std::cout << out.dump(1) << '\n';
}

int show_recorded_roofline(const WantedTimes& wanted, bool as_json, int code) {
    const auto timings = session::shipped_recording(resource_folder() / "assets");
    if (!timings) return fail(timings.diagnostics());
    const auto facts = session::shipped_roofline(resource_folder() / "assets");
    if (!facts) return fail(facts.diagnostics());
    if (!*timings) return fail(error("no recorded times are installed"));
    const auto records = recorded_of(wanted, **timings);
    if (records.empty())
        return fail(error("no times of these files were recorded"), code == fine ? bad_input : code);
    const session::RooflineFacts none;
    show(**timings, roofline_of(**timings, records, *facts ? **facts : none), as_json);
    return code;
}

// The files of topics with the parameters of the recording; the others as the options say.
std::vector<WantedTime> times_to_take(const WantedTimes& wanted, const session::Timings* recording) {
    std::vector<WantedTime> times;
    for (const lesson::Topic* topic : wanted.topics) {
        const auto groups = recording ? sizes_of(*recording, *topic) : std::vector<session::SizeGroup>();
        const session::SizeGroup* group = fullest(groups);
        for (const lesson::LessonEntry& entry : topic->lessons)
            for (const session::TimingRecord* record :
                 group ? group->records : std::vector<const session::TimingRecord*>())
                if (is_record_of(*record, entry.path)) times.push_back({entry.path, record->parameters});
    }
    for (const fs::path& file : wanted.files)
        times.push_back({file, std::nullopt});
    return times;
}

Result<session::Timings> take_times(const std::vector<WantedTime>& times, session::TimeRequest request,
                                    StatusLine& progress) {
    session::Timings taken;
    const lesson::ParameterValues parameters = request.parameters;
    const std::vector<session::Sweep> sweeps = request.sweeps;
    const auto done = [&](const session::TimingRecord& record) {
        progress.clear();
        std::cerr << record.file << (record.timed() ? "" : ": " + record.error) << std::endl;
    };
    // The bytes that the GPU moves matter only for files that the roofline has a place for.
    request.counters = true;
    request.counters_of = session::has_place;
    request.counts_limit_s = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const WantedTime& each = times[i];
        request.tell = [&progress, part = std::to_string(i + 1) + "/" + std::to_string(times.size()) + ": "](
                           const std::string& words) { progress.show(part + words + " …"); };
        request.files = {each.file.string()};
        request.parameters = each.parameters ? *each.parameters : parameters;
        request.sweeps = each.parameters ? std::vector<session::Sweep>() : sweeps;
        Result<session::TimingReport> report = time_files(request, done);
        if (!report) return report.diagnostics();
        taken.report.device = std::move(report->device);
        taken.report.date = std::move(report->date);
        for (session::TimingRecord& record : report->timings)
            taken.report.timings.push_back(std::move(record));
    }
    return taken;
}

int measure_roofline(const WantedTimes& wanted, const session::TimeRequest& request, bool as_json) {
    const auto recording = session::shipped_recording(resource_folder() / "assets");
    if (!recording) return fail(recording.diagnostics());
    const auto shipped = session::shipped_roofline(resource_folder() / "assets");
    if (!shipped) return fail(shipped.diagnostics());
    StatusLine progress;
    const Result<session::Timings> taken =
        take_times(times_to_take(wanted, recording->get()), request, progress);
    progress.clear();
    if (!taken) return fail(taken.diagnostics());
    const Result<session::RooflineFacts> facts = session::facts_of_this_gpu(
        taken->report.device, request.device, *shipped ? **shipped : session::RooflineFacts(),
        [&](const std::string& words) { progress.show(words + " …"); });
    progress.clear();
    if (!facts) return fail(facts.diagnostics());
    std::vector<const session::TimingRecord*> records;
    for (const session::TimingRecord& record : taken->report.timings)
        records.push_back(&record);
    show(*taken, roofline_of(*taken, records, *facts), as_json);
    const bool wrong = std::any_of(records.begin(), records.end(),
                                   [](const session::TimingRecord* record) { return record->failed(); });
    return wrong ? check_failed : fine;
}

}  // namespace

int roofline_command(const TimeOptions& options, const session::TimeRequest& request) {
    const std::shared_ptr<const lesson::Registry> registry = lessons();
    const Result<WantedTimes> wanted = wanted_times(options.files, *registry);
    if (!wanted) return fail(wanted.diagnostics());
    if (options.recorded) return show_recorded_roofline(*wanted, options.json, fine);
    if (const Result<std::string> possible = session::timing_possible(); !possible) {
        std::cerr << to_text(possible.diagnostics().front()) << '\n';
        return show_recorded_roofline(*wanted, options.json, no_engine);
    }
    return measure_roofline(*wanted, request, options.json);
}

}  // namespace lanescope
