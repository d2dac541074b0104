// The bar over the preview: its name, kernel files as tabs, the engine, and the way back to the lessons.
#pragma once

#include "ui/preview/preview_editor.h"
#include "ui/preview/preview_gpu.h"

namespace lanescope::ui {

class PreviewBar : public View {
  public:
    // The bar sets `open` to false when the user goes back to the lessons.
    PreviewBar(preview::PreviewModel& model, const PreviewGpu& gpu, PreviewEditor& editor, bool& open)
        : View("preview bar"), model_(model), gpu_(gpu), editor_(editor), open_(open) {}

  protected:
    bool separated() const override { return false; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    void tabs(float left, float right, const Rect& inside, const WindowState& window);
    void tab(std::size_t number, const std::string& label, const Rect& box, const WindowState& window);
    float chips(const Rect& inside, const WindowState& window);  // returns their left end
    std::string engine() const;

    preview::PreviewModel& model_;
    const PreviewGpu& gpu_;
    PreviewEditor& editor_;
    bool& open_;
};

}  // namespace lanescope::ui
