#include "session/schedules/recorded_schedules.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/number_text.h"

namespace lanescope::session {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using analysis::Schedule;
using analysis::ScheduledBlock;

constexpr std::uint64_t max_recording_bytes = 16ull << 20;
constexpr const char* schedules_name = "nvidia-h200.json";
constexpr std::size_t span_numbers = 4;  // block, SM, begin, end; waits follow in pairs

std::int64_t whole(double ns) {
    return std::llround(ns);
}

std::string list_of(const std::map<std::string, std::int64_t>& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters)
        text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
    return text;
}

// --- Writing ---

OrderedJson json_of(const trace::Dim3& dim) {
    return {dim.x, dim.y, dim.z};
}

OrderedJson span_json(const ScheduledBlock& block) {
    OrderedJson numbers = OrderedJson::array();
    numbers.push_back(block.block);
    numbers.push_back(block.sm);
    numbers.push_back(whole(block.span.begin_ns));
    numbers.push_back(whole(block.span.end_ns));
    for (const analysis::Span& wait : block.waits) {
        numbers.push_back(whole(wait.begin_ns));
        numbers.push_back(whole(wait.end_ns));
    }
    return numbers;
}

OrderedJson launch_json(const RecordedLaunch& launch) {
    OrderedJson json{{"kernel", launch.kernel},
                     {"grid", json_of(launch.grid)},
                     {"block", json_of(launch.block)},
                     {"map_blocks", launch.map_blocks}};
    if (!launch.schedule) return json;
    const Schedule& schedule = *launch.schedule;
    json["blocks"] = schedule.blocks.size();
    json["multiprocessors"] = schedule.sms.size();
    if (schedule.whole) {
        json["blocks_per_multiprocessor"] = schedule.blocks_per_sm;
        json["waves"] = schedule.waves;
    }
    json["length_ns"] = whole(schedule.length_ns);
    if (schedule.whole) {
        json["tail_begin_ns"] = whole(schedule.tail_begin_ns);
        json["tail_share"] = schedule.tail_share;
        json["idle_in_tail"] = schedule.idle_in_tail;
    }
    OrderedJson cut = OrderedJson::array();
    json["spans"] = OrderedJson::array();
    for (const ScheduledBlock& block : schedule.blocks) {
        json["spans"].push_back(span_json(block));
        if (!block.ended) cut.push_back(block.block);
    }
    if (!cut.empty()) json["cut"] = cut;
    return json;
}

// --- Reading ---

// The first thing that is wrong stops the reading.
class ScheduleReader {
  public:
    explicit ScheduleReader(std::string file) : file_(std::move(file)) {}

    Result<RecordedSchedules> read(const Json& json) {
        RecordedSchedules all;
        all.device = text(json, "device", "the document");
        all.driver = text(json, "driver", "the document");
        all.date = text(json, "date", "the document");
        all.multiprocessors = number<std::uint32_t>(json, "multiprocessors", "the document");
        for (const Json& each : list(json, "lessons", "the document"))
            all.lessons.push_back(lesson(each));
        if (!wrong_.empty())
            return error_at(file_, 0, 0, wrong_, "record it again with tests/timings/schedules.py");
        return all;
    }

  private:
    const Json* member(const Json& json, const char* key, const std::string& where) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        if (json.is_object() && found != json.end()) return &*found;
        return fail(where + " has no '" + key + "'");
    }
    const Json* fail(std::string what) {
        if (wrong_.empty()) wrong_ = std::move(what);
        return nullptr;
    }
    std::string text(const Json& json, const char* key, const std::string& where) {
        const Json* found = member(json, key, where);
        if (found == nullptr) return {};
        if (found->is_string()) return found->get<std::string>();
        fail(where + ": '" + key + "' must be a text");
        return {};
    }
    template <class T>
    T number(const Json& json, const char* key, const std::string& where) {
        const Json* found = member(json, key, where);
        if (found == nullptr) return {};
        if (found->is_number_unsigned()) return found->get<T>();
        fail(where + ": '" + key + "' must be a whole number, at least 0");
        return {};
    }
    const Json& list(const Json& json, const char* key, const std::string& where) {
        static const Json none = Json::array();
        const Json* found = member(json, key, where);
        if (found != nullptr && found->is_array()) return *found;
        if (found != nullptr) fail(where + ": '" + key + "' must be a list");
        return none;
    }
    trace::Dim3 dim(const Json& json, const char* key, const std::string& where) {
        const Json& numbers = list(json, key, where);
        const bool fine =
            numbers.size() == 3 && std::all_of(numbers.begin(), numbers.end(),
                                               [](const Json& each) { return each.is_number_unsigned(); });
        if (fine)
            return {numbers[0].get<std::uint32_t>(), numbers[1].get<std::uint32_t>(),
                    numbers[2].get<std::uint32_t>()};
        fail(where + ": '" + key + "' must have three numbers");
        return {};
    }

    RecordedLesson lesson(const Json& json) {
        RecordedLesson lesson;
        lesson.file = text(json, "file", "a lesson");
        lesson.text_hash = text(json, "text_hash", lesson.file);
        if (const Json* parameters = member(json, "parameters", lesson.file); parameters != nullptr)
            for (const auto& [name, value] : parameters->items()) {
                if (value.is_number_integer())
                    lesson.parameters[name] = value.get<std::int64_t>();
                else
                    fail(lesson.file + ": the parameter '" + name + "' must be a whole number");
            }
        for (const Json& each : list(json, "launches", lesson.file))
            lesson.launches.push_back(launch(each, lesson.file));
        return lesson;
    }

    RecordedLaunch launch(const Json& json, const std::string& where) {
        RecordedLaunch launch;
        launch.kernel = text(json, "kernel", where);
        launch.grid = dim(json, "grid", where);
        launch.block = dim(json, "block", where);
        launch.map_blocks = number<std::uint64_t>(json, "map_blocks", where);
        if (!json.is_object() || !json.contains("spans")) return launch;
        std::vector<ScheduledBlock> blocks;
        for (const Json& each : list(json, "spans", where))
            blocks.push_back(block(each, launch, where));
        if (json.contains("cut"))
            for (const Json& cut : list(json, "cut", where))
                for (ScheduledBlock& each : blocks)
                    if (cut.is_number_unsigned() && cut.get<std::uint32_t>() == each.block)
                        each.ended = false;
        if (wrong_.empty())
            launch.schedule = std::make_shared<const Schedule>(
                analysis::schedule_of_blocks(std::move(blocks), launch.grid.count()));
        return launch;
    }

    ScheduledBlock block(const Json& json, const RecordedLaunch& launch, const std::string& where) {
        ScheduledBlock block;
        const bool fine =
            json.is_array() && json.size() >= span_numbers && json.size() % 2 == 0 &&
            std::all_of(json.begin(), json.end(), [](const Json& each) { return each.is_number_unsigned(); });
        if (!fine) {
            fail(where + ": a span must have a block, a multiprocessor and pairs of times");
            return block;
        }
        block.block = json[0].get<std::uint32_t>();
        block.sm = json[1].get<std::uint32_t>();
        block.span = span(json, 2);
        for (std::size_t i = span_numbers; i < json.size(); i += 2)
            block.waits.push_back(span(json, i));
        if (block.block >= launch.grid.count())
            fail(where + ": block " + std::to_string(block.block) + " is outside of the grid");
        if (block.span.end_ns < block.span.begin_ns)
            fail(where + ": block " + std::to_string(block.block) + " ends before it begins");
        return block;
    }
    static analysis::Span span(const Json& numbers, std::size_t at) {
        return {numbers[at].get<double>(), numbers[at + 1].get<double>()};
    }

    std::string file_, wrong_;
};

// --- Finding ---

// Why the recording has no schedule for the run.
struct FoundLesson {
    const RecordedLesson* lesson = nullptr;
    std::string reason;
};

bool is_named(const execution::RunResult& run, const RecordedLesson& lesson) {
    const std::string path = fs::path(run.file).lexically_normal().generic_string();
    return path == lesson.file || path.ends_with("/" + lesson.file);
}

bool same_launches(const execution::RunResult& run, const RecordedLesson& lesson) {
    if (!run.trace || run.trace->launches.size() != lesson.launches.size()) return false;
    for (std::size_t i = 0; i < lesson.launches.size(); ++i) {
        const trace::Launch& launch = run.trace->launches[i];
        const RecordedLaunch& recorded = lesson.launches[i];
        if (launch.kernel != recorded.kernel || launch.grid.count() != recorded.grid.count() ||
            launch.block.count() != recorded.block.count())
            return false;
    }
    return true;
}

FoundLesson find_lesson(const execution::RunResult& run, const RecordedSchedules* recorded) {
    if (recorded == nullptr) return {nullptr, "This installation has no recorded schedules."};
    const std::string hash = content_hash(run.source);
    const RecordedLesson *same_text = nullptr, *same_name = nullptr;
    for (const RecordedLesson& each : recorded->lessons) {
        if (each.text_hash == hash) same_text = &each;
        if (is_named(run, each)) same_name = &each;
    }
    const std::string device = recorded->device;
    if (same_text == nullptr)
        return {nullptr,
                same_name != nullptr
                    ? "The text of this file differs from the lesson that was recorded on an " + device + "."
                    : "The recording on an " + device + " does not have this file."};
    std::map<std::string, std::int64_t> parameters(run.instance.parameters.begin(),
                                                   run.instance.parameters.end());
    if (parameters != same_text->parameters)
        return {nullptr, "This lesson was recorded on an " + device +
                             " with its default parameters: " + list_of(same_text->parameters) + "."};
    if (run.code != compile::Code::debug)
        return {nullptr, "This lesson was recorded on an " + device + " with debug code."};
    if (!same_launches(run, *same_text))
        return {nullptr,
                "The launches of this run differ from those that were recorded on an " + device + "."};
    return {same_text, {}};
}

bool has_own_schedules(const execution::RunResult& run) {
    return std::any_of(run.schedules.begin(), run.schedules.end(),
                       [](const auto& each) { return each != nullptr; });
}

std::uint64_t map_blocks_of(const execution::RunResult& run, std::uint32_t launch) {
    const gpu::DeviceRecords* records = run.device_records.get();
    if (records != nullptr && records->launch == launch && !records->blocks.empty())
        return records->blocks.size();
    return launch < run.schedules.size() && run.schedules[launch] ? run.schedules[launch]->blocks.size() : 0;
}

}  // namespace

std::string RecordedSchedules::origin() const {
    return "recorded on " + device + ", " + driver + ", " + date.substr(0, date.find('T'));
}

Result<RecordedSchedules> recorded_schedules_of(const std::string& text, const std::string& file) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return error_at(file, 0, 0, "the file is not JSON",
                        "record it again with tests/timings/schedules.py");
    return ScheduleReader(file).read(json);
}

Result<std::shared_ptr<const RecordedSchedules>> shipped_schedules(const fs::path& assets_folder) {
    const fs::path file = assets_folder / "schedules" / schedules_name;
    std::error_code failed;
    if (!fs::exists(file, failed)) return std::shared_ptr<const RecordedSchedules>();
    const auto text = read_text_file(file, max_recording_bytes);
    if (!text) return text.diagnostics();
    auto read = recorded_schedules_of(*text, file.string());
    if (!read) return read.diagnostics();
    return std::shared_ptr<const RecordedSchedules>(std::make_shared<RecordedSchedules>(std::move(*read)));
}

RecordedSchedules schedules_of(const execution::RunResult& result) {
    RecordedSchedules all{result.device, result.driver, utc_now(), result.multiprocessors, {}};
    RecordedLesson& lesson = all.lessons.emplace_back();
    lesson.file = result.file;
    lesson.text_hash = content_hash(result.source);
    lesson.parameters.insert(result.instance.parameters.begin(), result.instance.parameters.end());
    for (std::uint32_t i = 0; result.trace && i < result.trace->launches.size(); ++i) {
        const trace::Launch& launch = result.trace->launches[i];
        lesson.launches.push_back({launch.kernel, launch.grid, launch.block, map_blocks_of(result, i),
                                   i < result.schedules.size() ? result.schedules[i] : nullptr});
    }
    return all;
}

ShownSchedule shown_schedule(const execution::RunResult* run, std::uint32_t launch,
                             const RecordedSchedules* recorded) {
    ShownSchedule shown;
    if (run == nullptr) {
        shown.reason = "no run yet";
        return shown;
    }
    if (run->trace && launch < run->trace->launches.size())
        shown.grid_blocks = run->trace->launches[launch].grid.count();
    if (launch < run->schedules.size() && run->schedules[launch]) {
        shown.schedule = run->schedules[launch];
        shown.map_blocks = map_blocks_of(*run, launch);
        shown.multiprocessors = run->multiprocessors;
        return shown;
    }
    if (!run->trace || run->trace->program.engine != "cpu") {
        shown.reason = "This run on a GPU did not record when its blocks began and ended.";
        return shown;
    }
    const FoundLesson found = find_lesson(*run, recorded);
    if (found.lesson != nullptr && launch < found.lesson->launches.size() &&
        found.lesson->launches[launch].schedule) {
        const RecordedLaunch& of_launch = found.lesson->launches[launch];
        shown.schedule = of_launch.schedule;
        shown.map_blocks = of_launch.map_blocks;
        shown.origin = recorded->origin();
        shown.multiprocessors = recorded->multiprocessors;
        return shown;
    }
    shown.reason =
        "The CPU machine has no multiprocessors and no real clock: its blocks take turns. A run on a "
        "GPU shows which SM ran which block, and when.\n" +
        (found.lesson != nullptr ? "The recording lacks this launch." : found.reason);
    return shown;
}

std::string missing_blocks_words(const ShownSchedule& shown) {
    const std::uint64_t here = shown.schedule ? shown.schedule->blocks.size() : 0;
    if (!shown.schedule || here >= shown.grid_blocks) return {};
    std::string text = grouped(shown.grid_blocks) + " blocks in the launch: ";
    if (shown.map_blocks > here) text += "the map of threads has " + grouped(shown.map_blocks) + ", ";
    return text + "this timeline " + grouped(here) + "; the others are not recorded";
}

OrderedJson gpu_schedule_json(const execution::RunResult& result, const RecordedSchedules* recorded) {
    const bool own = has_own_schedules(result);
    const FoundLesson found = own || result.on_device() ? FoundLesson{} : find_lesson(result, recorded);
    if (!own && found.lesson == nullptr)
        return {{"recorded", false},
                {"missing", result.on_device()
                                ? "this run on a GPU did not record when its blocks began and ended"
                                : found.reason}};
    const RecordedSchedules here = own ? schedules_of(result) : RecordedSchedules{};
    const RecordedSchedules& all = own ? here : *recorded;
    const RecordedLesson& lesson = own ? here.lessons.front() : *found.lesson;
    OrderedJson json{{"recorded", !own},
                     {"device", all.device},
                     {"driver", all.driver},
                     {"date", all.date},
                     {"multiprocessors", all.multiprocessors},
                     {"text_hash", lesson.text_hash}};
    json["launches"] = OrderedJson::array();
    for (const RecordedLaunch& launch : lesson.launches)
        json["launches"].push_back(launch_json(launch));
    return json;
}

}  // namespace lanescope::session
