#include "analysis/shadow.h"

#include <algorithm>

#include "base/sizes.h"

namespace lanescope::analysis {

Shadow::Page* Shadow::page(std::uint64_t number, bool narrow, std::uint64_t& bytes_left) {
    if (number < pages_.size() && pages_[number] != nullptr) {
        Page& page = *pages_[number];
        if (narrow && page.shift != 0) make_narrow(page, bytes_left);
        return &page;
    }
    const std::uint64_t cost = sizeof(Page) + (page_bytes >> 2) * sizeof(ShadowCell);
    if (cost > bytes_left) return nullptr;
    bytes_left -= cost;
    bytes_ += cost;
    if (number >= pages_.size()) pages_.resize(to_size(number + number / 2 + 1));
    pages_[number] = std::make_unique<Page>();
    if (narrow) make_narrow(*pages_[number], bytes_left);
    return pages_[number].get();
}

// The four bytes of a word have had the word's accesses.
void Shadow::make_narrow(Page& page, std::uint64_t& bytes_left) {
    const std::uint64_t cost = (page_bytes - (page_bytes >> 2)) * sizeof(ShadowCell);
    bytes_ += std::min(cost, bytes_left);
    bytes_left -= std::min(cost, bytes_left);
    std::vector<ShadowCell> cells(page_bytes);
    for (std::size_t i = 0; i < page.cells.size(); ++i) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            ShadowCell& cell = cells[4 * i + byte];
            cell = page.cells[i];
            cell.older = 0;
            for (std::uint32_t at = page.cells[i].older; at != 0; at = pool_[at].next)
                cell.older = add_older(pool_[at].touch, cell.older);
        }
        free_older(page.cells[i].older);
    }
    page.shift = 0;
    page.cells = std::move(cells);
}

std::uint32_t Shadow::add_older(const ShadowAccess& touch, std::uint32_t next) {
    if (free_ == 0) {
        pool_.push_back({touch, next});
        return static_cast<std::uint32_t>(pool_.size() - 1);
    }
    const std::uint32_t index = free_;
    free_ = pool_[index].next;
    pool_[index] = {touch, next};
    return index;
}

void Shadow::free_older(std::uint32_t first) {
    while (first != 0) {
        const std::uint32_t next = pool_[first].next;
        pool_[first].next = free_;
        free_ = first;
        first = next;
    }
}

}  // namespace lanescope::analysis
