#include "ptx/section_parser.h"

namespace lanescope::ptx {
namespace {

unsigned data_size(const Token& token) {
    if (token.kind != Token::Kind::dotted) return 0;
    if (token.text == ".b8") return 1;
    if (token.text == ".b16") return 2;
    if (token.text == ".b32") return 4;
    return token.text == ".b64" ? 8 : 0;
}

void append(std::vector<std::uint8_t>& bytes, std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

bool at_name(const Input& input) {
    return input.peek().is_word() || input.peek().kind == Token::Kind::dotted;
}

// symbol, symbol+offset, label-label
void parse_relocation(Input& input, Section& section, unsigned size) {
    Section::Relocation& relocation = section.relocations.emplace_back();
    relocation.at = section.bytes.size();
    relocation.size_bytes = size;
    relocation.symbol = input.take().text;
    while (input.at('+') || input.at('-')) {
        if (input.at('-') && relocation.minus.empty()) {
            input.take();
            if (at_name(input))
                relocation.minus = input.take().text;
            else
                relocation.offset -= static_cast<std::int64_t>(input.expect_whole("an offset or a label"));
        } else {
            relocation.offset += input.expect_offset("an offset");
        }
    }
    append(section.bytes, 0, size);
}

void parse_data(Input& input, Section& section, unsigned size) {
    do {
        if (at_name(input))
            parse_relocation(input, section, size);
        else
            append(section.bytes, static_cast<std::uint64_t>(input.expect_offset("a number or a label")),
                   size);
    } while (input.accept(','));
}

}  // namespace

Section parse_section(Input& input) {
    Section section;
    if (!at_name(input)) input.fail_expected("a section's name");
    section.name = input.take().text;
    const Token open = input.peek();
    input.expect('{', "before the section's data");
    while (!input.at('}') && !input.failed()) {
        if (const unsigned size = data_size(input.peek())) {
            input.take();
            parse_data(input, section, size);
        } else if (input.peek().is_word()) {
            section.labels.emplace_back(input.take().text, section.bytes.size());
            input.expect(':', "after the label");
        } else {
            input.fail_expected(".b8, .b16, .b32, .b64, a label or '}'");
        }
    }
    input.expect('}', "after the section's data");
    const std::string_view whole = input.since(open);
    if (whole.size() >= 2) section.text = whole.substr(1, whole.size() - 2);
    return section;
}

}  // namespace lanescope::ptx
