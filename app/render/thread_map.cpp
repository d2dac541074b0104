#include "render/thread_map.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanescope::render {
namespace {

constexpr std::uint32_t group = 256;              // threads per work group, the same number as in the shaders
constexpr std::uint32_t widest_dispatch = 32768;  // groups in one direction; every driver takes 65535

enum Binding : GLuint { code_binding = 2, offsets_binding, watched_binding, states_binding, tally_binding };

void dispatch(std::uint64_t invocations) {
    const std::uint64_t groups = (invocations + group - 1) / group;
    if (groups == 0) return;
    const std::uint64_t rows = (groups + widest_dispatch - 1) / widest_dispatch;
    glDispatchCompute(static_cast<GLuint>((groups + rows - 1) / rows), static_cast<GLuint>(rows), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

Result<void> replace(Buffer& buffer, std::span<const std::byte> data, const char* what) {
    Result<Buffer> made = Buffer::create(0, what, data);
    if (!made) return made.diagnostics();
    buffer = std::move(*made);
    return {};
}

float number_of_key(std::uint32_t key) {
    return std::bit_cast<float>((key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key);
}

}  // namespace

Result<ThreadMap> ThreadMap::create() {
    ThreadMap map;
    const std::pair<Shader*, std::vector<std::string>> programs[] = {
        {&map.states_program_, {"thread_state.comp"}},
        {&map.range_program_, {"value_range.comp"}},
        {&map.draw_program_, {"whole_target.vert", "thread_map.frag"}}};
    for (const auto& [program, files] : programs) {
        Result<Shader> loaded = Shader::load(files);
        if (!loaded) return loaded.diagnostics();
        *program = std::move(*loaded);
    }
    glCreateVertexArrays(1, &map.vertices_);
    Result<Buffer> tally = Buffer::create(sizeof(Tally), "counts of the threads' states");
    if (!tally) return tally.diagnostics();
    map.tally_ = std::move(*tally);
    Result<Buffer> range =
        Buffer::create(2 * sizeof(std::uint32_t), "a range of values", {}, BufferUse::rewritten);
    if (!range) return range.diagnostics();
    map.range_ = std::move(*range);
    for (const Result<void>& set : {map.set_code({}), map.set_clock_offsets({}), map.set_watched({})})
        if (!set) return set.diagnostics();
    return map;
}

ThreadMap::~ThreadMap() {
    if (vertices_) glDeleteVertexArrays(1, &vertices_);
}

ThreadMap::ThreadMap(ThreadMap&& other) noexcept
    : states_program_(std::move(other.states_program_)),
      range_program_(std::move(other.range_program_)),
      draw_program_(std::move(other.draw_program_)),
      code_(std::move(other.code_)),
      offsets_(std::move(other.offsets_)),
      watched_(std::move(other.watched_)),
      states_(std::move(other.states_)),
      tally_(std::move(other.tally_)),
      range_(std::move(other.range_)),
      vertices_(std::exchange(other.vertices_, 0)),
      watching_(other.watching_) {}

ThreadMap& ThreadMap::operator=(ThreadMap&& other) noexcept {
    std::swap(states_program_, other.states_program_);
    std::swap(range_program_, other.range_program_);
    std::swap(draw_program_, other.draw_program_);
    std::swap(code_, other.code_);
    std::swap(offsets_, other.offsets_);
    std::swap(watched_, other.watched_);
    std::swap(states_, other.states_);
    std::swap(tally_, other.tally_);
    std::swap(range_, other.range_);
    std::swap(vertices_, other.vertices_);
    std::swap(watching_, other.watching_);
    return *this;
}

Result<void> ThreadMap::set_code(std::span<const CodePoint> code) {
    return replace(code_, std::as_bytes(code), "the table of instructions");
}

Result<void> ThreadMap::set_clock_offsets(std::span<const std::uint64_t> offsets) {
    return replace(offsets_, std::as_bytes(offsets), "the clocks' offsets");
}

Result<void> ThreadMap::set_watched(const std::vector<std::vector<WatchedRegister>>& by_function) {
    using Pair = std::array<std::uint32_t, 2>;
    std::vector<Pair> table(by_function.size());
    watching_ = false;
    for (std::size_t function = 0; function < by_function.size(); ++function) {
        table[function] = {static_cast<std::uint32_t>(table.size()),
                           static_cast<std::uint32_t>(by_function[function].size())};
        watching_ = watching_ || !by_function[function].empty();
        for (const WatchedRegister& one : by_function[function])
            table.push_back({one.number, one.type});
    }
    return replace(watched_, std::as_bytes(std::span(table)), "the variable's places");
}

void ThreadMap::bind(const StreamBuffer& streams) const {
    streams.bind();
    code_.bind(code_binding);
    offsets_.bind(offsets_binding);
    watched_.bind(watched_binding);
}

Result<void> ThreadMap::update(const StreamBuffer& streams, std::uint64_t time) {
    const StreamShape& shape = streams.shape();
    const std::uint64_t bytes = std::uint64_t{shape.threads()} * 16;
    if (states_.size_bytes() < bytes || states_.name() == 0) {
        Result<Buffer> states = Buffer::create(bytes, "the threads' states");
        if (!states) return states.diagnostics();
        states_ = std::move(*states);
    }
    bind(streams);
    states_.bind(states_binding);
    tally_.clear();
    tally_.bind(tally_binding);
    states_program_.set("threads", shape.threads());
    states_program_.set("capacity", shape.capacity);
    states_program_.set("block_threads", shape.block_threads);
    states_program_.set("warps_per_block", std::max(shape.warps_per_block(), 1u));
    states_program_.set("blocks", shape.blocks);
    states_program_.set("watching", watching_);
    states_program_.set_wide("time", time);
    states_program_.use();
    dispatch(std::uint64_t{shape.blocks} * shape.warps_per_block() * 32);
    return check_gl("working out the threads' states");
}

ValueRange ThreadMap::range(const StreamBuffer& streams) const {
    if (!watching_) return {};
    std::array<std::uint32_t, 2> keys{~0u, 0};
    range_.write(std::as_bytes(std::span(keys)));
    bind(streams);
    range_.bind(tally_binding);
    range_program_.set("threads", streams.shape().threads());
    range_program_.set("capacity", streams.shape().capacity);
    range_program_.use();
    dispatch(streams.shape().threads());
    range_.read(0, std::as_writable_bytes(std::span(keys)));
    if (keys[0] > keys[1]) return {};
    return {true, number_of_key(keys[0]), number_of_key(keys[1])};
}

Tally ThreadMap::tally() const {
    Tally tally;
    tally_.read(0, std::as_writable_bytes(std::span(&tally, 1)));
    return tally;
}

ThreadNow ThreadMap::thread(std::uint32_t slot) const {
    std::array<std::uint32_t, 4> words{};
    if ((std::uint64_t{slot} + 1) * sizeof words > states_.size_bytes()) return {};
    states_.read(std::uint64_t{slot} * sizeof words, std::as_writable_bytes(std::span(words)));
    ThreadNow now;
    now.state = static_cast<ThreadState>(words[0] >> 28);
    now.pc = words[0] & 0x0fffffffu;
    now.has_value = (words[1] & 1) != 0;
    now.type = words[1] >> 1;
    now.bits = words[2] | std::uint64_t{words[3]} << 32;
    return now;
}

void ThreadMap::draw(const StreamBuffer& streams, const MapPicture& picture) const {
    const StreamShape& shape = streams.shape();
    bind(streams);
    states_.bind(states_binding);
    const Shader& program = draw_program_;
    program.set("target_height", static_cast<float>(picture.height));
    program.set("origin", picture.origin_x, picture.origin_y);
    program.set("cell", picture.cell);
    program.set("gap", picture.gap);
    program.set("columns", std::max(picture.columns, 1u));
    program.set("blocks", shape.blocks);
    program.set("warps_per_block", std::max(shape.warps_per_block(), 1u));
    program.set("block_threads", shape.block_threads);
    program.set("colour_by", static_cast<std::uint32_t>(picture.colour_by));
    program.set("range", picture.range.least, picture.range.greatest);
    program.set_colours("state_colours", picture.state_colours.data(), picture.state_colours.size());
    program.set_colours("scale_colours", picture.scale_colours.data(), picture.scale_colours.size());
    program.set_colours("unset_colour", {picture.unset_colour});
    program.use();
    glViewport(0, 0, picture.width, picture.height);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(vertices_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
}

}  // namespace lanescope::render
