#include "lesson/course/exercise.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/language.h"
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
             tr_later("words of one bank at a time (1: no bank conflict)"),
             tr_later("word of one bank at a time: no bank conflict"), false},
    GoalForm{GoalKind::wavefronts, "wavefronts", Bound::at_most,
             tr_later("wavefronts per request to shared memory"),
             tr_later("wavefront per request to shared memory"), false},
    GoalForm{GoalKind::operations, "operations", Bound::at_most, tr_later("operations on data"),
             tr_later("operation on data"), true},
    GoalForm{GoalKind::depth, "depth", Bound::at_most, tr_later("operations one after the other"),
             tr_later("operation"), true},
    GoalForm{GoalKind::phases, "phases", Bound::at_most, tr_later("barrier phases"),
             tr_later("barrier phase"), true},
    GoalForm{GoalKind::coalescing, "coalescing", Bound::at_most,
             tr_later("times the ideal number of sectors of global memory"),
             tr_later("times the ideal number of sectors of global memory"), false},
    GoalForm{GoalKind::sectors, "sectors", Bound::at_most, tr_later("sectors of global memory"),
             tr_later("sector of global memory"), true},
    GoalForm{GoalKind::loads, "loads", Bound::at_most, tr_later("loads from global memory"),
             tr_later("load from global memory"), true},
    GoalForm{GoalKind::stores, "stores", Bound::at_most, tr_later("stores to global memory"),
             tr_later("store to global memory"), true},
    GoalForm{GoalKind::divergence, "divergence", Bound::at_most, tr_later("divergent branches"),
             tr_later("divergent branch"), true},
    GoalForm{GoalKind::efficiency, "efficiency", Bound::at_least, tr_later("SIMT efficiency"),
             tr_later("SIMT efficiency"), false},
    GoalForm{GoalKind::atomics, "atomics", Bound::at_most, tr_later("atomic operations"),
             tr_later("atomic operation"), true},
    GoalForm{GoalKind::global_atomics, "global_atomics", Bound::at_most,
             tr_later("requests for atomic operations on global memory"),
             tr_later("request for atomic operations on global memory"), true},
    GoalForm{GoalKind::atomic_passes, "atomic_passes", Bound::at_most, tr_later("atomic passes"),
             tr_later("atomic pass"), true},
    GoalForm{GoalKind::shared_bytes, "shared_bytes", Bound::at_most,
             tr_later("bytes of shared memory per block"), tr_later("byte of shared memory per block"), true},
    GoalForm{GoalKind::instructions, "instructions", Bound::at_most, tr_later("warp instructions"),
             tr_later("warp instruction"), true},
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
    constexpr const char* words[] = {tr_later("shared memory"),     tr_later("shuffles or votes"),
                                     tr_later("atomic operations"), tr_later("block barriers"),
                                     tr_later("constant memory"),   tr_later("local memory")};
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
        wish = tr("the right result");
    } else if (goal.kind == GoalKind::no_problem) {
        for (const std::string& kind : goal.problems)
            wish += (wish.empty() ? tr("no ") : ", " + std::string(tr("no "))) + kind;
        std::replace(wish.begin(), wish.end(), '_', ' ');
        if (wish.empty()) wish = tr("no problem");
    } else if (goal.kind == GoalKind::uses || goal.kind == GoalKind::avoids) {
        wish = tr(goal.kind == GoalKind::uses ? tr_later("use of {1}") : tr_later("no {1}"),
                  {goal.buffer.empty() ? tr(words_for(goal.feature)) : goal.buffer});
    } else if (goal.kind == GoalKind::conflicts && goal.bound.text == "1") {
        wish = tr("no bank conflict");
    } else {
        const bool one = goal.bound.text == "1";
        const std::string unit = tr(one ? form.one : form.unit);
        const std::string counted = unit.substr(0, unit.find(" ("));
        wish = form.bound == GoalForm::Bound::at_least ? tr("{1} of at least {2}", {counted, goal.bound.text})
                                                       : tr("at most {1} {2}", {goal.bound.text, counted});
    }
    if (goal.cases == Goal::Cases::given) wish += " (" + std::string(tr("given size")) + ")";
    if (goal.cases == Goal::Cases::hidden) wish += " (" + std::string(tr("hidden sizes")) + ")";
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
