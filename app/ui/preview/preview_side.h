// The right column of the preview: image and border, the mask, one pixel, loads, the comparison with the
// exact result.
#pragma once

#include <filesystem>
#include <string>

#include "ui/preview/image_section.h"
#include "ui/preview/mask_section.h"
#include "ui/preview/pixel_section.h"
#include "ui/preview/result_section.h"

namespace lanescope::ui {

class PreviewSide : public View {
  public:
    PreviewSide(preview::PreviewModel& model, PreviewModes& modes)
        : View("preview side"),
          model_(model),
          image_(model),
          mask_(model),
          pixel_(model, modes),
          result_(model, modes) {}

    std::string load_mask(const std::filesystem::path& path) { return mask_.load(path); }
    void ask_to_save_result() { result_.ask_to_save(); }
    bool typing() const { return mask_.typing(); }

  protected:
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    void scroll(const Rect& inside, const WindowState& window);
    void scroll_mark(const Rect& inside, const WindowState& window) const;

    preview::PreviewModel& model_;
    ImageSection image_;
    MaskSection mask_;
    PixelSection pixel_;
    ResultSection result_;
    float scroll_ = 0, used_ = 0;
};

}  // namespace lanescope::ui
