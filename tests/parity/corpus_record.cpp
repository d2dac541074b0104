// Records what a GPU makes of kernel files with front matter: their buffers after the last launch.
//   parity_corpus OUT FILE.cu…
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "compile/compiler.h"
#include "gpu.h"
#include "lesson/front_matter.h"
#include "lesson/instance.h"
#include "ptx/parser.h"
#include "recording.h"
#include "tool.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// One file, one kind of code, on the GPU.
class FileRun {
  public:
    FileRun(Gpu& gpu, const lesson::Instance& instance, const compile::Output& compiled,
            const ptx::Module& ptx)
        : gpu_(gpu), instance_(instance), compiled_(compiled), ptx_(ptx) {}

    // The buffers' bytes, by name.
    Result<std::map<std::string, std::vector<std::byte>>> run() {
        auto module = gpu_.load(compiled_.ptx);
        if (!module.ok()) return module.diagnostics();
        if (auto made = make_buffers(*module); !made.ok()) return made.diagnostics();
        for (const lesson::LaunchInstance& launch : instance_.launches) {
            auto request = prepare(launch);
            if (!request.ok()) return request.diagnostics();
            if (auto ran = gpu_.launch(*module, std::move(*request)); !ran.ok()) return ran.diagnostics();
        }
        std::map<std::string, std::vector<std::byte>> results;
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
            if (!buffer.initialised && buffer.space != "global") continue;
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
    // _Z6reducePiS_i is reduce: the length stands before the name.
    static bool mangles(const std::string& symbol, const std::string& name) {
        return symbol.find("_Z" + std::to_string(name.size()) + name) == 0;
    }

    Result<Gpu::Launch> prepare(const lesson::LaunchInstance& launch) const {
        const ptx::Function* kernel = kernel_of(launch.kernel);
        if (kernel == nullptr) return error("no kernel is named " + launch.kernel);
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
                if (buffer.name == argument.buffer) return buffer.contents;
        }
        const double real = argument.is_real ? argument.real : static_cast<double>(argument.integer);
        const auto single = static_cast<float>(real);
        const std::uint64_t whole =
            argument.is_buffer ? places_.at(argument.buffer) : static_cast<std::uint64_t>(argument.integer);
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
    std::map<std::string, Gpu::Address> places_;
};

Result<void> record(Gpu& gpu, const std::string& path, compile::Code code, Recording& recording) {
    auto source = read_file(path);
    if (!source.ok()) return source.diagnostics();
    auto front = lesson::parse_front_matter(*source, path);
    if (!front.ok()) return front.diagnostics();
    auto instance = lesson::instantiate(*front, {}, path);
    if (!instance.ok()) return instance.diagnostics();
    compile::Options options;
    options.code = code;
    for (const lesson::LaunchInstance& launch : instance->launches)
        if (launch.kernel.find('<') != std::string::npos) options.instantiations.push_back(launch.kernel);
    auto compiled = compile::compile(*source, path, options);
    if (!compiled.ok()) return compiled.diagnostics();
    auto module = ptx::parse(compiled->ptx);
    if (!module.ok()) return module.diagnostics();
    auto results = FileRun(gpu, *instance, *compiled, *module).run();
    if (!results.ok()) return results.diagnostics();
    for (const auto& [buffer, bytes] : *results)
        recording.records.push_back({corpus_record_name(std::filesystem::path(path).filename().string(),
                                                        code == compile::Code::debug, buffer),
                                     text_hash(*source), bytes});
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    if (argc < 3) {
        std::fprintf(stderr, "parity_corpus OUT FILE.cu…\n");
        return 2;
    }
    auto gpu = Gpu::open();
    if (!gpu.ok()) return fail(gpu.diagnostics());
    Recording recording{(*gpu)->device(), (*gpu)->driver(), today(), {}};
    int failed = 0;
    for (int i = 2; i < argc; ++i)
        for (const compile::Code code : {compile::Code::debug, compile::Code::optimized})
            if (auto done = record(**gpu, argv[i], code, recording); !done.ok()) {
                std::fprintf(stderr, "%s: %s\n", argv[i], to_text(done.diagnostics()).c_str());
                ++failed;
            }
    std::printf("%s, %s, %s: %zu buffers recorded, %d runs failed\n", recording.device.c_str(),
                recording.driver.c_str(), recording.date.c_str(), recording.records.size(), failed);
    if (auto saved = save(recording, argv[1]); !saved.ok()) return fail(saved.diagnostics());
    return failed == 0 ? 0 : 1;
}
