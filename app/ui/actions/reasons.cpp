#include "base/file_kind.h"
#include "base/language.h"
#include "ui/actions/groups.h"
#include "ui/actions/table.h"

namespace lanescope::ui {

std::string needs_file(const Place& place) {
    return place.session.document().path().empty()
               ? with_keys(tr("No file is open. Press {file.open} to open one."))
               : std::string();
}

std::string needs_source(const Place& place) {
    if (kind_of(place.session.document().path()) == FileKind::trace)
        return tr("A recorded trace cannot run again. Open a .cu file.");
    if (place.session.host_code().runs())
        return "A launch of a program runs as the program calls it. \"Kernels only\" shows its kernels "
               "alone.";
    return needs_file(place);
}

std::string needs_run(const Place& place) {
    if (place.session.run() != nullptr) return {};
    if (place.session.runner().busy()) return tr("The first run has not ended yet. Wait for it.");
    const std::string no_file = needs_file(place);
    return no_file.empty() ? "This file has not run yet. The tab Problems says why." : no_file;
}

std::string needs_steps(const Place& place) {
    if (!place.session.playhead().steps().empty()) return {};
    const std::string no_run = needs_run(place);
    return no_run.empty() ? "No step of this block was recorded. Choose another block." : no_run;
}

}  // namespace lanescope::ui
