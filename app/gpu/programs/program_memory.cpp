#include "gpu/programs/program_memory.h"

#include <algorithm>
#include <iterator>

namespace lanescope::gpu {

namespace {

// The part of `parts`, by address, that holds the address; null: none does.
template <class Part>
const Part* part_at(const std::map<std::uint64_t, Part>& parts, std::uint64_t address,
                    std::uint64_t& offset) {
    const auto behind = parts.upper_bound(address);
    if (behind == parts.begin()) return nullptr;
    const auto& [first, part] = *std::prev(behind);
    offset = address - first;
    return offset < part.size_bytes ? &part : nullptr;
}

}  // namespace

std::uint64_t ProgramArray::element_bytes() const {
    return static_cast<std::uint64_t>(format.x + format.y + format.z + format.w) / 8;
}

std::uint64_t ProgramArray::slice_bytes() const {
    return row_bytes() * std::max<std::size_t>(extent.height, 1);
}

std::uint64_t ProgramArray::size_bytes() const {
    return slice_bytes() * std::max<std::size_t>(extent.depth, 1);
}

std::uint64_t ProgramMemory::add(std::uint64_t address, std::uint64_t size_bytes, const char* kind) {
    blocks_[address] = {address, size_bytes, kind, allocations_};
    return allocations_++;
}

std::uint64_t ProgramMemory::add_array(cudaArray_const_t handle, const ProgramArray& array) {
    arrays_[handle] = array;
    arrays_[handle].number = allocations_;
    return allocations_++;
}

std::optional<std::uint64_t> ProgramMemory::remove(std::uint64_t address) {
    const auto known = blocks_.find(address);
    if (known == blocks_.end()) return std::nullopt;
    return blocks_.extract(known).mapped().number;
}

std::optional<std::uint64_t> ProgramMemory::remove_array(cudaArray_const_t handle) {
    const auto known = arrays_.find(handle);
    if (known == arrays_.end()) return std::nullopt;
    return arrays_.extract(known).mapped().number;
}

void ProgramMemory::add_variable(std::uint64_t address, std::uint64_t size_bytes, const std::string& name) {
    variables_[address] = {size_bytes, name};
}

void ProgramMemory::clear() {
    blocks_.clear();
    arrays_.clear();
    textures_.clear();
    surfaces_.clear();
    variables_.clear();
}

cudart::HostEnd ProgramMemory::end_of(const void* pointer) const {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    std::uint64_t offset = 0;
    if (const ProgramBlock* block = part_at(blocks_, address, offset)) return {block->number, offset, {}};
    if (const Variable* variable = part_at(variables_, address, offset)) return {{}, 0, variable->name};
    return {};
}

cudart::HostEnd ProgramMemory::end_of(cudaArray_const_t handle, std::uint64_t x_bytes, std::uint64_t y,
                                      std::uint64_t z) const {
    const auto known = arrays_.find(handle);
    if (known == arrays_.end()) return {};
    const ProgramArray& array = known->second;
    return {array.number, z * array.slice_bytes() + y * array.row_bytes() + x_bytes, {}};
}

}  // namespace lanescope::gpu
