#include "execution/run/clean_program.h"

#include <algorithm>

#include "execution/run/launch_arguments.h"
#include "execution/run/textures.h"
#include "ptx/parser.h"
#include "simt/inspect/names.h"

namespace lanescope::execution {

namespace {

Result<gpu::CleanBuffer> clean_buffer(const CleanCode& code, const lesson::BufferInstance& buffer,
                                      const std::string& file) {
    gpu::CleanBuffer made;
    made.name = buffer.name;
    made.size_bytes = buffer.count * buffer.element_bytes;
    // Copies of all buffers take turns, and each copy has addresses of its own.
    if (!buffer.addresses.empty())
        return error_at(file, 0, 0,
                        "'" + buffer.name + "' holds addresses of buffers, which cannot be timed");
    if (buffer.initialised) made.contents = buffer.contents;
    if (buffer.space == "global") return made;
    const auto named = [&](const std::string& symbol) {
        return symbol == buffer.name || simt::plain_name(symbol) == buffer.name;
    };
    const auto symbol = std::find_if(code.variables.begin(), code.variables.end(), named);
    if (symbol == code.variables.end())
        return error_at(file, 0, 0,
                        "the module has no variable '" + buffer.name + "' in device or constant memory");
    made.symbol = *symbol;
    return made;
}

void add_textures(const lesson::Instance& instance, gpu::CleanProgram& program) {
    for (const lesson::TextureEntry& entry : instance.front.textures)
        for (std::size_t i = 0; i < instance.buffers.size(); ++i)
            if (instance.buffers[i].name == entry.buffer)
                program.textures.push_back(
                    {entry.name, static_cast<int>(i), texture_of(entry, instance.buffers[i], 0)});
}

// As gpu::CleanArgument::buffer.
int place_of(const gpu::CleanProgram& program, const std::string& name) {
    const auto has_name = [&](const auto& each) { return each.name == name; };
    const auto texture = std::find_if(program.textures.begin(), program.textures.end(), has_name);
    if (texture != program.textures.end())
        return static_cast<int>(program.buffers.size()) +
               static_cast<int>(texture - program.textures.begin());
    return static_cast<int>(std::find_if(program.buffers.begin(), program.buffers.end(), has_name) -
                            program.buffers.begin());
}

}  // namespace

Result<CleanCode> compile_clean(const std::string& source, const std::string& file,
                                const lesson::FrontMatter& front, const std::string& target,
                                const compile::Flags& flags) {
    compile::Options options;
    options.code = compile::Code::optimized;
    options.target = target;
    Result<compile::Flags> all = flags_of(front, file, flags);
    if (!all) return all.diagnostics();
    options.flags = std::move(*all);
    options.instantiations = lesson::template_kernels(front);
    Result<compile::Output> compiled = compile::compile(source, file, options);
    return compiled ? clean_code_of(std::move(*compiled), file) : compiled.diagnostics();
}

Result<CleanCode> clean_code_of(compile::Output compiled, const std::string& file) {
    const Result<ptx::Module> module = ptx::parse(compiled.ptx, file + " (PTX)");
    if (!module) return module.diagnostics();
    CleanCode code;
    code.compiled = std::move(compiled);
    for (const ptx::Function& function : module->functions)
        if (function.kind == ptx::Function::Kind::entry)
            code.kernels.push_back(
                {function.name, simt::plain_name(function.name), function.parameters, 0, {}});
    for (const ptx::Variable& variable : module->variables)
        if (variable.size_bytes() > 0 &&
            (variable.space == ptx::Space::global || variable.space == ptx::Space::const_))
            code.variables.push_back(variable.name);
    return code;
}

Result<gpu::CleanProgram> clean_program(const CleanCode& code, const lesson::Instance& instance,
                                        const std::string& file, std::vector<std::string>& notes) {
    gpu::CleanProgram program;
    program.cubin = code.compiled.cubin;
    for (const lesson::BufferInstance& buffer : instance.buffers) {
        Result<gpu::CleanBuffer> made = clean_buffer(code, buffer, file);
        if (!made) return made.diagnostics();
        program.buffers.push_back(std::move(*made));
    }
    add_textures(instance, program);
    for (const std::string& symbol : code.variables) {
        const auto is_given = [&](const gpu::CleanBuffer& each) {
            return each.symbol == symbol && !each.contents.empty();
        };
        if (std::none_of(program.buffers.begin(), program.buffers.end(), is_given))
            program.variables.push_back(symbol);
    }
    for (const lesson::LaunchInstance& launch : instance.launches) {
        Result<PreparedLaunch> prepared =
            prepare_launch(launch, instance, code.kernels, code.compiled.symbols, file);
        if (!prepared) return prepared.diagnostics();
        gpu::CleanLaunch made{prepared->kernel,    launch.kernel,      launch.grid, launch.block,
                              launch.shared_bytes, launch.cooperative, {}};
        for (PreparedArgument& argument : prepared->arguments) {
            if (argument.addresses.empty()) {
                made.arguments.push_back({std::move(argument.bytes), -1, 0});
                continue;
            }
            const lesson::BufferAddress& address = argument.addresses.begin()->second;
            made.arguments.push_back(
                {std::move(argument.bytes), place_of(program, address.buffer), address.offset_bytes});
        }
        if (launch.resident_blocks > 0 && notes.empty())
            notes.push_back("only the CPU machine obeys 'resident'");
        program.launches.push_back(std::move(made));
    }
    return program;
}

}  // namespace lanescope::execution
