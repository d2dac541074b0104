#include "session/report/dump.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/npy.h"
#include "execution/run/turn_log.h"
#include "simt/memory/memory.h"
#include "trace/replay.h"

namespace lanescope::session {

namespace {

struct Contents {
    TypeTable types;
    TypeId type = 0;  // of a cell; 0: bytes
    std::vector<std::uint64_t> extents;
    std::vector<std::byte> bytes;
    std::vector<bool> set;

    std::size_t cell_bytes() const {
        const std::size_t size = types[type].size_bytes;
        return size == 0 || bytes.size() % size != 0 ? 1 : size;
    }
};

Contents contents_of(const execution::BufferView& view, const lesson::Instance& instance) {
    Contents made;
    made.type = made.types.named(view.type);
    made.extents = {view.count};
    for (const lesson::BufferInstance& buffer : instance.buffers)
        if (buffer.name == view.name) made.extents = buffer.extents;
    made.bytes = view.contents;
    made.set = view.set;
    return made;
}

// What a moment of the trace is: after so many turns, in this launch and block.
struct Moment {
    std::uint64_t turns = 0;
    std::uint32_t launch = 0, block = 0;
};

Contents contents_of(const execution::RunResult& result, const trace::Symbol& symbol, const Moment& moment) {
    Contents made;
    made.types = result.trace->program.types;
    made.type = symbol.element;
    made.bytes.resize(symbol.size_bytes);
    trace::Replay replay(result.trace);
    replay.seek(moment.turns);
    const std::unique_ptr<bool[]> set(new bool[symbol.size_bytes]());
    replay.read(symbol.space, moment.launch, symbol.space == trace::Space::shared ? moment.block : 0,
                symbol.offset, made.bytes, {set.get(), made.bytes.size()});
    made.set.assign(set.get(), set.get() + made.bytes.size());
    made.extents = symbol.extents;
    std::uint64_t cells = 1;
    for (const std::uint64_t extent : made.extents)
        cells *= extent;
    if (made.extents.empty() || cells * made.cell_bytes() != made.bytes.size())
        made.extents = {made.bytes.size() / made.cell_bytes()};
    return made;
}

std::optional<std::uint64_t> address_in(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data() + std::min<std::size_t>(2, text.size()),
                                               text.data() + text.size(), value, 16);
    if (!text.starts_with("0x") || failed != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool holds(const trace::Symbol& symbol, std::uint64_t address) {
    if (symbol.space != trace::Space::global) return false;
    const std::uint64_t begin = simt::window_start(simt::Window::global) + symbol.offset;
    return address >= begin && address - begin < symbol.size_bytes;
}

Diagnostic unknown_buffer(const std::string& wanted, const std::string& known) {
    return error("--dump: no buffer is named '" + wanted + "'",
                 known.empty() ? "there is no buffer" : "there are: " + known);
}

Result<Contents> find_contents(const execution::RunResult& result, const std::string& wanted) {
    for (const execution::BufferView& view : result.buffers)
        if (view.name == wanted) return contents_of(view, result.instance);
    std::string known;
    for (const execution::BufferView& view : result.buffers)
        known += (known.empty() ? "" : ", ") + view.name;
    if (result.trace) {
        const std::optional<std::uint64_t> address = address_in(wanted);
        for (const trace::Symbol& symbol : result.trace->symbols) {
            if (symbol.name == wanted || (address && holds(symbol, *address)))
                return contents_of(result, symbol, {result.trace->turns.size(), 0, 0});
            if (result.buffers.empty()) known += (known.empty() ? "" : ", ") + symbol.name;
        }
    }
    return unknown_buffer(wanted, known);
}

Result<Moment> moment_of(const execution::RunResult& result, std::size_t number) {
    if (!result.trace) return error("--dump: a run without a trace has no steps", "leave out --no-trace");
    const trace::Trace& trace = *result.trace;
    std::uint32_t block = 0;
    for (const trace::Launch& launch : trace.launches)
        if (!launch.recorded_blocks.empty()) {
            block = launch.recorded_blocks.front();
            break;
        }
    const auto steps = execution::steps_of(trace, result.turn_log.get(), block, trace::Granularity::line);
    if (number > steps.size() || steps.empty())
        return error("--dump: the run has " + std::to_string(steps.size()) + " steps, but not a step " +
                     std::to_string(number));
    const trace::Step& step = steps[number == 0 ? 0 : number - 1];
    return Moment{number == 0 ? step.first : step.end, step.launch, step.block};
}

// Buffers, and the shared arrays of the launch.
Result<Contents> find_contents_at(const execution::RunResult& result, const DumpRequest& request) {
    const Result<Moment> moment = moment_of(result, *request.step);
    if (!moment) return moment.diagnostics();
    std::string known;
    for (const auto* symbols : {&result.trace->symbols, &result.trace->launches[moment->launch].shared})
        for (const trace::Symbol& symbol : *symbols) {
            if (symbol.name == request.buffer) {
                Contents made = contents_of(result, symbol, *moment);
                for (const lesson::BufferInstance& buffer : result.instance.buffers)
                    if (buffer.name == symbol.name) made.extents = buffer.extents;
                return made;
            }
            known += (known.empty() ? "" : ", ") + symbol.name;
        }
    return unknown_buffer(request.buffer, known);
}

// The scalars of a cell, if all are alike: one, or those of a vector type.
struct Scalars {
    TypeId type = 0;  // 0: bytes without a meaning
    std::size_t count = 1, bytes = 1;
};

Scalars scalars_of(const Contents& contents) {
    const ValueType& cell = contents.types[contents.type];
    const std::size_t bytes = contents.cell_bytes();
    if (cell.size_bytes != bytes) return {0, 1, 1};
    if (cell.kind != ValueType::Kind::structure)
        return {cell.scalar == Scalar::none ? 0 : contents.type, 1, bytes};
    if (cell.members.empty()) return {0, 1, bytes};
    const TypeId first = cell.members.front().type;
    const ValueType& scalar = contents.types[first];
    const bool alike = std::all_of(cell.members.begin(), cell.members.end(), [&](const TypeMember& member) {
        return contents.types[member.type].name == scalar.name;
    });
    const bool packed = cell.members.size() * scalar.size_bytes == bytes;
    if (!alike || !packed || scalar.scalar == Scalar::none || scalar.kind == ValueType::Kind::structure)
        return {0, 1, bytes};
    return {first, cell.members.size(), scalar.size_bytes};
}

std::string as_npy(const Contents& contents) {
    const Scalars scalars = scalars_of(contents);
    NpyHeader header;
    header.item_bytes = static_cast<std::uint32_t>(scalars.bytes);
    header.shape = contents.extents;
    if (scalars.count > 1) header.shape.push_back(scalars.count);
    switch (scalars.type == 0 ? Scalar::none : contents.types[scalars.type].scalar) {
        case Scalar::none:
        case Scalar::brain:  // NumPy has no type like it
            header.kind = scalars.bytes == 1 ? 'u' : 'V';
            break;
        case Scalar::boolean:
            header.kind = 'b';
            break;
        case Scalar::character:
        case Scalar::signed_int:
            header.kind = 'i';
            break;
        case Scalar::unsigned_int:
        case Scalar::pointer:
            header.kind = 'u';
            break;
        case Scalar::floating:
            header.kind = 'f';
            break;
    }
    return npy_header(header) +
           std::string(reinterpret_cast<const char*>(contents.bytes.data()), contents.bytes.size());
}

// One line for each element of a list, or for each row of a matrix; the components of an element are columns.
std::string as_csv(const Contents& contents) {
    const Scalars scalars = scalars_of(contents);
    const std::size_t per_line =
        scalars.count *
        (contents.extents.size() > 1 ? std::max<std::uint64_t>(contents.extents.back(), 1) : 1);
    std::string text;
    for (std::size_t i = 0; i < contents.bytes.size() / scalars.bytes; ++i) {
        const std::size_t at = i * scalars.bytes;
        const auto first = contents.set.begin() + static_cast<std::ptrdiff_t>(at);
        if (std::all_of(first, first + static_cast<std::ptrdiff_t>(scalars.bytes),
                        [](bool b) { return b; })) {
            const std::span<const std::byte> bytes{contents.bytes.data() + at, scalars.bytes};
            const ValueType& type = contents.types[scalars.type];
            if (scalars.type == 0 || type.scalar == Scalar::character)  // numbers, also of characters
                for (std::size_t k = 0; k < bytes.size(); ++k)
                    text += (k == 0 ? "" : " ") +
                            std::to_string(scalars.type == 0
                                               ? static_cast<int>(bytes[k])
                                               : static_cast<int>(static_cast<signed char>(bytes[k])));
            else
                text += format_value(contents.types, scalars.type, bytes);
        }
        text += (i + 1) % per_line == 0 ? '\n' : ',';
    }
    return text;
}

}  // namespace

Result<DumpRequest> parse_dump(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        return error("--dump " + text + " does not name a buffer and a file",
                     "expected NAME=FILE or NAME@STEP=FILE, as in out=out.npy");
    DumpRequest request{text.substr(0, equals), std::nullopt, text.substr(equals + 1)};
    const std::size_t at = request.buffer.find('@');
    if (at == std::string::npos) return request;
    const char* const end = request.buffer.data() + request.buffer.size();
    std::size_t step = 0;
    const auto [stop, failed] = std::from_chars(request.buffer.data() + at + 1, end, step);
    if (failed != std::errc{} || stop != end || at == 0)
        return error("--dump " + text + ": '" + request.buffer.substr(at + 1) + "' is not a step",
                     "write the number of a step of run --steps, as in out@12=out.npy");
    request.buffer.resize(at);
    request.step = step;
    return request;
}

Result<std::string> write_dump(const execution::RunResult& result, const DumpRequest& request) {
    Result<Contents> contents =
        request.step ? find_contents_at(result, request) : find_contents(result, request.buffer);
    if (!contents) return contents.diagnostics();
    const FileKind kind = kind_of(request.file);
    const auto unset =
        static_cast<std::size_t>(std::count(contents->set.begin(), contents->set.end(), false));
    for (std::size_t i = 0; i < contents->bytes.size() && unset > 0; ++i)
        if (!contents->set[i]) contents->bytes[i] = std::byte{0};
    const Result<void> written = write_file(
        request.file,
        kind == FileKind::npy ? as_npy(*contents)
        : kind == FileKind::csv
            ? as_csv(*contents)
            : std::string(reinterpret_cast<const char*>(contents->bytes.data()), contents->bytes.size()));
    if (!written) return written.diagnostics();
    if (unset == 0) return std::string();
    return std::to_string(unset) + " of " + std::to_string(contents->bytes.size()) + " bytes of '" +
           request.buffer +
           (request.step ? "' are not written yet: they are " : "' were never written: they are ") +
           (kind == FileKind::csv ? "empty" : "zeros") + " in " + request.file.string();
}

}  // namespace lanescope::session
