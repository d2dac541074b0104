#include "ui/kit/key_hints.h"

#include <algorithm>

#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

struct Hint {
    const char* label;
    const char* text;
};
constexpr Hint hints[] = {
    // Source and PTX
    {"Edit", "edit the source ({source.edit})"},
    {"Done", "stop editing and keep the text ({source.edit} or {window.close})"},
    {"Reset", "restore the file's text; {edit.undo} undoes this"},
    {"Save", "save the file ({file.save})"},
    {"Save as", "save the text under a new name ({file.save_as})"},
    {"PTX", "the compiled instructions beside the source ({source.ptx})"},
    {"heat", "choose what the bars beside the lines measure"},
    {"executions", "bars beside the lines: how often each line ran"},
    {"lanes off", "bars beside the lines: lanes that were off while the line ran"},
    {"conflicts", "bars beside the lines: extra wavefronts because of bank conflicts"},
    {"sectors", "bars beside the lines: 32-byte sectors for each request of the line"},
    {"time", "bars beside the lines: where the time on a GPU goes ({source.time})"},
    {"×", "close the PTX ({source.ptx})"},
    // Stage and warps
    {"Stage", "memory cells of one block ({stage.threads})"},
    {"Threads", "map of all threads ({stage.threads})"},
    {"Flow", "what each cell was computed from ({stage.flow})"},
    {"Fit", "fit all 32 lanes into the panel's width; Ctrl + wheel zooms"},
    {"values", "the cells show values; click to change"},
    {"indices", "the cells show their indices; click to change"},
    {"banks", "the cells show their banks; click to change"},
    {"decimal", "how real numbers are shown; click to change"},
    {"scientific", "how real numbers are shown; click to change"},
    {"hex bits", "how real numbers are shown; click to change"},
    {"colour", "choose what the colour of a lane means: its state, or a value"},
    {"label", "choose which value every lane shows; {watch.add} adds an expression"},
    {"block", "choose which block the stage, the warps and the timeline show"},
    // Tabs
    {"Variables", "variables of the pinned thread, and watches ({watch.add} adds one)"},
    {"Access", "banks and sectors that this step accesses"},
    {"Problems", "races, accesses out of bounds and other errors of the run"},
    {"Console", "what the kernel prints"},
    {"Timings", "times on a GPU, beside the libraries ({timings.show})"},
    {"All lessons, parameters", "the list of lessons, and the parameters ({page.toggle})"},
    {"Page", "the lesson's page: explanation, questions, exercises ({page.toggle})"},
    {"Form", "parameters, buffers and launches in a form ({form.open})"},
    // Below
    {"Lecture", "large type for a hall ({lecture.toggle})"},
    {"Leave lecture", "back to all panels ({lecture.toggle} or {window.close})"},
    {"rows", "choose the rows: warps, or multiprocessors by the real clock ({timeline.rows})"},
    {"step", "choose how far {step.forward} and {step.back} go"},
    {"step instructions", "step by single PTX instructions with {step.forward} and {step.back}"},
    {"together", "choose which steps of the two runs belong together"},
    // Schedules and timings
    {"Try all schedules", "run every order in which the threads can take turns ({schedules.explore})"},
    {"Choose the next thread", "build a schedule turn by turn: click the thread that takes the next turn"},
    {"Undo", "undo the last change or turn"},
    {"Finish", "go to the end of this run ({step.last})"},
    {"Start over", "go back to before the first turn"},
    {"Measure on this GPU", "time this topic's files and the libraries on this machine"},
    // Dialogues
    {"Keys", "list of all keys ({help.keys})"},
    {"Close", "close this ({window.close})"},
    {"Write", "write the file"},
    {"Overwrite", "replace the existing file"},
    {"Cancel", "stop; what is shown stays"},
    {"Keep mine", "keep the text typed here; {edit.undo} loads the text from disk"},
    {"Load from disk", "load the text from disk; {edit.undo} brings back the text typed here"},
    {"Restore the draft", "continue with the unsaved text; {edit.undo} brings back the file's text"},
    {"Discard the draft", "open the file as it is; {edit.undo} brings back the unsaved text"},
    {"add", "add a line to fill in"},
    {"Write into the file", "put this before the first line of the source"},
    {"this view", "a picture of the window as it is"},
    {"animation", "a moving picture with one frame for each step"},
    {"page for any browser", "one file that steps through the run without this program"},
};

// Returns the label without its value and without a sign of choice in front.
std::string_view plain(std::string_view label) {
    for (const std::string_view sign : {"● ", "○ "})
        if (label.starts_with(sign)) label.remove_prefix(sign.size());
    label = label.substr(0, std::min(label.find(':'), label.find(" (")));
    while (!label.empty() && label.back() == ' ')
        label.remove_suffix(1);
    return label;
}

}  // namespace

std::string key_hint(std::string_view label) {
    const std::string_view name = plain(label);
    for (const Hint& hint : hints)
        if (name == hint.label) return with_keys(hint.text);
    if (name.ends_with("steps/s") || name.ends_with("step/s"))
        return with_keys("choose how fast {step.play} plays");
    if (name.ends_with("ms a step")) return "choose how long each step is shown";
    if (name.starts_with("block ")) return key_hint("block");
    return {};
}

}  // namespace lanescope::ui
