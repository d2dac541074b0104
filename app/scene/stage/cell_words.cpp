#include "scene/stage/cell_words.h"

#include <algorithm>
#include <bit>

#include "scene/words/access_words.h"
#include "session/playhead/earlier_writes.h"
#include "trace/names.h"

namespace lanescope::scene {

namespace {

// "t0, t1 and 6 more": the threads that read or write the cell.
std::string threads_text(const StepScene& scene, const CellMark& mark, bool writes) {
    std::vector<std::uint32_t> threads;
    for (const CellAccess& access : scene.accesses_of(mark))
        if ((access.kind != trace::AccessKind::load) == writes &&
            std::find(threads.begin(), threads.end(), access.thread) == threads.end())
            threads.push_back(access.thread);
    std::string text;
    for (std::size_t i = 0; i < threads.size() && i < 4; ++i)
        text += (i ? ", t" : "t") + std::to_string(threads[i]);
    if (threads.size() > 4) text += " and " + std::to_string(threads.size() - 4) + " more";
    return text;
}

std::string cell_address(const StageArray& array, std::uint64_t index) {
    const std::uint64_t byte = index * array.cell_bytes;
    std::string text = std::string(trace::to_text(array.symbol->space)) + ", byte " + std::to_string(byte);
    if (array.symbol->space == trace::Space::shared)
        text += ", bank " + std::to_string((array.symbol->offset + byte) / 4 % 32);
    return text;
}

std::string value_of(const trace::Trace& trace, const trace::Resolved& cell, const trace::Access& access,
                     const std::array<std::byte, 16>& bytes) {
    const ValueType& type = trace.program.types[cell.symbol->element];
    if (cell.byte != 0 || type.size_bytes > access.width_bytes) return {};  // a part of a structure
    return format_value(trace.program.types, cell.symbol->element, std::span(bytes.data(), type.size_bytes));
}

// The accesses of one thread in the order in which they happen. Add them while the replay stands before the
// step.
class ThreadStory {
  public:
    explicit ThreadStory(const session::Session& session)
        : trace_(*session.trace()),
          replay_(*session.playhead().replay()),
          hidden_(session.playhead().results().concealed) {}

    void add(const session::Session& session, std::uint32_t thread) {
        const session::StepState& step = *session.playhead().step_state();
        const unsigned own = thread % trace::warp_size;
        for (const trace::TurnDetail& detail : step.details) {
            const std::uint32_t warp = trace_.turns[detail.turn].warp;
            for (const trace::Access& access : detail.accesses)
                for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                    if ((access.mask >> lane & 1) == 0) continue;
                    const bool operand = written_.is_operand(access, warp, lane);
                    if (warp == thread / trace::warp_size && lane == own)
                        add(step.step.launch, step.step.block, access, lane, operand);
                    if (access.kind != trace::AccessKind::load) written_.add(access, warp, lane);
                }
        }
    }

    std::string text(std::uint32_t thread) const {
        if (reads_.empty() && writes_.empty()) return {};
        std::string text = "t" + std::to_string(thread);
        if (!reads_.empty()) text += " reads " + listed(reads_);
        if (!writes_.empty()) text += (reads_.empty() ? " writes " : " · writes ") + listed(writes_);
        return text;
    }

  private:
    void add(std::uint32_t launch, std::uint32_t block, const trace::Access& access, unsigned lane,
             bool operand) {
        if (access.space == trace::Space::local) return;
        const trace::Resolved cell = trace::resolve(trace_, launch, access.space, access.offset[lane]);
        if (cell.symbol == nullptr) return;
        const bool load = access.kind == trace::AccessKind::load;
        const auto value = [&](const std::array<std::byte, 16>& bytes, bool known) {
            return hidden_ && !known ? std::string("?") : value_of(trace_, cell, access, bytes);
        };
        const std::string now = value(access.value[lane], load && operand);
        if (now.empty()) return;
        const bool had_value = !operand || was_set(launch, block, access, lane);
        const std::string before = load || !had_value ? std::string() : value(access.before[lane], operand);
        const std::string entry = cell.text + owner_words(trace_.launches[launch], access) +
                                  (before.empty() ? " = " : ": " + before + " → ") + now;
        std::vector<std::string>& list = load ? reads_ : writes_;
        if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
    }

    // Whether the bytes had a value before the step; the replay stands there.
    bool was_set(std::uint32_t launch, std::uint32_t block, const trace::Access& access,
                 unsigned lane) const {
        std::array<std::byte, 16> bytes{};
        std::array<bool, 16> set{};
        const std::uint64_t instance = access.space == trace::Space::shared ? access.block_reached(block) : 0;
        replay_.read(access.space, launch, instance, access.offset[lane],
                     std::span(bytes).first(access.width_bytes), std::span(set).first(access.width_bytes));
        return std::all_of(set.begin(), set.begin() + access.width_bytes, [](bool each) { return each; });
    }

    static std::string listed(const std::vector<std::string>& all) {
        constexpr std::size_t most = 4;
        std::string text;
        for (std::size_t i = 0; i < all.size() && i < most; ++i)
            text += (i ? ", " : "") + all[i];
        return text + (all.size() > most ? " and " + std::to_string(all.size() - most) + " more" : "");
    }

    const trace::Trace& trace_;
    const trace::Replay& replay_;
    bool hidden_;
    session::EarlierWrites written_;
    std::vector<std::string> reads_, writes_;
};

std::string cell_name(const StageArray& array, std::uint64_t index) {
    const std::string& name = array.symbol->name;
    if (!array.is_matrix()) return name + "[" + std::to_string(index) + "]";
    return name + "[" + std::to_string(index / array.columns) + "][" + std::to_string(index % array.columns) +
           "]";
}

// "s[2] (i–l)", "s[3][4] (row 3, column 4)".
std::string cell_title(const StageArray& array, std::uint64_t index) {
    std::string text = cell_name(array, index);
    if (index < array.labels.size()) text += " (" + array.labels[index] + ")";
    if (array.axes.size() == 2 && array.is_matrix())
        text += " (" + array.axes[0] + " " + std::to_string(index / array.columns) + ", " + array.axes[1] +
                " " + std::to_string(index % array.columns) + ")";
    return text;
}

}  // namespace

std::string cell_story(const StageModel& model, const session::Session& session, const CellRef& cell) {
    const StageArray& array = model.arrays()[cell.array];
    std::string text = cell_title(array, cell.index) + " = " + model.cell_value(session, cell) + "\n" +
                       cell_address(array, cell.index);
    const CellMark* mark = model.scene().mark(cell);
    if (!mark) return text;
    if (mark->reads) text += "\nread by " + threads_text(model.scene(), *mark, false);
    if (mark->written()) {
        text += std::string("\n") + (mark->atomics ? "updated by " : "written by ") +
                threads_text(model.scene(), *mark, true);
        if (mark->writes + mark->atomics > 1) text += ", last by t" + std::to_string(mark->last_writer);
    }
    if (mark->conflict) text += "\nin a bank conflict";
    if (mark->race) text += "\nin a race";
    return text;
}

std::string thread_story(const session::Session& session, std::uint32_t thread) {
    constexpr std::size_t most_turns = 4096;
    const session::StepState* step = session.playhead().step_state();
    if (step == nullptr || !session.trace() || step->details.size() > most_turns) return {};
    const auto told = [&](std::uint32_t of) {
        ThreadStory story(session);
        session.playhead().while_before([&] { story.add(session, of); });
        return story.text(of);
    };
    if (std::string own = told(thread); !own.empty()) return own;
    for (const trace::TurnDetail& detail : step->details)
        for (const trace::Access& access : detail.accesses)
            if (access.space != trace::Space::local && access.mask != 0)
                return told(session.trace()->turns[detail.turn].warp * trace::warp_size +
                            static_cast<std::uint32_t>(std::countr_zero(access.mask)));
    return {};
}

}  // namespace lanescope::scene
