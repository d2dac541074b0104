#include "ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <vector>

namespace lanescope::ptx {
namespace {

constexpr OpInfo row(std::string_view text, std::string_view operands, unsigned flags, Form form) {
    const bool has_result = !operands.empty() && is_destination(operands[0]);
    return {text, operands, flags | (has_result ? op_flag::writes : 0), form};
}

}  // namespace

// The column `flags` consists of names of this namespace.
namespace op_flag {
namespace {

constexpr OpInfo op_table[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) \
    row(text, operands, flags, Form::form),
#include "ptx/opcodes.def"
};

}  // namespace
}  // namespace op_flag

namespace {

using op_flag::op_table;

constexpr std::string_view mod_table[] = {
#define LANESCOPE_MOD(name, text) text,
#include "ptx/opcodes.def"
};
enum class Meaning : std::uint8_t { bits, whole, real };
struct TypeInfo {
    std::string_view text;
    unsigned bytes;
    Meaning meaning;
    std::string_view value_name;
};
constexpr TypeInfo type_table[] = {
#define LANESCOPE_TYPE(name, text, bytes, meaning, value_name) {text, bytes, Meaning::meaning, value_name},
#include "ptx/opcodes.def"
};
constexpr std::string_view space_table[] = {
#define LANESCOPE_SPACE(name, text, ...) text,
#include "ptx/opcodes.def"
};
constexpr std::string_view special_table[] = {
#define LANESCOPE_SPECIAL(name, text) text,
#include "ptx/opcodes.def"
};
struct Alias {
    std::string_view text;
    Op op;
};
constexpr Alias alias_table[] = {
#define LANESCOPE_OP_ALIAS(text, name) {text, Op::name},
#include "ptx/opcodes.def"
};

// Open addressing over string literals, filled once.
class WordMap {
  public:
    struct Entry {
        std::string_view word;
        std::uint32_t value = 0;
    };

    explicit WordMap(std::size_t words) : slots_(std::size_t{4} << bits_for(words)) {}

    void add(std::string_view word, std::uint32_t value) {
        if (word.empty()) return;
        Entry& slot = slots_[place(word)];
        if (slot.word.empty()) slot = {word, value};
    }

    std::uint32_t& value_of(std::string_view word) {
        Entry& slot = slots_[place(word)];
        if (slot.word.empty()) slot.word = word;
        return slot.value;
    }

    const std::uint32_t* find(std::string_view word) const {
        const Entry& slot = slots_[place(word)];
        return slot.word.empty() || word.empty() ? nullptr : &slot.value;
    }

  private:
    static unsigned bits_for(std::size_t words) {
        unsigned bits = 0;
        while ((std::size_t{1} << bits) < words)
            ++bits;
        return bits;
    }

    std::size_t place(std::string_view word) const {
        std::uint32_t hash = 2166136261u;  // FNV-1a
        for (const char c : word)
            hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
        std::size_t at = hash & (slots_.size() - 1);
        while (!slots_[at].word.empty() && slots_[at].word != word)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    std::vector<Entry> slots_;
};

constexpr std::uint32_t pack(Suffix suffix) {
    return static_cast<std::uint32_t>(suffix.kind) << 16 | suffix.value;
}
constexpr Suffix unpack(std::uint32_t value) {
    return {static_cast<Suffix::Kind>(value >> 16), static_cast<std::uint16_t>(value)};
}

struct Words {
    WordMap ops{std::size(op_table) + std::size(alias_table)};
    WordMap heads{std::size(op_table)};  // first word of a mnemonic: the most words
    WordMap suffixes{std::size(mod_table) + std::size(type_table) + std::size(space_table)};
    WordMap specials{std::size(special_table)};

    Words() {
        for (std::uint32_t i = 0; i < std::size(op_table); ++i)
            add_op(op_table[i].text, i);
        for (const Alias& alias : alias_table)
            add_op(alias.text, static_cast<std::uint32_t>(alias.op));
        add_suffixes(Suffix::Kind::type, std::size(type_table),
                     [](std::size_t i) { return type_table[i].text; });
        add_suffixes(Suffix::Kind::space, std::size(space_table),
                     [](std::size_t i) { return space_table[i]; });
        add_suffixes(Suffix::Kind::mod, std::size(mod_table), [](std::size_t i) { return mod_table[i]; });
        for (std::uint32_t i = 0; i < std::size(special_table); ++i)
            specials.add(special_table[i], i);
    }

  private:
    void add_op(std::string_view text, std::uint32_t op) {
        ops.add(text, op);
        const auto words = static_cast<std::uint32_t>(1 + std::count(text.begin(), text.end(), '.'));
        std::uint32_t& most = heads.value_of(text.substr(0, text.find('.')));
        most = std::max(most, words);
    }

    template <class TextOf>
    void add_suffixes(Suffix::Kind kind, std::size_t count, TextOf text_of) {
        for (std::size_t i = 0; i < count; ++i)
            suffixes.add(text_of(i), pack({kind, static_cast<std::uint16_t>(i)}));
    }
};

const Words& words() {
    static const Words all;
    return all;
}

template <class Enum>
std::optional<Enum> find_of_kind(std::string_view text, Suffix::Kind kind) {
    const std::optional<Suffix> suffix = find_suffix(text);
    if (!suffix || suffix->kind != kind) return std::nullopt;
    return static_cast<Enum>(suffix->value);
}

}  // namespace

const OpInfo& info(Op op) {
    assert(static_cast<std::size_t>(op) < std::size(op_table));
    return op_table[static_cast<std::size_t>(op)];
}

char operand_role(Op op, std::size_t operand) {
    for (const char letter : info(op).operands)
        if (letter != ',' && letter != '?' && operand-- == 0) return letter;
    return 0;
}

std::string_view text(Op op) {
    return info(op).text;
}
std::string_view text(Mod mod) {
    return mod_table[static_cast<std::size_t>(mod)];
}
std::string_view text(Type type) {
    return type_table[static_cast<std::size_t>(type)].text;
}
std::string_view text(Space space) {
    return space_table[static_cast<std::size_t>(space)];
}
std::string_view text(Special special) {
    return special_table[static_cast<std::size_t>(special)];
}

std::string_view text(Suffix suffix) {
    switch (suffix.kind) {
        case Suffix::Kind::type:
            return text(static_cast<Type>(suffix.value));
        case Suffix::Kind::space:
            return text(static_cast<Space>(suffix.value));
        case Suffix::Kind::mod:
            break;
    }
    return text(static_cast<Mod>(suffix.value));
}

std::optional<Op> find_op(std::string_view text) {
    const std::uint32_t* found = words().ops.find(text);
    return found ? std::optional(static_cast<Op>(*found)) : std::nullopt;
}

std::optional<Suffix> find_suffix(std::string_view text) {
    const std::uint32_t* found = words().suffixes.find(text);
    return found ? std::optional(unpack(*found)) : std::nullopt;
}

std::optional<Type> find_type(std::string_view text) {
    return find_of_kind<Type>(text, Suffix::Kind::type);
}
std::optional<Space> find_space(std::string_view text) {
    return find_of_kind<Space>(text, Suffix::Kind::space);
}

std::optional<Special> find_special(std::string_view text) {
    const std::uint32_t* found = words().specials.find(text);
    return found ? std::optional(static_cast<Special>(*found)) : std::nullopt;
}

unsigned mnemonic_words(std::string_view first_word) {
    const std::uint32_t* found = words().heads.find(first_word);
    return found ? *found : 0;
}

unsigned op_count() {
    return std::size(op_table);
}

unsigned size_bytes(Type type) {
    return type_table[static_cast<std::size_t>(type)].bytes;
}

bool is_float(Type type) {
    return type_table[static_cast<std::size_t>(type)].meaning == Meaning::real;
}

std::string_view value_name(Type type) {
    return type_table[static_cast<std::size_t>(type)].value_name;
}

bool is_parameter(Space space) {
    return space == Space::param || space == Space::param_entry || space == Space::param_func;
}

bool is_signed(Type type) {
    return type_table[static_cast<std::size_t>(type)].meaning == Meaning::whole;
}

}  // namespace lanescope::ptx
