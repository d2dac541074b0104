// The inspector: tabs with the pinned thread's variables, this step's memory requests and the problems of the
// run.
#pragma once

#include "ui/access_view.h"
#include "ui/problems_view.h"
#include "ui/variables_view.h"
#include "ui/view.h"

namespace lanescope::ui {

class InspectorView : public View {
  public:
    enum class Tab : std::uint8_t { variables, access, problems };

    InspectorView() : View("inspector") {}
    void show(Tab tab) { tab_ = tab; }

  protected:
    void content(const Rect& inside, const session::Session& session, Shared& shared,
                 session::Commands& commands) override;

  private:
    void tabs(const Rect& row, const session::Session& session, Shared& shared);
    void show_new_problems(const session::Session& session);

    std::uint64_t generation_ = ~0ull;
    bool has_problems_ = false;
    Tab tab_ = Tab::access;
    VariablesPanel variables_;
    AccessPanel access_;
    ProblemsPanel problems_;
};

}  // namespace lanescope::ui
