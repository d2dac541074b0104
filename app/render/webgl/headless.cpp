// A worker has one context, the page's canvas, in which pictures are drawn too. Node has none.
#include "render/headless.h"

namespace lanescope::render {

struct HeadlessContext::State {
    GlDevice device;
};

HeadlessContext::HeadlessContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
HeadlessContext::~HeadlessContext() = default;
HeadlessContext::HeadlessContext(HeadlessContext&&) noexcept = default;
HeadlessContext& HeadlessContext::operator=(HeadlessContext&&) noexcept = default;

Result<HeadlessContext> HeadlessContext::create() {
    auto state = std::make_unique<State>();
    Result<GlDevice> device = load_gl(nullptr, "canvas");
    if (!device) return device.diagnostics();
    state->device = std::move(*device);
    return HeadlessContext(std::move(state));
}

const GlDevice& HeadlessContext::device() const {
    return state_->device;
}

}  // namespace lanescope::render
