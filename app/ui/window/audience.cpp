#include "ui/window/audience.h"

#include <utility>

namespace lanescope::ui {

namespace {

constexpr render::Extent usual_size{1280, 720};  // where there is no second screen

}  // namespace

Result<Audience> Audience::open(session::Session& session, const render::Window& lecturer) {
    Result<render::Window> window = lecturer.open_beside("Lanescope, for the audience", usual_size);
    if (!window) return window.diagnostics();
    return Audience(std::move(*window), lecturer,
                    std::make_unique<App>(session, nullptr, App::Role::follows));
}

Result<bool> Audience::frame(const WindowState& window, double now_s,
                             const std::optional<SyntheticInput>& hand) {
    const render::Extent size = window_.pixels();
    if (size.width < 1 || size.height < 1) return false;
    if (!target_ || target_->width() != size.width || target_->height() != size.height) {
        Result<render::Framebuffer> made = render::Framebuffer::create(size.width, size.height);
        if (!made) return made.diagnostics();
        target_.emplace(std::move(*made));
    }
    app_->follow(window);
    SyntheticInput away;
    away.x = away.y = -1e6f;
    const SyntheticInput mouse = hand.value_or(away);
    FrameInput input;
    input.pixels = size;
    input.now_s = now_s;
    input.content_scale = window_.content_scale();
    input.hand = &mouse;
    FrameOutput output;
    {
        const render::Framebuffer::Bound bound(*target_);
        output = app_->frame(input);
    }
    window_.show(target_->texture(), size, *lecturer_);
    return output.wants_next;
}

AudiencePicture Audience::picture() const {
    return target_ ? AudiencePicture{target_->texture(), {target_->width(), target_->height()}}
                   : AudiencePicture{};
}

}  // namespace lanescope::ui
