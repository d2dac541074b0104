// The verdict and the facts about a machine.
#include "doctor/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace lanescope::doctor {
namespace report_test {

// Returns the report of a machine on which everything works.
Report well() {
    Report report;
    report.driver = {true, 13000, "580.95.05", ""};
    report.toolkit_version = 13000;
    report.compiler = {"13.0", "/cuda/lib64/libnvrtc.so.13", "Landlock 7"};
    report.runtime = gpu::RuntimeLibrary{"/cuda/lib64/libcudart.so.13", 13000};
    DeviceReport device;
    device.query.name = "GPU of a test";
    device.query.compute_capability = 90;
    device.query.total_memory_bytes = 1ull << 30;
    device.query.cores_per_multiprocessor = 128;
    for (const gpu::DeviceProperty& property : gpu::device_properties())
        device.query.values.emplace_back(property.attributes.size(), 1);
    device.free_bytes = 1 << 20;
    device.transfers = {{"host_to_device", "pinned", 32 << 20, 21, 25.04, 24.0, 26.0},
                        {"device_to_device", "device", 1 << 30, 21, 4000, 3900, 4100}};
    report.devices.push_back(device);
    render::GlDevice gl;
    gl.renderer = "renderer of a test";
    report.gl = {{"headless", gl, ""}, {"window", std::nullopt, "no display"}};
    report.checks = {{"driver", "NVIDIA driver", Status::works, "", ""},
                     {"compiler", "Compiler", Status::works, "", ""},
                     {"cpu_engine", "CPU engine", Status::works, "", ""},
                     {"gpu_0", "GPU 0", Status::works, "", ""},
                     {"gpu_1", "GPU 1", Status::works, "", ""},
                     {"window", "Window", Status::absent, "no display", ""}};
    return report;
}

Check& check_of(Report& report, const std::string& name) {
    for (Check& check : report.checks)
        if (check.name == name) return check;
    throw std::out_of_range(name);
}

TEST(Doctor, passes_without_a_display) {
    const Report report = well();
    EXPECT_EQ(report.verdict(), Verdict::pass);
    const std::string text = report_text(report);
    EXPECT_TRUE(text.ends_with("\nResult = PASS\n")) << text;
    EXPECT_NE(text.find("580.95.05, CUDA 13.0"), std::string::npos);
    EXPECT_NE(text.find("25.0  (24.0 to 26.0, median of 21)"), std::string::npos) << text;
    EXPECT_NE(text.find("read and written)"), std::string::npos);
}

TEST(Doctor, one_failure_fails_and_says_how_to_mend_it) {
    Report report = well();
    check_of(report, "gpu_1") = {"gpu_1", "GPU 1", Status::fails, "it is too hot", "open the window"};
    EXPECT_EQ(report.verdict(), Verdict::fail);
    const std::string text = report_text(report);
    EXPECT_TRUE(text.ends_with("\nResult = FAIL\n  GPU 1: it is too hot\n    open the window\n")) << text;
}

TEST(Doctor, no_usable_gpu_is_a_verdict_of_its_own) {
    Report report = well();
    check_of(report, "gpu_0").status = check_of(report, "gpu_1").status = Status::fails;
    EXPECT_EQ(report.verdict(), Verdict::no_gpu);
    EXPECT_EQ(verdict_text(report), "FAIL (no usable GPU): kernels run on the CPU engine");
    check_of(report, "cpu_engine").status = Status::absent;
    EXPECT_EQ(verdict_text(report), "FAIL (no usable GPU)");
    Report without = well();
    check_of(without, "driver").status = Status::fails;
    EXPECT_EQ(without.verdict(), Verdict::no_gpu);
    EXPECT_EQ(Report().verdict(), Verdict::no_gpu);
}

TEST(Doctor, json_has_the_same_facts) {
    const auto json = nlohmann::json::parse(report_json(well(), "1.2.3"));
    EXPECT_EQ(json["program"], "1.2.3");
    EXPECT_EQ(json["result"], "PASS");
    EXPECT_EQ(json["gpu"], true);
    EXPECT_EQ(json["driver"]["release"], "580.95.05");
    EXPECT_EQ(json["driver"]["cuda"], "13.0");
    EXPECT_TRUE(json["driver"]["note"].is_null());
    const auto& device = json["devices"][0];
    EXPECT_EQ(device["compute_capability"], "9.0");
    EXPECT_EQ(device["cores"], 128);
    EXPECT_EQ(device["max_grid_dimensions"], nlohmann::json({1, 1, 1}));
    EXPECT_EQ(device["ecc"], true);
    EXPECT_EQ(device["bandwidth"][0]["gb_per_s"], 25.04);
    EXPECT_EQ(json["opengl"][0]["renderer"], "renderer of a test");
    EXPECT_EQ(json["opengl"][1]["found"], false);
    EXPECT_EQ(json["checks"].back()["status"], "absent");
}

TEST(Doctor, every_property_has_a_key_of_its_own) {
    const auto json = nlohmann::json::parse(report_json(well(), "1"));
    std::set<std::string> keys;
    for (const gpu::DeviceProperty& property : gpu::device_properties()) {
        EXPECT_TRUE(keys.insert(property.key).second) << property.key;
        EXPECT_TRUE(json["devices"][0].contains(property.key)) << property.key;
    }
}

TEST(Doctor, bad_values_are_told_as_unknown) {
    Report report = well();
    for (std::vector<int>& values : report.devices[0].query.values)
        values.clear();
    report.devices[0].query.cores_per_multiprocessor = 0;
    report.devices[0].free_bytes.reset();
    EXPECT_NE(report_text(report).find("not known to this driver"), std::string::npos);
    const auto json = nlohmann::json::parse(report_json(report, "1"));
    EXPECT_TRUE(json["devices"][0]["ecc"].is_null());
    EXPECT_TRUE(json["devices"][0]["cores"].is_null());
    EXPECT_TRUE(json["devices"][0]["free_memory_bytes"].is_null());
}

}  // namespace report_test
}  // namespace lanescope::doctor
