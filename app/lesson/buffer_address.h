// Places in buffers as arguments and contents name them: "in", "in + 4", "in + 2 * n - 1". The offset counts
// elements, as in C++.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lesson/expression.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

struct AddressText {
    std::string buffer;
    Expression offset;  // "0" if there is none
};

// Nothing if the text is not the address of a buffer: it is a number, then.
std::optional<AddressText> address_text(const Expression& source,
                                        const std::function<bool(const std::string&)>& is_buffer);

// An argument that is one of two buffers, or addresses: "step % 2 ? b : a + n". Both may be choices again.
struct AddressChoice {
    Expression condition, yes, no;
};

// Nothing unless one of the two is an address.
std::optional<AddressChoice> address_choice(const Expression& source,
                                            const std::function<bool(const std::string&)>& is_buffer);

// Errors: the offset does not evaluate; it lies before the buffer, or behind its end.
Result<BufferAddress> buffer_address(const AddressText& text, const std::vector<BufferInstance>& buffers,
                                     const Names& names, const std::string& file);

}  // namespace lanescope::lesson
