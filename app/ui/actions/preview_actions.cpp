#include "base/language.h"
#include "ui/actions/groups.h"
#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

std::string needs_preview(const Place& place) {
    return place.window.preview.open
               ? std::string()
               : with_keys(tr("This works only in the preview. Press {preview.toggle} to open it."));
}

std::string needs_editor(const Place& place) {
    const std::string no_page = needs_preview(place);
    if (!no_page.empty()) return no_page;
    return place.window.preview.editing
               ? std::string()
               : with_keys(tr("The kernel's source is closed. Press {preview.edit} to open it."));
}

bool outside(const Place& place) {
    return !place.window.preview.open;
}

template <PreviewCommand command>
void ask(const Place&, Requests& requests) {
    requests.preview.push_back(command);
}

// The list of keys omits these keys: it has them for the panels' actions that do the same.
Action on_page(std::string_view id, std::string_view title, std::string_view help, std::vector<Chord> keys,
               void (*run)(const Place&, Requests&), Effect effect = Effect::view) {
    return {.id = id,
            .title = title,
            .help = help,
            .group = Group::preview,
            .heard = Layers(Layer::preview),
            .effect = effect,
            .run = run,
            .why_not = needs_preview,
            .unlisted = std::move(keys),
            .hidden = outside};
}

Action in_editor(std::string_view id, std::string_view title, std::string_view help, Chord key,
                 void (*run)(const Place&, Requests&)) {
    Action action = on_page(id, title, help, {key}, run);
    action.heard = Layer::preview | Layer::preview_typing;
    action.why_not = needs_editor;
    return action;
}

// With the editor open the kernel, otherwise the filtered image.
Action save_what_is_open() {
    Action action =
        on_page("preview.save", "Save the result as PNG …", "write the filtered image, or the kernel",
                {control(U's')}, [](const Place& place, Requests& requests) {
                    requests.preview.push_back(place.window.preview.editing ? PreviewCommand::save
                                                                            : PreviewCommand::save_result);
                });
    action.heard = Layer::preview | Layer::preview_typing;
    action.title_now = [](const Place& place) -> std::string {
        return place.window.preview.editing ? tr("Save the kernel") : tr("Save the result as PNG …");
    };
    action.hidden = [](const Place& place) { return !place.window.preview.editing; };  // X is in the menu
    return action;
}

}  // namespace

std::vector<Action> preview_actions() {
    using enum PreviewCommand;
    Action redo_kernel =
        in_editor("preview.redo", "Redo in the kernel", "redoes what was undone", control(U'y'), ask<redo>);
    redo_kernel.unlisted.push_back(control(U'z', true));
    Action result = on_page("preview.save_result", "Save the result as PNG …", "write the filtered image",
                            {typed(U'x'), control(U'e')}, ask<save_result>);
    result.menu = 36;
    return {
        {.id = "preview.toggle",
         .title = "Preview of image convolutions",
         .help = "preview of image convolutions, and back",
         .group = Group::preview,
         .keys = {typed(U'i')},
         .heard = on_panels | Layer::preview,
         .run = ask<toggle>,
         .title_now = [](const Place& place) -> std::string {
             return place.window.preview.open ? tr("Back to the lessons")
                                              : tr("Preview of image convolutions");
         },
         .menu = 21},
        on_page("preview.edit", "Edit the kernel", "edit the kernel's source", {typed(U'e')}, ask<edit>,
                Effect::input),
        on_page("preview.engine", "Run the kernel on the GPU, or on the CPU machine",
                "run on the GPU, or on the CPU machine", {typed(U'g')}, ask<engine>, Effect::run),
        result,
        on_page("preview.fit", "The whole picture", "the whole picture", {typed(U'0')}, ask<fit>),
        save_what_is_open(),
        in_editor("preview.save_as", "Save the kernel as …", "write the kernel under another name",
                  control(U's', true), ask<save_as>),
        in_editor("preview.undo", "Undo in the kernel", "undoes what was typed", control(U'z'), ask<undo>),
        redo_kernel,
    };
}

}  // namespace lanescope::ui
