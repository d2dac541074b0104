// The inputs of a run: the file's parameters, debug or optimised code, the schedule. A change starts a run at
// once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/language.h"
#include "lesson/front_matter.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class ParametersView : public View {
  public:
    ParametersView() : View("##parameters") {}
    float wanted_height(const session::Session& session, const WindowState& window,
                        float width) const override;

  protected:
    std::string title(const session::Session& session) const override {
        return session.host_code().runs() ? tr("Program") : tr("Parameters");
    }
    void tools(Heading& heading, const ViewContext& view) override;
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Rows;
    void prepare(const session::Session& session) const;
    void forget_other_files(const session::Session& session);
    std::string note_on(const std::string& name, const session::Session& session) const;
    void note_row(Rows& rows, const std::string& name, const session::Session& session) const;
    void move_focus(const WindowState& window, Requests& requests);
    static void program_rows(Rows& rows, const session::Session& session, Requests& requests);
    void parameter_row(Rows& rows, const lesson::Parameter& parameter, const session::Session& session,
                       Requests& requests);
    void number_input(const Rect& box, const lesson::Parameter& parameter, std::int64_t value,
                      const WindowState& window, Requests& requests);
    void code_row(Rows& rows, const session::Session& session, Requests& requests);
    void schedule_rows(Rows& rows, const session::Session& session, Requests& requests);

    mutable std::uint64_t prepared_for_ = ~0ull;  // generation and source of `parameters_`
    mutable std::vector<lesson::Parameter> parameters_;
    std::filesystem::path typed_for_;             // the file of the next two
    std::map<std::string, std::string> typed_;    // the text of each input that differs from its value
    std::map<std::string, std::string> refused_;  // why a typed value was refused
    std::string typing_in_;                       // the input that has the keyboard
    std::string focus_;                           // the input that gets the keyboard next
};

// Returns why the parameter cannot have this value, or an empty text if it can.
std::string refusal(const lesson::Parameter& parameter, std::int64_t value);

}  // namespace lanescope::ui
