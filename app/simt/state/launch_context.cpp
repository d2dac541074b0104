#include "simt/state/launch_context.h"

namespace lanescope::simt {

void LaunchContext::write_console(std::string_view text, std::uint32_t block, std::uint32_t thread) {
    note_side_effect(SideEffect::Place::console);
    if (console.size() >= limits.console_bytes) return;
    if (console.size() + text.size() > limits.console_bytes) {
        text = text.substr(0, limits.console_bytes - console.size());
        console += text;
        const std::string_view note = "\n[output ends here: the console's limit is reached]\n";
        console += note;
        if (recorder != nullptr) recorder->console(std::string(text) + std::string(note), block, thread);
        return;
    }
    console += text;
    if (recorder != nullptr) recorder->console(text, block, thread);
}

}  // namespace lanescope::simt
