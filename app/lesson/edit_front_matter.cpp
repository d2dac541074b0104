// Changes a front matter key by key in place. toml++ gives the position of each key and value.
#include <algorithm>

#include "lesson/front_matter_fields.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

namespace {

const Field* find(const Fields& fields, std::string_view key) {
    const auto at =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
    return at == fields.end() ? nullptr : &*at;
}

class Editor {
  public:
    explicit Editor(std::string_view text) : text_(text), lines_{0} {
        for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
            lines_.push_back(at + 1);
    }

    // Changes a value that is a table on one line: `n = { default = 64 }`.
    void change_inline(const toml::table& table, const Fields& before, const Fields& after) {
        if (!table.is_inline()) return give_up();
        if (needs_no_more_than_values(table, before, after)) return change_values(table, before, after);
        Fields written;  // kept fields in their order and spelling, then new ones
        for (const auto& [key, node] : TomlReader::in_order(table)) {
            const Field* wanted = find(after, key->str());
            const Field* had = find(before, key->str());
            if (!wanted && had) continue;
            const bool same = !wanted || (had && had->value == wanted->value);
            written.push_back({std::string(key->str()), same ? spelled(*node) : wanted->value});
        }
        for (const Field& field : after)
            if (!table.contains(field.key)) written.push_back(field);
        replace(begin_of(table), end_of(table), inline_table(written));
    }

    // Changes a table with a header and a line for each key.
    void change_lines(const toml::table& table, const Fields& before, const Fields& after) {
        if (table.is_inline()) return change_inline(table, before, after);
        change_values(table, before, after);
        for (const auto& [key, node] : TomlReader::in_order(table))
            if (!find(after, key->str()) && find(before, key->str()))
                remove_lines(key->source(), node->source());
        Fields added;
        for (const Field& field : after)
            if (!table.contains(field.key)) added.push_back(field);
        if (!added.empty()) insert(behind_lines(end_of_entry(table)), lines_of(added));
    }

    void change_value(const toml::node& node, const std::string& value) {
        replace(begin_of(node), end_of(node), value);
    }

    void rename(const toml::key& key, const std::string& name) {
        replace(offset(key.source().begin), offset(key.source().end), name);
    }

    // Removes the whole lines from the beginning of `first` to the end of `last`.
    void remove_lines(const toml::source_region& first, const toml::source_region& last) {
        const std::size_t from = lines_[first.begin.line - 1];
        if (text_.substr(from, offset(first.begin) - from).find_first_not_of(" \t") != text_.npos)
            return give_up();
        replace(from, behind_lines(offset(last.end)), "");
    }

    // Removes a [[header]] with its keys and the blank line before it.
    void remove_entry(const toml::table& table) {
        if (table.is_inline()) return give_up();
        std::size_t from = lines_[table.source().begin.line - 1];
        if (from >= 2 && text_.substr(from - 2, 2) == "\n\n") --from;
        replace(from, behind_lines(end_of_entry(table)), "");
    }

    void insert(std::size_t at, const std::string& text) {
        const bool fresh_line = at == 0 || text_[at - 1] == '\n';
        replace(at, at, (fresh_line ? "" : "\n") + text);
    }
    void append(const std::string& text) { insert(text_.size(), text); }

    // Returns the end of the last value of a table with a header.
    std::size_t end_of_entry(const toml::table& table) {
        std::size_t end = end_of(table);
        for (const auto& [key, node] : table)
            end = std::max(end, end_of(node));
        return end;
    }
    std::size_t behind_lines(std::size_t at) const {
        return std::min(text_.find('\n', at), text_.size() - 1) + 1;
    }

    void give_up() { possible_ = false; }

    std::optional<std::string> result() {
        std::stable_sort(edits_.begin(), edits_.end(),
                         [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
        std::string out;
        std::size_t at = 0;
        for (const Edit& edit : edits_) {
            if (edit.begin < at) return std::nullopt;  // two edits overlap
            out += std::string(text_.substr(at, edit.begin - at)) + edit.text;
            at = edit.end;
        }
        out += text_.substr(at);
        return possible_ ? std::optional(out) : std::nullopt;
    }

  private:
    struct Edit {
        std::size_t begin, end;
        std::string text;
    };

    // Columns count characters, not bytes.
    std::size_t offset(const toml::source_position& position) const {
        if (position.line < 1 || position.line > lines_.size()) return text_.size();
        std::size_t at = lines_[position.line - 1];
        for (toml::source_index column = 1; column < position.column && at < text_.size(); ++column)
            do
                ++at;
            while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80);
        return at;
    }
    std::size_t begin_of(const toml::node& node) const { return offset(node.source().begin); }
    std::size_t end_of(const toml::node& node) const { return offset(node.source().end); }
    std::string spelled(const toml::node& node) const {
        return std::string(text_.substr(begin_of(node), end_of(node) - begin_of(node)));
    }

    static bool needs_no_more_than_values(const toml::table& table, const Fields& before,
                                          const Fields& after) {
        return std::all_of(after.begin(), after.end(),
                           [&](const Field& field) { return table.contains(field.key); }) &&
               std::all_of(before.begin(), before.end(), [&](const Field& field) {
                   return find(after, field.key) || !table.contains(field.key);
               });
    }

    void change_values(const toml::table& table, const Fields& before, const Fields& after) {
        for (const Field& field : after) {
            const toml::node* node = table.get(field.key);
            const Field* had = find(before, field.key);
            if (node && (!had || had->value != field.value)) change_value(*node, field.value);
        }
    }

    void replace(std::size_t begin, std::size_t end, std::string text) {
        edits_.push_back({begin, end, std::move(text)});
    }

    std::string_view text_;
    std::vector<std::size_t> lines_;  // offset of each line
    std::vector<Edit> edits_;
    bool possible_ = true;
};

const std::string& name_of(const Parameter& parameter) {
    return parameter.name;
}
const std::string& name_of(const Buffer& buffer) {
    return buffer.name;
}

bool goes_on(const std::vector<int>& origins, std::size_t old) {
    return std::find(origins.begin(), origins.end(), int(old)) != origins.end();
}

// Changes [params] or [buffers], which have a line for each entry.
template <class Entry>
void change_section(Editor& editor, const toml::table& root, const char* section,
                    const std::vector<Entry>& before, const std::vector<Entry>& after,
                    const std::vector<int>& origins) {
    const toml::table* table = root[section].as_table();
    if (!table && !before.empty()) return editor.give_up();
    std::string added;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (origins[i] < 0) {
            added += name_of(after[i]) + " = " + inline_table(fields_of(after[i])) + "\n";
            continue;
        }
        const Entry& old = before[std::size_t(origins[i])];
        for (const auto& [key, node] : *table) {
            if (key.str() != name_of(old)) continue;
            if (!node.is_table()) return editor.give_up();
            editor.change_inline(*node.as_table(), fields_of(old), fields_of(after[i]));
            if (name_of(old) != name_of(after[i])) editor.rename(key, name_of(after[i]));
        }
    }
    for (std::size_t i = 0; i < before.size() && table; ++i)
        for (const auto& [key, node] : *table)
            if (!goes_on(origins, i) && key.str() == name_of(before[i]))
                editor.remove_lines(key.source(), node.source());
    if (added.empty()) return;
    if (!table) return editor.append("\n[" + std::string(section) + "]\n" + added);
    if (table->is_inline()) return editor.give_up();
    editor.insert(editor.behind_lines(editor.end_of_entry(*table)), added);
}

// Changes [[launch]] or [[expect]], which have a header for each entry.
template <class Entry>
void change_entries(Editor& editor, const std::vector<const toml::table*>& tables, const char* header,
                    const std::vector<Entry>& before, const std::vector<Entry>& after,
                    const std::vector<int>& origins) {
    if (tables.size() != before.size()) return editor.give_up();
    std::string added;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const Fields fields = fields_of(after[i]);
        if (origins[i] < 0)
            added += "\n[[" + std::string(header) + "]]\n" + lines_of(fields);
        else
            editor.change_lines(*tables[std::size_t(origins[i])], fields_of(before[std::size_t(origins[i])]),
                                fields);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!goes_on(origins, i)) editor.remove_entry(*tables[i]);
    if (added.empty()) return;
    if (tables.empty()) return editor.append(added);
    editor.insert(editor.behind_lines(editor.end_of_entry(*tables.back())), added);
}

std::vector<const toml::table*> tables_with(const toml::table& root, const char* name, const char* key) {
    std::vector<const toml::table*> tables;
    const auto add = [&](const toml::node& node) {
        if (const toml::table* table = node.as_table(); table && table->contains(key))
            tables.push_back(table);
    };
    if (const toml::node* node = root.get(name)) {
        add(*node);
        if (const toml::array* array = node->as_array())
            for (const toml::node& each : *array)
                add(each);
    }
    return tables;
}

bool fits(const std::vector<int>& origins, std::size_t after, std::size_t before) {
    return origins.size() == after &&
           std::all_of(origins.begin(), origins.end(), [&](int origin) { return origin < int(before); });
}

std::optional<std::string> edited(std::string_view body, const FrontMatter& before, const FrontMatter& after,
                                  const FrontMatterOrigins& origins) {
    const toml::parse_result parsed = toml::parse(body);
    if (!parsed) return std::nullopt;
    const toml::table& root = parsed.table();
    const bool known = fits(origins.parameters, after.parameters.size(), before.parameters.size()) &&
                       fits(origins.buffers, after.buffers.size(), before.buffers.size()) &&
                       fits(origins.launches, after.launches.size(), before.launches.size()) &&
                       fits(origins.expectations, after.expectations.size(), before.expectations.size());
    if (!known) return std::nullopt;
    Editor editor(body);
    if (before.title != after.title) {
        const toml::node* title = root.get("title");
        if (title)
            editor.change_value(*title, toml_string(after.title));
        else
            editor.insert(editor.behind_lines(0), "title = " + toml_string(after.title) + "\n");
    }
    change_section(editor, root, "params", before.parameters, after.parameters, origins.parameters);
    change_section(editor, root, "buffers", before.buffers, after.buffers, origins.buffers);
    change_entries(editor, tables_with(root, "launch", "kernel"), "launch", before.launches, after.launches,
                   origins.launches);
    change_entries(editor, tables_with(root, "expect", "buffer"), "expect", before.expectations,
                   after.expectations, origins.expectations);
    return editor.result();
}

}  // namespace

std::string with_front_matter(const std::string& source, const FrontMatter& wanted,
                              const FrontMatterOrigins& origins) {
    const std::string anew = write_front_matter(wanted);
    const std::optional<TextRange> range = front_matter_range(source);
    if (!range) return anew + source;
    const std::string_view body = std::string_view(source).substr(range->begin, range->end - range->begin);
    if (const auto before = parse_front_matter(source, ""); before && !body.empty()) {
        if (const auto text = edited(body, *before, wanted, origins)) {
            const std::string made = source.substr(0, range->begin) + *text + source.substr(range->end);
            // The edited text must read as the wanted front matter, whatever its spelling.
            const auto read = parse_front_matter(made, "");
            if (read && write_front_matter(*read) == anew) return made;
        }
    }
    const std::size_t begin = source.rfind("/*---", range->begin), end = source.find("---*/", range->end) + 5;
    return source.substr(0, begin) + anew.substr(0, anew.size() - 1) + source.substr(end);
}

}  // namespace lanescope::lesson
