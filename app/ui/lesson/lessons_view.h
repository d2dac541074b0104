// The course: topics that open and close, their lessons, and the user's own files.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/language.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class LessonsView : public View {
  public:
    LessonsView() : View("##lessons") {}
    float wanted_height(const session::Session& session, const WindowState& window,
                        float width) const override;

  protected:
    std::string title(const session::Session&) const override { return tr("Lessons"); }
    void tools(Heading& heading, const ViewContext& view) override;
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Cursor;
    void topic_rows(Cursor& cursor, const lesson::Topic& topic, const session::Session& session,
                    Requests& requests);
    void own_file_rows(Cursor& cursor, const session::Session& session, Requests& requests);
    static void problem_rows(Cursor& cursor, const session::Session& session);
    static std::vector<std::filesystem::path> own_files(const session::Session& session);
    void follow(const session::Session& session);

    std::set<std::string> open_;              // topics, by id_of()
    std::vector<std::filesystem::path> own_;  // the user's files, newest first
    std::string followed_;                    // path of the file whose topic was opened
    bool scroll_to_current_ = false;
};

}  // namespace lanescope::ui
