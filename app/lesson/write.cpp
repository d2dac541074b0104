#include <algorithm>

#include "base/number_text.h"
#include "lesson/expression.h"
#include "lesson/front_matter.h"
#include "lesson/front_matter_fields.h"
#include "lesson/texture_entries.h"

namespace lanescope::lesson {

namespace {

// Returns a TOML string that cannot end the surrounding comment.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool ends_comment = c == '/' && i > 0 && text[i - 1] == '*';
        if (c == '"' || c == '\\') {
            out += std::string("\\") + c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || ends_comment) {
            constexpr char digits[] = "0123456789abcdef";
            out += std::string("\\u00") + digits[(c >> 4) & 15] + digits[c & 15];
        } else {
            out += c;
        }
    }
    return out + "\"";
}

template <class T, class F>
std::string array(const std::vector<T>& items, F text_of) {
    std::string out;
    for (const T& item : items)
        out += (out.empty() ? "" : ", ") + text_of(item);
    return "[" + out + "]";
}

std::string expressions(const std::vector<Expression>& items) {
    return array(items, [](const Expression& item) { return quoted(item.text); });
}

std::string numbers(const std::vector<double>& items) {
    return array(items, shortest<double>);
}

}  // namespace

std::string toml_string(const std::string& text) {
    return quoted(text);
}

std::string inline_table(const Fields& fields) {
    std::string text;
    for (const Field& field : fields)
        text += (text.empty() ? "" : ", ") + field.key + " = " + field.value;
    return "{ " + text + " }";
}

std::string lines_of(const Fields& fields) {
    constexpr std::size_t aligned = 6;  // "kernel"
    std::string text;
    for (const Field& field : fields)
        text += field.key + std::string(aligned - std::min(field.key.size(), aligned), ' ') + " = " +
                field.value + "\n";
    return text;
}

Fields fields_of(const Parameter& parameter) {
    Fields fields{{"default", std::to_string(parameter.default_value)}};
    if (parameter.min) fields.push_back({"min", std::to_string(*parameter.min)});
    if (parameter.max) fields.push_back({"max", std::to_string(*parameter.max)});
    if (!parameter.choices.empty())
        fields.push_back({"choices", array(parameter.choices,
                                           [](std::int64_t choice) { return std::to_string(choice); })});
    if (!parameter.label.empty()) fields.push_back({"label", quoted(parameter.label)});
    return fields;
}

Fields fields_of(const Buffer& buffer) {
    Fields fields{{"type", quoted(buffer.type)}};
    if (!buffer.count.text.empty()) fields.push_back({"count", quoted(buffer.count.text)});
    if (!buffer.shape.empty()) fields.push_back({"shape", expressions(buffer.shape)});
    if (buffer.space != "global") fields.push_back({"space", quoted(buffer.space)});
    if (!buffer.init.text.empty()) fields.push_back({"init", quoted(buffer.init.text)});
    if (!buffer.text.empty()) fields.push_back({"text", quoted(buffer.text)});
    if (!buffer.image.empty()) fields.push_back({"image", quoted(buffer.image)});
    if (!buffer.file.empty()) fields.push_back({"file", quoted(buffer.file)});
    if (!buffer.values.empty()) fields.push_back({"values", numbers(buffer.values)});
    if (!buffer.addresses.empty()) fields.push_back({"addresses", expressions(buffer.addresses)});
    return fields;
}

Fields fields_of(const LaunchSpec& launch) {
    Fields fields{{"kernel", quoted(launch.kernel)},
                  {"grid", expressions(launch.grid)},
                  {"block", expressions(launch.block)}};
    if (!launch.shared.text.empty() && launch.shared.text != "0")
        fields.push_back({"shared", quoted(launch.shared.text)});
    fields.push_back({"args", expressions(launch.args)});
    std::vector<Expression> repeats{launch.repeat};
    repeats.insert(repeats.end(), launch.inner.begin(), launch.inner.end());
    if (repeats.size() > 1)
        fields.push_back({"repeat", expressions(repeats)});
    else if (!launch.repeat.text.empty())
        fields.push_back({"repeat", quoted(launch.repeat.text)});
    if (!launch.resident.text.empty() && launch.resident.text != "0")
        fields.push_back({"resident", quoted(launch.resident.text)});
    if (launch.together) fields.push_back({"together", "true"});
    if (launch.cooperative) fields.push_back({"cooperative", "true"});
    return fields;
}

Fields fields_of(const Expectation& expectation) {
    Fields fields{{"buffer", quoted(expectation.buffer)}};
    if (!expectation.equals.text.empty()) fields.push_back({"equals", quoted(expectation.equals.text)});
    if (!expectation.values.empty()) fields.push_back({"values", numbers(expectation.values)});
    if (!expectation.first.text.empty()) fields.push_back({"first", quoted(expectation.first.text)});
    if (expectation.tolerance > 0) fields.push_back({"tolerance", shortest(expectation.tolerance)});
    return fields;
}

namespace {

Fields fields_of(const ArrayEntry& entry) {
    Fields fields;
    if (!entry.shape.empty()) fields.push_back({"shape", expressions(entry.shape)});
    if (!entry.view.empty()) fields.push_back({"view", quoted(entry.view)});
    if (!entry.labels.empty()) fields.push_back({"labels", array(entry.labels, quoted)});
    if (!entry.named.text.empty()) fields.push_back({"labels", quoted(entry.named.text)});
    if (!entry.axes.empty()) fields.push_back({"axes", array(entry.axes, quoted)});
    if (!entry.align.empty()) fields.push_back({"align", quoted(entry.align)});
    return fields;
}

std::string lines_of(const Cost& cost) {
    std::string out;
    if (!cost.bytes.text.empty()) out += "bytes = " + quoted(cost.bytes.text) + "\n";
    if (!cost.operations.text.empty()) out += "operations = " + quoted(cost.operations.text) + "\n";
    if (!cost.peer.empty()) out += "peer = " + quoted(cost.peer) + "\n";
    return out.empty() ? out : "\n[cost]\n" + out;
}

}  // namespace

std::string write_front_matter(const FrontMatter& front) {
    std::string out = "/*--- lanescope\n";
    if (!front.title.empty()) out += "title = " + quoted(front.title) + "\n";
    if (!front.exercise.empty()) out += "exercise = " + quoted(front.exercise) + "\n";
    if (!front.compiler.arch.empty()) out += "arch = " + quoted(front.compiler.arch) + "\n";
    if (!front.compiler.standard.empty()) out += "std = " + quoted(front.compiler.standard) + "\n";
    if (!front.compiler.defines.empty()) out += "define = " + array(front.compiler.defines, quoted) + "\n";
    if (!front.drawing.lane_label.empty()) out += "lane_label = " + quoted(front.drawing.lane_label) + "\n";
    if (!front.parameters.empty()) out += "\n[params]\n";
    for (const Parameter& parameter : front.parameters)
        out += parameter.name + " = " + inline_table(fields_of(parameter)) + "\n";
    if (!front.buffers.empty()) out += "\n[buffers]\n";
    for (const Buffer& buffer : front.buffers)
        out += buffer.name + " = " + inline_table(fields_of(buffer)) + "\n";
    if (!front.textures.empty()) out += "\n[textures]\n";
    for (const TextureEntry& texture : front.textures)
        out += texture.name + " = " + text_of(texture) + "\n";
    for (const LaunchSpec& launch : front.launches)
        out += "\n[[launch]]\n" + lines_of(fields_of(launch));
    for (const Expectation& expectation : front.expectations)
        out += "\n[[expect]]\n" + lines_of(fields_of(expectation));
    if (!front.expected_problems.empty())
        out += "\n[[expect]]\nproblems = " + array(front.expected_problems, quoted) + "\n";
    if (!front.drawing.arrays.empty()) out += "\n[arrays]\n";
    for (const ArrayEntry& entry : front.drawing.arrays)
        out += entry.name + " = " + inline_table(fields_of(entry)) + "\n";
    return out + lines_of(front.cost) + "---*/\n";
}

}  // namespace lanescope::lesson
