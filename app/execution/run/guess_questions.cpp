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
           kind == ProblemKind::barrier_divergence || kind == ProblemKind::deadlock;
}

// A larger block can turn a race of lanes into one of warps.
ProblemKind family_of(ProblemKind kind) {
    return kind == ProblemKind::unsynced_lanes ? ProblemKind::race : kind;
}

bool is_fault(const Problem& problem) {
    return !problem.note && problem.kind != ProblemKind::race &&
           problem.kind != ProblemKind::unsynced_lanes && problem.kind != ProblemKind::barrier_divergence &&
           problem.kind != ProblemKind::uninitialised;
}

// Another block, another kernel or the host may do that for which a thread waits.
bool waits(const Problem& problem) {
    return problem.kind == ProblemKind::deadlock || problem.kind == ProblemKind::timeout ||
           problem.kind == ProblemKind::step_limit;
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
        const bool sound = std::none_of(problems_.begin(), problems_.end(), is_open);
        ask_about_counts();
        ask_about_block();
        ask_about_shared();
        ask_about_grid();
        ask_about_values();
        ask_about_contents();
        if (guesses_.blind) ask_about_all();
        if (sound) try_more_blocks();
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
            if (!here || fails_elsewhere(*here)) return;
            found.insert(found.end(), here->begin(), here->end());
        }
        for (Problem& problem : problems_) {
            const bool stays = std::any_of(found.begin(), found.end(), [&](const Problem& other) {
                return !other.note && family_of(other.kind) == family_of(problem.kind) &&
                       other.first.line == problem.first.line;
            });
            if (stays || !is_open(problem) || !may(problem)) continue;
            problem.note = true;
            problem.message += ". " + words(problem);
        }
    }

    // A run that another fault ends says nothing about what would have come after it.
    bool fails_elsewhere(const std::vector<Problem>& found) const {
        return std::any_of(found.begin(), found.end(), [&](const Problem& each) {
            return is_fault(each) &&
                   std::none_of(problems_.begin(), problems_.end(), [&](const Problem& known) {
                       return known.kind == each.kind && known.first.line == each.first.line;
                   });
        });
    }

    static bool always(const Problem&) { return true; }

    void ask_about_counts() {
        if (guesses_.counts.empty()) return;
        try_fronts({with_more_elements()}, always, [&](const Problem& problem) {
            const bool known = guesses_.counts.contains(problem.variable);
            const std::string name = known ? problem.variable : *guesses_.counts.begin();
            return "The size of " + name + " is a guess: if it is larger, state it with --count " + name +
                   "=N";
        });
    }

    lesson::FrontMatter with_more_elements() const {
        lesson::FrontMatter varied = front_;
        for (lesson::Buffer& buffer : varied.buffers) {
            if (!guesses_.counts.contains(buffer.name)) continue;
            buffer.count = {"4 * (" + count_text(buffer) + ") + 4096", 0, 0};
            buffer.shape.clear();
        }
        return varied;
    }

    void ask_about_block() {
        if (!guesses_.block || front_.launches.empty()) return;
        for (const bool half : {false, true}) {
            // Fewer threads than a shared array has elements would leave it half empty.
            if (half && guesses_.block_fits) return;
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
                    "The size of the block is a guess: if it is another, state it with --block N");
            });
        }
    }

    void ask_about_grid() {
        if (!guesses_.grid || front_.launches.empty()) return;
        for (const char* factor : {"2", "4"}) {
            lesson::FrontMatter varied = with_more_elements();
            std::string& blocks = varied.launches[0].grid[0].text;
            blocks = "(" + blocks + ") * " + factor;
            try_fronts({varied}, waits, [](const Problem&) {
                return std::string(
                    "The number of blocks is a guess: if it is another, state it with --grid N");
            });
        }
    }

    void ask_about_shared() {
        constexpr const char* most_bytes = "98304";
        if (!guesses_.shared || front_.launches.empty()) return;
        lesson::FrontMatter varied = front_;
        std::string& size = varied.launches[0].shared.text;
        size = "max(" + (size.empty() ? "0" : size) + ", " + most_bytes + ")";
        const auto may = [](const Problem& problem) { return problem.space == trace::Space::shared; };
        try_fronts({varied}, may, [](const Problem&) {
            return std::string(
                "The size of the dynamic shared memory is a guess: if it is larger, state it "
                "with --shared BYTES");
        });
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
            return "The value of " + names + " is a guess: if it is smaller, state it with --set";
        });
        // Code that is made for whole tiles goes wrong with less.
        varied = with_more_elements();
        for (lesson::Parameter& parameter : varied.parameters)
            if (guesses_.values.contains(parameter.name))
                parameter.default_value *= 4, parameter.choices.clear();
        try_fronts({varied}, always, [&](const Problem&) {
            return "The value of " + names + " is a guess: if it is larger, state it with --set";
        });
    }

    // Whole numbers that are all different, instead of random ones: indices of their own, in two orders. More
    // than 256 bytes cannot all differ.
    void ask_about_contents() {
        lesson::FrontMatter up = with_more_elements(), down = up, zero = up, one = up;
        std::string names;
        for (std::size_t i = 0; i < front_.buffers.size(); ++i) {
            const lesson::Buffer& buffer = front_.buffers[i];
            const bool bytes = buffer.type.ends_with("char");
            if (!buffer.init.text.starts_with("random") || !guesses_.inputs.contains(buffer.name)) continue;
            zero.buffers[i].init.text = "zero";
            one.buffers[i].init.text = "constant(1)";
            if (bytes) continue;
            up.buffers[i].init.text = "iota";
            down.buffers[i].init.text = "iota(" + count_text(buffer) + " - 1, -1)";
            names += (names.empty() ? "" : ", ") + buffer.name;
        }
        if (names.empty()) return;
        const auto words = [&](const Problem&) {
            return "The contents of " + names +
                   " are a guess: if they are others, state them with --fill NAME=…";
        };
        try_fronts({up, down}, always, words);
        try_fronts({one}, waits, words);
        // Zeros keep every index within its array, where other contents lead it elsewhere.
        const auto may = [](const Problem& problem) {
            const bool index = problem.kind == ProblemKind::out_of_bounds ||
                               (problem.kind == ProblemKind::uninitialised && problem.first.has_access);
            return index && problem.space != trace::Space::global;
        };
        if (!has_open(may)) return;
        const auto rising = run_(up), falling = run_(down);
        if (!rising || !falling) return;
        const auto moves = [&](const Problem& problem) {
            return may(problem) && !(repeats(problem, *rising) && repeats(problem, *falling));
        };
        try_fronts({zero}, moves, words);
    }

    // Whether the problem is there again, at the same place.
    static bool repeats(const Problem& problem, const std::vector<Problem>& others) {
        return std::any_of(others.begin(), others.end(), [&](const Problem& other) {
            return other.kind == problem.kind && other.first.line == problem.first.line &&
                   other.first.thread == problem.first.thread && other.index == problem.index;
        });
    }

    template <class May>
    bool has_open(May may) const {
        return std::any_of(problems_.begin(), problems_.end(),
                           [&](const Problem& each) { return is_open(each) && may(each); });
    }

    // So much has to fit together that a problem says more about the guesses than about the code.
    void ask_about_all() {
        for (Problem& problem : problems_) {
            if (!is_open(problem)) continue;
            problem.note = true;
            problem.message +=
                ". Block, grid and dynamic shared memory are guesses: state them with --block, --grid and "
                "--shared";
        }
    }

    bool has_one_block() const {
        lesson::Names names;
        for (const lesson::Parameter& parameter : front_.parameters)
            names[parameter.name] = parameter.default_value;
        const std::vector<lesson::Expression>& grid = front_.launches[0].grid;
        return std::all_of(grid.begin(), grid.end(), [&](const lesson::Expression& extent) {
            const auto blocks = lesson::evaluate(extent, names, "");
            return blocks && *blocks == 1;
        });
    }

    // A launch of one block hides what blocks do to each other. It is a question where nothing in the
    // code says that there are several.
    void try_more_blocks() {
        if (guesses_.extents.empty() || !has_one_block()) return;
        lesson::FrontMatter varied = front_;
        std::string settings;
        for (lesson::Parameter& parameter : varied.parameters) {
            if (!guesses_.extents.contains(parameter.name)) continue;
            parameter.default_value *= 4;
            settings += " --set " + parameter.name + "=" + std::to_string(parameter.default_value);
        }
        const std::optional<std::vector<Problem>> found = run_(varied);
        if (!found || fails_elsewhere(*found)) return;
        for (Problem problem : *found) {
            const bool between = problem.kind == ProblemKind::race && problem.first.block != trace::none &&
                                 problem.second.block != trace::none &&
                                 problem.first.block != problem.second.block;
            const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const Problem& other) {
                return other.kind == problem.kind && other.first.line == problem.first.line;
            });
            if (!is_open(problem) || !between || known) continue;
            problem.first = {.line = problem.first.line};  // not in the trace of this run
            problem.second = {.line = problem.second.line};
            problem.note = !guesses_.many_blocks;
            problem.message += ". More blocks show it:" + settings;
            if (problem.note) problem.message += "; if there is only one, state it with --grid 1";
            problems_.push_back(std::move(problem));
        }
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
