// Host references compute the contents that a buffer must have after the last launch from the initial
// contents, or from what the launches wrote into other buffers. Integers wrap like the buffer's type;
// floating-point buffers are computed in double.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/front_matter.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

struct ReferenceInfo {
    std::string name;
    std::string signature;    // "block_sums(in, section)"
    std::string description;  // "out[k]: the sum of the k-th `section` elements"
};
const std::vector<ReferenceInfo>& references();

// Checks the name, the number and kinds of the arguments, that no buffer is compared with itself and that
// types fit together.
Result<void> check_reference(const Expression& call, const Buffer& target, const std::vector<Buffer>& buffers,
                             const Names& names, const std::string& file);

// The scalars of the target in order: `reals` and `magnitudes` (the size of the terms, to which the tolerance
// is relative) for a floating-point target, otherwise `integers`.
struct Expected {
    std::vector<std::uint64_t> integers;
    std::vector<double> reals, magnitudes;
    std::uint64_t compared = ~0ull;  // elements from here on may have any value
};
// `results`: after the last launch, for sources without initial contents.
Result<Expected> expected_contents(const Expression& call, const BufferInstance& target,
                                   const Instance& instance, const Results& results, const Names& names,
                                   const std::string& file);

}  // namespace lanescope::lesson
