#include "render/thread_map.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "render/buffer_memory.h"
#include "render/shader.h"

namespace lanescope::render {
namespace {

constexpr std::uint32_t group = 256;              // threads per work group, the same number as in the shaders
constexpr std::uint32_t widest_dispatch = 32768;  // groups in one direction; every driver takes 65535

enum Binding : GLuint {
    records_binding,
    counts_binding,
    code_binding,
    offsets_binding,
    watched_binding,
    states_binding,
    tally_binding
};

void dispatch(std::uint64_t invocations) {
    const std::uint64_t groups = (invocations + group - 1) / group;
    if (groups == 0) return;
    const std::uint64_t rows = (groups + widest_dispatch - 1) / widest_dispatch;
    glDispatchCompute(static_cast<GLuint>((groups + rows - 1) / rows), static_cast<GLuint>(rows), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void bind(const Buffer& buffer, Binding binding) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer.exists() ? buffer.memory()->name : 0);
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

struct ThreadMap::State {
    Shader states_program, range_program, draw_program;
    Buffer code, offsets, watched, states, tally, range;
    GLuint vertices = 0;  // an empty array; OpenGL does not draw without one
    bool watching = false;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (vertices) glDeleteVertexArrays(1, &vertices);
    }
    void bind_tables(const StreamBuffer& streams) const {
        bind(streams.records(), records_binding);
        bind(streams.counts(), counts_binding);
        bind(code, code_binding);
        bind(offsets, offsets_binding);
        bind(watched, watched_binding);
    }
};

Result<ThreadMap> ThreadMap::create() {
    auto state = std::make_unique<State>();
    const std::pair<Shader*, std::vector<std::string>> programs[] = {
        {&state->states_program, {"thread_state.comp"}},
        {&state->range_program, {"value_range.comp"}},
        {&state->draw_program, {"whole_target.vert", "thread_map.frag"}}};
    for (const auto& [program, files] : programs) {
        Result<Shader> loaded = Shader::load(files);
        if (!loaded) return loaded.diagnostics();
        *program = std::move(*loaded);
    }
    glCreateVertexArrays(1, &state->vertices);
    Result<Buffer> tally = Buffer::create(sizeof(Tally), "counts of the threads' states");
    if (!tally) return tally.diagnostics();
    state->tally = std::move(*tally);
    Result<Buffer> range =
        Buffer::create(2 * sizeof(std::uint32_t), "a range of values", {}, BufferUse::rewritten);
    if (!range) return range.diagnostics();
    state->range = std::move(*range);
    ThreadMap map(std::move(state));
    for (const Result<void>& set : {map.set_code({}), map.set_clock_offsets({}), map.set_watched({})})
        if (!set) return set.diagnostics();
    return map;
}

ThreadMap::ThreadMap(std::unique_ptr<State> state) : state_(std::move(state)) {}
ThreadMap::~ThreadMap() = default;
ThreadMap::ThreadMap(ThreadMap&& other) noexcept = default;
ThreadMap& ThreadMap::operator=(ThreadMap&& other) noexcept = default;

Result<void> ThreadMap::set_code(std::span<const CodePoint> code) {
    return replace(state_->code, std::as_bytes(code), "the table of instructions");
}

Result<void> ThreadMap::set_clock_offsets(std::span<const std::uint64_t> offsets) {
    return replace(state_->offsets, std::as_bytes(offsets), "the clocks' offsets");
}

Result<void> ThreadMap::set_watched(const std::vector<std::vector<WatchedRegister>>& by_function) {
    using Pair = std::array<std::uint32_t, 2>;
    std::vector<Pair> table(by_function.size());
    state_->watching = false;
    for (std::size_t function = 0; function < by_function.size(); ++function) {
        table[function] = {static_cast<std::uint32_t>(table.size()),
                           static_cast<std::uint32_t>(by_function[function].size())};
        state_->watching = state_->watching || !by_function[function].empty();
        for (const WatchedRegister& one : by_function[function])
            table.push_back({one.number, one.type});
    }
    return replace(state_->watched, std::as_bytes(std::span(table)), "the variable's places");
}

Result<void> ThreadMap::update(const StreamBuffer& streams, std::uint64_t time) {
    const StreamShape& shape = streams.shape();
    const std::uint64_t bytes = std::uint64_t{shape.threads()} * 16;
    if (state_->states.size_bytes() < bytes || !state_->states.exists()) {
        Result<Buffer> states = Buffer::create(bytes, "the threads' states");
        if (!states) return states.diagnostics();
        state_->states = std::move(*states);
    }
    state_->bind_tables(streams);
    bind(state_->states, states_binding);
    state_->tally.clear();
    bind(state_->tally, tally_binding);
    state_->states_program.set("threads", shape.threads());
    state_->states_program.set("capacity", shape.capacity);
    state_->states_program.set("block_threads", shape.block_threads);
    state_->states_program.set("warps_per_block", std::max(shape.warps_per_block(), 1u));
    state_->states_program.set("blocks", shape.blocks);
    state_->states_program.set("watching", state_->watching);
    state_->states_program.set_wide("time", time);
    state_->states_program.use();
    dispatch(std::uint64_t{shape.blocks} * shape.warps_per_block() * 32);
    return check_gl("working out the threads' states");
}

ValueRange ThreadMap::range(const StreamBuffer& streams) const {
    if (!state_->watching) return {};
    std::array<std::uint32_t, 2> keys{~0u, 0};
    state_->range.write(std::as_bytes(std::span(keys)));
    state_->bind_tables(streams);
    bind(state_->range, tally_binding);
    state_->range_program.set("threads", streams.shape().threads());
    state_->range_program.set("capacity", streams.shape().capacity);
    state_->range_program.use();
    dispatch(streams.shape().threads());
    state_->range.read(0, std::as_writable_bytes(std::span(keys)));
    if (keys[0] > keys[1]) return {};
    return {true, number_of_key(keys[0]), number_of_key(keys[1])};
}

Tally ThreadMap::tally() const {
    Tally tally;
    state_->tally.read(0, std::as_writable_bytes(std::span(&tally, 1)));
    return tally;
}

ThreadNow ThreadMap::thread(std::uint32_t slot) const {
    std::array<std::uint32_t, 4> words{};
    if ((std::uint64_t{slot} + 1) * sizeof words > state_->states.size_bytes()) return {};
    state_->states.read(std::uint64_t{slot} * sizeof words, std::as_writable_bytes(std::span(words)));
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
    state_->bind_tables(streams);
    bind(state_->states, states_binding);
    const Shader& program = state_->draw_program;
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
    glBindVertexArray(state_->vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
}

}  // namespace lanescope::render
