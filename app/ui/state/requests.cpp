#include "ui/state/requests.h"

#include <iterator>
#include <utility>

namespace lanescope::ui {

void Requests::append(Requests more) {
    const auto add = [](auto& all, auto& added) {
        all.insert(all.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    };
    add(commands, more.commands);
    add(after_typing, more.after_typing);
    add(changes, more.changes);
    add(actions, more.actions);
    add(preview, more.preview);
    add(files, more.files);
    if (!more.problem.empty()) problem = more.problem;
    if (!more.copied.empty()) copied = more.copied;
    next_frame |= more.next_frame;
    fullscreen |= more.fullscreen;
    quit |= more.quit;
}

}  // namespace lanescope::ui
