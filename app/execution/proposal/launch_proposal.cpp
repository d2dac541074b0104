#include "execution/proposal/launch_proposal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <limits>

#include "execution/proposal/element_form.h"
#include "execution/proposal/name_sense.h"
#include "execution/proposal/size_expression.h"
#include "lesson/contents.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/suggest.h"
#include "trace/trace.h"

namespace lanescope::execution {

namespace {

using Kind = KernelArgument::Kind;

constexpr std::uint64_t trial_buffer_bytes = 1u << 20, trial_shared_bytes = 96u << 10;
constexpr std::int64_t trial_table_rows = 64;
constexpr std::int64_t small_1d = 64, small_2d = 32, most_1d = 1024, most_tile = 1 << 14;
constexpr std::int64_t most_grid_threads = 1 << 16;  // of a grid that is recorded without a person's wish

lesson::Expression plain(std::string text) {
    return {std::move(text), 0, 0};
}

// ".reqntid 128, 1, 1"; nothing where the kernel does not say it.
std::optional<BlockSize> stated_extents(const ptx::Function& kernel, std::string_view directive) {
    for (const std::string& each : kernel.directives) {
        if (!each.starts_with(directive)) continue;
        BlockSize block{1, 1, 1};
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

std::int64_t threads_of(const BlockSize& block) {
    return block[0] * block[1] * block[2];
}

// What host code states, and before it what a person states.
lesson::StatedLaunch stated_by(const KernelText& text) {
    lesson::StatedLaunch stated = text.stated != nullptr ? *text.stated : lesson::StatedLaunch{};
    if (!text.parts.grid.empty()) stated.grid = text.parts.grid;
    if (!text.parts.grid.empty()) stated.open_grid.clear(), stated.open_names.clear();
    if (!text.parts.block.empty()) stated.block = text.parts.block;
    if (!text.parts.shared.empty()) stated.shared = text.parts.shared;
    return stated;
}

class Proposer {
  public:
    Proposer(const KernelCode& code, const KernelText& text, const TryLaunch& attempt)
        : code_(code),
          kernel_(code.kernel),
          text_(text),
          stated_(stated_by(text)),
          attempt_(attempt),
          facts_(facts_of(code.module, code.kernel, &code.debug)),
          required_(stated_extents(kernel_, ".reqntid")),
          most_(stated_extents(kernel_, ".maxntid")),
          cluster_(stated_extents(kernel_, ".reqnctapercluster")) {}

    Result<Proposal> run() {
        Result<KernelArguments> arguments = arguments_of(code_.module, kernel_, code_.debug, facts_, text_);
        if (!arguments) return arguments.diagnostics();
        made_ = std::move(*arguments);
        choose_names();
        read_arrays();
        if (Result<void> sound = check_names(); !sound) return sound.diagnostics();
        if (Result<void> chosen = choose_block(); !chosen) return chosen.diagnostics();
        if (Result<void> measured = measure_buffers(); !measured) return measured.diagnostics();
        if (Result<void> taken = take_counts(); !taken) return taken.diagnostics();
        lesson::FrontMatter front = front_with(counts_, {}, {});
        front.title = kernel_title();
        front.proposal.notes = notes(front);
        Guesses guesses;
        guesses.counts = guessed_counts_;
        for (const KernelArgument& each : made_.arguments)
            if ((each.kind == Kind::size && each.value != value_of(each) && !fitted_.contains(each.name)) ||
                each.guessed)
                guesses.values.insert(each.name);
        for (const auto& [name, use] : touched_.buffers)
            if (use.read && !use.written && !stores_to(name) && !text_.parts.fills.contains(name))
                guesses.inputs.insert(name);
        guesses.block = stated_.block.empty() && !required_;
        guesses.grid = stated_.grid.empty() && reads_block();
        guesses.shared = facts_.dynamic_shared && stated_.shared.empty();
        guesses.blind = guesses.block && guesses.shared && stated_.grid.empty() && thread_axes() > 1;
        guesses.block_fits = block_fits_;
        guesses.many_blocks = facts_.grid_extent || facts_.grid_barrier;
        for (const std::string& name : open_names())
            guesses.values.insert(name), guesses.extents.insert(name);
        for (const std::string& size : made_.sizes)
            if (guesses.grid && (guesses.values.contains(size) || is_own(size)) && !fitted_.contains(size) &&
                names_in_grid(front.launches[0], size))
                guesses.extents.insert(size);
        name_facts(guesses, front.proposal);
        return Proposal{std::move(front), std::move(guesses)};
    }

  private:
    using Counts = std::map<std::string, std::string>;
    using Values = std::map<std::string, std::int64_t, std::less<>>;

    std::string kernel_title() const { return code_.shown.substr(0, code_.shown.find('<')); }

    // Also where no trial came so far.
    bool stores_to(const std::string& name) const {
        return std::any_of(made_.arguments.begin(), made_.arguments.end(), [&](const KernelArgument& each) {
            return each.name == name && each.word < facts_.words.size() && facts_.words[each.word].written;
        });
    }

    static bool names_in_grid(const lesson::LaunchSpec& launch, const std::string& size) {
        return std::any_of(launch.grid.begin(), launch.grid.end(),
                           [&](const auto& each) { return each.text.find(size) != std::string::npos; });
    }

    // Says what is stated and what is a guess.
    void name_facts(const Guesses& guesses, lesson::ProposalFacts& facts) const {
        const auto add = [&](bool stated, const std::string& name) {
            (stated ? facts.stated : facts.guessed).push_back(name);
        };
        if (!stated_.grid.empty() || guesses.grid) add(!guesses.grid, "grid");
        add(!guesses.block, "block");
        if (facts_.dynamic_shared) add(!guesses.shared, "shared");
        for (const KernelArgument& each : made_.arguments)
            if (each.is_memory()) add(!guesses.counts.contains(each.name), "count " + each.name);
        for (const auto& [name, contents] : text_.parts.fills)
            add(true, "fill " + name);
        for (const std::string& name : guesses.inputs)
            add(false, "fill " + name);
        for (const std::string& name : guesses.values)
            add(false, "value " + name);
    }

    // --- what a person states ------------------------------------------------------------------------------

    // Error: a count or contents of what is not a pointer parameter.
    Result<void> check_names() const {
        std::vector<std::string> pointers, filled;
        for (const KernelArgument& each : made_.arguments) {
            if (each.is_memory()) pointers.push_back(each.name);
            if (each.kind == Kind::buffer || each.kind == Kind::fixed) filled.push_back(each.name);
        }
        for (const lesson::Buffer& each : arrays_)
            filled.push_back(each.name);
        for (const auto& [name, count] : text_.parts.counts)
            if (Result<void> known = check_name("--count", name, count, pointers); !known) return known;
        for (const auto& [name, contents] : text_.parts.fills) {
            if (Result<void> known = check_name("--fill", name, contents, filled); !known) return known;
            if (Result<void> sound = lesson::check_init(plain(contents), names_of(values_of(0), block_[0]),
                                                        "--fill " + name + "=" + contents);
                !sound)
                return sound;
        }
        return {};
    }

    Result<void> check_name(const char* option, const std::string& name, const std::string& value,
                            const std::vector<std::string>& known) const {
        if (std::find(known.begin(), known.end(), name) != known.end()) return {};
        const auto number =
            std::find_if(made_.arguments.begin(), made_.arguments.end(),
                         [&](const KernelArgument& each) { return each.name == name && !each.is_memory(); });
        const std::string words = std::string(option) + " " + name + "=" + value + ": " + kernel_title() +
                                  " has no pointer parameter '" + name + "'";
        return error_at(stated_.file.empty() ? text_.file : stated_.file, stated_.line, 0, words,
                        number != made_.arguments.end() ? "it is a number: --set " + name + "=N"
                                                        : lesson::suggestion(name, known));
    }

    // The sizes follow from the stated counts, then these replace what was measured.
    Result<void> take_counts() {
        for (const std::string& size : made_.sizes)
            fit_size(size);
        for (const auto& part : text_.parts.counts) {
            const std::string &name = part.first, &text = part.second;
            const std::string shown = "--count " + name + "=" + text;
            const auto of = std::find_if(made_.arguments.begin(), made_.arguments.end(),
                                         [&](const KernelArgument& each) { return each.name == name; });
            if (of->dimensions > 1)
                return error(
                    shown + ": " + name + " is an array of " + std::to_string(of->dimensions) + " dimensions",
                    "state its extent: --set " + made_.extent + "=N");
            const auto count = lesson::evaluate(plain(text), names_of(values_of(0), block_[0]), shown);
            if (!count) return count.diagnostics();
            if (*count < 1) return error(shown + ": a buffer has at least 1 element");
            counts_[name] = text;
            guessed_counts_.erase(name);
        }
        return {};
    }

    // Gives a size the largest value for which the kernel stays within the buffers whose counts are stated.
    void fit_size(const std::string& size) {
        constexpr std::int64_t most_size = std::int64_t{1} << 31;
        for (const KernelArgument& each : made_.arguments)
            if (each.name == size && each.value) return;  // host code passes it
        if (exceeded_.contains(size)) return;
        std::optional<std::int64_t> fitting;
        for (const auto& part : text_.parts.counts) {
            const std::string& name = part.first;
            const auto stated = lesson::evaluate(plain(part.second), {}, text_.file);
            if (!stated || counts_.at(name).find(size) == std::string::npos) continue;
            const auto fits = [&](std::int64_t value) {
                lesson::Names names = names_of(values_of(0), block_[0]);
                names[size] = value;
                const auto needed = lesson::evaluate(plain(counts_.at(name)), names, text_.file);
                return needed && *needed <= *stated;
            };
            std::int64_t low = 1, high = most_size;
            while (low < high) {
                const std::int64_t middle = low + (high - low + 1) / 2;
                if (fits(middle))
                    low = middle;
                else
                    high = middle - 1;
            }
            fitting = std::min(fitting.value_or(low), low);
        }
        if (!fitting) return;
        // Without a guard, every thread of the last block has an element.
        if (is_own(size) && *fitting > block_[0])
            *fitting -= *fitting % block_[0];
        else if (is_own(size) && stated_.block.empty() && !required_)
            block_ = {*fitting, 1, 1};
        fitted_[size] = *fitting;
    }

    // --- names of its own ----------------------------------------------------------------------------------

    // A size that the kernel does not have: of a kernel without sizes, whose threads say how far it reaches.
    void choose_names() {
        block_name_ = made_.free_name("block");
        if (made_.sizes.empty() && stated_.grid.empty() && reads_block() && facts_.threads[0]) {
            own_size_ = made_.free_name("n");
            made_.sizes.push_back(own_size_);
        }
    }

    bool reads_block() const {
        return std::any_of(facts_.blocks.begin(), facts_.blocks.end(),
                           [](const AxisFacts& each) { return each.used; });
    }

    bool is_own(const std::string& size) const { return size == own_size_; }

    // --- arrays of the module ------------------------------------------------------------------------------

    // __constant__ and __device__ arrays without initial values that some code uses.
    void read_arrays() {
        constexpr std::uint64_t most_bytes = 4u << 20;
        for (std::uint32_t i = 0; i < code_.module.variables.size(); ++i) {
            const ptx::Variable& variable = code_.module.variables[i];
            const bool space = variable.space == ptx::Space::const_ || variable.space == ptx::Space::global;
            const ptx::DebugSymbol* symbol = code_.debug.find_symbol(variable.name);
            const std::uint64_t bytes = variable.size_bytes();
            if (!space || !variable.is_array || !variable.initial.empty() || bytes == 0 ||
                bytes > most_bytes || symbol == nullptr || symbol->type == 0 ||
                !lesson::is_identifier(symbol->name) || !uses(i) ||
                made_.free_name(symbol->name) != symbol->name)
                continue;
            std::vector<std::uint64_t> extents;
            const TypeId element = code_.debug.types.element_of(symbol->type, extents);
            const auto form = element_form(code_.debug.types, element);
            if (!form || extents.empty()) continue;
            lesson::Buffer buffer = form->buffer;
            buffer.name = symbol->name;
            buffer.space = variable.space == ptx::Space::const_ ? "constant" : "device";
            buffer.count = plain(std::to_string(bytes / lesson::element_type(buffer.type)->bytes()));
            fill_as_stated(buffer);
            arrays_.push_back(std::move(buffer));
        }
    }

    bool uses(std::uint32_t variable) const {
        const auto refers = [&](const ptx::Operand& operand) {
            return operand.refers.kind == ptx::Reference::Kind::variable && operand.refers.index == variable;
        };
        return std::any_of(
            code_.module.functions.begin(), code_.module.functions.end(), [&](const auto& function) {
                if (function.kind == ptx::Function::Kind::entry && &function != &kernel_) return false;
                return std::any_of(function.instructions.begin(), function.instructions.end(),
                                   [&](const auto& each) {
                                       return std::any_of(each.operands.begin(), each.operands.end(), refers);
                                   });
            });
    }

    // --- the block -----------------------------------------------------------------------------------------

    bool uses_threads() const { return facts_.threads[0] || facts_.threads[1] || facts_.threads[2]; }

    std::size_t thread_axes() const { return facts_.threads[2] ? 3 : facts_.threads[1] ? 2 : 1; }

    std::int64_t most_threads() const {
        return most_ ? std::min<std::int64_t>(threads_of(*most_), 1024) : 1024;
    }

    std::optional<BlockSize> block_of_host() const {
        if (stated_.block.empty()) return std::nullopt;
        BlockSize block{1, 1, 1};
        for (std::size_t axis = 0; axis < std::min<std::size_t>(3, stated_.block.size()); ++axis) {
            const auto value = lesson::evaluate(plain(stated_.block[axis]), {}, text_.file);
            if (!value) return std::nullopt;
            block[axis] = *value;
        }
        return block;
    }

    // Returns the sizes of blocks that are worth a trial, the likeliest first.
    std::vector<BlockSize> blocks_to_try() const {
        std::vector<BlockSize> blocks;
        if (stated_.template_block) blocks.push_back({*stated_.template_block, 1, 1});
        BlockSize tiles{1, 1, 1};
        bool all = true;
        for (std::size_t axis = 0; axis < thread_axes(); ++axis) {
            const auto& tile = facts_.blocks[axis].tile;
            all = all && tile && facts_.threads[axis];
            if (tile) tiles[axis] = *tile;
        }
        if (all) blocks.push_back(tiles);
        if (thread_axes() == 1 && facts_.blocks[0].tile && facts_.blocks[1].tile)
            blocks.insert(blocks.begin(), {*facts_.blocks[0].tile * *facts_.blocks[1].tile, 1, 1});
        // Without an index of its own, each further thread would do the same again.
        if (!uses_threads() && (reads_block() || !facts_.atomic))
            blocks.insert(blocks.begin(),
                          BlockSize{facts_.warp_wide ? std::int64_t{trace::warp_size} : 1, 1, 1});
        // Threads that share memory and order it by their warp alone are one warp.
        if (facts_.warp_wide && facts_.shared && !facts_.block_barrier && thread_axes() == 1)
            blocks.insert(blocks.begin(), BlockSize{trace::warp_size, 1, 1});
        std::vector<BlockSize> usual{{64, 1, 1},  {32, 1, 1}, {128, 1, 1},
                                     {256, 1, 1}, {16, 1, 1}, {512, 1, 1}};
        if (thread_axes() == 2) usual = {{16, 16, 1}, {8, 8, 1}, {32, 8, 1}, {32, 32, 1}, {4, 4, 1}};
        if (thread_axes() == 3) usual = {{8, 4, 4}, {4, 4, 4}, {8, 8, 8}};
        // Lanes along x.
        if (facts_.warp_wide && thread_axes() == 2) usual.insert(usual.begin(), {32, 4, 1});
        if (facts_.warp_wide && thread_axes() == 3) usual.insert(usual.begin(), {32, 2, 2});
        blocks.insert(blocks.end(), usual.begin(), usual.end());
        std::erase_if(blocks, [&](const BlockSize& each) {
            return threads_of(each) > most_threads() || threads_of(each) < 1;
        });
        if (blocks.empty()) blocks.push_back({most_threads(), 1, 1});
        return blocks;
    }

    // A block that the trials do not change is a parameter.
    bool block_is_parameter() const {
        return stated_.block.empty() && !required_ && thread_axes() == 1 && !block_found_ &&
               !stated_.template_block && !(facts_.blocks[0].tile && facts_.threads[0]);
    }

    // Runs the launch with a block and the sizes of a round; what it touched.
    Result<Touched> attempt(const BlockSize& block, int round = 0, std::int64_t block_value = 0) {
        block_ = block;
        Values values = values_of(round);
        if (block_value != 0) values[block_name_] = block_value;
        const Result<TrialRun> run = attempt_(trial_front(values));
        if (!run) return run.diagnostics();
        std::map<std::string, std::uint32_t> whole;
        for (const KernelArgument& each : made_.arguments)
            if (const auto type = lesson::element_type(each.form.type);
                each.kind == Kind::buffer && each.cells == 1 && type && !type->floating() &&
                type->components == 1)
                whole[each.name] = type->bytes();
        return measure(*run, whole);
    }

    // How bad the problems of a trial are that another block may avoid: shared arrays that it does not fit.
    // Others stay to be found.
    static int badness(const Touched& touched) {
        int worst = 0;
        for (const trace::Problem& problem : touched.problems) {
            if (problem.note) continue;
            const bool shared = problem.space == trace::Space::shared;
            if (problem.kind == trace::ProblemKind::launch_config ||
                problem.kind == trace::ProblemKind::deadlock ||
                (shared && problem.kind == trace::ProblemKind::out_of_bounds))
                worst = 2;
            else if (shared && problem.kind == trace::ProblemKind::uninitialised)
                worst = std::max(worst, 1);
        }
        return worst;
    }

    // "K / 4" threads: K follows from the template's argument that says how many, else they follow from K.
    void settle_block() {
        if (!stated_.block.empty() || required_ || stated_.sized_block.empty()) return;
        const auto threads = [&](const Values& values) -> std::optional<std::int64_t> {
            std::int64_t all = 1;
            for (const std::string& each : stated_.sized_block) {
                const auto value = lesson::evaluate(plain(each), names_of(values, block_[0]), text_.file);
                if (!value || *value < 1 || *value > most_1d) return std::nullopt;
                all *= *value;
            }
            return all <= most_threads() ? std::optional(all) : std::nullopt;
        };
        Values values = values_of(0);
        std::vector<std::string> used;
        for (const std::string& size : made_.sizes) {
            const bool named = std::any_of(stated_.sized_block.begin(), stated_.sized_block.end(),
                                           [&](const std::string& each) { return mentions(each, size); });
            if (named) used.push_back(size);
        }
        if (used.empty()) return;
        if (stated_.template_block && used.size() == 1) {
            constexpr std::int64_t most_size = 1 << 14;
            std::int64_t& size = values[used[0]];
            for (size = 1; size < most_size && threads(values) != *stated_.template_block;)
                ++size;
        }
        if (!threads(values)) return;
        if (stated_.template_block && threads(values) != *stated_.template_block) return;
        for (const std::string& size : used)
            fitted_[size] = values[size];
        for (const std::string& each : stated_.sized_block)
            stated_.block.push_back(
                std::to_string(*lesson::evaluate(plain(each), names_of(values, block_[0]), text_.file)));
    }

    // Whether an expression has the name as a word of its own.
    static bool mentions(const std::string& text, const std::string& name) {
        const auto is_part = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
            const bool begins = at == 0 || !is_part(text[at - 1]);
            const std::size_t end = at + name.size();
            if (begins && (end == text.size() || !is_part(text[end]))) return true;
        }
        return false;
    }

    Result<void> choose_block() {
        settle_block();
        const std::optional<BlockSize> host = block_of_host();
        const std::vector<BlockSize> blocks = host        ? std::vector{*host}
                                              : required_ ? std::vector{*required_}
                                                          : blocks_to_try();
        Result<Touched> first = attempt(blocks.front());
        if (!first) return first.diagnostics();
        // A kernel whose work grows with its sizes gets smaller ones.
        while (!first->ended && !made_.sizes.empty() && shrink_ < 2) {
            ++shrink_;
            first = attempt(blocks.front());
            if (!first) return first.diagnostics();
        }
        if (learn_contents(*first)) {
            const Touched before = std::move(*first);
            first = attempt(blocks.front());
            if (!first) return first.diagnostics();
            forget_offsets(before, *first);
        }
        touched_ = *first;
        if (blocks.size() == 1) return {};
        std::vector<BlockSize> fitting = first->fitting;
        std::erase_if(fitting, [&](const BlockSize& each) { return threads_of(each) > most_threads(); });
        block_found_ = !fitting.empty();
        block_fits_ = block_found_ && first->fitting_exactly;
        // Rough ones are a hint only.
        if (block_found_ && !first->fitting_exactly)
            fitting.insert(fitting.end(), blocks.begin(), blocks.end());
        if (block_found_ || (badness(*first) > 0 && first->ended))
            if (Result<void> tried = try_blocks(block_found_ ? fitting : blocks); !tried) return tried;
        return follow_stride();
    }

    // Loops with a stride that is smaller than the block say how many threads the block has.
    Result<void> follow_stride() {
        const std::int64_t stride = touched_.loop_stride.value_or(0);
        if (stride < 2 || stride >= threads_of(block_) || block_[2] > 1) return {};
        BlockSize block{stride, 1, 1};
        if (block_[1] > 1) {
            if (stride % block_[0] != 0) return {};
            block = {block_[0], stride / block_[0], 1};
        }
        const BlockSize before = block_;
        Result<Touched> touched = attempt(block);
        if (!touched) return touched.diagnostics();
        if (touched->loop_stride || !touched->ended || badness(*touched) > badness(touched_)) {
            block_ = before;
            return {};
        }
        block_found_ = block_fits_ = true;
        touched_ = std::move(*touched);
        return {};
    }

    // Offsets lead the code to other places: if they change nothing, a thread only reads two neighbours.
    void forget_offsets(const Touched& before, const Touched& now) {
        const bool same =
            before.ended && now.ended && before.warp_instructions == now.warp_instructions &&
            std::all_of(now.buffers.begin(), now.buffers.end(), [&](const auto& each) {
                const auto known = before.buffers.find(each.first);
                return known != before.buffers.end() && known->second.end_bytes == each.second.end_bytes;
            });
        if (!same) return;
        for (auto& [name, contents] : contents_)
            if (contents == Contents::offsets) contents = Contents::varied, plain_.insert(name);
    }

    // Takes the first block whose trial has the mildest problems.
    Result<void> try_blocks(const std::vector<BlockSize>& blocks) {
        std::optional<BlockSize> best;
        int least = std::numeric_limits<int>::max();
        for (const BlockSize& block : blocks) {
            Result<Touched> touched = attempt(block);
            if (!touched) return touched.diagnostics();
            const int bad = badness(*touched);
            if (bad >= least) continue;
            least = bad;
            best = block;
            touched_ = std::move(*touched);
            if (bad == 0) break;
        }
        block_ = best.value_or(blocks.front());
        return {};
    }

    std::uint64_t element_bytes(const std::string& name) const {
        for (const KernelArgument& each : made_.arguments)
            if (each.name == name) return each.element_bytes();
        return 0;
    }

    // Sets the contents that fit what the code does with a buffer; whether that changes a trial.
    bool learn_contents(const Touched& touched) {
        bool changed = false;
        for (const auto& [name, use] : touched.buffers) {
            // Flags and totals begin with zero.
            const bool total = use.read && use.written && use.end_bytes <= element_bytes(name);
            const Contents wanted = total                                   ? Contents::zero
                                    : use.offsets && !plain_.contains(name) ? Contents::offsets
                                    : use.read                              ? Contents::varied
                                                                            : Contents::zero;
            const auto known = contents_.try_emplace(name, Contents::varied).first;
            changed =
                changed || (known->second != wanted && (wanted == Contents::offsets || use.updated || total));
            known->second = wanted;
        }
        return changed;
    }

    // --- sizes and the grid --------------------------------------------------------------------------------

    std::optional<std::int64_t> tile_of(std::size_t axis) const {
        if (facts_.blocks[axis].times_block) return block_[axis];
        return facts_.blocks[axis].tile;
    }

    std::string tile_text(std::size_t axis) const {
        if (axis == 0 && facts_.blocks[0].times_block && block_is_parameter()) return block_name_;
        const auto tile = tile_of(axis);
        return tile ? std::to_string(*tile) : std::string();
    }

    std::string size_with_sense(NameSense sense) const {
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::size && sense_of(each.name) == sense) return each.name;
        return "";
    }

    bool uses_planes() const { return facts_.blocks[1].used || facts_.threads[1]; }

    // The size that the indices of an axis run over; empty: none is known.
    std::string size_of(std::size_t axis) const {
        std::string product;
        for (const std::size_t word : facts_.blocks[axis].sizes)
            if (const std::string name = made_.size_of_word(word, facts_); !name.empty())
                product += (product.empty() ? "" : " * ") + name;
        if (!product.empty()) return product;
        const std::string width = size_with_sense(NameSense::width),
                          height = size_with_sense(NameSense::height);
        if (uses_planes() && axis < 2 && !width.empty() && !height.empty()) return axis == 0 ? width : height;
        if (!uses_planes() && !width.empty() && !height.empty()) return width + " * " + height;
        return made_.sizes.empty() ? std::string() : made_.sizes[std::min(axis, made_.sizes.size() - 1)];
    }

    // What host code computes from variables of its own, where the code of the kernel does not say how far
    // its indices run.
    std::string open_extent(std::size_t axis) const {
        const AxisFacts& facts = facts_.blocks[axis];
        const bool known = !facts.sizes.empty() || facts.times_block || facts.tile;
        if (axis >= stated_.open_grid.size() || (known && !only_divides())) return {};
        return stated_.open_grid[axis];
    }

    // Whether the grid shrinks where the variable grows: then it is large, for a grid of one part.
    bool is_divisor(const std::string& name) const {
        return std::any_of(stated_.open_grid.begin(), stated_.open_grid.end(), [&](const std::string& each) {
            return each.find("/ " + name) != each.npos || each.find(", " + name + ")") != each.npos;
        });
    }

    // Whether the grid depends on the host's variables only so: then it follows from the sizes.
    bool only_divides() const {
        return std::all_of(stated_.open_names.begin(), stated_.open_names.end(),
                           [&](const std::string& name) { return is_divisor(name); });
    }

    // The grid as host code computes it.
    const std::vector<std::string>& grid_of_host() const {
        return stated_.grid.empty() && only_divides() ? stated_.open_grid : stated_.grid;
    }

    // The host's variables that the grid depends on.
    std::vector<std::string> open_names() const {
        std::vector<std::string> used;
        for (const std::string& name : stated_.open_names)
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (facts_.blocks[axis].used && mentions(open_extent(axis), name)) {
                    used.push_back(name);
                    break;
                }
        return used;
    }

    std::string grid_of(std::size_t axis) const {
        if (!stated_.grid.empty()) return axis < stated_.grid.size() ? stated_.grid[axis] : "1";
        const AxisFacts& facts = facts_.blocks[axis];
        if (!facts.used) return "1";
        if (const std::string open = open_extent(axis); !open.empty()) return open;
        const std::string size = size_of(axis), tile = tile_text(axis);
        if (size.empty()) return "2";  // it tells blocks apart, and nothing says how many there are
        std::string blocks = size;
        if (!tile.empty()) {
            blocks = ceil_div(size, tile);
            if (facts.divided && made_.sizes.size() > 1) blocks += " * " + ceil_div(made_.sizes[1], tile);
        } else if (facts.sizes.empty() && axis == 0 && facts_.threads[0]) {
            blocks = ceil_div(size, block_is_parameter() ? block_name_ : std::to_string(block_[0]));
        }
        if (cluster_ && (*cluster_)[axis] > 1) {
            const std::string of = std::to_string((*cluster_)[axis]);
            return ceil_div(blocks, of) + " * " + of;
        }
        return blocks;
    }

    static std::string ceil_div(const std::string& size, const std::string& tile) {
        return tile == "1" ? size : "ceil_div(" + size + ", " + tile + ")";
    }

    // The blocks of a grid of host code with constant extents.
    std::optional<std::int64_t> fixed_blocks() const {
        if (stated_.grid.empty()) return std::nullopt;
        std::int64_t blocks = 1;
        for (const std::string& each : stated_.grid) {
            const auto value = lesson::evaluate(plain(each), {}, text_.file);
            if (!value || *value < 1 || *value > most_grid_threads) return std::nullopt;
            blocks = std::min(blocks * *value, most_grid_threads);
        }
        return blocks;
    }

    // Code that is made for tiles takes whole ones: those of its template, or of matrices of half.
    std::int64_t tile_of_code() const {
        constexpr std::int64_t most = 128, most_tile_of_grid = 256;
        std::int64_t tile = facts_.half_matrices ? most : 0;
        const std::size_t first = code_.shown.find('<');
        for (std::size_t at = first; at < code_.shown.size(); ++at) {
            std::int64_t value = 0;
            const auto [end, failed] =
                std::from_chars(code_.shown.data() + at, code_.shown.data() + code_.shown.size(), value);
            if (failed != std::errc{}) continue;
            if (value <= most) tile = std::max(tile, value);
            at = static_cast<std::size_t>(end - code_.shown.data());
        }
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::computed) tile = std::max(tile, std::min(divisor_of(each.text), most));
        for (const std::string& each : grid_of_host()) {
            const bool guarded =
                std::any_of(made_.sizes.begin(), made_.sizes.end(),
                            [&](const std::string& size) { return mentions(each, size) && is_guard(size); });
            if (!guarded) tile = std::max(tile, std::min(divisor_of(each), most_tile_of_grid));
        }
        return tile;
    }

    // The tile of "ceil_div(N, 32)" and "N / Br".
    std::int64_t divisor_of(const std::string& text) const {
        std::size_t at = text.rfind(text.find("ceil_div(") != text.npos ? ", " : "/ ");
        if (at == text.npos) return 0;
        const std::string divisor = text.substr(at + 2, text.find_first_of(" )", at + 2) - at - 2);
        for (const KernelArgument& each : made_.arguments)
            if (each.name == divisor) return each.value.value_or(0);
        std::int64_t value = 0;
        std::from_chars(divisor.data(), divisor.data() + divisor.size(), value);
        return value;
    }

    // One large tile of a matrix is much work.
    bool large_tiles() const {
        constexpr std::int64_t large = 128;
        return uses_planes() && tile_of_code() >= large;
    }

    // A small size that fills whole blocks.
    std::int64_t usual_size() const {
        std::int64_t side = uses_planes() ? small_2d : small_1d;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const AxisFacts& facts = facts_.blocks[axis];
            const bool own_tile = facts.tile && !facts.times_block;
            if (facts.used && (own_tile || !block_is_parameter()))
                side = std::max(
                    side, (own_tile && large_tiles() ? 1 : 2) * (own_tile ? *facts.tile : block_[axis]));
        }
        if (!reads_block() && !block_is_parameter()) side = std::max(side, block_[0]);
        side = std::min(side, most_tile);
        const auto sizes = std::count_if(made_.arguments.begin(), made_.arguments.end(),
                                         [](const auto& each) { return each.kind == Kind::size; });
        if (sizes > 1 && !facts_.blocks[0].tile) side = std::min(side, 2 * small_1d);
        side = std::max(side, tile_of_code());
        // Host code that launches a fixed grid means as many elements.
        if (shrink_ > 0) return std::max({side >> (2 * shrink_), std::int64_t{4}, tile_of_code()});
        constexpr std::int64_t most = 4096;
        if (const auto blocks = fixed_blocks();
            blocks && stated_.grid.size() == 1 && stated_.block.size() == 1)
            if (*blocks * block_[0] <= most) return *blocks * block_[0];
        return side;
    }

    // Whether the kernel compares its indices with the size.
    bool is_guard(const std::string& size) const {
        return std::any_of(facts_.blocks.begin(), facts_.blocks.end(), [&](const AxisFacts& axis) {
            return std::any_of(axis.sizes.begin(), axis.sizes.end(),
                               [&](std::size_t word) { return made_.size_of_word(word, facts_) == size; });
        });
    }

    // Whether the code takes whole tiles of the size and only loops run over it.
    bool only_loops(const std::string& size) const {
        const std::vector<std::string>& grid = grid_of_host();
        return tile_of_code() > 1 && !grid.empty() && !is_guard(size) &&
               std::none_of(grid.begin(), grid.end(),
                            [&](const std::string& each) { return mentions(each, size); });
    }

    // Whether the size counts blocks beside variables of the host: "batch * heads".
    bool counts_blocks(const std::string& size) const {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const std::string open = open_extent(axis);
                mentions(open, size) && open.find('/') == open.npos && open.find("ceil_div(") == open.npos)
                return true;
        return false;
    }

    std::int64_t value_of(const KernelArgument& size) const {
        const std::int64_t common = only_loops(size.name) ? std::min(usual_size(), small_1d) : usual_size();
        const std::int64_t usual = common - (exceeded_.contains(size.name) ? 1 : 0);
        const std::int64_t most = fixed_blocks()  ? 1 << 16
                                  : uses_planes() ? 2 * usual
                                                  : std::max(usual, most_1d);
        const std::int64_t allowed = shrink_ > 0 ? std::min(most, usual) : most;
        return size.value && *size.value >= 1 && *size.value <= allowed ? *size.value : usual;
    }

    // The sizes of a run: those of the proposal, or in round 1 others, of which each is another.
    Values values_of(int round) const {
        Values values;
        for (const std::string& name : made_.sizes)
            values[name] = usual_size();
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::size) values[each.name] = value_of(each);
        std::int64_t number = 0, tiles = 1;
        const bool whole_tiles = tile_of_code() > 1 && !grid_of_host().empty();
        if (round == 1)
            for (auto& [name, value] : values) {
                if (whole_tiles && !is_guard(name)) {
                    value = in_tiles(name, value, tiles);
                    continue;
                }
                value = value <= small_1d ? value * 3 / 2 + number * (value / 2) : value >> (number + 1);
                if (cluster_) value *= 1 + threads_of(*cluster_);  // several clusters
                // A guard shows what it lets through where the last block is not full.
                if (value > 8 && is_guard(name)) value -= 3;
                if (value > vector_elements()) value -= value % vector_elements();
                value = std::max<std::int64_t>(value, 1);
                ++number;
            }
        for (const auto& [name, value] : fitted_)
            values[name] = value;
        number = round;
        std::vector<std::string> counts = open_names();
        std::copy_if(made_.sizes.begin(), made_.sizes.end(), std::back_inserter(counts),
                     [&](const std::string& size) { return !fitted_.contains(size) && counts_blocks(size); });
        for (const std::string& name : counts)
            values[name] = is_divisor(name) ? most_tile : round == 0 ? 2 : number++ % 2 == 1 ? 3 : 1;
        return values;
    }

    // Whole tiles, in each direction of the grid some more; what only loops run over becomes short.
    std::int64_t in_tiles(const std::string& size, std::int64_t value, std::int64_t& tiles) const {
        constexpr std::int64_t short_side = 32;
        const std::int64_t tile = tile_of_code();
        if (!only_loops(size)) return (value / tile + tiles++) * tile;
        return value > short_side ? std::max(value / 4 / short_side * short_side, short_side)
                                  : value + tiles++ * tile;
    }

    // The elements of the widest access of a thread, of which sizes are multiples.
    std::int64_t vector_elements() const {
        std::int64_t most = 1;
        for (const KernelArgument& each : made_.arguments) {
            if (each.kind != Kind::buffer || each.word >= facts_.words.size()) continue;
            const std::uint64_t bytes = std::max<std::uint64_t>(1, each.element_bytes());
            most = std::max(most, static_cast<std::int64_t>(facts_.words[each.word].width_bytes / bytes));
        }
        return most;
    }

    // --- buffers -------------------------------------------------------------------------------------------

    static std::uint64_t trial_elements(const KernelArgument& each) {
        return trial_buffer_bytes / std::max<std::uint64_t>(1, each.element_bytes());
    }

    lesson::FrontMatter trial_front(const Values& values) const {
        Counts counts;
        for (const KernelArgument& each : made_.arguments)
            if (each.is_memory())
                counts[each.name] =
                    std::to_string(each.kind == Kind::table ? trial_table_rows : trial_elements(each));
        return front_with(counts, values,
                          facts_.dynamic_shared && stated_.shared.empty() ? trial_shared_bytes : 0);
    }

    // Names that expressions may have, with their values in a run.
    lesson::Names names_of(const Values& values, std::int64_t block_value) const {
        lesson::Names names(values.begin(), values.end());
        names[block_name_] = block_value;
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::whole) names[each.name] = each.value.value_or(1);
        return names;
    }

    std::vector<std::string> bases() const {
        const std::vector<std::string>& sizes = made_.sizes;
        std::vector<std::string> texts(sizes.begin(), sizes.end());
        std::string blocks, threads;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::string grid = grid_of(axis);
            if (grid != "1") blocks += (blocks.empty() ? "" : " * ") + grid;
        }
        const std::string block = block_is_parameter() ? block_name_ : std::to_string(threads_of(block_));
        if (!blocks.empty()) texts.push_back(blocks);
        if (cluster_ && !blocks.empty())
            texts.push_back("(" + blocks + ") / " + std::to_string(threads_of(*cluster_)));
        texts.push_back(block);
        if (!blocks.empty()) texts.push_back(blocks + " * " + block);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const std::string tile = tile_text(axis); !tile.empty() && facts_.blocks[axis].used)
                texts.push_back(tile + " * " + grid_of(axis));
        for (std::size_t i = 0; i < sizes.size(); ++i)
            for (std::size_t j = i; j < sizes.size(); ++j)
                texts.push_back(std::min(sizes[i], sizes[j]) + " * " + std::max(sizes[i], sizes[j]));
        for (const std::string& size : sizes)
            if (!blocks.empty()) texts.push_back(blocks + " * " + size);
        if (!open_names().empty())
            for (std::size_t i = 0; i < sizes.size(); ++i)
                for (std::size_t j = i; j < sizes.size(); ++j)
                    texts.push_back(blocks + " * " + std::min(sizes[i], sizes[j]) + " * " +
                                    std::max(sizes[i], sizes[j]));
        if (sizes.size() > 2) texts.push_back(sizes[0] + " * " + sizes[1] + " * " + sizes[2]);
        for (const std::string& size : sizes)
            texts.push_back(size + " * " + size + " * " + size);
        return texts;
    }

    Result<void> measure_buffers() {
        learn_contents(touched_);
        const Values first = values_of(0), second = values_of(1);
        const std::int64_t other_block =
            block_is_parameter() ? std::max<std::int64_t>(block_[0] / 2, 1) : block_[0];
        const BlockSize block = block_;
        const Result<Touched> again = attempt(block, 1, block_is_parameter() ? other_block : 0);
        if (!again) return again.diagnostics();
        const SizeChoice choice(bases(), names_of(first, block[0]), names_of(second, other_block));
        for (const KernelArgument& each : made_.arguments) {
            if (!each.is_memory()) continue;
            const std::uint64_t bytes = std::max<std::uint64_t>(1, each.element_bytes());
            const auto elements = [&](const Touched& touched) -> std::uint64_t {
                const auto found = touched.buffers.find(each.name);
                return found == touched.buffers.end() ? 0 : (found->second.end_bytes + bytes - 1) / bytes;
            };
            counts_[each.name] = count_of(each, choice, elements(touched_), elements(*again), first, second);
        }
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::table) counts_[each.rows] = product(counts_[each.name], row_length());
        if (facts_.dynamic_shared && stated_.shared.empty()) {
            const auto words = [](const Touched& touched) { return (touched.shared_bytes + 3) / 4; };
            shared_ = choice.covering(words(touched_), words(*again)).times(4);
        }
        return {};
    }

    std::string count_of(const KernelArgument& each, const SizeChoice& choice, std::uint64_t first,
                         std::uint64_t second, const Values& values, const Values& others) {
        if (each.dimensions > 1) return power(made_.extent, each.dimensions);
        // What host code allocates is what the kernel may use, where no size is smaller than host code's.
        if (each.allocated_bytes &&
            *each.allocated_bytes >= static_cast<std::int64_t>(each.element_bytes()) && !shortened(values)) {
            const auto elements = static_cast<std::uint64_t>(*each.allocated_bytes) / each.element_bytes();
            const std::string text = choice.equal(elements);
            return text.empty() ? std::to_string(elements) : text;
        }
        guessed_counts_.insert(each.name);
        if (first == 0 && second == 0)
            return made_.sizes.empty() ? std::to_string(threads_of(block_)) : made_.sizes.front();
        // One element more than a size of the kernel is more likely a mistake than meant, except where rows
        // begin. The size is then such that a thread reaches that element.
        const Contents contents = contents_.contains(each.name) ? contents_.at(each.name) : Contents::varied;
        for (const std::string& size : made_.sizes) {
            const auto one = static_cast<std::uint64_t>(values.at(size)),
                       two = static_cast<std::uint64_t>(others.at(size));
            if (is_own(size) || contents == Contents::offsets || first < one || first > one + 1 ||
                second != two + 1)
                continue;
            exceeded_.insert(size);
            return size;
        }
        if (std::string plane = exceeded_plane(first, second, values, others); !plane.empty()) return plane;
        return choice.covering(first, second).whole();
    }

    // The same for rows: "rows * columns" where the second run used one row, or one element, more.
    std::string exceeded_plane(std::uint64_t first, std::uint64_t second, const Values& values,
                               const Values& others) {
        for (const std::string& rows : made_.sizes)
            for (const std::string& columns : made_.sizes) {
                if (rows == columns || is_own(rows) || is_own(columns)) continue;
                const auto one = static_cast<std::uint64_t>(values.at(rows) * values.at(columns)),
                           two = static_cast<std::uint64_t>(others.at(rows) * others.at(columns)),
                           row = static_cast<std::uint64_t>(others.at(columns));
                const bool more_rows = second == two + row || second == two + row + 1;
                if (first < one || first > one + row + 1 || (!more_rows && second != two + 1)) continue;
                exceeded_.insert(more_rows ? rows : columns);
                return std::min(rows, columns) + " * " + std::max(rows, columns);
            }
        return {};
    }

    bool shortened(const Values& values) const {
        return std::any_of(made_.arguments.begin(), made_.arguments.end(), [&](const KernelArgument& each) {
            return each.kind == Kind::size && each.value && values.at(each.name) < *each.value;
        });
    }

    // The elements of each row that a table points to.
    std::string row_length() const {
        return made_.sizes.empty() ? std::to_string(small_1d) : made_.sizes.back();
    }

    static std::string power(const std::string& size, std::uint32_t exponent) {
        std::string text = size;
        for (std::uint32_t i = 1; i < exponent; ++i)
            text += " * " + size;
        return text;
    }

    // --- the front matter ----------------------------------------------------------------------------------

    // `values`: instead of the usual ones. `shared`: instead of what was measured.
    lesson::FrontMatter front_with(const Counts& counts, const Values& values,
                                   std::optional<std::uint64_t> shared) const {
        lesson::FrontMatter front;
        const Values usual = values_of(0);
        const auto value = [&](const std::string& name) {
            return values.contains(name) ? values.at(name) : usual.at(name);
        };
        std::vector<std::string> sizes = made_.sizes;
        const std::vector<std::string> open = open_names();
        sizes.insert(sizes.end(), open.begin(), open.end());
        for (const std::string& name : sizes) {
            lesson::Parameter parameter;
            parameter.name = name;
            parameter.default_value = value(name);
            parameter.min = 1;
            front.parameters.push_back(std::move(parameter));
        }
        if (block_is_parameter()) front.parameters.push_back(block_parameter(values));
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::whole) {
                front.parameters.emplace_back();
                front.parameters.back().name = each.name;
                front.parameters.back().default_value = each.value.value_or(1);
            }
        for (const KernelArgument& each : made_.arguments) {
            if (each.is_memory()) front.buffers.push_back(buffer_for(each, counts));
            if (each.kind == Kind::fixed) front.buffers.push_back(fixed_buffer(each));
        }
        for (const KernelStructure& each : made_.structures)
            front.buffers.push_back(structure_buffer(each));
        front.buffers.insert(front.buffers.end(), arrays_.begin(), arrays_.end());
        front.launches.push_back(launch(front, counts, shared));
        return front;
    }

    lesson::Parameter block_parameter(const Values& values) const {
        lesson::Parameter parameter;
        parameter.name = block_name_;
        parameter.default_value = values.contains(block_name_) ? values.at(block_name_) : block_[0];
        parameter.choices = {32, 64, 128, 256, 512, 1024};
        std::erase_if(parameter.choices, [&](std::int64_t each) { return each > most_threads(); });
        if (std::find(parameter.choices.begin(), parameter.choices.end(), parameter.default_value) ==
            parameter.choices.end())
            parameter.choices.clear();
        return parameter;
    }

    lesson::LaunchSpec launch(lesson::FrontMatter& front, const Counts& counts,
                              std::optional<std::uint64_t> shared) const {
        lesson::LaunchSpec spec;
        spec.kernel = code_.shown;
        spec.line = stated_.line;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            spec.grid.push_back(plain(grid_of(axis)));
            spec.block.push_back(
                plain(axis == 0 && block_is_parameter() ? block_name_ : std::to_string(block_[axis])));
        }
        while (spec.grid.size() > 1 && spec.grid.back().text == "1")
            spec.grid.pop_back();
        while (spec.block.size() > 1 && spec.block.back().text == "1")
            spec.block.pop_back();
        if (!stated_.grid.empty() && text_.parts.grid.empty()) fit_grid(front, spec);
        spec.shared = plain(shared && *shared > 0    ? std::to_string(*shared)
                            : stated_.shared.empty() ? shared_
                                                     : stated_.shared);
        for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i)
            spec.args.push_back(plain(argument(i, counts)));
        keep_positive(front, spec);
        spec.cooperative = facts_.grid_barrier;
        spec.resident = plain("0");
        return spec;
    }

    // A grid of host code may be empty for small sizes ("n / 256"), or have millions of threads.
    void fit_grid(const lesson::FrontMatter& front, lesson::LaunchSpec& spec) const {
        lesson::Names names;
        for (const lesson::Parameter& parameter : front.parameters)
            names[parameter.name] = parameter.default_value;
        std::int64_t threads = threads_of(block_);
        for (std::size_t axis = 0; axis < spec.grid.size(); ++axis) {
            lesson::Expression& extent = spec.grid[axis];
            const auto value = lesson::evaluate(extent, names, text_.file);
            if (value && *value < 1) extent.text = "max(1, " + extent.text + ")";
            const std::int64_t blocks = value ? std::max<std::int64_t>(*value, 1) : 1;
            threads = std::min(threads * std::min(blocks, most_grid_threads), most_grid_threads + 1);
            if (!cluster_ || (*cluster_)[axis] < 2 || blocks % (*cluster_)[axis] == 0) continue;
            const std::int64_t of = (*cluster_)[axis];
            extent.text = extent.text == std::to_string(blocks)
                              ? std::to_string((blocks + of - 1) / of * of)
                              : ceil_div(extent.text, std::to_string(of)) + " * " + std::to_string(of);
        }
        if (threads <= most_grid_threads) return;
        for (lesson::Expression& extent : spec.grid)
            if (const auto value = lesson::evaluate(extent, names, text_.file))
                extent.text = std::to_string(std::min<std::int64_t>(*value, 4));
    }

    // What host code computes may be zero for small sizes: "n / 256".
    void keep_positive(const lesson::FrontMatter& front, lesson::LaunchSpec& spec) const {
        lesson::Names names;
        for (const lesson::Parameter& parameter : front.parameters)
            names[parameter.name] = parameter.default_value;
        for (std::uint32_t i = 0; i < spec.args.size(); ++i) {
            const std::size_t number = made_.of_parameter[i];
            if (number >= made_.arguments.size() || made_.arguments[number].kind != Kind::computed) continue;
            const auto value = lesson::evaluate(spec.args[i], names, text_.file);
            if (value && *value < 1) spec.args[i].text = "max(1, " + spec.args[i].text + ")";
        }
    }

    std::string argument(std::uint32_t parameter, const Counts& counts) const {
        const std::size_t number = made_.of_parameter[parameter];
        if (number >= made_.arguments.size()) return made_.structures[number - made_.arguments.size()].name;
        const KernelArgument& each = made_.arguments[number];
        if (each.dimensions > 0) return array_argument(each, parameter, counts.at(each.name));
        switch (each.kind) {
            case Kind::real:
                return real_value(each);
            case Kind::computed:
                return each.text;
            case Kind::unused:
                return "0";
            default:
                return each.name;
        }
    }

    static std::string real_value(const KernelArgument& each) {
        if (!each.literal.empty()) return each.literal;
        const std::string& name = each.name;
        const bool small = name.starts_with("eps") || name.starts_with("tol") || name == "dt" || name == "lr";
        return small ? "0.01" : "2.0";
    }

    // The parts of an array of Numba's are two addresses that only the host uses, items, their bytes, data,
    // shape, strides.
    std::string array_argument(const KernelArgument& each, std::uint32_t parameter,
                               const std::string& count) const {
        std::uint32_t first = parameter;
        while (first > 0 && made_.of_parameter[first - 1] == made_.of_parameter[parameter])
            --first;
        const std::uint32_t part = parameter - first;
        const std::uint64_t bytes = each.element_bytes();
        const bool trial = count == std::to_string(trial_elements(each));
        const std::string extent = each.dimensions == 1 && !trial ? count : made_.extent;
        if (part < 2) return "0";
        if (part == 2) return trial ? power(made_.extent, each.dimensions) : count;
        if (part == 3) return std::to_string(bytes);
        if (part == 4) return each.name;
        if (part < 5 + each.dimensions) return extent;
        std::string stride = std::to_string(bytes);
        for (std::uint32_t axis = part - 5 - each.dimensions + 1; axis < each.dimensions; ++axis)
            stride += " * " + extent;
        return stride;
    }

    lesson::Buffer buffer_for(const KernelArgument& each, const Counts& counts) const {
        lesson::Buffer buffer = each.form;
        buffer.name = each.name;
        const std::string& count = counts.at(each.name);
        if (each.kind == Kind::table) {
            buffer.count = plain(count);
            buffer.addresses = {plain(each.rows + " + i * (" + row_length() + ")")};
            return buffer;
        }
        const std::string width = size_with_sense(NameSense::width),
                          height = size_with_sense(NameSense::height);
        const bool plane = count == width + " * " + height || count == height + " * " + width;
        if (each.dimensions == 2 && count == power(made_.extent, 2))
            buffer.shape = {plain(made_.extent), plain(made_.extent)};
        else if (plane && each.cells == 1)
            buffer.shape = {plain(height), plain(width)};
        else
            buffer.count = plain(product(std::to_string(each.cells), count));
        if (fill_as_stated(buffer)) return buffer;
        const auto known = contents_.find(each.name);
        const Contents contents = known == contents_.end() ? Contents::varied : known->second;
        if (contents != Contents::varied) {
            buffer.values.clear();
            buffer.init = plain(contents == Contents::zero ? "zero" : "iota(0, 2)");
        }
        return buffer;
    }

    bool fill_as_stated(lesson::Buffer& buffer) const {
        const auto fill = text_.parts.fills.find(buffer.name);
        if (fill == text_.parts.fills.end()) return false;
        buffer.values.clear();
        buffer.init = plain(fill->second);
        return true;
    }

    lesson::Buffer fixed_buffer(const KernelArgument& each) const {
        lesson::Buffer buffer = each.form;
        buffer.name = each.name;
        buffer.count = plain(std::to_string(each.cells));
        fill_as_stated(buffer);
        return buffer;
    }

    // Its words of eight bytes: addresses, or numbers of which several may share a word.
    lesson::Buffer structure_buffer(const KernelStructure& structure) const {
        std::vector<std::string> words(structure.size_bytes / 8, "0");
        for (const KernelStructure::Part& part : structure.parts) {
            const KernelArgument& each = made_.arguments[part.argument];
            if (each.kind == Kind::unused || part.offset / 8 >= words.size()) continue;
            std::string value = each.name;
            if (each.kind == Kind::real)
                value = part.bytes == 8 ? "0x4000000000000000" : "0x40000000";  // 2.0
            std::string& word = words[part.offset / 8];
            if (const std::uint64_t shift = part.offset % 8 * 8; shift > 0)
                value = "(" + value + " << " + std::to_string(shift) + ")";
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
        for (const KernelArgument& each : made_.arguments)
            if (wanted(each)) names += (names.empty() ? "" : ", ") + each.name;
        return names;
    }

    std::vector<std::string> notes(const lesson::FrontMatter& front) const {
        std::vector<std::string> notes;
        if (!made_.names_known)
            notes.emplace_back("the parameters have no names in the PTX; p0, p1, … are numbered");
        if (!made_.types_known)
            notes.emplace_back(
                "what the parameters mean follows from the code: an address is what memory is accessed "
                "at, a size is what indices are compared with or multiplied by");
        if (const std::string names = listed([](const auto& each) { return each.guessed; }); !names.empty())
            notes.push_back("the value of " + names + " is a guess; --set changes it");
        const auto measured = [&](const KernelArgument& each) {
            return guessed_counts_.contains(each.name) && !follows_sizes(counts_.at(each.name));
        };
        if (const std::string names = listed(measured); !names.empty())
            notes.push_back("the size of " + names + " follows from where trial runs accessed it");
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::table)
                notes.push_back(each.name + " points to " + counts_.at(each.name) + " rows of " +
                                row_length() + " elements, which is a guess");
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::buffer && each.cells > 1)
                notes.push_back("each element of " + each.name + ", a structure, is " +
                                std::to_string(each.cells) + " cells of type " + each.form.type);
        if (stated_.block.empty() && !required_ && text_.stated == nullptr)
            notes.push_back("the PTX does not say how many threads a block has; " +
                            std::to_string(threads_of(block_)) + " are a guess");
        if (facts_.dynamic_shared && stated_.shared.empty())
            notes.push_back("the size of the dynamic shared memory, " + shared_ + " bytes, is a guess");
        if (!stated_.grid.empty() && front.launches[0].grid[0].text != stated_.grid[0] &&
            fixed_blocks() == std::nullopt)
            notes.emplace_back("host code launches a larger grid; only its first blocks run");
        return notes;
    }

    bool follows_sizes(const std::string& count) const {
        return std::any_of(made_.sizes.begin(), made_.sizes.end(),
                           [&](const std::string& size) { return count.find(size) != std::string::npos; }) ||
               count.find(block_name_) != std::string::npos;
    }

    enum class Contents : std::uint8_t { varied, zero, offsets };

    const KernelCode& code_;
    const ptx::Function& kernel_;
    const KernelText& text_;
    lesson::StatedLaunch stated_;
    const TryLaunch& attempt_;
    const KernelFacts facts_;
    const std::optional<BlockSize> required_, most_, cluster_;
    KernelArguments made_;
    std::string block_name_, own_size_;
    std::vector<lesson::Buffer> arrays_;
    BlockSize block_{64, 1, 1};
    int shrink_ = 0;            // sizes are 4^shrink_ times smaller than usual
    bool block_found_ = false;  // it follows from the shared arrays or from loops
    bool block_fits_ = false;   // exactly
    Touched touched_;
    std::map<std::string, Contents> contents_;
    std::set<std::string> plain_;  // buffers that hold no offsets, although neighbours are read
    Counts counts_;
    std::set<std::string> guessed_counts_;
    std::map<std::string, std::int64_t> fitted_;  // sizes that follow from stated counts
    std::set<std::string> exceeded_;              // sizes that the code exceeds by one element
    std::string shared_ = "0";
};

}  // namespace

Result<Proposal> propose_launch(const KernelCode& code, const KernelText& text, const TryLaunch& attempt) {
    return Proposer(code, text, attempt).run();
}

}  // namespace lanescope::execution
