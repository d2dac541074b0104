// What the messages of a served device are made of, for archives that read and write.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "base/archive.h"
#include "base/process.h"
#include "base/result_fields.h"
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

template <class Archive>
void served_fields(Archive& archive, DeviceCode& code) {
    archive.value(code.ptx);
    archive.value(code.cubin);
}

template <class Archive>
void served_fields(Archive& archive, Place& place) {
    archive.value(place.address);
    archive.value(place.size_bytes);
}

template <class Archive, class T>
requires std::is_integral_v<T>
void served_fields(Archive& archive, T& value) {
    archive.value(value);
}

template <class Archive>
void served_fields(Archive& archive, std::byte& value) {
    archive.raw(&value, sizeof value);
}

template <class Archive>
void served_fields(Archive& archive, std::string& text) {
    archive.value(text);
}

template <class Archive>
void served_fields(Archive& archive, double& value) {
    archive.raw(&value, sizeof value);
}

// The bytes, of any length, that end a message.
struct RestOfMessage {
    std::string_view bytes;
};
inline void served_fields(ArchiveReader& archive, RestOfMessage& rest) {
    rest.bytes = archive.rest();
}
inline void served_fields(ArchiveWriter& archive, RestOfMessage& rest) {
    archive.raw(rest.bytes.data(), rest.bytes.size());
}

template <class... T>
std::string served_bytes(T... values) {
    ArchiveWriter writer;
    (served_fields(writer, values), ...);
    return std::move(writer.bytes);
}

// Nothing: the message has other values.
template <class... T>
std::optional<std::tuple<T...>> read_arguments(ArchiveReader& in) {
    std::optional<std::tuple<T...>> values(std::in_place);
    std::apply([&](auto&... each) { (served_fields(in, each), ...); }, *values);
    if (!in.ok()) values.reset();
    return values;
}

// A function of the device that the other side calls. Whole numbers are answered with 64 bits.
template <class Function>
struct DeviceFunction;
template <class Class, class Answer, class... Arguments>
struct DeviceFunction<Answer (Class::*)(Arguments...)> {
    static std::string request(const std::decay_t<Arguments>&... arguments) {
        return served_bytes(arguments...);
    }
    // Nothing: the request has other arguments.
    static std::optional<Result<std::string>> carry_out(TraceDevice& device,
                                                        Answer (Class::*function)(Arguments...),
                                                        ArchiveReader& in) {
        std::optional arguments = read_arguments<std::decay_t<Arguments>...>(in);
        if (!arguments) return std::nullopt;
        return answered(std::apply([&](auto&... each) { return (device.*function)(each...); }, *arguments));
    }
    // Nothing: the answer is another one.
    static std::optional<Answer> answer(const std::string& bytes) {
        ArchiveReader reader(bytes);
        return read(reader, static_cast<Answer*>(nullptr));
    }

  private:
    template <class T>
    using Sent = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

    static Result<std::string> answered(const Result<void>& done) {
        return done ? Result<std::string>(std::string()) : done.diagnostics();
    }
    template <class T>
    static Result<std::string> answered(const Result<T>& made) {
        return made ? Result<std::string>(served_bytes(Sent<T>(*made))) : made.diagnostics();
    }
    static std::optional<Answer> read(ArchiveReader&, Result<void>*) { return Result<void>(); }
    template <class T>
    static std::optional<Answer> read(ArchiveReader& reader, Result<T>*) {
        Sent<T> value{};
        served_fields(reader, value);
        return reader.ok() ? std::optional<Answer>(static_cast<T>(value)) : std::nullopt;
    }
};
}  // namespace lanescope::gpu
