// The page of image convolutions: bar, picture, right column.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/kit/imgui_layer.h"
#include "ui/preview/preview_bar.h"
#include "ui/preview/preview_editor.h"
#include "ui/preview/preview_side.h"
#include "ui/preview/preview_view.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

class PreviewPage {
  public:
    bool open() const { return open_; }
    void show(bool shown);  // opens the harbour sample if there is no image
    // Opens an image, which also opens the page; on the open page, also a mask or a kernel. Returns false if
    // the file is not for this page.
    bool take_file(const std::filesystem::path& file);
    PreviewState state() const;
    void carry_out(PreviewCommand command);
    bool update(double now_s, session::Session& session);  // returns whether to draw again at once
    void draw(float width, float height, const ViewContext& view);
    std::vector<Surface> surfaces() const;
    void show_difference(bool shown) { modes_.difference = shown; }          // on the right half
    void show_reuse(bool shown) { modes_.reuse = shown; }                    // the reuse map
    void show_editor(bool shown) { editor_.show(shown); }                    // of the kernel's source
    void use_gpu_place(const std::string& place) { gpu_.use_place(place); }  // see PreviewGpu
    preview::PreviewModel& model() { return model_; }

  private:
    void close_one();
    void show_pixel(session::Session& session) const;

    PreviewGpu gpu_;  // declared before the model, whose runs use it
    preview::PreviewModel model_{gpu_};
    PreviewModes modes_;
    PreviewView picture_{model_, gpu_};
    PreviewSide side_{model_, modes_};
    PreviewEditor editor_{model_};
    PreviewBar bar_{model_, gpu_, editor_, open_};
    Rect picture_rect_;
    bool open_ = false;
};

}  // namespace lanescope::ui
