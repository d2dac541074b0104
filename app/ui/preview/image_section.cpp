#include "ui/preview/image_section.h"

#include "base/file_kind.h"
#include "base/folders.h"
#include "ui/kit/path_prompt.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

void ImageSection::draw(SideColumn& column) {
    column.section("image");
    name_line(column);
    open_popup(column.window());
    border_line(column);
}

void ImageSection::name_line(SideColumn& column) {
    const Rect line = column.row(26);
    const image::Image* image = model_.image();
    if (column.link("##open", "open …", line.right(), line)) ImGui::OpenPopup("open image");
    float right = line.right() - text_width(fonts().text, "open …");
    if (image != nullptr) {
        const std::string about = image::describe(*image) + " · ";
        draw_right(fonts().text, line, right, theme().text_quiet, about);
        right -= text_width(fonts().text, about);
    }
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text_strong,
                     image != nullptr ? model_.image_file().path().filename().string() : "no image",
                     right - line.x - column.window().px(10));
}

void ImageSection::open_popup(const WindowState& window) {
    PathPopup popup("open image", 360, window);
    if (!popup.open()) return;
    for (const char* name : {"harbour.png", "chart.png", "chart16.png", "noise.png"}) {
        if (ImGui::Selectable(name)) model_.open_image(resource_folder() / "assets" / "images" / name);
        name_last_item(name);
    }
    ImGui::Separator();
    if (!popup.typed("##path", "or drop an image or a kernel on the window, or type a path:", path_)) return;
    const std::filesystem::path path = whole_path(path_.data());
    if (kind_of(path) == FileKind::cuda)
        model_.open_kernel(path);
    else
        model_.open_image(path);
    popup.finish(true);
}

void ImageSection::border_line(SideColumn& column) {
    const WindowState& window = column.window();
    const Rect line = column.row(30);
    draw_name(line, "border");
    const float width = window.px(170);
    const int chosen = choice("border", {line.right() - width, line.y + window.px(3), width, window.px(24)},
                              {"zero (ghost cells)", "clamp to the edge", "mirror", "wrap around"},
                              static_cast<int>(model_.border()), window);
    if (chosen >= 0) model_.set_border(static_cast<preview::Border>(chosen));
}

}  // namespace lanescope::ui
