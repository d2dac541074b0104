#include "session/compare.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <set>

#include "base/files.h"
#include "base/text.h"

namespace lanescope::session {
namespace {

using Phase = std::pair<std::uint32_t, std::uint32_t>;  // launch, barriers passed

Phase phase_of(const trace::Step& step) {
    return {step.launch, step.phase};
}

struct Stretch {  // steps [first, end) of one phase
    Phase phase;
    std::uint32_t first = 0, end = 0;
    std::uint32_t count() const { return end - first; }
};

std::vector<Stretch> stretches(const std::vector<trace::Step>& steps) {
    std::vector<Stretch> found;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        if (found.empty() || found.back().phase != phase_of(steps[i]))
            found.push_back({phase_of(steps[i]), i, i});
        found.back().end = i + 1;
    }
    return found;
}

// Pairs both from first to last, evenly; the longer one goes step by step.
void add_ticks(std::vector<TickPair>& ticks, const Stretch& a, const Stretch& b) {
    const std::uint64_t count = std::max(a.count(), b.count());
    const auto at = [&](const Stretch& of, std::uint64_t i) {
        return count < 2
                   ? of.first
                   : of.first + std::uint32_t((i * (of.count() - 1) * 2 + (count - 1)) / ((count - 1) * 2));
    };
    for (std::uint64_t i = 0; i < count; ++i)
        ticks.push_back({at(a, i), at(b, i)});
}

// A run stands still during a phase that it does not have.
Stretch waiting(const std::vector<TickPair>& ticks, Side side) {
    const std::uint32_t step = ticks.empty() ? 0 : side == Side::a ? ticks.back().a : ticks.back().b;
    return {{}, step, step + 1};
}

}  // namespace

std::vector<TickPair> ticks_of(const std::vector<trace::Step>& a, const std::vector<trace::Step>& b,
                               StepTogether how) {
    std::vector<TickPair> ticks;
    if (a.empty() || b.empty()) return ticks;
    if (how == StepTogether::share) {
        add_ticks(ticks, {{}, 0, std::uint32_t(a.size())}, {{}, 0, std::uint32_t(b.size())});
        return ticks;
    }
    const std::vector<Stretch> of_a = stretches(a), of_b = stretches(b);
    for (std::size_t i = 0, j = 0; i < of_a.size() || j < of_b.size();) {
        const bool a_next = j == of_b.size() || (i < of_a.size() && of_a[i].phase <= of_b[j].phase);
        const bool b_next = i == of_a.size() || (j < of_b.size() && of_b[j].phase <= of_a[i].phase);
        add_ticks(ticks, a_next ? of_a[i] : waiting(ticks, Side::a),
                  b_next ? of_b[j] : waiting(ticks, Side::b));
        i += a_next, j += b_next;
    }
    return ticks;
}

std::size_t tick_at(const std::vector<TickPair>& ticks, Side side, std::size_t step) {
    const auto found =
        std::lower_bound(ticks.begin(), ticks.end(), step, [&](const TickPair& tick, std::size_t wanted) {
            return (side == Side::a ? tick.a : tick.b) < wanted;
        });
    if (found == ticks.end()) return ticks.empty() ? 0 : ticks.size() - 1;
    return std::size_t(found - ticks.begin());
}

std::size_t tick_by_phase(const std::vector<TickPair>& ticks, const std::vector<trace::Step>& a,
                          const std::vector<trace::Step>& b, std::size_t tick, int phases) {
    if (ticks.empty()) return 0;
    const auto begins = [&](std::size_t at) {
        return at == 0 || phase_of(a[ticks[at].a]) != phase_of(a[ticks[at - 1].a]) ||
               phase_of(b[ticks[at].b]) != phase_of(b[ticks[at - 1].b]);
    };
    for (; phases > 0 && tick + 1 < ticks.size(); --phases)
        do
            ++tick;
        while (tick + 1 < ticks.size() && !begins(tick));
    for (; phases < 0 && tick > 0; ++phases)
        do
            --tick;
        while (!begins(tick));
    return tick;
}

// --- What differs ------------------------------------------------------------------------------------------

namespace {

using Better = ComparedFigure::Better;
using Group = ComparedFigure::Group;

enum class Wish { less, more, none };

Better better(double a, double b, Wish wish) {
    if (wish == Wish::none || a == b) return Better::neither;
    return (a < b) == (wish == Wish::less) ? Better::a : Better::b;
}

std::string with_digits(double value, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

class Table {
  public:
    void text(Group group, const std::string& name, const std::string& a, const std::string& b) {
        rows_.push_back({group, name, a, b, Better::neither});
    }
    void number(Group group, const std::string& name, std::uint64_t a, std::uint64_t b, Wish wish) {
        rows_.push_back(
            {group, name, std::to_string(a), std::to_string(b), better(double(a), double(b), wish)});
    }
    // A run without such requests shows "–"; then neither run is better.
    void ratio(const std::string& name, std::uint64_t above_a, std::uint64_t below_a, std::uint64_t above_b,
               std::uint64_t below_b) {
        if (below_a == 0 && below_b == 0) return;
        const auto share = [](std::uint64_t above, std::uint64_t below) {
            return double(above) / double(below);
        };
        const auto shown = [&](std::uint64_t above, std::uint64_t below) {
            return below ? with_digits(share(above, below), "%.2f") : std::string("–");
        };
        ComparedFigure row{Group::count, name, shown(above_a, below_a), shown(above_b, below_b),
                           Better::neither};
        if (below_a && below_b && !row.same())
            row.better = better(share(above_a, below_a), share(above_b, below_b), Wish::less);
        rows_.push_back(std::move(row));
    }
    void add(ComparedFigure row) { rows_.push_back(std::move(row)); }
    std::vector<ComparedFigure> rows() { return std::move(rows_); }

  private:
    std::vector<ComparedFigure> rows_;
};

std::string value_of(const Session& session, const std::string& name) {
    const auto found = session.parameters().find(name);
    return found == session.parameters().end() ? "–" : std::to_string(found->second);
}

std::string launches_text(const execution::RunResult& run) {
    const auto dim = [](const auto& size) { return trace::size_text({size[0], size[1], size[2]}); };
    std::string text;
    const std::vector<lesson::LaunchInstance>& launches = run.instance.launches;
    if (launches.size() > 1) text = std::to_string(launches.size()) + " launches: ";
    for (std::size_t i = 0; i < std::min<std::size_t>(launches.size(), 2); ++i)
        text += (i ? ", " : "") + dim(launches[i].grid) + " × " + dim(launches[i].block);
    return launches.size() > 2 ? text + " …" : text;
}

void add_settings(Table& table, const Session& a, const Session& b) {
    std::set<std::string> names;
    for (const Session* session : {&a, &b})
        for (const auto& [name, value] : session->parameters())
            names.insert(name);
    for (const std::string& name : names)
        table.text(Group::setting, name, value_of(a, name), value_of(b, name));
    const auto code = [](const Session& s) {
        return s.run()->code == compile::Code::debug ? "debug" : "optimised";
    };
    if (a.run()->code != b.run()->code) table.text(Group::setting, "code", code(a), code(b));
    table.text(Group::setting, "blocks × threads", launches_text(*a.run()), launches_text(*b.run()));
}

void add_counts(Table& table, const Session& a, const Session& b) {
    const analysis::Metrics &m = a.run()->report.total, &n = b.run()->report.total;
    table.number(Group::count, "steps of the block", a.playhead().steps().size(), b.playhead().steps().size(),
                 Wish::less);
    if (!a.run()->report_ready || !b.run()->report_ready) {
        const auto state = [](const Session& s) {
            return s.run()->report_ready ? "done" : s.runner().counting() ? "going on" : "stopped";
        };
        return table.text(Group::count, "counting", state(a), state(b));
    }
    table.number(Group::count, "warp instructions", m.warp_instructions, n.warp_instructions, Wish::less);
    const auto percent = [](double share) { return with_digits(share * 100, "%.1f %%"); };
    ComparedFigure efficiency{Group::count, "SIMT efficiency", percent(m.simt_efficiency()),
                              percent(n.simt_efficiency()), Better::neither};
    if (!efficiency.same()) efficiency.better = better(m.simt_efficiency(), n.simt_efficiency(), Wish::more);
    table.add(std::move(efficiency));
    table.number(Group::count, "divergent branches", m.divergent_branches, n.divergent_branches, Wish::less);
    table.ratio("sectors / global load", m.global_load_sectors, m.global_load_requests, n.global_load_sectors,
                n.global_load_requests);
    table.ratio("sectors / global store", m.global_store_sectors, m.global_store_requests,
                n.global_store_sectors, n.global_store_requests);
    table.ratio("wavefronts / shared load", m.shared_load_wavefronts, m.shared_load_requests,
                n.shared_load_wavefronts, n.shared_load_requests);
    table.ratio("wavefronts / shared store", m.shared_store_wavefronts, m.shared_store_requests,
                n.shared_store_wavefronts, n.shared_store_requests);
    if (m.barriers || n.barriers) table.number(Group::count, "barriers", m.barriers, n.barriers, Wish::less);
    if (m.atomics || n.atomics) table.number(Group::count, "atomics", m.atomics, n.atomics, Wish::less);
}

std::uint64_t problems_of(const execution::RunResult& run) {
    return std::uint64_t(std::count_if(run.problems.begin(), run.problems.end(),
                                       [](const trace::Problem& problem) { return !problem.note; }));
}

// 1: the buffers hold what the file expects; 0: they do not; 2: the file expects nothing.
int result_rank(const execution::RunResult& run) {
    if (run.expectations.empty()) return 2;
    return std::all_of(run.expectations.begin(), run.expectations.end(),
                       [](const auto& each) { return each.ok; })
               ? 1
               : 0;
}

void add_outcome(Table& table, const execution::RunResult& a, const execution::RunResult& b) {
    table.number(Group::outcome, "problems", problems_of(a), problems_of(b), Wish::less);
    static constexpr const char* words[] = {"wrong", "as expected", "not checked"};
    const int of_a = result_rank(a), of_b = result_rank(b);
    ComparedFigure row{Group::outcome, "result", words[of_a], words[of_b], Better::neither};
    if (of_a + of_b == 1) row.better = of_a ? Better::a : Better::b;
    table.add(std::move(row));
}

const TimingRecord* record_of(const SizeGroup& group, const Session& session) {
    if (session.lesson() == nullptr || session.topic() == nullptr) return nullptr;
    const std::string ending = "/" + session.topic()->name + "/" + session.lesson()->path.filename().string();
    for (const TimingRecord* record : group.records)
        if (record->timed() && record->file.ends_with(ending)) return record;
    return nullptr;
}

// Adds the times of the largest size at which both were timed.
// Times of exactly these texts and parameters, with their spread and the library's.
bool add_own_times(Table& table, const Session& a, const Session& b) {
    const MeasuredTime of_a = measured_time_of(a), of_b = measured_time_of(b);
    if (of_a.record == nullptr || of_b.record == nullptr) return false;
    if (of_a.timings->report.device.name != of_b.timings->report.device.name) return false;
    const auto words = [](const MeasuredTime& time) {
        const TimingRecord& record = *time.record;
        std::string text = time_words(record.timing.median_ms);
        if (record.peer && record.peer->error.empty() && record.peer->name != "copy")
            text += ", " + record.peer->library + " " + time_words(record.peer->timing.median_ms);
        return text;
    };
    const gpu::Timing &ms_a = of_a.record->timing, &ms_b = of_b.record->timing;
    const bool apart =
        ms_a.upper_quartile_ms < ms_b.lower_quartile_ms || ms_b.upper_quartile_ms < ms_a.lower_quartile_ms;
    const std::string device = of_a.timings->report.device.name;
    table.add({Group::time, "time, " + device.substr(device.rfind(' ') + 1), words(of_a), words(of_b),
               apart ? better(ms_a.median_ms, ms_b.median_ms, Wish::less) : Better::neither});
    return true;
}

void add_times(Table& table, const Session& a, const Session& b) {
    if (add_own_times(table, a, b)) return;
    const std::shared_ptr<const Timings> timings = a.timings().shown();
    if (!timings || a.topic() == nullptr || b.topic() == nullptr || a.lesson() == nullptr ||
        b.lesson() == nullptr)
        return;
    if (a.topic()->name != b.topic()->name || a.lesson()->name == b.lesson()->name) return;
    const std::vector<SizeGroup> groups = sizes_of(*timings, *a.topic());
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
        const TimingRecord *of_a = record_of(*group, a), *of_b = record_of(*group, b);
        if (!of_a || !of_b) continue;
        const double ms_a = of_a->timing.median_ms, ms_b = of_b->timing.median_ms;
        table.add({Group::time, "time, " + size_words(group->elements) + " elements", time_words(ms_a),
                   time_words(ms_b), better(ms_a, ms_b, Wish::less)});
        return;
    }
}

constexpr double estimate_error = 1.1;  // a smaller ratio of two estimates says nothing

bool comparable(const ClockReading& a, const ClockReading& b) {
    return a.device == b.device && a.estimate.refused.empty() && b.estimate.refused.empty();
}

void add_estimates(Table& table, const Session& a, const Session& b) {
    const auto of_a = a.clock().reading(), of_b = b.clock().reading();
    if (!of_a || !of_b || !comparable(*of_a, *of_b)) return;
    const double time_a = of_a->estimate.microseconds, time_b = of_b->estimate.microseconds;
    const bool judged = std::max(time_a / time_b, time_b / time_a) > estimate_error;
    const std::string model = of_a->device.substr(of_a->device.rfind(' ') + 1);
    table.add({Group::estimate, "estimated time, " + model, estimated_words(time_a), estimated_words(time_b),
               judged ? better(time_a, time_b, Wish::less) : Better::neither});
}

bool names(const lesson::Expression& expression, const std::string& name) {
    const std::string& text = expression.text;
    const auto is_word = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1))
        if ((at == 0 || !is_word(at - 1)) && !is_word(at + name.size())) return true;
    return false;
}

bool names(const std::vector<lesson::Expression>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& each) { return names(each, name); });
}

bool is_input(const lesson::Buffer& buffer) {
    return buffer.has_contents() && buffer.init.text != "zero";
}

// Whether the parameter sets the amount of work, not only the number of threads.
bool sizes_work(const std::string& name, const execution::RunResult& run) {
    const lesson::FrontMatter& front = run.instance.front;
    const auto sizes = [&](const lesson::Buffer& buffer) {
        return names(buffer.count, name) || names(buffer.shape, name);
    };
    const auto any_buffer = [&](auto test) {
        return std::any_of(front.buffers.begin(), front.buffers.end(), test);
    };
    const auto any_launch = [&](auto test) {
        return std::any_of(front.launches.begin(), front.launches.end(), test);
    };
    if (any_buffer(
            [&](const auto& each) { return is_input(each) && (sizes(each) || names(each.init, name)); }))
        return true;
    if (any_launch([&](const auto& each) { return names(each.block, name); })) return false;
    return any_buffer(sizes) ||
           any_launch([&](const auto& each) { return names(each.args, name) || names(each.repeat, name); });
}

// Whether inputs of one name have different sizes.
bool inputs_differ(const execution::RunResult& a, const execution::RunResult& b) {
    for (const lesson::Buffer& buffer : a.instance.front.buffers) {
        if (!is_input(buffer)) continue;
        const auto count = [&](const execution::RunResult& run) -> std::uint64_t {
            for (const lesson::BufferInstance& each : run.instance.buffers)
                if (each.name == buffer.name) return each.count;
            return 0;
        };
        if (count(b) != 0 && count(a) != count(b)) return true;
    }
    return false;
}

}  // namespace

std::string why_not_judged(const Session& a, const Session& b) {
    if (a.run() == nullptr || b.run() == nullptr) return {};
    std::string list;
    for (const auto& [name, value] : a.parameters()) {
        const auto other = b.parameters().find(name);
        if (other == b.parameters().end() || other->second == value) continue;
        if (sizes_work(name, *a.run()) || sizes_work(name, *b.run()))
            list += (list.empty() ? "" : ", ") + name;
    }
    if (list.empty() && inputs_differ(*a.run(), *b.run())) list = "inputs";
    return list.empty() ? list : "different " + list;
}

std::vector<ComparedFigure> differences(const Session& a, const Session& b) {
    Table table;
    if (a.run() == nullptr || b.run() == nullptr) return {};
    add_settings(table, a, b);
    add_counts(table, a, b);
    add_outcome(table, *a.run(), *b.run());
    add_estimates(table, a, b);
    add_times(table, a, b);
    std::vector<ComparedFigure> rows = table.rows();
    if (why_not_judged(a, b).empty()) return rows;
    for (ComparedFigure& row : rows)  // recorded times have a size of their own
        if (row.group == Group::count || row.group == Group::estimate) row.better = Better::neither;
    return rows;
}

namespace {

// What the faster run does, if this reason takes less of its warps' time.
struct Clause {
    std::vector<analysis::Stall> reasons;
    const char* words;
};

const std::vector<Clause>& clauses() {
    using analysis::Stall;
    static const std::vector<Clause> all{
        {{Stall::issues}, "it issues fewer instructions"},
        {{Stall::global_memory}, "its warps wait less for global memory"},
        {{Stall::shared_memory, Stall::shared_queue},
         "its warps wait less for shared memory (bank conflicts)"},
        {{Stall::barrier}, "its warps wait less at barriers for each other"},
        {{Stall::arithmetic}, "its warps wait less for the result of the instruction before"},
        {{Stall::not_selected}, "fewer of its warps are ready at the same time and wait for their turn"},
        {{Stall::memory_queue}, "its memory accesses queue less"},
        {{Stall::pipe_busy}, "its warps wait less for busy arithmetic units"},
        {{Stall::constant_cache}, "its warps wait less for constant memory"},
        {{Stall::instructions}, "its warps wait less for their next instructions"},
        {{Stall::branch}, "its warps wait less for branches"},
        {{Stall::fence}, "its warps wait less for fences and atomics"},
        {{Stall::drain}, "its warps wait less for their last stores"},
    };
    return all;
}

std::string why_faster(const analysis::CyclesEstimate& fast, const analysis::CyclesEstimate& slow) {
    if (slow.launch_microseconds - fast.launch_microseconds > (slow.microseconds - fast.microseconds) / 2)
        return "it launches fewer kernels";
    const analysis::StallCycles before = stalls_of(slow), after = stalls_of(fast);
    std::string words;
    double most = 0;
    for (const Clause& clause : clauses()) {
        double fell = 0;
        for (const analysis::Stall reason : clause.reasons)
            fell += before[static_cast<std::size_t>(reason)] - after[static_cast<std::size_t>(reason)];
        if (fell > most) most = fell, words = clause.words;
    }
    return words;
}

}  // namespace

std::string faster_words(const ClockReading& a, const ClockReading& b) {
    if (!comparable(a, b)) return {};
    const bool a_first = a.estimate.microseconds < b.estimate.microseconds;
    const analysis::CyclesEstimate &fast = a_first ? a.estimate : b.estimate,
                                   &slow = a_first ? b.estimate : a.estimate;
    const double ratio = slow.microseconds / fast.microseconds;
    const std::string of = " (estimated for an " + a.device + ")";
    if (ratio <= estimate_error) return "Both take about as long" + of + ".";
    const std::string why = why_faster(fast, slow);
    return std::string(a_first ? "A" : "B") + " is about " +
           with_digits(ratio, ratio < 10 ? "%.1f" : "%.0f") + " times as fast" + of +
           (why.empty() ? "." : ": " + why + ".");
}

std::string faster_words(const Session& a, const Session& b) {
    const auto of_a = a.clock().reading(), of_b = b.clock().reading();
    if (!of_a || !of_b || !a.run() || !b.run() || !why_not_judged(a, b).empty()) return {};
    return faster_words(*of_a, *of_b);
}

namespace {

double leading_number(const std::string& text) {
    std::string digits;
    for (const char c : text) {
        if (c == ' ' && !digits.empty()) continue;  // of groups of three
        if (c != '.' && (c < '0' || c > '9')) break;
        digits += c;
    }
    double number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

struct CodeLine {
    std::uint32_t number = 0;
    std::string_view text;
};

std::vector<CodeLine> code_lines(std::string_view text) {
    std::vector<CodeLine> lines;
    bool front = text.starts_with("/*--- lanescope");
    std::uint32_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (!front && !line.empty()) lines.push_back({number, line});
        if (line == "---*/") front = false;
    }
    return lines;
}

}  // namespace

std::string better_words(const std::vector<ComparedFigure>& figures) {
    const auto ratio = [](const ComparedFigure& each) {
        const double a = leading_number(each.a), b = leading_number(each.b);
        return std::max(a, b) / std::max(std::min(a, b), 1e-3);
    };
    std::string text;
    for (const Better side : {Better::a, Better::b}) {
        std::vector<const ComparedFigure*> judged;
        for (const ComparedFigure& each : figures)
            if (each.better == side && each.group != Group::estimate) judged.push_back(&each);
        std::stable_sort(judged.begin(), judged.end(), [&](const ComparedFigure* x, const ComparedFigure* y) {
            return ratio(*x) > ratio(*y);
        });
        if (judged.size() > 2) judged.resize(2);
        for (std::size_t i = 0; i < judged.size(); ++i) {
            const bool is_a = side == Better::a;
            text += i == 0 ? std::string(text.empty() ? "" : " ") + (is_a ? "A" : "B") + " is better in "
                    : i + 1 == judged.size() ? " and in "
                                             : ", in ";
            text += judged[i]->name + " (" + (is_a ? judged[i]->a : judged[i]->b) + " instead of " +
                    (is_a ? judged[i]->b : judged[i]->a) + ")";
        }
        if (!judged.empty()) text += ".";
    }
    return text;
}

std::vector<std::uint32_t> lines_that_differ(const std::string& of, const std::string& from) {
    constexpr std::size_t most_lines = 4000;
    const std::vector<CodeLine> a = code_lines(of), b = code_lines(from);
    if (a.size() > most_lines || b.size() > most_lines) return {};
    // common[i][j]: length of the longest common subsequence of the lines from i and from j on.
    const std::size_t row = b.size() + 1;
    std::vector<std::uint16_t> common((a.size() + 1) * row, 0);
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i * row + j] = a[i].text == b[j].text
                                      ? std::uint16_t(common[(i + 1) * row + j + 1] + 1)
                                      : std::max(common[(i + 1) * row + j], common[i * row + j + 1]);
    std::vector<std::uint32_t> lines;
    for (std::size_t i = 0, j = 0; i < a.size();) {
        if (j < b.size() && a[i].text == b[j].text) {
            ++i, ++j;
        } else if (j < b.size() && common[i * row + j + 1] > common[(i + 1) * row + j]) {
            ++j;
        } else {
            lines.push_back(a[i++].number);
        }
    }
    return lines;
}

}  // namespace lanescope::session
