#include "session/timing/sweep.h"

#include <algorithm>

namespace lanescope::session {

namespace {

constexpr std::size_t max_values = 1000;
constexpr const char* form = "use n=2^10..2^28 for powers of two, or n=1000,2000";

Result<std::int64_t> value_of(const std::string& name, const std::string& text) {
    Result<std::pair<std::string, std::int64_t>> setting = lesson::parse_setting(name + "=" + text);
    if (!setting) return setting.diagnostics();
    return setting->second;
}

Result<void> add_range(Sweep& sweep, const std::string& text, std::size_t dots) {
    const Result<std::int64_t> first = value_of(sweep.parameter, text.substr(0, dots));
    if (!first) return first.diagnostics();
    const Result<std::int64_t> last = value_of(sweep.parameter, text.substr(dots + 2));
    if (!last) return last.diagnostics();
    if (*first < 1 || *first > *last)
        return error("the range from " + std::to_string(*first) + " to " + std::to_string(*last) +
                     " must begin at 1 or above and must not end below its beginning");
    sweep.range = true;
    std::int64_t power = 1;
    sweep.values.push_back(*first);
    while (power <= *first && power <= *last / 2)
        power *= 2;
    for (; power > *first && power < *last; power *= 2) {
        sweep.values.push_back(power);
        if (power > *last / 2) break;
    }
    if (*last != *first) sweep.values.push_back(*last);
    return {};
}

Result<void> add_list(Sweep& sweep, const std::string& text) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const Result<std::int64_t> value = value_of(sweep.parameter, text.substr(at, comma - at));
        if (!value) return value.diagnostics();
        sweep.values.push_back(*value);
        if (sweep.values.size() > max_values) return error("it has more than 1000 values");
        at = comma + 1;
    }
    return {};
}

// The values of the sweep that the file's parameter can have.
Result<std::vector<std::int64_t>> possible(const Sweep& sweep, const lesson::Parameter& parameter,
                                           const std::string& file, std::vector<std::string>& notes) {
    std::vector<std::int64_t> values;
    std::string left_out;
    std::size_t count = 0;
    for (const std::int64_t value : sweep.values) {
        const std::string why = lesson::why_not(parameter, value);
        if (why.empty()) {
            values.push_back(value);
            continue;
        }
        if (!sweep.range || (values.empty() && value == sweep.values.back()))
            return error_at(file, parameter.line, 0, "parameter '" + parameter.name + "': " + why);
        if (count++ == 0) left_out = why;
    }
    if (count > 0)
        notes.push_back(file + ": " + std::to_string(count) + " of the " +
                        std::to_string(sweep.values.size()) + " values of '" + sweep.parameter +
                        "' are left out: " + left_out + (count > 1 ? ", and so on" : ""));
    return values;
}

}  // namespace

Result<Sweep> parse_sweep(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return error("'" + text + "' is not a sweep", form);
    Sweep sweep;
    sweep.parameter = text.substr(0, equals);
    const std::string values = text.substr(equals + 1);
    const std::size_t dots = values.find("..");
    const Result<void> read =
        dots == std::string::npos ? add_list(sweep, values) : add_range(sweep, values, dots);
    if (!read) return error("'" + text + "' is not a sweep: " + read.diagnostics().front().message, form);
    return sweep;
}

Result<std::vector<lesson::ParameterValues>> points_of(const lesson::FrontMatter& front,
                                                       const std::string& file,
                                                       const lesson::ParameterValues& fixed,
                                                       const std::vector<Sweep>& sweeps,
                                                       std::vector<std::string>& notes) {
    std::vector<lesson::ParameterValues> points{fixed};
    for (const Sweep& sweep : sweeps) {
        const auto parameter = std::find_if(front.parameters.begin(), front.parameters.end(),
                                            [&](const auto& each) { return each.name == sweep.parameter; });
        if (parameter == front.parameters.end())
            return error_at(file, 0, 0, "the file has no parameter '" + sweep.parameter + "' to sweep");
        const Result<std::vector<std::int64_t>> values = possible(sweep, *parameter, file, notes);
        if (!values) return values.diagnostics();
        std::vector<lesson::ParameterValues> next;
        for (const lesson::ParameterValues& point : points)
            for (const std::int64_t value : *values) {
                next.push_back(point);
                next.back()[sweep.parameter] = value;
            }
        if (next.size() > max_values)
            return error("the sweeps make more than 1000 combinations", "use fewer values");
        points = std::move(next);
    }
    return points;
}

}  // namespace lanescope::session
