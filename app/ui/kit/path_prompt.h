// An input line with completion for a file's name, to open a file or to save under that name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/outputs.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

struct PathChoice {
    std::string name;
    bool folder = false;
};

// Returns the absolute path of "~/x" or of a relative name.
std::filesystem::path whole_path(const std::string& typed);
// Returns at most 500 entries of the typed folder whose names begin with the rest of the typed text: folders,
// then kernels, traces and images. Hidden entries appear only if the rest begins with a dot. A folder that
// cannot be listed has no entries.
std::vector<PathChoice> path_choices(const std::string& typed);
// Completes the text as far as all choices agree; a folder that is the only choice gets its slash.
std::string completed(const std::string& typed, const std::vector<PathChoice>& choices);
// Returns an unused name for a copy of a lesson: "modulo-2.cu" in the user's own folder.
std::filesystem::path proposed_name(const std::filesystem::path& open, bool lesson);

// An existing file is replaced only if the user asks twice.
class ReplaceQuestion {
  public:
    // Returns an empty text if the file may be written now, otherwise why not, or the question for the user.
    std::string refusal(const Output& output, const std::vector<std::filesystem::path>& inputs = {});
    void forget() { asked_.clear(); }

  private:
    std::filesystem::path asked_;
};

class PathPrompt {
  public:
    void draw(const ViewContext& view);

  private:
    void begin(const session::Session& session, const WindowState& window);
    void draw_choices(const Rect& area, const WindowState& window);
    void move_selection();
    void accept(const session::Session& session, Requests& requests);
    void take(const std::string& text);
    static int on_event(ImGuiInputTextCallbackData* data);

    std::string typed_, listed_for_, note_;
    std::string replacement_;  // for the input, which keeps its own copy while it is active
    bool replace_ = false;
    ReplaceQuestion replacing_;
    std::vector<PathChoice> choices_;
    int selected_ = -1;
    Dialog shown_ = Dialog::none;
};

}  // namespace lanescope::ui
