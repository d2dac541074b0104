// Compares the reduced set of schedules with all schedules of small random programs.
#include "simt/schedule/interleavings.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "device.h"

namespace lanescope::simt {
namespace interleavings_test {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t cells = 2;

// Tries every thread that can run, at every turn.
class EveryOrder final : public ThreadChooser {
  public:
    ThreadChoice choose(const ThreadTable& threads) override {
        if (depth_ == stack_.size()) {
            Choice choice;
            for (std::size_t i = 0; i < threads.states.size(); ++i)
                if (threads.states[i] == ThreadState::ready) choice.ready.push_back(i);
            stack_.push_back(choice);
        }
        const Choice& choice = stack_[depth_++];
        return {ThreadChoice::Kind::thread, choice.ready[choice.taken], {}};
    }
    bool next() {
        depth_ = 0;
        while (!stack_.empty() && ++stack_.back().taken == stack_.back().ready.size())
            stack_.pop_back();
        return !stack_.empty();
    }

  private:
    struct Choice {
        std::vector<std::size_t> ready;
        std::size_t taken = 0;
    };
    std::vector<Choice> stack_;
    std::size_t depth_ = 0;
};

// A program and its runs, with two words `x` and one word `out` per thread.
class Subject {
  public:
    Subject(const std::string& code, std::uint32_t threads, std::uint32_t blocks = 1)
        : device_(with_header(
              ".visible .entry k(.param .u64 px, .param .u64 po) {\n.shared .b32 s;\n.reg .pred %p<4>;\n"
              ".reg .b32 %i, %b, %n, %v, %w;\n.reg .b64 %x, %o;\nld.param.u64 %x, [px];\nld.param.u64 %o, "
              "[po];\n"
              "mov.u32 %i, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.u32 %n, %ntid.x;\nmad.lo.u32 %i, %b, %n, %i;\n"
              "mov.u32 %v, 1;\n" +
              code + "\nEND: mad.wide.u32 %o, %i, 4, %o;\nst.global.u32 [%o], %v;\nret;\n}\n")),
          threads_(threads),
          blocks_(blocks) {}

    // Returns x and out at the end, and 1 if the threads are in a deadlock.
    Words run(Schedule schedule) {
        Machine machine(device_.shared_program(), {}, std::move(schedule));
        const auto words = [&](std::size_t count) {
            trace::Symbol symbol;
            symbol.extents = {count};
            const DeviceAddress address = *machine.allocate(4 * count, symbol);
            EXPECT_TRUE(machine.write(address, std::vector<std::byte>(4 * count)).ok());
            return address;
        };
        const DeviceAddress x = words(cells), out = words(threads_ * blocks_);
        LaunchRequest request;
        request.kernel = "k";
        request.grid = {blocks_, 1, 1};
        request.block = {threads_, 1, 1};
        for (const DeviceAddress address : {x, out}) {
            const auto bytes = std::as_bytes(std::span(&address, 1));
            request.arguments.emplace_back(bytes.begin(), bytes.end());
        }
        ending_ = machine.launch(request).ending;
        Words found(cells + threads_ * blocks_);
        EXPECT_TRUE(machine.read(x, std::as_writable_bytes(std::span(found).first(cells))).ok());
        EXPECT_TRUE(machine.read(out, std::as_writable_bytes(std::span(found).subspan(cells))).ok());
        found.push_back(ending_ == Ending::deadlock);
        EXPECT_TRUE(ending_ != Ending::faulted && ending_ != Ending::refused);
        return found;
    }

    std::map<Words, std::uint64_t> every_order() {
        std::map<Words, std::uint64_t> found;
        EveryOrder order;
        do
            ++found[run(chosen_by(order))];
        while (order.next());
        return found;
    }

    // Returns the outcomes of the reduced set with the number of schedules that their runs represent.
    std::map<Words, std::uint64_t> reduced() {
        std::map<Words, std::uint64_t> found;
        Interleavings order({});
        runs = redundant = 0;
        counted = true;
        for (bool more = true; more;) {
            order.begin_run();
            const Words outcome = run(chosen_by(order));
            more = order.end_run();
            if (order.ran() != Interleavings::Ran::whole) {
                ++redundant;
                continue;
            }
            ++runs;
            counted = counted && order.equivalent_schedules().has_value();
            found[outcome] += order.equivalent_schedules().value_or(0);
            Schedule again;
            again.kind = Schedule::Kind::threads;
            again.turns = order.schedule();
            EXPECT_EQ(run(again), outcome) << to_text(again);
        }
        return found;
    }

    std::uint64_t runs = 0, redundant = 0;
    bool counted = true;

  private:
    static Schedule chosen_by(ThreadChooser& chooser) {
        Schedule schedule;
        schedule.kind = Schedule::Kind::threads;
        schedule.chooser = &chooser;
        return schedule;
    }

    Device device_;
    std::uint32_t threads_, blocks_;
    Ending ending_ = Ending::finished;
};

// Returns code for one thread that reads or changes x, or skips depending on the value it read.
std::string random_step(std::mt19937& random, unsigned& labels) {
    const auto number = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
    const std::string at = "[%x+" + std::to_string(4 * number(cells)) + "]";
    const std::string constant = std::to_string(1 + number(3));
    switch (number(8)) {
        case 0:
        case 1:
            return "ld.global.u32 %w, " + at + ";\nmad.lo.u32 %v, %v, 3, %w;\n";
        case 2:
        case 3:
            return "st.global.u32 " + at + ", %v;\n";
        case 4:
            return "atom.global.add.u32 %w, " + at + ", " + constant + ";\nmad.lo.u32 %v, %v, 5, %w;\n";
        case 5:
            return "atom.global.cas.b32 %w, " + at + ", 0, " + constant + ";\nmad.lo.u32 %v, %v, 7, %w;\n";
        case 6: {
            const std::string label = "SKIP" + std::to_string(labels++);
            return "and.b32 %w, %v, 1;\nsetp.eq.u32 %p1, %w, 0;\n@%p1 bra " + label + ";\nst.global.u32 " +
                   at + ", " + constant + ";\n" + label + ": add.u32 %v, %v, 1;\n";
        }
        default:
            return "atom.shared.exch.b32 %w, [s], %v;\nadd.u32 %v, %v, 1;\n";
    }
}

// Returns a program in which each thread has its own code, perhaps followed by a barrier and more code.
std::string random_program(std::mt19937& random, std::uint32_t threads, unsigned steps, bool barrier) {
    std::string code;
    unsigned labels = 0;
    for (unsigned part = 0; part < (barrier ? 2u : 1u); ++part) {
        for (std::uint32_t thread = 0; thread < threads; ++thread) {
            const std::string other = "OTHER" + std::to_string(labels++);
            code += "setp.ne.u32 %p0, %i, " + std::to_string(thread) + ";\n@%p0 bra " + other + ";\n";
            const unsigned count = barrier ? 1 : 1 + static_cast<unsigned>(random() % steps);
            for (unsigned i = 0; i < count; ++i)
                code += random_step(random, labels);
            code += other + ": add.u32 %v, %v, 0;\n";
        }
        if (part == 0 && barrier) code += "bar.sync 0;\n";
    }
    return code;
}

void expect_same(Subject& subject, const std::string& code) {
    const std::map<Words, std::uint64_t> all = subject.every_order(), few = subject.reduced();
    EXPECT_EQ(few, all) << code;
    EXPECT_TRUE(subject.counted);
    std::uint64_t schedules = 0;
    for (const auto& [outcome, count] : all)
        schedules += count;
    EXPECT_LE(subject.runs, schedules);
}

TEST(Interleavings, same_outcomes_as_every_schedule_of_two_threads) {
    std::mt19937 random(1);
    for (int program = 0; program < 250; ++program) {
        const std::string code = "mov.u32 %w, 0;\n" + random_program(random, 2, 4, false);
        Subject subject("st.shared.u32 [s], 0;\n" + code, 2);
        expect_same(subject, code);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Interleavings, same_outcomes_as_every_schedule_of_three_threads) {
    std::mt19937 random(2);
    for (int program = 0; program < 60; ++program) {
        const std::string code = random_program(random, 3, 2, false);
        Subject subject(code, 3);
        expect_same(subject, code);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Interleavings, same_outcomes_as_every_schedule_of_blocks) {
    std::mt19937 random(3);
    for (int program = 0; program < 100; ++program) {
        const std::string code = random_program(random, 2, 3, false);
        Subject subject(code, 1, 2);
        expect_same(subject, code);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Interleavings, same_outcomes_as_every_schedule_around_a_barrier) {
    std::mt19937 random(4);
    for (int program = 0; program < 100; ++program) {
        const std::string code = random_program(random, 2 + program % 2, 1, true);
        Subject subject(code, 2 + program % 2);
        expect_same(subject, code);
        if (testing::Test::HasFailure()) return;
    }
}

const char* const lost_update =
    "ld.global.u32 %w, [%x];\nadd.u32 %w, %w, 1;\nst.global.u32 [%x], %w;\nmov.u32 %v, 0;\n";

TEST(Interleavings, a_lost_update_needs_four_runs) {
    Subject subject(lost_update, 2);
    EXPECT_EQ(subject.reduced(), subject.every_order());
    EXPECT_EQ(subject.runs, 4u);
    EXPECT_EQ(subject.redundant, 0u);
}

TEST(Interleavings, threads_that_share_nothing_need_one_run) {
    Subject subject("mov.u32 %v, %i;\n", 64, 2);
    EXPECT_EQ(subject.reduced().size(), 1u);
    EXPECT_EQ(subject.runs, 1u);
}

TEST(Interleavings, a_barrier_orders_what_is_before_it_and_behind) {
    // Every thread writes its cell and reads its neighbour's cell after the barrier.
    const char* const code =
        "mad.wide.u32 %x, %i, 4, %o;\nst.global.u32 [%x], %i;\nbar.sync 0;\nxor.b32 %w, %i, 1;\n"
        "mad.wide.u32 %x, %w, 4, %o;\nld.global.u32 %v, [%x];\nbar.sync 0;\n";
    Subject subject(code, 32);
    EXPECT_EQ(subject.reduced().size(), 1u);
    EXPECT_EQ(subject.runs, 1u);
}

TEST(Interleavings, a_spinning_thread_ends_the_search) {
    Subject subject(
        "setp.ne.u32 %p0, %i, 0;\n@%p0 bra WAIT;\nst.global.u32 [%x+4], 42;\nst.global.u32 [%x], 1;\n"
        "bra END;\nWAIT: ld.volatile.global.u32 %w, [%x];\nsetp.eq.u32 %p1, %w, 0;\n@%p1 bra WAIT;\n"
        "ld.global.u32 %v, [%x+4];\n",
        2);
    const auto found = subject.reduced();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.begin()->first, (Words{1, 42, 1, 42, 0}));
    EXPECT_FALSE(subject.counted);  // a thread can wait for any number of turns
    EXPECT_LE(subject.runs, 10u);
}

TEST(Interleavings, a_deadlock_of_some_schedules_is_found) {
    // Thread 0 takes lock x[0] first, then x[1]; thread 1 takes them in the opposite order.
    const std::string take =
        "TAKE_%: atom.global.cas.b32 %w, [$], 0, 1;\nsetp.ne.u32 %p1, %w, 0;\n@%p1 bra TAKE_%;\n";
    const auto lock = [&](const char* label, const char* at) {
        std::string code = take;
        for (std::size_t i; (i = code.find("TAKE_%")) != code.npos;)
            code.replace(i, 6, label);
        return code.replace(code.find('$'), 1, at);
    };
    Subject subject("xor.b32 %n, %i, 1;\nmad.wide.u32 %o, %n, 4, %x;\nmad.wide.u32 %x, %i, 4, %x;\n" +
                        lock("FIRST", "%x") + lock("SECOND", "%o") +
                        "atom.global.exch.b32 %w, [%o], 0;\natom.global.exch.b32 %w, [%x], 0;\nret;\n",
                    2);
    const auto found = subject.reduced();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found.begin()->first, (Words{0, 0, 0, 0, 0}));
    EXPECT_EQ(found.rbegin()->first, (Words{1, 1, 0, 0, 1}));
}

TEST(Interleavings, a_limit_on_turns_stops_a_run) {
    Subject subject("LOOP: atom.global.add.u32 %w, [%x], 1;\nbra LOOP;\n", 1);
    Interleavings order({100, 1 << 20, 1000});
    Schedule schedule;
    schedule.kind = Schedule::Kind::threads;
    schedule.chooser = &order;
    order.begin_run();
    subject.run(schedule);
    order.end_run();
    EXPECT_EQ(order.ran(), Interleavings::Ran::too_long);
}

}  // namespace interleavings_test
}  // namespace lanescope::simt
