// Layout: magic, version, sections (tag, size, payload) in a fixed order, then a checksum of all preceding
// bytes.
#include "trace/io.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <thread>

#include "base/archive.h"
#include "base/files.h"
#include "base/large_file.h"
#include "trace/check.h"
#include "trace/checksum.h"
#include "trace/events.h"
#include "trace/fields.h"
#include "trace/late_snapshots.h"
#include "trace/snapshots.h"

namespace lanescope::trace {
namespace {

constexpr std::string_view magic = "lanescope trace\n";
constexpr std::uint32_t version = 4, oldest_version = 3;  // 3 has no clusters
constexpr std::uint64_t file_limit_bytes = 8ull << 30;

enum class Section : std::uint32_t { program = 1, outline, turns, memory, events };

// --- Writing -----------------------------------------------------------------------------------------------

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
    // One description of the fields serves reading and writing, so it takes non-const objects even to write.
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
    outline.prints = trace.prints;
    outline.truncated = trace.truncated;
    outline.truncation = trace.truncation;
    ArchiveWriter archive;
    const ByteBuffer& events = trace.events->bytes;
    archive.bytes.reserve(events.size() + trace.turns.size() * sizeof(Turn) + (1u << 20));
    archive.bytes = magic;
    archive.value(version);
    write_section(archive, Section::program, [&] { fields(archive, program, types); });
    write_section(archive, Section::outline, [&] {
        fields(archive, outline);
        later_fields(archive, outline);
    });
    write_section(archive, Section::turns, [&] { archive.block(trace.turns); });
    write_section(archive, Section::memory,
                  [&] { write_memory(archive, trace.events->snapshots.front().state); });
    write_section(archive, Section::events, [&] { archive.raw(events.data(), events.size()); });
    archive.value(checksum(archive.bytes));
    return std::move(archive.bytes);
}

// --- Reading -----------------------------------------------------------------------------------------------

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

// A file's bytes without the checksum.
struct Source {
    std::string_view bytes;
    std::uint32_t version = 0;
    std::shared_ptr<const std::byte> owner;  // of memory that the trace may keep; null: it must copy
};

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

void read_events(const ArchiveReader& section, const Source& source, ByteBuffer& events) {
    const std::string_view bytes = section.rest();
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    if (source.owner != nullptr) return events.borrow({source.owner, first}, bytes.size());
    std::byte* to = events.reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    events.written_to(to + bytes.size());
}

struct Opened {
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
    std::string wrong;  // empty if nothing is wrong
};

// Returns the first turn whose events are damaged; the number of turns if none is. Checks the turns
// independently on all cores.
std::uint64_t first_damaged(const Trace& trace) {
    const std::uint64_t count = trace.turns.size();
    std::atomic<std::uint64_t> first = count;
    const auto part = [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t turn = from; turn < to && turn < first; ++turn)
            if (!events_are_sound(trace, turn)) {
                std::uint64_t known = first;
                while (turn < known && !first.compare_exchange_weak(known, turn)) {
                }
                return;
            }
    };
    constexpr std::uint64_t least = 100'000;  // turns that are worth a thread
    const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
    const std::uint64_t parts = std::clamp<std::uint64_t>(count / least, 1, cores);
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 1; i < parts; ++i)
        threads.emplace_back(part, count * i / parts, count * (i + 1) / parts);
    part(0, count / parts);
    threads.clear();
    return first;
}

// Plays the trace, whose events must be sound. Returns what went wrong; empty if the memory suffices and
// `going_on`, called now and then, stays true.
template <class GoingOn>
std::string play(const Trace& trace, SnapshotMaker& snapshots, GoingOn&& going_on) {
    constexpr std::uint64_t portion = 4096;  // turns
    snapshots.start();
    for (std::uint64_t turn = 0; turn < trace.turns.size(); ++turn) {
        if (!snapshots.advance(turn + 1)) return "turn " + std::to_string(turn) + " cannot be replayed";
        if (snapshots.bytes() > state_limit_bytes) return "its state needs more than 4 GiB of memory";
        if (turn % portion == 0 && !going_on(turn)) return "cancelled";
    }
    snapshots.finish();
    return {};
}

Opened from_bytes(const Source& source, bool played) {
    Opened opened;
    Trace& trace = *opened.trace;
    const auto stream = std::make_shared<EventStream>();
    trace.events = stream;
    SnapshotMaker snapshots(trace, *stream, {});
    ArchiveReader archive(source.bytes.substr(magic.size() + sizeof version));
    bool sound = read_program(read_section(archive, Section::program), trace.program);
    ArchiveReader outline = read_section(archive, Section::outline);
    fields(outline, trace);
    if (source.version >= 4) later_fields(outline, trace);
    ArchiveReader turns = read_section(archive, Section::turns);
    turns.block(trace.turns);
    sound = sound && done(outline) && done(turns);
    sound = read_memory(read_section(archive, Section::memory), snapshots.initial()) && sound;
    read_events(read_section(archive, Section::events), source, stream->bytes);
    opened.wrong = sound && done(archive) ? check_structure(trace) : "the file is cut short";
    if (!opened.wrong.empty()) return opened;
    if (const std::uint64_t turn = first_damaged(trace); turn < trace.turns.size())
        opened.wrong = "the events of turn " + std::to_string(turn) + " are damaged";
    else if (played)
        opened.wrong = play(trace, snapshots, [](std::uint64_t) { return true; });
    else
        snapshots.start(), stream->late = std::make_shared<LateSnapshots>();
    return opened;
}

Diagnostic refused(const std::filesystem::path& path, const std::string& why, std::string hint = {}) {
    return error_at(path.string(), 0, 0, why, std::move(hint));
}

Result<std::shared_ptr<const Trace>> read_source(Source source, const std::filesystem::path& path,
                                                 bool played) {
    const std::string_view bytes = source.bytes;
    if (bytes.substr(0, magic.size()) != magic) return refused(path, "this is not a trace of Lanescope");
    std::uint32_t found = 0;
    ArchiveReader head(bytes.substr(magic.size()));
    head.value(found);
    if (head.ok() && (found < oldest_version || found > version))
        return refused(path,
                       "the trace has version " + std::to_string(found) +
                           ", but this program reads versions " + std::to_string(oldest_version) + " to " +
                           std::to_string(version),
                       "record it again");
    source.version = found;
    std::uint64_t sum = 0;
    if (bytes.size() < magic.size() + sizeof version + sizeof sum)
        return refused(path, "the trace is cut short");
    source.bytes = bytes.substr(0, bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + source.bytes.size(), sizeof sum);
    bool fits = false;
    std::jthread summing([&] { fits = sum == checksum(source.bytes); });  // while the contents are read
    try {
        Opened opened = from_bytes(source, played);
        summing.join();
        if (!fits) return refused(path, "the trace is damaged: its checksum does not match");
        if (!opened.wrong.empty()) return refused(path, "the trace is damaged: " + opened.wrong);
        return std::shared_ptr<const Trace>(std::move(opened.trace));
    } catch (const std::bad_alloc&) {
        return refused(path, "the trace needs more memory than is available");
    }
}

Result<std::shared_ptr<const Trace>> open_file(const std::filesystem::path& path, bool played) {
    const auto file = read_large_file(path, file_limit_bytes, ByteBuffer::slack_bytes);
    return file ? read_source({file->text(), 0, file->bytes}, path, played)
                : Result<std::shared_ptr<const Trace>>(file.diagnostics());
}

}  // namespace

Result<void> save(const Trace& trace, const std::filesystem::path& path) {
    return write_file(path, to_bytes(trace));
}

Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path) {
    return open_file(path, true);
}

Result<std::shared_ptr<const Trace>> open_unplayed(const std::filesystem::path& path) {
    return open_file(path, false);
}

Result<std::shared_ptr<const Trace>> read(std::string_view bytes, const std::filesystem::path& path) {
    return read_source({bytes, 0, nullptr}, path, true);
}

Result<void> make_snapshots(const Trace& trace, const std::atomic<bool>* cancel,
                            const std::function<void(float)>& progress) {
    if (trace.events->late == nullptr) return {};
    LateSnapshots& late = *trace.events->late;
    EventStream made;
    SnapshotMaker snapshots(trace, made, {});
    snapshots.initial() = trace.events->snapshots.front().state;
    std::size_t handed_on = 0;
    const auto hand_on = [&] {
        for (; handed_on < made.snapshots.size(); ++handed_on)
            late.add(made.snapshots[handed_on]);
    };
    const std::string wrong = play(trace, snapshots, [&](std::uint64_t turn) {
        hand_on();
        if (progress) progress(static_cast<float>(turn) / static_cast<float>(trace.turns.size()));
        return cancel == nullptr || !*cancel;
    });
    if (!wrong.empty()) return error(wrong);
    hand_on();
    late.complete();
    return {};
}

}  // namespace lanescope::trace
