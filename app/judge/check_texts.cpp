#include "judge/check_texts.h"

#include <algorithm>
#include <cmath>

#include "execution/run/step_place.h"
#include "judge/measured_lesson.h"
#include "judge/words.h"
#include "lesson/course/figure.h"
#include "lesson/course/markdown_text.h"

namespace lanescope::judge {

namespace {

using lesson::Measure;
using lesson::MeasuredValue;
using lesson::MeasureKind;

constexpr double percent_tolerance = 0.05;

bool agree(const MeasuredValue& right, const MeasuredValue& measured, double tolerance) {
    const auto number = [](const MeasuredValue& value) -> std::optional<double> {
        if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
        if (const auto* real = std::get_if<double>(&value)) return *real;
        return std::nullopt;
    };
    const auto a = number(right), b = number(measured);
    if (a && b) return std::abs(*a - *b) <= std::max(tolerance, relative_tolerance * std::abs(*b));
    if (a || b) return false;
    return std::get<std::string>(right) == std::get<std::string>(measured);
}

// What of a run differs from what the front matter expects; the run is not fine.
std::string unexpected(const execution::RunResult& run) {
    for (const lesson::ExpectOutcome& each : run.expectations)
        if (!each.ok) return each.buffer + " is not as expected: " + each.mismatch;
    const std::vector<std::string>& expected = run.instance.front.expected_problems;
    for (const trace::Problem& problem : run.problems)
        if (!problem.note &&
            std::find(expected.begin(), expected.end(), trace::to_text(problem.kind)) == expected.end())
            return problem.message;
    return "an expected problem was not found";
}

bool has_array(const trace::Trace& trace, const std::string& name) {
    const auto in = [&](const std::vector<trace::Symbol>& symbols) {
        return std::any_of(symbols.begin(), symbols.end(),
                           [&](const trace::Symbol& symbol) { return symbol.name == name; });
    };
    return in(trace.symbols) || std::any_of(trace.launches.begin(), trace.launches.end(),
                                            [&](const trace::Launch& launch) { return in(launch.shared); });
}

class TextCheck {
  public:
    TextCheck(const lesson::LessonEntry& entry, const std::string& file)
        : entry_(entry), file_(file), lesson_(entry) {}

    Diagnostics run() {
        const auto run = lesson_.run({}, "");
        if (!run) {
            fail_to_run(run.diagnostics().front());
            return std::move(problems_);
        }
        check_run(**run);
        check_places(**run);
        check_figures(**run);
        for (const lesson::Question& question : entry_.questions)
            if (question.measure) check_question(question);
        const std::string texts = all_texts();
        for (const lesson::Claim& claim : entry_.claims) {
            if (texts.find(folded(claim.says)) == std::string::npos)
                problems_.push_back(
                    error_at(claim.file.empty() ? file_ : claim.file,
                             claim.file.empty() ? claim.measure.toml_line : claim.line, 0,
                             "'" + entry_.name + "': no text of the lesson says \"" + claim.says + "\""));
            check_measure(claim.measure, "\"" + claim.says + "\"");
        }
        return std::move(problems_);
    }

  private:
    void fail(int line, const std::string& message, const std::string& hint = {}) {
        problems_.push_back(error_at(file_, line, 0, "'" + entry_.name + "': " + message, hint));
    }

    // The first try has the right answer; the others must have one.
    void check_question(const lesson::Question& question) {
        for (unsigned attempt = 0; attempt < (question.numbers.empty() ? 1 : lesson::checked_tries);
             ++attempt) {
            const Result<lesson::Question> asked = lesson::asked(question, attempt);
            if (!asked) return fail(question.toml_line, asked.diagnostics().front().message);
            const std::string what = "the answer to \"" + shortened(asked->ask, 60) + "\"";
            if (attempt == 0)
                check_measure(*asked->measure, what);
            else if (const auto measured = lesson_.measure(*asked->measure); !measured)
                fail(question.toml_line, what + ": " + measured.diagnostics().front().message);
        }
    }

    void check_measure(const Measure& measure, const std::string& what) {
        const Result<MeasuredValue> measured = lesson_.measure(measure);
        if (!measured)
            return fail(measure.toml_line, what + ": " + measured.diagnostics().front().message,
                        measured.diagnostics().front().hint);
        const double tolerance = measure.kind == MeasureKind::efficiency ? percent_tolerance : 0;
        if (agree(measure.right, *measured, tolerance)) return;
        if (std::holds_alternative<std::string>(measure.right) &&
            !std::holds_alternative<std::string>(*measured))
            return fail(measure.toml_line,
                        what + ": 'right' is the text \"" + to_text(measure.right) +
                            "\", but the run says the number " + to_text(*measured),
                        "write the number without quotes; 'unit' says what it counts");
        fail(measure.toml_line,
             what + ": 'right' is " + to_text(measure.right) + ", but the run says " + to_text(*measured),
             measured_step(measure));
    }

    // Where a measure was taken, for a person who expected something else.
    std::string measured_step(const Measure& measure) {
        if (!measure.at) return {};
        const auto run = lesson_.run(measure.set, measure.schedule);
        if (!run) return {};
        const Result<execution::PlacedStep> step =
            execution::find_place(*measure.at, *(*run)->trace, (*run)->source);
        if (!step) return {};
        return "in step " + std::to_string(step->step + 1) + " of block " + std::to_string(step->block);
    }

    // A kernel that does not run makes nothing else wrong.
    void fail_to_run(const Diagnostic& why) {
        problems_.push_back(error_at(entry_.path.string(), why.line, why.column,
                                     "'" + entry_.name + "' does not run: " + why.message, why.hint));
    }

    void check_run(const execution::RunResult& run) {
        if (run.fine()) return;
        problems_.push_back(
            error_at(entry_.path.string(), 0, 0, "with the default parameters " + unexpected(run)));
    }

    void check_places(const execution::RunResult& run) {
        const auto check = [&](const std::optional<lesson::StepPlace>& place, int line,
                               const std::string& what) {
            if (!place) return;
            const Result<execution::PlacedStep> step = execution::find_place(*place, *run.trace, run.source);
            if (!step)
                fail(line, what + ": " + step.diagnostics().front().message, step.diagnostics().front().hint);
        };
        check(entry_.look_at, entry_.line, "'look_at'");
        for (const lesson::StepNote& note : entry_.notes)
            check(note.at, note.line, "the note \"" + shortened(note.text, 40) + "\"");
        for (const lesson::Question& question : entry_.questions)
            if (!question.measure) check(question.at, question.toml_line, "'at' of a question");
        for (const lesson::NamedPhase& phase : entry_.phases)
            if (const Result<int> line = lesson::line_in(run.source, phase.line); !line)
                fail(phase.toml_line, "the phase '" + phase.name + "': " + line.diagnostics().front().message,
                     line.diagnostics().front().hint);
    }

    void check_figures(const execution::RunResult& run) {
        const auto check = [&](const std::string& text, int line) {
            for (const lesson::Paragraph& paragraph : lesson::parse_markdown(text))
                if (paragraph.kind == lesson::ParagraphKind::figure)
                    check_figure(paragraph.target, line, run);
        };
        check(entry_.text, entry_.line);
        check(entry_.look, entry_.line);
        for (const lesson::Question& question : entry_.questions) {
            check(question.ask, question.toml_line);
            check(question.answer, question.toml_line);
        }
    }

    void check_figure(const std::string& target, int line, const execution::RunResult& run) {
        const std::string what = "the figure '" + target + "': ";
        const auto told = [&](const Diagnostics& why) {
            fail(line, what + why.front().message, why.front().hint);
        };
        const Result<lesson::Figure> figure = lesson::parse_figure(target);
        if (!figure) return told(figure.diagnostics());
        if (figure->at)
            if (const auto step = execution::find_place(*figure->at, *run.trace, run.source); !step)
                told(step.diagnostics());
        for (const std::string& array : figure->arrays)
            if (!has_array(*run.trace, array)) fail(line, what + "the run has no array '" + array + "'");
    }

    std::string all_texts() const {
        std::string texts = entry_.text + "\n" + entry_.look + "\n" + entry_.timing + "\n" + entry_.seen;
        for (const lesson::Question& question : entry_.questions)
            texts += "\n" + question.ask + "\n" + question.answer;
        for (const lesson::StepNote& note : entry_.notes)
            texts += "\n" + note.text;
        return folded(texts);
    }

    const lesson::LessonEntry& entry_;
    const std::string& file_;
    MeasuredLesson lesson_;
    Diagnostics problems_;
};

}  // namespace

Diagnostics check_texts(const lesson::LessonEntry& entry, const std::string& file) {
    return TextCheck(entry, file).run();
}

}  // namespace lanescope::judge
