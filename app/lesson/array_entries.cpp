#include "lesson/array_entries.h"

#include <algorithm>

#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

const std::vector<std::string> array_views{"cells", "matrix", "image", "bars", "text"};

class ArrayReader {
  public:
    ArrayReader(TomlReader& reader, const ArrayRules& rules) : reader_(reader), rules_(rules) {}

    void read(const toml::key& key, const toml::node& node, Drawing& drawing) {
        ArrayEntry entry;
        entry.name = std::string(key.str());
        const auto& at = key.source().begin;
        entry.line = static_cast<int>(at.line);
        if (const std::string why = rules_.why_not_array(entry.name); !why.empty())
            return reader_.fail_at(entry.line, static_cast<int>(at.column),
                                   "the code has no array '" + entry.name + "'", why);
        const toml::table* table = node.as_table();
        if (!table)
            return reader_.fail(node, "an array must be a table",
                                "as in " + entry.name + R"( = { shape = ["rows", "columns"] })");
        reader_.check_keys(*table, {"shape", "view", "labels", "axes", "align"}, "an array");
        for (Expression& extent : reader_.expressions(*table, "shape", 2))
            entry.shape.push_back(rules_.check(std::move(extent)));
        read_view(*table, entry);
        read_labels(*table, entry);
        read_axes(*table, entry);
        read_align(*table, entry);
        drawing.arrays.push_back(std::move(entry));
    }

  private:
    void read_view(const toml::table& table, ArrayEntry& entry) {
        entry.view = reader_.text(table, "view").value_or("");
        if (entry.view.empty()) return;
        if (std::find(array_views.begin(), array_views.end(), entry.view) == array_views.end())
            return reader_.fail(*table.get("view"), "unknown view '" + entry.view + "'",
                                suggestion(entry.view, array_views));
        const bool rows = entry.view == "bars" || entry.view == "text";
        if (rows && entry.shape.size() > 1)
            reader_.fail(*table.get("shape"), "an array drawn as " + entry.view + " must have one extent");
    }

    // A list, or a call: labels = "letters(4)".
    void read_labels(const toml::table& table, ArrayEntry& entry) {
        const toml::node* node = table.get("labels");
        if (!node || node->is_array()) {
            entry.labels = reader_.texts(table, "labels");
            return;
        }
        if (const auto text = reader_.expression(table, "labels")) {
            entry.named = *text;
            const auto call = parse_call(*text, reader_.file());
            if (!call) return reader_.add(call.diagnostics());
            if (call->name.text != "letters" || call->arguments.size() != 1)
                return reader_.fail(*node, "unknown labels '" + text->text + "'",
                                    R"x(expected a list such as ["low", "high"], or "letters(4)")x");
            rules_.check(call->arguments[0]);
        }
    }

    void read_axes(const toml::table& table, ArrayEntry& entry) {
        entry.axes = reader_.texts(table, "axes");
        if (table.contains("axes") && entry.axes.size() != 2)
            reader_.fail(*table.get("axes"), "'axes' must name the rows and the columns",
                         R"(as in axes = ["row", "column"])");
    }

    void read_align(const toml::table& table, ArrayEntry& entry) {
        entry.align = reader_.text(table, "align").value_or("");
        if (entry.align.empty()) return;
        std::string why = rules_.why_not_array(entry.align);
        if (entry.align == entry.name) why = "expected another array";
        if (!why.empty())
            reader_.fail(*table.get("align"), "'" + entry.name + "' cannot stand under '" + entry.align + "'",
                         why);
    }

    TomlReader& reader_;
    const ArrayRules& rules_;
};

// "a–d", "e–h", …, "y–z".
std::vector<std::string> letters(std::int64_t each) {
    std::vector<std::string> labels;
    for (std::int64_t first = 0; first < 26; first += each) {
        const auto letter = [](std::int64_t number) {
            return std::string(1, static_cast<char>('a' + number));
        };
        const std::int64_t last = std::min<std::int64_t>(25, first + each - 1);
        labels.push_back(first == last ? letter(first) : letter(first) + "–" + letter(last));
    }
    return labels;
}

Result<ShapeInstance> shape_of(const ArrayEntry& entry, const Names& names, const std::string& file) {
    ShapeInstance made{entry.name, {}, entry.view, entry.labels, entry.axes, entry.align};
    for (const Expression& extent : entry.shape) {
        const auto value = evaluate(extent, names, file);
        if (!value) return value.diagnostics();
        if (*value < 0)
            return error_at(file, extent.line, extent.column,
                            "the shape of '" + entry.name + "' has the extent " + std::to_string(*value),
                            "expected 0 or more");
        made.extents.push_back(static_cast<std::uint64_t>(*value));
    }
    if (entry.named.text.empty()) return made;
    const auto call = parse_call(entry.named, file);
    if (!call) return call.diagnostics();
    const auto each = evaluate(call->arguments.at(0), names, file);
    if (!each) return each.diagnostics();
    if (*each < 1)
        return error_at(file, entry.named.line, entry.named.column,
                        "a label of letters needs at least one letter, not " + std::to_string(*each));
    made.labels = letters(std::min<std::int64_t>(*each, 26));
    return made;
}

}  // namespace

void read_drawing(TomlReader& reader, const toml::table& table, const ArrayRules& rules, Drawing& drawing) {
    drawing.lane_label = reader.text(table, "lane_label").value_or("");
    drawing.file = reader.file();
    ArrayReader arrays(reader, rules);
    if (const auto* entries = reader.table(table, "arrays"))
        for (const auto& [key, node] : TomlReader::in_order(*entries))
            arrays.read(*key, *node, drawing);
}

Result<std::vector<ShapeInstance>> shapes_of(const Drawing& drawing, const Names& names,
                                             const std::string& file) {
    std::vector<ShapeInstance> shapes;
    for (const ArrayEntry& entry : drawing.arrays) {
        Result<ShapeInstance> made = shape_of(entry, names, drawing.file.empty() ? file : drawing.file);
        if (!made) return made.diagnostics();
        shapes.push_back(std::move(*made));
    }
    return shapes;
}

}  // namespace lanescope::lesson
