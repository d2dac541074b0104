#include "program.h"

namespace lanescope::programs {
namespace {

// splitmix64 (S. Vigna, public domain): equal on every platform.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }
    bool one_in(std::uint32_t count) { return below(count) == 0; }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_;
};

// What code may use at a place.
struct Place {
    bool uniform = true;  // all threads of the block are here
    bool function = false;
    unsigned loops = 0;      // around this place
    bool may_leave = false;  // the innermost loop has no barriers, so that threads may leave it on their own
    unsigned depth = 0;      // of statements
};

class Generator {
  public:
    explicit Generator(std::uint64_t seed) : random_(seed) { program_.seed = seed; }

    Program run() {
        constexpr unsigned block_sizes[] = {32, 64, 96, 128};
        program_.threads = block_sizes[random_.below(4)];
        program_.blocks = 1 + random_.below(2);
        program_.shared_operation = static_cast<Atomic>(random_.below(6));
        program_.global_operation = static_cast<Atomic>(random_.below(6));
        for (unsigned i = 0; i < input_size; ++i)
            program_.input.push_back(number());
        const unsigned functions = random_.below(3);
        for (unsigned i = 0; i < functions; ++i)
            program_.functions.push_back(function());
        program_.body = statements({}, 4 + random_.below(8));
        return std::move(program_);
    }

  private:
    std::uint32_t number() {
        switch (random_.below(4)) {
            case 0:
                return random_.below(8);
            case 1:
                return random_.below(256);
            case 2:
                return 1u << random_.below(32);
            default:
                return static_cast<std::uint32_t>(random_.next());
        }
    }

    // `varying`: values that differ between threads are allowed.
    Expression expression(const Place& place, unsigned depth, bool varying = true) {
        if (depth == 0 || random_.one_in(4)) return leaf(place, varying);
        Expression made;
        if (varying && place.uniform && !place.function && random_.one_in(8)) {
            made.op = static_cast<Op>(unsigned(Op::shuffle) +
                                      random_.below(unsigned(Op::count) - unsigned(Op::shuffle)));
            made.value = random_.below(32);
            const Place apart = {false, place.function, place.loops, false, place.depth};
            made.operands.push_back(expression(apart, depth - 1));
            if (made.op == Op::shuffle) made.operands.push_back(expression(apart, depth - 1));
            return made;
        }
        const unsigned first = unsigned(Op::input), count = unsigned(Op::call) - first + 1;
        made.op = static_cast<Op>(first + random_.below(count));
        if (!varying && made.op == Op::element) made.op = Op::add;
        if (place.function && (made.op == Op::input || made.op == Op::element)) made.op = Op::bit_xor;
        if (made.op == Op::call && program_.functions.empty()) made.op = Op::subtract;
        if (made.op == Op::call)
            made.value = random_.below(static_cast<std::uint32_t>(program_.functions.size()));
        Place inside = place;
        if (made.op == Op::select) inside.uniform = false;  // only one side is evaluated
        for (unsigned i = 0; i < operand_count(made.op); ++i)
            made.operands.push_back(expression(inside, depth - 1, varying));
        return made;
    }

    static unsigned operand_count(Op op) {
        switch (op) {
            case Op::input:
            case Op::element:
            case Op::negate:
            case Op::complement:
            case Op::population:
            case Op::leading_zeros:
            case Op::reverse_bits:
                return 1;
            case Op::select:
            case Op::floats:
            case Op::doubles:
                return 3;
            default:
                return 2;
        }
    }

    Expression leaf(const Place& place, bool varying) {
        Expression made;
        switch (random_.below(6)) {
            case 0:
                made.value = number();
                return made;
            case 1:
                if (place.loops != 0) {
                    made.op = Op::counter;
                    made.value = random_.below(place.loops);
                    if (varying || uniform_counters_ > made.value) return made;
                }
                break;
            case 2:
                made.op = place.function ? Op::parameter : varying ? Op::thread : Op::block;
                made.value = random_.below(2);
                return made;
            default:
                break;
        }
        if (!varying && place.function) {
            made.op = Op::constant;
            made.value = number();
            return made;
        }
        made.op = varying && (place.function || !random_.one_in(4)) ? Op::local : Op::uniform;
        made.value = random_.below(made.op == Op::local ? locals : uniforms);
        return made;
    }

    std::vector<Statement> statements(const Place& place, unsigned count) {
        std::vector<Statement> made;
        for (unsigned i = 0; i < count; ++i)
            made.push_back(statement(place));
        return made;
    }

    Statement statement(Place place) {
        Statement made;
        made.kind = kind(place);
        ++place.depth;
        const Place apart = {false, place.function, place.loops, place.may_leave, place.depth};
        const auto in_loop = [&](bool uniform, bool may_leave) {
            return Place{uniform, place.function, place.loops + 1, may_leave, place.depth};
        };
        const unsigned length = 1 + random_.below(3);
        switch (made.kind) {
            case Kind::assign:
                made.index = random_.below(locals);
                made.a = expression(place, 3);
                break;
            case Kind::assign_uniform:
                made.index = random_.below(uniforms);
                made.a = expression(place, 2, false);
                break;
            case Kind::store_element:
            case Kind::count_shared:
            case Kind::count_global:
                made.a = expression(apart, 2);
                made.b = expression(apart, 2);
                break;
            case Kind::exchange:
            case Kind::call_shared:
                made.index = random_.below(program_.threads == 96 ? 32 : program_.threads);
                made.target = random_.below(locals);
                made.a = expression(apart, 2);
                made.b = expression(apart, 1);
                break;
            case Kind::broadcast:
                made.index = random_.below(program_.threads);
                made.target = random_.below(uniforms);
                made.a = expression(apart, 2);
                break;
            case Kind::branch:
                if (place.uniform && random_.one_in(3)) {
                    made.a = expression(place, 2, false);
                    made.body = statements(place, length);
                    if (random_.one_in(2)) made.other = statements(place, length);
                } else {
                    made.a = expression(apart, 2);
                    made.body = statements(apart, length);
                    if (random_.one_in(2)) made.other = statements(apart, length);
                }
                break;
            case Kind::choose: {
                const Place within = {false, place.function, place.loops, false,
                                      place.depth};  // break has another meaning
                made.a = expression(apart, 2);
                made.index = random_.below(2);
                made.body = statements(within, length);
                made.other = statements(within, length);
                break;
            }
            case Kind::loop:
                made.a = expression(apart, 2);
                made.body = statements(in_loop(false, true), length);
                break;
            case Kind::uniform_loop: {
                made.index = random_.below(5);
                const bool uniform = place.uniform;
                const bool counted = uniform && uniform_counters_ == place.loops;
                if (counted) ++uniform_counters_;
                made.body = statements(in_loop(uniform, !uniform), length);
                if (counted) --uniform_counters_;
                break;
            }
            case Kind::work_loop:
                made.index = 1 + random_.below(6);
                made.target = random_.below(uniforms);
                made.body = statements(in_loop(true, false), length);
                break;
            case Kind::leave_loop:
            case Kind::continue_loop:
                made.a = expression(apart, 1);
                break;
            case Kind::barrier:
            case Kind::count:
                break;
        }
        return made;
    }

    Kind kind(const Place& place) {
        while (true) {
            const auto made = static_cast<Kind>(random_.below(unsigned(Kind::count)));
            const bool nests = made == Kind::branch || made == Kind::choose || made == Kind::loop ||
                               made == Kind::uniform_loop || made == Kind::work_loop;
            const bool loops = made == Kind::loop || made == Kind::uniform_loop || made == Kind::work_loop;
            if (nests && place.depth >= 4) continue;
            if (loops && place.loops >= max_loops) continue;
            const bool meets = made == Kind::exchange || made == Kind::broadcast || made == Kind::barrier ||
                               made == Kind::work_loop || made == Kind::call_shared;
            if ((meets || made == Kind::assign_uniform) && !place.uniform) continue;
            const bool leaves = made == Kind::leave_loop || made == Kind::continue_loop;
            if (leaves && !place.may_leave) continue;
            const bool plain = made == Kind::assign || made == Kind::branch || made == Kind::choose ||
                               made == Kind::loop || made == Kind::uniform_loop || leaves;
            if (place.function && !plain) continue;
            return made;
        }
    }

    Function function() {
        Function made;
        Place place;
        place.function = true;
        place.uniform = false;
        place.depth = 2;
        made.body = statements(place, 1 + random_.below(4));
        made.result = expression(place, 2);
        return made;
    }

    Random random_;
    Program program_;
    unsigned uniform_counters_ = 0;  // the outermost loops whose counters are uniform
};

}  // namespace

Program generate(std::uint64_t seed) {
    return Generator(seed).run();
}

}  // namespace lanescope::programs
