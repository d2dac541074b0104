// The inspector: tabs with the launches of a program, the pinned thread's variables, this step's memory
// requests, the run's problems, the kernel's output, times on a real GPU, and estimated ones.
#pragma once

#include "ui/inspector/access_view.h"
#include "ui/inspector/clock_view.h"
#include "ui/inspector/console_view.h"
#include "ui/inspector/host_view.h"
#include "ui/inspector/launches_view.h"
#include "ui/inspector/output_view.h"
#include "ui/inspector/problems_view.h"
#include "ui/inspector/timings_view.h"
#include "ui/inspector/variables_view.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class InspectorView : public View {
  public:
    InspectorView() : View("inspector") {}

  protected:
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    void tabs(const Rect& row, const ViewContext& view);
    void show_new_problems(const session::Session& session);
    void draw_console(const Rect& inside, const ViewContext& view);
    void follow_program(const session::Session& session);
    std::size_t found(const session::Session& session) const;

    std::uint64_t generation_ = ~0ull;
    std::uint64_t launches_of_ = 0;  // the program whose launches came forward
    bool has_problems_ = false;
    InspectorTab tab_ = InspectorTab::access;
    LaunchesPanel launches_;
    HostPanel host_panel_;
    scene::HostTimeline host_;  // of the open program
    HostLine host_line_;
    VariablesPanel variables_;
    AccessPanel access_;
    ProblemsPanel problems_;
    TimingsPanel timings_;
    ClockPanel clock_;
    ConsolePanel console_;
    OutputPanel output_;
};

}  // namespace lanescope::ui
