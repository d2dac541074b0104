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

std::optional<AddressChoice> address_choice(const Expression& source,
                                            const std::function<bool(const std::string&)>& is_buffer) {
    const std::string& text = source.text;
    const auto part = [&](std::size_t begin, std::size_t end) {
        while (begin < end && (text[begin] == ' ' || text[begin] == '\t'))
            ++begin;
        return Expression{text.substr(begin, end - begin), source.line,
                          source.column > 0 ? source.column + static_cast<int>(begin) : 0};
    };
    std::size_t question = std::string::npos;
    int parentheses = 0, open = 0;  // open: questions whose colon is still to come
    for (std::size_t i = 0; i < text.size(); ++i) {
        parentheses += (text[i] == '(') - (text[i] == ')');
        if (parentheses != 0) continue;
        if (text[i] == '?' && open++ == 0) question = i;
        if (text[i] != ':' || --open != 0) continue;
        AddressChoice choice{part(0, question), part(question + 1, i), part(i + 1, text.size())};
        for (const Expression& each : {choice.yes, choice.no})
            if (address_text(each, is_buffer) || address_choice(each, is_buffer)) return choice;
        return std::nullopt;
    }
    return std::nullopt;
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
