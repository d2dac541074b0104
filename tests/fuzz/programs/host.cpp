#include <algorithm>
#include <array>
#include <bit>

#include "program.h"

namespace lanescope::programs {
namespace {

constexpr unsigned max_threads = 128;
constexpr unsigned warp_threads = 32;
constexpr std::uint64_t max_steps = 200'000;  // by all threads of a block, in thread-statements

using Lanes = std::array<std::uint32_t, max_threads>;
using Mask = std::array<bool, max_threads>;

std::uint32_t apply(Atomic operation, std::uint32_t old, std::uint32_t value) {
    switch (operation) {
        case Atomic::add:
            return old + value;
        case Atomic::minimum:
            return std::min(old, value);
        case Atomic::maximum:
            return std::max(old, value);
        case Atomic::conjunction:
            return old & value;
        case Atomic::disjunction:
            return old | value;
        case Atomic::exclusive:
            return old ^ value;
    }
    return old;
}

std::uint32_t reversed(std::uint32_t value) {
    std::uint32_t made = 0;
    for (unsigned bit = 0; bit < 32; ++bit)
        made |= (value >> bit & 1) << (31 - bit);
    return made;
}

std::int32_t as_int(std::uint32_t value) {
    return static_cast<std::int32_t>(value);
}

// Variables of the kernel or of one call of a function.
struct Frame {
    std::array<Lanes, locals> v{};
    std::array<Lanes, uniforms> u{};
    std::array<Lanes, max_loops> counter{};
    std::array<Lanes, 2> p{};
    std::array<Lanes, array_size> a{};
};

class Block {
  public:
    Block(const Program& program, unsigned number, Results& results)
        : program_(program), number_(number), results_(results) {}

    void run() {
        Frame frame;
        Mask all{};
        for (unsigned t = 0; t < program_.threads; ++t) {
            all[t] = true;
            for (unsigned j = 0; j < array_size; ++j)
                frame.a[j][t] = j * t;
            frame.v[0][t] = t;
            frame.v[1][t] = program_.input[t % input_size];
            frame.v[2][t] = number_;
            frame.u[0][t] = 3;
            frame.u[1][t] = number_;
        }
        for (unsigned i = 0; i < counters; ++i)
            shared_counts_[i] = program_.input[4 + i];
        ++results_.barriers;
        Mask active = all, left{}, next{};
        execute(program_.body, frame, active, left, next, 0);
        ++results_.barriers;
        for (unsigned t = 0; t < program_.threads; ++t) {
            for (const Lanes& value : frame.v)
                results_.out.push_back(value[t]);
            for (const Lanes& value : frame.u)
                results_.out.push_back(value[t]);
        }
        results_.counts.insert(results_.counts.end(), shared_counts_.begin(), shared_counts_.end());
    }

  private:
    // Evaluates for the active threads; others give 0.
    Lanes value(const Expression& e, const Frame& frame, const Mask& active) {
        std::array<Lanes, 3> x{};
        if (e.op == Op::select) return select(e, frame, active);
        for (std::size_t i = 0; i < e.operands.size(); ++i)
            x[i] = value(e.operands[i], frame, active);
        if (e.op == Op::call) return call(program_.functions[e.value], x[0], x[1], active);
        Lanes made{};
        for (unsigned t = 0; t < program_.threads; ++t)
            if (active[t]) made[t] = of_thread(e, frame, x, t);
        return made;
    }

    Lanes select(const Expression& e, const Frame& frame, const Mask& active) {
        const Lanes condition = value(e.operands[0], frame, active);
        Mask first{}, second{};
        for (unsigned t = 0; t < program_.threads; ++t)
            (condition[t] % 2 ? first : second)[t] = active[t];
        const Lanes a = value(e.operands[1], frame, first), b = value(e.operands[2], frame, second);
        Lanes made{};
        for (unsigned t = 0; t < program_.threads; ++t)
            made[t] = first[t] ? a[t] : second[t] ? b[t] : 0;
        return made;
    }

    std::uint32_t of_thread(const Expression& e, const Frame& frame, const std::array<Lanes, 3>& x,
                            unsigned t) {
        const std::uint32_t a = x[0][t], b = x[1][t], c = x[2][t];
        const unsigned warp = t / warp_threads * warp_threads, lane = t % warp_threads;
        switch (e.op) {
            case Op::constant:
                return e.value;
            case Op::local:
                return frame.v[e.value][t];
            case Op::uniform:
                return frame.u[e.value][t];
            case Op::thread:
                return t;
            case Op::block:
                return number_;
            case Op::counter:
                return frame.counter[e.value][t];
            case Op::parameter:
                return frame.p[e.value][t];
            case Op::input:
                return program_.input[a % input_size];
            case Op::element:
                return frame.a[a % array_size][t];
            case Op::add:
                return a + b;
            case Op::subtract:
                return a - b;
            case Op::multiply:
                return a * b;
            case Op::divide:
                return a / (b | 1);
            case Op::remainder:
                return a % (b | 1);
            case Op::signed_divide:
                return static_cast<std::uint32_t>(as_int(a) / as_int((b & 0x7fff) | 1));
            case Op::bit_and:
                return a & b;
            case Op::bit_or:
                return a | b;
            case Op::bit_xor:
                return a ^ b;
            case Op::shift_left:
                return a << (b & 31);
            case Op::shift_right:
                return a >> (b & 31);
            case Op::signed_shift_right:
                return static_cast<std::uint32_t>(as_int(a) >> (b & 31));
            case Op::minimum:
                return std::min(a, b);
            case Op::signed_maximum:
                return static_cast<std::uint32_t>(std::max(as_int(a), as_int(b)));
            case Op::less:
                return a < b;
            case Op::signed_less:
                return as_int(a) < as_int(b);
            case Op::equal:
                return a == b;
            case Op::negate:
                return 0 - a;
            case Op::complement:
                return ~a;
            case Op::population:
                return static_cast<std::uint32_t>(std::popcount(a));
            case Op::leading_zeros:
                return static_cast<std::uint32_t>(std::countl_zero(a));
            case Op::reverse_bits:
                return reversed(a);
            case Op::floats:
                return (a & 255) * (b & 255) + (c & 1023);
            case Op::doubles:
                return static_cast<std::uint32_t>(std::int64_t{a & 0xffff} * std::int64_t{b & 0xffff} -
                                                  std::int64_t{c});
            case Op::shuffle:
                return x[0][warp + (b & 31)];
            case Op::shuffle_xor:
                return x[0][warp + (lane ^ e.value)];
            case Op::shuffle_up:
                return lane >= e.value ? x[0][t - e.value] : a;
            case Op::shuffle_down:
                return lane + e.value < warp_threads ? x[0][t + e.value] : a;
            case Op::ballot:
            case Op::any:
            case Op::all:
                return of_warp(e.op, x[0], warp);
            case Op::match: {
                std::uint32_t same = 0;
                for (unsigned other = 0; other < warp_threads; ++other)
                    same |= std::uint32_t{x[0][warp + other] % 4 == a % 4} << other;
                return same;
            }
            case Op::select:
            case Op::call:
            case Op::count:
                break;
        }
        return 0;
    }

    static std::uint32_t of_warp(Op op, const Lanes& value, unsigned warp) {
        std::uint32_t ballot = 0;
        bool any = false, all = true;
        for (unsigned lane = 0; lane < warp_threads; ++lane) {
            const std::uint32_t each = value[warp + lane];
            ballot |= (each & 1) << lane;
            any = any || (each & 7) != 0;
            all = all && (each & 7) != 0;
        }
        return op == Op::ballot ? ballot : op == Op::any ? any : all;
    }

    Lanes call(const Function& function, const Lanes& a, const Lanes& b, const Mask& active) {
        Frame frame;
        frame.p = {a, b};
        frame.v[1] = a;
        frame.v[2] = b;
        for (unsigned t = 0; t < program_.threads; ++t)
            frame.v[3][t] = a[t] ^ b[t];
        Mask running = active, left{}, next{};
        execute(function.body, frame, running, left, next, 0);
        return value(function.result, frame, active);
    }

    static bool none(const Mask& mask) {
        return std::none_of(mask.begin(), mask.end(), [](bool on) { return on; });
    }

    template <class Visit>
    void for_each(const Mask& active, Visit visit) {
        for (unsigned t = 0; t < program_.threads; ++t)
            if (active[t]) visit(t);
    }

    // `left` and `next` collect the threads that leave the innermost loop or go on with its next round.
    void execute(const std::vector<Statement>& all, Frame& frame, Mask& active, Mask& left, Mask& next,
                 unsigned loops) {
        for (const Statement& each : all) {
            if (none(active) || results_.too_long) return;
            results_.steps += static_cast<std::uint64_t>(std::count(active.begin(), active.end(), true));
            if (results_.steps > max_steps) {
                results_.too_long = true;
                return;
            }
            execute(each, frame, active, left, next, loops);
        }
    }

    void execute(const Statement& s, Frame& frame, Mask& active, Mask& left, Mask& next, unsigned loops) {
        const auto assign = [&](Lanes& to, const Lanes& from) {
            for_each(active, [&](unsigned t) { to[t] = from[t]; });
        };
        switch (s.kind) {
            case Kind::assign:
                return assign(frame.v[s.index], value(s.a, frame, active));
            case Kind::assign_uniform:
                return assign(frame.u[s.index], value(s.a, frame, active));
            case Kind::store_element: {
                const Lanes at = value(s.a, frame, active), from = value(s.b, frame, active);
                return for_each(active, [&](unsigned t) { frame.a[at[t] % array_size][t] = from[t]; });
            }
            case Kind::exchange:
            case Kind::call_shared: {
                const Lanes from = value(s.a, frame, active);
                for_each(active, [&](unsigned t) { shared_[t ^ s.index] = from[t]; });
                const Lanes at = value(s.b, frame, active);
                for_each(active, [&](unsigned t) {
                    frame.v[s.target][t] = shared_[(t + at[t] % program_.threads) % program_.threads];
                });
                results_.barriers += 2;
                return;
            }
            case Kind::broadcast: {
                const Lanes from = value(s.a, frame, active);
                for_each(active, [&](unsigned t) { frame.u[s.target][t] = from[s.index]; });
                results_.barriers += 2;
                return;
            }
            case Kind::count_shared:
            case Kind::count_global: {
                const Lanes at = value(s.a, frame, active), from = value(s.b, frame, active);
                return for_each(active, [&](unsigned t) {
                    std::uint32_t& counter = s.kind == Kind::count_shared ? shared_counts_[at[t] % counters]
                                                                          : results_.counts[at[t] % counters];
                    counter = apply(
                        s.kind == Kind::count_shared ? program_.shared_operation : program_.global_operation,
                        counter, from[t]);
                });
            }
            case Kind::branch: {
                const Lanes condition = value(s.a, frame, active);
                Mask first{}, second{};
                for_each(active, [&](unsigned t) { (condition[t] % 2 ? first : second)[t] = true; });
                execute(s.body, frame, first, left, next, loops);
                execute(s.other, frame, second, left, next, loops);
                return join(active, first, second);
            }
            case Kind::choose:
                return choose(s, frame, active, left, next, loops);
            case Kind::loop:
            case Kind::uniform_loop:
            case Kind::work_loop:
                return loop(s, frame, active, loops);
            case Kind::leave_loop:
                return leave(s, frame, active, left, 1);
            case Kind::continue_loop:
                return leave(s, frame, active, next, 2);
            case Kind::barrier:
                ++results_.barriers;
                return;
            case Kind::count:
                return;
        }
    }

    void join(Mask& active, const Mask& first, const Mask& second) {
        for (unsigned t = 0; t < program_.threads; ++t)
            active[t] = first[t] || second[t];
    }

    void choose(const Statement& s, Frame& frame, Mask& active, Mask& left, Mask& next, unsigned loops) {
        const Lanes chosen = value(s.a, frame, active);
        Mask first{}, second{}, others{};
        for_each(active, [&](unsigned t) {
            const std::uint32_t label = chosen[t] % 4;
            (label == 0 ? first : label == 2 ? second : others)[t] = true;
        });
        execute(s.body, frame, first, left, next, loops);
        if (s.index % 2) {  // falls through
            join(second, second, first);
            first = {};
        }
        execute(s.other, frame, second, left, next, loops);
        for_each(others, [&](unsigned t) { ++frame.v[0][t]; });
        join(active, first, second);
        join(active, active, others);
    }

    void leave(const Statement& s, Frame& frame, Mask& active, Mask& to, std::uint32_t label) {
        const Lanes condition = value(s.a, frame, active);
        for_each(active, [&](unsigned t) {
            if (condition[t] % 4 != label) return;
            to[t] = true;
            active[t] = false;
        });
    }

    void loop(const Statement& s, Frame& frame, Mask& active, unsigned loops) {
        Lanes& counter = frame.counter[loops];
        Mask running = active, left{};
        for_each(active, [&](unsigned t) { counter[t] = 0; });
        for (std::uint32_t round = 0; !none(running) && !results_.too_long; ++round) {
            if (s.kind == Kind::work_loop) {
                for_each(running, [&](unsigned t) { frame.u[s.target][t] = s.index - round; });
                results_.barriers += 2;
                if (round == s.index) return;
            } else {
                const Lanes bound = s.kind == Kind::loop ? value(s.a, frame, running) : Lanes{};
                for_each(running, [&](unsigned t) {
                    running[t] = counter[t] < (s.kind == Kind::loop ? bound[t] % 8 : s.index);
                });
            }
            Mask next{};
            execute(s.body, frame, running, left, next, loops + 1);
            join(running, running, next);
            for_each(running, [&](unsigned t) { ++counter[t]; });
            results_.steps += program_.threads;
            if (results_.steps > max_steps) results_.too_long = true;
        }
    }

    const Program& program_;
    unsigned number_;
    Results& results_;
    std::array<std::uint32_t, max_threads> shared_{};
    std::array<std::uint32_t, counters> shared_counts_{};
};

}  // namespace

Results run_on_host(const Program& program) {
    Results results;
    results.counts.assign(program.input.begin(), program.input.begin() + counters);
    for (unsigned block = 0; block < program.blocks; ++block)
        Block(program, block, results).run();
    return results;
}

}  // namespace lanescope::programs
