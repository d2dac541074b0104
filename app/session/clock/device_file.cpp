#include "session/clock/device_file.h"

#include "base/files.h"
#include "base/folders.h"
#include "lesson/toml_reader.h"

namespace lanescope::session {

Result<analysis::DeviceModel> parse_device(const std::string& text, const std::string& file) {
    lesson::TomlReader reader(file);
    const auto root = reader.parse(text);
    if (!root) return reader.problems();
    analysis::DeviceModel made;
    made.name = reader.text(*root, "name").value_or("");
    if (made.name.empty()) reader.missing(*root, "name", "a device", "name = \"NVIDIA H200\"");
    std::vector<std::string> known, absent;
    for (const analysis::DeviceField& field : analysis::device_fields())
        known.emplace_back(field.name);
    absent = known;
    for (const auto& [key, node] : lesson::TomlReader::in_order(*root)) {
        const toml::table* table = node->as_table();
        if (table == nullptr) continue;
        reader.check_keys(*table, known, "a device");
        for (const analysis::DeviceField& field : analysis::device_fields()) {
            const std::optional<double> value = reader.number(*table, field.name);
            if (!value) continue;
            if (*value < 0) reader.fail(*table->get(field.name), std::string(field.name) + " is negative");
            made.*field.value = *value;
            std::erase(absent, field.name);
        }
    }
    for (const std::string& missing : absent)
        reader.missing(*root, missing, "a device", missing + " = 4");
    if (!reader.ok()) return reader.problems();
    return made;
}

Result<analysis::DeviceModel> shipped_device() {
    const std::filesystem::path file = resource_folder() / "assets" / "devices" / "h200.toml";
    const Result<std::string> text = read_text_file(file);
    if (!text) return text.diagnostics();
    return parse_device(*text, file.string());
}

}  // namespace lanescope::session
