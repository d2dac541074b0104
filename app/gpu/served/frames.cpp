#include "gpu/served/frames.h"

#include <poll.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/archive.h"

namespace lanescope::gpu {

namespace {

constexpr std::string_view greeting = "\1lanescope device";
constexpr std::size_t header_bytes = 16;
constexpr std::size_t max_banner_bytes = 64 << 10;  // before the greeting
constexpr int tick_ms = 50;
constexpr std::uint64_t least_compressed_bytes = 512;

struct Header {
    std::uint8_t call = 0, packing = 0;
    std::uint16_t zero = 0;
    std::uint32_t number = 0, wire_bytes = 0, payload_bytes = 0;
};

template <class Archive>
void fields(Archive& archive, Header& header) {
    archive.value(header.call);
    archive.value(header.packing);
    archive.value(header.zero);
    archive.value(header.number);
    archive.value(header.wire_bytes);
    archive.value(header.payload_bytes);
}

// Why these bytes cannot be a header; empty: they can.
std::string flaw_of(const Header& header) {
    if (header.call >= static_cast<std::uint8_t>(Call::count))
        return "unknown message " + std::to_string(header.call);
    if (header.packing > static_cast<std::uint8_t>(Packing::compressed) || header.zero != 0)
        return "damaged header of a message";
    if (header.wire_bytes > max_payload_bytes || header.payload_bytes > max_payload_bytes)
        return "a message of " + std::to_string(std::max(header.wire_bytes, header.payload_bytes)) +
               " bytes, but a message has at most " + std::to_string(max_payload_bytes);
    const bool plain = header.packing == static_cast<std::uint8_t>(Packing::plain);
    return plain && header.wire_bytes != header.payload_bytes ? "two different sizes of one message" : "";
}

std::string compressed(const std::string& payload) {
    std::string packed(ZSTD_compressBound(payload.size()), '\0');
    constexpr int fastest = 1;
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), fastest);
    packed.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return packed;
}

// The readable part of what came instead of a greeting, in one line.
std::string in_quotes(const std::string& text) {
    constexpr std::size_t most = 200;
    std::string line;
    for (const char each : text.substr(0, most))
        line += each >= ' ' && each <= '~' ? each : ' ';
    return "'" + line + (text.size() > most ? "…'" : "'");
}

}  // namespace

Diagnostic FrameStream::broken(std::uint64_t at, const std::string& what) const {
    return error_at(name_, 0, 0, "byte " + std::to_string(at) + " of the connection: " + what,
                    "something between the two programs changes the bytes, or the versions differ");
}

Result<std::size_t> FrameStream::fill(char* to, std::size_t size_bytes, const Tick& tick) {
    std::size_t done = 0;
    while (done < size_bytes) {
        pollfd wait{in_, POLLIN, 0};
        const int ready = ::poll(&wait, 1, tick_ms);
        if (ready <= 0) {
            if (Result<void> go_on = tick(); !go_on) return go_on.diagnostics();
            continue;
        }
        const ssize_t count = ::read(in_, to + done, size_bytes - done);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
        progress_ = Clock::now();
    }
    read_bytes_ += done;
    return done;
}

Result<void> FrameStream::send(std::string_view bytes, const Tick& tick) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(out_, bytes.data(), bytes.size());
        if (count > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
            progress_ = Clock::now();
            continue;
        }
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            return error_at(name_, 0, 0, std::string("the connection is lost: ") + std::strerror(errno));
        pollfd wait{out_, POLLOUT, 0};
        if (::poll(&wait, 1, tick_ms) > 0) continue;
        if (Result<void> go_on = tick(); !go_on) return go_on;
    }
    return {};
}

Result<void> FrameStream::write_greeting() {
    ArchiveWriter writer;
    writer.raw(greeting.data(), greeting.size());
    writer.value(device_protocol);
    return send(writer.bytes, [] { return Result<void>(); });
}

Result<std::uint32_t> FrameStream::read_greeting(const Tick& tick) {
    std::string seen;
    while (!seen.ends_with(greeting)) {
        char next = 0;
        const Result<std::size_t> got = fill(&next, 1, tick);
        if (!got) return got.diagnostics();
        if (*got == 1) seen += next;
        if (*got == 1 && seen.size() < max_banner_bytes) continue;
        const std::string what = seen.empty() ? "no device answers" : "not a device, but " + in_quotes(seen);
        return error_at(name_, 0, 0, what, "the command must start lanescope __device there");
    }
    std::array<char, sizeof device_protocol> number{};
    const Result<std::size_t> got = fill(number.data(), number.size(), tick);
    if (!got) return got.diagnostics();
    if (*got != number.size()) return error_at(name_, 0, 0, "the connection ended within its greeting");
    std::uint32_t protocol = 0;
    ArchiveReader({number.data(), number.size()}).value(protocol);
    read_bytes_ = 0;
    return protocol;
}

Result<std::optional<Frame>> FrameStream::read(const Tick& tick) {
    const std::uint64_t at = read_bytes_;
    std::array<char, header_bytes> bytes{};
    const Result<std::size_t> got = fill(bytes.data(), bytes.size(), tick);
    if (!got) return got.diagnostics();
    if (*got == 0) return std::optional<Frame>();
    if (*got != bytes.size()) return broken(at + *got, "it ended within a message");
    Header header;
    ArchiveReader reader({bytes.data(), bytes.size()});
    fields(reader, header);
    if (const std::string flaw = flaw_of(header); !flaw.empty()) return broken(at, flaw);
    // Grows with what comes in: a header alone must not take memory.
    std::string wire;
    while (wire.size() < header.wire_bytes) {
        constexpr std::size_t step = 1 << 20;
        const std::size_t before = wire.size();
        wire.resize(std::min<std::size_t>(header.wire_bytes, before + step));
        const Result<std::size_t> more = fill(wire.data() + before, wire.size() - before, tick);
        if (!more) return more.diagnostics();
        if (*more != wire.size() - before) return broken(read_bytes_, "it ended within a message");
    }
    Frame frame{static_cast<Call>(header.call), header.number, {}};
    if (header.packing == static_cast<std::uint8_t>(Packing::plain)) {
        frame.payload = std::move(wire);
        return std::optional(std::move(frame));
    }
    frame.payload.resize(header.payload_bytes);
    const std::size_t size =
        ZSTD_decompress(frame.payload.data(), frame.payload.size(), wire.data(), wire.size());
    if (ZSTD_isError(size) != 0 || size != frame.payload.size())
        return broken(at, "compressed bytes that cannot be unpacked");
    return std::optional(std::move(frame));
}

Result<void> FrameStream::write(const Frame& frame, Packing packing, const Tick& tick) {
    std::string packed;
    if (packing == Packing::compressed && frame.payload.size() >= least_compressed_bytes)
        packed = compressed(frame.payload);
    const bool smaller = !packed.empty() && packed.size() < frame.payload.size();
    const std::string& wire = smaller ? packed : frame.payload;
    Header header;
    header.call = static_cast<std::uint8_t>(frame.call);
    header.packing = static_cast<std::uint8_t>(smaller ? Packing::compressed : Packing::plain);
    header.number = frame.number;
    header.wire_bytes = static_cast<std::uint32_t>(wire.size());
    header.payload_bytes = static_cast<std::uint32_t>(frame.payload.size());
    if (frame.payload.size() > max_payload_bytes)
        return error_at(name_, 0, 0,
                        "a message is larger than " + std::to_string(max_payload_bytes) + " bytes");
    ArchiveWriter writer;
    fields(writer, header);
    if (Result<void> sent = send(writer.bytes, tick); !sent) return sent;
    return send(wire, tick);
}

}  // namespace lanescope::gpu
