#include "commands/options/dump_option.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "session/report/dump.h"

namespace lanescope {

void add_dump_option(CLI::App& app, std::vector<std::string>& dumps) {
    app.add_option(
           "--dump", dumps,
           "write a whole buffer to a file: out=out.npy (NumPy), out=out.csv, out=out.bin (its bytes);\n"
           "out@12=out.npy: as it is after step 12, also an array in shared memory;\n"
           "of a program, a buffer of the recorded launch, by its name or an address in it")
        ->type_name("NAME[@STEP]=FILE")
        ->expected(1)
        ->take_all();
}

Result<void> add_dumps(std::vector<Output>& outputs, const std::vector<std::string>& dumps) {
    for (const std::string& text : dumps) {
        Result<session::DumpRequest> request = session::parse_dump(text);
        if (!request) return request.diagnostics();
        outputs.push_back(
            {"--dump", std::move(request->file), {FileKind::npy, FileKind::csv, FileKind::bytes}});
    }
    return {};
}

Result<void> write_dumps(const execution::RunResult& result, const std::vector<std::string>& dumps) {
    for (const std::string& text : dumps) {
        const Result<session::DumpRequest> request = session::parse_dump(text);
        if (!request) return request.diagnostics();
        const Result<std::string> note = session::write_dump(result, *request);
        if (!note) return note.diagnostics();
        if (note->empty()) continue;
        Diagnostic told = error(*note);
        told.severity = Severity::note;
        std::cerr << to_text(told) << '\n';
    }
    return {};
}

}  // namespace lanescope
