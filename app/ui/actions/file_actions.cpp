#include "base/file_kind.h"
#include "base/language.h"
#include "compile/compiler.h"
#include "ui/actions/groups.h"
#include "ui/state/link.h"

namespace lanescope::ui {
namespace {

using namespace session;

void open_dialog(Dialog which, Requests& requests) {
    requests.change(
        [which](WindowState& window) { window.dialog = window.dialog == which ? Dialog::none : which; });
}

// Sends the command after the text that is being typed, which the session does not have yet.
void send(const Place& place, Command command, Requests& requests) {
    const bool typing = place.window.source.typing;
    (typing ? requests.after_typing : requests.commands).push_back(std::move(command));
}

// A lesson, or the source in a trace, is saved under a new name.
void save(const Place& place, Requests& requests) {
    const Session& session = place.session;
    if (session.of_course() || kind_of(session.document().path()) == FileKind::trace)
        requests.change([](WindowState& window) { window.dialog = Dialog::save_as; });
    else
        send(place, SaveSource{session.document().path()}, requests);
}

std::string nothing_to_undo(const Place& place) {
    const bool something = !place.session.document().undo_label().empty() || place.window.notes.changed ||
                           place.window.source.typing;
    return something ? "" : tr("There is nothing to undo in this file.");
}

std::string nothing_to_redo(const Place& place) {
    const bool something = !place.session.document().redo_label().empty() || place.window.source.typing;
    return something ? "" : tr("There is nothing to redo in this file.");
}

std::string needs_changes(const Place& place) {
    const std::string no_source = needs_source(place);
    if (!no_source.empty()) return no_source;
    return place.session.document().edited() ? std::string() : tr("The source has no changes.");
}

bool no_question(const Place& place) {
    return place.session.document().question().kind == Question::Kind::none;
}

bool draft_found(const Place& place) {
    return place.session.document().question().kind == Question::Kind::draft_found;
}

bool file_is_gone(const Place& place) {
    return place.session.document().question().kind == Question::Kind::gone;
}

constexpr Layers chords_without_inputs = Layers(outside_preview & ~Layers(Layer::typing));

std::vector<Action> answers() {
    return {
        {.id = "question.first",
         .title = "Keep mine",
         .help = "keeps the text that was typed here",
         .group = Group::files,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(AnswerQuestion{true}); },
         .title_now = [](const Place& place) -> std::string {
             return draft_found(place)    ? tr("Restore the draft")
                    : file_is_gone(place) ? tr("Save the file again")
                                          : tr("Keep mine");
         },
         .menu = 1,
         .hidden = no_question},
        {.id = "question.second",
         .title = "Load the file from disk",
         .help = "loads the file's text",
         .group = Group::files,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(AnswerQuestion{false}); },
         .title_now = [](const Place& place) -> std::string {
             return draft_found(place)    ? tr("Discard the draft")
                    : file_is_gone(place) ? tr("Keep the text here")
                                          : tr("Load the file from disk");
         },
         .menu = 2,
         .hidden = no_question},
    };
}

std::vector<Action> resets() {
    return {
        {.id = "source.reset",
         .title = "Reset to the file",
         .help = "restores the file's text",
         .group = Group::files,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(RevertSource{}); },
         .why_not = needs_changes,
         .title_now = [](const Place& place) -> std::string {
             return place.session.of_course() ? tr("Reset to the lesson") : tr("Reset to the file");
         },
         .menu = 10},
        {.id = "parameters.reset",
         .title = "Reset the parameters",
         .help = "sets the parameters to the file's values",
         .group = Group::files,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(ResetParameters{}); },
         .why_not = needs_source,
         .menu = 11},
    };
}

std::vector<Action> history_actions() {
    return {
        {.id = "edit.undo",
         .title = "Undo",
         .help = "undo in this file",
         .group = Group::files,
         .keys = {control(U'z')},
         .heard = chords_without_inputs,
         .run = [](const Place& place, Requests& requests) { send(place, Undo{}, requests); },
         .why_not = nothing_to_undo,
         .title_now = [](const Place& place) -> std::string {
             const std::string what =
                 place.window.notes.changed ? "note" : place.session.document().undo_label();
             return what.empty() ? tr("Undo") : "Undo: " + what;
         },
         .menu = 7},
        {.id = "edit.redo",
         .title = "Redo",
         .help = "redo: edits, notes, parameters, resets, the engine",
         .group = Group::files,
         .keys = {control(U'y')},
         .heard = chords_without_inputs,
         .run = [](const Place& place, Requests& requests) { send(place, Redo{}, requests); },
         .why_not = nothing_to_redo,
         .title_now = [](const Place& place) -> std::string {
             const std::string what = place.session.document().redo_label();
             return what.empty() ? tr("Redo") : "Redo: " + what;
         },
         .menu = 8,
         .unlisted = {control(U'z', true)},
         .with_previous = true},
    };
}

std::vector<Action> link_actions() {
    return {
        {.id = "file.link",
         .title = "Copy a link to this",
         .help = "copies a link that opens this file at this step and view",
         .group = Group::files,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.copied = place.window.web_address + "?" + link_query(place.session, place.window);
                 requests.change([](WindowState& window) {
                     window.notice = {tr("The link is in the clipboard."), window.now_s + notice_s};
                 });
             },
         .why_not = needs_file,
         .menu = 37,
         .hidden = [](const Place& place) { return place.window.web_address.empty(); }},
    };
}

std::vector<Action> compiler_actions() {
    return {
        {.id = "compiler.get",
         .title = "Get the compiler (NVRTC) …",
         .help = "gets NVRTC, which compiles files of your own",
         .group = Group::files,
         .run = [](const Place&, Requests& requests) { open_dialog(Dialog::get_compiler, requests); },
         .why_not = [](const Place&) -> std::string {
             return compile::toolkit_is_installed() ? tr("NVRTC is installed already.") : "";
         }},
    };
}

using Stand = HostCode::Stand;

std::string why_no_program(const Place& place) {
    switch (place.session.host_code().stand()) {
        case Stand::no_program:
            return tr(
                "Only a .cu file with a function main is a program; an edited lesson runs its kernels "
                "alone.");
        case Stand::forbidden:
            return "--no-host-code was given: no host code runs in this window.";
        case Stand::no_compiler:
            return to_text(place.session.host_code().missing().front());
        default:
            return {};
    }
}

std::vector<Action> program_actions() {
    return {
        {.id = "program.run",
         .title = "Run the program …",
         .help = "runs the host code of a file with main(), with arguments",
         .group = Group::files,
         .run =
             [](const Place& place, Requests& requests) {
                 const HostCode& code = place.session.host_code();
                 if (!code.of_course()) return open_dialog(Dialog::run_program, requests);
                 // It came with this program and needs no consent.
                 requests.commands.push_back(RunProgram{code.request().arguments, code.request().check});
                 requests.set(&WindowState::inspector, &InspectorState::tab, InspectorTab::host);
             },
         .why_not = why_no_program,
         .title_now = [](const Place& place) -> std::string {
             return place.session.host_code().runs() ? tr("Run the program again …")
                                                     : tr("Run the program …");
         },
         .hidden = [](const Place& place) { return place.session.host_code().stand() == Stand::no_program; }},
        {.id = "program.kernels",
         .title = "Kernels only",
         .help = "shows the kernels of a program alone, with a proposed launch",
         .group = Group::files,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(DeclineProgram{}); },
         .why_not = [](const Place& place) -> std::string {
             return place.session.host_code().runs() ? "" : tr("The kernels are shown alone already.");
         },
         .hidden = [](const Place& place) { return !place.session.host_code().runs(); }},
    };
}

}  // namespace

std::vector<Action> file_actions() {
    std::vector<Action> all = {
        {.id = "file.find",
         .title = "Find …",
         .help = "find anything: lessons, files, parameters (n = 64), tabs, commands",
         .group = Group::files,
         .keys = {control(U'p')},
         .heard = all_layers,
         .run = [](const Place&, Requests& requests) { open_dialog(Dialog::palette, requests); },
         .menu = 3,
         .hidden = [](const Place& place) { return place.window.dialog == Dialog::palette; }},
        {.id = "file.open",
         .title = "Open …",
         .help = "open a .cu file, a saved .trace or an image",
         .group = Group::files,
         .keys = {control(U'o')},
         .heard = all_layers,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.dialog = Dialog::open_file; });
             },
         .menu = 4},
        {.id = "file.save",
         .title = "Save",
         .help = "save",
         .group = Group::files,
         .keys = {control(U's')},
         .heard = outside_preview,
         .run = save,
         .why_not = needs_file,
         .menu = 5},
        {.id = "file.save_as",
         .title = "Save as …",
         .help = "save under another name",
         .group = Group::files,
         .keys = {control(U's', true)},
         .heard = outside_preview,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.dialog = Dialog::save_as; });
             },
         .why_not = needs_file,
         .menu = 6,
         .with_previous = true},
    };
    const std::vector<Action> form = {
        {.id = "form.open",
         .title = "Parameters, buffers, launches …",
         .help = "edit parameters, buffers and launches in a form",
         .group = Group::files,
         .keys = {control(U'f')},
         .heard = outside_preview,
         .run = [](const Place&, Requests& requests) { open_dialog(Dialog::form, requests); },
         .why_not = [](const Place& place) -> std::string {
             return place.session.host_code().runs() ? needs_source(place) : needs_file(place);
         },
         .menu = 9},
    };
    for (const auto& more : {history_actions(), form, resets(), link_actions(), compiler_actions(),
                             program_actions(), answers()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace lanescope::ui
