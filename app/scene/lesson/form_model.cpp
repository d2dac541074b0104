#include "scene/lesson/form_model.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "lesson/instance.h"

namespace lanescope::scene {
namespace {

using lesson::Expression;

std::string joined(const std::vector<Expression>& items) {
    std::string text;
    for (const Expression& item : items)
        text += (text.empty() ? "" : ", ") + item.text;
    return text;
}

std::string field_of(const FormRow& row, std::size_t field) {
    return std::string(trimmed(row.fields[field]));
}

// Splits at commas outside brackets: "max(a, b), n" has two parts.
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    for (std::string& part : parts)
        part = trimmed(part);
    if (parts.size() == 1 && parts[0].empty()) parts.clear();
    return parts;
}

std::vector<Expression> expressions_of(const std::string& text) {
    std::vector<Expression> items;
    for (std::string& part : parts_of(text))
        items.push_back({std::move(part)});
    return items;
}

// Sets the row's error when the text is not a number.
template <class Number>
Number number_in(FormRow& row, std::size_t field, const std::string& text) {
    Number value{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if ((failed != std::errc() || end != text.data() + text.size()) && row.error.empty()) {
        row.error = "'" + text + "' is not a " + (std::is_integral_v<Number> ? "whole " : "") + "number";
        row.wrong = field;
    }
    return value;
}

std::optional<std::int64_t> optional_in(FormRow& row, std::size_t field) {
    const std::string text = field_of(row, field);
    if (text.empty()) return std::nullopt;
    return number_in<std::int64_t>(row, field, text);
}

template <class Entry>
Entry origin_of(const FormRow& row, const std::vector<Entry>& entries) {
    return row.origin >= 0 && row.origin < int(entries.size()) ? entries[std::size_t(row.origin)] : Entry{};
}

lesson::Parameter parameter_in(FormRow& row, const FormModel& form) {
    lesson::Parameter made = origin_of(row, form.front.parameters);
    made.name = field_of(row, 0);
    made.label = row.fields[1];
    made.default_value = number_in<std::int64_t>(row, 2, field_of(row, 2));
    made.min = optional_in(row, 3);
    made.max = optional_in(row, 4);
    made.choices.clear();
    for (const std::string& choice : parts_of(row.fields[5]))
        made.choices.push_back(number_in<std::int64_t>(row, 5, choice));
    return made;
}

lesson::Buffer buffer_in(const FormRow& row, const FormModel& form) {
    lesson::Buffer made = origin_of(row, form.front.buffers);
    made.name = field_of(row, 0);
    made.type = field_of(row, 1);
    made.count = {field_of(row, 2)};
    made.shape = expressions_of(row.fields[3]);
    made.init = {field_of(row, 4)};
    made.space = field_of(row, 5).empty() ? "global" : field_of(row, 5);
    return made;
}

lesson::LaunchSpec launch_in(const FormRow& row, const FormModel& form) {
    lesson::LaunchSpec made = origin_of(row, form.front.launches);
    made.kernel = field_of(row, 0);
    made.grid = expressions_of(row.fields[1]);
    made.block = expressions_of(row.fields[2]);
    made.shared = {field_of(row, 3)};
    made.args = expressions_of(row.fields[4]);
    made.repeat = {field_of(row, 5)};
    return made;
}

lesson::Expectation expectation_in(FormRow& row, const FormModel& form) {
    lesson::Expectation made = origin_of(row, form.front.expectations);
    made.buffer = field_of(row, 0);
    made.equals = {field_of(row, 1)};
    made.values.clear();
    for (const std::string& value : parts_of(row.fields[2]))
        made.values.push_back(number_in<double>(row, 2, value));
    const std::string tolerance = field_of(row, 3);
    made.tolerance = tolerance.empty() ? 0 : number_in<double>(row, 3, tolerance);
    return made;
}

std::string short_number(double value) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

lesson::FrontMatter front_of(FormModel& form) {
    lesson::FrontMatter front = form.front;
    front.title = form.title;
    front.parameters.clear(), front.buffers.clear(), front.launches.clear(), front.expectations.clear();
    for (FormRow& row : form.of(FormSection::parameters))
        front.parameters.push_back(parameter_in(row, form));
    for (FormRow& row : form.of(FormSection::buffers))
        front.buffers.push_back(buffer_in(row, form));
    for (FormRow& row : form.of(FormSection::launches))
        front.launches.push_back(launch_in(row, form));
    for (FormRow& row : form.of(FormSection::expectations))
        front.expectations.push_back(expectation_in(row, form));
    return front;
}

struct Place {
    FormSection section{};
    std::size_t row = 0, field = 0;
};

// Returns the field that a line and column of the written text came from: one line is a parameter or a
// buffer, or one key of a launch.
std::optional<Place> place_of(const std::string& text, int line, int column) {
    std::optional<Place> place;
    std::size_t begin = 0;
    bool lines_are_rows = false;
    for (int number = 1; number <= line && begin <= text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string row = text.substr(begin, end - begin);
        begin = end + 1;
        const auto next = [&](FormSection section) {
            const bool same = place && place->section == section;
            place = Place{section, same ? place->row + 1 : 0, 0};
            lines_are_rows = false;
        };
        if (row == "[params]" || row == "[buffers]") {
            place =
                Place{row == "[params]" ? FormSection::parameters : FormSection::buffers, ~std::size_t{0}, 0};
            lines_are_rows = true;
        } else if (row == "[[launch]]") {
            next(FormSection::launches);
        } else if (row == "[[expect]]") {
            next(FormSection::expectations);
        } else if (row == "[cost]") {
            return std::nullopt;
        } else if (lines_are_rows && !row.empty()) {
            ++place->row;
        }
        if (number != line || !place) continue;
        const std::vector<FormColumn>& columns = columns_of(place->section);
        std::size_t nearest = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string key = columns[i].key;
            if (!lines_are_rows && row.starts_with(key)) place->field = i;
            const std::size_t at = row.find((lines_are_rows ? " " : "\n") + key + " = ");
            if (at == row.npos || int(at) >= std::max(column, 1) || at < nearest) continue;
            nearest = at;
            place->field = i;
        }
    }
    return place;
}

void put_errors(FormModel& form, const std::string& text, const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
        std::string words = diagnostic.message;
        if (!diagnostic.hint.empty()) words += " (" + diagnostic.hint + ")";
        const std::optional<Place> place = place_of(text, diagnostic.line, diagnostic.column);
        if (place && place->row < form.of(place->section).size()) {
            FormRow& row = form.of(place->section)[place->row];
            if (row.error.empty()) row.error = words, row.wrong = place->field;
        } else if (form.error.empty()) {
            form.error = words;
        }
    }
}

}  // namespace

const std::vector<FormColumn>& columns_of(FormSection section) {
    static const std::array<std::vector<FormColumn>, form_sections> all = {{
        {{"name", "n", 0.14f},
         {"label", "elements", 0.24f},
         {"default", "64", 0.12f},
         {"min", "any", 0.12f},
         {"max", "any", 0.12f},
         {"choices", "32, 64, 128", 0.26f}},
        {{"name", "in", 0.14f},
         {"type", "int", 0.12f},
         {"count", "n", 0.2f},
         {"shape", "h, w", 0.16f},
         {"init", "random(0, 9); empty: not set", 0.24f},
         {"space", "global", 0.14f}},
        {{"kernel", "name", 0.17f},
         {"grid", "ceil_div(n, block)", 0.18f},
         {"block", "block", 0.12f},
         {"shared", "0", 0.12f},
         {"args", "in, out, n", 0.23f},
         {"repeat", "once", 0.18f}},
        {{"buffer", "out", 0.14f},
         {"equals", "sum(in)", 0.42f},
         {"values", "1, 2, 3", 0.3f},
         {"tolerance", "of the type", 0.14f}},
    }};
    return all[std::size_t(section)];
}

FormModel form_of(const lesson::FrontMatter& front) {
    FormModel form;
    form.front = front;
    form.title = front.title;
    const auto add = [&](FormSection section, std::vector<std::string> fields) {
        FormRow row;
        row.fields = std::move(fields);
        row.origin = int(form.of(section).size());
        form.of(section).push_back(std::move(row));
    };
    const auto text = [](const std::optional<std::int64_t>& value) {
        return value ? std::to_string(*value) : "";
    };
    for (const lesson::Parameter& parameter : front.parameters) {
        std::string choices;
        for (const std::int64_t choice : parameter.choices)
            choices += (choices.empty() ? "" : ", ") + std::to_string(choice);
        add(FormSection::parameters,
            {parameter.name, parameter.label, std::to_string(parameter.default_value), text(parameter.min),
             text(parameter.max), choices});
    }
    for (const lesson::Buffer& buffer : front.buffers)
        add(FormSection::buffers, {buffer.name, buffer.type, buffer.count.text, joined(buffer.shape),
                                   buffer.init.text, buffer.space == "global" ? "" : buffer.space});
    for (const lesson::LaunchSpec& launch : front.launches)
        add(FormSection::launches, {launch.kernel, joined(launch.grid), joined(launch.block),
                                    launch.shared.text, joined(launch.args), launch.repeat.text});
    for (const lesson::Expectation& expectation : front.expectations) {
        std::string values;
        for (const double value : expectation.values)
            values += (values.empty() ? "" : ", ") + short_number(value);
        add(FormSection::expectations,
            {expectation.buffer, expectation.equals.text, values,
             expectation.tolerance > 0 ? short_number(expectation.tolerance) : ""});
    }
    return form;
}

std::optional<std::string> source_with(FormModel& form, const std::string& source, const std::string& file) {
    form.error.clear();
    for (std::vector<FormRow>& rows : form.rows)
        for (FormRow& row : rows)
            row.error.clear();
    const lesson::FrontMatter front = front_of(form);
    const std::string text = lesson::write_front_matter(front);
    const auto wrong = [&] {
        return !form.error.empty() || std::any_of(form.rows.begin(), form.rows.end(), [](const auto& rows) {
            return std::any_of(rows.begin(), rows.end(),
                               [](const FormRow& row) { return !row.error.empty(); });
        });
    };
    if (wrong()) return std::nullopt;
    const Result<lesson::FrontMatter> read = lesson::parse_front_matter(text, file);
    if (!read) {
        put_errors(form, text, read.diagnostics());
    } else if (const auto instance = lesson::instantiate(*read, {}, file); !instance) {
        put_errors(form, text, instance.diagnostics());
    }
    if (wrong()) return std::nullopt;
    const auto origins = [&](FormSection section) {
        std::vector<int> numbers;
        for (const FormRow& row : form.of(section))
            numbers.push_back(row.origin);
        return numbers;
    };
    return lesson::with_front_matter(source, front,
                                     {origins(FormSection::parameters), origins(FormSection::buffers),
                                      origins(FormSection::launches), origins(FormSection::expectations)});
}

}  // namespace lanescope::scene
