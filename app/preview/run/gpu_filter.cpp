#include "preview/run/gpu_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/folders.h"
#include "base/number_text.h"
#include "execution/run/clean_program.h"
#include "preview/run/fault_line.h"

namespace lanescope::preview {

namespace {

using gpu::CleanArgument;
using gpu::CleanLaunch;
using gpu::Place;
using simt::Ending;
using Address = gpu::Device::Address;
using Step = gpu::DeviceWork::Step;

constexpr std::byte never_written{0xFF};  // NaN in floating point, which counts as missing

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

Step launch_of(std::uint32_t code, CleanLaunch launch) {
    Step step;
    step.kind = Step::Kind::launch;
    step.code = code;
    step.launch = std::move(launch);
    return step;
}

struct Memory {
    Address address = 0;
    std::uint64_t size_bytes = 0;  // 0: there is none
};

// What one mask needs: the file's code with buffers of its own.
struct MaskProgram {
    std::shared_ptr<const Fit> fit;
    gpu::CleanProgram program;
    std::uint32_t code = 0;             // on the device; 0: none
    std::vector<Address> memory;        // that was allocated for it
    std::vector<Place> places;          // of all buffers
    std::vector<CleanLaunch> launches;  // with the addresses of these
};

// The file's launches with the addresses of buffers.
Result<std::vector<CleanLaunch>> placed_launches(const MaskProgram& mask) {
    std::vector<CleanLaunch> launches = mask.program.launches;
    for (CleanLaunch& launch : launches)
        for (CleanArgument& argument : launch.arguments) {
            if (argument.buffer < 0) continue;
            const auto buffer = static_cast<std::size_t>(argument.buffer);
            if (buffer >= mask.places.size())
                return error(
                    "'" + launch.label + "' takes a texture, which the preview does not give on a GPU",
                    "run it on the CPU engine");
            argument = number(mask.places[buffer].address + argument.offset_bytes);
        }
    return launches;
}

}  // namespace

struct GpuFilter::State {
    State(gpu::Device& used, double most) : device(used), most_seconds(most) {}

    gpu::Device& device;
    double most_seconds;
    bool closed = false;
    std::uint64_t life = 0;  // of the device, when it got what follows
    // These were made for the last request, and are kept as long as they fit.
    std::shared_ptr<const image::Image> image;
    Memory samples, levels, values;
    std::uint32_t value_planes = 0;
    bool with_picture = false;
    Memory pixels;
    std::shared_ptr<const gpu::ExportedMemory> picture;
    std::string why_no_picture = "no kernel has run";
    std::vector<MaskProgram> masks;
    std::pair<std::uint64_t, std::uint64_t> plane;  // that the masks were made for
    std::string helper_types;
    std::array<std::string, 3> helper_kernels;  // symbols of split, merge, show
    std::uint32_t helper = 0;                   // code on the device; 0: none
    // This is of the host.
    bool tries_first = false;
    std::shared_ptr<const image::Image> tried;  // null: the masks are new
    std::shared_ptr<const KernelFile> kernel;
    std::string target;  // that its code is for
    execution::CleanCode code;

    Result<void> open(const std::atomic<bool>* cancel);
    void forget();
    Result<void> compile(const Run& run);
    Result<void> load_helper(const Fit& fit);
    Result<void> make(Memory& memory, std::uint64_t bytes);
    Result<void> upload(const Run& run);
    void make_picture(std::uint64_t pixels);
    bool fits(const Run& run) const;
    void drop_masks();
    Result<void> make_masks(const Run& run);
    Result<void> make_mask(const Run& run, std::size_t number);
    Step split(const Run& run, const MaskProgram& mask, std::uint32_t channel) const;
    Step merge(const Run& run, const MaskProgram& mask, std::uint32_t channel, bool further) const;
    Step show(const Run& run) const;
    gpu::DeviceWork work_for(const Run& run);
    Result<void> prepare(const Run& run, const std::atomic<bool>* cancel);
    Result<void> try_on_cpu(const Run& run, const std::atomic<bool>* cancel);
};

GpuFilter::GpuFilter(gpu::Device& device, double most_seconds)
    : state_(std::make_unique<State>(device, most_seconds)) {}
GpuFilter::~GpuFilter() = default;

void GpuFilter::show_picture() {
    state_->with_picture = true;
}

void GpuFilter::try_kernels_first() {
    state_->tries_first = true;
}

bool GpuFilter::closed() const {
    return state_->closed;
}

std::shared_ptr<const gpu::ExportedMemory> GpuFilter::picture() const {
    return state_->picture;
}

const std::string& GpuFilter::why_no_picture() const {
    return state_->why_no_picture;
}

Result<void> GpuFilter::State::open(const std::atomic<bool>* cancel) {
    const Result<void> opened = device.open(cancel);
    closed = !opened && !(cancel && cancel->load());
    if (!opened) return opened;
    if (life != device.life()) forget();
    life = device.life();
    return {};
}

// Nothing of it is on the device any more.
void GpuFilter::State::forget() {
    image.reset();
    samples = levels = values = pixels = {};
    picture.reset();
    why_no_picture.clear();
    masks.clear();
    helper_types.clear();
    helper = 0;
}

Result<void> GpuFilter::State::compile(const Run& run) {
    const Request& request = run.request();
    if (kernel == request.kernel && target == device.code_target()) return {};
    Result<execution::CleanCode> made = execution::compile_clean(request.kernel->source, request.kernel->file,
                                                                 request.kernel->front, device.code_target());
    if (!made) return made.diagnostics();
    drop_masks();
    code = std::move(*made);
    kernel = request.kernel;
    target = device.code_target();
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
    options.target = device.code_target();
    options.instantiations = {"split<" + in + ">", "merge<" + out + ">", "show"};
    Result<compile::Output> compiled = compile::compile(*source, file, options);
    if (!compiled) return compiled.diagnostics();
    const Result<std::uint32_t> added = device.add_code({compiled->ptx, compiled->cubin});
    if (!added) return added.diagnostics();
    if (helper != 0)
        if (const Result<void> removed = device.remove_code(helper); !removed) return removed;
    helper = *added;
    for (std::size_t i = 0; i < helper_kernels.size(); ++i)
        helper_kernels[i] = compiled->symbols[options.instantiations[i]];
    helper_types = in + ' ' + out;
    return {};
}

Result<void> GpuFilter::State::make(Memory& memory, std::uint64_t bytes) {
    if (memory.size_bytes == bytes) return {};
    // First, because both at a time may not fit.
    if (const Memory old = std::exchange(memory, {}); old.size_bytes != 0)
        if (const Result<void> released = device.release(old.address); !released) return released;
    const Result<Address> made = device.allocate(bytes);
    if (!made) return made.diagnostics();
    memory = {*made, bytes};
    return {};
}

Result<void> GpuFilter::State::upload(const Run& run) {
    const Request& request = run.request();
    const std::uint64_t sample_bytes = request.image->samples.size() * sizeof(std::uint16_t);
    if (image != request.image) {
        image.reset();
        if (const Result<void> made = make(samples, sample_bytes); !made) return made;
        if (const Result<void> made = make(levels, sample_bytes); !made) return made;
        if (const Result<void> written =
                device.write(samples.address, std::as_bytes(std::span(request.image->samples)));
            !written)
            return written;
        image = request.image;
    }
    value_planes = run.filtered_channels();
    if (const Result<void> made = make(values, request.image->pixels() * value_planes * sizeof(float)); !made)
        return made;
    if (with_picture) make_picture(request.image->pixels());
    return {};
}

// Without it, results go through the host.
void GpuFilter::State::make_picture(std::uint64_t count) {
    const std::uint64_t bytes = count * sizeof(std::uint32_t);
    if (pixels.size_bytes == bytes || !why_no_picture.empty()) return;
    picture.reset();
    if (const Memory old = std::exchange(pixels, {}); old.size_bytes != 0) (void)device.release(old.address);
    Result<gpu::Device::Exported> made = device.allocate_exported(bytes);
    if (!made) {
        why_no_picture = made.diagnostics().front().message;
        return;
    }
    pixels = {made->address, bytes};
    picture = std::make_shared<const gpu::ExportedMemory>(std::move(made->memory));
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

// A lost device has nothing to release.
void GpuFilter::State::drop_masks() {
    for (const MaskProgram& mask : std::exchange(masks, {})) {
        for (const Address each : mask.memory)
            (void)device.release(each);
        if (mask.code != 0) (void)device.remove_code(mask.code);
    }
}

Result<void> GpuFilter::State::make_mask(const Run& run, std::size_t number) {
    MaskProgram& made = masks[number];
    made.fit = run.shared_fit(number);
    std::vector<std::string> notes;
    Result<gpu::CleanProgram> program =
        execution::clean_program(code, made.fit->instance, run.request().kernel->file, notes);
    if (!program) return program.diagnostics();
    made.program = std::move(*program);
    const Result<std::uint32_t> added = device.add_code({code.compiled.ptx, code.compiled.cubin});
    if (!added) return added.diagnostics();
    made.code = *added;
    for (std::size_t i = 0; i < made.program.buffers.size(); ++i) {
        const gpu::CleanBuffer& buffer = made.program.buffers[i];
        if (!buffer.symbol.empty()) {
            const Result<Place> place = device.variable(made.code, buffer.symbol);
            if (!place) return place.diagnostics();
            if (place->size_bytes < buffer.size_bytes)
                return error("buffer '" + buffer.name + "' has " + std::to_string(buffer.size_bytes) +
                             " bytes, but the variable has " + std::to_string(place->size_bytes));
            made.places.push_back({place->address, buffer.size_bytes});
            continue;
        }
        const std::uint64_t size_bytes = std::max<std::uint64_t>(buffer.size_bytes, 256);
        const Result<Address> memory = device.allocate(size_bytes);
        if (!memory) return memory.diagnostics();
        made.memory.push_back(*memory);
        // The rest of the kernel's image, beyond the picture, is zero.
        const std::byte first = i == made.fit->image ? std::byte{0} : never_written;
        if (const Result<void> filled = device.fill(*memory, size_bytes, first); !filled) return filled;
        if (!buffer.contents.empty())
            if (const Result<void> written = device.write(*memory, buffer.contents); !written) return written;
        made.places.push_back({*memory, buffer.size_bytes});
    }
    Result<std::vector<CleanLaunch>> launches = placed_launches(made);
    if (!launches) return launches.diagnostics();
    made.launches = std::move(*launches);
    return {};
}

Result<void> GpuFilter::State::make_masks(const Run& run) {
    if (!fits(run)) {
        drop_masks();
        tried.reset();
        masks.resize(run.request().filter.masks.size());
        plane = plane_of(run);
        for (std::size_t number = 0; number < masks.size(); ++number)
            if (const Result<void> made = make_mask(run, number); !made) {
                drop_masks();
                return made;
            }
    }
    for (std::size_t number = 0; number < masks.size(); ++number)
        masks[number].fit = run.shared_fit(number);
    return {};
}

Step GpuFilter::State::split(const Run& run, const MaskProgram& mask, std::uint32_t channel) const {
    const image::Image& of = *run.request().image;
    const auto [rows, columns] = plane_of(run);
    CleanLaunch launch = cells(helper_kernels[0], "split", columns, rows);
    launch.arguments = {number(samples.address),
                        number(mask.places[mask.fit->image].address),
                        number(static_cast<std::int64_t>(mask.fit->columns)),
                        number(of.width),
                        number(of.height),
                        number(of.channels),
                        number(channel),
                        number(run.margin()),
                        number(static_cast<std::int32_t>(run.request().border))};
    return launch_of(helper, std::move(launch));
}

Step GpuFilter::State::merge(const Run& run, const MaskProgram& mask, std::uint32_t channel,
                             bool further) const {
    const image::Image& of = *run.request().image;
    CleanLaunch launch = cells(helper_kernels[1], "merge", of.width, of.height);
    launch.arguments = {
        number(mask.places[mask.fit->out].address),
        number(static_cast<std::int64_t>(mask.fit->instance.buffers[mask.fit->out].extents.back())),
        number(values.address + channel * of.pixels() * sizeof(float)),
        number(levels.address),
        number(of.width),
        number(of.height),
        number(of.channels),
        number(channel),
        number(run.margin()),
        number(1 / mask.fit->scale),  // a power of two
        number(static_cast<float>(of.max_level())),
        number(static_cast<std::int32_t>(further))};
    return launch_of(helper, std::move(launch));
}

Step GpuFilter::State::show(const Run& run) const {
    const image::Image& of = *run.request().image;
    CleanLaunch launch = cells(helper_kernels[2], "show", of.width, of.height);
    launch.arguments = {number(levels.address), number(pixels.address), number(of.width),
                        number(of.height),      number(of.channels),    number(of.bits - 8)};
    return launch_of(helper, std::move(launch));
}

// Marks: the begin, then before and after the launches of each channel and mask, the end.
gpu::DeviceWork GpuFilter::State::work_for(const Run& run) {
    gpu::DeviceWork work;
    for (std::size_t number = 0; number < masks.size(); ++number)
        work.writes.push_back({masks[number].places[masks[number].fit->mask].address,
                               masks[number].fit->mask_contents(run.request().filter.masks[number])});
    const Step mark;
    work.steps.push_back(mark);
    if (run.filtered_channels() < run.request().image->channels) {
        Step copy;
        copy.kind = Step::Kind::copy;
        copy.to = levels.address;
        copy.from = samples.address;
        copy.size_bytes = samples.size_bytes;
        work.steps.push_back(copy);
    }
    for (std::uint32_t channel = 0; channel < run.filtered_channels(); ++channel)
        for (std::size_t number = 0; number < masks.size(); ++number) {
            const MaskProgram& mask = masks[number];
            work.steps.push_back(split(run, mask, channel));
            work.steps.push_back(mark);
            for (const CleanLaunch& launch : mask.launches)
                work.steps.push_back(launch_of(mask.code, launch));
            work.steps.push_back(mark);
            work.steps.push_back(merge(run, mask, channel, number > 0));
        }
    if (pixels.size_bytes != 0) work.steps.push_back(show(run));
    work.steps.push_back(mark);
    return work;
}

Result<void> GpuFilter::State::prepare(const Run& run, const std::atomic<bool>* cancel) {
    if (const Result<void> opened = open(cancel); !opened) return opened;
    if (const Result<void> compiled = compile(run); !compiled) return compiled;
    if (const Result<void> loaded = load_helper(run.fit()); !loaded) return loaded;
    if (const Result<void> uploaded = upload(run); !uploaded) return uploaded;
    return make_masks(run);
}

Result<void> GpuFilter::State::try_on_cpu(const Run& run, const std::atomic<bool>* cancel) {
    const Request& request = run.request();
    if (!tries_first || tried == request.image) return {};
    if (std::optional<Diagnostic> bad = bad_address_ahead(request, cancel)) return *bad;
    tried = request.image;
    return {};
}

Result<GpuFilter::Times> GpuFilter::run(const Run& run, const std::atomic<bool>* cancel) {
    State& state = *state_;
    if (const Result<void> prepared = state.prepare(run, cancel); !prepared) return prepared.diagnostics();
    if (const Result<void> tried = state.try_on_cpu(run, cancel); !tried) return tried.diagnostics();
    if (cancel && cancel->load()) return error("cancelled");
    const double seconds = std::min(run.request().seconds, state.most_seconds);
    const Result<gpu::Device::Worked> worked = state.device.run(state.work_for(run), seconds, cancel);
    if (!worked) return worked.diagnostics();
    switch (worked->ran.ending) {
        case Ending::finished:
            break;
        case Ending::cancelled:
            return error("cancelled");
        case Ending::faulted:
            return fault_of(run.request(), worked->ran.message, cancel);
        case Ending::timeout:
            return error_at(run.request().kernel->file, 0, 0,
                            "the kernel did not end on the GPU within " + seconds_text(seconds),
                            "use the CPU engine, which shows where it is");
        default:
            return error_at(run.request().kernel->file, 0, 0, worked->ran.message);
    }
    const std::vector<double>& marks_ms = worked->marks_ms;
    Times times;
    for (std::size_t i = 1; i + 2 < marks_ms.size(); i += 2)
        times.kernels_ms += marks_ms[i + 1] - marks_ms[i];
    times.on_device_ms = marks_ms.empty() ? 0 : marks_ms.back();
    return times;
}

Result<void> GpuFilter::fetch(Run& into) {
    const State& state = *state_;
    const std::uint64_t pixels = into.request().image->pixels();
    std::vector<std::uint16_t> levels(into.request().image->samples.size());
    if (const Result<void> read =
            state.device.read(state.levels.address, std::as_writable_bytes(std::span(levels)));
        !read)
        return read;
    std::vector<std::vector<float>> values(state.value_planes, std::vector<float>(pixels));
    for (std::size_t plane = 0; plane < values.size(); ++plane)
        if (const Result<void> read = state.device.read(state.values.address + plane * pixels * sizeof(float),
                                                        std::as_writable_bytes(std::span(values[plane])));
            !read)
            return read;
    into.take(std::move(levels), std::move(values));
    return {};
}

}  // namespace lanescope::preview
