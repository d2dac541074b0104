#include "preview/cpu_pass.h"

#include <algorithm>
#include <cstring>

#include "ptx/parser.h"
#include "session/run/launch_arguments.h"
#include "simt/block_range.h"

namespace lanescope::preview {

Result<std::shared_ptr<const CpuCode>> compile_for_cpu(const KernelFile& kernel, const Fit& fit) {
    auto code = std::make_shared<CpuCode>();
    compile::Options options;
    options.code = compile::Code::optimized;
    for (const lesson::LaunchInstance& launch : fit.instance.launches)
        if (launch.kernel.find('<') != std::string::npos) options.instantiations.push_back(launch.kernel);
    Result<compile::Output> compiled = compile::compile(kernel.source, kernel.file, options);
    if (!compiled) return compiled.diagnostics();
    code->compiled = std::move(*compiled);
    const Result<ptx::Module> module = ptx::parse(code->compiled.ptx, kernel.file + " (PTX)");
    if (!module) return module.diagnostics();
    Result<ptx::DebugInfo> debug = ptx::read_debug_info(*module, code->compiled.user_file, nullptr);
    if (!debug) return debug.diagnostics();
    for (const lesson::BufferInstance& buffer : fit.instance.buffers)
        debug->types.named(buffer.type);
    code->types = debug->types;
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, *debug, code->compiled.ptx, code->compiled.user_file, kernel.source);
    if (!program) {
        Diagnostics problems = program.diagnostics();
        for (Diagnostic& problem : problems)  // the compiler knows the file by another name
            if (problem.file == code->compiled.user_file) problem.file = kernel.file;
        return problems;
    }
    code->program = std::move(*program);
    code->kernels = simt::kernels(*code->program);
    return std::shared_ptr<const CpuCode>(std::move(code));
}

CpuPass::CpuPass(std::shared_ptr<const CpuCode> code, std::shared_ptr<const Fit> fit,
                 const simt::Limits& limits)
    : code_(std::move(code)),
      fit_(std::move(fit)),
      machine_(code_->program, limits, {}),
      types_(code_->types) {}

Result<std::unique_ptr<CpuPass>> CpuPass::make(std::shared_ptr<const CpuCode> code,
                                               std::shared_ptr<const Fit> fit, const std::string& file,
                                               const std::vector<float>& plane, std::uint64_t rows,
                                               std::uint64_t columns, const Mask& mask, double seconds) {
    simt::Limits limits;
    limits.seconds = seconds;
    limits.warp_instructions = 1'000'000'000'000;  // time is the limit of an image
    limits.memory_bytes = 6ull << 30;
    std::unique_ptr<CpuPass> pass(new CpuPass(std::move(code), std::move(fit), limits));
    if (const Result<void> made = pass->make_buffers(plane, rows, columns, mask); !made)
        return made.diagnostics();
    if (const Result<void> made = pass->prepare_launches(file); !made) return made.diagnostics();
    return pass;
}

Result<void> CpuPass::make_buffers(const std::vector<float>& plane, std::uint64_t rows, std::uint64_t columns,
                                   const Mask& mask) {
    const std::vector<lesson::BufferInstance>& buffers = fit_->instance.buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const lesson::BufferInstance& buffer = buffers[i];
        const std::uint64_t size_bytes = buffer.count * buffer.element_bytes;
        if (buffer.space == "global") {
            trace::Symbol symbol;
            symbol.name = buffer.name;
            symbol.space = trace::Space::global;
            symbol.element = types_.named(buffer.type);
            symbol.size_bytes = size_bytes;
            symbol.extents = buffer.extents;
            symbol.buffer = true;
            const Result<simt::DeviceAddress> address = machine_.allocate(size_bytes, std::move(symbol));
            if (!address) return address.diagnostics();
            addresses_.push_back(*address);
        } else {
            const Result<simt::Machine::SymbolAddress> found = machine_.symbol(buffer.name);
            if (!found) return found.diagnostics();
            if (size_bytes > found->size_bytes)
                return error("buffer '" + buffer.name + "' has " + std::to_string(size_bytes) +
                             " bytes, but the variable has " + std::to_string(found->size_bytes));
            addresses_.push_back(found->address);
        }
        std::vector<std::byte> contents = buffer.initialised ? buffer.contents : std::vector<std::byte>();
        if (i == fit_->mask) contents = fit_->mask_contents(mask);
        if (i == fit_->image) {
            contents.assign(size_bytes, std::byte{0});
            const lesson::ElementType& type = fit_->image_type;
            for (std::uint64_t y = 0; y < rows; ++y)
                for (std::uint64_t x = 0; x < columns; ++x) {
                    const auto value = static_cast<double>(plane[y * columns + x]);
                    if (type.floating())
                        lesson::store_real(contents, type, y * fit_->columns + x, value);
                    else
                        lesson::store_integer(contents, type, y * fit_->columns + x,
                                              static_cast<std::uint64_t>(value));
                }
        }
        if (contents.empty()) continue;
        if (const Result<void> written = machine_.write(addresses_.back(), contents); !written)
            return written;
    }
    return {};
}

Result<void> CpuPass::prepare_launches(const std::string& file) {
    const std::vector<lesson::BufferInstance>& buffers = fit_->instance.buffers;
    for (const lesson::LaunchInstance& launch : fit_->instance.launches) {
        Result<session::PreparedLaunch> prepared =
            session::prepare_launch(launch, fit_->instance, code_->kernels, code_->compiled.symbols, file);
        if (!prepared) return prepared.diagnostics();
        launches_.push_back(
            session::machine_launch(launch, std::move(*prepared), [&](const std::string& name) {
                const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                                 [&](const auto& each) { return each.name == name; });
                return addresses_[static_cast<std::size_t>(buffer - buffers.begin())];
            }));
    }
    if (launches_.empty()) return error_at(file, 0, 0, "no launch writes the result");
    return {};
}

trace::Dim3 CpuPass::grid() const {
    return launches_.back().grid;
}

Result<void> CpuPass::launch(simt::LaunchRequest& request, const std::atomic<bool>* cancel) {
    const simt::Outcome outcome = machine_.launch(request, cancel);
    if (outcome.ending == simt::Ending::cancelled) return error("cancelled");
    if (outcome.ending != simt::Ending::finished) failed_ = true;
    return {};
}

Result<void> CpuPass::run(BlockRange blocks, const std::atomic<bool>* cancel) {
    for (std::size_t i = 0; !first_launches_done_ && i + 1 < launches_.size() && !failed_; ++i)
        if (const Result<void> ran = launch(launches_[i], cancel); !ran) return ran;
    first_launches_done_ = true;
    if (failed_ || blocks.first >= blocks.end) return {};
    const simt::BlockRange part(blocks.first, blocks.end);
    return launch(launches_.back(), cancel);
}

void CpuPass::record_into(trace::Recorder* recorder, std::vector<std::uint32_t> blocks) {
    for (simt::LaunchRequest& request : launches_) {
        request.recorded_blocks.clear();
        for (const std::uint32_t block : blocks)
            if (block < request.grid.count()) request.recorded_blocks.push_back(block);
    }
    machine_.record_into(recorder);
}

void CpuPass::read_row(std::uint64_t row, std::uint64_t first, std::vector<float>& values,
                       std::vector<bool>& set) const {
    const lesson::ElementType& type = fit_->out_type;
    const std::uint64_t stride = fit_->instance.buffers[fit_->out].extents.back(), width = type.bytes();
    std::vector<std::byte> bytes(values.size() * width);
    const std::unique_ptr<bool[]> flags(new bool[bytes.size()]());
    (void)machine_.read(addresses_[fit_->out] + (row * stride + first) * width, bytes,
                        {flags.get(), bytes.size()});
    set.assign(values.size(), false);
    for (std::size_t i = 0; i < values.size(); ++i) {
        set[i] = flags[i * width];
        if (type.floating())
            values[i] = static_cast<float>(lesson::load_real(bytes, type, i) / fit_->scale);
        else
            values[i] = static_cast<float>(
                static_cast<double>(static_cast<std::int64_t>(lesson::load_integer(bytes, type, i))) /
                fit_->scale);
    }
}

std::uint64_t CpuPass::memory_bytes() const {
    std::uint64_t bytes = 0;
    for (const lesson::BufferInstance& buffer : fit_->instance.buffers)
        bytes += buffer.count * buffer.element_bytes;
    return bytes;
}

}  // namespace lanescope::preview
