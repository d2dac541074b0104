#include "execution/run/proposed_launch.h"

#include <algorithm>
#include <filesystem>

#include "base/file_kind.h"
#include "base/files.h"
#include "compile/user_headers.h"
#include "execution/proposal/launch_proposal.h"
#include "execution/ptx/kernel_signature.h"
#include "execution/run/launch_arguments.h"
#include "execution/run/ptx_program.h"
#include "lesson/proposal/stated_launch.h"
#include "lesson/suggest.h"
#include "simt/machine/machine.h"
#include "simt/program/kernel_info.h"
#include "trace/recorder.h"

namespace lanescope::execution {

namespace {

namespace fs = std::filesystem;

// Runs launches to see what they touch. The limit is in instructions, so that a proposal is the same on every
// machine; the time is a last resort.
class Trials {
  public:
    Trials(std::shared_ptr<const simt::Program> program, const std::map<std::string, std::string>& symbols,
           const std::string& file)
        : program_(std::move(program)), kernels_(simt::kernels(*program_)), symbols_(symbols), file_(file) {}

    const std::vector<simt::KernelInfo>& kernels() const { return kernels_; }

    Result<TrialRun> run(const lesson::FrontMatter& front) {
        Result<lesson::Instance> instance = lesson::instantiate(front, {}, file_);
        if (!instance) return instance.diagnostics();
        simt::Limits limits;
        limits.warp_instructions = std::min(most_each, left_);
        limits.seconds = 2;
        simt::Machine machine(program_, limits, {});
        std::map<std::string, simt::DeviceAddress> addresses;
        for (const lesson::BufferInstance& buffer : instance->buffers) {
            Result<simt::DeviceAddress> address = place(machine, buffer);
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
        TrialRun made;
        const lesson::LaunchInstance& launch = instance->launches.front();
        Result<PreparedLaunch> prepared = prepare_launch(launch, *instance, kernels_, symbols_, file_);
        if (!prepared) return prepared.diagnostics();
        const simt::Outcome outcome =
            machine.launch(machine_launch(launch, std::move(*prepared), address_of));
        left_ -= std::min(left_, outcome.warp_instructions);
        made.ended = outcome.ending == simt::Ending::finished || outcome.ending == simt::Ending::faulted;
        made.warp_instructions = outcome.warp_instructions;
        made.problems = machine.problems();
        made.dynamic_shared_bytes = launch.shared_bytes;
        made.trace = recorder.finish();
        return made;
    }

  private:
    static Result<simt::DeviceAddress> place(simt::Machine& machine, const lesson::BufferInstance& buffer) {
        if (buffer.space != "global") {
            const Result<simt::Machine::SymbolAddress> found = machine.symbol(buffer.name);
            if (!found) return found.diagnostics();
            return found->address;
        }
        trace::Symbol symbol;
        symbol.name = buffer.name;
        symbol.size_bytes = buffer.count * buffer.element_bytes;
        symbol.buffer = true;
        const std::uint64_t size_bytes = symbol.size_bytes;
        return machine.allocate(size_bytes, std::move(symbol));
    }

    static constexpr std::uint64_t most_each = 4'000'000;
    std::uint64_t left_ = 3 * most_each;  // warp instructions of all trials
    std::shared_ptr<const simt::Program> program_;
    const std::vector<simt::KernelInfo> kernels_;
    const std::map<std::string, std::string>& symbols_;
    const std::string& file_;
};

Result<Proposal> propose(const KernelText& text, const std::string& shown, const std::string& symbol,
                         const ptx::Module& module, const ptx::DebugInfo& debug, Trials& trials) {
    const ptx::Function* function = module.find_function(symbol);
    if (function == nullptr || !function->has_body)
        return error_at(text.file, 0, 0, "the compiled code has no kernel '" + shown + "'");
    const TryLaunch attempt = [&](const lesson::FrontMatter& wanted) { return trials.run(wanted); };
    return propose_launch({module, *function, debug, shown}, text, attempt);
}

// The symbol of a kernel that the source names without template arguments.
std::string symbol_of(const std::string& kernel, const compile::Output& compiled, const Trials& trials) {
    if (const auto known = compiled.symbols.find(kernel); known != compiled.symbols.end())
        return known->second;
    for (const simt::KernelInfo& each : trials.kernels())
        if (each.name == kernel) return each.symbol;
    return kernel;
}

bool launches_in(const std::string& text) {
    return text.find("<<<") != std::string::npos;
}

// Programs in the file's folder and the one above, which may include it.
std::vector<fs::path> programs_beside(const fs::path& file) {
    constexpr int most_entries = 4096;
    std::vector<fs::path> programs;
    std::error_code failed;
    for (const fs::path& folder : {file.parent_path(), file.parent_path().parent_path()}) {
        int entries = 0;
        for (fs::directory_iterator each(folder, failed), end; !failed && each != end;
             each.increment(failed)) {
            if (++entries > most_entries) break;
            if (each->path().extension() == ".cu" && each->path() != file) programs.push_back(each->path());
        }
    }
    std::sort(programs.begin(), programs.end());
    return programs;
}

// A header of kernels has no launches: those of a program that includes it say how it is used.
void add_program_of(const fs::path& file, const std::vector<fs::path>& more,
                    std::vector<lesson::SourceText>& texts) {
    constexpr std::size_t most_programs = 64;
    constexpr std::uint64_t most_bytes = 1u << 20;
    std::size_t read = 0;
    for (const fs::path& program : programs_beside(file)) {
        if (++read > most_programs) return;
        const Result<std::string> text = read_text_file(program, most_bytes);
        if (!text || !launches_in(*text)) continue;
        compile::UserHeaders headers = compile::find_user_headers(*text, program.parent_path(), more);
        std::error_code failed;
        const auto own = [&](const compile::NamedText& each) {
            return fs::equivalent(each.shown, file, failed);
        };
        if (std::none_of(headers.headers.begin(), headers.headers.end(), own)) continue;
        texts.push_back({program.string(), *text, true});
        for (compile::NamedText& header : headers.headers)
            if (!own(header)) texts.push_back({header.shown, std::move(header.text), true});
        return;
    }
}

lesson::SourceRequest source_request(const std::string& source, const std::string& file,
                                     const Opening& opening) {
    lesson::SourceRequest request{{{file, source}}, opening.flags.definitions, opening.kernel};
    std::error_code failed;
    const fs::path path = fs::absolute(file, failed);
    const std::vector<fs::path> more(opening.flags.include_folders.begin(),
                                     opening.flags.include_folders.end());
    for (compile::NamedText& header : compile::find_user_headers(source, path.parent_path(), more).headers)
        request.texts.push_back({header.shown, std::move(header.text)});
    if (std::none_of(request.texts.begin(), request.texts.end(),
                     [](const lesson::SourceText& each) { return launches_in(each.text); }))
        add_program_of(path, more, request.texts);
    return request;
}

std::string other_kernels(const std::vector<std::string>& kernels) {
    std::string names;
    for (const std::string& each : kernels)
        names += (names.empty() ? "" : ", ") + each;
    return "the file has " + std::to_string(kernels.size()) + " kernels: " + names +
           "; --kernel NAME proposes a launch for another one";
}

}  // namespace

Result<ProposedLaunch> propose_for_source(const std::string& source, const std::string& file,
                                          const Opening& opening, const std::string& newest) {
    const Result<lesson::StatedParts> parts = lesson::parts_of(opening.launch);
    if (!parts) return parts.diagnostics();
    const Result<lesson::StatedLaunches> stated =
        lesson::stated_launches(source_request(source, file, opening));
    if (!stated) return stated.diagnostics();
    std::optional<Diagnostics> refusal;
    for (const lesson::StatedLaunch& each : stated->launches) {
        compile::Options options;
        options.flags = opening.flags;
        options.newest = newest;
        if (options.flags.arch.empty()) options.flags.arch = newest;
        if (each.of_template()) options.instantiations = {each.kernel};
        ProposedLaunch made;
        Result<compile::Output> compiled = compile::compile(source, file, options);
        if (!compiled) return compiled.diagnostics();
        made.compiled = std::move(*compiled);
        Result<LoadedCode> loaded = load_code(made.compiled, file, source, each.kernel);
        if (!loaded) return loaded.diagnostics();
        made.code = std::move(*loaded);
        Trials trials(made.code.program, made.compiled.symbols, file);
        const KernelText text{file, source, &each, *parts};
        Result<Proposal> proposal = propose(text, each.kernel, symbol_of(each.kernel, made.compiled, trials),
                                            *made.code.module, made.code.debug, trials);
        if (!proposal) {
            if (!refusal) refusal = proposal.diagnostics();
            continue;
        }
        made.proposal = std::move(*proposal);
        lesson::FrontMatter& front = made.proposal.front;
        front.compiler.arch = opening.flags.arch.empty() ? compile::newest_target : opening.flags.arch;
        front.proposal.kernels = stated->kernels;
        if (!each.host_file.empty())
            front.proposal.notes.push_back("the launch is that of " +
                                           fs::path(each.host_file).filename().string());
        if (stated->kernels.size() > 1 && opening.kernel.empty())
            front.proposal.notes.push_back(other_kernels(stated->kernels));
        return made;
    }
    return *refusal;
}

Result<Proposal> propose_for_ptx(const PtxProgram& ptx, const std::string& text, const std::string& file,
                                 const Opening& opening) {
    const std::string& kernel = opening.kernel;
    const Result<lesson::StatedParts> parts = lesson::parts_of(opening.launch);
    if (!parts) return parts.diagnostics();
    const std::vector<KernelName> names = kernel_names(ptx.file.module);
    std::vector<std::string> known;
    for (const KernelName& each : names)
        known.push_back(each.shown);
    const auto wanted = std::find_if(names.begin(), names.end(), [&](const KernelName& each) {
        return kernel.empty() || each.shown == kernel || each.symbol == kernel;
    });
    if (wanted == names.end())
        return error_at(file, 0, 0, "no kernel is named '" + kernel + "'", lesson::suggestion(kernel, known));
    const compile::Output compiled = output_of(ptx, text);
    Trials trials(ptx.program, compiled.symbols, file);
    Result<Proposal> made =
        propose({file, ptx.file.own_lines() ? std::string() : ptx.file.source, nullptr, *parts},
                wanted->shown, wanted->symbol, ptx.file.module, ptx.file.debug, trials);
    if (!made) return made;
    made->front.title.clear();
    made->front.proposal.kernels = known;
    if (known.size() > 1 && kernel.empty()) made->front.proposal.notes.push_back(other_kernels(known));
    return made;
}

Result<void> check_kernel_choice(const lesson::FrontMatter& front, const std::string& file,
                                 const Opening& opening) {
    const std::string stated = opening.launch.first();
    if (!front.present || (opening.kernel.empty() && stated.empty())) return {};
    const std::string what = stated.empty() ? "--kernel chooses a kernel to propose a launch for, but "
                                            : stated + " states a part of a proposed launch, but ";
    const std::string hint = stated.empty() ? "leave out --kernel, or change kernel in [[launch]]"
                                            : "leave out " + stated + "; --set changes the file's parameters";
    if (!front.file.empty()) return error(what + front.file + " states its launches", hint);
    return error_at(file, front.first_line, 0, what + "the file states its launches", hint);
}

Result<lesson::FrontMatter> front_matter_of(const std::string& source, const std::string& file,
                                            const Opening& opening, bool& proposed) {
    if (kind_of(file) == FileKind::ptx) {
        const Result<PtxProgram> ptx = load_ptx(source, file);
        if (!ptx) return ptx.diagnostics();
        Result<Proposal> made = ptx_front_matter(*ptx, source, file, opening, proposed);
        if (!made) return made.diagnostics();
        return std::move(made->front);
    }
    Result<lesson::FrontMatter> front = lesson::parse_front_matter(source, file);
    if (!front) return front;
    if (Result<void> fits = check_kernel_choice(*front, file, opening); !fits) return fits.diagnostics();
    if (front->present) return front;
    proposed = true;
    Result<ProposedLaunch> made = propose_for_source(source, file, opening, compile::newest_target);
    if (!made) return made.diagnostics();
    return std::move(made->proposal.front);
}

}  // namespace lanescope::execution
