// Times the frames of the map of threads: first with shaders that read the records where they lie, then with
// records that pass through the host before the same drawing (uploaded again, or read back and uploaded), and
// computed and drawn on the CPU.
//
//     map_bench [THREADS [RECORDS [FRAMES]]]      2^20 threads, 64 records each, 60 frames, at 1920x1080
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "render/framebuffer.h"
#include "render/headless.h"
#include "render/map_on_cpu.h"
#include "render/thread_map.h"

namespace {

using namespace lanescope;
using namespace lanescope::render;

constexpr int width = 1920, height = 1080;
constexpr std::uint32_t block_threads = 256, pcs = 240, lines = 24;
constexpr int copied_frames = 7;  // frames that copy the records

struct Word4 {
    std::uint32_t head = 0, extra = 0;
    std::uint64_t value = 0;
};
enum Kind : std::uint32_t { begin = 1, point = 2, access = 3, variable = 5, end = 8 };

Word4 word(Kind kind, std::uint32_t pc, std::uint32_t extra, std::uint64_t value) {
    return {static_cast<std::uint32_t>(kind) << 28 | pc, extra, value};
}

struct Streams {
    StreamShape shape;
    std::vector<Word4> records;
    std::vector<std::uint32_t> counts;
    std::uint64_t length = 0;  // largest clock
};

// Makes streams of warps in lockstep: points with an access and a variable between them. Every fourth warp
// diverges for a while.
Streams make(std::uint32_t threads, std::uint32_t per_thread) {
    Streams made;
    made.shape = {threads / block_threads, block_threads, per_thread};
    made.records.resize(std::size_t{threads} * per_thread);
    made.counts.assign(threads, per_thread);
    std::mt19937 random(1);
    for (std::uint32_t warp = 0; warp < threads / 32; ++warp) {
        std::uint64_t clock = random() % 20000;
        for (std::uint32_t k = 0; k < per_thread; ++k) {
            clock += k % 3 == 1 ? 40 + random() % 400 : 0;
            const bool part = warp % 4 == 0 && k % 30 > 20;
            const std::uint32_t pc = (k * 7 + warp % 3) % pcs, value = random();
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                Word4& out = made.records[std::size_t{k} * threads + warp * 32 + lane];
                if (k == 0)
                    out = word(begin, pc, 0, clock);
                else if (k + 1 == per_thread)
                    out = word(end, pc, 0, clock);
                else if (k % 3 == 1)
                    out = word(point, pc, part ? 0xffffu << (lane & 16) : ~0u, clock);
                else
                    out = k % 3 == 2 ? word(access, pc, value, 8 * lane)
                                     : word(variable, pc, 4, (value + lane) % 1000);
            }
        }
        made.length = std::max(made.length, clock);
    }
    return made;
}

std::vector<CodePoint> code() {
    std::vector<CodePoint> points(pcs);
    for (std::uint32_t pc = 0; pc < pcs; ++pc)
        points[pc] = {pc % lines, pc % 40 == 0 ? std::uint32_t{waits_at_barrier} : 0u, 0,
                      0xff000000u | pc * 0x010f07u};
    return points;
}

template <class T>
T need(Result<T> result) {
    if (result.ok()) return std::move(*result);
    std::fprintf(stderr, "%s", to_text(result.diagnostics()).c_str());
    std::exit(1);
}
void need(const Result<void>& result) {
    if (result.ok()) return;
    std::fprintf(stderr, "%s", to_text(result.diagnostics()).c_str());
    std::exit(1);
}

struct Times {
    double median = 0, least = 0, greatest = 0;
};

Times measure(int frames, const std::function<void(int)>& frame) {
    std::vector<double> ms;
    for (int i = -2; i < frames; ++i) {
        glFinish();
        const auto start = std::chrono::steady_clock::now();
        frame(i + 2);
        glFinish();
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
        if (i >= 0) ms.push_back(spent.count());
    }
    std::sort(ms.begin(), ms.end());
    return {ms[ms.size() / 2], ms.front(), ms.back()};
}

void print(const char* what, int frames, const Times& times) {
    std::printf("%-52s %9.3f ms  (%.3f to %.3f, %d frames)\n", what, times.median, times.least,
                times.greatest, frames);
    std::fflush(stdout);
}

MapPicture picture_of(const StreamShape& shape, ColourBy colour_by) {
    MapPicture picture;
    picture.width = width, picture.height = height;
    picture.columns = 32;
    picture.gap = 1;
    const float rows = float((shape.blocks + picture.columns - 1) / picture.columns);
    picture.cell = std::min(float(width - 32) / (32.0f * 32), (float(height) - rows) / (8 * rows));
    picture.colour_by = colour_by;
    for (std::uint32_t i = 0; i < thread_states; ++i)
        picture.state_colours[i] = 0xff202020u * (i + 1);
    for (std::uint32_t i = 0; i < 5; ++i)
        picture.scale_colours[i] = 0xff301020u * (i + 1);
    picture.range = {true, 0, 1000};
    return picture;
}

// Ends the program if the map lacks threads or divergence: an empty map would be fast.
void expect_all_there(const ThreadMap& map, std::uint32_t threads) {
    const Tally tally = map.tally();
    std::uint64_t sum = 0;
    for (const std::uint32_t count : tally.states)
        sum += count;
    const auto of = [&](ThreadState state) { return tally.states[std::size_t(state)]; };
    std::printf(
        "halfway: %u run with their warp, %u run diverged, %u at a barrier, %u finished, %u not started\n",
        of(ThreadState::active), of(ThreadState::diverged), of(ThreadState::at_barrier),
        of(ThreadState::finished), of(ThreadState::not_started));
    if (sum == threads && of(ThreadState::active) != 0 && of(ThreadState::diverged) != 0) return;
    std::fprintf(stderr,
                 "the map lacks active or diverged threads, or its states do not add up to %u threads\n",
                 threads);
    std::exit(1);
}

// The same on the CPU, without OpenGL: `frames` jumps through the launch, then steps of one.
void measure_cpu(const Streams& streams, int frames) {
    MapOnCpu map;
    map.set_code(code());
    const std::span records(reinterpret_cast<const trace::Record*>(streams.records.data()),
                            streams.records.size());
    const MapRecords all{streams.shape, records, streams.counts};
    std::vector<std::uint32_t> pixels(std::size_t{width} * height);
    const auto jump = [&](int i) {
        map.update(all, streams.length * std::uint64_t(i) / std::uint64_t(frames + 2));
    };
    const auto draw = [&](ColourBy by) { map.draw(picture_of(streams.shape, by), pixels); };
    print("on the CPU, by state", frames, measure(frames, [&](int i) { jump(i), draw(ColourBy::state); }));
    print("  the states alone", frames, measure(frames, jump));
    print("  the states alone, one cycle further", frames,
          measure(frames, [&](int i) { map.update(all, streams.length / 2 + std::uint64_t(i)); }));
    print("  the drawing alone, by state", frames, measure(frames, [&](int) { draw(ColourBy::state); }));
    print("  the drawing alone, by line", frames, measure(frames, [&](int) { draw(ColourBy::line); }));
    map.set_watched({{{4, value_type(NumberKind::unsigned_int, 4)}}});
    print("  the states with a variable's values", frames, measure(frames, jump));
    print("  the drawing alone, by value", frames, measure(frames, [&](int) { draw(ColourBy::value); }));
    print("  range of a variable's values", copied_frames,
          measure(copied_frames, [&](int) { (void)map.range(all); }));
}

}  // namespace

int main(int argc, char** argv) {
    const auto number = [&](int at, std::uint32_t otherwise) {
        return argc > at ? static_cast<std::uint32_t>(std::strtoul(argv[at], nullptr, 10)) : otherwise;
    };
    const std::uint32_t threads = number(1, 1u << 20) / block_threads * block_threads,
                        per_thread = number(2, 64);
    const int frames = static_cast<int>(number(3, 60));
    if (threads == 0 || per_thread < 8 || frames < 1) {
        std::fprintf(stderr,
                     "usage: map_bench [THREADS [RECORDS [FRAMES]]]; use at least 256 threads, 8 records and "
                     "1 frame\n");
        return 2;
    }
    const HeadlessContext context = need(HeadlessContext::create());
    std::printf("%s; OpenGL %s\n", context.device().renderer.c_str(), context.device().version.c_str());
    Streams streams = make(threads, per_thread);
    std::printf("%u threads with %u records each, %.0f MiB; %dx%d pixels\n", threads, per_thread,
                double(streams.shape.bytes()) / (1 << 20), width, height);
    measure_cpu(streams, frames);
    const auto bytes = std::as_writable_bytes(std::span(streams.records));
    const auto target = need(Framebuffer::create(width, height));
    ThreadMap map = need(ThreadMap::create());
    need(map.set_code(code()));
    const std::vector<std::vector<WatchedRegister>> watched = {
        {{4, value_type(NumberKind::unsigned_int, 4)}}};
    const auto time = [&](int frame, int of) {
        return streams.length * static_cast<std::uint64_t>(frame) / static_cast<std::uint64_t>(of + 2);
    };
    const auto draw = [&](const StreamBuffer& buffer, ColourBy by) {
        target.bind();
        map.draw(buffer, picture_of(streams.shape, by));
    };
    {
        const StreamBuffer buffer = need(StreamBuffer::upload(streams.shape, bytes, streams.counts));
        need(map.update(buffer, streams.length / 2));
        expect_all_there(map, threads);
        const auto in_place = [&](ColourBy by, bool tally) {
            return [&, by, tally](int i) {
                need(map.update(buffer, time(i, frames)));
                if (tally) (void)map.tally();
                draw(buffer, by);
            };
        };
        print("in place, by state", frames, measure(frames, in_place(ColourBy::state, false)));
        print("in place, by state, with the legend's counts", frames,
              measure(frames, in_place(ColourBy::state, true)));
        print("in place, by line", frames, measure(frames, in_place(ColourBy::line, false)));
        print("  the states alone", frames,
              measure(frames, [&](int i) { need(map.update(buffer, time(i, frames))); }));
        print("  the drawing alone", frames, measure(frames, [&](int) { draw(buffer, ColourBy::line); }));
        need(map.set_watched(watched));
        print("in place, by a variable's value", frames, measure(frames, in_place(ColourBy::value, false)));
        print("range of a variable's values (once)", copied_frames,
              measure(copied_frames, [&](int) { (void)map.range(buffer); }));
        need(map.set_watched({}));
    }
    const StreamBuffer buffer = need(StreamBuffer::create(streams.shape, BufferUse::rewritten));
    buffer.records().write(bytes);
    buffer.counts().write(std::as_bytes(std::span(streams.counts)));
    const auto uploaded = [&](int i) {
        buffer.records().write(bytes);
        need(map.update(buffer, time(i, copied_frames)));
        draw(buffer, ColourBy::state);
    };
    print("records uploaded for each frame", copied_frames, measure(copied_frames, uploaded));
    const auto there_and_back = [&](int i) {
        buffer.records().read(0, bytes);
        uploaded(i);
    };
    print("records read back and uploaded for each frame", copied_frames,
          measure(copied_frames, there_and_back));
    need(check_gl("the benchmark"));
    return 0;
}
