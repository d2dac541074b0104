// Layout: magic, version, then sections (tag, size, payload) in a fixed order, then a checksum of all before
// it.
#include "trace/io.h"

#include <array>
#include <cstring>
#include <new>

#include "base/files.h"
#include "trace/archive.h"
#include "trace/check.h"
#include "trace/checksum.h"
#include "trace/events.h"
#include "trace/fields.h"
#include "trace/snapshots.h"

namespace lanescope::trace {
namespace {

constexpr std::string_view magic = "lanescope trace\n";
constexpr std::uint32_t version = 2;
constexpr std::uint64_t file_limit_bytes = 8ull << 30;
constexpr std::uint64_t state_limit_bytes = 4ull << 30;

enum class Section : std::uint32_t { program = 1, outline, turns, memory, events };

// --- Writing
// ----------------------------------------------------------------------------------------------------

template <class Fill>
void write_section(ArchiveWriter& archive, Section tag, Fill&& fill) {
    archive.value(static_cast<std::uint32_t>(tag));
    const std::size_t size_at = archive.bytes.size();
    archive.value(std::uint64_t{0});
    fill();
    const std::uint64_t size = archive.bytes.size() - size_at - 8;
    std::memcpy(archive.bytes.data() + size_at, &size, 8);
}

bool holds_anything(const Page& page) {
    constexpr std::array<std::byte, page_bytes> zeros{};
    for (const std::uint64_t word : page.set)
        if (word != 0) return true;
    return page.bytes != zeros;
}

void write_memory(ArchiveWriter& archive, const State& state) {
    for (const Region region : {Region::global, Region::constant}) {
        std::uint64_t count = 0;
        const std::size_t count_at = archive.bytes.size();
        archive.value(count);
        state.tree(region).each([&](std::uint64_t number, const Page& page) {
            if (!holds_anything(page)) return;
            ++count;
            archive.value(number);
            archive.raw(page.bytes.data(), page.bytes.size());
            archive.raw(page.set.data(), sizeof page.set);
        });
        std::memcpy(archive.bytes.data() + count_at, &count, 8);
    }
}

std::string to_bytes(const Trace& trace) {
    // The fields are described for reading and writing at once, so they take what they write as not const.
    Program program = trace.program;
    std::vector<ValueType> types;
    for (TypeId id = 1; id < program.types.size(); ++id)
        types.push_back(program.types[id]);
    Trace outline;
    outline.symbols = trace.symbols;
    outline.launches = trace.launches;
    outline.problems = trace.problems;
    outline.releases = trace.releases;
    outline.console = trace.console;
    outline.truncated = trace.truncated;
    outline.truncation = trace.truncation;
    ArchiveWriter archive;
    const ByteBuffer& events = trace.events->bytes;
    archive.bytes.reserve(events.size() + trace.turns.size() * sizeof(Turn) + (1u << 20));
    archive.bytes = magic;
    archive.value(version);
    write_section(archive, Section::program, [&] { fields(archive, program, types); });
    write_section(archive, Section::outline, [&] { fields(archive, outline); });
    write_section(archive, Section::turns, [&] { archive.block(trace.turns); });
    write_section(archive, Section::memory,
                  [&] { write_memory(archive, trace.events->snapshots.front().state); });
    write_section(archive, Section::events, [&] { archive.raw(events.data(), events.size()); });
    archive.value(checksum(archive.bytes));
    return std::move(archive.bytes);
}

// --- Reading
// ----------------------------------------------------------------------------------------------------

ArchiveReader read_section(ArchiveReader& archive, Section tag) {
    std::uint32_t found = 0;
    std::uint64_t size = 0;
    archive.value(found);
    archive.value(size);
    if (found != static_cast<std::uint32_t>(tag) || size > archive.rest().size()) archive.fail();
    const std::string_view payload = archive.rest().substr(0, archive.ok() ? size : 0);
    ArchiveReader rest(archive.rest().substr(payload.size()));
    if (!archive.ok()) rest.fail();
    archive = rest;
    ArchiveReader section(payload);
    if (!archive.ok()) section.fail();
    return section;
}

bool done(const ArchiveReader& section) {
    return section.ok() && section.rest().empty();
}

bool read_program(ArchiveReader section, Program& program) {
    std::vector<ValueType> types;
    fields(section, program, types);
    for (ValueType& type : types)
        program.types.add(std::move(type));
    return done(section);
}

bool read_memory(ArchiveReader section, State& state) {
    for (const Region region : {Region::global, Region::constant}) {
        std::uint64_t pages = 0, number = 0;
        section.value(pages);
        for (std::uint64_t i = 0; i < pages && section.ok(); ++i) {
            section.value(number);
            if (number >> 44 != 0 || section.rest().size() < sizeof(Page::bytes) + sizeof(Page::set))
                section.fail();
            if (!section.ok()) break;
            Page& page = state.tree(region).writable(number);
            section.raw(page.bytes.data(), page.bytes.size());
            section.raw(page.set.data(), sizeof page.set);
        }
    }
    return done(section);
}

void read_events(const ArchiveReader& section, ByteBuffer& events) {
    const std::string_view bytes = section.rest();
    std::byte* to = events.reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    events.written_to(to + bytes.size());
}

struct Opened {
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
    std::string wrong;  // empty: nothing
};

// Plays the whole trace, which checks its events and makes its snapshots.
std::string play(const Trace& trace, SnapshotMaker& snapshots) {
    snapshots.start();
    for (std::uint64_t turn = 0; turn < trace.turns.size(); ++turn) {
        if (!events_are_sound(trace, turn))
            return "the events of turn " + std::to_string(turn) + " are damaged";
        if (!snapshots.advance(turn + 1)) return "turn " + std::to_string(turn) + " cannot be played";
        if (snapshots.bytes() > state_limit_bytes) return "it needs more than 4 GiB of memory";
    }
    snapshots.finish();
    return {};
}

Opened from_bytes(std::string_view bytes) {
    Opened opened;
    Trace& trace = *opened.trace;
    const auto stream = std::make_shared<EventStream>();
    trace.events = stream;
    SnapshotMaker snapshots(trace, *stream, {});
    ArchiveReader archive(bytes.substr(magic.size() + sizeof version));
    bool sound = read_program(read_section(archive, Section::program), trace.program);
    ArchiveReader outline = read_section(archive, Section::outline);
    fields(outline, trace);
    ArchiveReader turns = read_section(archive, Section::turns);
    turns.block(trace.turns);
    sound = sound && done(outline) && done(turns);
    sound = read_memory(read_section(archive, Section::memory), snapshots.initial()) && sound;
    read_events(read_section(archive, Section::events), stream->bytes);
    opened.wrong = sound && done(archive) ? check_structure(trace) : "it is cut short";
    if (opened.wrong.empty()) opened.wrong = play(trace, snapshots);
    return opened;
}

Diagnostic refused(const std::filesystem::path& path, const std::string& why, std::string hint = {}) {
    return error_at(path.string(), 0, 0, why, std::move(hint));
}

}  // namespace

Result<void> save(const Trace& trace, const std::filesystem::path& path) {
    return write_file(path, to_bytes(trace));
}

Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path) {
    const auto file = read_file(path, file_limit_bytes);
    return file ? read(*file, path) : Result<std::shared_ptr<const Trace>>(file.diagnostics());
}

Result<std::shared_ptr<const Trace>> read(std::string_view bytes, const std::filesystem::path& path) {
    if (bytes.substr(0, magic.size()) != magic) return refused(path, "this is not a trace of Lanescope");
    std::uint32_t found = 0;
    ArchiveReader head(bytes.substr(magic.size()));
    head.value(found);
    if (head.ok() && found != version)
        return refused(path,
                       "the trace has version " + std::to_string(found) + ", this program reads version " +
                           std::to_string(version),
                       "record it again");
    std::uint64_t sum = 0;
    if (bytes.size() < magic.size() + sizeof version + sizeof sum)
        return refused(path, "the trace is cut short");
    const std::string_view body = bytes.substr(0, bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
    if (sum != checksum(body)) return refused(path, "the trace is damaged: its checksum does not fit");
    try {
        Opened opened = from_bytes(body);
        if (!opened.wrong.empty()) return refused(path, "the trace is damaged: " + opened.wrong);
        return std::shared_ptr<const Trace>(std::move(opened.trace));
    } catch (const std::bad_alloc&) {
        return refused(path, "the trace needs more memory than there is");
    }
}

}  // namespace lanescope::trace
