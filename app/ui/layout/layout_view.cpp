#include "ui/layout/layout_view.h"

#include <algorithm>
#include <array>

#include "scene/layout/layout_words.h"
#include "ui/kit/stage_tabs.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {
namespace {

constexpr std::uint64_t made_at_once = 20'000;  // up to so many turns are looked at without a job
constexpr const char* job = "layout";
const std::array<const char*, 5> part_names{"what the step shows", "tile", "banks", "fragments", "owners"};

}  // namespace

void LayoutView::tools(Heading& heading, const ViewContext& view) {
    stage_tabs(heading, view.window, view.requests);
    if (heading.word_right("Fit")) places_.fit();
    const int part = int(view.window.layout.part);
    if (menu_word_right(heading, std::string("show: ") + part_names[std::size_t(part)], view.window))
        ImGui::OpenPopup("layout part");
    const std::vector<std::string> parts(part_names.begin(), part_names.end());
    if (const int chosen = choice_popup("layout part", parts, part, view.window); chosen >= 0)
        view.requests.set(&WindowState::layout, &LayoutChoices::part, scene::LayoutPart(chosen));
    if (figure_.arrays.empty()) return;
    std::vector<std::string> names{"any"};
    names.insert(names.end(), figure_.arrays.begin(), figure_.arrays.end());
    const auto found = std::find(names.begin() + 1, names.end(), view.window.layout.array);
    const int now = found == names.end() ? 0 : int(found - names.begin());
    if (menu_word_right(heading, "array: " + names[std::size_t(now)], view.window))
        ImGui::OpenPopup("layout array");
    if (const int chosen = choice_popup("layout array", names, now, view.window); chosen >= 0)
        view.requests.set(&WindowState::layout, &LayoutChoices::array,
                          chosen == 0 ? std::string() : names[std::size_t(chosen)]);
}

void LayoutView::prepare(const session::Session& session, const WindowState& window) {
    jobs_.poll();
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !session.run() || !session.run()->flow) {
        made_.reset();
        wanted_ = {};
        figure_ = {};
        return;
    }
    const Wanted wanted{session.runner().generation(), step_state->step.launch, step_state->step.block};
    if (wanted != wanted_) {
        if (wanted.generation != wanted_.generation) places_.fit();
        wanted_ = wanted;
        jobs_.cancel(job);
        const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
        const std::shared_ptr<analysis::SharedFlow> shared = session.run()->flow;
        jobs_.start(job, [this, trace, shared, wanted](JobContext& context) -> Jobs::Completion {
            auto made = std::make_shared<Made>();
            made->trace = trace;
            const std::shared_ptr<const analysis::Flow> flow = shared->get(&context.cancel_flag());
            made->layouts =
                analysis::layouts_of(*trace, *flow, wanted.launch, wanted.block, &context.cancel_flag());
            return [this, made] { made_ = made; };
        });
        if (window.still || trace->turns.size() < made_at_once) jobs_.wait(job);
        jobs_.poll();
    }
    if (made_ && made_->trace == session.run()->trace && made_->layouts.launch == wanted.launch)
        make_figure(session, window);
}

void LayoutView::make_figure(const session::Session& session, const WindowState& window) {
    const session::StepState& step_state = *session.playhead().step_state();
    const Shown shown{session.playhead().moves(), made_.get(), window.layout.array, window.layout.part,
                      session.selection().warp};
    if (shown == shown_) return;
    shown_ = shown;
    const scene::LayoutStep at{*made_->trace, *session.run()->instructions, step_state.step,
                               step_state.details};
    figure_ = scene::make_layout_figure(at, made_->layouts,
                                        {window.layout.part, window.layout.array, session.selection().warp});
}

void LayoutView::point(const Rect& area, const ViewContext& view) {
    if (view.window.still || !hovered(area, view.window)) return;
    if (const scene::LayoutCell* cell = places_.cell_at(figure_, ImGui::GetIO().MousePos))
        tooltip(cell->text, cell->story, view.window);
}

void LayoutView::content(const Rect& inside, const ViewContext& view) {
    prepare(view.session, view.window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Rect text{inside.x + view.px(14), inside.y + view.px(14), inside.width - view.px(28),
                    inside.height - view.px(28)};
    if (!made_) {
        draw_text_centred(draw, fonts().text, inside, theme().text_faint,
                          jobs_.busy(job) ? "looking for layouts …" : "no run yet");
        return;
    }
    if (figure_.grids.empty()) {
        draw_text_block(fonts().text, text, theme().text, figure_.note);
        return;
    }
    const float told = text_block_height(fonts().text, figure_.sentence, text.width);
    const std::string key = figure_.note.empty() ? figure_.key : figure_.note + " · " + figure_.key;
    const float key_height =
        view.window.lecture ? 0 : text_block_height(fonts().small, key, text.width) + view.px(2);
    const float footer = told + key_height + view.px(10);
    const Rect area{inside.x, inside.y, inside.width, inside.height - footer};
    places_.arrange(figure_, area, view.window);
    places_.navigate(view.window);
    {
        const TellInWords words([&] { return scene::layout_words(figure_); });
        places_.draw(figure_, view.window);
    }
    point(area, view);
    const float y = area.bottom() + view.px(4);
    draw_text_block(draw, fonts().text, {text.x, y}, theme().text, figure_.sentence, text.width);
    if (key_height > 0)
        draw_text_block(draw, fonts().small, {text.x, y + told + view.px(2)}, theme().text_faint, key,
                        text.width);
}

}  // namespace lanescope::ui
