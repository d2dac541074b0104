#include <charconv>

#include "lesson/expression.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

namespace {

// A TOML string that cannot end the comment it stands in.
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

std::string number(double value) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, result.ptr};
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
    return array(items, number);
}

// The fields of an inline table.
class Fields {
  public:
    void add(const char* key, const std::string& value) {
        text_ += std::string(text_.empty() ? "" : ", ") + key + " = " + value;
    }
    std::string table() const { return "{ " + text_ + " }"; }

  private:
    std::string text_;
};

std::string line_of(const Parameter& parameter) {
    Fields fields;
    fields.add("default", std::to_string(parameter.default_value));
    if (parameter.min) fields.add("min", std::to_string(*parameter.min));
    if (parameter.max) fields.add("max", std::to_string(*parameter.max));
    if (!parameter.choices.empty())
        fields.add("choices",
                   array(parameter.choices, [](std::int64_t choice) { return std::to_string(choice); }));
    if (!parameter.label.empty()) fields.add("label", quoted(parameter.label));
    return parameter.name + " = " + fields.table() + "\n";
}

std::string line_of(const Buffer& buffer) {
    Fields fields;
    fields.add("type", quoted(buffer.type));
    if (!buffer.count.text.empty()) fields.add("count", quoted(buffer.count.text));
    if (!buffer.shape.empty()) fields.add("shape", expressions(buffer.shape));
    if (buffer.space != "global") fields.add("space", quoted(buffer.space));
    if (!buffer.init.text.empty()) fields.add("init", quoted(buffer.init.text));
    if (!buffer.text.empty()) fields.add("text", quoted(buffer.text));
    if (!buffer.image.empty()) fields.add("image", quoted(buffer.image));
    if (!buffer.values.empty()) fields.add("values", numbers(buffer.values));
    return buffer.name + " = " + fields.table() + "\n";
}

std::string lines_of(const LaunchSpec& launch) {
    std::string out = "\n[[launch]]\nkernel = " + quoted(launch.kernel) + "\n";
    out += "grid   = " + expressions(launch.grid) + "\n";
    out += "block  = " + expressions(launch.block) + "\n";
    if (!launch.shared.text.empty() && launch.shared.text != "0")
        out += "shared = " + quoted(launch.shared.text) + "\n";
    out += "args   = " + expressions(launch.args) + "\n";
    if (!launch.repeat.text.empty()) out += "repeat = " + quoted(launch.repeat.text) + "\n";
    if (!launch.resident.text.empty() && launch.resident.text != "0")
        out += "resident = " + quoted(launch.resident.text) + "\n";
    if (launch.cooperative) out += "cooperative = true\n";
    return out;
}

std::string lines_of(const Expectation& expectation) {
    std::string out = "\n[[expect]]\nbuffer = " + quoted(expectation.buffer) + "\n";
    if (!expectation.equals.text.empty()) out += "equals = " + quoted(expectation.equals.text) + "\n";
    if (!expectation.values.empty()) out += "values = " + numbers(expectation.values) + "\n";
    if (expectation.tolerance > 0) out += "tolerance = " + number(expectation.tolerance) + "\n";
    return out;
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
    if (!front.parameters.empty()) out += "\n[params]\n";
    for (const Parameter& parameter : front.parameters)
        out += line_of(parameter);
    if (!front.buffers.empty()) out += "\n[buffers]\n";
    for (const Buffer& buffer : front.buffers)
        out += line_of(buffer);
    for (const LaunchSpec& launch : front.launches)
        out += lines_of(launch);
    for (const Expectation& expectation : front.expectations)
        out += lines_of(expectation);
    if (!front.expected_problems.empty())
        out += "\n[[expect]]\nproblems = " + array(front.expected_problems, quoted) + "\n";
    return out + lines_of(front.cost) + "---*/\n";
}

}  // namespace lanescope::lesson
