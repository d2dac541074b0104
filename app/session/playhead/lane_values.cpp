#include "session/playhead/lane_values.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "execution/lanes/lane_scope.h"
#include "execution/run/source_lines.h"
#include "session/playhead/accumulator.h"

namespace lanescope::session {

namespace {

using trace::LaneStatus;

std::uint32_t thread_of(std::uint32_t warp, std::uint32_t lane) {
    return warp * trace::warp_size + lane;
}

// The function of the thread's innermost frame with user code; null when it has none yet.
const trace::Function* function_of(const Playhead& at, std::uint32_t thread, std::uint32_t& depth) {
    const trace::Program& program = at.run()->trace->program;
    const std::vector<std::uint32_t> frames =
        at.replay()->frames(at.step_state()->step.launch, at.step_state()->step.block, thread);
    for (std::size_t i = frames.size(); i-- > 0;) {
        if (frames[i] >= program.functions.size() || !program.functions[frames[i]].user_code) continue;
        depth = static_cast<std::uint32_t>(i);
        return &program.functions[frames[i]];
    }
    return nullptr;
}

// The kernel's function of the current launch, in which its first turn begins.
const trace::Function* kernel_of(const Playhead& at) {
    const trace::Trace& trace = *at.run()->trace;
    const trace::Launch& launch = *at.step_state()->launch;
    if (launch.first_turn >= launch.end_turn) return nullptr;
    const std::uint32_t pc = trace.turns[launch.first_turn].pc;
    if (pc >= trace.program.code_rows.size()) return nullptr;
    return &trace.program.functions[trace.program.code_rows[pc].function];
}

bool is_integer(const TypeTable& types, TypeId type) {
    const Scalar scalar = types[type].scalar;
    return types[type].kind == ValueType::Kind::scalar &&
           (scalar == Scalar::signed_int || scalar == Scalar::unsigned_int);
}

}  // namespace

namespace {

// "t" of "unsigned t = threadIdx.x;"; empty when there is no such line.
std::string thread_index_name(std::string_view source) {
    constexpr std::string_view value = "threadIdx.x;";
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = source.find(value); at != std::string_view::npos; at = source.find(value, at + 1)) {
        std::size_t end = at;
        const auto skip_blanks = [&] {
            while (end > 0 && source[end - 1] == ' ')
                --end;
        };
        skip_blanks();
        if (end == 0 || source[end - 1] != '=') continue;
        --end;
        skip_blanks();
        std::size_t first = end;
        while (first > 0 && is_word(source[first - 1]))
            --first;
        if (first < end) return std::string(source.substr(first, end - first));
    }
    return {};
}

}  // namespace

std::string LaneValues::default_label() const {
    if (!playhead_.run() || !playhead_.run()->trace) return {};
    const execution::RunResult& run = *playhead_.run();
    if (!run.instance.front.drawing.lane_label.empty()) return run.instance.front.drawing.lane_label;
    if (const trace::Function* kernel = playhead_.step_state() ? kernel_of(playhead_) : nullptr)
        if (const std::string sum = busiest_accumulator(run, *kernel); !sum.empty()) return sum;
    // A shared array is best read by the thread that owns the cell.
    const std::string index_name = thread_index_name(run.text_of_lines());
    for (const trace::Launch& launch : run.trace->launches)
        for (const trace::Symbol& symbol : launch.shared)
            if (!index_name.empty() && symbol.extents.size() == 1 && launch.block.y == 1)
                return symbol.name + "[" + index_name + "]";
    const trace::Function* kernel = playhead_.step_state() ? kernel_of(playhead_) : nullptr;
    if (!kernel) return {};
    // A variable that the thread computes says more than one that only identifies the thread.
    const execution::SourceLines lines(run.text_of_lines());
    std::string fallback = index_name;
    for (const trace::Variable& variable : kernel->variables) {
        if (variable.parameter || variable.name.starts_with('%')) continue;  // a register says little
        if (fallback.empty()) fallback = variable.name;
        const std::string_view declaration = lines[static_cast<std::uint32_t>(std::max(0, variable.line))];
        if (declaration.find("threadIdx") == std::string_view::npos) return variable.name;
    }
    return fallback;
}

std::vector<NamedVariable> LaneValues::variables(std::uint32_t warp, std::uint32_t lane) const {
    std::vector<NamedVariable> found;
    const StepState* now = playhead_.step_state();
    if (!now) return found;
    std::uint32_t depth = 0;
    const trace::Function* inner = function_of(playhead_, thread_of(warp, lane), depth);
    const trace::Function* kernel = kernel_of(playhead_);
    const TypeTable& types = playhead_.run()->trace->program.types;
    std::vector<std::string> indices;
    auto add = [&](const trace::Function* function) {
        for (const trace::Variable& variable : function->variables) {
            const bool known = std::any_of(found.begin(), found.end(),
                                           [&](const auto& v) { return v.name == variable.name; });
            if (known) continue;
            const bool shared = variable.home == trace::Variable::Home::shared;
            if (shared && types[variable.type].kind == ValueType::Kind::array) continue;
            found.push_back({variable.name, types[variable.type].name, !shared});
            if (!variable.parameter && is_integer(types, variable.type)) indices.push_back(variable.name);
        }
    };
    if (kernel) add(kernel);
    if (inner && inner != kernel) add(inner);
    for (const trace::Symbol& symbol : now->launch->shared)
        for (const std::string& name : indices)
            if (symbol.extents.size() == 1)
                found.push_back({symbol.name + "[" + name + "]", types[symbol.element].name, true});
    return found;
}

LaneValue LaneValues::value(const std::string& name, std::uint32_t warp, std::uint32_t lane) const {
    const StepState* now = playhead_.step_state();
    if (!now || warp >= now->warps.size() || lane >= trace::warp_size || name.empty()) return {};
    const trace::LaneInfo& info = now->warps[warp][lane];
    if (info.status == LaneStatus::absent) return {};
    LaneValue value;
    const Result<execution::LaneExpression>& expression = parsed(name);
    if (!expression) {
        value.failure = expression.diagnostics().front().message;
        return value;
    }
    const execution::LanePlace place{now->step.launch, now->step.block, warp, lane, info.pc};
    const execution::LaneScope scope(*playhead_.run()->trace, *playhead_.replay(), place, &now->details);
    const execution::LaneOutcome outcome = expression->evaluate(scope);
    const execution::LaneFailure* failure = std::get_if<execution::LaneFailure>(&outcome);
    value.visible = !failure || failure->kind != execution::LaneFailure::Kind::hidden;
    const execution::LaneText text = execution::text_of(outcome, scope);
    value.set = text.set;
    value.text = text.text;
    value.number = text.number;
    value.failure = text.failure;
    value.changed = text.set && scope.changed() && !playhead_.stands_before();
    if (playhead_.results().concealed &&
        scope.changed()) {  // even a missing value or a failure would reveal something
        value = {};
        value.before = text.text;  // the replay stands before the step
        value.visible = value.set = value.changed = value.hidden = true;
        value.text = "?";
    }
    return value;
}

std::array<LaneValue, trace::warp_size> LaneValues::values(const std::string& name,
                                                           std::uint32_t warp) const {
    constexpr std::uint64_t most_turns = 4096;  // a longer step takes too long to go back and forth
    std::array<LaneValue, trace::warp_size> found;
    bool changed = false;
    for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
        found[lane] = value(name, warp, lane);
        changed |= found[lane].changed;
    }
    const StepState* now = playhead_.step_state();
    if (!changed || now->step.end - now->step.first > most_turns) return found;
    playhead_.while_before([&] {
        for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
            if (!found[lane].changed) continue;
            const LaneValue earlier = value(name, warp, lane);
            if (earlier.set && earlier.text != found[lane].text) found[lane].before = earlier.text;
        }
    });
    return found;
}

std::string LaneValues::cell(const std::string& name, std::uint32_t warp, std::uint32_t lane) const {
    const StepState* now = playhead_.step_state();
    if (!now || warp >= now->warps.size() || lane >= trace::warp_size || name.empty()) return {};
    const Result<execution::LaneExpression>& expression = parsed(name);
    if (!expression) return {};
    const execution::LanePlace place{now->step.launch, now->step.block, warp, lane,
                                     now->warps[warp][lane].pc};
    const execution::LaneScope scope(*playhead_.run()->trace, *playhead_.replay(), place);
    const execution::LaneOutcome outcome = expression->evaluate(scope);
    const execution::LaneObject* object = std::get_if<execution::LaneObject>(&outcome);
    if (!object || !object->in_memory || object->space == trace::Space::local) return {};
    const trace::Resolved found =
        trace::resolve(*playhead_.run()->trace, now->step.launch, object->space, object->offset);
    return found.symbol && found.byte == 0 ? found.text : std::string();
}

Diagnostics LaneValues::problems(const std::string& expression) const {
    const Result<execution::LaneExpression>& known = parsed(expression);
    if (!known) return known.diagnostics();
    if (!playhead_.run() || !playhead_.run()->trace) return {};
    const Result<void> names = known->check_names(*playhead_.run()->trace);
    return names ? Diagnostics{} : names.diagnostics();
}

const Result<execution::LaneExpression>& LaneValues::parsed(const std::string& text) const {
    constexpr std::size_t max_expressions = 256;
    if (const auto known = expressions_.find(text); known != expressions_.end()) return known->second;
    if (expressions_.size() >= max_expressions) expressions_.clear();
    return expressions_.emplace(text, execution::LaneExpression::parse(text)).first->second;
}

}  // namespace lanescope::session
