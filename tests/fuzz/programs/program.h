// A random CUDA program in a safe subset: every result is defined, and no order of threads changes it.
//
// Values are 32-bit unsigned integers. Control flow is `uniform` where all threads of a block take it alike;
// only there a program has barriers and operations of whole warps. Shared memory is exchanged between two
// barriers. Counters take one commutative atomic operation each, whose old value no thread reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::programs {

constexpr unsigned locals = 4;       // v0 … v3, different in each thread
constexpr unsigned uniforms = 2;     // u0, u1, equal in all threads of a block
constexpr unsigned array_size = 8;   // of the local array
constexpr unsigned counters = 4;     // in shared memory, and as many in global memory
constexpr unsigned input_size = 64;  // elements of the input buffer, a power of two
constexpr unsigned max_loops = 3;    // nested

enum class Op : std::uint8_t {
    constant,   // value
    local,      // v[value]
    uniform,    // u[value]
    thread,     // threadIdx.x
    block,      // blockIdx.x
    counter,    // of the loop at depth value
    parameter,  // of a function: value 0 or 1
    input,      // in[a % input_size]
    element,    // a local array's element
    add,
    subtract,
    multiply,
    divide,     // a / (b | 1), unsigned
    remainder,  // a % (b | 1), unsigned
    signed_divide,
    bit_and,
    bit_or,
    bit_xor,
    shift_left,
    shift_right,
    signed_shift_right,
    minimum,
    signed_maximum,
    less,
    signed_less,
    equal,
    select,
    negate,
    complement,
    population,
    leading_zeros,
    reverse_bits,
    floats,  // through exact floating-point arithmetic
    doubles,
    call,  // function `value` of a and b
    // Only where control is uniform:
    shuffle,       // value of a in lane b
    shuffle_xor,   // a from lane ^ value
    shuffle_up,    // a from value lanes below
    shuffle_down,  // a from value lanes above
    ballot,
    any,
    all,
    match,  // lanes with the same a % 4
    count
};

struct Expression {
    Op op = Op::constant;
    std::uint32_t value = 0;
    std::vector<Expression> operands;
};

enum class Kind : std::uint8_t {
    assign,          // v[index] = a
    assign_uniform,  // u[index] = a, which is uniform
    store_element,   // local array [a] = b
    exchange,        // s[t ^ index] = a; barrier; v[target] = s[(t + b) % threads]; barrier
    broadcast,       // if (t == index) item = a; barrier; u[target] = item; barrier
    count_shared,    // atomic on counter [a] with b
    count_global,
    branch,         // if (a) body else other
    choose,         // switch (a % 4), whose cases are body and other; a case falls through if index is odd
    loop,           // for (counter = 0; counter < a % 8; ++counter) body
    uniform_loop,   // the same with the constant `index` as bound
    work_loop,      // u[target] = index; while (true) { item exchange …; if (u == 0) break; body }
    leave_loop,     // if (a) break;
    continue_loop,  // if (a) continue;
    barrier,
    call_shared,  // a function that loads from the shared exchange array after a barrier
    count
};

struct Statement {
    Kind kind = Kind::assign;
    std::uint32_t index = 0, target = 0;
    Expression a, b;
    std::vector<Statement> body, other;
};

struct Function {                 // unsigned f(unsigned p0, unsigned p1)
    std::vector<Statement> body;  // assigns v0 … v3, which begin as 0, p0, p1, p0 ^ p1
    Expression result;
};

enum class Atomic : std::uint8_t { add, minimum, maximum, conjunction, disjunction, exclusive };

struct Program {
    std::uint64_t seed = 0;
    unsigned threads = 32, blocks = 1;
    Atomic shared_operation = Atomic::add, global_operation = Atomic::add;
    std::vector<Function> functions;
    std::vector<Statement> body;
    std::vector<std::uint32_t> input;  // input_size
};

// The same seed gives the same program.
Program generate(std::uint64_t seed);

// A file with front matter that Lanescope runs. The kernel writes v0 … v3, u0 and u1 of each thread to `out`,
// the counters to `counts`.
std::string print(const Program& program);

struct Results {
    std::vector<std::uint32_t> out;     // (locals + uniforms) per thread of the grid
    std::vector<std::uint32_t> counts;  // counters per block from shared memory, then those of global memory
    std::uint64_t barriers = 0;         // that blocks pass
    std::uint64_t steps = 0;            // statements that were executed
    bool too_long = false;              // the limit of steps was reached; the results are incomplete
};
// Runs the program on the host, statement by statement for all threads of a block.
Results run_on_host(const Program& program);

}  // namespace lanescope::programs
