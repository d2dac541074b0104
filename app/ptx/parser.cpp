#include "ptx/parser.h"

#include <unordered_map>

#include "ptx/body_parser.h"
#include "ptx/declarations.h"
#include "ptx/parser_input.h"
#include "ptx/section_parser.h"

namespace lanescope::ptx {
namespace {

// The bytes of a name in which the compiler writes those beyond ASCII as "\303\274".
std::string unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto digit = [&](std::size_t k) {
            return at + k < text.size() ? unsigned(text[at + k] - '0') : 8u;
        };
        if (text[at] == '\\' && digit(1) < 4 && digit(2) < 8 && digit(3) < 8) {
            bytes += static_cast<char>(digit(1) * 64 + digit(2) * 8 + digit(3));
            at += 3;
        } else {
            bytes += text[at];
        }
    }
    return bytes;
}

constexpr std::size_t max_text_bytes = std::size_t{256} << 20;

class ModuleParser {
  public:
    ModuleParser(std::string_view text, std::string name) : input_(text, std::move(name)) {}

    Result<Module> parse() {
        header();
        while (!input_.at_end())
            top_level();
        resolve_outer_names();
        if (input_.failed()) return input_.diagnostic();
        return std::move(module_);
    }

  private:
    void header();
    void target();
    void top_level();
    void file();
    void variables(Linkage linkage);
    void function(Linkage linkage);
    void function_directives(Function& function);
    void raw_directive();
    void declare(const Token& name, Reference reference, bool defines);
    void add(TopLevel::Kind kind, std::size_t index) {
        module_.order.push_back({kind, static_cast<std::uint32_t>(index)});
    }
    void resolve_outer_names();
    void resolve(Operand& operand) const;

    struct Meaning {
        Reference reference;
        bool defined = false;
    };
    Input input_;
    Module module_;
    Budget budget_;
    std::vector<OuterUse> outer_uses_;
    std::unordered_map<std::string_view, Meaning> names_;  // views into the text
};

void ModuleParser::header() {
    if (!input_.accept(".version")) return input_.fail_expected(".version at the beginning");
    const Token version = input_.peek();
    if (version.kind != Token::Kind::number) return input_.fail_expected("a version like 9.0");
    module_.version = input_.take().text;
    if (!input_.accept(".target")) return input_.fail_expected(".target after .version");
    target();
    if (!input_.accept(".address_size")) return;
    const Token size = input_.peek();
    module_.address_size = static_cast<std::uint32_t>(input_.expect_whole("32 or 64"));
    if (!input_.failed() && module_.address_size != 32 && module_.address_size != 64)
        input_.fail(size, "expected 32 or 64, found " + shown(size));
}

void ModuleParser::target() {
    do {
        if (!module_.target.empty()) module_.target += ", ";
        module_.target += input_.expect_name("a target like sm_90");
    } while (input_.accept(','));
}

void ModuleParser::top_level() {
    const Token first = input_.peek();
    if (first.is(".file")) return file();
    if (first.is(".section")) {
        input_.take();
        add(TopLevel::Kind::section, module_.sections.size());
        module_.sections.push_back(parse_section(input_));
        return;
    }
    if (first.is(".pragma") || first.is(".alias")) return raw_directive();
    if (input_.accept(';')) return;
    const Linkage linkage = accept_linkage(input_);
    if (input_.peek().is(".entry") || input_.peek().is(".func")) return function(linkage);
    if (at_variable_space(input_)) return variables(linkage);
    input_.fail_expected("a function, a variable, .file, .section, .pragma or .alias");
}

void ModuleParser::raw_directive() {
    const Token first = input_.take();
    while (!input_.at(';') && !input_.at_end())
        input_.take();
    input_.expect(';', "after the directive");
    add(TopLevel::Kind::directive, module_.directives.size());
    module_.directives.emplace_back(input_.since(first));
}

// .file 1 "a.cu", 1700000000, 1234
void ModuleParser::file() {
    input_.take();
    SourceFile made;
    made.number = static_cast<std::uint32_t>(input_.expect_whole("a file's number"));
    made.path = unescaped(input_.expect_string("a path in quotes"));
    if (input_.accept(',')) {
        const Token extra = input_.peek();
        do
            input_.expect_whole("a time or a size");
        while (input_.accept(','));
        made.extra = input_.since(extra);
    }
    add(TopLevel::Kind::file, module_.files.size());
    module_.files.push_back(std::move(made));
}

void ModuleParser::declare(const Token& name, Reference reference, bool defines) {
    if (input_.failed()) return;
    const auto [found, fresh] = names_.try_emplace(name.text, Meaning{reference, defines});
    if (fresh) return;
    Meaning& meaning = found->second;
    if (meaning.reference.kind != reference.kind || (meaning.defined && defines))
        return input_.fail(name, shown(name) + " is defined twice");
    if (defines) meaning = {reference, true};
}

void ModuleParser::variables(Linkage linkage) {
    const Space space = take_space(input_);
    for (Declared& declared : parse_variables(input_, linkage, space)) {
        const std::size_t index = module_.variables.size();
        declare(declared.name, {Reference::Kind::variable, static_cast<std::uint32_t>(index)},
                linkage != Linkage::external);
        add(TopLevel::Kind::variable, index);
        for (const Token& symbol : declared.initial_symbols)
            outer_uses_.push_back({symbol.text, symbol});
        module_.variables.push_back(std::move(declared.variable));
    }
}

void ModuleParser::function(Linkage linkage) {
    const std::size_t index = module_.functions.size();
    Function& made = module_.functions.emplace_back();
    made.kind = input_.take().is(".entry") ? Function::Kind::entry : Function::Kind::func;
    made.linkage = linkage;
    if (made.kind == Function::Kind::func && input_.at('(')) made.results = parse_parameters(input_);
    const Token name = input_.peek();
    made.name = input_.expect_name("a function's name");
    if (input_.at('(')) made.parameters = parse_parameters(input_);
    function_directives(made);
    made.has_body = input_.at('{');
    declare(name, {Reference::Kind::function, static_cast<std::uint32_t>(index)}, made.has_body);
    add(TopLevel::Kind::function, index);
    if (made.has_body)
        BodyParser(input_, made, budget_, outer_uses_).parse();
    else
        input_.expect(';', "or a body after the function's signature");
}

// .noreturn, .maxntid 256, 1, 1 … up to the body
void ModuleParser::function_directives(Function& function) {
    while (input_.peek().kind == Token::Kind::dotted) {
        const Token first = input_.take();
        if (first.is(".noreturn")) {
            function.noreturn = true;
            continue;
        }
        if (first.is(".pragma")) {
            input_.expect_string("a pragma in quotes");
            input_.expect(';', "after the pragma");
        }
        while (input_.peek().kind == Token::Kind::number || input_.at(','))
            input_.take();
        function.directives.emplace_back(input_.since(first));
    }
}

void ModuleParser::resolve_outer_names() {
    for (const OuterUse& use : outer_uses_)
        if (!names_.contains(use.name))
            return input_.fail(use.where, "no variable or function " + shown(use.where));
    for (Function& function : module_.functions)
        for (Instruction& instruction : function.instructions)
            for (Operand& operand : instruction.operands)
                resolve(operand);
}

void ModuleParser::resolve(Operand& operand) const {
    if (!operand.name.empty() && operand.refers.kind == Reference::Kind::none &&
        operand.kind != Operand::Kind::label) {
        const auto found = names_.find(operand.name);
        if (found != names_.end()) operand.refers = found->second.reference;
    }
    for (Operand& element : operand.elements)
        resolve(element);
}

}  // namespace

Result<Module> parse(std::string_view text, std::string name) {
    if (text.size() > max_text_bytes)
        return error_at(std::move(name), 0, 0, "expected at most 256 MiB of PTX");
    return ModuleParser(text, std::move(name)).parse();
}

}  // namespace lanescope::ptx
