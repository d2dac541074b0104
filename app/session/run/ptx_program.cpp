#include "session/run/ptx_program.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "session/ptx/kernel_signature.h"
#include "session/ptx/ptx_proposal.h"
#include "simt/decode/load.h"
#include "simt/machine/machine.h"
#include "trace/recorder.h"
#include "trace/replay.h"

namespace lanescope::session {

namespace {

namespace fs = std::filesystem;

// Types that a buffer may have, which describe it in the trace.
void name_buffer_types(TypeTable& types) {
    for (const std::string scalar :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
        for (const char* components : {"", "2", "3", "4"})
            (void)types.named(scalar + components);
}

// Runs a proposed launch to see what it touches.
class PtxTrial {
  public:
    PtxTrial(const PtxProgram& ptx, const compile::Output& compiled, const std::string& file)
        : ptx_(ptx), compiled_(compiled), file_(file) {}

    Result<Touched> run(const lesson::FrontMatter& front) const {
        Result<lesson::Instance> instance = lesson::instantiate(front, {}, file_);
        if (!instance) return instance.diagnostics();
        simt::Limits limits;
        limits.warp_instructions = 3'000'000;
        limits.seconds = 3;
        simt::Machine machine(ptx_.program, limits, {});
        std::map<std::string, simt::DeviceAddress> addresses;
        for (const lesson::BufferInstance& buffer : instance->buffers) {
            trace::Symbol symbol;
            symbol.name = buffer.name;
            symbol.size_bytes = buffer.count * buffer.element_bytes;
            symbol.buffer = true;
            const std::uint64_t size_bytes = symbol.size_bytes;
            Result<simt::DeviceAddress> address = machine.allocate(size_bytes, std::move(symbol));
            if (!address) return address.diagnostics();
            addresses[buffer.name] = *address;
        }
        const AddressOf address_of = [&](const std::string& name) { return addresses.at(name); };
        for (const lesson::BufferInstance& buffer : instance->buffers) {
            std::vector<std::byte> contents = buffer.contents;
            put_addresses(contents, buffer.addresses, address_of);
            if (contents.empty()) continue;
            if (Result<void> written = machine.write(addresses.at(buffer.name), contents); !written)
                return written.diagnostics();
        }
        trace::Recorder recorder({256u << 20});
        machine.record_into(&recorder);
        Touched touched;
        for (const lesson::LaunchInstance& launch : instance->launches) {
            Result<PreparedLaunch> prepared =
                prepare_launch(launch, *instance, simt::kernels(*ptx_.program), compiled_.symbols, file_);
            if (!prepared) return prepared.diagnostics();
            const simt::Outcome outcome =
                machine.launch(machine_launch(launch, std::move(*prepared), address_of));
            if (outcome.ending != simt::Ending::finished) touched.problem = "the run did not end";
        }
        for (const trace::Problem& problem : machine.problems())
            if (!problem.note && problem.kind != trace::ProblemKind::uninitialised) {
                touched.problem = problem.message;
                break;
            }
        measure(*recorder.finish(), instance->launches.front().shared_bytes, touched);
        return touched;
    }

  private:
    static void measure(const trace::Trace& trace, std::uint64_t dynamic_bytes, Touched& touched) {
        const std::uint64_t dynamic_begin =
            trace.launches.empty() ? 0 : trace.launches.front().shared_bytes - dynamic_bytes;
        trace::TurnDetail detail;
        for (std::uint64_t turn = 0; turn < trace.turns.size(); ++turn) {
            trace::decode(trace, turn, detail);
            for (const trace::Access& access : detail.accesses)
                for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                    if ((access.mask >> lane & 1) == 0) continue;
                    const std::uint64_t end = access.offset[lane] + access.width_bytes;
                    if (access.space == trace::Space::shared && dynamic_bytes > 0 && end > dynamic_begin)
                        touched.shared_bytes = std::max(touched.shared_bytes, end - dynamic_begin);
                    if (access.space == trace::Space::global) reach(trace, access.offset[lane], end, touched);
                }
        }
    }

    static void reach(const trace::Trace& trace, std::uint64_t begin, std::uint64_t end, Touched& touched) {
        for (const trace::Symbol& symbol : trace.symbols)
            if (symbol.buffer && symbol.space == trace::Space::global && begin >= symbol.offset &&
                begin < symbol.offset + symbol.size_bytes) {
                std::uint64_t& bytes = touched.bytes[symbol.name];
                bytes = std::max(bytes, end - symbol.offset);
            }
    }

    const PtxProgram& ptx_;
    const compile::Output& compiled_;
    const std::string& file_;
};

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

Result<lesson::FrontMatter> ptx_front_matter(const PtxProgram& ptx, const std::string& text,
                                             const std::string& file, const Opening& opening,
                                             bool& proposed) {
    if (!opening.flags.arch.empty() || !opening.flags.standard.empty() ||
        !opening.flags.definitions.empty() || !opening.flags.include_folders.empty())
        return error(file + " is PTX, which is compiled already", "leave out -I, -D, --std and --arch");
    Result<lesson::FrontMatter> front = lesson::parse_front_matter(text, file);
    if (!front) return front;
    const fs::path beside = fs::path(file).replace_extension(".toml");
    std::error_code failed;
    if (!front->present && fs::is_regular_file(beside, failed)) {
        const Result<std::string> toml = read_text_file(beside);
        if (!toml) return toml.diagnostics();
        front = lesson::parse_front_matter_file(*toml, beside.string());
        if (!front) return front;
    }
    if (front->present && !opening.kernel.empty())
        return error("--kernel chooses a kernel to propose a launch for, but " +
                         (front->file.empty() ? file : front->file) + " states its launches",
                     "leave out --kernel, or change kernel in [[launch]]");
    if (front->present) return front;
    proposed = true;
    const compile::Output compiled = output_of(ptx, text);
    const PtxTrial trial(ptx, compiled, file);
    return propose_ptx_launch(ptx.file, file, opening.kernel,
                              [&](const lesson::FrontMatter& wanted) { return trial.run(wanted); });
}

}  // namespace lanescope::session
