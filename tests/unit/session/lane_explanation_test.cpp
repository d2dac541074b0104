// Explanations of lanes, and results that are hidden until they are revealed.
#include "session/lane_explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/files.h"

namespace lanescope::session {
namespace lane_explanation_test {

namespace fs = std::filesystem;

class LaneWords : public testing::Test {
  protected:
    LaneWords() : session_(fs::path(LANESCOPE_SOURCE_DIR) / "kernels") {}
    void open(const fs::path& file) {
        session_.apply(OpenFile{file});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
        ASSERT_TRUE(session_.playhead().step_state());
    }
    void lesson(const char* name) { open(fs::path(LANESCOPE_SOURCE_DIR) / "kernels" / name); }
    void kernel(const std::string& source, const char* schedule = "rr") {
        const fs::path file = fs::path(testing::TempDir()) / "lane_words.cu";
        ASSERT_TRUE(write_file(file, source));
        session_.apply(SetSchedule{*simt::parse_schedule(schedule)});
        session_.apply(OpenFile{file});
        session_.wait();  // kernels may stop with a problem here
        ASSERT_TRUE(session_.playhead().step_state()) << to_text(session_.diagnostics());
    }
    // Returns the explanations of all lanes at all steps.
    std::set<std::string> all() {
        std::set<std::string> found;
        for (std::size_t step = 0; step < session_.playhead().steps().size(); ++step) {
            session_.apply(SeekStep{step});
            for (std::uint32_t warp = 0; warp < session_.playhead().step_state()->warps.size(); ++warp)
                for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane)
                    found.insert(lane_explanation(session_, warp, lane));
        }
        return found;
    }
    static bool any(const std::set<std::string>& texts, const std::string& part) {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string& text) { return text.find(part) != std::string::npos; });
    }
    static std::string list(const std::set<std::string>& texts) {
        std::string all;
        for (const std::string& text : texts)
            all += text + "\n";
        return all;
    }
    Session session_;
};

const std::string front = R"(/*--- lanescope
[buffers]
a = { type = "int", count = "THREADS", init = "zero" }
[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["THREADS"]
args   = ["a"]
---*/
)";

std::string with_threads(const std::string& body, const std::string& threads) {
    std::string text = front + body;
    for (std::size_t at = text.find("THREADS"); at != text.npos; at = text.find("THREADS"))
        text.replace(at, 7, threads);
    return text;
}

TEST_F(LaneWords, every_lane_of_every_step_has_a_sentence) {
    lesson("reduction/modulo.cu");
    for (const std::string& text : all()) {
        EXPECT_EQ(text.front(), 't');
        EXPECT_GT(text.find(' '), 0u);
        EXPECT_GT(text.size(), text.find(' ') + 5) << text;
    }
    EXPECT_EQ(lane_explanation(session_, 99, 0), "");
    EXPECT_EQ(lane_explanation(session_, 0, 32), "");
}

TEST_F(LaneWords, a_diverged_lane_names_the_line_and_the_branch) {
    lesson("reduction/modulo.cu");
    const auto found = all();
    EXPECT_TRUE(any(found, ": the branch on line 32 split this warp")) << list(found);
    EXPECT_TRUE(any(found, "t1 waits for line ")) << list(found);
}

TEST_F(LaneWords, a_lane_at_a_barrier_says_since_when_and_for_whom) {
    kernel(with_threads(R"(__global__ void k(int* a) {
    int t = threadIdx.x;
    a[t] = t;
    __syncthreads();
    a[t] += a[(t + 1) % 96];
}
)",
                        "96"),
           "warp");
    const auto found = all();
    EXPECT_TRUE(any(found, "t0 is at the barrier of line 13 since step ")) << list(found);
    EXPECT_TRUE(any(found, ", waits for warps 1, 2")) << list(found);
    EXPECT_TRUE(any(found, ", waits for warp 2")) << list(found);
    EXPECT_TRUE(any(found, "has not started: its warp has had no turn yet")) << list(found);
    EXPECT_TRUE(any(found, "left the kernel at line ")) << list(found);
    EXPECT_TRUE(any(found, "t0 runs line 13 in this step and reaches the barrier")) << list(found);
    EXPECT_TRUE(any(found, "in this step and leaves the kernel")) << list(found);
    EXPECT_FALSE(any(found, "since step 0")) << "steps are counted from 1, as in the window";
}

TEST_F(LaneWords, a_lane_that_left_says_where) {
    kernel(with_threads(R"(__global__ void k(int* a) {
    int t = threadIdx.x;
    if (t >= 8) return;
    a[t] = t;
    a[t] += 1;
}
)",
                        "40"));
    session_.apply(SeekStep{session_.playhead().steps().size() - 1});
    const auto found = all();
    EXPECT_TRUE(any(found, "t39 left the kernel at line ")) << list(found);
    EXPECT_TRUE(any(found, "t40 does not exist: the block has 40 threads")) << list(found);
}

TEST_F(LaneWords, a_lane_that_meets_its_warp_says_for_whom_it_waits) {
    kernel(with_threads(R"(__global__ void k(int* a) {
    int t = threadIdx.x;
    if (t < 8) { a[t] = 1; __syncwarp(); a[t] += 1; }
    else { a[t] = 2; a[t] += 3; __syncwarp(); a[t] += 4; }
}
)",
                        "32"));
    const auto found = all();
    EXPECT_TRUE(any(found, "is at a warp synchronisation")) << list(found);
    EXPECT_TRUE(any(found, "of its warp")) << list(found);
}

TEST_F(LaneWords, a_stopped_lane_names_the_problem) {
    kernel(with_threads(R"(__global__ void k(int* a) {
    int t = threadIdx.x;
    a[t] = 1;
    if (t > 4) __trap();
    a[t] = 2;
}
)",
                        "32"));
    session_.apply(SeekStep{session_.playhead().steps().size() - 1});
    std::set<std::string> found;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        found.insert(lane_explanation(session_, 0, lane));
    EXPECT_TRUE(any(found, "t31 was stopped at line 13 by a problem: trap")) << list(found);
}

TEST_F(LaneWords, a_warp_is_described_in_groups) {
    lesson("reduction/modulo.cu");
    bool split = false;
    for (std::size_t step = 0; step < session_.playhead().steps().size(); ++step) {
        session_.apply(SeekStep{step});
        split |= warp_words(session_, 0).find(": the branch on line ") != std::string::npos;
        EXPECT_EQ(warp_words(session_, 0), session::warp_words(session_, 0));
    }
    EXPECT_TRUE(split);
}

// --- Notes of the course ----------------------------------------------------------------------------------

TEST(Notes, of_the_course_stand_at_steps_that_exist) {
    Session session(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    std::size_t lessons = 0;
    for (const lesson::Topic& topic : session.registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons) {
            if (entry.notes.empty()) continue;
            ++lessons;
            session.apply(OpenFile{entry.path});
            ASSERT_TRUE(session.wait()) << entry.path << to_text(session.diagnostics());
            for (const lesson::StepNote& note : entry.notes) {
                EXPECT_LT(note.step, int(session.playhead().steps().size())) << entry.path;
                EXPECT_LE(note.text.size(), 200u)
                    << note.text << ": the note must fit into the two lines of a caption";
            }
        }
    EXPECT_GE(lessons, 10u);
}

// --- Predict, then reveal ----------------------------------------------------------------------------------

class Hiding : public LaneWords {
  protected:
    std::string cell(std::uint64_t index) const {
        const trace::Symbol& s = session_.playhead().step_state()->launch->shared.at(0);
        std::array<std::byte, 4> bytes{};
        session_.playhead().replay()->read(s.space, 0, 0, s.offset + index * 4, bytes);
        std::int32_t value = 0;
        std::memcpy(&value, bytes.data(), 4);
        return std::to_string(value);
    }
    static bool stores(const StepState& step_state) {
        for (const trace::TurnDetail& turn : step_state.details)
            for (const trace::Access& access : turn.accesses)
                if (access.kind == trace::AccessKind::store && access.space == trace::Space::shared)
                    return true;
        return false;
    }
};

TEST_F(Hiding, a_step_forward_reveals_before_it_moves) {
    lesson("reduction/modulo.cu");
    session_.apply(HideResults{true});
    EXPECT_FALSE(session_.playhead().results().concealed) << "the shown results stay visible";
    session_.apply(SeekStep{0});
    while (!(session_.playhead().results().concealed && stores(*session_.playhead().step_state())))
        session_.apply(StepBy{1});
    const std::size_t at = session_.playhead().step_state()->index;
    const std::string hidden = cell(0);
    session_.apply(StepBy{1});
    EXPECT_EQ(session_.playhead().step_state()->index, at);
    EXPECT_FALSE(session_.playhead().results().concealed);
    EXPECT_NE(cell(0), hidden) << "the store to s[0] must be visible now";
    session_.apply(StepBy{1});
    EXPECT_EQ(session_.playhead().step_state()->index, at + 1);
}

TEST_F(Hiding, nothing_that_the_step_wrote_can_be_read) {
    lesson("reduction/modulo.cu");
    session_.apply(HideResults{true});
    for (std::size_t step = 0; step < session_.playhead().steps().size(); ++step) {
        session_.apply(SeekStep{step});
        if (!session_.playhead().results().concealed) continue;
        EXPECT_EQ(session_.playhead().replay()->position(), session_.playhead().step_state()->step.first);
        for (const trace::TurnDetail& turn : session_.playhead().step_state()->details)
            for (const trace::Access& access : turn.accesses)
                if (access.kind != trace::AccessKind::load) {
                    for (const auto& value : access.value)
                        EXPECT_TRUE(std::all_of(value.begin(), value.end(),
                                                [](std::byte b) { return b == std::byte{0}; }));
                }
    }
}

TEST_F(Hiding, operands_stay_visible) {
    lesson("reduction/modulo.cu");
    session_.apply(HideResults{true});
    session_.apply(SeekStep{12});  // s[2 * t] += s[2 * t + stride], stride 2
    ASSERT_TRUE(session_.playhead().results().concealed);
    const std::string old = cell(0);
    int loads = 0;
    for (const trace::TurnDetail& turn : session_.playhead().step_state()->details)
        for (const trace::Access& access : turn.accesses) {
            if (access.kind != trace::AccessKind::load || access.offset[0] != 0) continue;
            std::int32_t value = 0;
            std::memcpy(&value, access.value[0].data(), 4);
            EXPECT_EQ(std::to_string(value), old);
            ++loads;
            break;
        }
    EXPECT_GT(loads, 0);
    EXPECT_EQ(session_.values().value("s[2 * t]", 0, 0).text, "?");
    EXPECT_EQ(session_.values().value("s[2 * t]", 0, 0).before, old);
}

TEST_F(Hiding, a_watch_has_the_values_before_and_after) {
    lesson("reduction/modulo.cu");
    session_.apply(SeekStep{12});
    const LaneValue sum = session_.values().values("s[2 * t] + s[2 * t + stride]", 0)[0];
    session_.apply(ShowBefore{true});
    const LaneValue before = session_.values().value("s[2 * t] + s[2 * t + stride]", 0, 0);
    EXPECT_EQ(before.text, sum.before) << "3 + 5";
    EXPECT_FALSE(before.changed);
    session_.apply(ShowBefore{false});
    EXPECT_EQ(session_.values().value("s[2 * t]", 0, 0).text, sum.before) << "the step stores their sum";
    EXPECT_NE(sum.text, sum.before);
    EXPECT_EQ(session_.values().values("t + 1", 0)[3].before, "") << "the step does not change the value";
}

TEST_F(LaneWords, lanes_that_only_evaluate_a_condition_say_it) {
    lesson("reduction/warp_ordered.cu");
    session_.apply(SeekStep{12});
    EXPECT_EQ(warp_words(session_, 0).substr(0, 36), "28 lanes only evaluate the condition");
    EXPECT_EQ(lane_explanation(session_, 0, 1), "t1 only evaluates the condition on line 34 in this step");
    EXPECT_EQ(lane_explanation(session_, 0, 8), "t8 runs line 34 in this step");
}

TEST_F(Hiding, values_are_told_with_the_step) {
    lesson("reduction/modulo.cu");
    session_.apply(HideResults{true});
    session_.apply(SeekStep{0});
    while (!(session_.playhead().results().concealed && stores(*session_.playhead().step_state())))
        session_.apply(StepBy{1});
    const LaneValue hidden = session_.values().value("s[t] * 2 + 1", 0, 0);
    EXPECT_EQ(hidden.text, "?");
    EXPECT_TRUE(hidden.hidden);
    EXPECT_EQ(hidden.number, 0);
    EXPECT_FALSE(session_.values().value("t + 1", 0, 3).hidden) << "the step does not change the value";
    EXPECT_EQ(session_.values().value("t + 1", 0, 3).text, "4");
    session_.apply(Reveal{});
    EXPECT_FALSE(session_.values().value("s[t] * 2 + 1", 0, 0).hidden);
    EXPECT_NE(session_.values().value("s[t] * 2 + 1", 0, 0).text, "?");
}

TEST_F(Hiding, no_instruction_of_a_turn_tells_before_its_reveal) {
    lesson("reduction/modulo.cu");
    session_.apply(StepInstructions{true});
    session_.apply(HideResults{true});
    session_.apply(SeekStep{0});
    while (!(session_.playhead().results().concealed && session_.playhead().step_state()->pcs.size() > 2))
        session_.apply(session_.playhead().results().concealed ? Command(Reveal{}) : Command(StepBy{1}));
    const std::size_t turn = session_.playhead().step_state()->index;
    EXPECT_EQ(session_.playhead().replay()->position(), session_.playhead().step_state()->step.first);
    EXPECT_EQ(session_.playhead().step_state()->instruction, 0u);
    session_.apply(StepBy{1});
    EXPECT_FALSE(session_.playhead().results().concealed);
    EXPECT_EQ(session_.playhead().step_state()->instruction, 0u) << "revealing must not change the position";
    EXPECT_EQ(session_.playhead().replay()->position(), session_.playhead().step_state()->step.end);
    session_.apply(StepBy{1});
    EXPECT_EQ(session_.playhead().step_state()->instruction, 1u);
    EXPECT_EQ(session_.playhead().step_state()->index, turn);
    EXPECT_FALSE(session_.playhead().results().concealed) << "the results of the turn are revealed already";
}

TEST_F(Hiding, printed_text_is_a_result) {
    lesson("first_steps/hello.cu");
    session_.apply(HideResults{true});
    const std::uint64_t turn = session_.trace()->prints.front().turn;
    session_.apply(SeekTurn{turn});
    EXPECT_TRUE(session_.playhead().results().concealed);
    EXPECT_LE(session_.playhead().results().revealed_until, turn);
    session_.apply(Reveal{});
    EXPECT_GT(session_.playhead().results().revealed_until, turn);
    session_.apply(HideResults{false});
    EXPECT_EQ(session_.playhead().results().revealed_until, ~0ull);
}

TEST_F(Hiding, reveal_and_a_steady_step_back_show_everything) {
    lesson("reduction/modulo.cu");
    session_.apply(HideResults{true});
    session_.apply(SeekStep{10});
    session_.apply(Reveal{});
    EXPECT_FALSE(session_.playhead().results().concealed);
    EXPECT_EQ(session_.playhead().replay()->position(), session_.playhead().step_state()->step.end);
    session_.apply(StepBy{-1});
    EXPECT_FALSE(session_.playhead().results().concealed);
    session_.apply(SeekStep{12});
    session_.apply(HideResults{false});
    EXPECT_FALSE(session_.playhead().results().concealed);
    EXPECT_FALSE(session_.playhead().results().hidden_at_first);
}

TEST_F(Hiding, playing_reveals_each_step_and_ends) {
    lesson("reduction/modulo.cu");
    session_.apply(HideResults{true});
    session_.apply(SetSpeed{100});
    session_.apply(SeekStep{session_.playhead().steps().size() - 3});
    session_.apply(Play{true});
    for (double now = 0; now < 1 && session_.playback().playing(); now += 0.01)
        session_.update(now);
    EXPECT_FALSE(session_.playback().playing());
    EXPECT_FALSE(session_.playhead().results().concealed);
    EXPECT_EQ(session_.playhead().step_state()->index, session_.playhead().steps().size() - 1);
}

}  // namespace lane_explanation_test
}  // namespace lanescope::session
