#include "lesson/proposal/launch_choice.h"

#include <algorithm>
#include <charconv>

namespace lanescope::lesson {

namespace {

constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t small_1d = 64, small_2d = 32, most_1d = 1024;
constexpr std::int64_t most_grid_threads = 1 << 16;  // of a grid that is recorded without a person's wish

}  // namespace

Polynomial replaced(const Polynomial& polynomial, const std::string& atom, const Polynomial& by) {
    Polynomial made;
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
        Polynomial term(coefficient);
        for (const std::string& factor : monomial)
            term = Polynomial::product(term, factor == atom ? by : Polynomial::of(factor)).value_or(term);
        made = Polynomial::sum(made, term).value_or(made);
    }
    return made;
}

Polynomial polynomial_of(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && end == text.data() + text.size() ? Polynomial(value)
                                                                     : Polynomial::of(text);
}

Result<void> LaunchChoice::choose() {
    front_.title = kernel_.name;
    spec_.line = kernel_.line;
    if (Result<void> named = name_kernel(); !named) return named;
    name_scalars();
    if (launch_ != nullptr) scope_.emplace(model_, *launch_, host_names());
    choose_block();
    shape_.offsets = find_offsets(body_, shape_.indices);
    facts_ = facts_of(body_, model_, shape_);
    add_sizes();
    choose_grid();
    return {};
}

// --- The block ---------------------------------------------------------------------------------------------

// --- The block ---
void LaunchChoice::choose_block() {
    std::vector<std::optional<std::string>> stated;
    if (scope_ && launch_->configuration.size() > 1) stated = scope_->extents(launch_->configuration[1]);
    const std::size_t extents = dimensions();
    const bool known = !stated.empty() && std::all_of(stated.begin(), stated.end(), [&](const auto& each) {
        const auto value = each ? model_.constant(*each) : std::nullopt;
        return value && *value > 0 && *value <= most_threads;
    });
    if (known) {
        while (stated.size() > extents && *stated.back() == "1")
            stated.pop_back();
        for (const auto& each : stated)
            spec_.block.push_back(plain(*each));
    } else {
        guess_block(extents);
    }
    for (std::size_t d = 0; d < spec_.block.size(); ++d)
        shape_.block[d] = polynomial_of(spec_.block[d].text);
}

void LaunchChoice::guess_block(std::size_t extents) {
    for (std::size_t d = 0; d < extents; ++d)
        if (const auto tile = tile_of("xyz"[d])) spec_.block.push_back(plain(std::to_string(*tile)));
    const auto bound = model_.constant(kernel_.most_threads, shape_.constants);
    // A tile of more elements than threads is not a block.
    const auto tiles = spec_.block.size() == 1 ? model_.constant(spec_.block[0].text) : std::nullopt;
    if (spec_.block.size() == extents && bound && tiles && *tiles > *bound) {
        spec_.block = {plain(std::to_string(*bound))};
        return;
    }
    if (spec_.block.size() == extents) return;
    spec_.block.clear();
    if (extents > 1) {
        spec_.block = {plain(extents == 3 ? "8" : "16"), plain(extents == 3 ? "4" : "16")};
        if (extents == 3) spec_.block.push_back(plain("4"));
        return;
    }
    const auto shared = shared_extent();
    if (const auto exact = shared ? shared : template_block(); exact) {
        spec_.block = {plain(std::to_string(*exact))};
        return;
    }
    block_name_ = free_name("block");
    names_["block "] = block_name_;
    block_default_ = bound && *bound >= 1 && *bound < small_1d ? *bound : small_1d;
    spec_.block = {plain(block_name_)};
}

// The constant T of "blockIdx.x * T + threadIdx.x".
std::optional<std::int64_t> LaunchChoice::tile_of(char axis) const {
    const auto is_index = [&](std::size_t i, std::string_view name) {
        return i + 2 < body_.size() && body_[i].is(name) && body_[i + 1].is(".") &&
               body_[i + 2].text == std::string_view(&axis, 1);
    };
    for (std::size_t i = 0; i + 4 < body_.size(); ++i) {
        if (!is_index(i, "blockIdx")) continue;
        std::optional<std::int64_t> value;
        if (body_[i + 3].is("*")) value = model_.constant(std::string(body_[i + 4].text), shape_.constants);
        if (!value && i > 1 && body_[i - 1].is("*"))
            value = model_.constant(std::string(body_[i - 2].text), shape_.constants);
        if (!value || *value < 1 || *value > most_threads) continue;
        for (std::size_t j = i > 12 ? i - 12 : 0; j < std::min(i + 12, body_.size()); ++j)
            if (is_index(j, "threadIdx")) return value;
    }
    return std::nullopt;
}

// The elements of a shared array that each thread of the block has one of: s[threadIdx.x].
std::optional<std::int64_t> LaunchChoice::shared_extent() const {
    for (std::size_t i = 0; i + 4 < body_.size(); ++i) {
        if (!body_[i].is("__shared__")) continue;
        std::size_t open = i;
        while (open < body_.size() && !body_[open].is("[") && !body_[open].is(";"))
            ++open;
        if (open >= body_.size() || !body_[open].is("[")) continue;
        const std::size_t close = closing(body_, open);
        if (close + 1 < body_.size() && body_[close + 1].is("[")) continue;
        const auto value = model_.constant(joined(body_, open + 1, close), shape_.constants);
        if (!value || *value < 1 || *value > most_threads || *value % 32 != 0) continue;
        const std::string_view name = body_[open - 1].text;
        for (std::size_t j = close; j + 4 < body_.size(); ++j)
            if (body_[j].is(name) && body_[j + 1].is("[") && body_[j + 2].is("threadIdx") &&
                body_[j + 4].is("x"))
                return value;
    }
    return std::nullopt;
}

// A template argument that is the size of the block.
std::optional<std::int64_t> LaunchChoice::template_block() const {
    for (const auto& [name, value] : shape_.constants) {
        std::string lower;
        for (const char c : name)
            if (c != '_') lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if (lower != "blocksize" && lower != "blockthreads" && lower != "threads" && lower != "block" &&
            lower != "blockdim" && lower != "nthreads")
            continue;
        const auto size = model_.constant(value);
        if (size && *size >= 1 && *size <= most_threads) return size;
    }
    return std::nullopt;
}

// --- Sizes and the grid ------------------------------------------------------------------------------------

// --- Sizes ---
void LaunchChoice::add_parameter(const std::string& name, std::int64_t value, std::optional<std::int64_t> min,
                                 std::vector<std::int64_t> choices) {
    Parameter parameter;
    parameter.name = name;
    parameter.default_value = value;
    parameter.min = min;
    parameter.choices = std::move(choices);
    front_.parameters.push_back(std::move(parameter));
}

bool LaunchChoice::is_size(const std::string& parameter) const {
    const NameSense sense = sense_of(parameter);
    const bool small = usual_value(sense).has_value();
    return !small && (facts_.guards.contains(parameter) || sense != NameSense::none || is_stride(parameter));
}

// Whether an index is multiplied by the parameter: y * width + x.
bool LaunchChoice::is_stride(const std::string& parameter) const {
    const auto own = shape_.scalars.find(parameter);
    if (own == shape_.scalars.end()) return false;
    const std::string name = own->second.text();
    for (const auto& [pointer, use] : facts_.pointers) {
        if (!use.elements) continue;
        for (const auto& [monomial, coefficient] : use.elements->terms())
            if (monomial.size() > 1 && std::find(monomial.begin(), monomial.end(), name) != monomial.end())
                return true;
    }
    return false;
}

// The value of an extent of a grid or block, or of a size, where it is constant and CUDA could launch it.
std::optional<std::int64_t> LaunchChoice::extent_value(const std::string& text) const {
    const auto value = model_.constant(text);
    return value && *value >= 1 && *value <= INT32_MAX ? value : std::nullopt;
}

// A small size that fills whole blocks.
std::int64_t LaunchChoice::usual_size() const {
    const auto sizes = std::count_if(
        kernel_.params.begin(), kernel_.params.end(),
        [&](const auto& parameter) { return names_.contains(parameter.name) && is_size(parameter.name); });
    std::int64_t side = dimensions() > 1 ? small_2d : small_1d;
    for (const Expression& extent : spec_.block)
        if (const auto value = extent_value(extent.text)) side = std::max(side, 2 * *value);
    if (sizes > 1) side = std::min(side, 2 * small_1d);  // a matrix has as many elements in each direction
    const std::optional<std::vector<std::string>> grid = launch_grid();
    if (!grid || grid->size() != 1 || spec_.block.size() != 1) return side;
    // Host code that launches a fixed grid means as many elements.
    const auto blocks = extent_value(grid->front()), threads = extent_value(spec_.block[0].text);
    constexpr std::int64_t most = 4096;
    if (blocks && threads && *blocks * *threads <= most) return *blocks * *threads;
    return side;
}

// The value that host code passes, where it is constant.
std::optional<std::int64_t> LaunchChoice::passed(std::size_t index) const {
    if (!scope_ || index >= launch_->arguments.size()) return std::nullopt;
    const LaunchScope outside(model_, *launch_, {});
    const auto text = outside.text(launch_->arguments[index]);
    return text ? model_.constant(*text) : std::nullopt;
}

void LaunchChoice::add_sizes() {
    std::string guessed;
    const std::int64_t usual = usual_size();
    for (std::size_t i = 0; i < kernel_.params.size(); ++i) {
        const KernelSignature::Param& parameter = kernel_.params[i];
        if (!names_.contains(parameter.name) || !is_size(parameter.name)) continue;
        const auto host = passed(i);
        const std::int64_t most = fixed_grid()       ? 1 << 16
                                  : dimensions() > 1 ? 2 * usual
                                                     : std::max(usual, most_1d);
        add_parameter(names_[parameter.name], host && *host >= 1 && *host <= most ? *host : usual, 1);
        sizes_.push_back(parameter.name);
    }
    const auto known = [](const auto& each) { return each.has_value(); };
    const bool stated = !sizes_.empty() || std::any_of(facts_.threads.begin(), facts_.threads.end(), known) ||
                        std::any_of(facts_.blocks.begin(), facts_.blocks.end(), known);
    if (!stated && !launch_grid()) {
        own_size_ = free_name("n");
        names_["n "] = own_size_;
        add_parameter(own_size_, usual, 1);
    }
    if (!block_name_.empty()) {
        std::vector<std::int64_t> choices{32, 64, 128, 256, 512, 1024};
        if (const auto bound = model_.constant(kernel_.most_threads, shape_.constants))
            std::erase_if(choices, [&](std::int64_t each) { return each > *bound; });
        if (std::find(choices.begin(), choices.end(), block_default_) == choices.end()) choices.clear();
        add_parameter(block_name_, block_default_, std::nullopt, std::move(choices));
    }
    for (std::size_t i = 0; i < kernel_.params.size(); ++i) {
        const KernelSignature::Param& parameter = kernel_.params[i];
        if (!names_.contains(parameter.name) || is_size(parameter.name)) continue;
        const auto host = passed(i);
        const auto usually = usual_value(sense_of(parameter.name));
        const bool enumeration = model_.is_enumeration(type_of(parameter).name);
        const std::int64_t value = host ? *host : enumeration ? 0 : usually.value_or(1);
        add_parameter(names_[parameter.name], value, std::nullopt);
        if (!host && !usually && !enumeration)
            guessed += (guessed.empty() ? "" : ", ") + names_[parameter.name];
    }
    if (!guessed.empty())
        front_.proposal.notes.push_back("the value of " + guessed + " is a guess; --set changes it");
}

// --- The grid ---
// What host code says about the grid; nothing where some of it is not known.
std::optional<std::vector<std::string>> LaunchChoice::launch_grid() const {
    if (!scope_ || launch_->configuration.empty()) return std::nullopt;
    std::vector<std::string> made;
    for (const auto& each : scope_->extents(launch_->configuration[0])) {
        if (!each) return std::nullopt;
        made.push_back(*each);
    }
    while (made.size() > dimensions() && made.back() == "1")
        made.pop_back();
    return made.empty() ? std::nullopt : std::optional(made);
}

// Whether host code launches a grid that does not follow from the arguments.
bool LaunchChoice::fixed_grid() const {
    const std::optional<std::vector<std::string>> grid = launch_grid();
    return grid && std::all_of(grid->begin(), grid->end(),
                               [&](const std::string& each) { return model_.constant(each).has_value(); });
}

std::string LaunchChoice::blocks_of(const std::string& size, std::size_t d) const {
    const std::string block = d < spec_.block.size() ? spec_.block[d].text : "1";
    const auto size_value = extent_value(size), block_value = extent_value(block);
    if (size_value && block_value) return std::to_string((*size_value + *block_value - 1) / *block_value);
    return block == "1" ? size : "ceil_div(" + size + ", " + block + ")";
}

std::string LaunchChoice::size_with_sense(NameSense sense) const {
    for (const std::string& each : sizes_)
        if (sense_of(each) == sense) return names_.at(each);
    return "";
}

// The threads of a dimension where nothing else says it.
std::string LaunchChoice::usual_extent(std::size_t d) const {
    if (!own_size_.empty()) return own_size_;
    const std::string named = size_with_sense(d == 0 ? NameSense::width : NameSense::height);
    if (dimensions() > 1 && !named.empty()) return named;
    const std::string width = size_with_sense(NameSense::width), height = size_with_sense(NameSense::height);
    if (dimensions() == 1 && !width.empty() && !height.empty()) return width + " * " + height;
    return sizes_.empty() ? std::to_string(usual_size()) : names_.at(sizes_[std::min(d, sizes_.size() - 1)]);
}

void LaunchChoice::choose_grid() {
    const std::optional<std::vector<std::string>> stated = launch_grid();
    for (std::size_t d = 0; d < std::max(dimensions(), stated ? stated->size() : 0); ++d) {
        std::string text;
        if (stated) {
            text = d < stated->size() ? (*stated)[d] : "1";
            // "n / 256" of a small n
            Names usual;
            for (const Parameter& parameter : front_.parameters)
                usual[parameter.name] = parameter.default_value;
            if (const auto value = evaluate(plain(text), usual, file_); value && *value < 1)
                text = "max(1, " + text + ")";
        } else if (facts_.blocks[d])
            text = facts_.blocks[d]->text();
        else if (facts_.threads[d])
            text = blocks_of(facts_.threads[d]->text(), d);
        else
            text = blocks_of(usual_extent(d), d);
        spec_.grid.push_back(plain(text));
    }
    shorten_grid();
    fill_clusters();
}

// A grid must be made of whole clusters.
void LaunchChoice::fill_clusters() {
    for (std::size_t d = 0; d < std::min(kernel_.cluster.size(), spec_.grid.size()); ++d) {
        const auto blocks = extent_value(kernel_.cluster[d]);
        if (!blocks || *blocks < 2) continue;
        std::string& text = spec_.grid[d].text;
        const std::string of = std::to_string(*blocks);
        if (const auto grid = extent_value(text))
            text = std::to_string((*grid + *blocks - 1) / *blocks * *blocks);
        else
            text = "ceil_div(" + text + ", " + of + ") * " + of;
    }
}

// A grid of host code with constant sizes may have millions of threads.
void LaunchChoice::shorten_grid() {
    std::int64_t threads = 1;  // at most most_grid_threads + 1
    const auto times = [&](std::int64_t extent) {
        threads = std::min(threads * extent, most_grid_threads + 1);
    };
    for (const Expression& extent : spec_.block)
        times(extent_value(extent.text).value_or(1));
    for (const Expression& extent : spec_.grid) {
        const auto value = extent_value(extent.text);
        if (!value) return;
        times(*value);
    }
    if (threads <= most_grid_threads) return;
    shortened_ = true;
    for (Expression& extent : spec_.grid)
        extent.text = std::to_string(std::min<std::int64_t>(*extent_value(extent.text), 4));
    front_.proposal.notes.push_back("host code launches a larger grid; only its first blocks run");
}

// An extent of a buffer over the sizes of the front matter.
Polynomial LaunchChoice::over_grid(Polynomial polynomial) const {
    for (std::size_t d = 0; d < grid_atoms.size(); ++d) {
        const std::string grid = d < spec_.grid.size() ? spec_.grid[d].text : "1";
        polynomial = replaced(polynomial, grid_atoms[d], polynomial_of(grid));
    }
    return polynomial;
}

}  // namespace lanescope::lesson
