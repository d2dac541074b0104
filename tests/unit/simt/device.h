// A machine with a module from PTX text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/machine/machine.h"
#include "simt/program/kernel_info.h"
#include "trace/replay.h"

namespace lanescope::simt {

inline std::string with_header(const std::string& body) {
    return ".version 8.8\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n" + body;
}

inline std::string corpus(const std::string& name) {
    std::ifstream file(std::string(LANESCOPE_SOURCE_DIR) + "/tests/corpus/ptx/" + name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
}

class Device {
  public:
    explicit Device(const std::string& text, Schedule schedule = {}, Limits limits = {}) {
        auto module = ptx::parse(text, "test.ptx");
        if (!module.ok()) {
            ADD_FAILURE() << to_text(module.diagnostics());
            return;
        }
        const std::string user_file = module->files.empty() ? "" : module->files[0].path;
        auto debug = ptx::read_debug_info(*module, user_file);
        EXPECT_TRUE(debug.ok());
        auto program = load(*module, debug.ok() ? *debug : ptx::DebugInfo{}, text, user_file, "");
        if (!program.ok()) {
            ADD_FAILURE() << to_text(program.diagnostics());
            return;
        }
        program_ = *program;
        machine_ = std::make_unique<Machine>(program_, limits, schedule);
    }

    Machine& machine() { return *machine_; }
    const Program& program() { return *program_; }
    std::shared_ptr<const Program> shared_program() { return program_; }

    template <class T>
    DeviceAddress buffer(const std::vector<T>& values, const std::string& name = "buffer") {
        const DeviceAddress address = uninit<T>(values.size(), name);
        EXPECT_TRUE(machine_->write(address, std::as_bytes(std::span(values))).ok());
        return address;
    }
    template <class T>
    DeviceAddress uninit(std::size_t count, const std::string& name = "buffer") {
        trace::Symbol symbol;
        symbol.name = name;
        symbol.extents = {count};
        symbol.buffer = true;
        auto address = machine_->allocate(count * sizeof(T), symbol);
        EXPECT_TRUE(address.ok());
        return address.ok() ? *address : 0;
    }
    template <class T>
    std::vector<T> read(DeviceAddress address, std::size_t count) {
        std::vector<T> values(count);
        EXPECT_TRUE(machine_->read(address, std::as_writable_bytes(std::span(values))).ok());
        return values;
    }

    Device& shared(std::uint64_t bytes) {
        shared_bytes_ = bytes;
        return *this;
    }
    Device& in_clusters(trace::Dim3 of) {
        cluster_ = of;
        return *this;
    }
    Device& record_only(std::vector<std::uint32_t> blocks) {
        recorded_blocks_ = std::move(blocks);
        return *this;
    }

    // Launches the first kernel whose symbol contains `name`.
    template <class... Arguments>
    Outcome run(const std::string& name, trace::Dim3 grid, trace::Dim3 block, Arguments... arguments) {
        LaunchRequest request;
        for (const KernelInfo& info : kernels(*program_))
            if (request.kernel.empty() && info.symbol.find(name) != std::string::npos)
                request.kernel = info.symbol;
        request.label = name;
        request.grid = grid;
        request.block = block;
        request.dynamic_shared_bytes = shared_bytes_;
        request.recorded_blocks = recorded_blocks_;
        request.cluster = cluster_;
        (request.arguments.push_back(bytes_of(arguments)), ...);
        return machine_->launch(request);
    }

    void record() { machine_->record_into(&recorder_); }
    std::shared_ptr<const trace::Trace> finish() { return recorder_.finish(); }

    // Returns the kinds of the problems in the order in which they were found.
    std::vector<trace::ProblemKind> kinds() const {
        std::vector<trace::ProblemKind> found;
        for (const trace::Problem& problem : machine_->problems())
            found.push_back(problem.kind);
        return found;
    }
    const trace::Problem& only_problem() const {
        static const trace::Problem none_found;
        EXPECT_EQ(machine_->problems().size(), 1u);
        return machine_->problems().empty() ? none_found : machine_->problems()[0];
    }

  private:
    template <class T>
    static std::vector<std::byte> bytes_of(const T& value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        return {bytes.begin(), bytes.end()};
    }

    std::shared_ptr<const Program> program_;
    std::unique_ptr<Machine> machine_;
    trace::Recorder recorder_;
    std::uint64_t shared_bytes_ = 0;
    std::vector<std::uint32_t> recorded_blocks_;
    std::optional<trace::Dim3> cluster_;
};

// Expects that the replay of a run ends with the bytes of the machine in a buffer,
// and leads back to the start.
inline void expect_replay(Device& device, DeviceAddress buffer, std::size_t size_bytes) {
    const auto trace = device.finish();
    trace::Replay replay(trace);
    const std::uint64_t start = replay.state_hash();
    replay.seek(trace->turns.size());
    std::vector<std::byte> bytes(size_bytes);
    replay.read(trace::Space::global, 0, 0, buffer - (1ull << 40), bytes);
    EXPECT_EQ(bytes, device.read<std::byte>(buffer, size_bytes));
    replay.seek(0);
    EXPECT_EQ(replay.state_hash(), start);
}

using Kinds = std::vector<trace::ProblemKind>;

}  // namespace lanescope::simt
