#include "scene/stage/last_shared.h"

#include <algorithm>
#include <utility>

namespace lanescope::scene {

bool LastShared::update(const session::Session& session, std::span<const StageArray> arrays,
                        const trace::Step& place, bool another, bool wait) {
    if (another || (!asked_ && session.run()->report_ready)) start(session, arrays, place, wait);
    return std::exchange(arrived_, false);
}

void LastShared::start(const session::Session& session, std::span<const StageArray> arrays,
                       const trace::Step& place, bool wait) {
    constexpr std::uint64_t looked_at_bytes = 1 << 16;
    constexpr std::size_t read_at_once = 1'000'000;  // turns: a frame waits for the job
    const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
    jobs_.cancel(job);
    contents_.clear();
    asked_ = true;
    if (trace->launches[place.launch].shared.empty()) return;
    const std::uint64_t end = trace->launches[place.launch].end_turn;
    asked_ = session.playhead().replay()->is_near(end, end);
    if (!asked_) return;
    struct Copy {
        std::size_t array;
        const trace::Symbol* symbol;
        std::uint32_t block;
    };
    std::vector<Copy> shared;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        if (arrays[i].symbol->space != trace::Space::shared || arrays[i].cell_bytes == 0) continue;
        if (arrays[i].copies.empty()) shared.push_back({i, arrays[i].symbol, place.block});
        for (const std::uint32_t block : arrays[i].copies)
            shared.push_back({i, arrays[i].symbol, block});
    }
    jobs_.start(job, [=, this, launch = place.launch](JobContext&) -> Jobs::Completion {
        auto contents = std::make_shared<std::vector<Contents>>();
        trace::Replay replay(trace);
        replay.seek(end);
        for (const auto& [number, symbol, block] : shared) {
            const std::uint64_t size = std::min(symbol->size_bytes, looked_at_bytes);
            Contents last{number, std::vector<std::byte>(size), std::make_unique<bool[]>(size)};
            replay.read(symbol->space, launch, block, symbol->offset, last.bytes,
                        {last.set.get(), last.bytes.size()});
            contents->push_back(std::move(last));
        }
        return [this, contents] {
            contents_ = std::move(*contents);
            arrived_ = true;
        };
    });
    if (wait || trace->turns.size() < read_at_once) jobs_.wait(job);
    jobs_.poll();
}

}  // namespace lanescope::scene
