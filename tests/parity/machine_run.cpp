#include "machine_run.h"

#include <cstring>

#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/launch/launch.h"
#include "simt/machine/machine.h"

namespace lanescope::parity {

namespace {

std::vector<std::byte> pointer(simt::DeviceAddress address) {
    std::vector<std::byte> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
}

Result<simt::DeviceAddress> place(simt::Machine& machine, const std::vector<std::byte>& bytes) {
    auto address = machine.allocate(bytes.size(), {});
    if (!address.ok()) return address;
    if (auto written = machine.write(*address, bytes); !written.ok()) return written.diagnostics();
    return address;
}

}  // namespace

Result<std::vector<std::byte>> run_on_machine(const Form& form, const Work& work) {
    const std::string text = module_of({form});
    auto module = ptx::parse(text);
    if (!module.ok()) return module.diagnostics();
    auto program = simt::load(*module, {}, text, "", "");
    if (!program.ok()) return program.diagnostics();
    simt::Machine machine(*program, {}, {});

    std::vector<std::byte> memory = work.memory;
    std::vector<std::byte> outputs(std::max<std::size_t>(form.outputs.size(), 1) * lanes * slot_bytes);
    simt::LaunchRequest request;
    request.kernel = "k0";
    request.grid = {lanes / block_threads, 1, 1};
    request.block = {block_threads, 1, 1};
    simt::DeviceAddress at[3] = {};
    const std::vector<std::byte>* const contents[3] = {&work.inputs, &memory, &outputs};
    for (int i = 0; i < 3; ++i) {
        auto address = place(machine, *contents[i]);
        if (!address.ok()) return address.diagnostics();
        at[i] = *address;
        request.arguments.push_back(pointer(at[i]));
    }
    const simt::Outcome outcome = machine.launch(request);
    if (!machine.problems().empty()) return error(machine.problems().front().message);
    if (outcome.ending != simt::Ending::finished) return error("the launch stopped before its end");
    if (auto got = machine.read(at[1], memory); !got.ok()) return got.diagnostics();
    if (auto got = machine.read(at[2], outputs); !got.ok()) return got.diagnostics();
    return packed(form, outputs, memory);
}

}  // namespace lanescope::parity
