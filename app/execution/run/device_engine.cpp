#include "execution/run/engine.h"

#include "gpu/traced/traced_engine.h"

namespace lanescope::execution {
namespace {

class DeviceEngine : public Engine {
  public:
    explicit DeviceEngine(gpu::TracedEngine engine) : engine_(std::move(engine)) {}

    Result<simt::DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description) override {
        return engine_.allocate(size_bytes, std::move(description));
    }
    Result<simt::Machine::SymbolAddress> symbol(std::string_view name) const override {
        return engine_.symbol(name);
    }
    Result<std::uint64_t> add_texture(const simt::Texture& texture) override {
        return engine_.add_texture(texture);
    }
    Result<void> write(simt::DeviceAddress address, std::span<const std::byte> bytes) override {
        return engine_.write(address, bytes);
    }
    Result<void> read(simt::DeviceAddress address, std::span<std::byte> bytes,
                      std::span<bool> set) const override {
        return engine_.read(address, bytes, set);
    }
    void record_into(trace::Recorder* recorder) override { engine_.record_into(recorder); }
    Result<simt::Outcome> launch(const simt::LaunchRequest& request,
                                 const std::atomic<bool>* cancel) override {
        Result<simt::Outcome> outcome = engine_.launch(request, cancel);
        if (outcome && outcome->ending == simt::Ending::finished)
            for (trace::RecordStreams& each : engine_.take_streams())
                keep(std::move(each));
        return outcome;
    }
    std::uint32_t launch_count() const override { return engine_.launch_count(); }
    EngineResults finish() override {
        EngineResults results;
        results.problems = engine_.problems();
        results.origins = engine_.origins();
        results.console = engine_.console();
        results.notes = engine_.notes();
        results.streams = std::move(streams_);
        results.records = std::make_shared<const gpu::DeviceRecords>(engine_.take_records());
        return results;
    }

  private:
    // The real schedule needs the streams of every launch.
    void keep(trace::RecordStreams streams) {
        constexpr std::uint64_t max_bytes = 1ull << 30;
        kept_bytes_ += streams.records.size() * sizeof(trace::Record);
        streams_.push_back(kept_bytes_ <= max_bytes ? std::move(streams) : trace::RecordStreams());
    }

    gpu::TracedEngine engine_;
    std::vector<trace::RecordStreams> streams_;  // of the launches so far
    std::uint64_t kept_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<Engine>> make_traced_engine(std::shared_ptr<const ptx::Module> module,
                                                   std::shared_ptr<const simt::Program> program,
                                                   const std::string& file, gpu::TraceDevice& device,
                                                   const simt::Limits& limits) {
    gpu::TracedLimits bounds;
    bounds.seconds = limits.seconds;
    bounds.memory_bytes = limits.memory_bytes;
    Result<gpu::TracedEngine> made =
        gpu::TracedEngine::create(std::move(module), std::move(program), file, device, bounds);
    if (!made) return made.diagnostics();
    return std::unique_ptr<Engine>(std::make_unique<DeviceEngine>(std::move(*made)));
}

}  // namespace lanescope::execution
