// Writes the preview's mask to a file, and reads one: the two lines that float over the column.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "ui/kit/path_prompt.h"
#include "ui/preview/path_popup.h"

namespace lanescope::ui {

class MaskFiles {
  public:
    // What is done with the path that was typed; returns why it failed, or nothing.
    using Action = std::function<std::string(const std::filesystem::path&)>;

    void ask_to_save();
    void ask_to_load();
    void draw_save(const Action& save, const WindowState& window);
    void draw_load(const Action& load, const WindowState& window);

  private:
    TypedPath path_{};
    std::string save_note_, load_note_;
    ReplaceQuestion replacing_;
};

}  // namespace lanescope::ui
