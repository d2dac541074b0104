// A line for a file's name, with completion: to open a file, or to save under a name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/kit/overlay.h"

namespace lanescope::ui {

struct PathChoice {
    std::string name;
    bool folder = false;
};

// "~/x" and relative names as whole paths.
std::filesystem::path whole_path(const std::string& typed);
// What can follow: entries of the typed folder whose names begin with the rest, folders first, then .cu and
// .trace files; hidden ones only when asked for with a dot. At most 500. Never fails: what cannot be listed
// has none.
std::vector<PathChoice> path_choices(const std::string& typed);
// As far as all choices agree; a folder that is the only one is completed with its slash.
std::string completed(const std::string& typed, const std::vector<PathChoice>& choices);
// Where a lesson's copy goes: "modulo-2.cu" in the person's own folder; names that exist are left out.
std::filesystem::path proposed_name(const std::filesystem::path& open, bool lesson);

// A file that is there is replaced only when that is asked for twice.
class ReplaceQuestion {
  public:
    // Empty: it may be written now. Otherwise what to say.
    std::string refusal(const std::filesystem::path& target);
    void forget() { asked_.clear(); }

  private:
    std::filesystem::path asked_;
};

class PathPrompt {
  public:
    void draw(const session::Session& session, const WindowState& window, Requests& requests);

  private:
    void begin(const session::Session& session, Dialog dialog);
    void draw_choices(const Rect& area, const WindowState& window);
    void move_selection();
    void accept(const session::Session& session, Requests& requests);
    void take(const std::string& text);
    static int on_event(ImGuiInputTextCallbackData* data);

    std::string typed_, listed_for_, note_;
    std::string replacement_;  // for the input, which has its own copy while it is active
    bool replace_ = false;
    ReplaceQuestion replacing_;
    std::vector<PathChoice> choices_;
    int selected_ = -1;
    Dialog shown_ = Dialog::none;
};

}  // namespace lanescope::ui
