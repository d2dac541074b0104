#include "session/timing/time_parcel.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "lesson/front_matter.h"

namespace lanescope::session {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t most_data_bytes = 48ull << 20;  // a message has little more

Json binary(const std::string& bytes) {
    return Json::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}

// Returns false if there are no such bytes.
bool read_binary(const Json& json, const char* key, std::string& into) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_binary()) return false;
    const auto& bytes = json[key].get_binary();
    into.assign(bytes.begin(), bytes.end());
    return true;
}

// Reads a file that the front matter names, unless it is there already.
Result<void> add_data(TimeParcel& parcel, const std::string& path, const std::string& file, int line) {
    const bool known = std::any_of(parcel.data.begin(), parcel.data.end(),
                                   [&](const ParcelFile& each) { return each.path == path; });
    if (path.empty() || known) return {};
    if (fs::path(path).is_absolute())
        return error_at(file, line, 0, "'" + path + "' is a path of this machine only",
                        "name the file relative to the folder of " + fs::path(file).filename().string());
    Result<std::string> bytes = read_file(fs::path(file).parent_path() / path, most_data_bytes);
    if (!bytes) return error_at(file, line, 0, bytes.diagnostics().front().message);
    parcel.data.push_back({path, std::move(*bytes)});
    return {};
}

// How many folders above its own folder the parcel's data lie.
std::size_t steps_up(const TimeParcel& parcel) {
    std::size_t most = 0;
    for (const ParcelFile& each : parcel.data) {
        const fs::path path = fs::path(each.path).lexically_normal();
        most =
            std::max<std::size_t>(most, static_cast<std::size_t>(std::count(path.begin(), path.end(), "..")));
    }
    return most;
}

// Returns the folder in which the file would be.
Result<fs::path> unpack(const TimeParcel& parcel, const fs::path& root) {
    fs::path folder = root;
    for (std::size_t i = 0; i < steps_up(parcel); ++i)
        folder /= "in";
    std::error_code failed;
    fs::create_directories(folder, failed);
    for (const ParcelFile& each : parcel.data) {
        const fs::path path = (folder / each.path).lexically_normal();
        const fs::path inside = path.lexically_relative(root);
        if (inside.empty() || *inside.begin() == "..")
            return error("'" + each.path + "' leads out of the folder for data");
        fs::create_directories(path.parent_path(), failed);
        if (Result<void> written = write_file(path, each.bytes); !written) return written.diagnostics();
    }
    return folder;
}

}  // namespace

Result<TimeParcel> make_time_parcel(const std::string& source, const std::string& file,
                                    const lesson::FrontMatter& front, bool proposed,
                                    const std::string& target, const compile::Flags& flags) {
    TimeParcel parcel;
    // A proposal depends on headers, which are not there.
    parcel.source = proposed ? lesson::write_front_matter(front) : source;
    parcel.proposed = proposed;
    for (const lesson::Buffer& buffer : front.buffers)
        for (const std::string& path : {buffer.image, buffer.file})
            if (Result<void> added = add_data(parcel, path, file, buffer.line); !added)
                return added.diagnostics();
    Result<execution::CleanCode> code = execution::compile_clean(source, file, front, target, flags);
    if (!code) return code.diagnostics();
    parcel.code = std::move(*code);
    return parcel;
}

Json to_json(const TimeParcel& parcel) {
    Json data = Json::array();
    for (const ParcelFile& each : parcel.data)
        data.push_back({{"path", each.path}, {"bytes", binary(each.bytes)}});
    const compile::Output& compiled = parcel.code.compiled;
    return Json{{"source", binary(parcel.source)}, {"proposed", parcel.proposed},
                {"ptx", binary(compiled.ptx)},     {"cubin", binary(compiled.cubin)},
                {"symbols", compiled.symbols},     {"data", std::move(data)}};
}

Result<TimeParcel> time_parcel_of(const Json& json, const std::string& file) {
    TimeParcel parcel;
    compile::Output compiled;
    const auto wrong = [&] { return error(file + ": a parcel that is not complete"); };
    if (!read_binary(json, "source", parcel.source) || !read_binary(json, "ptx", compiled.ptx) ||
        !read_binary(json, "cubin", compiled.cubin) || !json.contains("symbols") || !json.contains("data") ||
        !json["data"].is_array())
        return wrong();
    for (const Json& each : json["data"]) {
        ParcelFile& added = parcel.data.emplace_back();
        if (!read_binary(each, "bytes", added.bytes) || !each.contains("path") || !each["path"].is_string())
            return wrong();
        added.path = each["path"].get<std::string>();
    }
    parcel.proposed = json.contains("proposed") && json["proposed"] == true;
    compiled.symbols = json["symbols"].get<std::map<std::string, std::string>>();
    Result<execution::CleanCode> code = execution::clean_code_of(std::move(compiled), file);
    if (!code) return code.diagnostics();
    parcel.code = std::move(*code);
    return parcel;
}

Result<lesson::Instance> instantiate(const TimeParcel& parcel, const lesson::FrontMatter& front,
                                     const lesson::ParameterValues& point, const std::string& file,
                                     std::uint64_t max_buffer_bytes) {
    if (parcel.data.empty()) return lesson::instantiate(front, point, file, max_buffer_bytes);
    const Result<TemporaryFolder> root = TemporaryFolder::create();
    if (!root) return root.diagnostics();
    const Result<fs::path> folder = unpack(parcel, root->path());
    if (!folder) return folder.diagnostics();
    const std::string there = (*folder / fs::path(file).filename()).string();
    Result<lesson::Instance> instance = lesson::instantiate(front, point, there, max_buffer_bytes);
    if (instance) return instance;
    Diagnostics problems = instance.diagnostics();
    for (Diagnostic& each : problems)
        if (each.file == there) each.file = file;
    return problems;
}

}  // namespace lanescope::session
