#include <sstream>

#include "program.h"

namespace lanescope::programs {
namespace {

const char* to_text(Atomic operation) {
    static constexpr const char* names[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
    return names[static_cast<int>(operation)];
}

std::string text(const Expression& e);

std::string operand(const Expression& e, std::size_t index) {
    return text(e.operands[index]);
}

std::string two(const Expression& e, const char* between) {
    return "(" + operand(e, 0) + " " + between + " " + operand(e, 1) + ")";
}

std::string text(const Expression& e) {
    const std::string value = std::to_string(e.value) + "u";
    const auto a = [&] { return operand(e, 0); };
    const auto b = [&] { return operand(e, 1); };
    switch (e.op) {
        case Op::constant:
            return value;
        case Op::local:
            return "v" + std::to_string(e.value);
        case Op::uniform:
            return "u" + std::to_string(e.value);
        case Op::thread:
            return "threadIdx.x";
        case Op::block:
            return "blockIdx.x";
        case Op::counter:
            return "i" + std::to_string(e.value);
        case Op::parameter:
            return "p" + std::to_string(e.value);
        case Op::input:
            return "in[" + a() + " % " + std::to_string(input_size) + "]";
        case Op::element:
            return "a[" + a() + " % " + std::to_string(array_size) + "]";
        case Op::add:
            return two(e, "+");
        case Op::subtract:
            return two(e, "-");
        case Op::multiply:
            return two(e, "*");
        case Op::divide:
            return "(" + a() + " / (" + b() + " | 1u))";
        case Op::remainder:
            return "(" + a() + " % (" + b() + " | 1u))";
        case Op::signed_divide:
            return "unsigned(int(" + a() + ") / int((" + b() + " & 0x7fffu) | 1u))";
        case Op::bit_and:
            return two(e, "&");
        case Op::bit_or:
            return two(e, "|");
        case Op::bit_xor:
            return two(e, "^");
        case Op::shift_left:
            return "(" + a() + " << (" + b() + " & 31u))";
        case Op::shift_right:
            return "(" + a() + " >> (" + b() + " & 31u))";
        case Op::signed_shift_right:
            return "unsigned(int(" + a() + ") >> (" + b() + " & 31u))";
        case Op::minimum:
            return "min(" + a() + ", " + b() + ")";
        case Op::signed_maximum:
            return "unsigned(max(int(" + a() + "), int(" + b() + ")))";
        case Op::less:
            return "unsigned(" + a() + " < " + b() + ")";
        case Op::signed_less:
            return "unsigned(int(" + a() + ") < int(" + b() + "))";
        case Op::equal:
            return "unsigned(" + a() + " == " + b() + ")";
        case Op::select:
            return "(" + a() + " % 2u ? " + b() + " : " + operand(e, 2) + ")";
        case Op::negate:
            return "(0u - " + a() + ")";
        case Op::complement:
            return "(~" + a() + ")";
        case Op::population:
            return "unsigned(__popc(" + a() + "))";
        case Op::leading_zeros:
            return "unsigned(__clz(int(" + a() + ")))";
        case Op::reverse_bits:
            return "__brev(" + a() + ")";
        case Op::floats:
            return "unsigned(int(float(" + a() + " & 255u) * float(" + b() + " & 255u) + float(" +
                   operand(e, 2) + " & 1023u)))";
        case Op::doubles:
            return "unsigned((long long)(double(" + a() + " & 0xffffu) * double(" + b() +
                   " & 0xffffu) - double(" + operand(e, 2) + ")))";
        case Op::call:
            return "f" + std::to_string(e.value) + "(" + a() + ", " + b() + ")";
        case Op::shuffle:
            return "__shfl_sync(0xffffffffu, " + a() + ", int(" + b() + " & 31u))";
        case Op::shuffle_xor:
            return "__shfl_xor_sync(0xffffffffu, " + a() + ", " + std::to_string(e.value) + ")";
        case Op::shuffle_up:
            return "__shfl_up_sync(0xffffffffu, " + a() + ", " + value + ")";
        case Op::shuffle_down:
            return "__shfl_down_sync(0xffffffffu, " + a() + ", " + value + ")";
        case Op::ballot:
            return "__ballot_sync(0xffffffffu, int(" + a() + " & 1u))";
        case Op::any:
            return "unsigned(__any_sync(0xffffffffu, int(" + a() + " & 7u)) != 0)";
        case Op::all:
            return "unsigned(__all_sync(0xffffffffu, int(" + a() + " & 7u)) != 0)";
        case Op::match:
            return "__match_any_sync(0xffffffffu, " + a() + " % 4u)";
        case Op::count:
            break;
    }
    return "0u";
}

class Printer {
  public:
    explicit Printer(const Program& program) : program_(program) {}

    std::string run() {
        front_matter();
        for (std::size_t i = 0; i < program_.functions.size(); ++i)
            function(program_.functions[i], i);
        out_ << "__device__ __noinline__ unsigned peek(const unsigned* from, unsigned at) { return from[at]; "
                "}\n\n"
             << "__global__ void k(const unsigned* in, unsigned* out, unsigned* counts) {\n"
             << "    __shared__ unsigned s[" << program_.threads << "], c[" << counters << "], item;\n"
             << "    unsigned a[" << array_size << "];\n"
             << "    for (unsigned j = 0; j < " << array_size << "; ++j) a[j] = j * threadIdx.x;\n"
             << "    unsigned v0 = threadIdx.x, v1 = in[threadIdx.x % " << input_size
             << "], v2 = blockIdx.x, v3 = 0u, u0 = 3u, u1 = blockIdx.x;\n"
             << "    if (threadIdx.x < " << counters << ") c[threadIdx.x] = in[4 + threadIdx.x];\n"
             << "    __syncthreads();\n";
        statements(program_.body, 1, 0);
        out_ << "    __syncthreads();\n"
             << "    unsigned* row = out + (blockIdx.x * blockDim.x + threadIdx.x) * " << locals + uniforms
             << ";\n"
             << "    row[0] = v0; row[1] = v1; row[2] = v2; row[3] = v3; row[4] = u0; row[5] = u1;\n"
             << "    if (threadIdx.x < " << counters << ") counts[" << counters << " + blockIdx.x * "
             << counters << " + threadIdx.x] = c[threadIdx.x];\n"
             << "}\n";
        return out_.str();
    }

  private:
    void front_matter() {
        const unsigned outputs = program_.threads * program_.blocks * (locals + uniforms);
        out_ << "/*--- lanescope\ntitle = \"Random program " << program_.seed << "\"\n\n[buffers]\n"
             << "in = { type = \"uint\", count = \"" << input_size << "\", values = [";
        for (const std::uint32_t value : program_.input)
            out_ << value << ", ";
        out_ << "] }\nout = { type = \"uint\", count = \"" << outputs << "\" }\n"
             << "counts = { type = \"uint\", count = \"" << counters * (program_.blocks + 1)
             << "\", values = [";
        for (unsigned i = 0; i < counters * (program_.blocks + 1); ++i)
            out_ << (i < counters ? program_.input[i] : 0) << ", ";
        out_ << "] }\n\n[[launch]]\nkernel = \"k\"\ngrid = [\"" << program_.blocks << "\"]\nblock = [\""
             << program_.threads << "\"]\nargs = [\"in\", \"out\", \"counts\"]\n---*/\n";
    }

    void function(const Function& made, std::size_t number) {
        out_ << "__device__ " << (number % 2 ? "__noinline__ " : "") << "unsigned f" << number
             << "(unsigned p0, unsigned p1) {\n    unsigned v0 = 0u, v1 = p0, v2 = p1, v3 = p0 ^ p1;\n";
        statements(made.body, 1, 0);
        out_ << "    return " << text(made.result) << ";\n}\n\n";
    }

    void statements(const std::vector<Statement>& all, unsigned depth, unsigned loops) {
        for (const Statement& each : all)
            statement(each, depth, loops);
    }

    void line(unsigned depth, const std::string& words) {
        out_ << std::string(4 * depth, ' ') << words << "\n";
    }

    void block(const std::string& head, const std::vector<Statement>& body, unsigned depth, unsigned loops) {
        line(depth, head + " {");
        statements(body, depth + 1, loops);
    }

    void statement(const Statement& s, unsigned depth, unsigned loops) {
        const std::string v = "v" + std::to_string(s.target), u = "u" + std::to_string(s.target);
        const std::string i = "i" + std::to_string(loops), index = std::to_string(s.index) + "u";
        switch (s.kind) {
            case Kind::assign:
                return line(depth, "v" + std::to_string(s.index) + " = " + text(s.a) + ";");
            case Kind::assign_uniform:
                return line(depth, "u" + std::to_string(s.index) + " = " + text(s.a) + ";");
            case Kind::store_element:
                return line(depth,
                            "a[" + text(s.a) + " % " + std::to_string(array_size) + "] = " + text(s.b) + ";");
            case Kind::exchange:
            case Kind::call_shared: {
                const std::string from = "(threadIdx.x + " + text(s.b) + " % " +
                                         std::to_string(program_.threads) + "u) % " +
                                         std::to_string(program_.threads) + "u";
                line(depth, "s[threadIdx.x ^ " + index + "] = " + text(s.a) + ";");
                line(depth, "__syncthreads();");
                line(depth,
                     s.kind == Kind::exchange ? v + " = s[" + from + "];" : v + " = peek(s, " + from + ");");
                return line(depth, "__syncthreads();");
            }
            case Kind::broadcast:
                line(depth, "if (threadIdx.x == " + index + ") item = " + text(s.a) + ";");
                line(depth, "__syncthreads();");
                line(depth, u + " = item;");
                return line(depth, "__syncthreads();");
            case Kind::count_shared:
            case Kind::count_global: {
                const bool shared = s.kind == Kind::count_shared;
                return line(depth,
                            std::string("atomic") +
                                to_text(shared ? program_.shared_operation : program_.global_operation) +
                                (shared ? "(&c[" : "(&counts[") + text(s.a) + " % " +
                                std::to_string(counters) + "], " + text(s.b) + ");");
            }
            case Kind::branch:
                block("if (" + text(s.a) + " % 2u)", s.body, depth, loops);
                if (!s.other.empty()) {
                    line(depth, "} else {");
                    statements(s.other, depth + 1, loops);
                }
                return line(depth, "}");
            case Kind::choose:
                line(depth, "switch (" + text(s.a) + " % 4u) {");
                line(depth, "case 0: {");
                statements(s.body, depth + 1, loops);
                line(depth, s.index % 2 ? "}" : "} break;");
                line(depth, "case 2: {");
                statements(s.other, depth + 1, loops);
                line(depth, "} break;");
                line(depth, "default: v0 += 1u;");
                return line(depth, "}");
            case Kind::loop:
                block("for (unsigned " + i + " = 0u; " + i + " < " + text(s.a) + " % 8u; ++" + i + ")",
                      s.body, depth, loops + 1);
                return line(depth, "}");
            case Kind::uniform_loop:
                block("for (unsigned " + i + " = 0u; " + i + " < " + index + "; ++" + i + ")", s.body, depth,
                      loops + 1);
                return line(depth, "}");
            case Kind::work_loop:
                line(depth, "for (unsigned " + i + " = 0u, w = " + index + ";; ++" + i + ") {");
                line(depth + 1, "if (threadIdx.x == 0u) item = w--;");
                line(depth + 1, "__syncthreads();");
                line(depth + 1, u + " = item;");
                line(depth + 1, "__syncthreads();");
                line(depth + 1, "if (" + u + " == 0u) break;");
                statements(s.body, depth + 1, loops + 1);
                return line(depth, "}");
            case Kind::leave_loop:
                return line(depth, "if (" + text(s.a) + " % 4u == 1u) break;");
            case Kind::continue_loop:
                return line(depth, "if (" + text(s.a) + " % 4u == 2u) continue;");
            case Kind::barrier:
                return line(depth, "__syncthreads();");
            case Kind::count:
                return;
        }
    }

    const Program& program_;
    std::ostringstream out_;
};

}  // namespace

std::string print(const Program& program) {
    return Printer(program).run();
}

}  // namespace lanescope::programs
