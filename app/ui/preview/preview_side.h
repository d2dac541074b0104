// The right column of the preview: image and border, the mask and its editor, one pixel, loads, the exact
// result.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "preview/run/products.h"
#include "ui/kit/path_prompt.h"
#include "ui/kit/view.h"
#include "ui/preview/mask_typing.h"
#include "ui/preview/preview_model.h"

namespace lanescope::ui {

// What the picture shall show of what the column's words ask for.
struct PreviewWishes {
    bool difference = false;
    bool reuse = false;  // instead of the products of one pixel
};

// How often pixels of a block's tile are read: from shared memory, or, where no value is followed there, from
// global.
struct ReuseScale {
    bool shared = false;
    std::uint32_t least = 0, most = 0;

    explicit ReuseScale(const std::vector<preview::Reuse>& reuse);
    std::uint32_t reads(const preview::Reuse& pixel) const { return shared ? pixel.shared : pixel.global; }
    ImU32 colour(const preview::Reuse& pixel) const;
};

class PreviewSide : public View {
  public:
    PreviewSide(PreviewModel& model, PreviewWishes& wishes)
        : View("preview side"), model_(model), wishes_(wishes) {}

    std::string load_mask(const std::filesystem::path& path);
    bool typing() const { return typing_.active(); }

  protected:
    void content(const Rect& inside, const session::Session& session, const WindowState& shared,
                 Requests& requests) override;

  private:
    Rect section(const std::string& title, const WindowState& shared);  // its heading's row
    Rect row(const WindowState& shared, float height);
    void fact(const std::string& name, const std::string& value, const WindowState& shared);
    bool link(const char* id, const std::string& text, float right, const Rect& row,
              const WindowState& shared) const;
    void image_part(const WindowState& shared);
    void open_popup(const WindowState& shared);
    void mask_part(const WindowState& shared);
    void mask_chips(const WindowState& shared);
    void mask_grid(const WindowState& shared);
    void mask_cell(std::uint32_t r, std::uint32_t c, const Rect& box, double largest,
                   const WindowState& shared);
    void set_cell(std::uint32_t r, std::uint32_t c, double value);
    void type_in_cell(std::uint32_t r, std::uint32_t c, const Rect& box, const WindowState& shared);
    void mask_words(const WindowState& shared);
    void mask_sizes(const WindowState& shared);
    void mask_size(const Rect& line, const WindowState& shared);
    void mask_sigma(const Rect& line, const WindowState& shared);
    void save_popup(const WindowState& shared);
    void load_popup(const WindowState& shared);
    void pixel_part(const WindowState& shared);
    void pixel_head(const WindowState& shared);
    void pixel_tools(const WindowState& shared);
    void channel_choice(const Rect& line, const WindowState& shared);
    const preview::SampleParts* parts();
    void product_grids(const WindowState& shared);
    void product_cell(const Rect& box, const preview::MaskSum& mask, const preview::Product& cell,
                      double largest, const WindowState& shared) const;
    void pixel_cells(const Rect& box, const WindowState& shared) const;
    void cell_tooltip(const preview::MaskSum& mask, const preview::Product& cell,
                      const WindowState& shared) const;
    void sum_lines(const Rect& box, const WindowState& shared);
    void reuse_cells(const Rect& box) const;
    std::vector<std::string> reuse_words() const;
    std::vector<std::string> load_words() const;
    void pixel_result(const Rect& line, const WindowState& shared) const;
    float small_lines(const std::vector<std::string>& words, const Rect& box,
                      const WindowState& shared) const;
    void loads_part(const WindowState& shared);
    void exact_part(const WindowState& shared);
    void histogram_part(const WindowState& shared);

    PreviewModel& model_;
    PreviewWishes& wishes_;
    Rect at_;  // what is left of the column
    float scroll_ = 0, used_ = 0;
    bool symmetric_ = true, cell_dragged_ = false;
    MaskTyping typing_;
    std::array<char, 1024> path_{}, mask_path_{};
    std::string save_note_, load_note_;
    ReplaceQuestion replacing_;
    std::uint32_t channel_ = 0;                  // of which the products are shown
    std::optional<preview::SampleParts> parts_;  // of the run, pixel and channel below
    const preview::Run* parts_run_ = nullptr;
    std::uint32_t parts_x_ = 0, parts_y_ = 0, parts_channel_ = 0;
};

}  // namespace lanescope::ui
