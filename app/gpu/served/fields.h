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
#include "trace/fields.h"

namespace lanescope {

template <class Archive>
void fields(Archive& archive, ProcessOutcome& outcome) {
    archive_all(archive, outcome.exit_code, outcome.signal, outcome.timed_out, outcome.too_much_output,
                outcome.cancelled, outcome.out, outcome.err);
}

}  // namespace lanescope

namespace lanescope::simt {

template <class Archive>
void fields(Archive& archive, LaunchRequest& request) {
    trace::Dim3 cluster = request.cluster.value_or(trace::Dim3{0, 0, 0});
    archive_all(archive, request.kernel, request.label, request.grid, request.block,
                request.dynamic_shared_bytes, request.arguments, request.recorded_blocks, request.cooperative,
                request.resident_blocks, cluster);
    request.cluster.reset();
    if (cluster.count() != 0) request.cluster = cluster;
}

template <class Archive>
void fields(Archive& archive, Texture& texture) {
    Image& image = texture.image;
    archive_all(archive, up_to(image.shape, Image::Shape::cube), image.layered,
                up_to(image.format.kind, TexelFormat::Kind::floating), image.format.bits,
                image.format.channels, image.address, image.row_bytes, image.slice_bytes, image.width,
                image.height, image.depth);
    for (Addressing& each : texture.addressing)
        archive_all(archive, up_to(each, Addressing::border));
    archive_all(archive, texture.linear, texture.normalized, texture.as_float, texture.border);
}

}  // namespace lanescope::simt

namespace lanescope::gpu {

// What a device says about itself when the connection begins.
struct ServedFacts {
    std::string name, target, code_target, driver;
    std::uint32_t multiprocessors = 0;
    double cycles_per_ns = 1;
};

template <class Archive>
void fields(Archive& archive, ServedFacts& facts) {
    archive_all(archive, facts.name, facts.target, facts.code_target, facts.driver, facts.multiprocessors,
                facts.cycles_per_ns);
}

// Without the descriptor, which goes over a socket of its own.
template <class Archive>
void fields(Archive& archive, ExportedMemory& records) {
    archive_all(archive, records.size_bytes, records.device);
}

template <class Archive>
void fields(Archive& archive, Device::Exported& made) {
    archive_all(archive, made.address, made.memory);
}

template <class Archive>
void fields(Archive& archive, CleanArgument& argument) {
    archive_all(archive, argument.bytes);
}

template <class Archive>
void fields(Archive& archive, CleanLaunch& launch) {
    archive_all(archive, launch.kernel, launch.label, launch.grid, launch.block, launch.shared_bytes,
                launch.cooperative, launch.arguments);
}

template <class Archive>
void fields(Archive& archive, DeviceWork::Write& write) {
    archive_all(archive, write.to, write.bytes);
}

template <class Archive>
void fields(Archive& archive, DeviceWork::Step& step) {
    archive_all(archive, up_to(step.kind, DeviceWork::Step::Kind::mark), step.code, step.launch, step.to,
                step.from, step.size_bytes);
}

template <class Archive>
void fields(Archive& archive, DeviceWork& work) {
    archive_all(archive, work.writes, work.steps);
}

template <class Archive>
void fields(Archive& archive, Device::Ran& ran) {
    archive_all(archive, up_to(ran.ending, simt::Ending::refused), ran.message,
                up_to(ran.fault, trace::ProblemKind::unsupported));
}

template <class Archive>
void fields(Archive& archive, Device::Worked& worked) {
    archive_all(archive, worked.ran, worked.marks_ms);
}

template <class Archive>
void fields(Archive& archive, ServedWork& work) {
    archive_all(archive, work.words, work.input, work.limit_ms);
}

template <class Archive>
void fields(Archive& archive, DeviceCode& code) {
    archive_all(archive, code.ptx, code.cubin);
}

template <class Archive>
void fields(Archive& archive, Place& place) {
    archive_all(archive, place.address, place.size_bytes);
}

// The bytes, of any length, that end a message.
struct RestOfMessage {
    std::string_view bytes;
};
inline void fields(ArchiveReader& archive, RestOfMessage& rest) {
    rest.bytes = archive.rest();
}
inline void fields(ArchiveWriter& archive, RestOfMessage& rest) {
    archive.raw(rest.bytes.data(), rest.bytes.size());
}

template <class... T>
std::string served_bytes(T... values) {
    ArchiveWriter writer;
    archive_all(writer, values...);
    return std::move(writer.bytes);
}

// Returns nothing if the message has other values.
template <class... T>
std::optional<std::tuple<T...>> read_arguments(ArchiveReader& in) {
    std::optional<std::tuple<T...>> values(std::in_place);
    std::apply([&](auto&... each) { archive_all(in, each...); }, *values);
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
    // Returns nothing if the request has other arguments.
    static std::optional<Result<std::string>> carry_out(TraceDevice& device,
                                                        Answer (Class::*function)(Arguments...),
                                                        ArchiveReader& in) {
        std::optional arguments = read_arguments<std::decay_t<Arguments>...>(in);
        if (!arguments) return std::nullopt;
        return answered(std::apply([&](auto&... each) { return (device.*function)(each...); }, *arguments));
    }
    // Returns nothing if it is not such an answer.
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
        archive_all(reader, value);
        return reader.ok() ? std::optional<Answer>(static_cast<T>(value)) : std::nullopt;
    }
};
}  // namespace lanescope::gpu
