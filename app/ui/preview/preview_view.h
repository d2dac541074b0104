// The picture of the preview: before and after with a movable divider, zoom to pixels, tile and halo of one
// pixel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "image/image.h"
#include "render/texture.h"
#include "ui/kit/view.h"
#include "ui/preview/preview_model.h"

namespace lanescope::ui {

// Where an image lies on the screen: image pixel (x, y) has its corner at `origin` + scale · (x, y).
struct ImagePlace {
    ImVec2 origin{};
    float scale = 1;  // screen pixels a pixel of the image
    ImVec2 to_screen(float x, float y) const { return {origin.x + scale * x, origin.y + scale * y}; }
    float x_at(float screen) const { return (screen - origin.x) / scale; }
    float y_at(float screen) const { return (screen - origin.y) / scale; }
};

// Pixels of a screen rectangle, RGBA with red lowest; beyond the image they are transparent. Samples: height
// × width × channels. Where pixels of the image are smaller than the screen's, up to nine of them are
// averaged.
std::vector<std::uint32_t> screen_pixels(const image::Header& image,
                                         const std::vector<std::uint16_t>& samples, const ImagePlace& place,
                                         const Rect& screen);

class PreviewView : public View {
  public:
    explicit PreviewView(PreviewModel& model) : View("preview picture"), model_(model) {}
    ImU32 surface() const override { return theme().background; }
    void set_divider(float share) { divider_ = share; }
    void show_difference(bool shown) { difference_ = shown; }
    void show_reuse(bool shown) { reuse_ = shown; }  // of the chosen pixel's block, over the picture
    bool shows_difference() const { return difference_; }
    void fit() { fits_ = true; }

  protected:
    bool separated() const override { return false; }
    void content(const Rect& inside, const session::Session& session, const WindowState& shared,
                 Requests& requests) override;

  private:
    void place_image(const Rect& room);
    void take_mouse(const Rect& room, const WindowState& shared);
    void choose_pixel(float x, float y, const WindowState& shared);
    void prepare(const Rect& screen, Requests& requests);
    // The right half is a texture that a GPU filled.
    bool on_device() const { return !difference_ && model_.gpu_texture() != 0; }
    bool shows_values(const WindowState& shared) const { return place_.scale >= shared.px(34); }
    float divider_at(const Rect& screen) const;
    void count_differences();
    void with_right_half(const std::function<void(const std::vector<std::uint16_t>&)>& use) const;
    void draw_halves(const Rect& screen);
    void draw_divider(const Rect& screen, const WindowState& shared) const;
    void draw_tile(const Rect& screen, const WindowState& shared) const;
    void draw_reuse(const Rect& screen, const WindowState& shared) const;
    void draw_values(const Rect& screen, const WindowState& shared) const;
    void draw_tooltip(const WindowState& shared) const;
    void draw_empty(const Rect& room, const WindowState& shared) const;

    PreviewModel& model_;
    render::Texture before_, after_;
    std::vector<std::uint16_t> differences_;  // on the right half, when they are shown
    ImagePlace place_;
    float centre_x_ = 0, centre_y_ = 0;  // in pixels of the image
    bool fits_ = true, difference_ = false, reuse_ = false, dragging_divider_ = false, panning_ = false;
    float divider_ = 0.47f;  // share of the picture's width
    const image::Image* prepared_image_ = nullptr;
    std::uint64_t prepared_generation_ = 0;
    bool prepared_difference_ = false;
    ImagePlace prepared_place_;
    Rect prepared_screen_;
};

}  // namespace lanescope::ui
