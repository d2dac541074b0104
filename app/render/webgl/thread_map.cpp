#include "render/thread_map.h"

#include "buffer_memory.h"
#include "render/framebuffer.h"
#include "render/map_on_cpu.h"

namespace lanescope::render {
namespace {

template <class Element>
std::span<const Element> elements(const Buffer& buffer) {
    if (!buffer.exists()) return {};
    const std::vector<std::byte>& bytes = buffer.memory()->bytes;
    return {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
}

MapRecords records_of(const StreamBuffer& streams) {
    return {streams.shape(), elements<trace::Record>(streams.records()),
            elements<std::uint32_t>(streams.counts())};
}

std::shared_ptr<const char> version_of(const Buffer& buffer) {
    return buffer.exists() ? buffer.memory()->version : nullptr;
}

}  // namespace

struct ThreadMap::State {
    MapOnCpu map;
    std::shared_ptr<const char> records, counts;  // versions of the last update
    std::vector<std::uint32_t> pixels;
    Framebuffer picture;
};

Result<ThreadMap> ThreadMap::create() {
    return ThreadMap(std::make_unique<State>());
}

ThreadMap::ThreadMap(std::unique_ptr<State> state) : state_(std::move(state)) {}
ThreadMap::~ThreadMap() = default;
ThreadMap::ThreadMap(ThreadMap&& other) noexcept = default;
ThreadMap& ThreadMap::operator=(ThreadMap&& other) noexcept = default;

Result<void> ThreadMap::set_code(std::span<const CodePoint> code) {
    state_->map.set_code(code);
    return {};
}

Result<void> ThreadMap::set_clock_offsets(std::span<const std::uint64_t> offsets) {
    state_->map.set_clock_offsets(offsets);
    return {};
}

Result<void> ThreadMap::set_watched(const std::vector<std::vector<WatchedRegister>>& by_function) {
    state_->map.set_watched(by_function);
    return {};
}

Result<void> ThreadMap::update(const StreamBuffer& streams, std::uint64_t time) {
    std::shared_ptr<const char> records = version_of(streams.records()),
                                counts = version_of(streams.counts());
    if (records != state_->records || counts != state_->counts) state_->map.forget();
    state_->records = std::move(records), state_->counts = std::move(counts);
    state_->map.update(records_of(streams), time);
    return {};
}

ValueRange ThreadMap::range(const StreamBuffer& streams) const {
    return state_->map.range(records_of(streams));
}

Tally ThreadMap::tally() const {
    return state_->map.tally();
}

ThreadNow ThreadMap::thread(std::uint32_t slot) const {
    return state_->map.thread(slot);
}

// OpenGL copies the picture, upside down, as its first row is the lowest.
void ThreadMap::draw(const StreamBuffer&, const MapPicture& picture) const {
    State& state = *state_;
    const int width = picture.width, height = picture.height;
    if (state.picture.width() != width || state.picture.height() != height) {
        Result<Framebuffer> made = Framebuffer::create(width, height);
        if (!made) return;  // the bound target of this size would not exist, either
        state.picture = std::move(*made);
        state.pixels.resize(std::size_t(width) * std::size_t(height));
    }
    state.map.draw(picture, state.pixels);
    glBindTexture(GL_TEXTURE_2D, state.picture.texture());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, state.pixels.data());
    const ReadBinding from(state.picture.name());
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, width, height, 0, height, width, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace lanescope::render
