#include "ui/preview/preview_page.h"

#include <algorithm>
#include <cmath>

#include "base/file_kind.h"
#include "base/folders.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

void PreviewPage::show(bool shown) {
    open_ = shown;
    if (shown && model_.image() == nullptr && !model_.image_file().opening())
        model_.open_image(resource_folder() / "assets" / "images" / "harbour.png");
}

bool PreviewPage::take_file(const std::filesystem::path& file) {
    const FileKind kind = kind_of(file);
    if (is_image(kind)) {
        model_.open_image(file);
        show(true);
        return true;
    }
    if (open_ && (kind == FileKind::mask || kind == FileKind::text)) {
        model_.tell(side_.load_mask(file));
        return true;
    }
    if (kind == FileKind::trace) show(false);  // the panels show traces
    if (!open_ || kind != FileKind::cuda) return false;
    model_.open_kernel(file);
    return true;
}

PreviewState PreviewPage::state() const {
    return {open_, open_ && editor_.open(), model_.image_file().path()};
}

void PreviewPage::carry_out(PreviewCommand command) {
    switch (command) {
        case PreviewCommand::toggle:
            return show(!open_);
        case PreviewCommand::close_one:
            return close_one();
        case PreviewCommand::edit:
            return editor_.show(!editor_.open());
        case PreviewCommand::fit:
            return picture_.fit();
        case PreviewCommand::engine:
            return model_.use_device(!model_.runner().on_device());
        case PreviewCommand::save_result:
            return side_.ask_to_save_result();
        default:
            editor_.carry_out(command);
    }
}

// The input of a mask value handles Esc itself.
void PreviewPage::close_one() {
    const bool typing = ImGui::GetIO().WantTextInput;
    if (typing && side_.typing()) return;
    if (typing || editor_.open())
        editor_.show(false);
    else if (model_.inspector().pinned())
        model_.inspector().unpin();
    else
        open_ = false;
}

// Goes to the first step in which the block touches memory, so that its tile is in sight, and follows the
// thread that makes the pixel.
void PreviewPage::show_pixel(session::Session& session) const {
    const preview::PixelFacts& pixel = model_.inspector().pixel();
    if (pixel.known && pixel.block == model_.stepping().block())
        session.apply(session::PinLane{pixel.thread / trace::warp_size, pixel.thread % trace::warp_size});
    constexpr std::size_t looked_at_steps = 200;
    const std::size_t count = std::min(session.playhead().steps().size(), looked_at_steps);
    const auto touches = [](const trace::TurnDetail& turn) {
        return std::any_of(turn.accesses.begin(), turn.accesses.end(),
                           [](const trace::Access& access) { return access.space == trace::Space::global; });
    };
    for (std::size_t step = 0; step < count; ++step) {
        session.apply(session::SeekStep{step});
        const session::StepState* now = session.playhead().step_state();
        if (now != nullptr && std::any_of(now->details.begin(), now->details.end(), touches)) return;
    }
    session.apply(session::SeekStep{0});
}

bool PreviewPage::update(double now_s, session::Session& session) {
    if (!open_) return false;
    const bool changed = model_.update(now_s);
    if (std::optional<preview::BlockStepping::Outcome> stepped = model_.stepping().take()) {
        if (*stepped) {
            session.set_run(std::move(***stepped));
            session.apply(session::FocusBlock{model_.stepping().block()});
            show_pixel(session);
            open_ = false;
        } else {
            model_.tell(to_text(stepped->diagnostics().front()));
        }
    }
    return changed || model_.busy() || model_.saver().busy() || model_.stepping().busy() ||
           model_.inspector().recording() || editor_.waits();
}

void PreviewPage::draw(float width, float height, const ViewContext& view) {
    const float top = std::round(view.px(44)), right = std::round(std::min(view.px(420), width * 0.42f));
    const float typed = editor_.open() ? std::round(std::min(view.px(620), (width - right) * 0.55f)) : 0.0f;
    picture_rect_ = {0, top, width - right - typed, height - top};
    picture_.show_difference(modes_.difference);
    picture_.show_reuse(modes_.reuse);
    bar_.draw({0, 0, width, top}, view);
    picture_.draw(picture_rect_, view);
    if (editor_.open()) editor_.draw({picture_rect_.right(), top, typed, height - top}, view);
    side_.draw({width - right, top, right, height - top}, view);
}

std::vector<Surface> PreviewPage::surfaces() const {
    return {{picture_rect_, theme().background}};
}

}  // namespace lanescope::ui
