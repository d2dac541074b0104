// The export dialogue: writes the view as a picture or a figure, steps as an animation or as slides, or the
// run as an HTML page, while the window goes on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "base/temporary_folder.h"
#include "image/image.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

enum class ExportFormat : std::uint8_t { png, svg, gif, pdf, html };

// What is exported in addition to the session's file.
struct ExportedView {
    std::string name = "explore";             // a value of --view
    const session::Session* other = nullptr;  // run B of the view compare
};
ExportedView exported_view(const session::Session* other, const WindowState& window);

// Returns the arguments with which `lanescope export` writes what the session shows. `file` holds the source.
std::vector<std::string> export_arguments(const session::Session& session, const std::filesystem::path& file,
                                          const std::filesystem::path& output, const std::string& steps,
                                          int delay_ms, const ExportedView& view = {});
// Returns why this cannot be written now, or an empty text if it can.
std::string why_not_exported(ExportFormat format, const session::Session& session,
                             const session::Session* other);

class ExportDialog {
  public:
    ~ExportDialog();

    // `other` is the other run of a comparison, otherwise null.
    void draw(const session::Session& session, const session::Session* other, const WindowState& window,
              Requests& requests);
    // Whether the dialogue is hidden in this frame so that take() can get its pixels.
    bool wants_picture() const { return wants_picture_; }
    void take(image::Image image);
    bool busy() const;

  private:
    void begin(const session::Session& session);
    void formats(const Rect& row, const session::Session& session, const WindowState& window);
    void fields(const Rect& row, const session::Session& session, const WindowState& window);
    void ending(const Rect& row, const ViewContext& view);
    void progress(const Rect& row, const WindowState& window);
    void set_format(ExportFormat format, const session::Session& session);
    void start(const session::Session& session);
    void start_child(const session::Session& session);
    Result<std::string> chosen_steps() const;
    void finish(Result<void> written);
    bool exists() const;

    Jobs jobs_;
    bool open_ = false;
    ExportFormat format_ = ExportFormat::html;
    std::string path_, first_, last_, message_;
    bool failed_ = false, wants_picture_ = false;
    bool asked_ = false;  // the user knows that the file exists
    int delay_ms_ = 500;
    ExportedView view_;                      // of this frame
    std::optional<TemporaryFolder> folder_;  // for the edited source and the progress
};

}  // namespace lanescope::ui
