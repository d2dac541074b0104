#include "lesson/proposal/kernel_bounds.h"

#include <algorithm>

#include "lesson/proposal/kernel_accesses.h"

namespace lanescope::lesson {

namespace {

using expression::Node;
using expression::SyntaxTree;
using Tokens = std::vector<CppToken>;

constexpr int most_nesting = 60;

// An assignment within an expression: "i += stride".
struct Assignment {
    std::size_t begin = 0, end = 0;  // of the left side
    std::string op;                  // "=", "+=", "++", …
    std::size_t value = 0;           // where the right side begins
};

class BodyReader : private AccessReader {
  public:
    using AccessReader::AccessReader;

    void run() {
        for (const CppToken& token : tokens_)
            if (token.is_identifier()) facts_.names.insert(std::string(token.text));
        while (at_ < tokens_.size()) {
            statement();
        }
    }

  private:
    // --- Statements ---

    void statement() {
        const std::size_t first = at_;
        if (++nesting_ > most_nesting) at_ = tokens_.size();
        if (is(at_, "{")) {
            const std::size_t end = closing(tokens_, at_++);
            while (at_ < std::min(end, tokens_.size()))
                statement();
            at_ = std::min(end + 1, tokens_.size());
        } else if (is(at_, "if")) {
            read_if();
        } else if (is(at_, "for")) {
            read_for();
        } else if (is(at_, "while") || is(at_, "switch")) {
            read_while();
        } else if (is(at_, "do")) {
            ++at_;
            widen(at_, end_of_statement(at_));
            statement();
        } else if (is(at_, "else") || is(at_, "}") || is(at_, ";")) {
            ++at_;
        } else {
            plain_statement();
        }
        if (at_ <= first) at_ = first + 1;
        --nesting_;
    }

    // The index after the statement that begins at `at`.
    std::size_t end_of_statement(std::size_t at, int depth = 0) const {
        if (depth > most_nesting) return tokens_.size();
        if (is(at, "{")) return std::min(closing(tokens_, at) + 1, tokens_.size());
        if (is(at, "for") || is(at, "while") || is(at, "if") || is(at, "switch")) {
            std::size_t end =
                end_of_statement(std::min(closing(tokens_, at + 1) + 1, tokens_.size()), depth + 1);
            while (is(at, "if") && is(end, "else") && end < tokens_.size())
                end = end_of_statement(end + 1, depth + 1);
            return end;
        }
        for (; at < tokens_.size() && !is(at, ";") && !is(at, "}"); ++at)
            if (is(at, "(") || is(at, "{") || is(at, "[")) at = closing(tokens_, at);
        return std::min(at + 1, tokens_.size());
    }

    void read_if() {
        ++at_;
        if (is(at_, "constexpr")) ++at_;
        const std::size_t close = closing(tokens_, at_);
        const auto condition = parse(at_ + 1, close);
        scan(at_ + 1, close);
        const std::size_t first = at_;
        const BoundState before = state_;
        BoundState otherwise = state_;
        if (condition) {
            evaluator_.assume(*condition, condition->root, true, state_);
            evaluator_.assume(*condition, condition->root, false, otherwise);
        }
        at_ = std::min(close + 1, tokens_.size());
        statement();
        if (is(at_, "else")) {
            std::swap(state_, otherwise);
            ++at_;
            statement();
        }
        if (at_ >= tokens_.size()) return;  // the text breaks off
        const bool both_go_on = !state_.ended && !otherwise.ended;
        join(otherwise);
        if (both_go_on) keep_unchanged(before, first, at_);
    }

    // What a condition said of a variable ends with its branch.
    void keep_unchanged(const BoundState& before, std::size_t begin, std::size_t end) {
        const auto changed = changes(begin, end);
        for (auto& [name, bounds] : state_.variables)
            if (const auto old = before.variables.find(name);
                old != before.variables.end() && !changed.contains(name))
                bounds = old->second;
        state_.expressions = before.expressions;
        state_.definitions = before.definitions;
        for (const auto& [name, operations] : changed)
            undefine(name);
    }

    void join(const BoundState& other) {
        if (other.ended) return;
        if (state_.ended) {
            state_ = other;
            return;
        }
        for (auto& [name, bounds] : state_.variables) {
            const auto found = other.variables.find(name);
            if (found == other.variables.end()) continue;
            const bool low = bounds.low == found->second.low, high = bounds.high == found->second.high;
            if (!low || !high) bounds = either(bounds, found->second);
        }
        for (auto& [name, pointer] : state_.pointers)
            if (const auto found = other.pointers.find(name); found != other.pointers.end())
                pointer.offset = either(pointer.offset, found->second.offset);
        state_.expressions = other.expressions;
    }

    void read_for() {
        const std::size_t open = at_ + 1, close = closing(tokens_, open);
        std::size_t first = open + 1;
        while (first < close && !is(first, ";"))
            ++first;
        std::size_t second = first + 1;
        while (second < close && !is(second, ";"))
            ++second;
        if (second >= close) {  // a range-based loop
            at_ = std::min(close + 1, tokens_.size());
            return statement();
        }
        const BoundState outside = state_;
        expressions(open + 1, first);
        const std::size_t body = std::min(close + 1, tokens_.size()), end = end_of_statement(body);
        advance_together({first + 1, second}, {second + 1, close}, {body, end});
        const auto condition = parse(first + 1, second);
        scan(first + 1, second);
        if (condition) evaluator_.assume(*condition, condition->root, true, state_);
        end_at_step();
        at_ = body;
        statement();
        state_.ended = false;
        const BoundState inside = state_;
        state_ = outside;
        const auto changed = changes(first, end);
        for (const auto& [name, bounds] : inside.variables)
            if (const auto known = state_.variables.find(name);
                known != state_.variables.end() && changed.contains(name))
                known->second = either(known->second, bounds);
        for (const auto& [name, operations] : changed)
            undefine(name);
        for (const auto& [name, pointer] : inside.pointers)
            if (const auto known = state_.pointers.find(name); known != state_.pointers.end())
                known->second.offset = either(known->second.offset, pointer.offset);
    }

    void read_while() {
        const std::size_t open = at_ + 1, close = closing(tokens_, open);
        const std::size_t body = std::min(close + 1, tokens_.size()), end = end_of_statement(body);
        widen(body, end);
        const auto condition = parse(open + 1, close);
        scan(open + 1, close);
        BoundState after = state_;
        if (condition && is(at_, "while")) evaluator_.assume(*condition, condition->root, true, state_);
        at_ = body;
        statement();
        state_ = std::move(after);
    }

    void plain_statement() {
        std::size_t end = end_of_statement(at_);
        const std::size_t last = end > at_ && (is(end - 1, ";") || is(end - 1, "}")) ? end - 1 : end;
        if (is(at_, "return") || is(at_, "break") || is(at_, "continue") || is(at_, "goto")) {
            scan(at_ + 1, last);
            state_.ended = true;
        } else if (is(at_, "case") || is(at_, "default")) {
            while (at_ < last && !is(at_, ":"))
                ++at_;
            end = at_ + 1;
        } else if (!is(at_, "using") && !is(at_, "typedef") && !is(at_, "asm") && !is(at_, "struct") &&
                   !is(at_, "namespace")) {
            expressions(at_, last);
        }
        at_ = end;
    }

    // --- Loops ---

    // What [begin, end) assigns: each name with the operators.
    std::map<std::string, std::vector<std::pair<std::string, std::size_t>>> changes(std::size_t begin,
                                                                                    std::size_t end) const {
        std::map<std::string, std::vector<std::pair<std::string, std::size_t>>> found;
        for (std::size_t i = begin; i < end; ++i) {
            if (!tokens_[i].is_identifier() || (i > 0 && is(i - 1, "."))) continue;
            const std::string op = operator_at(i + 1, end);
            if (!op.empty()) found[std::string(tokens_[i].text)].emplace_back(op, i + 1 + op.size());
            const bool before = i > begin + 1 && adjacent(i - 2) &&
                                ((is(i - 1, "+") && is(i - 2, "+")) || (is(i - 1, "-") && is(i - 2, "-")));
            if (before) found[std::string(tokens_[i].text)].emplace_back(is(i - 1, "+") ? "++" : "--", i + 1);
        }
        return found;
    }

    void widen(std::size_t begin, std::size_t end) {
        for (const auto& [name, operations] : changes(begin, end))
            for (const auto& [op, value] : operations)
                forget(name, op);
    }

    void forget(const std::string& name, const std::string& op) {
        undefine(name);
        const bool up = op == "+=" || op == "++", down = op == ">>=" || op == "/=";
        const auto change = [&](Bounds& bounds) {
            if (!down) bounds.high.reset();
            if (down && bounds.low && bounds.low->never_negative()) bounds.low = Polynomial(0);
            if (!up && !down) bounds.low.reset();
            if (op == "-=" || op == "--") bounds.high.reset();
        };
        if (const auto known = state_.variables.find(name); known != state_.variables.end())
            change(known->second);
        if (const auto known = state_.pointers.find(name); known != state_.pointers.end())
            change(known->second.offset);
    }

    using Range = std::pair<std::size_t, std::size_t>;

    // Widens what a for loop changes. Where its variable goes in steps of a known size to a known end, names
    // that grow with it end where it ends: for (k = 0; k < K; k += 8) { B += 8 * N; }.
    void advance_together(Range condition, Range update, Range body) {
        auto all = changes(body.first, body.second);
        for (auto& [name, operations] : changes(update.first, update.second))
            all[name].insert(all[name].end(), operations.begin(), operations.end());
        std::optional<Polynomial> extent;
        std::int64_t step = 0;
        std::string variable;
        stepped_.reset();
        const auto tree = parse(condition.first, condition.second);
        if (tree && (*tree)[tree->root].op == Node::Op::binary) {
            const Node& root = (*tree)[tree->root];
            const Node& left = (*tree)[root.parts[0]];
            const bool below = root.text == "<" || root.text == "<=";
            if (below && left.op == Node::Op::name && all.contains(left.text) && all[left.text].size() == 1) {
                const Bounds start = evaluator_.range(*tree, root.parts[0], state_);
                const Bounds end = evaluator_.range(*tree, root.parts[1], state_);
                if (start.low && end.high) extent = Polynomial::difference(*end.high, *start.low);
                const Bounds grown = growth(all[left.text].front());
                const auto known = grown.high ? grown.high->constant() : std::nullopt;
                step = known.value_or(0);
                variable = left.text;
                if (step > 1 && extent) {
                    const std::int64_t beyond = root.text == "<" ? 1 : 0;
                    const auto first_value = start.low->constant(), size = extent->constant();
                    if (first_value && size && *size >= beyond)
                        stepped_ = {variable, *first_value + (*size - beyond) / step * step};
                }
            }
        }
        const BoundState before = state_;
        for (const auto& [name, operations] : all) {
            for (const auto& [op, value] : operations)
                forget(name, op);
            if (!extent || step <= 0 || name == variable || operations.size() != 1) continue;
            BoundState now = before;
            std::swap(now, state_);
            const Bounds grown = growth(operations.front());
            std::swap(now, state_);
            const auto each = grown.high ? grown.high->divided(step) : std::nullopt;
            const auto rest = Polynomial::difference(*extent, Polynomial(step));
            const auto more = each && rest ? Polynomial::product(*each, *rest) : std::nullopt;
            if (!more) continue;
            const auto move = [&](const Bounds& old, Bounds& moved) {
                if (old.high) moved.high = Polynomial::sum(*old.high, *more);
            };
            if (const auto old = before.variables.find(name); old != before.variables.end())
                move(old->second, state_.variables[name]);
            if (const auto old = before.pointers.find(name); old != before.pointers.end())
                move(old->second.offset, state_.pointers[name].offset);
            grown_.insert(name);
        }
    }

    // for (j = 0; j < 32; j += 8) ends at 24.
    void end_at_step() {
        if (!stepped_) return;
        if (const auto known = state_.variables.find(stepped_->first); known != state_.variables.end())
            known->second.high = Polynomial(stepped_->second);
        stepped_.reset();
    }

    // By how much an assignment lets its variable grow.
    Bounds growth(const std::pair<std::string, std::size_t>& operation) const {
        if (operation.first == "++") return exactly(Polynomial(1));
        if (operation.first != "+=") return {};
        std::size_t end = operation.second;
        for (; end < tokens_.size() && !is(end, ";") && !is(end, ",") && !is(end, ")"); ++end)
            if (is(end, "(") || is(end, "[")) end = closing(tokens_, end);
        const auto tree = parse(operation.second, end);
        return tree ? evaluator_.range(*tree, tree->root, state_) : Bounds{};
    }

    // --- Expressions and declarations ---

    // The index of the name in a declaration such as "const float *x = …"; nothing in other text.
    std::optional<std::size_t> declared_name(std::size_t begin, std::size_t end) const {
        std::size_t i = begin;
        bool type = false, mark = false;
        for (; i < end; ++i) {
            const CppToken& token = tokens_[i];
            if (token.is("<") && i > begin) {
                int depth = 0;
                for (; i < end; ++i) {
                    if (is(i, "<")) ++depth;
                    if (is(i, ">") && --depth == 0) break;
                }
            } else if (token.is("::") || token.is("*") || token.is("&")) {
                mark = true;
            } else if (token.is_identifier()) {
                const bool last = i + 1 >= end || is(i + 1, "=") || is(i + 1, ",") || is(i + 1, "[") ||
                                  is(i + 1, "(") || is(i + 1, "{") || is(i + 1, ";") || is(i + 1, ":");
                if (last && (type || mark))
                    return i > begin && !is(i - 1, "::") ? std::optional(i) : std::nullopt;
                if (last) return std::nullopt;
                type = true;
            } else {
                return std::nullopt;
            }
        }
        return std::nullopt;
    }

    void expressions(std::size_t begin, std::size_t end) {
        const auto parts = between_commas(tokens_, begin, end);
        if (parts.empty()) return;
        const auto name = declared_name(begin, parts.front().second);
        // "a * b;" alone computes nothing, so that it must be a declaration.
        if (!name) {
            for (const auto& [from, to] : parts)
                expression(from, to);
            return;
        }
        const std::string type = joined(tokens_, begin, *name);
        declare(type, *name, parts.front().second);
        for (std::size_t i = 1; i < parts.size(); ++i) {
            std::size_t at = parts[i].first;
            while (at < parts[i].second && is(at, "*"))
                ++at;
            if (at < parts[i].second) declare(type, at, parts[i].second);
        }
    }

    void declare(const std::string& type, std::size_t name_at, std::size_t end) {
        const std::string name(tokens_[name_at].text);
        std::size_t at = name_at + 1;
        const bool array = is(at, "[");
        while (at < end && is(at, "["))
            at = closing(tokens_, at) + 1;
        const bool shared = type.find("__shared__") != std::string::npos;
        state_.pointers.erase(name);
        state_.variables.erase(name);
        undefine(name);
        if (shared && type.find("extern") != std::string::npos) {
            state_.pointers[name] = {"extern " + name, exactly(Polynomial(0))};
            facts_.shared.try_emplace(name, Polynomial(0));
            return;
        }
        if (array || shared) {
            scan(at, end);
            state_.variables[name] = {};
            return;
        }
        const bool bracket = is(at, "(") || is(at, "{");
        const std::size_t first = is(at, "=") || bracket ? at + 1 : end;
        const std::size_t last = bracket ? std::min(closing(tokens_, at), end) : end;
        const bool pointer =
            type.find('*') != std::string::npos || model_.type(type, shape_.types).pointers > 0;
        if (pointer || type == "auto" || type == "const auto") {
            if (const auto to = address(first, last)) {
                state_.pointers[name] = *to;
                return;
            }
            if (pointer && type.find('*') != std::string::npos && first < last &&
                is_shared_helper(first, last)) {
                state_.pointers[name] = {"extern " + name, exactly(Polynomial(0))};
                facts_.shared.try_emplace(name, Polynomial(0));
                return;
            }
        }
        scan(first, last);
        const auto tree = first < last ? parse(first, last) : std::nullopt;
        state_.variables[name] = tree && !pointer ? evaluator_.range(*tree, tree->root, state_) : Bounds{};
        if (tree && !pointer) state_.definitions[name] = std::make_shared<const SyntaxTree>(*tree);
    }

    // "SharedMemory<T>()": an object that gives the dynamic shared memory.
    bool is_shared_helper(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i)
            if (tokens_[i].is_identifier() && tokens_[i].text.find("hared") != std::string_view::npos)
                return true;
        return false;
    }

    std::optional<Assignment> assignment(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (is(i, "(") || is(i, "[") || is(i, "{")) {
                i = closing(tokens_, i);
                continue;
            }
            if (i == begin || tokens_[i].kind != CppToken::Kind::punctuation) continue;
            if (const std::string op = operator_at(i, end); !op.empty())
                return Assignment{begin, i, op, i + op.size()};
        }
        const bool prefix =
            end > begin + 2 && adjacent(begin) &&
            ((is(begin, "+") && is(begin + 1, "+")) || (is(begin, "-") && is(begin + 1, "-")));
        if (prefix) return Assignment{begin + 2, end, is(begin, "+") ? "++" : "--", end};
        return std::nullopt;
    }

    void expression(std::size_t begin, std::size_t end) {
        const auto found = assignment(begin, end);
        if (!found) return scan(begin, end);
        const bool plain = found->op == "=";
        if (const auto next = assignment(found->value, end); plain && next)
            expression(found->value, end);  // a = b = c
        else
            scan(found->value, end);
        const auto left = parse(found->begin, found->end);
        if (!left) return scan_subscripts(found->begin, found->end, Access::both);
        const Node& root = (*left)[left->root];
        if (root.op != Node::Op::name) return visit(*left, left->root, plain ? Access::write : Access::both);
        assign(root.text, *found, end);
    }

    void assign(const std::string& name, const Assignment& found, std::size_t end) {
        if (grown_.contains(name) && found.op != "=") return;  // a loop has taken it into account
        const auto value = found.value < end ? parse(found.value, end) : std::nullopt;
        const Bounds by = found.op == "++" || found.op == "--" ? exactly(Polynomial(1))
                          : value                              ? evaluator_.range(*value, value->root, state_)
                                                               : Bounds{};
        const auto changed = [&](const Bounds& old) {
            if (found.op == "=") return by;
            if (found.op == "+=" || found.op == "++") return sum(old, by);
            if (found.op == "-=" || found.op == "--") return difference(old, by);
            if (found.op == "*=") return product(old, by);
            if (found.op == "/=") return quotient(old, by);
            return Bounds{};
        };
        if (const auto pointer = target_of(name)) {
            if (found.op == "=") {
                const auto to = address(found.value, end);
                state_.pointers[name] = to ? *to : Target{pointer->base, {}};
            } else {
                state_.pointers[name] = {pointer->base, changed(pointer->offset)};
            }
            return;
        }
        undefine(name);
        if (const auto known = state_.variables.find(name); known != state_.variables.end())
            known->second = changed(known->second);
        else if (const auto scalar = shape_.scalars.find(name); scalar != shape_.scalars.end())
            state_.variables[name] = changed(exactly(scalar->second));
    }

    std::set<std::string> grown_;
    std::optional<std::pair<std::string, std::int64_t>> stepped_;  // a loop's variable and its last value
    std::size_t at_ = 0;
    int nesting_ = 0;
};

}  // namespace

KernelFacts facts_of(const std::vector<CppToken>& body, const SourceModel& model, const KernelShape& shape) {
    KernelFacts facts;
    BodyReader(body, model, shape, facts).run();
    return facts;
}

}  // namespace lanescope::lesson
