#include "ui/settings.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"

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

}  // namespace

Settings load_settings(const std::filesystem::path& file) {
    Settings settings;
    constexpr std::uint64_t most_bytes = 1 << 20;
    const auto text = read_file(file, most_bytes);
    if (!text) return settings;
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object()) return settings;
    read(json, "width", settings.width, 640, 16384);
    read(json, "height", settings.height, 400, 16384);
    read(json, "zoom", settings.zoom, 0.6f, 2.5f);
    read(json, "left", settings.splits.left, 150.0f, 700.0f);
    read(json, "right", settings.splits.right, 150.0f, 1200.0f);
    read(json, "bottom", settings.splits.bottom, 90.0f, 700.0f);
    read(json, "stage_share", settings.splits.stage_share, 0.15f, 0.85f);
    read(json, "source_share", settings.splits.source_share, 0.15f, 0.85f);
    read(json, "steps_per_second", settings.steps_per_second, 0.1f, 1000.0f);
    int granularity = int(settings.granularity);
    read(json, "granularity", granularity, 0, int(trace::Granularity::launch));
    settings.granularity = trace::Granularity(granularity);
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::filesystem::path& file) {
    const Json json = {{"width", settings.width},
                       {"height", settings.height},
                       {"zoom", settings.zoom},
                       {"left", settings.splits.left},
                       {"right", settings.splits.right},
                       {"bottom", settings.splits.bottom},
                       {"stage_share", settings.splits.stage_share},
                       {"source_share", settings.splits.source_share},
                       {"steps_per_second", settings.steps_per_second},
                       {"granularity", int(settings.granularity)}};
    return write_file(file, json.dump(2) + "\n");
}

Result<std::filesystem::path> settings_file() {
    auto folder = config_folder();
    if (!folder) return folder.diagnostics();
    return *folder / "window.json";
}

}  // namespace lanescope::ui
