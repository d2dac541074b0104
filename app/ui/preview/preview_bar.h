// The bar over the preview: name, kernel files as tabs, what runs them, and the way back.
#pragma once

#include "ui/preview/preview_editor.h"
#include "ui/preview/preview_gpu.h"

namespace lanescope::ui {

class PreviewBar : public View {
  public:
    // `open` becomes false when the way back is taken.
    PreviewBar(preview::PreviewModel& model, const PreviewGpu& gpu, PreviewEditor& editor, bool& open)
        : View("preview bar"), model_(model), gpu_(gpu), editor_(editor), open_(open) {}

  protected:
    bool separated() const override { return false; }
    void content(const Rect& inside, const session::Session& session, const WindowState& window,
                 Requests& requests) override;

  private:
    void tabs(float left, float right, const Rect& inside, const WindowState& window);
    void tab(std::size_t number, const std::string& label, const Rect& box, const WindowState& window);
    float chips(const Rect& inside, const WindowState& window);  // where the leftmost one begins
    std::string engine() const;

    preview::PreviewModel& model_;
    const PreviewGpu& gpu_;
    PreviewEditor& editor_;
    bool& open_;
};

}  // namespace lanescope::ui
