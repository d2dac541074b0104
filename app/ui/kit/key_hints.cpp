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
    {"Done", "end editing; the text stays ({source.edit} or {window.close})"},
    {"Reset", "back to what the file says; {edit.undo} takes it back"},
    {"Save", "write the file ({file.save})"},
    {"Save as", "write it under a name of your own ({file.save_as})"},
    {"PTX", "the compiled instructions beside the source ({source.ptx})"},
    {"heat", "what the bars beside the lines measure"},
    {"executions", "bars beside the lines: how often each ran"},
    {"lanes off", "bars beside the lines: lanes that were off while it ran"},
    {"conflicts", "bars beside the lines: passes that bank conflicts cost"},
    {"sectors", "bars beside the lines: 32-byte sectors a request of it touches"},
    {"×", "close it ({source.ptx})"},
    // Stage and warps
    {"Stage", "memory cells of one block ({stage.threads} changes)"},
    {"Threads", "map of all threads ({stage.threads})"},
    {"Fit", "all 32 lanes in the panel's width; Ctrl + wheel zooms"},
    {"values", "what is written into the cells"},
    {"indices", "what is written into the cells: the index of each"},
    {"banks", "what is written into the cells: the bank of each"},
    {"decimal", "how real numbers are written"},
    {"scientific", "how real numbers are written"},
    {"hex bits", "how real numbers are written"},
    {"colour", "what the colour of a lane tells: its state, or a value"},
    {"label", "which value every lane shows; {watch.add}: one of your own"},
    {"block", "which block the stage, the warps and the timeline show"},
    // Tabs
    {"Variables", "what the pinned thread holds, and watches ({watch.add}: a new one)"},
    {"Access", "banks and sectors that this step's accesses touch"},
    {"Problems", "races, accesses out of bounds and other errors of the run"},
    {"Console", "what the kernel prints"},
    {"Timings", "times on a GPU, beside the libraries ({timings.show})"},
    {"Try", "what to look for, and questions"},
    {"About", "what this lesson explains"},
    {"Form", "parameters, buffers and launches in a form ({form.open})"},
    // Below
    {"Lecture", "large type for a hall ({lecture.toggle})"},
    {"Leave lecture", "back to all panels ({lecture.toggle} or {window.close})"},
    {"rows", "warps, or multiprocessors by the real clock ({timeline.rows})"},
    {"step", "how far one step goes: {step.forward} and {step.back} move by it"},
    {"step instructions", "single PTX instructions: {step.forward} and {step.back} move by one"},
    {"together", "what makes two steps belong together"},
    // Schedules and timings
    {"Try all schedules", "every order in which threads can come ({schedules.explore})"},
    {"Choose who goes next", "thread by thread: a button for each that can go"},
    {"Undo", "takes the last one back"},
    {"Finish", "to the end of this run ({step.last})"},
    {"Start over", "back to before the first turn"},
    {"Measure on this GPU", "times this topic's files and the libraries' on this machine"},
    // Dialogues
    {"Keys", "every key ({help.keys})"},
    {"Close", "closes this ({window.close})"},
    {"Write", "writes the file"},
    {"Overwrite", "writes over the file that is there"},
    {"Cancel", "stops it; what is shown stays"},
    {"Keep mine", "what is typed here stays; {edit.undo} has the disk's text"},
    {"Take the disk's", "the other program's text; {edit.undo} has what was typed here"},
    {"Take it up again", "goes on with that text; {edit.undo} has the file's"},
    {"Leave it", "the file as it is; {edit.undo} has that text"},
    {"add", "one more line to fill in"},
    {"Write into the file", "puts this before the first line of the source"},
    {"this view", "a picture of the window as it is"},
    {"animation", "a moving picture: one frame a step"},
    {"page for any browser", "one file that steps through the run without this program"},
};

// What stands for a value in front of a word, or a sign of choice.
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
    if (name.ends_with("steps/s") || name.ends_with("step/s")) return with_keys("how fast {step.play} plays");
    if (name.ends_with("ms a step")) return "how long each step is shown";
    if (name.starts_with("block ")) return key_hint("block");
    return {};
}

}  // namespace lanescope::ui
