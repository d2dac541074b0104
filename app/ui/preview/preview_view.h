// The picture of the preview: before and after with a movable divider, zoom to pixels, tile and halo of one
// pixel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "preview/model/preview_model.h"
#include "render/texture.h"
#include "ui/kit/view.h"
#include "ui/preview/picture_zoom.h"
#include "ui/preview/preview_gpu.h"

namespace lanescope::ui {

class PreviewView : public View {
  public:
    PreviewView(preview::PreviewModel& model, PreviewGpu& gpu)
        : View("preview picture"), model_(model), gpu_(gpu) {}
    ImU32 surface() const override { return theme().background; }
    void show_difference(bool shown) { difference_ = shown; }
    void show_reuse(bool shown) { reuse_ = shown; }  // the map of the pixel's block, over the picture
    void fit() { zoom_.fit(); }

  protected:
    bool separated() const override { return false; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    void fit_new_image();
    void context_menu(Requests& requests) const;
    void take_mouse(const Rect& room, const WindowState& window);
    void choose_pixel(float x, float y, const WindowState& window);
    void prepare(const Rect& screen, Requests& requests);
    // Whether the right half is a texture that a GPU filled.
    bool on_device() const {
        return !difference_ && model_.runner().device_times() != nullptr && gpu_.texture() != 0;
    }
    const ImagePlace& place() const { return zoom_.place(); }
    bool shows_values(const WindowState& window) const { return place().scale >= window.px(34); }
    float divider_at(const Rect& screen) const;
    void count_differences();
    void with_right_half(const std::function<void(const Samples&)>& use) const;
    void draw_halves(const Rect& screen);
    void draw_divider(const Rect& screen, const WindowState& window) const;
    void draw_values(const Rect& screen, const WindowState& window) const;
    void draw_tooltip(const WindowState& window) const;
    void draw_empty(const Rect& room, const WindowState& window) const;

    preview::PreviewModel& model_;
    PreviewGpu& gpu_;
    render::Texture before_, after_;
    Samples differences_;  // shown on the right half; empty if they are not shown
    PictureZoom zoom_;
    const image::Image* zoomed_ = nullptr;
    std::filesystem::path zoomed_path_;
    std::uint32_t zoomed_width_ = 0, zoomed_height_ = 0;
    bool difference_ = false, reuse_ = false, dragging_divider_ = false, panning_ = false;
    float divider_ = 0.47f;  // share of the picture's width
    const image::Image* prepared_image_ = nullptr;
    std::uint64_t prepared_generation_ = 0;
    bool prepared_difference_ = false;
    ImagePlace prepared_place_;
    Rect prepared_screen_;
};

}  // namespace lanescope::ui
