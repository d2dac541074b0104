#include "execution/run/launch_arguments.h"

#include <algorithm>
#include <cstring>

#include "simt/program/kernel_info.h"

namespace lanescope::execution {

namespace {

using Bytes = std::vector<std::byte>;

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

std::string counted_arguments(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

// Prepares one launch of an instance.
class Preparation {
  public:
    Preparation(const lesson::LaunchInstance& launch, const lesson::Instance& instance,
                const std::string& file)
        : launch_(launch), instance_(instance), file_(file) {}

    Result<PreparedLaunch> run(const std::vector<simt::KernelInfo>& kernels,
                               const std::map<std::string, std::string>& symbols) const {
        Result<const simt::KernelInfo*> kernel = find_kernel(kernels, symbols);
        if (!kernel) return kernel.diagnostics();
        if (Diagnostics problems = (*kernel)->unsupported; !problems.empty()) {
            for (Diagnostic& problem : problems)  // the compiler knows the file by another name
                problem.file = file_;
            return problems;
        }
        const std::vector<ptx::Variable>& parameters = (*kernel)->parameters;
        if (parameters.size() != launch_.arguments.size())
            return at_launch("kernel '" + launch_.kernel + "' takes " + counted_arguments(parameters.size()) +
                             ", but the launch gives " + std::to_string(launch_.arguments.size()));
        PreparedLaunch prepared{(*kernel)->symbol, {}};
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            Result<PreparedArgument> argument = prepare(i, parameters[i]);
            if (!argument) return argument.diagnostics();
            prepared.arguments.push_back(std::move(*argument));
        }
        return prepared;
    }

  private:
    Diagnostic at_launch(std::string message, std::string hint = {}) const {
        return error_at(file_, launch_.line, 0, std::move(message), std::move(hint));
    }

    Result<const simt::KernelInfo*> find_kernel(const std::vector<simt::KernelInfo>& kernels,
                                                const std::map<std::string, std::string>& symbols) const {
        const auto instantiation = symbols.find(launch_.kernel);
        auto same_name = [&](const simt::KernelInfo& kernel) {
            if (instantiation != symbols.end()) return kernel.symbol == instantiation->second;
            return without_blanks(kernel.name) == without_blanks(launch_.kernel) ||
                   kernel.symbol == launch_.kernel;
        };
        const auto kernel = std::find_if(kernels.begin(), kernels.end(), same_name);
        if (kernel != kernels.end()) return &*kernel;
        std::string known;
        for (const simt::KernelInfo& each : kernels)
            known += (known.empty() ? "" : ", ") + each.name;
        return at_launch("no kernel is named '" + launch_.kernel + "'",
                         known.empty() ? "the file has no kernel" : "the file has: " + known);
    }

    Result<PreparedArgument> prepare(std::size_t index, const ptx::Variable& parameter) const {
        const lesson::Argument& argument = launch_.arguments[index];
        const std::uint64_t size = parameter.size_bytes();
        auto as_bytes = [&](const auto& value) {
            Bytes bytes(size);
            std::memcpy(bytes.data(), &value, std::min<std::size_t>(size, sizeof value));
            return PreparedArgument{std::move(bytes), {}};
        };
        const std::string which = "argument " + std::to_string(index + 1) + " of '" + launch_.kernel + "'";
        if (parameter.is_array || size > 8) return structure(argument, which, size);
        if (argument.is_buffer) {
            if (size != 8)
                return at_launch(which + " is a buffer or a texture, but the kernel expects a number");
            return PreparedArgument{Bytes(8), {{0, argument.address}}};
        }
        const double real = argument.is_real ? argument.real : static_cast<double>(argument.integer);
        if (parameter.type == ptx::Type::f32) return as_bytes(static_cast<float>(real));
        if (parameter.type == ptx::Type::f64) return as_bytes(real);
        if (argument.is_real) return at_launch(which + " must be a whole number");
        if (size < 8) {
            const std::int64_t limit = std::int64_t{1} << (8 * size);
            if (argument.integer >= limit || argument.integer < -limit / 2)
                return at_launch(which + ": " + std::to_string(argument.integer) + " does not fit in " +
                                 std::to_string(8 * size) + " bits");
        }
        return as_bytes(argument.integer);
    }

    // A structure is passed by value: as the contents of a buffer of its size.
    Result<PreparedArgument> structure(const lesson::Argument& argument, const std::string& which,
                                       std::uint64_t size) const {
        const std::string bytes = std::to_string(size) + (size == 1 ? " byte" : " bytes");
        for (const lesson::BufferInstance& buffer : instance_.buffers)
            if (argument.is_buffer && buffer.name == argument.address.buffer &&
                argument.address.offset_bytes == 0 && buffer.initialised && buffer.contents.size() == size)
                return PreparedArgument{buffer.contents, buffer.addresses};
        return at_launch(which + " is a structure of " + bytes,
                         "pass a buffer of " + bytes + " with contents");
    }

    const lesson::LaunchInstance& launch_;
    const lesson::Instance& instance_;
    const std::string& file_;
};

}  // namespace

Result<compile::Flags> flags_of(const lesson::FrontMatter& front, const std::string& file,
                                const compile::Flags& wanted) {
    const lesson::CompileEntries& entries = front.compiler;
    const compile::Flags own{{}, entries.defines, entries.standard, entries.arch};
    if (const Result<void> fine = compile::check_flags(own); !fine) {
        const Diagnostic& why = fine.diagnostics().front();
        return error_at(file, front.first_line, 0, why.message, why.hint);
    }
    return compile::merged(wanted, own);
}

Result<PreparedLaunch> prepare_launch(const lesson::LaunchInstance& launch, const lesson::Instance& instance,
                                      const std::vector<simt::KernelInfo>& kernels,
                                      const std::map<std::string, std::string>& symbols,
                                      const std::string& file) {
    return Preparation(launch, instance, file).run(kernels, symbols);
}

void put_addresses(std::vector<std::byte>& bytes,
                   const std::map<std::uint64_t, lesson::BufferAddress>& addresses,
                   const AddressOf& address_of) {
    for (const auto& [at, address] : addresses) {
        const std::uint64_t value = address_of(address.buffer) + address.offset_bytes;
        if (at <= bytes.size() && bytes.size() - at >= sizeof value)
            std::memcpy(bytes.data() + at, &value, sizeof value);
    }
}

simt::LaunchRequest machine_launch(const lesson::LaunchInstance& launch, PreparedLaunch prepared,
                                   const AddressOf& address_of) {
    simt::LaunchRequest request;
    request.kernel = std::move(prepared.kernel);
    request.label = launch.kernel;
    request.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
    request.block = {launch.block[0], launch.block[1], launch.block[2]};
    request.dynamic_shared_bytes = launch.shared_bytes;
    request.cooperative = launch.cooperative;
    request.resident_blocks = launch.resident_blocks;
    for (PreparedArgument& argument : prepared.arguments) {
        put_addresses(argument.bytes, argument.addresses, address_of);
        request.arguments.push_back(std::move(argument.bytes));
    }
    return request;
}

}  // namespace lanescope::execution
