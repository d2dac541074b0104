#include "lesson/proposal/kernel_proposal.h"

#include <algorithm>

#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/proposal/launch_choice.h"
#include "lesson/proposal/proposed_contents.h"

namespace lanescope::lesson {

namespace {

class KernelProposer : private LaunchChoice {
  public:
    using LaunchChoice::LaunchChoice;

    Result<FrontMatter> run() {
        if (Result<void> chosen = choose(); !chosen) return chosen.diagnostics();
        for (std::size_t i = 0; i < kernel_.params.size(); ++i)
            if (Result<void> added = add_argument(i); !added) return added.diagnostics();
        add_module_arrays();
        add_shared_memory();
        front_.launches.push_back(std::move(spec_));
        return std::move(front_);
    }

  private:
    // --- Arguments ---
    Result<void> add_argument(std::size_t index) {
        const KernelSignature::Param& parameter = kernel_.params[index];
        const TypeUse use = type_of(parameter);
        const std::string what = "'" + parameter.type + " " + parameter.name + "' of " + kernel_.name;
        if (use.pointers > 2) return by_hand(what + " points to pointers to pointers");
        if (use.reference) return by_hand(what + " is a reference, which only device code can pass");
        if (use.pointers == 2) return add_rows(index, use, what);
        if (use.pointers == 1) return add_buffer(index, use, what);
        if (is_whole(parameter)) {
            spec_.args.push_back(plain(names_.at(parameter.name)));
            return {};
        }
        const auto name = model_.element(use.name);
        const auto element = name ? element_type(*name) : std::nullopt;
        if (element && element->floating() && element->components == 1 && element->scalar_bytes > 2) {
            spec_.args.push_back(plain(real_argument(index)));
            return {};
        }
        return add_value(parameter, use, what);
    }

    std::string real_argument(std::size_t index) const {
        std::string literal;
        if (launch_ != nullptr && index < launch_->arguments.size() && launch_->arguments[index].size() == 1)
            literal = launch_->arguments[index][0].text;
        while (literal.ends_with('f') || literal.ends_with('F'))
            literal.pop_back();
        if (literal.ends_with('.')) literal += '0';
        if (real_literal(literal)) return literal;
        const std::string& name = kernel_.params[index].name;
        const bool small = name.starts_with("eps") || name.starts_with("tol") || name == "dt" || name == "lr";
        return small ? "0.01" : "2.0";
    }

    std::string unexplained(const std::string& what, const TypeUse& use) const {
        const std::optional<Layout> layout = model_.layout(use.name);
        if (layout && layout->pointers()) return what + " points to structures with pointers";
        if (use.name.find("exture") != std::string::npos || use.name.find("urface") != std::string::npos)
            return what + " is a texture or a surface, which the CPU machine does not know";
        return what + " is neither a number nor a pointer to numbers";
    }

    // A structure, a vector or a half, passed as the contents of a buffer.
    Result<void> add_value(const KernelSignature::Param& parameter, const TypeUse& use,
                           const std::string& what) {
        const std::optional<Layout> layout = model_.layout(use.name);
        if (layout && layout->pointers()) return add_structure(parameter, *layout, what);
        const auto form = element_form(model_, use.name, ContentsWish::varied);
        if (!form) return by_hand(unexplained(what, use));
        Buffer buffer = form->buffer;
        buffer.name = free_name(parameter.name);
        buffer.count = plain(std::to_string(form->cells));
        spec_.args.push_back(plain(buffer.name));
        front_.buffers.push_back(std::move(buffer));
        return {};
    }

    // What a pointer of a structure or of a table points to.
    Result<Buffer> target(const std::string& name, const TypeUse& use, const Polynomial& elements,
                          const std::string& what) {
        const auto form = element_form(model_, use.name, ContentsWish::varied);
        if (!form) return by_hand(unexplained(what, use));
        Buffer buffer = form->buffer;
        buffer.name = free_name(name);
        buffer.count =
            plain(Polynomial::product(elements, Polynomial(form->cells)).value_or(elements).text());
        return buffer;
    }

    // A structure by value that holds addresses: words of eight bytes.
    Result<void> add_structure(const KernelSignature::Param& parameter, const Layout& layout,
                               const std::string& what) {
        if (layout.bytes % 8 != 0) return by_hand(what + " is a structure of no whole words");
        std::vector<std::byte> bytes(layout.bytes);
        std::int64_t area = 1;
        for (const Leaf& leaf : layout.leaves) {
            const NameSense sense = sense_of(leaf.name);
            const bool size =
                sense == NameSense::size || sense == NameSense::width || sense == NameSense::height;
            const std::int64_t value = size ? usual_size() : usual_value(sense).value_or(1);
            if (size) area *= value;
            put_scalar(bytes, leaf, leaf.offset, static_cast<std::uint64_t>(value));
        }
        std::vector<Expression> words;
        for (std::uint64_t at = 0; at < layout.bytes; at += 8)
            words.push_back(plain(std::to_string(
                static_cast<std::int64_t>(load_integer(bytes, *element_type("ulong"), at / 8)))));
        const Polynomial elements = larger_of(Polynomial(area), fallback());
        for (const PointerLeaf& each : layout.addresses) {
            if (each.type.pointers > 1) return by_hand(what + " holds a pointer to pointers");
            Result<Buffer> buffer = target(parameter.name + "_" + each.name, each.type, elements, what);
            if (!buffer) return buffer.diagnostics();
            words[each.offset / 8] = plain(buffer->name);
            front_.buffers.push_back(std::move(*buffer));
        }
        Buffer buffer;
        buffer.name = free_name(parameter.name);
        buffer.type = "ulong";
        buffer.addresses = std::move(words);
        front_.proposal.notes.push_back("what " + buffer.name + " holds is a guess: sizes of " +
                                        std::to_string(usual_size()) + ", and pointers to " +
                                        elements.text() + " elements");
        spec_.args.push_back(plain(buffer.name));
        front_.buffers.push_back(std::move(buffer));
        return {};
    }

    // A pointer to pointers: a table of rows, which lie one behind the other.
    Result<void> add_rows(std::size_t index, const TypeUse& use, const std::string& what) {
        const std::string& name = kernel_.params[index].name;
        const Polynomial length = fallback(), rows = elements_of(index, name, sizeof(std::uint64_t));
        const auto all = Polynomial::product(rows, length);
        if (!all) return by_hand(what + " points to pointers, and it is not known to how many");
        Result<Buffer> elements = target(name + "_rows", use, *all, what);
        if (!elements) return elements.diagnostics();
        Buffer table;
        table.name = free_name(name);
        table.type = "ulong";
        table.count = plain(rows.text());
        table.addresses = {plain(elements->name + " + i * (" + length.text() + ")")};
        front_.proposal.notes.push_back(table.name + " points to " + rows.text() + " rows of " +
                                        length.text() + " elements, which is a guess");
        spec_.args.push_back(plain(table.name));
        front_.buffers.push_back(std::move(*elements));
        front_.buffers.push_back(std::move(table));
        return {};
    }

    ContentsWish wish_for(const std::string& name, bool constant) const {
        const auto found = facts_.pointers.find(name);
        if (found == facts_.pointers.end()) return constant ? ContentsWish::varied : ContentsWish::zero;
        const KernelFacts::Use& use = found->second;
        if (shape_.offsets.contains(name)) return ContentsWish::offsets;
        if (!use.read && !constant) return ContentsWish::zero;
        return use.index ? ContentsWish::small : ContentsWish::varied;
    }

    Result<void> add_buffer(std::size_t index, const TypeUse& use, const std::string& what) {
        const std::string& name = kernel_.params[index].name;
        const auto form = element_form(model_, use.name, wish_for(name, use.constant));
        if (!form) return by_hand(unexplained(what, use));
        Buffer buffer = form->buffer;
        buffer.name = free_name(name);
        Polynomial elements = elements_of(index, name, form->cells * scalar_bytes(buffer.type));
        if (const auto shape = shape_for(elements); !shape.empty() && form->cells == 1)
            buffer.shape = shape;
        else
            buffer.count =
                plain(Polynomial::product(elements, Polynomial(form->cells)).value_or(elements).text());
        if (!form->structure.empty() && form->cells > 1)
            front_.proposal.notes.push_back("each element of " + buffer.name + ", a structure, is " +
                                            std::to_string(form->cells) + " cells of type " + buffer.type);
        spec_.args.push_back(plain(buffer.name));
        front_.buffers.push_back(std::move(buffer));
        return {};
    }

    static std::int64_t scalar_bytes(const std::string& type) {
        const auto element = element_type(type);
        return element ? static_cast<std::int64_t>(element->bytes()) : 1;
    }

    Polynomial elements_of(std::size_t index, const std::string& name, std::int64_t bytes) {
        const auto found = facts_.pointers.find(name);
        const bool used = found != facts_.pointers.end();
        std::optional<Polynomial> bound;
        if (used && found->second.elements && !found->second.unknown)
            bound = over_grid(*found->second.elements);
        if (bound && !bound->constant()) return *bound;
        // What host code allocates is what the kernel may use, where neither is made smaller.
        if (scope_ && index < launch_->arguments.size() && !shortened_)
            if (const auto allocated = scope_->allocated_bytes(launch_->arguments[index]);
                allocated && *allocated >= bytes)
                return Polynomial(*allocated / bytes);
        if (bound) return *bound;
        Polynomial most = fallback();
        if (used && found->second.elements) most = larger_of(most, over_grid(*found->second.elements));
        if (used)
            front_.proposal.notes.push_back("the size of " + name +
                                            " is a guess: its indices are not bounded");
        return most;
    }

    static Polynomial larger_of(const Polynomial& a, const Polynomial& b) {
        const auto more = Polynomial::difference(a, b);
        if (more && more->never_negative()) return a;
        const auto less = Polynomial::difference(b, a);
        if (less && less->never_negative()) return b;
        return Polynomial::of("max(" + a.text() + ", " + b.text() + ")");
    }

    // As many elements as there are threads, sizes, or elements of another buffer.
    Polynomial fallback() const {
        Polynomial most(1);
        for (const Expression& extent : spec_.grid)
            most = Polynomial::product(most, polynomial_of(extent.text)).value_or(most);
        for (const Expression& extent : spec_.block)
            most = Polynomial::product(most, polynomial_of(extent.text)).value_or(most);
        if (!sizes_.empty()) {
            most = Polynomial(1);
            for (std::size_t i = 0; i < std::min<std::size_t>(sizes_.size(), 3); ++i)
                most = Polynomial::product(most, Polynomial::of(names_.at(sizes_[i]))).value_or(most);
        }
        if (!own_size_.empty()) {
            const Polynomial n = Polynomial::of(own_size_);
            most = dimensions() > 1 ? Polynomial::product(n, n).value_or(n) : n;
        }
        return most;
    }

    // {height, width} of an array with as many elements.
    std::vector<Expression> shape_for(const Polynomial& elements) const {
        const std::string width = size_with_sense(NameSense::width),
                          height = size_with_sense(NameSense::height);
        if (width.empty() || height.empty()) return {};
        const auto area = Polynomial::product(Polynomial::of(width), Polynomial::of(height));
        if (!area) return {};
        // An index that leaves out the border needs a little less.
        const auto rest = Polynomial::difference(*area, elements);
        const bool most_of_it = elements.terms().contains(area->terms().begin()->first);
        if (!rest || !most_of_it || (!rest->never_negative() && !(elements == *area))) return {};
        return {plain(height), plain(width)};
    }

    void add_module_arrays() {
        for (const ModuleArray& array : module_arrays()) {
            const TypeUse use = model_.type(array.type);
            const auto form = element_form(model_, use.name, ContentsWish::varied);
            if (!form || use.pointers > 0 || taken(array.name)) continue;
            Buffer buffer = form->buffer;
            buffer.name = array.name;
            buffer.space = array.constant ? "constant" : "device";
            buffer.count = plain(std::to_string(array.count * form->cells));
            front_.buffers.push_back(std::move(buffer));
        }
    }

    void add_shared_memory() {
        if (scope_ && launch_->configuration.size() > 2)
            if (const auto stated = scope_->text(launch_->configuration[2])) {
                spec_.shared = plain(*stated);
                return;
            }
        if (facts_.shared.empty()) return;
        Polynomial elements(0);
        for (const auto& [name, known] : facts_.shared)
            elements = larger_of(elements, over_grid(known));
        if (elements.constant() == 0) elements = shape_.block[0];
        constexpr std::int64_t widest = 4;
        const auto bytes = Polynomial::product(elements, Polynomial(shared_bytes().value_or(widest)));
        spec_.shared = plain(bytes.value_or(elements).text());
        front_.proposal.notes.push_back("the size of the dynamic shared memory, " + spec_.shared.text +
                                        " bytes, is a guess");
    }

    // The bytes of an element of "extern __shared__ double s[]".
    std::optional<std::int64_t> shared_bytes() const {
        for (std::size_t i = 0; i + 2 < body_.size(); ++i) {
            if (!body_[i].is("extern") || !body_[i + 1].is("__shared__")) continue;
            std::size_t open = i + 2;
            while (open < body_.size() && !body_[open].is("[") && !body_[open].is(";"))
                ++open;
            std::size_t first = i + 2;
            if (body_[first].is("__align__") || body_[first].is("alignas"))
                first = closing(body_, first + 1) + 1;
            if (open <= first + 1) continue;
            const TypeUse use = model_.type(joined(body_, first, open - 1), shape_.types);
            if (const auto layout = model_.layout(use.name)) return static_cast<std::int64_t>(layout->bytes);
        }
        return std::nullopt;
    }
};

}  // namespace

Result<FrontMatter> propose_launch(const SourceModel& model, const KernelSignature& kernel,
                                   const std::vector<CppToken>& body, const HostLaunch* launch,
                                   const std::string& file) {
    return KernelProposer(model, kernel, body, launch, file).run();
}

}  // namespace lanescope::lesson
