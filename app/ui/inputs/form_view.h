// The form for a file's front matter: parameters, buffers, launches, expectations. The form writes each entry
// into the source and runs it; undo reverts it. For a file without front matter the form shows the proposed
// launch.
#pragma once

#include <string>

#include "base/jobs.h"
#include "scene/lesson/form_model.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

class FormView {
  public:
    void draw(const ViewContext& view);

  private:
    struct Front {
        Result<lesson::FrontMatter> front{lesson::FrontMatter{}};
        bool proposed = false;
    };
    void read(const session::Session& session);
    void take_front(const Front& read);
    void heading(const Rect& box, const ViewContext& view);
    float section(FormSection which, const Rect& area, float y, const WindowState& window);
    float row(FormSection which, std::size_t number, const Rect& area, float y, const WindowState& window);
    void write(const session::Session& session);
    void take_checked(FormModel checked, const std::string& source, std::optional<std::string> made);

    FormModel form_;
    std::string read_from_;   // the source for which the form was made
    std::string unreadable_;  // why the form cannot show the source
    bool proposed_ = false;
    std::optional<std::string> made_;  // the source that the form made, for the session in the next frame
    bool entered_ = false;             // a field was changed in this frame
    int removed_ = -1;
    FormSection removed_from_{};
    Dialog shown_ = Dialog::none;

    Jobs jobs_;  // last, so that a running job ends before the members that it uses
};

}  // namespace lanescope::ui
