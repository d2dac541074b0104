#include "simt/launch/thread_schedule.h"

#include <charconv>

namespace lanescope::simt {

namespace {

constexpr std::uint64_t max_turns = 1'000'000'000;

class TurnParser {
  public:
    explicit TurnParser(std::string_view text) : text_(text) {}

    Result<std::vector<ThreadTurns>> parse() {
        std::vector<ThreadTurns> turns;
        while (true) {
            ThreadTurns next;
            if (!number(next.thread)) return expected("a thread");
            if (take('.')) {
                next.block = next.thread;
                if (!number(next.thread)) return expected("a thread of block " + std::to_string(next.block));
            }
            if (take('*') && (!number(next.count) || next.count == 0 || next.count > max_turns))
                return expected("a number of turns from 1 on");
            turns.push_back(next);
            if (at_ == text_.size()) return turns;
            if (!take(',')) return expected("a comma");
        }
    }

  private:
    bool take(char c) {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    template <class T>
    bool number(T& value) {
        start_ = at_;
        const auto [end, failed] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (failed != std::errc{}) return false;
        at_ = static_cast<std::size_t>(end - text_.data());
        start_ = at_;
        return true;
    }
    Diagnostic expected(const std::string& what) const {
        const std::size_t at = std::max(start_, at_);
        const std::string found = at < text_.size() ? "'" + std::string(1, text_[at]) + "'" : "the end";
        return error(
            "the list of threads has " + found + " at character " + std::to_string(at + 1) + " of '" +
                std::string(text_) + "'; expected " + what,
            "threads:0*3,1,2.5 is three turns of thread 0, one of thread 1, one of thread 5 of block 2");
    }

    std::string_view text_;
    std::size_t at_ = 0, start_ = 0;
};

std::string thread_name(std::uint32_t block, std::uint32_t thread) {
    return "thread " + std::to_string(thread) + " of block " + std::to_string(block);
}

// Returns the reason why the thread cannot take a turn.
std::string obstacle(const ThreadTable& threads, const ThreadTurns& wanted) {
    const std::size_t blocks = threads.states.size() / threads.block_threads;
    if (wanted.block >= blocks)
        return ", but the grid has " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
    if (wanted.thread >= threads.block_threads)
        return ", but its blocks have " + std::to_string(threads.block_threads) +
               (threads.block_threads == 1 ? " thread" : " threads");
    switch (threads.states[std::size_t{wanted.block} * threads.block_threads + wanted.thread]) {
        case ThreadState::absent:
            return ", whose block is not resident yet";
        case ThreadState::waiting:
            return ", which waits for other threads";
        case ThreadState::ended:
            return ", which has ended";
        default:
            return "";
    }
}

}  // namespace

Result<std::vector<ThreadTurns>> parse_thread_turns(std::string_view text) {
    return TurnParser(text).parse();
}

std::string to_text(std::span<const ThreadTurns> turns) {
    std::string text;
    for (const ThreadTurns& each : turns) {
        if (!text.empty()) text += ',';
        if (each.block != 0) text += std::to_string(each.block) + ".";
        text += std::to_string(each.thread);
        if (each.count != 1) text += "*" + std::to_string(each.count);
    }
    return text;
}

void append_turn(std::vector<ThreadTurns>& turns, std::uint32_t block, std::uint32_t thread) {
    if (!turns.empty() && turns.back().block == block && turns.back().thread == thread)
        ++turns.back().count;
    else
        turns.push_back({block, thread, 1});
}

ThreadChoice ListedTurns::choose(const ThreadTable& threads) {
    if (launch_ != threads.launch) last_ = threads.states.size() - 1;
    launch_ = threads.launch;
    if (entry_ == turns_.size()) {
        do
            last_ = (last_ + 1) % threads.states.size();
        while (threads.states[last_] != ThreadState::ready);
        return {ThreadChoice::Kind::thread, last_, {}};
    }
    const ThreadTurns& wanted = turns_[entry_];
    ++taken_in_all_;
    if (const std::string why = obstacle(threads, wanted); !why.empty())
        return {ThreadChoice::Kind::wrong, 0,
                "turn " + std::to_string(taken_in_all_) + " of the schedule is for " +
                    thread_name(wanted.block, wanted.thread) + why};
    if (++taken_ == wanted.count) {
        taken_ = 0;
        ++entry_;
    }
    last_ = std::size_t{wanted.block} * threads.block_threads + wanted.thread;
    return {ThreadChoice::Kind::thread, last_, {}};
}

std::uint64_t ListedTurns::left() const {
    std::uint64_t left = 0;
    for (std::size_t i = entry_; i < turns_.size(); ++i)
        left += turns_[i].count;
    return left - taken_;
}

}  // namespace lanescope::simt
