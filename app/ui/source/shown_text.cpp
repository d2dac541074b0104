#include "ui/source/shown_text.h"

#include "base/file_kind.h"

namespace lanescope::ui {

const std::string& shown_text(const session::Session& session) {
    const execution::RunResult* run = session.run();
    const std::string& text = session.document().text();
    return run != nullptr && run->source == text ? run->text_of_lines() : text;
}

scene::Language language_of_shown_text(const session::Session& session) {
    const execution::RunResult* run = session.run();
    const bool python = run != nullptr && kind_of(run->lines_file) == FileKind::python;
    return python && &shown_text(session) == &run->lines_text ? scene::Language::python
                                                              : scene::Language::cuda;
}

std::string title_with_source(const session::Session& session) {
    if (&shown_text(session) == &session.document().text() || session.run()->lines_file.empty()) return {};
    return session.document().path().filename().string() + " — " +
           std::filesystem::path(session.run()->lines_file).filename().string();
}

}  // namespace lanescope::ui
