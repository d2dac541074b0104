#include "preview/run/cpu_pass.h"

#include <algorithm>
#include <cstring>

#include "execution/run/launch_arguments.h"
#include "preview/run/cpu_code.h"
#include "simt/machine/machine.h"

namespace lanescope::preview {

struct CpuPass::State {
    State(std::shared_ptr<const CpuCode> made, std::shared_ptr<const Fit> fitted, const simt::Limits& limits)
        : code(std::move(made)),
          fit(std::move(fitted)),
          machine(code->program, limits, {}),
          types(code->types) {}

    Result<void> make_buffers(const PaddedPlane& plane, const Mask& mask);
    Result<void> make_buffer(const lesson::BufferInstance& buffer);
    Result<void> write_image(simt::DeviceAddress to, const PaddedPlane& plane);
    Result<void> prepare_launches(const std::string& file);
    Result<void> launch(simt::LaunchRequest& request, const std::atomic<bool>* cancel);

    std::shared_ptr<const CpuCode> code;
    std::shared_ptr<const Fit> fit;
    simt::Machine machine;
    TypeTable types;
    std::vector<simt::DeviceAddress> addresses;  // of the buffers
    std::vector<simt::LaunchRequest> launches;
    bool first_launches_done = false, failed = false;
};

CpuPass::CpuPass(std::unique_ptr<State> state) : state_(std::move(state)) {}
CpuPass::~CpuPass() = default;

Result<std::unique_ptr<CpuPass>> CpuPass::make(std::shared_ptr<const CpuCode> code,
                                               std::shared_ptr<const Fit> fit, const std::string& file,
                                               const PaddedPlane& plane, const Mask& mask, double seconds) {
    simt::Limits limits;
    limits.seconds = seconds;
    limits.warp_instructions = 1'000'000'000'000;  // only time limits an image
    limits.memory_bytes = 6ull << 30;
    auto state = std::make_unique<State>(std::move(code), std::move(fit), limits);
    if (const Result<void> made = state->make_buffers(plane, mask); !made) return made.diagnostics();
    if (const Result<void> made = state->prepare_launches(file); !made) return made.diagnostics();
    return std::unique_ptr<CpuPass>(new CpuPass(std::move(state)));
}

Result<void> CpuPass::State::make_buffer(const lesson::BufferInstance& buffer) {
    const std::uint64_t size_bytes = buffer.count * buffer.element_bytes;
    if (buffer.space == "global") {
        trace::Symbol symbol;
        symbol.name = buffer.name;
        symbol.space = trace::Space::global;
        symbol.element = types.named(buffer.type);
        symbol.size_bytes = size_bytes;
        symbol.extents = buffer.extents;
        symbol.buffer = true;
        const Result<simt::DeviceAddress> address = machine.allocate(size_bytes, std::move(symbol));
        if (!address) return address.diagnostics();
        addresses.push_back(*address);
        return {};
    }
    const Result<simt::Machine::SymbolAddress> found = machine.symbol(buffer.name);
    if (!found) return found.diagnostics();
    if (size_bytes > found->size_bytes)
        return error("buffer '" + buffer.name + "' has " + std::to_string(size_bytes) +
                     " bytes, but the variable has " + std::to_string(found->size_bytes));
    addresses.push_back(found->address);
    return {};
}

// Row by row, because a whole image in the kernel's type would be one more copy.
Result<void> CpuPass::State::write_image(simt::DeviceAddress to, const PaddedPlane& plane) {
    const lesson::BufferInstance& buffer = fit->instance.buffers[fit->image];
    const lesson::ElementType& type = fit->image_type;
    std::vector<float> values;
    for (std::uint64_t first = 0; first < buffer.count; first += fit->columns) {
        const std::uint64_t y = first / fit->columns;
        std::vector<std::byte> row(std::min<std::uint64_t>(fit->columns, buffer.count - first) *
                                   buffer.element_bytes);
        values.clear();
        if (y < plane.rows()) plane.row(y, values);
        for (std::size_t x = 0; x < values.size(); ++x) {
            const auto value = static_cast<double>(values[x]);
            if (type.floating())
                lesson::store_real(row, type, x, value);
            else
                lesson::store_integer(row, type, x, static_cast<std::uint64_t>(value));
        }
        if (const Result<void> written = machine.write(to + first * buffer.element_bytes, row); !written)
            return written;
    }
    return {};
}

Result<void> CpuPass::State::make_buffers(const PaddedPlane& plane, const Mask& mask) {
    const std::vector<lesson::BufferInstance>& buffers = fit->instance.buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (const Result<void> made = make_buffer(buffers[i]); !made) return made;
        if (i == fit->image) {
            if (const Result<void> written = write_image(addresses.back(), plane); !written) return written;
            continue;
        }
        std::vector<std::byte> contents;
        if (i == fit->mask)
            contents = fit->mask_contents(mask);
        else if (buffers[i].initialised)
            contents = buffers[i].contents;
        if (contents.empty()) continue;
        if (const Result<void> written = machine.write(addresses.back(), contents); !written) return written;
    }
    return {};
}

Result<void> CpuPass::State::prepare_launches(const std::string& file) {
    const std::vector<lesson::BufferInstance>& buffers = fit->instance.buffers;
    if (!fit->instance.front.textures.empty())
        return error_at(file, fit->instance.front.textures.front().line, 0,
                        "a filter of this page cannot read textures");
    for (const lesson::LaunchInstance& launch : fit->instance.launches) {
        Result<execution::PreparedLaunch> prepared =
            execution::prepare_launch(launch, fit->instance, code->kernels, code->compiled.symbols, file);
        if (!prepared) return prepared.diagnostics();
        launches.push_back(
            execution::machine_launch(launch, std::move(*prepared), [&](const std::string& name) {
                const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                                 [&](const auto& each) { return each.name == name; });
                return addresses[static_cast<std::size_t>(buffer - buffers.begin())];
            }));
    }
    if (launches.empty()) return error_at(file, 0, 0, "no launch writes the result");
    return {};
}

const std::vector<trace::Problem>& CpuPass::problems() const {
    return state_->machine.problems();
}

bool CpuPass::failed() const {
    return state_->failed;
}

trace::Dim3 CpuPass::grid() const {
    return state_->launches.back().grid;
}

Result<void> CpuPass::State::launch(simt::LaunchRequest& request, const std::atomic<bool>* cancel) {
    const simt::Outcome outcome = machine.launch(request, cancel);
    if (outcome.ending == simt::Ending::cancelled) return error("cancelled");
    if (outcome.ending != simt::Ending::finished) failed = true;
    return {};
}

Result<void> CpuPass::run(BlockRange blocks, const std::atomic<bool>* cancel) {
    for (std::size_t i = 0;
         !state_->first_launches_done && i + 1 < state_->launches.size() && !state_->failed; ++i)
        if (const Result<void> ran = state_->launch(state_->launches[i], cancel); !ran) return ran;
    state_->first_launches_done = true;
    if (state_->failed || blocks.first >= blocks.end) return {};
    simt::LaunchRequest request = state_->launches.back();
    request.part = blocks;
    return state_->launch(request, cancel);
}

void CpuPass::record_into(trace::Recorder* recorder, std::vector<std::uint32_t> blocks) {
    for (simt::LaunchRequest& request : state_->launches) {
        request.recorded_blocks.clear();
        for (const std::uint32_t block : blocks)
            if (block < request.grid.count()) request.recorded_blocks.push_back(block);
    }
    state_->machine.record_into(recorder);
}

void CpuPass::read_row(std::uint64_t row, std::uint64_t first, std::vector<float>& values,
                       std::vector<bool>& set) const {
    const lesson::ElementType& type = state_->fit->out_type;
    const std::uint64_t stride = state_->fit->instance.buffers[state_->fit->out].extents.back(),
                        width = type.bytes();
    std::vector<std::byte> bytes(values.size() * width);
    const std::unique_ptr<bool[]> flags(new bool[bytes.size()]());
    (void)state_->machine.read(state_->addresses[state_->fit->out] + (row * stride + first) * width, bytes,
                               {flags.get(), bytes.size()});
    set.assign(values.size(), false);
    for (std::size_t i = 0; i < values.size(); ++i) {
        set[i] = flags[i * width];
        if (type.floating())
            values[i] = static_cast<float>(lesson::load_real(bytes, type, i) / state_->fit->scale);
        else
            values[i] = static_cast<float>(
                static_cast<double>(static_cast<std::int64_t>(lesson::load_integer(bytes, type, i))) /
                state_->fit->scale);
    }
}

}  // namespace lanescope::preview
