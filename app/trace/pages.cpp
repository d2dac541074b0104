#include "trace/pages.h"

#include <cassert>
#include <utility>

namespace lanescope::trace {
namespace {

constexpr unsigned fanout_bits = 6;
constexpr unsigned fanout = 1u << fanout_bits;

struct Node {
    std::array<void*, fanout> children{};
    // Children that are known to be held by this node only, which saves a look at their counts. Valid only
    // while the node itself is held once.
    std::atomic<std::uint64_t> owned{0};
    std::atomic<std::uint32_t> references{0};
};

std::atomic<std::uint32_t>& references(void* item, unsigned height) {
    return height == 0 ? static_cast<Page*>(item)->references : static_cast<Node*>(item)->references;
}

void hold(void* item, unsigned height) {
    if (item != nullptr) references(item, height).fetch_add(1, std::memory_order_relaxed);
}

// Returns the number of freed pages.
std::uint64_t release(void* item, unsigned height) {
    if (item == nullptr) return 0;
    if (references(item, height).fetch_sub(1, std::memory_order_acq_rel) != 1) return 0;
    if (height == 0) {
        delete static_cast<Page*>(item);
        return 1;
    }
    std::uint64_t freed = 0;
    Node* node = static_cast<Node*>(item);
    for (void* child : node->children)
        freed += release(child, height - 1);
    delete node;
    return freed;
}

// Makes *link the only reference to its item, which it creates or copies if necessary. Returns whether it
// made a page.
bool own(void** link, unsigned height) {
    void* old = *link;
    if (old != nullptr && references(old, height).load(std::memory_order_acquire) == 1) return false;
    if (height == 0) {
        *link = old != nullptr ? new Page(*static_cast<Page*>(old)) : new Page();
    } else {
        Node* node = new Node();
        if (old != nullptr) {
            node->children = static_cast<Node*>(old)->children;
            static_cast<Node*>(old)->owned.store(0, std::memory_order_relaxed);
        }
        for (void* child : node->children)
            hold(child, height - 1);
        *link = node;
    }
    hold(*link, height);
    release(old, height);
    return height == 0;
}

unsigned child_index(std::uint64_t number, unsigned height) {
    return static_cast<unsigned>(number >> (fanout_bits * (height - 1))) & (fanout - 1);
}

using Visitor = std::function<void(std::uint64_t, const Page&)>;

void visit_all(const void* item, unsigned height, std::uint64_t number, const Visitor& visit) {
    if (item == nullptr) return;
    if (height == 0) return visit(number, *static_cast<const Page*>(item));
    const Node* node = static_cast<const Node*>(item);
    for (unsigned i = 0; i < fanout; ++i)
        visit_all(node->children[i], height - 1, (number << fanout_bits) | i, visit);
}

}  // namespace

PageTree::PageTree(const PageTree& other)
    : root_(other.root_), height_(other.height_), pages_made_(other.pages_made_) {
    hold(root_, height_);
    // A tree that several threads copy is a snapshot. No thread writes it, so its cache stays empty.
    if (other.cached_ != nullptr) other.cached_ = nullptr;
}

PageTree::PageTree(PageTree&& other) noexcept
    : root_(std::exchange(other.root_, nullptr)),
      height_(std::exchange(other.height_, 0)),
      pages_made_(other.pages_made_),
      cached_(std::exchange(other.cached_, nullptr)),
      cached_number_(other.cached_number_) {}

PageTree& PageTree::operator=(PageTree other) noexcept {
    std::swap(root_, other.root_);
    std::swap(height_, other.height_);
    pages_made_ = other.pages_made_;
    cached_ = other.cached_;
    cached_number_ = other.cached_number_;
    return *this;
}

PageTree::~PageTree() {
    release(root_, height_);
}

std::uint64_t PageTree::clear() {
    const std::uint64_t freed = release(root_, height_);
    root_ = nullptr;
    height_ = 0;
    cached_ = nullptr;
    return freed;
}

const Page* PageTree::find(std::uint64_t number) const {
    if (number >> (fanout_bits * height_) != 0) return nullptr;
    const void* item = root_;
    for (unsigned height = height_; height > 0 && item != nullptr; --height)
        item = static_cast<const Node*>(item)->children[child_index(number, height)];
    return static_cast<const Page*>(item);
}

Page& PageTree::writable_slow(std::uint64_t number) {
    assert(number >> page_number_bits == 0);
    while (number >> (fanout_bits * height_) != 0) {
        if (root_ != nullptr) {
            Node* node = new Node();
            node->children[0] = root_;
            root_ = node;
            hold(root_, height_ + 1);
        }
        ++height_;
    }
    bool made = own(&root_, height_);
    void* item = root_;
    for (unsigned height = height_; height > 0; --height) {
        Node* node = static_cast<Node*>(item);
        const unsigned index = child_index(number, height);
        const std::uint64_t owned = node->owned.load(std::memory_order_relaxed);
        if ((owned >> index & 1) == 0) {
            made = own(&node->children[index], height - 1);
            node->owned.store(owned | std::uint64_t{1} << index, std::memory_order_relaxed);
        }
        item = node->children[index];
    }
    if (made) ++pages_made_;
    cached_ = static_cast<Page*>(item);
    cached_number_ = number;
    return *cached_;
}

void PageTree::each(const Visitor& visit) const {
    visit_all(root_, height_, 0, visit);
}

}  // namespace lanescope::trace
