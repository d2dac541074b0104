#include "gpu_file.h"

#include <algorithm>
#include <cstring>

#include "base/files.h"
#include "lesson/front_matter.h"
#include "ptx/parser.h"

namespace lanescope::parity {

namespace {

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// Runs one file, compiled as one kind of code, on the GPU.
class FileRun {
  public:
    FileRun(Gpu& gpu, const GpuFile& file, Unset unset)
        : gpu_(gpu), instance_(file.instance), compiled_(file.compiled), ptx_(file.ptx), unset_(unset) {}

    // Returns the bytes of the buffers by name.
    Result<Buffers> run(const std::string& image) {
        auto module = gpu_.load(image.empty() ? compiled_.ptx : image);
        if (!module.ok()) return module.diagnostics();
        if (auto made = make_buffers(*module); !made.ok()) return made.diagnostics();
        for (const lesson::LaunchInstance& launch : instance_.launches) {
            auto request = prepare(launch);
            if (!request.ok()) return request.diagnostics();
            if (auto ran = gpu_.launch(*module, std::move(*request)); !ran.ok()) return ran.diagnostics();
        }
        Buffers results;
        for (const lesson::BufferInstance& buffer : instance_.buffers) {
            std::vector<std::byte>& bytes = results[buffer.name];
            bytes.resize(buffer.count * buffer.element_bytes);
            if (auto got = gpu_.read(places_.at(buffer.name), bytes); !got.ok()) return got.diagnostics();
        }
        if (auto done = gpu_.unload(*module); !done.ok()) return done.diagnostics();
        return results;
    }

  private:
    Result<void> make_buffers(Gpu::Module module) {
        for (const lesson::BufferInstance& buffer : instance_.buffers) {
            const std::size_t size = buffer.count * buffer.element_bytes;
            auto place = buffer.space == "global" ? gpu_.allocate(size) : gpu_.symbol(module, buffer.name);
            if (!place.ok()) return place.diagnostics();
            places_[buffer.name] = *place;
            if (!buffer.initialised && (buffer.space != "global" || unset_ == Unset::untouched)) continue;
            const std::vector<std::byte> unset(size, std::byte{0xcd});
            if (auto written = gpu_.write(*place, buffer.initialised ? buffer.contents : unset);
                !written.ok())
                return written;
        }
        return {};
    }

    const ptx::Function* kernel_of(const std::string& name) const {
        const auto symbol = compiled_.symbols.find(name);
        for (const ptx::Function& function : ptx_.functions) {
            if (function.kind != ptx::Function::Kind::entry) continue;
            if (symbol != compiled_.symbols.end()
                    ? function.name == symbol->second
                    : function.name == name || mangles(function.name, without_blanks(name)))
                return &function;
        }
        return nullptr;
    }
    // A mangled name holds the length before the name: _Z6reducePiS_i is reduce.
    static bool mangles(const std::string& symbol, const std::string& name) {
        return symbol.find("_Z" + std::to_string(name.size()) + name) == 0;
    }

    Result<Gpu::Launch> prepare(const lesson::LaunchInstance& launch) const {
        const ptx::Function* kernel = kernel_of(launch.kernel);
        if (kernel == nullptr) return error("the file has no kernel '" + launch.kernel + "'");
        Gpu::Launch request;
        request.kernel = kernel->name;
        std::copy(launch.grid.begin(), launch.grid.end(), request.grid);
        std::copy(launch.block.begin(), launch.block.end(), request.block);
        request.shared_bytes = static_cast<unsigned>(launch.shared_bytes);
        request.cooperative = launch.cooperative;
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            request.arguments.push_back(bytes_of(launch.arguments[i], kernel->parameters[i]));
        return request;
    }

    std::vector<std::byte> bytes_of(const lesson::Argument& argument, const ptx::Variable& parameter) const {
        const std::size_t size = parameter.size_bytes();
        std::vector<std::byte> bytes(std::max<std::size_t>(size, 8));
        if (argument.is_buffer && (parameter.is_array || size > 8)) {
            for (const lesson::BufferInstance& buffer : instance_.buffers)
                if (buffer.name == argument.address.buffer) return buffer.contents;
        }
        const double real = argument.is_real ? argument.real : static_cast<double>(argument.integer);
        const auto single = static_cast<float>(real);
        const std::uint64_t whole = argument.is_buffer
                                        ? places_.at(argument.address.buffer) + argument.address.offset_bytes
                                        : static_cast<std::uint64_t>(argument.integer);
        if (!argument.is_buffer && parameter.type == ptx::Type::f32)
            std::memcpy(bytes.data(), &single, sizeof single);
        else if (!argument.is_buffer && parameter.type == ptx::Type::f64)
            std::memcpy(bytes.data(), &real, sizeof real);
        else
            std::memcpy(bytes.data(), &whole, sizeof whole);
        return bytes;
    }

    Gpu& gpu_;
    const lesson::Instance& instance_;
    const compile::Output& compiled_;
    const ptx::Module& ptx_;
    Unset unset_;
    std::map<std::string, Gpu::Address> places_;
};

Result<compile::Output> compile_file(const GpuFile& file, const lesson::CompileEntries& entries,
                                     const std::string& path, compile::Code code) {
    compile::Options options;
    options.code = code;
    options.flags = {{}, entries.defines, entries.standard, entries.arch};
    for (const lesson::LaunchInstance& launch : file.instance.launches)
        if (launch.kernel.find('<') != std::string::npos) options.instantiations.push_back(launch.kernel);
    return compile::compile(file.source, path, options);
}

Result<compile::Output> compiled_before(const std::string& ptx_path) {
    auto ptx = read_file(ptx_path);
    if (!ptx.ok()) return ptx.diagnostics();
    compile::Output output;
    output.ptx = std::move(*ptx);
    return output;
}

}  // namespace

Result<GpuFile> open_file(const std::string& path, compile::Code code, const std::string& ptx_path) {
    GpuFile file;
    auto source = read_file(path);
    if (!source.ok()) return source.diagnostics();
    file.source = std::move(*source);
    auto front = lesson::parse_front_matter(file.source, path);
    if (!front.ok()) return front.diagnostics();
    auto instance = lesson::instantiate(*front, {}, path);
    if (!instance.ok()) return instance.diagnostics();
    file.instance = std::move(*instance);
    auto compiled =
        ptx_path.empty() ? compile_file(file, front->compiler, path, code) : compiled_before(ptx_path);
    if (!compiled.ok()) return compiled.diagnostics();
    file.compiled = std::move(*compiled);
    auto module = ptx::parse(file.compiled.ptx);
    if (!module.ok()) return module.diagnostics();
    file.ptx = std::move(*module);
    return file;
}

Result<Buffers> run_file(Gpu& gpu, const GpuFile& file, Unset unset, const std::string& image) {
    return FileRun(gpu, file, unset).run(image);
}

}  // namespace lanescope::parity
