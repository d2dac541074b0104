#include "session/report/report_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "trace/names.h"

namespace lanescope::session {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t shown_values = 64;

ordered_json json_of(const trace::ProblemSite& site, execution::StepNumbers& steps) {
    ordered_json json{{"line", site.line}};
    json["block"] = site.block == trace::none ? ordered_json() : ordered_json(site.block);
    json["thread"] = site.thread == trace::none ? ordered_json() : ordered_json(site.thread);
    json["access"] = site.has_access ? ordered_json(to_text(site.access)) : ordered_json();
    const std::optional<std::size_t> step = steps.of(site);
    json["step"] = step ? ordered_json(*step) : ordered_json();
    return json;
}

ordered_json json_of(const trace::SyncPoint& point) {
    ordered_json json{{"kind", to_text(point.kind)}};
    json["line"] = point.line == 0 ? ordered_json() : ordered_json(point.line);
    return json;
}

// A number if JSON can hold it, else its text; structures are arrays of their members.
ordered_json json_of_value(TypeTable& types, TypeId type, std::span<const std::byte> value) {
    const ValueType& described = types[type];
    if (described.kind == ValueType::Kind::structure) {
        ordered_json members = ordered_json::array();
        for (const TypeMember& member : described.members)
            members.push_back(json_of_value(
                types, member.type, value.subspan(member.offset_bytes, types[member.type].size_bytes)));
        return members;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, value.data(), std::min<std::size_t>(8, value.size()));
    if (described.scalar == Scalar::unsigned_int) return bits;
    if (described.scalar == Scalar::signed_int && value.size() == 8) return static_cast<std::int64_t>(bits);
    const double number = numeric_value(types, type, value);
    if (!is_real(described.scalar)) return static_cast<std::int64_t>(number);
    // JSON has no infinities; the shortest text of a float stands for the same number.
    if (!std::isfinite(number)) return format_value(types, type, value);
    return value.size() == 8 ? ordered_json(number) : ordered_json::parse(format_value(types, type, value));
}

// A cell as JSON: null when unset.
ordered_json json_of_cell(TypeTable& types, TypeId type, const execution::BufferView& buffer,
                          std::size_t cell, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
        if (!buffer.set[cell * bytes + i]) return {};
    return json_of_value(types, type, {buffer.contents.data() + cell * bytes, bytes});
}

}  // namespace

ordered_json json_of(const trace::Problem& problem, execution::StepNumbers& steps) {
    ordered_json json{{"kind", trace::to_text(problem.kind)},
                      {"space", to_text(problem.space)},
                      {"variable", problem.variable},
                      {"index", problem.index},
                      {"first", json_of(problem.first, steps)}};
    json["second"] = problem.second.line ? json_of(problem.second, steps) : ordered_json();
    if (!problem.remedy.empty())
        json["why"] = {{"before_first", json_of(problem.before_first)},
                       {"before_second", json_of(problem.before_second)},
                       {"remedy", problem.remedy},
                       {"text", trace::why_text(problem)}};
    json["occurrences"] = problem.occurrences;
    json["severity"] = problem.note ? "note" : "error";
    json["message"] = problem.message;
    return json;
}

ordered_json json_of(const execution::BufferView& buffer) {
    TypeTable types;
    const TypeId type = types.named(buffer.type);
    const std::size_t bytes = types[type].size_bytes;
    ordered_json values = ordered_json::array();
    for (std::size_t i = 0; i < std::min<std::uint64_t>(buffer.count, shown_values) && bytes; ++i)
        values.push_back(json_of_cell(types, type, buffer, i, bytes));
    ordered_json json{{"type", buffer.type}, {"count", buffer.count}};
    if (values.size() < buffer.count) json["shown"] = values.size();
    json["values"] = std::move(values);
    return json;
}

// Puts the kind before the message, unless the message begins with it.
std::string text_of(const trace::Problem& problem) {
    const std::string kind = std::string(trace::to_text(problem.kind)) + ": ";
    std::string text = (problem.note ? "note: " : "problem: ") +
                       (problem.message.starts_with(kind) ? "" : kind) + problem.message;
    if (problem.occurrences > 1) text += " (" + std::to_string(problem.occurrences) + " times)";
    return text + "\n";
}

}  // namespace lanescope::session
