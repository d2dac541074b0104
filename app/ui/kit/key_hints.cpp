#include "ui/kit/key_hints.h"

#include <algorithm>

#include "base/language.h"
#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

struct Hint {
    const char* label;
    const char* text;
};
// For xgettext, which finds calls.
constexpr Hint hint_on(const char* label, const char* text) {
    return {label, text};
}
constexpr Hint hints[] = {
    // Source and PTX
    hint_on("Edit", "edit the source ({source.edit})"),
    hint_on("Done", "stop editing and keep the text ({source.edit} or {window.close})"),
    hint_on("Reset", "restore the file's text; {edit.undo} undoes this"),
    hint_on("Save", "save the file ({file.save})"),
    hint_on("Save as", "save the text under a new name ({file.save_as})"),
    hint_on("PTX", "the compiled instructions beside the source ({source.ptx})"),
    hint_on("heat", "choose what the bars beside the lines measure"),
    hint_on("executions", "bars beside the lines: how often each line ran"),
    hint_on("lanes off", "bars beside the lines: lanes that were off while the line ran"),
    hint_on("conflicts", "bars beside the lines: extra wavefronts because of bank conflicts"),
    hint_on("sectors", "bars beside the lines: 32-byte sectors for each request of the line"),
    hint_on("time", "bars beside the lines: where the time on a GPU goes ({source.time})"),
    hint_on("registers", "beside the lines: registers in use in optimised code, and what is spilled"),
    hint_on("×", "close the PTX ({source.ptx})"),
    // Stage and warps
    hint_on("Stage", "memory cells of one block ({stage.threads})"),
    hint_on("Threads", "map of all threads ({stage.threads})"),
    hint_on("Flow", "what each cell was computed from ({stage.flow})"),
    hint_on("Fit", "fit all 32 lanes into the panel's width; Ctrl + wheel zooms"),
    hint_on("values", "the cells show values; click to change"),
    hint_on("indices", "the cells show their indices; click to change"),
    hint_on("banks", "the cells show their banks; click to change"),
    hint_on("decimal", "how real numbers are shown; click to change"),
    hint_on("scientific", "how real numbers are shown; click to change"),
    hint_on("hex bits", "how real numbers are shown; click to change"),
    hint_on("colour", "choose what the colour of a lane means: its state, or a value"),
    hint_on("label", "choose which value every lane shows; {watch.add} adds an expression"),
    hint_on("block", "choose which block the stage, the warps and the timeline show"),
    // Tabs
    hint_on("Variables", "variables of the pinned thread, and watches ({watch.add} adds one)"),
    hint_on("Access", "banks and sectors that this step accesses"),
    hint_on("Problems", "races, accesses out of bounds and other errors of the run"),
    hint_on("Console", "what the kernel prints"),
    hint_on("Timings", "times on a GPU, beside the libraries ({timings.show})"),
    hint_on("All lessons, parameters", "the list of lessons, and the parameters ({page.toggle})"),
    hint_on("Page", "the lesson's page: explanation, questions, exercises ({page.toggle})"),
    hint_on("Form", "parameters, buffers and launches in a form ({form.open})"),
    // Below
    hint_on("Lecture", "large type for a hall ({lecture.toggle})"),
    hint_on("Leave lecture", "back to all panels ({lecture.toggle} or {window.close})"),
    hint_on("rows",
            "choose the rows: warps, multiprocessors by the real clock, or warps by the estimated one "
            "({timeline.rows})"),
    hint_on("step", "choose how far {step.forward} and {step.back} go"),
    hint_on("step instructions", "step by single PTX instructions with {step.forward} and {step.back}"),
    hint_on("together", "choose which steps of the two runs belong together"),
    // Schedules and timings
    hint_on("Try all schedules", "run every order in which the threads can take turns ({schedules.explore})"),
    hint_on("Choose the next thread",
            "build a schedule turn by turn: click the thread that takes the next turn"),
    hint_on("Undo", "undo the last change or turn"),
    hint_on("Finish", "go to the end of this run ({step.last})"),
    hint_on("Start over", "go back to before the first turn"),
    hint_on("Measure on this GPU", "time this topic's files and the libraries on this machine"),
    // Dialogues
    hint_on("Keys", "list of all keys ({help.keys})"),
    hint_on("Close", "close this ({window.close})"),
    hint_on("Write", "write the file"),
    hint_on("Overwrite", "replace the existing file"),
    hint_on("Cancel", "stop; what is shown stays"),
    hint_on("Keep mine", "keep the text typed here; {edit.undo} loads the text from disk"),
    hint_on("Load from disk", "load the text from disk; {edit.undo} brings back the text typed here"),
    hint_on("Restore the draft", "continue with the unsaved text; {edit.undo} brings back the file's text"),
    hint_on("Discard the draft", "open the file as it is; {edit.undo} brings back the unsaved text"),
    hint_on("add", "add a line to fill in"),
    hint_on("Write into the file", "put this before the first line of the source"),
    hint_on("this view", "a picture of the window as it is"),
    hint_on("animation", "a moving picture with one frame for each step"),
    hint_on("page for any browser", "one file that steps through the run without this program"),
};

// Returns the label without its value and without a sign of choice in front.
std::string_view plain(std::string_view label) {
    for (const std::string_view sign : {"● ", "○ "})
        if (label.starts_with(sign)) label.remove_prefix(sign.size());
    label = label.substr(0, std::min(label.find(':'), label.find(" (")));
    for (const std::string_view blank : {" ", "\u00a0"})
        while (label.ends_with(blank))
            label.remove_suffix(blank.size());
    return label;
}

}  // namespace

std::string key_hint(std::string_view label) {
    const std::string_view name = plain(label);
    for (const Hint& each : hints)
        if (name == each.label || name == plain(tr(each.label))) return with_keys(each.text);
    if (name.ends_with("steps/s") || name.ends_with("step/s"))
        return with_keys(tr("choose how fast {step.play} plays"));
    if (name.ends_with("ms a step")) return tr("choose how long each step is shown");
    if (name.starts_with("block ")) return key_hint("block");
    return {};
}

}  // namespace lanescope::ui
