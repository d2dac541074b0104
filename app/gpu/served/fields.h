// What the messages of a served device are made of, for archives that read and write.
#pragma once

#include <string>

#include "base/archive.h"
#include "base/process.h"
#include "base/result.h"
#include "gpu/served/served_device.h"
#include "gpu/traced/trace_device.h"

namespace lanescope::gpu {

// What a device says about itself when the connection begins.
struct ServedFacts {
    std::string name, target, code_target, driver;
    std::uint32_t multiprocessors = 0;
    double cycles_per_ns = 1;
};

template <class Archive>
void served_fields(Archive& archive, ServedFacts& facts) {
    archive.value(facts.name);
    archive.value(facts.target);
    archive.value(facts.code_target);
    archive.value(facts.driver);
    archive.value(facts.multiprocessors);
    archive.raw(&facts.cycles_per_ns, sizeof facts.cycles_per_ns);
}

template <class Archive>
void served_fields(Archive& archive, Diagnostic& diagnostic) {
    archive.choice(diagnostic.severity, static_cast<std::uint64_t>(Severity::error));
    archive.value(diagnostic.file);
    archive.value(diagnostic.line);
    archive.value(diagnostic.column);
    archive.value(diagnostic.message);
    archive.value(diagnostic.hint);
}

template <class Archive>
void served_fields(Archive& archive, trace::Dim3& size) {
    archive.value(size.x);
    archive.value(size.y);
    archive.value(size.z);
}

template <class Archive>
void served_fields(Archive& archive, simt::LaunchRequest& request) {
    archive.value(request.kernel);
    archive.value(request.label);
    served_fields(archive, request.grid);
    served_fields(archive, request.block);
    archive.value(request.dynamic_shared_bytes);
    archive.list(request.arguments, [](auto& each, std::vector<std::byte>& bytes) { each.block(bytes); });
    archive.block(request.recorded_blocks);
    archive.value(request.cooperative);
    archive.value(request.resident_blocks);
    trace::Dim3 cluster = request.cluster.value_or(trace::Dim3{0, 0, 0});
    served_fields(archive, cluster);
    request.cluster.reset();
    if (cluster.count() != 0) request.cluster = cluster;
}

// Without the descriptor, which goes over a socket of its own.
template <class Archive>
void served_fields(Archive& archive, ExportedMemory& records) {
    archive.value(records.size_bytes);
    archive.raw(records.device.data(), records.device.size());
}

template <class Archive>
void served_fields(Archive& archive, Device::Exported& made) {
    archive.value(made.address);
    served_fields(archive, made.memory);
}

template <class Archive>
void served_fields(Archive& archive, simt::Texture& texture) {
    simt::Image& image = texture.image;
    archive.choice(image.shape, static_cast<std::uint64_t>(simt::Image::Shape::cube));
    archive.value(image.layered);
    archive.choice(image.format.kind, static_cast<std::uint64_t>(simt::TexelFormat::Kind::floating));
    archive.value(image.format.bits);
    archive.value(image.format.channels);
    archive.value(image.address);
    archive.value(image.row_bytes);
    archive.value(image.slice_bytes);
    archive.value(image.width);
    archive.value(image.height);
    archive.value(image.depth);
    for (simt::Addressing& each : texture.addressing)
        archive.choice(each, static_cast<std::uint64_t>(simt::Addressing::border));
    archive.value(texture.linear);
    archive.value(texture.normalized);
    archive.value(texture.as_float);
    for (float& each : texture.border)
        archive.raw(&each, sizeof each);
}

template <class Archive>
void served_fields(Archive& archive, CleanLaunch& launch) {
    archive.value(launch.kernel);
    archive.value(launch.label);
    for (std::array<std::uint32_t, 3>* each : {&launch.grid, &launch.block})
        archive.raw(each->data(), sizeof *each);
    archive.value(launch.shared_bytes);
    archive.value(launch.cooperative);
    archive.list(launch.arguments, [](auto& each, CleanArgument& argument) { each.block(argument.bytes); });
}

template <class Archive>
void served_fields(Archive& archive, DeviceWork& work) {
    archive.list(work.writes, [](auto& each, DeviceWork::Write& write) {
        each.value(write.to);
        each.block(write.bytes);
    });
    archive.list(work.steps, [](auto& each, DeviceWork::Step& step) {
        each.choice(step.kind, static_cast<std::uint64_t>(DeviceWork::Step::Kind::mark));
        each.value(step.code);
        served_fields(each, step.launch);
        each.value(step.to);
        each.value(step.from);
        each.value(step.size_bytes);
    });
}

template <class Archive>
void served_fields(Archive& archive, Device::Ran& ran) {
    archive.choice(ran.ending, static_cast<std::uint64_t>(simt::Ending::refused));
    archive.value(ran.message);
    archive.choice(ran.fault, static_cast<std::uint64_t>(trace::ProblemKind::unsupported));
}

template <class Archive>
void served_fields(Archive& archive, Device::Worked& worked) {
    served_fields(archive, worked.ran);
    archive.block(worked.marks_ms);
}

template <class Archive>
void served_fields(Archive& archive, ServedWork& work) {
    archive.list(work.words, [](auto& each, std::string& word) { each.value(word); });
    archive.value(work.input);
    archive.value(work.limit_ms);
}

template <class Archive>
void served_fields(Archive& archive, ProcessOutcome& outcome) {
    archive.value(outcome.exit_code);
    archive.value(outcome.signal);
    archive.value(outcome.timed_out);
    archive.value(outcome.too_much_output);
    archive.value(outcome.cancelled);
    archive.value(outcome.out);
    archive.value(outcome.err);
}

}  // namespace lanescope::gpu
