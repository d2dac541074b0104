#include "execution/proposal/kernel_arguments.h"

#include <algorithm>
#include <set>

#include "execution/proposal/element_form.h"
#include "execution/proposal/name_sense.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"

namespace lanescope::execution {

namespace {

using Kind = KernelArgument::Kind;
using ptx::Type;

std::string_view element_name(Type type, bool half_matrices) {
    if (type == Type::f16x2) return "half";
    if (type == Type::bf16) return "ushort";  // front matter has no type like it
    if (const std::string_view name = ptx::value_name(type); !name.empty()) return name;
    switch (ptx::size_bytes(type)) {
        case 1:
            return "uchar";
        case 2:
            return half_matrices ? "half" : "ushort";
        case 8:
            return "long";
        default:
            return "int";
    }
}

ElementForm form_of_type(std::string type) {
    ElementForm form;
    form.buffer.type = std::move(type);
    form.buffer.init = {"random(0, 9)", 0, 0};
    return form;
}

// The variables of the kernel's parameters; nothing if the debug information does not have them all.
std::vector<const ptx::DebugVariable*> typed_parameters(const ptx::Module& module,
                                                        const ptx::Function& kernel,
                                                        const ptx::DebugInfo& debug) {
    const ptx::DebugFunction* function =
        debug.find_function(static_cast<std::uint32_t>(&kernel - module.functions.data()));
    std::vector<const ptx::DebugVariable*> found;
    if (function == nullptr) return found;
    for (const ptx::DebugVariable& each : function->variables)
        if (each.parameter && found.size() < kernel.parameters.size()) found.push_back(&each);
    const bool all = found.size() == kernel.parameters.size();
    const bool known =
        std::all_of(found.begin(), found.end(), [](const auto* each) { return each->type != 0; });
    if (!all || !known) found.clear();
    return found;
}

class Classifier {
  public:
    Classifier(const ptx::Module& module, const ptx::Function& kernel, const ptx::DebugInfo& debug,
               const KernelFacts& facts, const KernelText& text)
        : kernel_(kernel),
          types_(debug.types),
          facts_(facts),
          text_(text),
          typed_(typed_parameters(module, kernel, debug)) {
        made_.of_parameter.resize(kernel.parameters.size());
    }

    Result<KernelArguments> run() {
        if (Result<void> added = typed_.empty() ? add_by_code() : add_by_types(); !added)
            return added.diagnostics();
        const std::size_t behind = made_.arguments.size();
        for (const auto& [parameter, structure] : structures_)
            made_.of_parameter[parameter] = behind + structure;
        for (const KernelArgument& each : made_.arguments)
            if (each.kind == Kind::size) made_.sizes.push_back(each.name);
        if (!made_.extent.empty()) made_.sizes.insert(made_.sizes.begin(), made_.extent);
        return std::move(made_);
    }

  private:
    std::size_t word_of(std::uint32_t parameter, std::uint64_t offset = 0) const {
        for (std::size_t i = 0; i < facts_.words.size(); ++i)
            if (facts_.words[i].parameter == parameter && facts_.words[i].offset == offset) return i;
        return facts_.words.size();
    }

    ParameterWord facts_of_word(std::size_t word) const {
        return word < facts_.words.size() ? facts_.words[word] : ParameterWord{};
    }

    std::string free_name(std::string name) {
        if (!lesson::is_identifier(name) || lesson::is_function_name(name)) name = "p_" + name;
        while (!taken_.insert(name).second)
            name += '_';
        return name;
    }

    Diagnostic refused(const std::string& why) const {
        return lesson::no_proposal(text_.stated != nullptr ? text_.stated->file : text_.file,
                                   text_.stated != nullptr ? text_.stated->line : 0, why);
    }

    std::size_t add(KernelArgument argument) {
        made_.arguments.push_back(std::move(argument));
        return made_.arguments.size() - 1;
    }

    // --- by debug information ------------------------------------------------------------------------------

    Result<void> add_by_types() {
        made_.names_known = made_.types_known = true;
        const std::vector<lesson::StatedArgument>* stated =
            text_.stated != nullptr && text_.stated->arguments.size() == typed_.size()
                ? &text_.stated->arguments
                : nullptr;
        for (std::uint32_t i = 0; i < typed_.size(); ++i) {
            lesson::StatedArgument known;
            known.name = typed_[i]->name.empty() ? "p" + std::to_string(i) : typed_[i]->name;
            if (stated != nullptr) known = (*stated)[i];
            if (Result<void> added = add_typed(i, known); !added) return added;
        }
        return {};
    }

    Result<void> add_typed(std::uint32_t parameter, const lesson::StatedArgument& known) {
        const TypeId id = typed_[parameter]->type;
        const ValueType& type = types_[id];
        const std::string what = "'" + type.name + " " + known.name + "' of " + kernel_title();
        KernelArgument made;
        made.name = free_name(known.name);
        made.word = word_of(parameter);
        made.allocated_bytes = known.allocated_bytes;
        made.literal = known.literal;
        made.text = known.text;
        made.value = known.value;
        if (type.kind == ValueType::Kind::pointer)
            return add_pointer(parameter, std::move(made), type.element, what);
        if (type.name.find("exture") != std::string::npos || type.name.find("urface") != std::string::npos)
            return refused(what + " is a texture or a surface, which the CPU machine does not know");
        const bool structure =
            kernel_.parameters[parameter].is_array || kernel_.parameters[parameter].size_bytes() > 8;
        if (structure) return add_structure(parameter, std::move(made), id, what);
        const std::string number = number_type(type);
        if (number.empty()) return refused(what + " is neither a number nor a pointer to numbers");
        made.choice = type.kind == ValueType::Kind::enumeration;
        if (is_real(type.scalar))
            made.kind = Kind::real;
        else
            choose_number(made, made.name);
        made_.of_parameter[parameter] = add(std::move(made));
        return {};
    }

    // A whole number is a size by its name, or because the code counts with it.
    void choose_number(KernelArgument& made, const std::string& name) const {
        const NameSense sense = sense_of(name);
        const auto usual = usual_value(sense);
        const ParameterWord facts = facts_of_word(made.word);
        const bool size = !usual && !made.choice && (sense != NameSense::none || facts.size || facts.stride);
        made.kind = !made.text.empty() ? Kind::computed : size ? Kind::size : Kind::whole;
        if (size || made.value || made.kind == Kind::computed) return;
        made.value = made.choice ? 0 : usual.value_or(1);
        made.guessed = !usual && !made.choice;
    }

    std::string kernel_title() const {
        return text_.stated != nullptr ? text_.stated->kernel.substr(0, text_.stated->kernel.find('<'))
                                       : kernel_.name;
    }

    Result<void> add_pointer(std::uint32_t parameter, KernelArgument made, TypeId element,
                             const std::string& what) {
        const ValueType& pointee = types_[element];
        if (pointee.kind == ValueType::Kind::pointer) {
            KernelArgument rows;
            rows.name = made.name + "_rows";
            rows.kind = Kind::buffer;
            rows.word = facts_.words.size();
            if (types_[pointee.element].kind == ValueType::Kind::pointer)
                return refused(what + " points to pointers to pointers");
            if (Result<void> formed = give_form(rows, pointee.element, what); !formed) return formed;
            rows.name = free_name(rows.name);
            made.kind = Kind::table;
            made.rows = rows.name;
            made.form.type = "ulong";
            add(std::move(rows));
        } else {
            made.kind = Kind::buffer;
            if (Result<void> formed = give_form(made, element, what); !formed) return formed;
        }
        made_.of_parameter[parameter] = add(std::move(made));
        return {};
    }

    Result<void> give_form(KernelArgument& made, TypeId element, const std::string& what) const {
        auto form = element_form(types_, element);
        const ParameterWord facts = facts_of_word(made.word);
        // "void*" points to what the code accesses.
        if (!form && types_[element].kind == ValueType::Kind::unknown && facts.address)
            form = form_of_type(std::string(element_name(facts.element, facts_.half_matrices)));
        if (!form) {
            const auto layout = layout_of(types_, element);
            const bool pointers = layout && !layout->pointers.empty();
            return refused(what + (pointers ? " points to structures with pointers"
                                            : " is neither a number nor a pointer to numbers"));
        }
        made.form = std::move(form->buffer);
        made.cells = form->cells;
        return {};
    }

    // A structure without pointers is the contents of a buffer; one with pointers is made of words.
    Result<void> add_structure(std::uint32_t parameter, KernelArgument made, TypeId id,
                               const std::string& what) {
        const std::optional<TypeLayout> layout = layout_of(types_, id);
        const std::uint64_t bytes = kernel_.parameters[parameter].size_bytes();
        if (!layout || layout->pointers.empty()) {
            auto form = layout ? element_form(types_, id) : std::nullopt;
            if (!form ||
                static_cast<std::uint64_t>(form->cells) * lesson::element_type(form->buffer.type)->bytes() !=
                    bytes)
                form = form_of_bytes(bytes);
            made.kind = Kind::fixed;
            made.form = std::move(form->buffer);
            made.cells = form->cells;
            if (!made.form.values.empty()) made.form.values.resize(static_cast<std::size_t>(made.cells));
            made_.of_parameter[parameter] = add(std::move(made));
            return {};
        }
        KernelStructure structure{made.name, bytes, {}};
        for (const PointerMember& each : layout->pointers) {
            KernelArgument part;
            part.name = made.name + "_" + each.name;
            part.kind = Kind::buffer;
            part.word = word_of(parameter, each.offset);
            if (types_[each.type].kind == ValueType::Kind::pointer)
                return refused(what + " holds a pointer to pointers");
            if (Result<void> formed = give_form(part, each.type, what); !formed) return formed;
            part.name = free_name(part.name);
            structure.parts.push_back({add(std::move(part)), each.offset, 8});
        }
        for (const Leaf& each : layout->leaves) {
            KernelArgument part;
            const lesson::ElementType type = *lesson::element_type(each.type);
            part.name = free_name(made.name + "_" + each.name);
            part.word = word_of(parameter, each.offset);
            part.choice = each.truth;
            if (type.floating())
                part.kind = type.bytes() >= 4 ? Kind::real : Kind::unused;
            else
                choose_number(part, each.name);
            structure.parts.push_back({add(std::move(part)), each.offset, type.bytes()});
        }
        structures_.emplace_back(parameter, made_.structures.size());
        made_.structures.push_back(std::move(structure));
        return {};
    }

    // --- by the symbol's name and the code -----------------------------------------------------------------

    Result<void> add_by_code() {
        const SourceSignature signature = signature_of(kernel_, text_.source);
        made_.names_known = signature.names_known;
        made_.types_known = signature.types_known;
        for (const SourceParameter& each : signature.parameters) {
            const ptx::Variable& parameter = kernel_.parameters[each.first];
            if (each.dimensions > 0)
                add_array(each);
            else if (parameter.is_array || parameter.size_bytes() > 8)
                add_words(each, parameter);
            else
                made_.of_parameter[each.first] = add_word(each.name, word_of(each.first), &each);
        }
        return {};
    }

    std::size_t add_word(const std::string& name, std::size_t word, const SourceParameter* source) {
        const ParameterWord facts = facts_of_word(word);
        KernelArgument made;
        made.name = free_name(name);
        made.word = word;
        const bool typed = source != nullptr && made_.types_known;
        const bool real_type =
            typed && (source->type == "float" || source->type == "double" || source->type == "half");
        const bool declared_only = facts.address && !facts.loaded;  // Triton's own, at the end
        if ((facts.address && !declared_only) || (typed && source->pointer)) {
            made.kind = Kind::buffer;
            made.form = form_of_type(typed && !source->type.empty()
                                         ? source->type
                                         : std::string(element_name(facts.element, facts_.half_matrices)))
                            .buffer;
        } else if (!facts.loaded) {
            made.kind = Kind::unused;
        } else if (facts.real || real_type) {
            made.kind = Kind::real;
            made.guessed = true;
        } else {
            made.kind = facts.size || facts.stride ? Kind::size : Kind::whole;
            made.guessed = made.kind == Kind::whole;
        }
        return add(std::move(made));
    }

    void add_array(const SourceParameter& each) {
        constexpr std::uint32_t data = 4;
        KernelArgument made;
        made.name = free_name(each.name);
        made.kind = Kind::buffer;
        made.dimensions = each.dimensions;
        made.word = word_of(each.first + data);
        made.form = form_of_type(each.type.empty()
                                     ? std::string(element_name(facts_of_word(made.word).element, false))
                                     : each.type)
                        .buffer;
        if (made_.extent.empty()) made_.extent = free_name("n");
        for (std::uint32_t i = 0; i < each.count; ++i)
            made_.of_parameter[each.first + i] = made_.arguments.size();
        add(std::move(made));
    }

    // The words that the code loads of a structure.
    void add_words(const SourceParameter& each, const ptx::Variable& parameter) {
        if (parameter.size_bytes() % 8 != 0) {
            ElementForm form = form_of_bytes(parameter.size_bytes());
            KernelArgument made;
            made.name = free_name(each.name);
            made.kind = Kind::fixed;
            made.form = std::move(form.buffer);
            made.cells = form.cells;
            made_.of_parameter[each.first] = add(std::move(made));
            return;
        }
        KernelStructure made;
        made.size_bytes = parameter.size_bytes();
        for (std::size_t i = 0; i < facts_.words.size(); ++i) {
            const ParameterWord& word = facts_.words[i];
            if (word.parameter == each.first && word.loaded)
                made.parts.push_back({add_word(each.name + "_" + std::to_string(word.offset), i, nullptr),
                                      word.offset, word.bytes});
        }
        made.name = free_name(each.name);
        structures_.emplace_back(each.first, made_.structures.size());
        made_.structures.push_back(std::move(made));
    }

    const ptx::Function& kernel_;
    const TypeTable& types_;
    const KernelFacts& facts_;
    const KernelText& text_;
    const std::vector<const ptx::DebugVariable*> typed_;
    KernelArguments made_;
    std::vector<std::pair<std::uint32_t, std::size_t>> structures_;  // by parameter
    std::set<std::string> taken_;
};

}  // namespace

std::uint64_t KernelArgument::element_bytes() const {
    const auto type = lesson::element_type(form.type);
    return static_cast<std::uint64_t>(cells) * (type ? type->bytes() : 1);
}

std::string KernelArguments::size_of_word(std::size_t word, const KernelFacts& facts) const {
    if (word >= facts.words.size()) return {};
    for (const KernelArgument& each : arguments)
        if (each.word == word && (each.kind == Kind::size || each.kind == Kind::computed))
            return each.kind == Kind::size ? each.name : "(" + each.text + ")";
    const std::size_t argument = of_parameter[facts.words[word].parameter];
    return argument < arguments.size() && arguments[argument].dimensions > 0 ? extent : std::string();
}

std::string KernelArguments::free_name(std::string name) const {
    const auto taken = [&] {
        return name == extent ||
               std::any_of(arguments.begin(), arguments.end(),
                           [&](const auto& each) { return each.name == name; }) ||
               std::any_of(structures.begin(), structures.end(),
                           [&](const auto& each) { return each.name == name; });
    };
    while (taken())
        name += '_';
    return name;
}

Result<KernelArguments> arguments_of(const ptx::Module& module, const ptx::Function& kernel,
                                     const ptx::DebugInfo& debug, const KernelFacts& facts,
                                     const KernelText& text) {
    return Classifier(module, kernel, debug, facts, text).run();
}

}  // namespace lanescope::execution
