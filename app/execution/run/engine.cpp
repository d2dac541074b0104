#include "execution/run/engine.h"

namespace lanescope::execution {
namespace {

class MachineEngine : public Engine {
  public:
    MachineEngine(std::shared_ptr<const simt::Program> program, const simt::Limits& limits,
                  const simt::Schedule& schedule)
        : machine_(std::move(program), limits, schedule) {}

    Result<simt::DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description) override {
        return machine_.allocate(size_bytes, std::move(description));
    }
    Result<simt::Machine::SymbolAddress> symbol(std::string_view name) const override {
        return machine_.symbol(name);
    }
    Result<std::uint64_t> add_texture(const simt::Texture& texture) override {
        return machine_.add_texture(texture);
    }
    Result<void> write(simt::DeviceAddress address, std::span<const std::byte> bytes) override {
        return machine_.write(address, bytes);
    }
    Result<void> read(simt::DeviceAddress address, std::span<std::byte> bytes,
                      std::span<bool> set) const override {
        return machine_.read(address, bytes, set);
    }
    void record_into(trace::Recorder* recorder) override { machine_.record_into(recorder); }
    Result<simt::Outcome> launch(const simt::LaunchRequest& request,
                                 const std::atomic<bool>* cancel) override {
        return machine_.launch(request, cancel);
    }
    std::uint32_t launch_count() const override { return machine_.launch_count(); }
    EngineResults finish() override {
        EngineResults results;
        results.problems = machine_.problems();
        results.origins = machine_.origins();
        results.console = machine_.console();
        results.turns_left = machine_.turns_left();
        return results;
    }

  private:
    simt::Machine machine_;
};

}  // namespace

std::unique_ptr<Engine> make_machine_engine(std::shared_ptr<const simt::Program> program,
                                            const simt::Limits& limits, const simt::Schedule& schedule) {
    return std::make_unique<MachineEngine>(std::move(program), limits, schedule);
}

}  // namespace lanescope::execution
