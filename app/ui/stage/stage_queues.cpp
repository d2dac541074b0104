// Queues of the stage: an address takes one atomic operation at a time, so lanes that access the same cell
// stand in line below it, the first one on top.
#include <algorithm>

#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

constexpr float place_px = 14;

std::vector<std::uint32_t> queue_at(const StepScene& scene, const CellMark& mark) {
    std::vector<std::uint32_t> threads;
    for (const CellAccess& access : scene.accesses_of(mark))
        if (access.kind == trace::AccessKind::atomic) threads.push_back(access.thread);
    return threads;
}

void draw_place(const StagePicture& picture, const Rect& box, const std::string& text, bool first) {
    draw_cell_box(picture.draw, box, first ? theme().write : theme().off,
                  first ? theme().write_edge : theme().off_edge, 1, picture.window.px(2));
    for (ImFont* font : {fonts().mono_small, fonts().mono_tiny}) {
        if (text_width(font, text) > box.width - 1) continue;
        draw_text_centred(picture.draw, font, box, first ? theme().text_strong : theme().text_quiet, text);
        return;
    }
}

void draw_queue(const StagePicture& picture, const ArrayPlan& plan, const CellMark& mark) {
    const std::vector<std::uint32_t> threads = queue_at(picture.model.scene(), mark);
    const Rect cell = picture.cell_rect(plan, mark.cell.index);
    const float pitch = picture.window.px(place_px);
    const auto places = static_cast<std::size_t>((plan.queue_room - picture.window.px(1)) / pitch);
    if (places == 0 || threads.size() < 2) return;
    float y = cell.bottom() + picture.window.px(2);
    const std::size_t shown = threads.size() <= places ? threads.size() : places - 1;
    for (std::size_t i = 0; i < shown; ++i, y += pitch)
        draw_place(picture, {cell.x, y, cell.width, pitch - picture.window.px(1)},
                   "t" + std::to_string(threads[i]), i == 0);
    if (shown == threads.size()) return;
    const std::string rest = (shown == 0 ? "×" : "+") + std::to_string(threads.size() - shown);
    draw_place(picture, {cell.x, y, cell.width, pitch - picture.window.px(1)}, rest, shown == 0);
}

}  // namespace

void draw_queues(const StagePicture& picture) {
    for (const CellMark& mark : picture.model.scene().marks) {
        const ArrayPlan& plan = picture.model.layout().plans[mark.cell.array];
        if (mark.atomics < 2 || plan.queue_room <= 0 || plan.text.size < 0 || !plan.shows(mark.cell.index))
            continue;
        draw_queue(picture, plan, mark);
    }
}

}  // namespace lanescope::ui
