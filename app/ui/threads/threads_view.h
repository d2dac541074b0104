// The tab "Threads" beside the stage: the state of all threads of the launch as a heat map, at the session's
// current step. Shaders read the records and draw the map.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/jobs.h"
#include "render/framebuffer.h"
#include "render/thread_map.h"
#include "ui/kit/view.h"
#include "ui/threads/gpu_streams.h"
#include "ui/threads/map_layout.h"
#include "ui/threads/threads_model.h"

namespace lanescope::ui {

class ThreadsView : public View {
  public:
    ThreadsView() : View("threads") {}

  protected:
    bool has_heading(const ViewContext&) const override { return true; }
    void tools(Heading& heading, const ViewContext& view) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Shown {  // the view for which the states and the picture were made
        std::uint64_t time = ~0ull;
        std::string colour;
        float x = 0, y = 0, cell = 0;
        int width = 0, height = 0;
        bool operator==(const Shown&) const = default;
    };

    void prepare(const session::Session& session, const WindowState& window);
    void take(std::shared_ptr<ThreadsModel> model);
    void take(std::shared_ptr<const GpuStreams> streams);
    bool set_tables(std::span<const std::uint64_t> clock_offsets);
    const render::StreamBuffer& streams() const { return in_place_ ? in_place_->buffer : uploaded_; }
    void choose_colour(const WindowState& window, Requests& requests);
    void update_states(const session::Session& session, const WindowState& window);
    void arrange(const Rect& map, const WindowState& window);
    void navigate(const Rect& map, const WindowState& window);
    void paint(const Rect& map, const WindowState& window);
    void draw_block_numbers(const Rect& map, const WindowState& window) const;
    void draw_marks(const Rect& map, const session::Session& session, const WindowState& window) const;
    void interact(const Rect& map, const ViewContext& view);
    std::string story(std::uint32_t slot, const session::Session& session) const;
    std::optional<std::uint32_t> slot_of(std::uint32_t block, std::uint32_t thread) const;
    render::ColourBy colour_by(const WindowState& window) const;
    void fail(const Diagnostics& diagnostics) { problem_ = to_text(diagnostics); }

    Jobs jobs_;
    std::uint64_t generation_ = ~0ull;
    std::uint32_t launch_ = ~0u, focus_ = 0;
    std::shared_ptr<ThreadsModel> model_;
    std::optional<render::ThreadMap> map_;
    render::StreamBuffer uploaded_;
    std::shared_ptr<const GpuStreams> in_place_;  // used instead of `uploaded_` if it is set
    render::Framebuffer target_;
    render::Tally tally_;
    render::ValueRange range_;
    std::string problem_;

    MapLayout layout_;
    float zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
    bool dragged_ = false;
    std::string watched_ = "state";  // the colour for which the GPU's tables are set
    std::uint64_t time_ = ~0ull;
    Shown shown_;
    bool hovering_ = false;  // the selection's hovered lane comes from this view
};

}  // namespace lanescope::ui
