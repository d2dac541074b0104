#include "ui/window/settings.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "base/damaged_file.h"
#include "base/files.h"
#include "base/folders.h"

namespace lanescope::ui {
namespace {

using Json = nlohmann::json;

template <class Number>
void read(const Json& object, const char* name, Number& value, Number least, Number most) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number()) return;
    const double number = found->get<double>();
    if (std::isfinite(number)) value = Number(std::clamp(number, double(least), double(most)));
}

void read(const Json& object, const char* name, bool& value) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_boolean()) value = *found;
}

// The panels that can be hidden, by their names in the file.
constexpr std::pair<const char*, bool HiddenPanels::*> hideable[] = {{"left", &HiddenPanels::left},
                                                                     {"warps", &HiddenPanels::warps},
                                                                     {"source", &HiddenPanels::source},
                                                                     {"inspector", &HiddenPanels::inspector},
                                                                     {"timeline", &HiddenPanels::timeline}};

Json json_of(const HiddenPanels& hidden) {
    Json names = Json::array();
    for (const auto& [name, panel] : hideable)
        if (hidden.*panel) names.push_back(name);
    return names;
}

void read_hidden(const Json& json, HiddenPanels& hidden) {
    const auto names = json.find("hidden");
    if (names == json.end() || !names->is_array()) return;
    for (const auto& [name, panel] : hideable)
        hidden.*panel = std::find(names->begin(), names->end(), Json(name)) != names->end();
}

Json json_of(const session::FileMemory& file) {
    Json json{{"path", file.path.string()}, {"step", file.step}, {"parameters", file.parameters}};
    const compile::Flags& flags = file.flags;
    if (!flags.include_folders.empty()) json["include_folders"] = flags.include_folders;
    if (!flags.definitions.empty()) json["definitions"] = flags.definitions;
    if (!flags.standard.empty()) json["standard"] = flags.standard;
    if (!flags.arch.empty()) json["arch"] = flags.arch;
    if (!file.kernel.empty()) json["kernel"] = file.kernel;
    if (!file.launch.grid.empty()) json["grid"] = file.launch.grid;
    if (!file.launch.block.empty()) json["block"] = file.launch.block;
    if (!file.launch.shared.empty()) json["shared"] = file.launch.shared;
    if (!file.launch.counts.empty()) json["counts"] = file.launch.counts;
    if (!file.launch.fills.empty()) json["fills"] = file.launch.fills;
    return json;
}

void read_text(const Json& object, const char* name, std::string& text) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_string()) text = found->get<std::string>();
}

void read_texts(const Json& object, const char* name, std::vector<std::string>& texts) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_array()) return;
    for (const Json& each : *found)
        if (each.is_string()) texts.push_back(each.get<std::string>());
}

void read_flags(const Json& entry, session::FileMemory& file) {
    read_texts(entry, "include_folders", file.flags.include_folders);
    read_texts(entry, "definitions", file.flags.definitions);
    read_text(entry, "standard", file.flags.standard);
    read_text(entry, "arch", file.flags.arch);
    read_text(entry, "kernel", file.kernel);
    read_text(entry, "grid", file.launch.grid);
    read_text(entry, "block", file.launch.block);
    read_text(entry, "shared", file.launch.shared);
    read_texts(entry, "counts", file.launch.counts);
    read_texts(entry, "fills", file.launch.fills);
    if (!lesson::parts_of(file.launch)) file.launch = {};
    if (!compile::check_flags(file.flags)) file.flags = {};
}

void read_recent(const Json& json, std::vector<session::FileMemory>& recent) {
    const auto list = json.find("recent");
    if (list == json.end() || !list->is_array()) return;
    for (const Json& entry : *list) {
        const auto path = entry.is_object() ? entry.find("path") : entry.end();
        if (!entry.is_object() || path == entry.end() || !path->is_string()) continue;
        session::FileMemory file;
        file.path = path->get<std::string>();
        read(entry, "step", file.step, std::size_t{0}, ~std::size_t{0} / 2);
        const auto values = entry.find("parameters");
        if (values != entry.end() && values->is_object())
            for (const auto& [name, value] : values->items())
                if (value.is_number_integer()) file.parameters[name] = value.get<std::int64_t>();
        read_flags(entry, file);
        recent.push_back(std::move(file));
    }
}

Json json_of(const session::MarksByFile& marks) {
    Json files = Json::object();
    for (const auto& [path, file] : marks) {
        if (file.empty()) continue;
        Json breakpoints = Json::array();
        for (const session::Breakpoint& each : file.breakpoints)
            breakpoints.push_back({{"line", each.line},
                                   {"condition", each.condition},
                                   {"enabled", each.enabled},
                                   {"cell", each.cell}});
        files[path] = {{"breakpoints", breakpoints}, {"watches", file.watches}};
    }
    return files;
}

session::Breakpoint breakpoint_of(const Json& json) {
    session::Breakpoint breakpoint;
    read(json, "line", breakpoint.line, 0u, 1u << 24);
    if (const auto condition = json.find("condition"); condition != json.end() && condition->is_string())
        breakpoint.condition = condition->get<std::string>();
    if (const auto cell = json.find("cell"); cell != json.end() && cell->is_string())
        breakpoint.cell = cell->get<std::string>();
    if (const auto enabled = json.find("enabled"); enabled != json.end() && enabled->is_boolean())
        breakpoint.enabled = *enabled;
    return breakpoint;
}

void read_marks(const Json& json, session::MarksByFile& marks) {
    const auto files = json.find("marks");
    if (files == json.end() || !files->is_object()) return;
    for (const auto& [path, kept] : files->items()) {
        if (!kept.is_object()) continue;
        session::FileMarks file;
        if (const auto list = kept.find("breakpoints"); list != kept.end() && list->is_array())
            for (const Json& each : *list)
                if (each.is_object() && (breakpoint_of(each).line > 0) != !breakpoint_of(each).cell.empty())
                    file.breakpoints.push_back(breakpoint_of(each));
        std::sort(file.breakpoints.begin(), file.breakpoints.end(), [](const auto& a, const auto& b) {
            return std::tie(a.line, a.cell) < std::tie(b.line, b.cell);
        });
        if (const auto list = kept.find("watches"); list != kept.end() && list->is_array())
            for (const Json& each : *list)
                if (each.is_string()) file.watches.push_back(each.get<std::string>());
        if (!file.empty()) marks[path] = std::move(file);
    }
}

// Not an object if there is no file, or if it is damaged.
Json read_json(const std::filesystem::path& file) {
    constexpr std::uint64_t max_bytes = 1 << 20;
    const auto text = read_file(file, max_bytes);
    return text ? Json::parse(*text, nullptr, false) : Json();
}

}  // namespace

Settings load_settings(const std::filesystem::path& file) {
    Settings settings;
    const Json json = read_json(file);
    if (!json.is_object()) return settings;
    read(json, "width", settings.width, 640, 16384);
    read(json, "height", settings.height, 400, 16384);
    read(json, "zoom", settings.zoom, 0.6f, 2.5f);
    read(json, "left", settings.splits.left, 150.0f, 700.0f);
    read(json, "page_width", settings.splits.page, 150.0f, 700.0f);
    read(json, "right", settings.splits.right, 150.0f, 1200.0f);
    read(json, "bottom", settings.splits.bottom, 90.0f, 700.0f);
    read(json, "schedule_height", settings.splits.schedule, 90.0f, 700.0f);
    read(json, "stage_share", settings.splits.stage_share, 0.15f, 0.85f);
    read(json, "source_share", settings.splits.source_share, 0.15f, 0.85f);
    read(json, "lecture_source", settings.splits.lecture_source, 0.2f, 0.8f);
    read(json, "lecture_below", settings.splits.lecture_bottom, 0.1f, 0.7f);
    read(json, "steps_per_second", settings.steps_per_second, 0.1f, 1000.0f);
    read(json, "page", settings.page);
    read(json, "tour_seen", settings.tour_seen);
    read(json, "time_runs", settings.time_runs);
    if (const auto engine = json.find("engine"); engine != json.end()) settings.on_gpu = *engine == "gpu";
    const auto motion = json.find("motion");
    if (motion != json.end() && *motion == "on") settings.motion = MotionWish::on;
    if (motion != json.end() && *motion == "off") settings.motion = MotionWish::off;
    int granularity = int(settings.granularity);
    read(json, "granularity", granularity, 0, int(trace::Granularity::launch));
    settings.granularity = trace::Granularity(granularity);
    const auto theme = json.find("theme");
    if (theme != json.end() && *theme == "light") settings.brightness = Brightness::light;
    read_text(json, "gpu", settings.gpu_place);
    read_hidden(json, settings.hidden);
    read_recent(json, settings.recent);
    read_marks(json, settings.marks);
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::filesystem::path& file) {
    Json recent = Json::array();
    for (const session::FileMemory& each : settings.recent)
        recent.push_back(json_of(each));
    const Json json = {{"theme", settings.brightness == Brightness::light ? "light" : "dark"},
                       {"recent", recent},
                       {"marks", json_of(settings.marks)},
                       {"width", settings.width},
                       {"height", settings.height},
                       {"zoom", settings.zoom},
                       {"hidden", json_of(settings.hidden)},
                       {"page", settings.page},
                       {"page_width", settings.splits.page},
                       {"left", settings.splits.left},
                       {"right", settings.splits.right},
                       {"schedule_height", settings.splits.schedule},
                       {"bottom", settings.splits.bottom},
                       {"stage_share", settings.splits.stage_share},
                       {"source_share", settings.splits.source_share},
                       {"lecture_source", settings.splits.lecture_source},
                       {"lecture_below", settings.splits.lecture_bottom},
                       {"steps_per_second", settings.steps_per_second},
                       {"granularity", int(settings.granularity)},
                       {"tour_seen", settings.tour_seen},
                       {"gpu", settings.gpu_place},
                       {"engine", settings.on_gpu ? "gpu" : "cpu"},
                       {"time_runs", settings.time_runs},
                       {"motion", settings.motion == MotionWish::on    ? "on"
                                  : settings.motion == MotionWish::off ? "off"
                                                                       : "system"}};
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !read_json(file).is_object())
        if (const Result<std::string> kept = keep_damaged(file); !kept) return kept.diagnostics();
    return write_file(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::filesystem::path> settings_file() {
    auto folder = config_folder();
    if (!folder) return folder.diagnostics();
    return *folder / "window.json";
}

}  // namespace lanescope::ui
