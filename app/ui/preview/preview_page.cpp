#include "ui/preview/preview_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/files.h"
#include "image/decode.h"
#include "trace/io.h"
#include "ui/actions/table.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

// Name, kernel files as tabs, what runs them, and the way back.
class PreviewPage::Bar : public View {
  public:
    Bar(PreviewModel& model, PreviewEditor& editor, bool& open)
        : View("preview bar"), model_(model), editor_(editor), open_(open) {}

  protected:
    bool separated() const override { return false; }

    void content(const Rect& inside, const session::Session&, const WindowState& shared, Requests&) override {
        ImDrawList* draw = ImGui::GetWindowDrawList();
        float x = inside.x + shared.px(14);
        const auto word = [&](ImFont* font, ImU32 colour, const std::string& text) {
            draw_text(draw, font, ImVec2(x, centre_line(font, inside.y, inside.height)), colour, text);
            x += text_width(font, text) + shared.px(14);
        };
        word(fonts().title, theme().text_strong, "Lanescope");
        word(fonts().text, theme().text_quiet, "Preview");
        const float right = chips(inside, shared);
        for (std::size_t i = 0; i < model_.kernels().size(); ++i) {
            const std::string label =
                model_.kernels()[i].filename().string() + (model_.kernel_edited(i) ? " •" : "");
            const Rect tab{x, inside.y, text_width(fonts().text, label) + shared.px(22), inside.height};
            if (tab.right() > right) break;
            ImGui::PushID(static_cast<int>(i));
            if (click_area("tab", tab)) model_.choose_kernel(i);
            ImGui::PopID();
            const bool current = i == model_.kernel();
            draw_text_centred(draw, fonts().text, tab, current ? theme().text_strong : theme().text, label);
            if (current)
                draw->AddRectFilled(ImVec2(tab.x, tab.bottom() - shared.px(3)), tab.max(),
                                    theme().active_edge);
            x += tab.width;
        }
        draw->AddLine(ImVec2(inside.x, inside.bottom() - 1), ImVec2(inside.right(), inside.bottom() - 1),
                      theme().line);
    }

  private:
    static std::string milliseconds(double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.2f ms", value);
        return text;
    }

    std::string engine() const {
        const preview::GpuFilter::Times* times = model_.gpu_times();
        const std::string key = with_keys(" · {preview.engine}");
        if (!model_.on_gpu() || model_.gpu().name().empty()) return "CPU SIMT machine · exact" + key;
        return model_.gpu().name() + (times ? " · " + milliseconds(times->on_device_ms) : "") + key;
    }

    float chips(const Rect& inside, const WindowState& shared) {
        float x = inside.right();
        const auto add = [&](const char* id, const std::string& label, ImU32 colour, bool clickable) {
            x -= chip_width(label, shared) + shared.px(14);
            return chip(id, ImVec2(x, inside.y + (inside.height - chip_height(shared)) / 2), label, shared,
                        {colour, false, clickable});
        };
        if (add("back", with_keys("lessons · {preview.toggle}"), theme().accent, true)) open_ = false;
        if (add("edit",
                with_keys(editor_.open() ? "close the editor · {preview.edit}"
                                         : "edit kernel · {preview.edit}"),
                theme().accent, true))
            editor_.show(!editor_.open());
        if (add("engine", engine(), theme().text, true)) model_.use_gpu(!model_.on_gpu());
        if (model_.busy()) {
            if (add("cancel", "cancel · " + std::to_string(static_cast<int>(model_.progress() * 100)) + " %",
                    theme().barrier, true))
                model_.cancel();
        } else if (const PreviewFacts* facts = model_.facts()) {
            if (!facts->problems.empty() || facts->missing > 0 || facts->difference.largest_in_levels > 1)
                add("verdict", "not the exact result", theme().conflict, false);
            else
                add("verdict", "result as expected", theme().good, false);
        }
        return x - shared.px(8);
    }

    PreviewModel& model_;
    PreviewEditor& editor_;
    bool& open_;
};

PreviewPage::PreviewPage() : bar_(std::make_unique<Bar>(model_, editor_, open_)) {}
PreviewPage::~PreviewPage() = default;

void PreviewPage::show(bool shown) {
    open_ = shown;
    if (shown && !model_.has_image() && !model_.opening())
        model_.open_image(resource_folder() / "assets" / "images" / "harbour.png");
}

bool PreviewPage::take_file(const std::filesystem::path& file) {
    if (image::is_image_name(file)) {
        model_.open_image(file);
        show(true);
        return true;
    }
    if (open_ && (file.extension() == ".mask" || file.extension() == ".txt")) {
        model_.tell(side_.load_mask(file));
        return true;
    }
    if (trace::is_trace_name(file)) show(false);  // it is looked at among the panels
    if (!open_ || file.extension() != ".cu") return false;
    model_.open_kernel(file);
    return true;
}

PreviewState PreviewPage::state() const {
    return {open_, open_ && editor_.open()};
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
            return model_.use_gpu(!model_.on_gpu());
        default:
            editor_.carry_out(command);
    }
}

// A value of the mask that is being typed hears Esc itself.
void PreviewPage::close_one() {
    const bool typing = ImGui::GetIO().WantTextInput;
    if (typing && side_.typing()) return;
    if (typing || editor_.open())
        editor_.show(false);
    else if (model_.pinned())
        model_.unpin();
    else
        open_ = false;
}

bool PreviewPage::update(double now_s, session::Session& session) {
    if (!open_) return false;
    const bool changed = model_.update(now_s);
    if (std::optional<session::RunResult> stepped = model_.take_stepped()) {
        session.set_run(std::move(*stepped));
        session.apply(session::FocusBlock{model_.stepped_block()});
        open_ = false;
    }
    return changed || model_.busy() || model_.stepping() || model_.sampling() || editor_.waits();
}

void PreviewPage::draw(float width, float height, const session::Session& session, const WindowState& shared,
                       Requests& requests) {
    const float top = std::round(shared.px(44)), right = std::round(std::min(shared.px(420), width * 0.42f));
    const float typed = editor_.open() ? std::round(std::min(shared.px(620), (width - right) * 0.55f)) : 0.0f;
    picture_rect_ = {0, top, width - right - typed, height - top};
    picture_.show_difference(wishes_.difference);
    picture_.show_reuse(wishes_.reuse);
    bar_->draw({0, 0, width, top}, session, shared, requests);
    picture_.draw(picture_rect_, session, shared, requests);
    if (editor_.open())
        editor_.draw({picture_rect_.right(), top, typed, height - top}, session, shared, requests);
    side_.draw({width - right, top, right, height - top}, session, shared, requests);
}

std::vector<Surface> PreviewPage::surfaces() const {
    return {{picture_rect_, theme().background}};
}

}  // namespace lanescope::ui
