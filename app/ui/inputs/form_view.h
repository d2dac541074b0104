// The form for a file's front matter: parameters, buffers, launches, expectations. What is entered is written
// into the source and runs; it can be taken back. For a file without front matter it shows the launch that
// was proposed.
#pragma once

#include <string>

#include "base/jobs.h"
#include "scene/lesson/form_model.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

class FormView {
  public:
    void draw(const session::Session& session, const WindowState& window, Requests& requests);

  private:
    void read(const session::Session& session);
    void heading(const Rect& box, const session::Session& session, const WindowState& window,
                 Requests& requests);
    float section(FormSection which, const Rect& area, float y, const WindowState& window);
    float row(FormSection which, std::size_t number, const Rect& area, float y, const WindowState& window);
    void write(const session::Session& session);
    void take_checked(FormModel checked, const std::string& source, std::optional<std::string> made);

    FormModel form_;
    std::string read_from_;   // the source for which the form was made
    std::string unreadable_;  // why it cannot be shown
    bool proposed_ = false;
    std::optional<std::string> made_;  // the source that the form asks for, to be handed on in the next frame
    bool entered_ = false;             // a field was changed in this frame
    int removed_ = -1;
    FormSection removed_from_{};
    Dialog shown_ = Dialog::none;

    Jobs jobs_;  // last: a job that is going on ends before what its completion touches
};

}  // namespace lanescope::ui
