#include <nlohmann/json.hpp>

#include "doctor/report.h"

namespace lanescope::doctor {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

Json value_json(const gpu::DeviceProperty& property, const std::vector<int>& values) {
    if (values.empty()) return nullptr;
    if (property.unit == gpu::Unit::yes_no) return values[0] != 0;
    if (property.unit == gpu::Unit::compute_mode) return gpu::compute_mode_text(values[0]);
    return values.size() == 1 ? Json(values[0]) : Json(values);
}

Json transfer_json(const gpu::Transfer& transfer) {
    return {{"direction", transfer.direction}, {"memory", transfer.memory},   {"bytes", transfer.bytes},
            {"runs", transfer.runs},           {"gb_per_s", transfer.median}, {"minimum", transfer.minimum},
            {"maximum", transfer.maximum}};
}

Json device_json(const DeviceReport& device) {
    const gpu::DeviceQuery& query = device.query;
    Json json = {{"ordinal", query.ordinal},
                 {"name", query.name},
                 {"uuid", query.uuid},
                 {"pci_bus_id", query.pci_bus_id},
                 {"compute_capability", gpu::capability_text(query.compute_capability)},
                 {"total_memory_bytes", query.total_memory_bytes},
                 {"free_memory_bytes", device.free_bytes ? Json(*device.free_bytes) : Json()}};
    const int each = query.cores_per_multiprocessor;
    json["cores_per_multiprocessor"] = each ? Json(each) : Json();
    json["cores"] = each ? Json(each * query.multiprocessors()) : Json();
    const auto properties = gpu::device_properties();
    for (std::size_t i = 0; i < properties.size(); ++i)
        json[properties[i].key] = value_json(properties[i], query.values[i]);
    json["peers"] = query.peers;
    json["bandwidth"] = Json::array();
    for (const gpu::Transfer& transfer : device.transfers)
        json["bandwidth"].push_back(transfer_json(transfer));
    return json;
}

Json gl_json(const GlReport& gl) {
    Json json = {{"context", gl.context}, {"found", gl.device.has_value()}};
    if (!gl.device) {
        json["message"] = gl.problem;
        return json;
    }
    json["renderer"] = gl.device->renderer;
    json["vendor"] = gl.device->vendor;
    json["version"] = gl.device->version;
    json["reached_through"] = gl.device->reached_through;
    json["software"] = gl.device->software;
    return json;
}

Json check_json(const Check& check) {
    const char* status = check.status == Status::works   ? "works"
                         : check.status == Status::fails ? "fails"
                                                         : "absent";
    return {
        {"name", check.name}, {"status", status}, {"message", check.message}, {"mend", or_null(check.mend)}};
}

const char* verdict_name(Verdict verdict) {
    return verdict == Verdict::pass ? "PASS" : "FAIL";
}

}  // namespace

std::string report_json(const Report& report, const std::string& program_version) {
    Json json;
    json["program"] = program_version;
    json["result"] = verdict_name(report.verdict());
    json["gpu"] = report.verdict() != Verdict::no_gpu;
    const bool found = report.driver.found;
    json["driver"] = {{"found", found},
                      {"release", or_null(report.driver.release)},
                      {"cuda", found ? Json(gpu::cuda_version_text(report.driver.version)) : Json()},
                      {"note", or_null(report.driver.note)}};
    json["runtime"] = {
        {"found", report.runtime.has_value()},
        {"version", report.runtime ? Json(gpu::cuda_version_text(report.runtime->version)) : Json()},
        {"path", report.runtime ? Json(report.runtime->path.string()) : Json()}};
    json["nvrtc"] = {{"found", !report.compiler.version.empty()},
                     {"version", or_null(report.compiler.version)},
                     {"path", or_null(report.compiler.path)},
                     {"confinement", or_null(report.compiler.confinement)}};
    json["cupti"] = {{"found", report.cupti.has_value()},
                     {"path", report.cupti ? Json(report.cupti->string()) : Json()}};
    json["built_with_cuda"] = gpu::cuda_version_text(report.toolkit_version);
    for (const char* name : {"devices", "opengl", "checks"})
        json[name] = Json::array();
    for (const DeviceReport& device : report.devices)
        json["devices"].push_back(device_json(device));
    for (const GlReport& gl : report.gl)
        json["opengl"].push_back(gl_json(gl));
    for (const Check& check : report.checks)
        json["checks"].push_back(check_json(check));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace lanescope::doctor
