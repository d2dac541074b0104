#include "execution/run/ptx_program.h"

#include <filesystem>

#include "base/files.h"
#include "execution/ptx/kernel_signature.h"
#include "simt/decode/load.h"

namespace lanescope::execution {

namespace {

namespace fs = std::filesystem;

}  // namespace

Result<PtxProgram> load_ptx(const std::string& text, const std::string& file) {
    Result<PtxFile> opened = open_ptx(text, file);
    if (!opened) return opened.diagnostics();
    name_buffer_types(opened->debug.types);
    PtxProgram made;
    made.file = std::move(*opened);
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(made.file.module, made.file.debug, text, made.file.user_file, made.file.source);
    if (!program) return program.diagnostics();
    made.program = std::move(*program);
    return made;
}

compile::Output output_of(const PtxProgram& ptx, const std::string& text) {
    compile::Output made;
    made.ptx = text;
    made.target = ptx.file.target;
    made.user_file = ptx.file.user_file;
    for (const KernelName& each : kernel_names(ptx.file.module))
        made.symbols[each.shown] = each.symbol;
    return made;
}

Result<Proposal> ptx_front_matter(const PtxProgram& ptx, const std::string& text, const std::string& file,
                                  const Opening& opening, bool& proposed) {
    if (!opening.flags.arch.empty() || !opening.flags.standard.empty() ||
        !opening.flags.definitions.empty() || !opening.flags.include_folders.empty())
        return error(file + " is PTX, which is compiled already", "leave out -I, -D, --std and --arch");
    Result<lesson::FrontMatter> front = lesson::parse_front_matter(text, file);
    if (!front) return front.diagnostics();
    const fs::path beside = fs::path(file).replace_extension(".toml");
    std::error_code failed;
    if (!front->present && fs::is_regular_file(beside, failed)) {
        const Result<std::string> toml = read_text_file(beside);
        if (!toml) return toml.diagnostics();
        front = lesson::parse_front_matter_file(*toml, beside.string());
        if (!front) return front.diagnostics();
    }
    if (Result<void> fits = check_kernel_choice(*front, file, opening); !fits) return fits.diagnostics();
    if (front->present) return Proposal{std::move(*front), {}};
    proposed = true;
    return propose_for_ptx(ptx, text, file, opening);
}

}  // namespace lanescope::execution
