#include "session/ptx/ptx_proposal.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/suggest.h"
#include "session/ptx/ptx_arguments.h"

namespace lanescope::session {

namespace {

using Kind = PtxArgument::Kind;
using Block = std::array<std::int64_t, 3>;

constexpr std::uint64_t trial_buffer_bytes = 4u << 20, trial_shared_bytes = 200u << 10;
constexpr std::int64_t usual_blocks = 4;

lesson::Expression plain(std::string text) {
    return {std::move(text), 0, 0};
}

// ".reqntid 128, 1, 1"; nothing where the kernel does not say it.
std::optional<Block> stated_block(const ptx::Function& kernel, std::string_view directive) {
    for (const std::string& each : kernel.directives) {
        if (!each.starts_with(directive)) continue;
        Block block{1, 1, 1};
        std::size_t axis = 0;
        for (std::size_t at = directive.size(); at < each.size() && axis < 3;) {
            const auto [end, failed] =
                std::from_chars(each.data() + at, each.data() + each.size(), block[axis]);
            axis += failed == std::errc{};
            at = failed == std::errc{} ? static_cast<std::size_t>(end - each.data()) : at + 1;
        }
        if (axis > 0) return block;
    }
    return std::nullopt;
}

class Proposer {
  public:
    Proposer(const PtxFile& ptx, const std::string& file, const ptx::Function& kernel, std::string shown,
             const TryLaunch& attempt)
        : file_(file),
          source_(ptx.own_lines() ? std::string() : ptx.source),
          kernel_(kernel),
          shown_(std::move(shown)),
          attempt_(attempt),
          facts_(facts_of(ptx.module, kernel)) {}

    Result<lesson::FrontMatter> run() {
        Result<PtxArguments> arguments = arguments_of(kernel_, facts_, source_, file_);
        if (!arguments) return arguments.diagnostics();
        made_ = std::move(*arguments);
        if (Result<void> chosen = choose_block(); !chosen) return chosen.diagnostics();
        if (Result<void> measured = measure_buffers(); !measured) return measured.diagnostics();
        lesson::FrontMatter front = front_with(counts_, {});
        front.proposal.notes = notes();
        return front;
    }

  private:
    using Counts = std::map<std::string, std::string>;
    using Sizes = std::map<std::string, std::int64_t>;

    // --- block and grid ------------------------------------------------------------------------------------

    std::vector<Block> blocks_to_try() const {
        if (const auto required = stated_block(kernel_, ".reqntid")) return {*required};
        const auto most = stated_block(kernel_, ".maxntid");
        const std::int64_t limit = most ? (*most)[0] * (*most)[1] * (*most)[2] : 1024;
        std::vector<Block> blocks{{64, 1, 1}, {32, 1, 1}, {128, 1, 1}, {256, 1, 1}, {16, 1, 1}};
        if (facts_.threads[1]) blocks = {{16, 16, 1}, {8, 8, 1}, {32, 8, 1}, {32, 32, 1}, {4, 4, 1}};
        if (facts_.threads[2]) blocks = {{8, 4, 4}, {4, 4, 4}, {8, 8, 8}};
        std::erase_if(blocks, [&](const Block& each) { return each[0] * each[1] * each[2] > limit; });
        if (blocks.empty()) blocks.push_back({1, 1, 1});
        return blocks;
    }

    std::optional<std::int64_t> tile_of(std::size_t axis) const {
        if (facts_.blocks[axis].times_block) return block_[axis];
        return facts_.blocks[axis].tile;
    }

    // The size that the indices of an axis run over; empty: none is known.
    std::string size_of(std::size_t axis) const {
        if (facts_.blocks[axis].size)
            if (std::string name = made_.size_of_word(*facts_.blocks[axis].size, facts_); !name.empty())
                return name;
        return made_.sizes.empty() ? std::string() : made_.sizes.front();
    }

    std::string grid_of(std::size_t axis) const {
        const AxisFacts& facts = facts_.blocks[axis];
        if (!facts.used) return "1";
        const std::string size = size_of(axis);
        if (const auto tile = tile_of(axis); tile && !size.empty()) {
            const std::string blocks = "ceil_div(" + size + ", " + std::to_string(*tile) + ")";
            if (!facts.divided || made_.sizes.size() < 2) return blocks;
            return blocks + " * ceil_div(" + made_.sizes[1] + ", " + std::to_string(*tile) + ")";
        }
        if (facts.size && !size.empty()) return size;  // a block for each
        return "blocks";
    }

    std::int64_t usual_size() const {
        std::int64_t tile = 0;
        std::size_t axes = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (const auto known = tile_of(axis); known && facts_.blocks[axis].used) {
                tile = std::max(tile, *known);
                ++axes;
            }
        }
        if (axes == 0) return std::max<std::int64_t>(block_[0], 4);
        const std::int64_t whole = axes > 1 || facts_.blocks[0].divided || tile >= 512 ? 2 * tile : 4 * tile;
        return std::min<std::int64_t>(std::max<std::int64_t>(whole, 4), 1 << 14);
    }

    // The first block whose run has no problem.
    Result<void> choose_block() {
        const std::vector<Block> blocks = blocks_to_try();
        std::optional<Touched> first;
        for (const Block& block : blocks) {
            block_ = block;
            Result<Touched> touched = attempt_(trial_front(sizes_of(0)));
            if (!touched) return touched.diagnostics();
            if (!first) first = *touched;
            if (!touched->problem.empty()) continue;
            touched_ = std::move(*touched);
            return {};
        }
        block_ = blocks.front();
        touched_ = std::move(*first);
        return {};
    }

    // --- buffers -------------------------------------------------------------------------------------------

    // The sizes of a run: those of the proposal, or in round 1 others, of which each is another.
    Sizes sizes_of(int round) const {
        Sizes sizes;
        std::int64_t value = usual_size();
        if (round == 1) value -= value / 4 + 1;
        for (const std::string& name : made_.sizes) {
            sizes[name] = std::max<std::int64_t>(value, 1);
            if (round == 1) value -= 3;
        }
        return sizes;
    }

    lesson::FrontMatter trial_front(const Sizes& sizes) const {
        Counts counts;
        for (const PtxArgument& each : made_.arguments)
            if (each.kind == Kind::buffer)
                counts[each.name] =
                    std::to_string(trial_buffer_bytes / lesson::element_type(each.type)->bytes());
        return front_with(counts, sizes, facts_.dynamic_shared ? trial_shared_bytes : 0);
    }

    struct Candidate {
        std::string text;
        std::uint64_t first = 0, second = 0;  // its values in both runs
    };

    std::vector<Candidate> candidates(const Sizes& first, const Sizes& second) const {
        std::vector<std::string> texts{"1"};
        const std::vector<std::string>& sizes = made_.sizes;
        texts.insert(texts.end(), sizes.begin(), sizes.end());
        std::string blocks;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (facts_.blocks[axis].used) blocks += (blocks.empty() ? "" : " * ") + grid_of(axis);
        if (!blocks.empty()) texts.push_back(blocks);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const auto tile = tile_of(axis); tile && facts_.blocks[axis].used)
                texts.push_back(std::to_string(*tile) + " * " + grid_of(axis));
        for (std::size_t i = 0; i < sizes.size(); ++i)
            for (std::size_t j = i; j < sizes.size(); ++j)
                texts.push_back(sizes[i] + " * " + sizes[j]);
        for (const std::string& size : sizes)
            if (!blocks.empty()) texts.push_back(blocks + " * " + size);
        for (const std::string& size : sizes)
            texts.push_back(size + " * " + size + " * " + size);
        std::vector<Candidate> made;
        for (const std::string& text : texts) {
            const auto a = lesson::evaluate(plain(text), names_of(first), file_);
            const auto b = lesson::evaluate(plain(text), names_of(second), file_);
            if (a && b && *a > 0 && *b > 0)
                made.push_back({text, static_cast<std::uint64_t>(*a), static_cast<std::uint64_t>(*b)});
        }
        return made;
    }

    static lesson::Names names_of(const Sizes& sizes) {
        lesson::Names names(sizes.begin(), sizes.end());
        names["blocks"] = usual_blocks;
        return names;
    }

    // The smallest expression over the sizes that covers what both runs touched.
    static std::string covering(const std::vector<Candidate>& known, std::uint64_t first,
                                std::uint64_t second) {
        first = std::max<std::uint64_t>(first, 1);
        second = std::max<std::uint64_t>(second, 1);
        const Candidate* best = nullptr;
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (const Candidate& each : known) {
            if (each.first < first || each.second < second) continue;
            const std::uint64_t spare = (each.first - first) + (each.second - second);
            if (spare < least) {
                least = spare;
                best = &each;
            }
        }
        if (best == nullptr || (first == second && least > 0)) return std::to_string(std::max(first, second));
        return best->text;
    }

    Result<void> measure_buffers() {
        const Sizes first = sizes_of(0), second = sizes_of(1);
        const Result<Touched> again = attempt_(trial_front(second));
        if (!again) return again.diagnostics();
        const std::vector<Candidate> known = candidates(first, second);
        for (const PtxArgument& each : made_.arguments) {
            if (each.kind != Kind::buffer) continue;
            const std::uint32_t bytes = lesson::element_type(each.type)->bytes();
            const auto elements = [&](const Touched& touched) {
                const auto found = touched.bytes.find(each.name);
                return found == touched.bytes.end() ? 0 : (found->second + bytes - 1) / bytes;
            };
            counts_[each.name] = covering(known, elements(touched_), elements(*again));
            if (each.dimensions > 1) counts_[each.name] = product(each.dimensions);
        }
        shared_bytes_ = (std::max(touched_.shared_bytes, again->shared_bytes) + 15) / 16 * 16;
        return {};
    }

    std::string product(std::uint32_t dimensions) const {
        std::string text = made_.extent;
        for (std::uint32_t i = 1; i < dimensions; ++i)
            text += " * " + made_.extent;
        return text;
    }

    // --- the front matter ----------------------------------------------------------------------------------

    // `sizes`: instead of the usual ones. `shared`: instead of what was measured.
    lesson::FrontMatter front_with(const Counts& counts, const Sizes& sizes,
                                   std::optional<std::uint64_t> shared = {}) const {
        lesson::FrontMatter front;
        const Sizes usual = sizes_of(0);
        for (const std::string& name : made_.sizes) {
            lesson::Parameter parameter;
            parameter.name = name;
            parameter.default_value = sizes.contains(name) ? sizes.at(name) : usual.at(name);
            parameter.min = 1;
            front.parameters.push_back(std::move(parameter));
        }
        for (const PtxArgument& each : made_.arguments)
            if (each.kind == Kind::whole) {
                front.parameters.emplace_back();
                front.parameters.back().name = each.name;
                front.parameters.back().default_value = 1;
            }
        for (const PtxArgument& each : made_.arguments)
            if (each.kind == Kind::buffer) front.buffers.push_back(buffer_for(each, counts.at(each.name)));
        for (const PtxStructure& each : made_.structures)
            front.buffers.push_back(buffer_for(each));
        front.launches.push_back(launch(front, counts, shared.value_or(shared_bytes_)));
        return front;
    }

    lesson::LaunchSpec launch(lesson::FrontMatter& front, const Counts& counts, std::uint64_t shared) const {
        lesson::LaunchSpec spec;
        spec.kernel = shown_;
        bool fixed_blocks = false;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            spec.grid.push_back(plain(grid_of(axis)));
            spec.block.push_back(plain(std::to_string(block_[axis])));
            fixed_blocks = fixed_blocks || spec.grid.back().text == "blocks";
        }
        while (spec.grid.size() > 1 && spec.grid.back().text == "1")
            spec.grid.pop_back();
        while (spec.block.size() > 1 && spec.block.back().text == "1")
            spec.block.pop_back();
        if (fixed_blocks) {
            front.parameters.emplace_back();
            front.parameters.back().name = "blocks";
            front.parameters.back().default_value = usual_blocks;
            front.parameters.back().min = 1;
        }
        spec.shared = plain(std::to_string(shared));
        for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i)
            spec.args.push_back(plain(argument(i, counts)));
        spec.resident = plain("0");
        return spec;
    }

    std::string argument(std::uint32_t parameter, const Counts& counts) const {
        const std::size_t number = made_.of_parameter[parameter];
        if (number >= made_.arguments.size()) return made_.structures[number - made_.arguments.size()].name;
        const PtxArgument& each = made_.arguments[number];
        if (each.dimensions > 0) return array_argument(each, parameter, counts.at(each.name));
        switch (each.kind) {
            case Kind::real:
                return "0.5";
            case Kind::unused:
                return "0";
            default:
                return each.name;
        }
    }

    // The parts of an array of Numba's are two addresses that only the host uses, items, their bytes, data,
    // shape, strides.
    std::string array_argument(const PtxArgument& each, std::uint32_t parameter,
                               const std::string& count) const {
        std::uint32_t first = parameter;
        while (first > 0 && made_.of_parameter[first - 1] == made_.of_parameter[parameter])
            --first;
        const std::uint32_t part = parameter - first, bytes = lesson::element_type(each.type)->bytes();
        const bool trial = count == std::to_string(trial_buffer_bytes / bytes);
        const std::string extent = each.dimensions == 1 && !trial ? count : made_.extent;
        if (part < 2) return "0";
        if (part == 2) return trial ? product(each.dimensions) : count;
        if (part == 3) return std::to_string(bytes);
        if (part == 4) return each.name;
        if (part < 5 + each.dimensions) return extent;
        std::string stride = std::to_string(bytes);
        for (std::uint32_t axis = part - 5 - each.dimensions + 1; axis < each.dimensions; ++axis)
            stride += " * " + extent;
        return stride;
    }

    lesson::Buffer buffer_for(const PtxArgument& each, const std::string& count) const {
        lesson::Buffer buffer;
        buffer.name = each.name;
        buffer.type = each.type;
        if (each.dimensions == 2 && count == product(2))
            buffer.shape = {plain(made_.extent), plain(made_.extent)};
        else
            buffer.count = plain(count);
        const ParameterWord& facts = facts_.words[each.word];
        buffer.init = plain(facts.read || !(facts.written || facts.updated) ? "random(0, 9)" : "zero");
        return buffer;
    }

    // Its words of eight bytes: addresses, or numbers of which two may share a word.
    lesson::Buffer buffer_for(const PtxStructure& structure) const {
        std::vector<std::string> words(structure.size_bytes / 8, "0");
        for (const std::size_t part : structure.parts) {
            const PtxArgument& each = made_.arguments[part];
            const ParameterWord& facts = facts_.words[each.word];
            std::string value = each.name;
            if (each.kind == Kind::real)
                value = facts.bytes == 8 ? "0x3fe0000000000000" : "0x3f000000";  // 0.5
            if (each.kind == Kind::unused || facts.offset / 8 >= words.size()) continue;
            std::string& word = words[facts.offset / 8];
            if (facts.offset % 8 == 4) value = "(" + value + " << 32)";
            word = word == "0" ? value : word + " + " + value;
        }
        lesson::Buffer buffer;
        buffer.name = structure.name;
        buffer.type = "ulong";
        for (const std::string& word : words)
            buffer.addresses.push_back(plain(word));
        return buffer;
    }

    // --- notes ---------------------------------------------------------------------------------------------

    template <class F>
    std::string listed(F wanted) const {
        std::string names;
        for (const PtxArgument& each : made_.arguments)
            if (wanted(each)) names += (names.empty() ? "" : ", ") + each.name;
        return names;
    }

    std::vector<std::string> notes() const {
        std::vector<std::string> notes;
        const SourceSignature& signature = made_.signature;
        if (!signature.names_known)
            notes.push_back("the parameters have no names in the PTX; p0, p1, … are numbered");
        if (!signature.types_known)
            notes.push_back(
                "what the parameters mean follows from the code: an address is what memory is accessed "
                "at, a size is what indices are compared with or multiplied by");
        if (const std::string names = listed([](const PtxArgument& each) { return each.guessed; });
            !names.empty())
            notes.push_back("the values of " + names + " are guesses");
        if (const std::string names =
                listed([](const PtxArgument& each) { return each.kind == Kind::buffer; });
            !names.empty())
            notes.push_back(
                "the sizes of " + names +
                " follow from where two runs accessed them, so that accesses beyond their true ends are "
                "not found; contents are random");
        if (!stated_block(kernel_, ".reqntid"))
            notes.push_back("the PTX does not say how many threads a block has; " +
                            std::to_string(block_[0] * block_[1] * block_[2]) + " are a guess");
        if (facts_.dynamic_shared)
            notes.push_back("the " + std::to_string(shared_bytes_) +
                            " bytes of shared memory that the launch gives are those that were accessed");
        return notes;
    }

    const std::string& file_;
    const std::string source_;
    const ptx::Function& kernel_;
    const std::string shown_;
    const TryLaunch& attempt_;
    const KernelFacts facts_;
    PtxArguments made_;
    Block block_{64, 1, 1};
    Touched touched_;
    Counts counts_;
    std::uint64_t shared_bytes_ = 0;
};

}  // namespace

Result<lesson::FrontMatter> propose_ptx_launch(const PtxFile& ptx, const std::string& file,
                                               const std::string& kernel, const TryLaunch& attempt) {
    const std::vector<KernelName> names = kernel_names(ptx.module);
    std::vector<std::string> known;
    for (const KernelName& each : names)
        known.push_back(each.shown);
    const auto wanted = std::find_if(names.begin(), names.end(), [&](const KernelName& each) {
        return kernel.empty() || each.shown == kernel || each.symbol == kernel;
    });
    if (wanted == names.end())
        return error_at(file, 0, 0, "no kernel is named '" + kernel + "'", lesson::suggestion(kernel, known));
    const ptx::Function* function = ptx.module.find_function(wanted->symbol);
    Result<lesson::FrontMatter> front = Proposer(ptx, file, *function, wanted->shown, attempt).run();
    if (!front) return front;
    front->proposal.kernels = known;
    if (known.size() > 1 && kernel.empty())
        front->proposal.notes.push_back("the file has " + std::to_string(known.size()) +
                                        " kernels; --kernel NAME proposes a launch for another one");
    return front;
}

}  // namespace lanescope::session
