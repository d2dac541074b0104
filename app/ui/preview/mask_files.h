// Asks for the file to which the preview's mask is saved, or from which it is loaded.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "ui/kit/path_prompt.h"
#include "ui/preview/path_popup.h"

namespace lanescope::ui {

class MaskFiles {
  public:
    // Saves to or loads from the typed path. Returns why that failed, or an empty text.
    using Action = std::function<std::string(const std::filesystem::path&)>;

    void ask_to_save();
    void ask_to_load();
    // `inputs`: files that the mask must not replace.
    void draw_save(const Action& save, const std::vector<std::filesystem::path>& inputs,
                   const WindowState& window);
    void draw_load(const Action& load, const WindowState& window);

  private:
    TypedPath path_{};
    std::string save_note_, load_note_;
    ReplaceQuestion replacing_;
};

}  // namespace lanescope::ui
