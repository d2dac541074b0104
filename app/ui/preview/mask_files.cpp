#include "ui/preview/mask_files.h"

#include "ui/kit/widgets.h"

namespace lanescope::ui {

void MaskFiles::ask_to_save() {
    ImGui::OpenPopup("save mask");
}

void MaskFiles::ask_to_load() {
    ImGui::OpenPopup("load mask");
}

void MaskFiles::draw_save(const Action& save, const std::vector<std::filesystem::path>& inputs,
                          const WindowState& window) {
    PathPopup popup("save mask", 360, window);
    if (!popup.open()) return;
    if (popup.appears()) replacing_.forget();
    if (!popup.typed("##mask path", save_note_.empty() ? "write the mask to this file:" : save_note_, path_))
        return;
    const std::filesystem::path path = whole_path(path_.data());
    save_note_ = replacing_.refusal({"saving a mask", path, {FileKind::mask, FileKind::text}}, inputs);
    if (save_note_.empty()) save_note_ = save(path);
    popup.finish(save_note_.empty());
}

void MaskFiles::draw_load(const Action& load, const WindowState& window) {
    PathPopup popup("load mask", 360, window);
    if (!popup.open()) return;
    if (!popup.typed("##mask to load", load_note_.empty() ? "read the mask from this file:" : load_note_,
                     path_))
        return;
    load_note_ = load(whole_path(path_.data()));
    popup.finish(load_note_.empty());
}

}  // namespace lanescope::ui
