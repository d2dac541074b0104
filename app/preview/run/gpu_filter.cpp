#include "preview/run/gpu_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/folders.h"
#include "base/number_text.h"
#include "gpu/clean/loaded_code.h"
#include "gpu/driver/memory.h"
#include "gpu/driver/stream.h"
#include "gpu/interop/interop.h"
#include "session/run/clean_program.h"
#include "session/runner/device_source.h"

namespace lanescope::preview {

namespace {

using gpu::CleanArgument;
using gpu::CleanLaunch;
using gpu::DeviceBuffer;
using gpu::Place;

constexpr std::byte never_written{0xFF};  // NaN in floating point, which counts as missing
constexpr std::uint32_t trial_side = 256;
constexpr double max_run_s = 20;

// The name of a buffer's type in planes.cu.
std::string cuda_type(const std::string& type) {
    constexpr std::array<std::pair<const char*, const char*>, 5> names{{{"char", "signed char"},
                                                                        {"uchar", "unsigned char"},
                                                                        {"ushort", "unsigned short"},
                                                                        {"uint", "unsigned"},
                                                                        {"half", "__half"}}};
    if (type == "long") return "long long";
    if (type == "ulong") return "unsigned long long";
    for (const auto& [ours, cuda] : names)
        if (type == ours) return cuda;
    return type;
}

template <typename T>
CleanArgument number(T value) {
    CleanArgument argument;
    argument.bytes.resize(sizeof value);
    std::memcpy(argument.bytes.data(), &value, sizeof value);
    return argument;
}

// Rows and columns that are filled.
std::pair<std::uint64_t, std::uint64_t> plane_of(const Run& run) {
    const std::uint64_t margins = 2ull * run.margin();
    return {run.request().image->height + margins, run.request().image->width + margins};
}

// A launch of planes.cu with a thread for each cell.
CleanLaunch cells(const std::string& kernel, const char* label, std::uint64_t columns, std::uint64_t rows) {
    CleanLaunch launch;
    launch.kernel = kernel;
    launch.label = label;
    launch.grid = {static_cast<std::uint32_t>((columns + 31) / 32),
                   static_cast<std::uint32_t>((rows + 7) / 8), 1};
    launch.block = {32, 8, 1};
    return launch;
}

// The image's top left part, whose sides leave the same rest in blocks, so that a mistake at an edge shows
// there.
std::shared_ptr<const image::Image> part_for_trial(const image::Image& image) {
    const auto side = [](std::uint32_t pixels) {
        return pixels < 2 * trial_side ? pixels : trial_side + pixels % trial_side;
    };
    auto part = std::make_shared<image::Image>();
    static_cast<image::Header&>(*part) = image;
    part->width = side(image.width);
    part->height = side(image.height);
    part->samples.reserve(part->pixels() * part->channels);
    for (std::uint32_t y = 0; y < part->height; ++y) {
        const auto row = image.samples.begin() +
                         static_cast<std::ptrdiff_t>(std::size_t{y} * image.width * image.channels);
        part->samples.insert(part->samples.end(), row, row + std::ptrdiff_t{part->width} * part->channels);
    }
    return part;
}

// A fault on the GPU would end CUDA for the whole program.
Result<void> try_on_cpu(const Request& wanted, const std::atomic<bool>* cancel) {
    Request request = wanted;
    request.image = part_for_trial(*wanted.image);
    request.seconds = std::min(request.seconds, max_run_s);
    const Result<std::unique_ptr<Run>> run = Run::make(request);
    if (!run) return run.diagnostics();
    if (const Result<void> ran = (*run)->run(std::nullopt, cancel, {}); !ran) return ran;
    for (const trace::Problem& problem : (*run)->problems())
        if (session::ends_cuda(problem.kind))
            return error_at(
                request.kernel->file, static_cast<int>(problem.first.line), 0,
                "not run on the GPU, because it would end CUDA for this program: " + problem.message,
                "run it on the CPU engine to see the problem");
    return {};
}

// What one mask needs: the file's code with buffers of its own.
struct MaskProgram {
    session::CleanCode const* code = nullptr;
    std::shared_ptr<const Fit> fit;
    gpu::CleanProgram program;
    gpu::LoadedCode loaded;
    std::vector<DeviceBuffer> memory;
    std::vector<Place> places;  // of all buffers
};

}  // namespace

struct GpuFilter::State {
    explicit State(gpu::Context made) : context(std::move(made)) {}

    gpu::Context context;
    bool lost = false;
    std::optional<gpu::GlBuffer> shared;
    Place pixels;  // of the mapped buffer
    // These were made for the last request, and are kept as long as they fit.
    std::shared_ptr<const image::Image> image;
    DeviceBuffer samples, levels, values;
    std::uint32_t value_planes = 0;
    std::shared_ptr<const KernelFile> kernel;
    std::shared_ptr<const image::Image> tried;
    session::CleanCode code;
    std::vector<MaskProgram> masks;
    std::pair<std::uint64_t, std::uint64_t> plane;  // that the masks were made for
    compile::Output helper_code;
    std::string helper_types;
    std::array<std::string, 3> helper_kernels;  // symbols of split, merge, show
    gpu::LoadedCode helper;

    const gpu::Driver& driver() const { return context.driver(); }
    std::string target() const { return "sm_" + std::to_string(context.device().compute_capability); }

    Result<void> compile(const Run& run);
    Result<void> load_helper(const Fit& fit);
    Result<void> upload(const Run& run);
    bool fits(const Run& run) const;
    Result<void> make_masks(const Run& run);
    Result<void> make_mask(const Run& run, std::size_t number);
    Result<void> set_masks(const Run& run);
    Result<void> enqueue_split(const Run& run, const MaskProgram& mask, std::uint32_t channel);
    Result<void> enqueue_merge(const Run& run, const MaskProgram& mask, std::uint32_t channel, bool further);
    Result<void> enqueue_show(const Run& run);
    Result<void> wait(double seconds);
};

GpuFilter::GpuFilter(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuFilter::~GpuFilter() = default;

Result<std::unique_ptr<GpuFilter>> GpuFilter::open() {
    Result<gpu::Context> context = gpu::Context::create();
    if (!context) return context.diagnostics();
    return std::unique_ptr<GpuFilter>(new GpuFilter(std::make_unique<State>(std::move(*context))));
}

const std::string& GpuFilter::name() const {
    return state_->context.device().name;
}

const std::string& GpuFilter::driver() const {
    return state_->context.device().driver;
}

bool GpuFilter::lost() const {
    return state_->lost;
}

Result<void> GpuFilter::use_gl_buffer(unsigned gl_buffer) {
    state_->shared.reset();
    state_->pixels = {};
    if (gl_buffer == 0) return {};
    const gpu::CurrentContext current(*state_->context.life());
    Result<gpu::GlBuffer> shared =
        gpu::GlBuffer::register_buffer(state_->context, gl_buffer, gpu::GlAccess::kernel_overwrites);
    if (!shared) return shared.diagnostics();
    state_->shared = std::move(*shared);
    return {};
}

Result<void> GpuFilter::begin() {
    State& state = *state_;
    state.pixels = {};
    if (!state.shared) return {};
    const gpu::CurrentContext current(*state.context.life());
    const Result<gpu::GlBuffer::Mapping> mapped = state.shared->map(state.context.stream());
    if (!mapped) return mapped.diagnostics();
    state.pixels = {mapped->address, mapped->size_bytes};
    return {};
}

Result<void> GpuFilter::end() {
    state_->pixels = {};
    if (!state_->shared || state_->lost) return {};
    const gpu::CurrentContext current(*state_->context.life());
    return state_->shared->unmap(state_->context.stream());
}

Result<void> GpuFilter::State::compile(const Run& run) {
    const Request& request = run.request();
    if (kernel == request.kernel) return {};
    Result<session::CleanCode> made =
        session::compile_clean(request.kernel->source, request.kernel->file, request.kernel->front, target());
    if (!made) return made.diagnostics();
    masks.clear();
    code = std::move(*made);
    kernel = request.kernel;
    tried.reset();
    return {};
}

Result<void> GpuFilter::State::load_helper(const Fit& fit) {
    const std::string in = cuda_type(fit.instance.buffers[fit.image].type),
                      out = cuda_type(fit.instance.buffers[fit.out].type);
    if (helper_types == in + ' ' + out) return {};
    const std::string file = (resource_folder() / "assets" / "preview" / "planes.cu").string();
    Result<std::string> source = read_text_file(file);
    if (!source) return source.diagnostics();
    if (in == "__half" || out == "__half") *source = "#include <cuda_fp16.h>\n" + *source;
    compile::Options options;
    options.code = compile::Code::optimized;
    options.target = target();
    options.instantiations = {"split<" + in + ">", "merge<" + out + ">", "show"};
    Result<compile::Output> compiled = compile::compile(*source, file, options);
    if (!compiled) return compiled.diagnostics();
    helper_code = std::move(*compiled);
    Result<gpu::LoadedCode> loaded = gpu::LoadedCode::load(context, helper_code.cubin);
    if (!loaded) return loaded.diagnostics();
    helper = std::move(*loaded);
    for (std::size_t i = 0; i < helper_kernels.size(); ++i) {
        helper_kernels[i] = helper_code.symbols[options.instantiations[i]];
        const CleanLaunch launch = cells(helper_kernels[i], options.instantiations[i].c_str(), 1, 1);
        if (const Result<void> prepared = helper.prepare(launch); !prepared) return prepared;
    }
    helper_types = in + ' ' + out;
    return {};
}

Result<void> GpuFilter::State::upload(const Run& run) {
    const Request& request = run.request();
    const auto make = [&](DeviceBuffer& buffer, std::uint64_t bytes) -> Result<void> {
        if (buffer.size_bytes() == bytes) return {};
        buffer = DeviceBuffer();  // first, because both at a time may not fit
        Result<DeviceBuffer> made = DeviceBuffer::allocate(context, bytes);
        if (!made) return made.diagnostics();
        buffer = std::move(*made);
        return {};
    };
    const std::uint64_t sample_bytes = request.image->samples.size() * sizeof(std::uint16_t);
    if (image != request.image) {
        image.reset();
        if (const Result<void> made = make(samples, sample_bytes); !made) return made;
        if (const Result<void> made = make(levels, sample_bytes); !made) return made;
        if (const Result<void> written = samples.write(std::as_bytes(std::span(request.image->samples)));
            !written)
            return written;
        image = request.image;
    }
    value_planes = run.filtered_channels();
    return make(values, request.image->pixels() * value_planes * sizeof(float));
}

// Whether what was made before serves this request, except for the values of its masks.
bool GpuFilter::State::fits(const Run& run) const {
    if (masks.size() != run.request().filter.masks.size()) return false;
    if (plane != plane_of(run)) return false;  // cells beyond a smaller plane have to be zero again
    for (std::size_t i = 0; i < masks.size(); ++i) {
        const Fit &had = *masks[i].fit, &wanted = run.fit(i);
        if (had.instance.parameters != wanted.instance.parameters || had.image != wanted.image ||
            had.out != wanted.out || had.mask != wanted.mask || had.rows != wanted.rows ||
            had.columns != wanted.columns)
            return false;
    }
    return true;
}

Result<void> GpuFilter::State::make_mask(const Run& run, std::size_t number) {
    MaskProgram& made = masks[number];
    made.fit = run.shared_fit(number);
    std::vector<std::string> notes;
    Result<gpu::CleanProgram> program =
        session::clean_program(code, made.fit->instance, run.request().kernel->file, notes);
    if (!program) return program.diagnostics();
    made.program = std::move(*program);
    Result<gpu::LoadedCode> loaded = gpu::LoadedCode::load(context, made.program.cubin);
    if (!loaded) return loaded.diagnostics();
    made.loaded = std::move(*loaded);
    for (const CleanLaunch& launch : made.program.launches)
        if (const Result<void> prepared = made.loaded.prepare(launch); !prepared) return prepared;
    for (std::size_t i = 0; i < made.program.buffers.size(); ++i) {
        const gpu::CleanBuffer& buffer = made.program.buffers[i];
        if (!buffer.symbol.empty()) {
            const Result<Place> place = made.loaded.variable(buffer.symbol);
            if (!place) return place.diagnostics();
            if (place->size_bytes < buffer.size_bytes)
                return error("buffer '" + buffer.name + "' has " + std::to_string(buffer.size_bytes) +
                             " bytes, but the variable has " + std::to_string(place->size_bytes));
            made.places.push_back({place->address, buffer.size_bytes});
            continue;
        }
        Result<DeviceBuffer> memory =
            DeviceBuffer::allocate(context, std::max<std::uint64_t>(buffer.size_bytes, 256));
        if (!memory) return memory.diagnostics();
        // The rest of the kernel's image, beyond the picture, is zero.
        if (const Result<void> filled = memory->fill(i == made.fit->image ? std::byte{0} : never_written);
            !filled)
            return filled;
        if (!buffer.contents.empty())
            if (const Result<void> written = memory->write(buffer.contents); !written) return written;
        made.places.push_back({memory->address(), buffer.size_bytes});
        made.memory.push_back(std::move(*memory));
    }
    return {};
}

Result<void> GpuFilter::State::make_masks(const Run& run) {
    if (fits(run)) return set_masks(run);
    masks.clear();
    masks.resize(run.request().filter.masks.size());
    plane = plane_of(run);
    for (std::size_t number = 0; number < masks.size(); ++number)
        if (const Result<void> made = make_mask(run, number); !made) {
            masks.clear();
            return made;
        }
    return set_masks(run);
}

Result<void> GpuFilter::State::set_masks(const Run& run) {
    for (std::size_t number = 0; number < masks.size(); ++number) {
        MaskProgram& mask = masks[number];
        mask.fit = run.shared_fit(number);
        const std::vector<std::byte> bytes = mask.fit->mask_contents(run.request().filter.masks[number]);
        const CUresult status =
            driver().memcpy_htod(mask.places[mask.fit->mask].address, bytes.data(), bytes.size());
        if (const Result<void> written = context.check(status, "copying the mask to the GPU"); !written)
            return written;
    }
    return {};
}

Result<void> GpuFilter::State::enqueue_split(const Run& run, const MaskProgram& mask, std::uint32_t channel) {
    const image::Image& of = *run.request().image;
    const auto [rows, columns] = plane_of(run);
    CleanLaunch launch = cells(helper_kernels[0], "split", columns, rows);
    launch.arguments = {number(samples.address()),
                        number(mask.places[mask.fit->image].address),
                        number(static_cast<std::int64_t>(mask.fit->columns)),
                        number(of.width),
                        number(of.height),
                        number(of.channels),
                        number(channel),
                        number(run.margin()),
                        number(static_cast<std::int32_t>(run.request().border))};
    return helper.launch(launch, {});
}

Result<void> GpuFilter::State::enqueue_merge(const Run& run, const MaskProgram& mask, std::uint32_t channel,
                                             bool further) {
    const image::Image& of = *run.request().image;
    CleanLaunch launch = cells(helper_kernels[1], "merge", of.width, of.height);
    launch.arguments = {
        number(mask.places[mask.fit->out].address),
        number(static_cast<std::int64_t>(mask.fit->instance.buffers[mask.fit->out].extents.back())),
        number(values.address() + channel * of.pixels() * sizeof(float)),
        number(levels.address()),
        number(of.width),
        number(of.height),
        number(of.channels),
        number(channel),
        number(run.margin()),
        number(1 / mask.fit->scale),  // a power of two
        number(static_cast<float>(of.max_level())),
        number(static_cast<std::int32_t>(further))};
    return helper.launch(launch, {});
}

Result<void> GpuFilter::State::enqueue_show(const Run& run) {
    const image::Image& of = *run.request().image;
    if (pixels.size_bytes < of.pixels() * sizeof(std::uint32_t)) return {};  // no buffer to show it in
    CleanLaunch launch = cells(helper_kernels[2], "show", of.width, of.height);
    launch.arguments = {number(levels.address()), number(pixels.address), number(of.width),
                        number(of.height),        number(of.channels),    number(of.bits - 8)};
    return helper.launch(launch, {});
}

// CUDA cannot stop a kernel, so one that does not end in time makes this object unusable.
Result<void> GpuFilter::State::wait(double seconds) {
    const Result<gpu::Waited> waited = context.wait(context.stream(), {.seconds = seconds});
    if (waited && *waited == gpu::Waited::finished) return {};
    lost = true;
    if (!waited) return waited.diagnostics();
    return error("the kernel did not end on the GPU within " + seconds_text(seconds),
                 "use the CPU engine, which can stop it and shows where it is");
}

Result<GpuFilter::Times> GpuFilter::run(const Run& run, const std::atomic<bool>* cancel) {
    State& state = *state_;
    if (state.lost) return error("CUDA ended in this process after a fault", "start the program again");
    const Request& request = run.request();
    if (const Result<void> compiled = state.compile(run); !compiled) return compiled.diagnostics();
    if (state.tried != request.image || !state.fits(run)) {
        if (const Result<void> tried = try_on_cpu(request, cancel); !tried) return tried.diagnostics();
        state.tried = request.image;
    }
    const gpu::CurrentContext current(*state.context.life());
    if (const Result<void> loaded = state.load_helper(run.fit()); !loaded) return loaded.diagnostics();
    if (const Result<void> uploaded = state.upload(run); !uploaded) return uploaded.diagnostics();
    if (const Result<void> made = state.make_masks(run); !made) return made.diagnostics();
    if (cancel && cancel->load()) return error("cancelled");

    Times times;
    std::vector<gpu::Event> marks;  // begin, then before and after the launches of each channel and mask, end
    const CUstream stream = state.context.stream();
    const auto mark = [&]() -> Result<void> {
        Result<gpu::Event> event = gpu::Event::create(state.context);
        if (!event) return event.diagnostics();
        marks.push_back(std::move(*event));
        return marks.back().record(stream);
    };
    Result<void> enqueued = mark();
    if (enqueued && run.filtered_channels() < request.image->channels)
        enqueued = state.context.check(
            state.driver().memcpy_dtod_async(state.levels.address(), state.samples.address(),
                                             state.samples.size_bytes(), stream),
            "copying on the GPU");
    for (std::uint32_t channel = 0; channel < run.filtered_channels(); ++channel)
        for (std::size_t number = 0; number < state.masks.size(); ++number) {
            const MaskProgram& mask = state.masks[number];
            if (enqueued) enqueued = state.enqueue_split(run, mask, channel);
            if (enqueued) enqueued = mark();
            for (const CleanLaunch& launch : mask.program.launches)
                if (enqueued) enqueued = mask.loaded.launch(launch, mask.places);
            if (enqueued) enqueued = mark();
            if (enqueued) enqueued = state.enqueue_merge(run, mask, channel, number > 0);
        }
    if (enqueued) enqueued = state.enqueue_show(run);
    if (enqueued) enqueued = mark();
    const Result<void> ended = state.wait(std::min(request.seconds, max_run_s));
    if (!ended) return ended.diagnostics();
    if (!enqueued) return enqueued.diagnostics();
    const auto between = [&](std::size_t from, std::size_t to) {
        const Result<double> ms = marks[to].milliseconds_since(marks[from]);
        return ms ? *ms : 0.0;
    };
    for (std::size_t i = 1; i + 2 < marks.size(); i += 2)
        times.kernels_ms += between(i, i + 1);
    times.on_device_ms = between(0, marks.size() - 1);
    return times;
}

Result<void> GpuFilter::fetch(Run& into) const {
    const State& state = *state_;
    const std::uint64_t pixels = into.request().image->pixels();
    std::vector<std::uint16_t> levels(into.request().image->samples.size());
    if (const Result<void> read = state.levels.read(std::as_writable_bytes(std::span(levels))); !read)
        return read;
    std::vector<std::vector<float>> values(state.value_planes, std::vector<float>(pixels));
    for (std::size_t plane = 0; plane < values.size(); ++plane)
        if (const Result<void> read = state.values.read(std::as_writable_bytes(std::span(values[plane])),
                                                        plane * pixels * sizeof(float));
            !read)
            return read;
    into.take(std::move(levels), std::move(values));
    return {};
}

}  // namespace lanescope::preview
