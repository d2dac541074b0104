#include "simt/decode/decoder.h"

namespace lanescope::simt {

ConstantPool::ConstantPool() {
    narrow(all_lanes);
}

Ref ConstantPool::add(std::uint64_t value, bool is_wide) {
    const auto offset = static_cast<std::uint32_t>(rows_.size() * 8);
    const std::uint64_t cell = is_wide ? value : value | value << 32;
    rows_.insert(rows_.end(), is_wide ? warp_size : warp_size / 2, cell);
    return make_ref(Base::constants, offset);
}

Ref ConstantPool::narrow(std::uint32_t value) {
    const auto [found, added] = narrow_.try_emplace(value, no_ref);
    if (added) found->second = add(value, false);
    return found->second;
}

Ref ConstantPool::wide(std::uint64_t value) {
    const auto [found, added] = wide_.try_emplace(value, no_ref);
    if (added) found->second = add(value, true);
    return found->second;
}

Ref ConstantPool::mask(Mask value) {
    return narrow(value);
}

}  // namespace lanescope::simt
