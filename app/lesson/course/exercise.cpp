#include "lesson/course/exercise.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/text.h"
#include "lesson/contents.h"
#include "lesson/expression.h"
#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

using Bound = GoalForm::Bound;

constexpr std::array forms{
    GoalForm{GoalKind::result, "result", Bound::none, "", "", false},
    GoalForm{GoalKind::no_problem, "no_problem", Bound::none, "", "", false},
    GoalForm{GoalKind::conflicts, "conflicts", Bound::at_most,
             "words of one bank at a time (1: no bank conflict)",
             "word of one bank at a time: no bank conflict", false},
    GoalForm{GoalKind::wavefronts, "wavefronts", Bound::at_most, "wavefronts per request to shared memory",
             "wavefront per request to shared memory", false},
    GoalForm{GoalKind::operations, "operations", Bound::at_most, "operations on data", "operation on data",
             true},
    GoalForm{GoalKind::depth, "depth", Bound::at_most, "operations one after the other", "operation", true},
    GoalForm{GoalKind::phases, "phases", Bound::at_most, "barrier phases", "barrier phase", true},
    GoalForm{GoalKind::coalescing, "coalescing", Bound::at_most,
             "times the ideal number of sectors of global memory",
             "times the ideal number of sectors of global memory", false},
    GoalForm{GoalKind::sectors, "sectors", Bound::at_most, "sectors of global memory",
             "sector of global memory", true},
    GoalForm{GoalKind::loads, "loads", Bound::at_most, "loads from global memory", "load from global memory",
             true},
    GoalForm{GoalKind::stores, "stores", Bound::at_most, "stores to global memory", "store to global memory",
             true},
    GoalForm{GoalKind::divergence, "divergence", Bound::at_most, "divergent branches", "divergent branch",
             true},
    GoalForm{GoalKind::efficiency, "efficiency", Bound::at_least, "SIMT efficiency", "SIMT efficiency",
             false},
    GoalForm{GoalKind::atomics, "atomics", Bound::at_most, "atomic operations", "atomic operation", true},
    GoalForm{GoalKind::global_atomics, "global_atomics", Bound::at_most,
             "requests for atomic operations on global memory",
             "request for atomic operations on global memory", true},
    GoalForm{GoalKind::atomic_passes, "atomic_passes", Bound::at_most, "atomic passes", "atomic pass", true},
    GoalForm{GoalKind::shared_bytes, "shared_bytes", Bound::at_most, "bytes of shared memory per block",
             "byte of shared memory per block", true},
    GoalForm{GoalKind::instructions, "instructions", Bound::at_most, "warp instructions", "warp instruction",
             true},
    GoalForm{GoalKind::uses, "uses", Bound::none, "", "", false},
    GoalForm{GoalKind::avoids, "avoids", Bound::none, "", "", false},
};

// The value of a line `exercise = "topic/name"` of a front matter that does not parse.
std::string exercise_line(std::string_view body) {
    while (!body.empty()) {
        const std::string_view line = trimmed(body.substr(0, body.find('\n')));
        body.remove_prefix(
            std::min(body.size(), body.find('\n') == body.npos ? body.size() : body.find('\n') + 1));
        if (!line.starts_with("exercise")) continue;
        std::string_view value = trimmed(line.substr(8));
        if (!value.starts_with('=')) continue;
        value = trimmed(value.substr(1));
        const std::size_t end = value.size() < 2 ? value.npos : value.find(value[0], 1);
        if (end != value.npos && (value[0] == '"' || value[0] == '\''))
            return std::string(value.substr(1, end - 1));
    }
    return {};
}

class Preparation {
  public:
    explicit Preparation(const Exercise& exercise) : exercise_(exercise), file_(exercise.file.string()) {}

    Result<PreparedExercise> run() {
        const std::string starter = exercise_.starter.string();
        const auto source = read_text_file(exercise_.starter);
        if (!source) return source.diagnostics();
        const auto front = parse_front_matter(*source, starter);
        if (!front) return front.diagnostics();
        if (!front->present)
            return error_at(starter, 0, 0, "the starter file has no front matter",
                            "it says with which data and launches a submission is judged");
        if (!front->exercise.empty() && front->exercise != exercise_.id())
            return error_at(starter, front->first_line, 0,
                            "the file names the exercise '" + front->exercise + "'",
                            "it belongs to '" + exercise_.id() + "'");
        prepared_.file = starter;
        prepared_.cases.push_back({false, *front, {}});
        for (const HiddenCase& hidden : exercise_.hidden)
            add(hidden, *front);
        check_goals(*front);
        for (const ExerciseCase& each : prepared_.cases)
            check(each);
        if (!problems_.empty()) return problems_;
        return std::move(prepared_);
    }

  private:
    void fail(int line, std::string message, std::string hint = {}) {
        problems_.push_back(error_at(file_, line, 0, std::move(message), std::move(hint)));
    }

    void add(const HiddenCase& hidden, const FrontMatter& front) {
        ExerciseCase made{true, front, hidden.set, hidden.about};
        for (Buffer& buffer : made.front.buffers)
            buffer.seed = static_cast<std::uint64_t>(hidden.seed);
        std::vector<std::string> buffers;
        for (const Buffer& buffer : front.buffers)
            buffers.push_back(buffer.name);
        Names names;
        for (const Parameter& parameter : front.parameters)
            names[parameter.name] = 1;
        for (const auto& [name, init] : hidden.contents) {
            const auto buffer =
                std::find_if(made.front.buffers.begin(), made.front.buffers.end(),
                             [&wanted = name](const Buffer& each) { return each.name == wanted; });
            if (buffer == made.front.buffers.end()) {
                fail(hidden.line, "no buffer of the starter file is named '" + name + "'",
                     suggestion(name, buffers));
                continue;
            }
            if (const auto fine = check_init(init, names, file_); !fine)
                problems_.insert(problems_.end(), fine.diagnostics().begin(), fine.diagnostics().end());
            buffer->init = init;
            buffer->text.clear();
            buffer->image.clear();
            buffer->values.clear();
        }
        prepared_.cases.push_back(std::move(made));
    }

    void check_goals(const FrontMatter& front) {
        for (const Goal& goal : exercise_.goals) {
            if (goal.kind == GoalKind::result && front.expectations.empty())
                fail(goal.line, "the goal 'result' needs an [[expect]] in the starter file");
            if (goal.cases == Goal::Cases::hidden && exercise_.hidden.empty())
                fail(goal.line, "the goal counts only hidden cases, but the exercise has none",
                     "add an entry to 'hidden'");
            const auto named = [&](const Buffer& each) { return each.name == goal.buffer; };
            if (!goal.buffer.empty() && std::none_of(front.buffers.begin(), front.buffers.end(), named))
                fail(goal.line, (goal.kind == GoalKind::uses ? "no feature and no buffer" : "no buffer") +
                                    (" of the starter file is named '" + goal.buffer + "'"));
        }
    }

    // Several cases may have the same fault.
    void add_new(const Diagnostics& more) {
        for (const Diagnostic& each : more)
            if (std::none_of(problems_.begin(), problems_.end(), [&](const Diagnostic& known) {
                    return known.file == each.file && known.line == each.line &&
                           known.column == each.column && known.message == each.message;
                }))
                problems_.push_back(each);
    }

    void check(const ExerciseCase& each) {
        const auto instance = instantiate(each.front, each.set, prepared_.file);
        if (!instance) return add_new(instance.diagnostics());
        for (const Goal& goal : exercise_.goals) {
            if (goal.bound.text.empty()) continue;
            if (const auto value = bound_of(goal, *instance, file_); !value) add_new(value.diagnostics());
        }
    }

    const Exercise& exercise_;
    std::string file_;
    PreparedExercise prepared_;
    Diagnostics problems_;
};

}  // namespace

const char* to_text(Feature feature) {
    constexpr const char* names[] = {"shared", "shuffle", "atomics", "barrier", "constant", "local"};
    return names[static_cast<std::size_t>(feature)];
}

const char* words_for(Feature feature) {
    constexpr const char* words[] = {"shared memory",  "shuffles or votes", "atomic operations",
                                     "block barriers", "constant memory",   "local memory"};
    return words[static_cast<std::size_t>(feature)];
}

std::span<const GoalForm> goal_forms() {
    return forms;
}

const GoalForm& form_of(GoalKind kind) {
    return forms[static_cast<std::size_t>(kind)];
}

std::string name_of(const Goal& goal) {
    std::string name = form_of(goal.kind).name;
    if (goal.kind == GoalKind::uses || goal.kind == GoalKind::avoids)
        name += " " + (goal.buffer.empty() ? to_text(goal.feature) : goal.buffer);
    if (goal.cases == Goal::Cases::given) name += " (given size)";
    if (goal.cases == Goal::Cases::hidden) name += " (hidden sizes)";
    return name;
}

std::string wish_of(const Goal& goal) {
    const GoalForm& form = form_of(goal.kind);
    std::string wish;
    if (goal.kind == GoalKind::result) {
        wish = "the right result";
    } else if (goal.kind == GoalKind::no_problem) {
        for (const std::string& kind : goal.problems)
            wish += (wish.empty() ? "no " : ", no ") + kind;
        std::replace(wish.begin(), wish.end(), '_', ' ');
        if (wish.empty()) wish = "no problem";
    } else if (goal.kind == GoalKind::uses || goal.kind == GoalKind::avoids) {
        wish = (goal.kind == GoalKind::uses ? "use of " : "no ") +
               (goal.buffer.empty() ? words_for(goal.feature) : goal.buffer);
    } else if (goal.kind == GoalKind::conflicts && goal.bound.text == "1") {
        wish = "no bank conflict";
    } else {
        const std::string unit = goal.bound.text == "1" ? form.one : form.unit;
        const std::string counted = unit.substr(0, unit.find(" ("));
        wish = form.bound == GoalForm::Bound::at_least ? counted + " of at least " + goal.bound.text
                                                       : "at most " + goal.bound.text + " " + counted;
    }
    if (goal.cases == Goal::Cases::given) wish += " (given size)";
    if (goal.cases == Goal::Cases::hidden) wish += " (hidden sizes)";
    return wish;
}

int Exercise::points() const {
    int sum = 0;
    for (const Goal& goal : goals)
        sum += goal.points;
    return sum;
}

Result<PreparedExercise> prepare(const Exercise& exercise) {
    return Preparation(exercise).run();
}

Result<double> bound_of(const Goal& goal, const Instance& instance, const std::string& file) {
    if (const auto real = real_literal(goal.bound.text)) return *real;
    const auto value = evaluate(goal.bound, names_of(instance), file);
    if (!value) return value.diagnostics();
    return static_cast<double>(*value);
}

std::string exercise_named_by(std::string_view source) {
    if (const auto front = parse_front_matter(source, ""); front) return front->exercise;
    const auto range = front_matter_range(source);
    return range ? exercise_line(source.substr(range->begin, range->end - range->begin)) : std::string();
}

}  // namespace lanescope::lesson
