// What the debugger shows of the current step: scopes, variables with their parts, and expressions.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "dap/wire.h"
#include "execution/lanes/lane_expression.h"
#include "session/session.h"

namespace lanescope::dap {

// A lane, as the debugger's requests name it: through a thread's frame.
struct LanePick {
    std::uint32_t warp = 0, lane = 0;
    std::size_t frame = 0;  // 0: the innermost
    int rows = 0;           // of scene::variable_frames(); negative: the call has no variables yet
};

class Values {
  public:
    explicit Values(const session::Session& session) : session_(session) {}

    // References are valid until the position changes.
    void forget() { nodes_.clear(); }

    Json scopes(const LanePick& pick);
    // Children [start, start + count) of a reference; count 0: all of them, up to a limit.
    Result<Json> children(std::int64_t reference, std::int64_t start, std::int64_t count, bool hex);
    // An expression in a lane. A scalar's parts are its values in the lanes of the warp.
    Result<Json> evaluate(const std::string& expression, const LanePick& pick, bool hex);
    // "s[3]": the cell of an array that the expression, or the child of the reference, names; empty: none.
    std::string cell(const std::string& expression, const LanePick& pick) const;
    std::string cell_of_child(std::int64_t reference, const std::string& name) const;

  private:
    struct Locals {
        LanePick pick;
    };
    struct AllLanes {
        LanePick pick;
    };
    struct Place {
        LanePick pick;
    };
    struct Arrays {
        bool shared = false;
    };
    struct LanesOf {  // an expression in each lane of a warp
        std::string expression;
        std::uint32_t warp = 0;
    };
    struct Data {  // an array or a structure
        execution::LaneObject object;
        std::string expression;  // that names it; empty: it cannot be named
        LanePick pick;
    };
    using Node = std::variant<Locals, AllLanes, Place, Arrays, LanesOf, Data>;
    struct Shown {
        std::string text;
        std::int64_t reference = 0, indexed = 0, named = 0;
    };
    struct Range {
        std::int64_t first = 0, end = 0;
        bool hex = false;
    };

    std::int64_t reference(Node node);
    Shown show(const execution::LaneObject& object, const std::string& expression, const LanePick& pick,
               bool hex);
    std::string leaf(const execution::LaneObject& object, bool hex) const;
    std::string preview(const execution::LaneObject& object, bool hex, int depth) const;
    std::int64_t part_count(const execution::LaneObject& object) const;
    struct Part {
        execution::LaneObject object;
        std::string name;
        bool indexed = false;
    };
    Part part(const execution::LaneObject& object, std::int64_t index) const;
    Json variable(const std::string& name, const std::string& type, const Shown& shown,
                  const std::string& expression) const;

    Json list(const Locals& node, const Range& range);
    Json list(const AllLanes& node, const Range& range);
    Json list(const Place& node, const Range& range);
    Json list(const Arrays& node, const Range& range);
    Json list(const LanesOf& node, const Range& range);
    Json list(const Data& node, const Range& range);
    std::vector<execution::LaneObject> arrays(bool shared, std::vector<std::string>& names) const;

    const session::Session& session_;
    std::vector<Node> nodes_;
};

// The thread of the lane in its block, and in words: "t5", "t37 (5, 1)".
std::uint32_t thread_of(const LanePick& pick);
std::string thread_name(const session::Session& session, const LanePick& pick);

}  // namespace lanescope::dap
