#include "lesson/expression.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

namespace {

Result<std::int64_t> amount_of(const Expression& expression, const char* what, const Names& names,
                               const std::string& file) {
    if (expression.text.empty()) return std::int64_t{0};
    const auto amount = evaluate(expression, names, file);
    if (!amount || *amount >= 0) return amount;
    return error_at(file, expression.line, expression.column,
                    "the number of " + std::string(what) + " is " + std::to_string(*amount),
                    "expected 0 or more");
}

}  // namespace

Result<CostAmounts> cost_of(const Cost& cost, const Instance& instance, const std::string& file) {
    const Names names = names_of(instance);
    const auto bytes = amount_of(cost.bytes, "bytes", names, file);
    if (!bytes) return bytes.diagnostics();
    const auto operations = amount_of(cost.operations, "operations", names, file);
    if (!operations) return operations.diagnostics();
    return CostAmounts{*bytes, *operations};
}

}  // namespace lanescope::lesson
