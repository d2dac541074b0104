#include "ptx/body_parser.h"

#include "ptx/declarations.h"

namespace lanescope::ptx {
namespace {

constexpr std::uint32_t deepest_scope = 64;
constexpr std::uint64_t max_registers = 1u << 18;  // of one function

std::string in_quotes(std::string_view text) {
    return "'" + std::string(text.substr(0, 200)) + "'";
}

}  // namespace

void BodyParser::parse() {
    open_scope();
    declare_signature();
    while (!scopes_.empty() && !input_.failed())
        statement();
}

void BodyParser::add_item(Item::Kind kind, std::size_t index) {
    function_.items.push_back({kind, static_cast<std::uint32_t>(index)});
}

void BodyParser::declare_signature() {
    const auto declare = [&](const std::vector<Variable>& list, Reference::Kind kind) {
        for (std::uint32_t i = 0; i < list.size() && !input_.failed(); ++i) {
            const Variable& variable = list[i];
            if (variable.name == "_") continue;
            NameScopes::Meaning meaning{{kind, i}, no_index, 1};
            if (variable.space == Space::reg) {
                meaning = {{}, static_cast<std::uint32_t>(function_.registers.size()), 1};
                function_.registers.push_back({variable.name, variable.type});
            }
            if (!names_.declare(variable.name, meaning))
                input_.fail(input_.peek(), in_quotes(variable.name) + " names two parameters of " +
                                               in_quotes(function_.name));
        }
    };
    declare(function_.results, Reference::Kind::result);
    declare(function_.parameters, Reference::Kind::parameter);
}

void BodyParser::statement() {
    const Token& token = input_.peek();
    switch (token.kind) {
        case Token::Kind::dotted:
            return directive();
        case Token::Kind::word:
            return input_.next_is(':') ? label_statement() : instruction();
        case Token::Kind::punctuation:
            break;
        default:
            return input_.fail_expected("an instruction, a directive or '}'");
    }
    if (token.is('@')) return instruction();
    if (token.is('}')) return close_scope();
    if (token.is('{')) {
        add_item(Item::Kind::scope_begin, 0);
        return open_scope();
    }
    if (!input_.accept(';')) input_.fail_expected("an instruction, a directive or '}'");
}

void BodyParser::directive() {
    const Token& token = input_.peek();
    if (token.is(".loc")) return row();
    if (token.is(".reg")) return registers();
    if (token.is(".pragma")) return pragma();
    variables();
}

void BodyParser::open_scope() {
    input_.expect('{', "before the statements");
    if (scopes_.size() == deepest_scope) input_.fail(input_.peek(), "expected at most 64 nested scopes");
    scopes_.emplace_back().first_use = label_uses_.size();
    names_.enter();
}

void BodyParser::close_scope() {
    input_.expect('}', "after the statements");
    names_.leave();
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    resolve_labels(scope);
    if (scopes_.empty())
        reject_unresolved();
    else
        add_item(Item::Kind::scope_end, 0);
}

// Leaves uses that this scope does not declare to the enclosing scope.
void BodyParser::resolve_labels(const Scope& scope) {
    if (scope.labels.empty()) return;
    std::size_t kept = scope.first_use;
    for (std::size_t i = scope.first_use; i < label_uses_.size(); ++i) {
        const auto found = scope.labels.find(label_uses_[i].name);
        if (found != scope.labels.end())
            bind(label_uses_[i], found->second);
        else
            label_uses_[kept++] = label_uses_[i];
    }
    label_uses_.resize(kept);
}

void BodyParser::bind(const LabelUse& use, LabelMeaning meaning) {
    using Wanted = LabelUse::Wanted;
    using Kind = LabelMeaning::Kind;
    const bool wants_label = use.wanted == Wanted::branch || use.wanted == Wanted::table_entry;
    const bool call_targets = meaning.kind == Kind::targets && function_.branch_targets[meaning.index].calls;
    const bool fits = wants_label                     ? meaning.kind == Kind::label
                      : use.wanted == Wanted::targets ? meaning.kind == Kind::targets && !call_targets
                                                      : meaning.kind == Kind::prototype || call_targets;
    if (!fits) return input_.fail(use.where, in_quotes(use.name) + " is a label of another kind");
    if (use.wanted == Wanted::table_entry) {
        function_.branch_targets[use.index].labels[use.operand] = meaning.index;
        return;
    }
    Operand& operand = function_.instructions[use.index].operands[use.operand];
    if (wants_label)
        operand.label = meaning.index;
    else
        operand.refers = {
            meaning.kind == Kind::targets ? Reference::Kind::targets : Reference::Kind::prototype,
            meaning.index};
}

void BodyParser::reject_unresolved() {
    if (label_uses_.empty()) return;
    const LabelUse& use = label_uses_.front();
    input_.fail(use.where, "no label " + in_quotes(use.name) + " in " + in_quotes(function_.name));
}

void BodyParser::label_statement() {
    const Token token = input_.take();
    input_.expect(':', "after the label");
    if (input_.accept(".callprototype")) return prototype(token);
    if (input_.accept(".branchtargets")) return targets(token, false);
    if (input_.accept(".calltargets")) return targets(token, true);
    const auto index = static_cast<std::uint32_t>(function_.labels.size());
    declare_label(token, {LabelMeaning::Kind::label, index});
    function_.labels.push_back({std::string(token.text),
                                static_cast<std::uint32_t>(function_.instructions.size()),
                                static_cast<std::uint32_t>(function_.items.size())});
    add_item(Item::Kind::label, index);
}

void BodyParser::declare_label(const Token& token, LabelMeaning meaning) {
    if (!scopes_.back().labels.try_emplace(token.text, meaning).second)
        input_.fail(token, "the label " + in_quotes(token.text) + " is declared twice in this scope");
}

// name : .callprototype (results) _ (parameters) .noreturn;
void BodyParser::prototype(const Token& label) {
    const auto index = static_cast<std::uint32_t>(function_.prototypes.size());
    declare_label(label, {LabelMeaning::Kind::prototype, index});
    CallPrototype& made = function_.prototypes.emplace_back();
    made.label = label.text;
    if (input_.at('(')) made.results = parse_parameters(input_);
    input_.expect_name("'_' instead of a function's name");
    if (input_.at('(')) made.parameters = parse_parameters(input_);
    made.noreturn = input_.accept(".noreturn");
    input_.expect(';', "after the prototype");
    add_item(Item::Kind::prototype, index);
}

void BodyParser::targets(const Token& label, bool calls) {
    const auto index = static_cast<std::uint32_t>(function_.branch_targets.size());
    declare_label(label, {LabelMeaning::Kind::targets, index});
    BranchTargets& made = function_.branch_targets.emplace_back();
    made.label = label.text;
    made.calls = calls;
    do {
        const Token where = input_.peek();
        const std::string_view name = input_.expect_name(calls ? "a function's name" : "a label");
        const auto entry = static_cast<std::uint32_t>(made.targets.size());
        if (calls)
            outer_uses_.push_back({name, where});
        else
            label_uses_.push_back({LabelUse::Wanted::table_entry, index, entry, name, where});
        made.targets.emplace_back(name);
    } while (input_.accept(','));
    if (!calls) made.labels.resize(made.targets.size(), no_index);
    input_.expect(';', "after the targets");
    add_item(Item::Kind::targets, index);
}

void BodyParser::row() {
    input_.take();
    const auto number = [&](std::string_view what) {
        return static_cast<std::uint32_t>(input_.expect_whole(what));
    };
    const auto index = static_cast<std::uint32_t>(function_.rows.size());
    Row& made = function_.rows.emplace_back();
    made.file = number("a file's number");
    made.line = number("a line");
    made.column = number("a column");
    while (input_.accept(',')) {
        if (input_.accept("function_name")) {
            const bool named = input_.peek().is_word() || input_.peek().kind == Token::Kind::dotted;
            if (!named) input_.fail_expected("a label");
            made.function_name = input_.take().text;
            if (input_.at('+') || input_.at('-'))
                made.function_name_offset = input_.expect_offset("an offset");
        } else if (input_.accept("inlined_at")) {
            made.inlined_file = number("a file's number");
            made.inlined_line = number("a line");
            made.inlined_column = number("a column");
        } else {
            input_.fail_expected("function_name or inlined_at");
        }
    }
    if (made.line != 0) current_row_ = index;
    add_item(Item::Kind::row, index);
}

// .reg .b32 %r<42>;   .reg .pred p, q;   .reg .v4 .f32 v;
void BodyParser::registers() {
    input_.take();
    const DataType type = parse_data_type(input_);
    do {
        const Token name = input_.peek();
        input_.expect_name("a register's name");
        declare_register(name, type.type, type.vector_length);
    } while (input_.accept(','));
    input_.expect(';', "after the registers");
}

void BodyParser::declare_register(const Token& name, Type type, std::uint32_t vector_length) {
    RegisterDeclaration made{type, std::string(name.text), 0, vector_length,
                             static_cast<std::uint32_t>(function_.registers.size())};
    bool fresh = false;
    if (vector_length == 1 && input_.accept('<')) {
        const std::uint64_t count = input_.expect_whole("the number of registers");
        input_.expect('>', "after the number of registers");
        if (count == 0) input_.fail(name, "expected at least one register of " + in_quotes(name.text));
        if (!reserve_registers(name, count)) return;
        made.count = static_cast<std::uint32_t>(count);
        fresh = names_.declare_range(name.text, made.first, made.count);
        for (std::uint32_t i = 0; i < made.count; ++i)
            function_.registers.push_back({made.name + std::to_string(i), type});
    } else if (reserve_registers(name, vector_length)) {
        fresh = names_.declare(name.text, {{}, made.first, vector_length});
        for (std::uint32_t i = 0; i < vector_length; ++i)
            function_.registers.push_back(
                {vector_length == 1 ? made.name : made.name + "." + "xyzw89ab"[i], type});
    }
    if (!fresh) return input_.fail(name, in_quotes(name.text) + " is declared twice in this scope");
    add_item(Item::Kind::registers, function_.register_declarations.size());
    function_.register_declarations.push_back(std::move(made));
}

bool BodyParser::reserve_registers(const Token& name, std::uint64_t count) {
    if (input_.failed()) return false;
    if (count > budget_.registers || count + function_.registers.size() > max_registers) {
        input_.fail(name, "expected at most " + std::to_string(max_registers) + " registers in a function");
        return false;
    }
    budget_.registers -= count;
    return true;
}

void BodyParser::variables() {
    const Linkage linkage = accept_linkage(input_);
    if (!at_variable_space(input_))
        return input_.fail_expected(".reg, .local, .shared, .param, .loc or .pragma");
    const Space space = take_space(input_);
    for (Declared& declared : parse_variables(input_, linkage, space)) {
        if (input_.failed()) return;
        const auto index = static_cast<std::uint32_t>(function_.variables.size());
        if (!names_.declare(declared.name.text, {{Reference::Kind::local, index}, no_index, 1}))
            return input_.fail(declared.name,
                               in_quotes(declared.name.text) + " is declared twice in this scope");
        for (const Initialiser& value : declared.variable.initial)
            if (!value.symbol.empty())
                return input_.fail(declared.name, "expected numbers as initial values inside a function");
        function_.variables.push_back(std::move(declared.variable));
        add_item(Item::Kind::variable, index);
    }
}

void BodyParser::pragma() {
    const Token first = input_.take();
    do
        input_.expect_string("a pragma in quotes");
    while (input_.accept(','));
    input_.expect(';', "after the pragma");
    add_item(Item::Kind::directive, function_.body_directives.size());
    function_.body_directives.emplace_back(input_.since(first));
}

}  // namespace lanescope::ptx
