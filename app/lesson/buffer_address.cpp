#include "lesson/buffer_address.h"

#include <algorithm>

namespace lanescope::lesson {

std::optional<AddressText> address_text(const Expression& source,
                                        const std::function<bool(const std::string&)>& is_buffer) {
    const std::string& text = source.text;
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return std::nullopt;
    const auto part_of_name = [](char c) { return is_identifier(std::string("_") + c); };
    const auto end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), part_of_name) -
        text.begin());
    const std::string name = text.substr(begin, end - begin);
    if (!is_buffer(name)) return std::nullopt;
    const std::size_t sign = text.find_first_not_of(" \t", end);
    if (sign == std::string::npos) return AddressText{name, {"0", source.line, source.column}};
    if (text[sign] != '+' && text[sign] != '-') return std::nullopt;
    // "0 - 1 + n" means what "in - 1 + n" adds to `in`.
    const int column = source.column > 0 ? source.column + static_cast<int>(sign) - 1 : 0;
    return AddressText{name, {"0" + text.substr(sign), source.line, column}};
}

Result<BufferAddress> buffer_address(const AddressText& text, const std::vector<BufferInstance>& buffers,
                                     const Names& names, const std::string& file) {
    const auto found = std::find_if(buffers.begin(), buffers.end(),
                                    [&](const BufferInstance& each) { return each.name == text.buffer; });
    const Result<std::int64_t> offset = evaluate(text.offset, names, file);
    if (!offset) return offset.diagnostics();
    const auto count = static_cast<std::int64_t>(found->count);
    if (*offset < 0 || *offset > count)
        return error_at(file, text.offset.line, text.offset.column,
                        "'" + text.buffer + "' has " + std::to_string(count) +
                            " elements, but the offset is " + std::to_string(*offset),
                        "expected 0 to " + std::to_string(count));
    return BufferAddress{found->name, static_cast<std::uint64_t>(*offset) * found->element_bytes};
}

}  // namespace lanescope::lesson
