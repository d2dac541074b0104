#include "session/playhead/accumulator.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/cpp_lexer.h"

namespace lanescope::session {

namespace {

using UpdatedVariables = std::map<int, std::set<std::string>>;  // by line

class UpdateFinder {
  public:
    explicit UpdateFinder(std::string_view source) {
        CppLexer lexer(source);
        while (const auto token = lexer.next())
            if (token->kind != CppToken::Kind::comment && token->kind != CppToken::Kind::directive)
                tokens_.push_back(*token);
    }

    UpdatedVariables find() {
        for (at_ = 0; at_ < tokens_.size(); ++at_) {
            if (tokens_[at_].is("for") || tokens_[at_].is("while")) skip_head();
            if (at_ < tokens_.size() && starts_statement() && updates())
                found_[tokens_[at_].line].insert(std::string(tokens_[at_].text));
        }
        return std::move(found_);
    }

  private:
    bool is(std::size_t at, std::string_view text) const {
        return at < tokens_.size() && tokens_[at].is(text);
    }

    // Counters of loops say little about the result.
    void skip_head() {
        int open = 0;
        for (++at_; at_ < tokens_.size(); ++at_) {
            if (is(at_, "(")) ++open;
            if (is(at_, ")")) --open;
            if (open <= 0) break;
        }
        ++at_;
    }

    // `s[t] += …`, `*p += …` and `a.b += …` update no variable of the lane.
    bool starts_statement() const {
        if (!tokens_[at_].is_identifier()) return false;
        if (at_ == 0) return true;
        const CppToken& before = tokens_[at_ - 1];
        return before.is(";") || before.is("{") || before.is("}") || before.is(")") || before.is("else");
    }

    bool updates() const {
        for (const char* sign : {"+", "*", "-", "|", "&", "^"})
            if (is(at_ + 1, sign) && is(at_ + 2, "=")) return tokens_[at_ + 1].end == tokens_[at_ + 2].begin;
        if (!is(at_ + 1, "=") || is(at_ + 2, "=")) return false;
        for (std::size_t next = at_ + 2; next < tokens_.size() && !is(next, ";"); ++next)
            if (tokens_[next].text == tokens_[at_].text) return true;
        return false;
    }

    std::vector<CppToken> tokens_;
    std::size_t at_ = 0;
    UpdatedVariables found_;
};

}  // namespace

std::string busiest_accumulator(const execution::RunResult& run, const trace::Function& kernel) {
    constexpr std::size_t looked_at = 100'000;  // turns
    const UpdatedVariables lines = UpdateFinder(run.text_of_lines()).find();
    if (lines.empty()) return {};
    const std::vector<trace::Turn>& turns = run.trace->turns;
    const std::size_t stride = std::max<std::size_t>(1, turns.size() / looked_at);
    std::map<std::string, std::size_t> updates;
    for (std::size_t i = 0; i < turns.size(); i += stride)
        if (const auto found = lines.find(static_cast<int>(turns[i].line)); found != lines.end())
            for (const std::string& name : found->second)
                ++updates[name];
    std::string busiest;
    std::size_t most = 0;
    for (const trace::Variable& variable : kernel.variables) {
        const auto found = updates.find(variable.name);
        if (variable.parameter || found == updates.end() || found->second <= most) continue;
        most = found->second;
        busiest = variable.name;
    }
    return busiest;
}

}  // namespace lanescope::session
