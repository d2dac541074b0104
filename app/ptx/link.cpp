#include "ptx/link.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string_view>

namespace lanescope::ptx {

namespace {

// A directive at the outermost level of a module: a line, a declaration up to its semicolon, or a body.
struct ModuleItem {
    enum class Kind { header, file, section, function, variable, other };
    Kind kind = Kind::other;
    std::string_view text;
    std::string_view name;    // of a function or variable
    bool definition = false;  // not .extern, and of a function: with a body
};

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

// The item's words up to a brace, a parenthesis, '=' or ';' outside of parentheses.
struct HeadWords {
    std::vector<std::string_view> all;
    std::string_view last;  // the last that is not a directive or a number
};

HeadWords head_of(std::string_view text) {
    HeadWords words;
    int depth = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '{' || c == '=' || c == ';' || c == '[') break;
        if (c == '(') {
            if (!words.last.empty()) break;  // behind the name; before it stand the results
            ++depth;
        }
        if (c == ')') --depth;
        if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (!in_name(c)) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && in_name(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        at = end;
        if (depth != 0) continue;
        words.all.push_back(word);
        if (word.front() != '.' && std::isdigit(static_cast<unsigned char>(word.front())) == 0)
            words.last = word;
    }
    return words;
}

class ModuleSplitter {
  public:
    explicit ModuleSplitter(std::string_view text) : text_(text) {}

    std::vector<ModuleItem> run() {
        std::vector<ModuleItem> items;
        for (skip_blank(); at_ < text_.size(); skip_blank())
            items.push_back(next());
        return items;
    }

  private:
    void skip_blank() {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
                ++at_;
            else if (text_.substr(at_).starts_with("//"))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else
                return;
        }
    }

    bool begins_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }

    ModuleItem line(ModuleItem::Kind kind) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const ModuleItem item{kind, text_.substr(at_, end - at_), {}, false};
        at_ = end;
        return item;
    }

    ModuleItem next() {
        for (const char* word : {".version", ".target", ".address_size"})
            if (begins_with(word)) return line(ModuleItem::Kind::header);
        if (begins_with(".file")) return line(ModuleItem::Kind::file);
        const std::size_t begin = at_;
        const HeadWords words = head_of(text_.substr(begin));
        const auto has = [&](std::string_view word) {
            return std::find(words.all.begin(), words.all.end(), word) != words.all.end();
        };
        ModuleItem item;
        item.kind = begins_with(".section")         ? ModuleItem::Kind::section
                    : has(".func") || has(".entry") ? ModuleItem::Kind::function
                    : has(".global") || has(".const") || has(".shared") || has(".tex")
                        ? ModuleItem::Kind::variable
                        : ModuleItem::Kind::other;
        const bool has_body =
            item.kind == ModuleItem::Kind::section || item.kind == ModuleItem::Kind::function;
        const bool body = move_past(has_body);
        item.text = text_.substr(begin, at_ - begin);
        item.name = words.last;
        item.definition = !has(".extern") && (body || item.kind == ModuleItem::Kind::variable);
        return item;
    }

    // To the end of a declaration, or of a body in braces if the item may have one; whether it had.
    bool move_past(bool has_body) {
        int depth = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"') {
                at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1);
            } else if (c == '/' && text_.substr(at_).starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size() - 1);
            } else if (c == '{') {
                ++depth;
            } else if (c == '}') {
                if (--depth == 0 && has_body) {
                    ++at_;
                    return true;
                }
            } else if (c == ';' && depth == 0) {
                ++at_;
                return false;
            }
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

constexpr unsigned files_per_module = 100'000;

// Moves the file's number in ".file 3 …" and ".loc 3 …" into the module's own range.
std::string with_moved_number(std::string_view line, std::string_view directive, unsigned more) {
    std::size_t at = line.find(directive) + directive.size();
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t'))
        ++at;
    std::size_t end = at;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0)
        ++end;
    const unsigned long number = std::strtoul(std::string(line.substr(at, end - at)).c_str(), nullptr, 10);
    return std::string(line.substr(0, at)) + std::to_string(number + more) + std::string(line.substr(end));
}

// The .loc lines of a body with other file numbers. What they say of inlining refers to the module's debug
// sections, which are left out.
std::string with_moved_lines(std::string_view text, unsigned more) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, end - at);
        const std::size_t first = line.find_first_not_of(" \t");
        const std::string_view words = first == line.npos ? "" : line.substr(first);
        if (words.starts_with(".loc ") || words.starts_with(".loc\t")) {  // not .local
            std::string moved = with_moved_number(line, ".loc", more);
            if (const std::size_t inlined = moved.find(", function_name"); inlined != moved.npos)
                moved = moved.substr(0, inlined) + "\n";
            made += moved;
        } else {
            made += line;
        }
        at = end;
    }
    return made;
}

}  // namespace

Result<std::string> link(const std::vector<std::string>& texts, std::size_t described) {
    if (texts.empty()) return error("there is no code to link");
    std::string made;
    std::set<std::string, std::less<>> defined;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool own = i == described;
        const unsigned more = own ? 0 : static_cast<unsigned>(i + 1) * files_per_module;
        for (const ModuleItem& item : ModuleSplitter(texts[i]).run()) {
            if (item.kind == ModuleItem::Kind::header && i != 0) continue;
            if (item.kind == ModuleItem::Kind::section && !own) continue;
            if (item.definition && !item.name.empty() && !defined.emplace(item.name).second) continue;
            if (own || item.kind == ModuleItem::Kind::header || item.kind == ModuleItem::Kind::section)
                made += item.text;
            else if (item.kind == ModuleItem::Kind::file)
                made += with_moved_number(item.text, ".file", more);
            else
                made += with_moved_lines(item.text, more);
            made += '\n';
        }
    }
    return made;
}

}  // namespace lanescope::ptx
