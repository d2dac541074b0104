// A plain model of a trace: makes random turns, feeds them to a Recorder and keeps the whole state after each
// turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "trace/recorder.h"
#include "trace/replay.h"
#include "trace/trace.h"

namespace lanescope::trace {

struct ModelMemory {
    std::vector<std::byte> bytes;
    std::vector<bool> set;
    explicit ModelMemory(std::size_t size = 0) : bytes(size), set(size) {}
    bool operator==(const ModelMemory&) const = default;
};

struct ModelFrame {
    std::uint32_t function = 0;
    std::uint32_t local_base = 0;
    std::vector<std::optional<std::uint64_t>> slots;
};

struct ModelThread {
    std::vector<ModelFrame> frames;
    ModelMemory local;
};

// The whole state at one position.
struct Model {
    ModelMemory global, constant;
    std::uint32_t launch = none;
    std::vector<ModelMemory> shared;   // per block
    std::vector<ModelThread> threads;  // per block and thread
};

struct ModelAccess {
    Access access;  // with values
};

struct ModelTurn {
    std::vector<Access> accesses;
    std::vector<Branch> branches;
    std::vector<Exchange> exchanges;
    std::vector<Sync> syncs;
    std::vector<Jump> jumps;
};

struct ModelOptions {
    std::uint64_t seed = 1;
    unsigned turns_per_launch = 120;
    unsigned launches = 3;
    std::uint64_t snapshot_interval_bytes = 2048;
    std::uint64_t trace_bytes = 1ull << 30;
};

Program model_program();

class ModelRun {
  public:
    explicit ModelRun(ModelOptions options);

    std::shared_ptr<const Trace> trace;
    std::vector<Model> states;  // by position
    std::vector<ModelTurn> turns;

    static constexpr std::uint32_t threads_per_block = 40;
    static constexpr std::uint32_t local_bytes = 160;
    static constexpr std::uint32_t shared_bytes = 2500;

  private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
    void run_launch(std::uint32_t number);
    void run_turn();
    void access();
    void variable();
    void push();
    void pop();
    void foreign_store();
    void host_write();
    ModelMemory& memory(Space space, unsigned lane);
    ModelThread& thread(unsigned lane);
    void choose_offsets(Space space, unsigned width, std::uint64_t size, std::uint64_t* offsets);

    ModelOptions options_;
    std::mt19937_64 random_;
    Recorder recorder_;
    Model now_;
    Launch launch_;
    std::uint32_t block_ = 0, warp_ = 0, pc_ = 0;
    std::uint32_t owner_ = none;  // the other block whose shared memory the access reaches
    std::uint16_t ordinal_ = 0;
    Mask mask_ = 0;
};

// Describes the differences between the states of a replay and of the model; empty if they are equal.
std::string difference(const Replay& replay, const Model& model);

}  // namespace lanescope::trace
