#include "check.h"

#include <cstring>

#include "execution/run/run.h"

namespace lanescope::programs {
namespace {

struct Way {
    const char* name;
    compile::Code code;
    const char* schedule;
    bool traced;
};

constexpr Way ways[] = {
    {"debug, rr", compile::Code::debug, "rr", true},
    {"optimized, rr", compile::Code::optimized, "rr", true},
    {"debug, seed", compile::Code::debug, "seed:3", true},
    {"optimized, warp", compile::Code::optimized, "warp", true},
    {"optimized, without a trace", compile::Code::optimized, "rr", false},
};

std::string differences(const execution::RunResult& run, const std::string& name,
                        const std::vector<std::uint32_t>& expected) {
    for (const execution::BufferView& buffer : run.buffers) {
        if (buffer.name != name) continue;
        if (buffer.contents.size() != expected.size() * sizeof(std::uint32_t))
            return name + " has another size";
        for (std::size_t i = 0; i < expected.size(); ++i) {
            std::uint32_t value = 0;
            std::memcpy(&value, buffer.contents.data() + i * sizeof value, sizeof value);
            if (value != expected[i])
                return name + "[" + std::to_string(i) + "] is " + std::to_string(value) + ", on the host " +
                       std::to_string(expected[i]);
        }
        return {};
    }
    return "there is no buffer " + name;
}

std::string inconsistency(const analysis::Metrics& total) {
    if (total.thread_instructions > 32 * total.warp_instructions) return "more than 32 lanes";
    if (total.divergent_branches > total.branches) return "more divergent branches than branches";
    if (total.global_load_ideal_sectors > total.global_load_sectors ||
        total.global_store_ideal_sectors > total.global_store_sectors)
        return "fewer sectors than ideal";
    if (total.shared_load_ideal_wavefronts > total.shared_load_wavefronts ||
        total.shared_store_ideal_wavefronts > total.shared_store_wavefronts)
        return "fewer wavefronts than ideal";
    if (total.shared_load_requests > total.shared_load_wavefronts) return "fewer wavefronts than requests";
    return {};
}

Verdict compare(const execution::RunResult& run, const Results& host, const std::string& way, bool traced) {
    for (const trace::Problem& problem : run.problems)
        if (!problem.note)
            return {std::string("problem ") + trace::to_text(problem.kind), way + ": " + problem.message,
                    false};
    if (run.outcome.ending != simt::Ending::finished) return {"ending", way + ": it did not finish", false};
    for (const auto& [name, expected] : {std::pair{"out", &host.out}, std::pair{"counts", &host.counts}})
        if (std::string text = differences(run, name, *expected); !text.empty())
            return {"results", way + ": " + text, false};
    if (!traced) return {};
    if (run.report.total.barriers != host.barriers)
        return {"barriers",
                way + ": " + std::to_string(run.report.total.barriers) + " barriers, on the host " +
                    std::to_string(host.barriers),
                false};
    if (std::string text = inconsistency(run.report.total); !text.empty())
        return {"metrics", way + ": " + text, false};
    return {};
}

Verdict run_one(const std::string& source, const Results& host, const Way& way, gpu::TraceDevice* device) {
    execution::RunRequest request;
    request.file = "random.cu";
    request.source = source;
    request.code = way.code;
    request.traced = way.traced;
    request.device = device;
    request.schedule = *simt::parse_schedule(way.schedule);
    const Result<execution::RunResult> run = execution::execute(request);
    const std::string name = way.name + (device ? ", " + device->name() : std::string());
    if (!run) {
        const Diagnostic& error = run.diagnostics().front();
        return {"error: " + error.message, name + ": " + to_text(error), false};
    }
    return compare(*run, host, name, way.traced);
}

// Enumerates single simplifications of a program: apply(n) makes the n-th one.
class Simplifier {
  public:
    Simplifier(Program& program, std::size_t number) : left_(number) {
        for (Function& function : program.functions) {
            statements(function.body);
            expression(function.result);
        }
        statements(program.body);
        if (!done_ && program.blocks > 1 && next()) program.blocks = 1;
        if (!done_ && program.threads > 32 && next()) program.threads = 32;
    }
    bool done() const { return done_; }

  private:
    bool next() {
        if (done_) return false;
        if (left_-- != 0) return false;
        return done_ = true;
    }

    void statements(std::vector<Statement>& all) {
        for (std::size_t i = 0; i < all.size() && !done_; ++i) {
            if (next()) {
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
                return;
            }
            if (!all[i].body.empty() && next()) {  // the body instead of the statement
                std::vector<Statement> body = std::move(all[i].body);
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
                all.insert(all.begin() + static_cast<std::ptrdiff_t>(i), body.begin(), body.end());
                return;
            }
            expression(all[i].a);
            expression(all[i].b);
            statements(all[i].body);
            statements(all[i].other);
        }
    }

    void expression(Expression& e) {
        if (done_ || e.op == Op::constant) return;
        if (next()) {
            e = Expression{Op::constant, 1, {}};
            return;
        }
        for (std::size_t i = 0; i < e.operands.size(); ++i) {
            if (!next()) continue;
            const Expression operand = e.operands[i];
            e = operand;
            return;
        }
        for (Expression& operand : e.operands)
            expression(operand);
    }

    std::size_t left_;
    bool done_ = false;
};

}  // namespace

Verdict check(const Program& program, gpu::TraceDevice* device) {
    const Results host = run_on_host(program);
    if (host.too_long) return {{}, {}, true};
    const std::string source = print(program);
    for (const Way& way : ways)
        if (Verdict verdict = run_one(source, host, way, nullptr); !verdict.kind.empty()) return verdict;
    for (std::size_t i = 0; device != nullptr && i < 2; ++i)
        if (Verdict verdict = run_one(source, host, ways[i], device); !verdict.kind.empty()) return verdict;
    return {};
}

Program reduce(Program program, const Verdict& verdict, gpu::TraceDevice* device) {
    constexpr int max_checks = 2000;
    int checks = 0;
    for (std::size_t number = 0; checks < max_checks;) {
        Program simpler = program;
        if (!Simplifier(simpler, number).done()) break;
        ++checks;
        if (check(simpler, device).kind == verdict.kind)
            program = std::move(simpler);
        else
            ++number;
    }
    return program;
}

}  // namespace lanescope::programs
