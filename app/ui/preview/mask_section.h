// The mask in the preview's right column: its kind, cells and size; saving and loading.
#pragma once

#include <filesystem>
#include <string>

#include "ui/preview/mask_files.h"
#include "ui/preview/mask_grid.h"

namespace lanescope::ui {

class MaskSection {
  public:
    explicit MaskSection(preview::PreviewModel& model) : model_(model), grid_(model) {}

    void draw(SideColumn& column);
    bool typing() const { return grid_.typing(); }
    // Makes the file's numbers the mask. Returns why that failed, or an empty text.
    std::string load(const std::filesystem::path& path);

  private:
    void kinds(SideColumn& column);
    void words(SideColumn& column);
    void sizes(SideColumn& column);
    void side_choice(const Rect& line, const WindowState& window);
    void sigma(const Rect& line, double now, const WindowState& window);
    void sum(SideColumn& column);

    preview::PreviewModel& model_;
    MaskGrid grid_;
    MaskFiles files_;
};

}  // namespace lanescope::ui
