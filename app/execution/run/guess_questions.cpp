#include "execution/run/guess_questions.h"

#include <algorithm>
#include <string>

#include "lesson/expression.h"

namespace lanescope::execution {

namespace {

using trace::Problem;
using trace::ProblemKind;

// Fewer threads hide these, so that only a larger block tells whether they depend on its size.
bool needs_threads(ProblemKind kind) {
    return kind == ProblemKind::race || kind == ProblemKind::unsynced_lanes ||
           kind == ProblemKind::barrier_divergence;
}

bool is_open(const Problem& problem) {
    return !problem.note && problem.kind != ProblemKind::unsupported;
}

std::string count_text(const lesson::Buffer& buffer) {
    return buffer.shape.empty() ? buffer.count.text : buffer.shape[0].text + " * " + buffer.shape[1].text;
}

class Questions {
  public:
    Questions(std::vector<Problem>& problems, const lesson::FrontMatter& front, const Guesses& guesses,
              const RunVaried& run)
        : problems_(problems), front_(front), guesses_(guesses), run_(run) {}

    void ask() {
        ask_about_counts();
        ask_about_block();
        ask_about_values();
        ask_about_contents();
    }

  private:
    // Turns the problems that no run of `varied` has into questions, if `may` allows it.
    template <class May, class Words>
    void try_fronts(const std::vector<lesson::FrontMatter>& varied, May may, Words words) {
        if (std::none_of(problems_.begin(), problems_.end(),
                         [&](const Problem& each) { return is_open(each) && may(each); }))
            return;
        std::vector<Problem> found;
        for (const lesson::FrontMatter& front : varied) {
            const std::optional<std::vector<Problem>> here = run_(front);
            if (!here) return;
            found.insert(found.end(), here->begin(), here->end());
        }
        for (Problem& problem : problems_) {
            const bool stays = std::any_of(found.begin(), found.end(), [&](const Problem& other) {
                return !other.note && other.kind == problem.kind && other.first.line == problem.first.line;
            });
            if (stays || !is_open(problem) || !may(problem)) continue;
            problem.note = true;
            problem.message += ". " + words(problem);
        }
    }

    static bool always(const Problem&) { return true; }

    void ask_about_counts() {
        lesson::FrontMatter varied = front_;
        bool changed = false;
        for (lesson::Buffer& buffer : varied.buffers) {
            if (!guesses_.counts.contains(buffer.name)) continue;
            buffer.count = {"4 * (" + count_text(buffer) + ") + 4096", 0, 0};
            buffer.shape.clear();
            changed = true;
        }
        if (!changed) return;
        try_fronts({varied}, always, [&](const Problem& problem) {
            const bool known = guesses_.counts.contains(problem.variable);
            const std::string name = known ? problem.variable : *guesses_.counts.begin();
            return "The size of " + name + " is a guess: is it larger? Then state its count in [buffers]";
        });
    }

    void ask_about_block() {
        if (!guesses_.block || front_.launches.empty()) return;
        for (const bool half : {false, true}) {
            lesson::FrontMatter varied = front_;
            lesson::Expression& extent = varied.launches[0].block[0];
            const std::string old = extent.text;
            if (lesson::is_identifier(old)) {
                for (lesson::Parameter& parameter : varied.parameters)
                    if (parameter.name == old) {
                        parameter.default_value =
                            half ? parameter.default_value / 2 : parameter.default_value * 2;
                        parameter.choices.clear();
                    }
            } else {
                extent.text = half ? "max(1, " + old + " / 2)" : old + " * 2";
            }
            const auto may = [&](const Problem& problem) { return !half || !needs_threads(problem.kind); };
            try_fronts({varied}, may, [](const Problem&) {
                return std::string(
                    "The size of the block is a guess: is it another? Then state block in [[launch]]");
            });
        }
    }

    // Smaller numbers: loops and indices that they bound stay within arrays of a fixed size.
    void ask_about_values() {
        lesson::FrontMatter varied = front_;
        std::string names;
        for (lesson::Parameter& parameter : varied.parameters) {
            if (!guesses_.values.contains(parameter.name)) continue;
            parameter.default_value = std::max<std::int64_t>(parameter.default_value / 8, 1);
            names += (names.empty() ? "" : ", ") + parameter.name;
        }
        if (names.empty()) return;
        const auto may = [](const Problem& problem) {
            return problem.kind == ProblemKind::out_of_bounds || problem.kind == ProblemKind::uninitialised ||
                   problem.kind == ProblemKind::timeout || problem.kind == ProblemKind::step_limit;
        };
        try_fronts({varied}, may, [&](const Problem&) {
            return "The value of " + names + " is a guess: is it smaller? Then state it with --set";
        });
    }

    // Whole numbers that are all different, instead of random ones: indices of their own, in two orders.
    void ask_about_contents() {
        lesson::FrontMatter up = front_, down = front_;
        std::string names;
        for (std::size_t i = 0; i < front_.buffers.size(); ++i) {
            const lesson::Buffer& buffer = front_.buffers[i];
            if (!buffer.init.text.starts_with("random") || !guesses_.inputs.contains(buffer.name)) continue;
            up.buffers[i].init.text = "iota";
            down.buffers[i].init.text = "iota(" + count_text(buffer) + " - 1, -1)";
            names += (names.empty() ? "" : ", ") + buffer.name;
        }
        if (names.empty()) return;
        try_fronts({up, down}, always, [&](const Problem&) {
            return "The contents of " + names + " are a guess: are they others? Then state init in [buffers]";
        });
    }

    std::vector<Problem>& problems_;
    const lesson::FrontMatter& front_;
    const Guesses& guesses_;
    const RunVaried& run_;
};

}  // namespace

void ask_about_guesses(std::vector<Problem>& problems, const lesson::FrontMatter& front,
                       const Guesses& guesses, const RunVaried& run) {
    Questions(problems, front, guesses, run).ask();
}

}  // namespace lanescope::execution
