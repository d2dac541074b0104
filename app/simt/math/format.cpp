#include "simt/math/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace lanescope::simt {

namespace {

constexpr int max_field = 4096;

// One conversion: "%-08.3lld".
struct Conversion {
    std::string flags;
    int width = -1;
    int precision = -1;
    unsigned integer_bytes = 4;
    char letter = 0;
};

class Formatter {
  public:
    Formatter(std::string_view format, const ReadArgument& argument, const ReadString& string)
        : format_(format), argument_(argument), string_(string) {}

    Formatted run() {
        constexpr std::size_t max_text = 1 << 20;  // of one call
        while (at_ < format_.size() && result_.text.size() < max_text) {
            const std::size_t percent = std::min(format_.find('%', at_), format_.size());
            result_.text.append(format_, at_, percent - at_);
            at_ = percent;
            if (at_ < format_.size()) convert();
        }
        return std::move(result_);
    }

  private:
    std::uint64_t take(unsigned bytes) {
        offset_ = (offset_ + bytes - 1) / bytes * bytes;
        const std::uint64_t value = argument_(offset_, bytes);
        offset_ += bytes;
        ++result_.arguments;
        return value;
    }

    int number() {
        if (at_ < format_.size() && format_[at_] == '*') {
            ++at_;
            return static_cast<int>(static_cast<std::int32_t>(take(4)));
        }
        int value = 0;
        for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_)
            value = std::min(value * 10 + (format_[at_] - '0'), max_field);
        return value;
    }

    void read_length(Conversion& conversion) {
        for (; at_ < format_.size(); ++at_) {
            switch (format_[at_]) {
                case 'h':
                    conversion.integer_bytes = conversion.integer_bytes == 2 ? 1 : 2;
                    break;
                case 'l':
                case 'j':
                case 'z':
                case 't':
                    conversion.integer_bytes = 8;
                    break;
                case 'L':
                    break;
                default:
                    return;
            }
        }
    }

    void convert() {
        const std::size_t start = at_++;
        Conversion conversion;
        while (at_ < format_.size() && std::string_view("-+ #0").find(format_[at_]) != std::string_view::npos)
            conversion.flags += format_[at_++];
        const std::size_t before_width = at_;
        conversion.width = number();
        if (at_ == before_width) conversion.width = -1;
        if (conversion.width < -1) {  // a negative * asks for the left side
            conversion.flags += '-';
            conversion.width = -std::max(conversion.width, -max_field);
        }
        if (at_ < format_.size() && format_[at_] == '.') {
            ++at_;
            conversion.precision = std::max(number(), -1);
        }
        conversion.width = std::min(conversion.width, max_field);
        conversion.precision = std::min(conversion.precision, max_field);
        read_length(conversion);
        conversion.letter = at_ < format_.size() ? format_[at_++] : '\0';
        if (!emit(conversion)) result_.text.append(format_, start, at_ - start);
    }

    template <class T>
    void print(const Conversion& conversion, const char* length, T value) {
        std::string spec = "%" + conversion.flags;
        if (conversion.width >= 0) spec += std::to_string(conversion.width);
        if (conversion.precision >= 0) spec += "." + std::to_string(conversion.precision);
        spec += length;
        spec += conversion.letter;
        std::string text(
            static_cast<std::size_t>(std::max(conversion.width, 0) + std::max(conversion.precision, 0)) + 512,
            '\0');
        const int written = std::snprintf(text.data(), text.size(), spec.c_str(), value);
        text.resize(std::min(static_cast<std::size_t>(std::max(written, 0)), text.size() - 1));
        result_.text += text;
    }

    void print_string(const Conversion& conversion, std::string text) {
        if (conversion.precision >= 0)
            text.resize(std::min(text.size(), static_cast<std::size_t>(conversion.precision)));
        const auto width = static_cast<std::size_t>(std::max(conversion.width, 0));
        const std::string padding(width > text.size() ? width - text.size() : 0, ' ');
        const bool left = conversion.flags.find('-') != std::string::npos;
        result_.text += left ? text + padding : padding + text;
    }

    void print_signed(const Conversion& conversion) {
        const std::uint64_t bits = take(std::max(conversion.integer_bytes, 4u));
        long long value = static_cast<std::int32_t>(bits);
        if (conversion.integer_bytes == 8) value = static_cast<long long>(bits);
        if (conversion.integer_bytes == 2) value = static_cast<std::int16_t>(bits);
        if (conversion.integer_bytes == 1) value = static_cast<std::int8_t>(bits);
        print(conversion, "ll", value);
    }

    void print_unsigned(const Conversion& conversion) {
        unsigned long long value = take(std::max(conversion.integer_bytes, 4u));
        if (conversion.integer_bytes < 8) value &= (1ull << (conversion.integer_bytes * 8)) - 1;
        print(conversion, "ll", value);
    }

    bool emit(const Conversion& conversion) {
        switch (conversion.letter) {
            case '%':
                result_.text += '%';
                return true;
            case 'd':
            case 'i':
                print_signed(conversion);
                return true;
            case 'u':
            case 'x':
            case 'X':
            case 'o':
                print_unsigned(conversion);
                return true;
            case 'c':
                print_string(conversion, std::string(1, static_cast<char>(take(4))));
                return true;
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
            case 'a':
            case 'A':
                print(conversion, "", std::bit_cast<double>(take(8)));
                return true;
            case 's':
                print_string(conversion, text_at(take(8)));
                return true;
            case 'p':
                print_pointer(conversion);
                return true;
            default:
                return false;
        }
    }

    void print_pointer(Conversion conversion) {
        const std::uint64_t value = take(8);
        std::array<char, 24> text{};
        std::snprintf(text.data(), text.size(), value == 0 ? "(nil)" : "0x%llx",
                      static_cast<unsigned long long>(value));
        conversion.precision = -1;
        print_string(conversion, text.data());
    }

    std::string text_at(std::uint64_t address) const {
        return address == 0 ? "(null)" : string_(address).value_or("(bad address)");
    }

    std::string_view format_;
    const ReadArgument& argument_;
    const ReadString& string_;
    std::size_t at_ = 0;
    std::uint64_t offset_ = 0;
    Formatted result_;
};

}  // namespace

Formatted format_printf(std::string_view format, const ReadArgument& argument, const ReadString& string) {
    return Formatter(format, argument, string).run();
}

}  // namespace lanescope::simt
