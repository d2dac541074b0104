#include "base/npy.h"

#include <charconv>
#include <map>
#include <optional>

namespace lanescope {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view magic = "\x93NUMPY"sv;
constexpr std::size_t max_header_bytes = 1u << 16, max_dimensions = 64;  // numpy's own limit of dimensions

// The header's text is a literal of Python: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderReader {
  public:
    explicit HeaderReader(std::string_view text) : text_(text) {}

    Result<NpyHeader> read() {
        if (!take('{')) return bad("it does not begin with '{'");
        while (!take('}')) {
            const std::optional<std::string> key = quoted();
            if (!key || !take(':')) return bad("a key is not in quotation marks");
            if (Result<void> value = read_value(*key); !value) return value.diagnostics();
            if (!take(',') && peek() != '}') return bad("a ',' is missing");
        }
        if (!rest_is_blank()) return bad("text follows the '}'");
        if (!type_ || !fortran_ || !shape_) return bad("'descr', 'fortran_order' or 'shape' is missing");
        return finish();
    }

  private:
    static Diagnostic bad(const std::string& why) { return error("the .npy header is damaged: " + why); }

    Result<void> read_value(const std::string& key) {
        const bool known = key == "descr" || key == "fortran_order" || key == "shape";
        if (!known) return bad("unknown key '" + key.substr(0, 40) + "'");
        if (!seen_.emplace(key, true).second) return bad("'" + key + "' stands twice");
        if (key == "descr") {
            if (peek() == '[')
                return error("the .npy file holds structures", "save each field as an array of its own");
            type_ = quoted();
            if (!type_) return bad("'descr' is not a text");
        } else if (key == "fortran_order") {
            fortran_ = boolean();
            if (!fortran_) return bad("'fortran_order' is neither True nor False");
        } else {
            shape_ = tuple();
            if (!shape_) return bad("'shape' is not a tuple of whole numbers");
        }
        return {};
    }

    Result<NpyHeader> finish() const {
        NpyHeader header;
        header.shape = *shape_;
        const std::string& type = *type_;
        const auto refuse = [&](const std::string& hint) -> Result<NpyHeader> {
            return error("the .npy file holds items of type '" + type.substr(0, 20) + "'", hint);
        };
        const bool ordered =
            !type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
        if (!ordered || type.size() < 3 || std::string_view("biufcV").find(type[1]) == std::string_view::npos)
            return refuse("expected numbers, as in numpy.float32");
        header.kind = type[1];
        const auto [end, failed] =
            std::from_chars(type.data() + 2, type.data() + type.size(), header.item_bytes);
        if (failed != std::errc{} || end != type.data() + type.size() || header.item_bytes == 0 ||
            header.item_bytes > 1u << 20)
            return refuse("expected numbers, as in numpy.float32");
        if (type[0] == '>' && header.item_bytes > 1)
            return refuse("big-endian items: save them with .astype('<" + type.substr(1) + "')");
        std::size_t long_extents = 0;
        for (const std::uint64_t extent : header.shape)
            long_extents += extent != 1;
        if (*fortran_ && long_extents > 1)
            return error("the .npy file is in Fortran order", "save numpy.ascontiguousarray(array)");
        return header;
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
            ++at_;
    }
    char peek() {
        skip_blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char wanted) {
        if (peek() != wanted || at_ == text_.size()) return false;
        ++at_;
        return true;
    }
    bool take_word(std::string_view word) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    bool rest_is_blank() {
        skip_blanks();
        return at_ == text_.size();
    }

    std::optional<std::string> quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string text(text_.substr(at_ + 1, end - at_ - 1));
        if (text.find('\\') != std::string::npos) return std::nullopt;
        at_ = end + 1;
        return text;
    }

    std::optional<bool> boolean() {
        if (take_word("True")) return true;
        if (take_word("False")) return false;
        return std::nullopt;
    }

    std::optional<std::vector<std::uint64_t>> tuple() {
        if (!take('(')) return std::nullopt;
        std::vector<std::uint64_t> extents;
        while (!take(')')) {
            skip_blanks();
            std::uint64_t extent = 0;
            const char* const end = text_.data() + text_.size();
            const auto [behind, failed] = std::from_chars(text_.data() + at_, end, extent);
            if (failed != std::errc{} || extents.size() == max_dimensions) return std::nullopt;
            at_ = static_cast<std::size_t>(behind - text_.data());
            extents.push_back(extent);
            if (!take(',') && peek() != ')') return std::nullopt;
        }
        return extents;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::map<std::string, bool> seen_;
    std::optional<std::string> type_;
    std::optional<bool> fortran_;
    std::optional<std::vector<std::uint64_t>> shape_;
};

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

}  // namespace

std::string NpyHeader::type() const {
    const bool order_matters = item_bytes > 1 && kind != 'V';
    return std::string(order_matters ? "<" : "|") + kind + std::to_string(item_bytes);
}

unsigned __int128 NpyHeader::count() const {
    constexpr unsigned __int128 most = static_cast<unsigned __int128>(1) << 100;
    unsigned __int128 items = 1;
    for (const std::uint64_t extent : shape) {
        if (extent == 0) return 0;
        items = items > most / extent ? most : items * extent;
    }
    return items;
}

Result<NpyHeader> read_npy(std::string_view bytes) {
    constexpr std::size_t version_at = magic.size(), length_at = version_at + 2;
    if (!bytes.starts_with(magic) || bytes.size() < length_at + 2)
        return error("the file is not a .npy file");
    const int version = static_cast<unsigned char>(bytes[version_at]);
    if (version < 1 || version > 3)
        return error("the .npy file has version " + std::to_string(version), "versions 1 to 3 are known");
    const std::size_t length_bytes = version == 1 ? 2 : 4, text_at = length_at + length_bytes;
    if (bytes.size() < text_at) return error("the .npy file ends within its header");
    const std::uint64_t length = little_endian(bytes.substr(length_at, length_bytes));
    if (length > max_header_bytes) return error("the .npy header has more than 64 KiB");
    if (length > bytes.size() - text_at) return error("the .npy file ends within its header");
    Result<NpyHeader> header = HeaderReader(bytes.substr(text_at, length)).read();
    if (!header) return header;
    header->data_offset = text_at + length;
    const std::size_t there = bytes.size() - header->data_offset;
    if (header->count() * header->item_bytes != there)
        return error("the .npy file has " + std::to_string(there) +
                     " bytes of items, which are not those of its shape");
    return header;
}

std::string npy_header(const NpyHeader& header) {
    constexpr std::size_t alignment = 64, before = magic.size() + 4;
    std::string shape;
    for (const std::uint64_t extent : header.shape)
        shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
    if (header.shape.size() == 1) shape += ',';
    std::string text =
        "{'descr': '" + header.type() + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    text.append(alignment - (before + text.size() + 1) % alignment, ' ');
    text += '\n';
    std::string made(magic);
    made += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return made + text;
}

}  // namespace lanescope
