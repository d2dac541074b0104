#include "session/ptx/ptx_arguments.h"

#include <algorithm>
#include <set>

#include "lesson/expression.h"

namespace lanescope::session {

namespace {

using Kind = PtxArgument::Kind;
using ptx::Type;

std::string_view element_name(Type type, bool half_matrices) {
    if (type == Type::f16x2) return "half";
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

class Classifier {
  public:
    Classifier(const ptx::Function& kernel, const KernelFacts& facts, const std::string& source,
               const std::string& file)
        : kernel_(kernel), facts_(facts), file_(file) {
        made_.signature = signature_of(kernel, source);
        made_.of_parameter.resize(kernel.parameters.size());
    }

    Result<PtxArguments> run() {
        for (const SourceParameter& each : made_.signature.parameters) {
            const ptx::Variable& parameter = kernel_.parameters[each.first];
            if (each.dimensions > 0)
                add_array(each);
            else if (parameter.is_array || parameter.size_bytes() > 8) {
                if (parameter.size_bytes() % 8 != 0)
                    return error_at(file_, 0, 0,
                                    "no launch is proposed for '" + kernel_.name + "': its parameter " +
                                        std::to_string(each.first) + " is a structure of " +
                                        std::to_string(parameter.size_bytes()) + " bytes",
                                    "state the launch in a .toml file beside it, or in a comment");
                add_structure(each, parameter);
            } else {
                made_.of_parameter[each.first] = add(each.name, word_of(each.first), &each);
            }
        }
        const std::size_t behind = made_.arguments.size();
        for (std::size_t i = 0; i < made_.structures.size(); ++i)
            made_.of_parameter[made_.structures[i].parameter] = behind + i;
        if (!made_.extent.empty()) made_.sizes.insert(made_.sizes.begin(), made_.extent);
        return std::move(made_);
    }

  private:
    std::size_t word_of(std::uint32_t parameter) const {
        for (std::size_t i = 0; i < facts_.words.size(); ++i)
            if (facts_.words[i].parameter == parameter) return i;
        return 0;
    }

    std::string free_name(std::string name) {
        if (!lesson::is_identifier(name) || lesson::is_function_name(name)) name = "p_" + name;
        while (!taken_.insert(name).second)
            name += '_';
        return name;
    }

    std::size_t add(const std::string& name, std::size_t word, const SourceParameter* source) {
        const ParameterWord& facts = facts_.words[word];
        PtxArgument made;
        made.name = free_name(name);
        made.word = word;
        const bool typed = source != nullptr && made_.signature.types_known;
        const bool real_type =
            typed && (source->type == "float" || source->type == "double" || source->type == "half");
        const bool declared_only = facts.address && !facts.loaded;  // Triton's own, at the end
        if ((facts.address && !declared_only) || (typed && source->pointer)) {
            made.kind = Kind::buffer;
            made.type = typed && !source->type.empty() ? source->type
                                                       : element_name(facts.element, facts_.half_matrices);
        } else if (!facts.loaded) {
            made.kind = Kind::unused;
        } else if (facts.real || real_type) {
            made.kind = Kind::real;
            made.guessed = true;
        } else {
            made.kind = facts.size || facts.stride ? Kind::size : Kind::whole;
            made.guessed = made.kind == Kind::whole;
        }
        if (made.kind == Kind::size) made_.sizes.push_back(made.name);
        made_.arguments.push_back(std::move(made));
        return made_.arguments.size() - 1;
    }

    void add_array(const SourceParameter& each) {
        constexpr std::uint32_t data = 4;
        PtxArgument made;
        made.name = free_name(each.name);
        made.kind = Kind::buffer;
        made.dimensions = each.dimensions;
        made.word = word_of(each.first + data);
        made.type = each.type.empty() ? element_name(facts_.words[made.word].element, false) : each.type;
        if (made_.extent.empty()) made_.extent = free_name("n");
        for (std::uint32_t i = 0; i < each.count; ++i)
            made_.of_parameter[each.first + i] = made_.arguments.size();
        made_.arguments.push_back(std::move(made));
    }

    void add_structure(const SourceParameter& each, const ptx::Variable& parameter) {
        PtxStructure made;
        made.parameter = each.first;
        made.size_bytes = parameter.size_bytes();
        for (std::size_t i = 0; i < facts_.words.size(); ++i)
            if (facts_.words[i].parameter == each.first && facts_.words[i].loaded)
                made.parts.push_back(
                    add(each.name + "_" + std::to_string(facts_.words[i].offset), i, nullptr));
        made.name = free_name(each.name);
        made_.structures.push_back(std::move(made));
    }

    const ptx::Function& kernel_;
    const KernelFacts& facts_;
    const std::string& file_;
    PtxArguments made_;
    std::set<std::string> taken_;
};

}  // namespace

std::string PtxArguments::size_of_word(std::size_t word, const KernelFacts& facts) const {
    if (word >= facts.words.size()) return {};
    for (const PtxArgument& each : arguments)
        if (each.word == word && each.kind == Kind::size) return each.name;
    const std::size_t argument = of_parameter[facts.words[word].parameter];
    return argument < arguments.size() && arguments[argument].dimensions > 0 ? extent : std::string();
}

Result<PtxArguments> arguments_of(const ptx::Function& kernel, const KernelFacts& facts,
                                  const std::string& source, const std::string& file) {
    return Classifier(kernel, facts, source, file).run();
}

}  // namespace lanescope::session
