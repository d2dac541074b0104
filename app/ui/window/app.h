// The contents of the window. One frame function serves the window and headless pictures.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "session/session.h"
#include "ui/actions/keyboard.h"
#include "ui/compare/compare_mode.h"
#include "ui/inputs/form_view.h"
#include "ui/kit/imgui_layer.h"
#include "ui/kit/layout.h"
#include "ui/kit/path_prompt.h"
#include "ui/kit/view.h"
#include "ui/lecture/notes.h"
#include "ui/lecture/pointer.h"
#include "ui/lecture/presenter.h"
#include "ui/lecture/tour.h"
#include "ui/preview/preview_page.h"
#include "ui/state/stage_modes.h"
#include "ui/vector/vector_picture.h"
#include "ui/window/command_list.h"
#include "ui/window/compiler_dialog.h"
#include "ui/window/engine_dialog.h"
#include "ui/window/export_dialog.h"
#include "ui/window/gpu_link.h"
#include "ui/window/help.h"
#include "ui/window/program_dialog.h"

namespace lanescope::ui {

struct FrameInput {
    double now_s = 0;                      // monotonic clock
    render::Extent pixels;                 // size of the framebuffer
    float content_scale = 1;               // of the monitor
    std::vector<KeyPress> keys;            // pressed since the last frame
    const SyntheticInput* hand = nullptr;  // input for headless drawing; null: none
};

struct FrameOutput {
    bool toggle_fullscreen = false;
    bool quit = false;
    bool wants_next = false;  // something moves: draw the next frame at once
};

class App {
  public:
    // Who moves the session on: one window. Another one can follow, and shows the same.
    enum class Role : std::uint8_t { leads, follows };
    // `window` is null for headless drawing. The OpenGL context must be current.
    App(session::Session& session, GLFWwindow* window, Role role = Role::leads);
    ~App();

    FrameOutput frame(const FrameInput& input);  // draws into the bound framebuffer
    WindowState& window() { return window_; }
    // Why a view could not show what was requested; a picture then fails with this text.
    const std::string& problem() const { return problem_; }
    Splits& splits() { return splits_; }
    void skip_drawing(bool skip) { skip_drawing_ = skip; }  // frames are laid out, but not drawn
    void name_widgets() { imgui_.name_widgets(); }
    // The last frame, if name_widgets() was called before it: a line of state with all that the frame shows
    // and its widgets (ui/kit/frame_text.h), in words (frame_outline.h), and what is wrong with it
    // (frame_check.h).
    std::string description() const;
    std::string outline() const { return imgui_.outline(); }
    std::vector<std::string> problems() const { return imgui_.problems(); }
    // The last frame as shapes, if it was drawn sharp. Errors: those of shapes_of().
    void draw_sharp() { imgui_.draw_sharp(); }
    Result<VectorFrame> vector_frame() const;
    // Shows the lecture of another window, as its audience sees it.
    void follow(const WindowState& lecturer);
    // What the presenter's picture shows in the next frame, and where the mouse points in it.
    void show_audience(const AudiencePicture& picture) { audience_ = picture; }
    const std::optional<SyntheticInput>& hand_on_audience() const { return presenter_.hand(); }
    void begin_talk(double now_s) { presenter_.start(now_s); }  // its clock starts
    void resume() { imgui_.resume(); }                          // another window has drawn
    CompareMode& compare();                                     // the first call creates it
    PreviewPage& preview() { return preview_; }
    GpuLink& gpu() { return gpu_; }

  private:
    void begin(const FrameInput& input);
    void hear_keys(const FrameInput& input, FrameOutput& output);
    void carry_out(Requests asked, FrameOutput& output);
    Place place() const;
    bool draw_comparison(const FrameInput& input);
    void capture(const render::Extent& pixels);
    void draw_panel(Panel panel, const Rect& rect);
    // Draws what lies over the panels. Returns whether another frame is needed.
    bool draw_over(const Layout& layout);
    Layout arrange_panels(const FrameInput& input) const;
    View* view_in(Panel panel) const;
    bool presents() const;
    std::vector<Surface> surfaces(const Layout& layout) const;

    session::Session& session_;
    ImGuiLayer imgui_;
    Role role_;
    WindowState window_;
    Splits splits_;
    GpuLink gpu_{window_};
    session::Commands commands_;      // for the next frame
    session::Commands after_typing_;  // follow the text that is being typed
    std::string problem_;
    Requests requests_;  // of the current frame
    Keyboard keyboard_;
    std::array<std::unique_ptr<View>, panel_count> views_;
    std::array<std::unique_ptr<View>, stage_modes.size()>
        modes_;  // replace the stage while their tab is chosen
    bool skip_drawing_ = false;
    std::unique_ptr<CompareMode> compare_;
    ExportDialog export_;
    CompilerDialog compiler_;
    ProgramDialog program_;
    EngineDialog engine_;
    bool capture_next_ = false;  // the last frame was drawn without the dialogue
    Notes notes_;
    std::string lecture_time_;  // of the run, for the caption
    Presenter presenter_;
    AudiencePicture audience_;
    Pointer pointer_;
    Pen pen_;
    TermHover term_hover_;
    Tour tour_;
    PreviewPage preview_;  // replaces all panels while it is open
    CommandList command_list_;
    PathPrompt path_prompt_;
    FormView form_;
    std::string told_progress_;  // the newest message about the file of the progress
    double last_frame_s_ = 0;
    render::Extent pixels_;  // of the last frame
    double idle_at_s_ = 0;   // the last time without a run
};

}  // namespace lanescope::ui
