// A small trace description and hand-made accesses for tests of the stage.
#pragma once

#include <functional>
#include <vector>

#include "scene/stage/step_scene.h"
#include "trace/replay.h"

namespace lanescope::scene {

struct SceneFixture {
    trace::Trace trace;
    std::vector<trace::TurnDetail> details;
    std::vector<StageArray> arrays;
    TypeId int_type = 0;

    // The trace has in[64] and out[1] in global memory and s[64] in shared memory.
    SceneFixture() {
        int_type = trace.program.types.named("int");
        trace.symbols.push_back(symbol("in", trace::Space::global, 0, {64}));
        trace.symbols.push_back(symbol("out", trace::Space::global, 256, {1}));
        trace::Launch launch;
        launch.block = {64, 1, 1};
        launch.shared.push_back(symbol("s", trace::Space::shared, 0, {64}));
        trace.launches.push_back(launch);
        arrays = stage_arrays(trace, 0, {});
    }

    trace::Symbol symbol(const std::string& name, trace::Space space, std::uint64_t offset,
                         std::vector<std::uint64_t> extents) const {
        trace::Symbol made;
        made.name = name;
        made.space = space;
        made.element = int_type;
        made.offset = offset;
        made.size_bytes = 4;
        for (std::uint64_t extent : extents)
            made.size_bytes *= extent;
        made.extents = std::move(extents);
        made.buffer = space == trace::Space::global;
        return made;
    }

    // Adds a turn of a warp on line 10.
    trace::TurnDetail& turn(std::uint16_t warp) {
        trace::Turn made;
        made.warp = warp;
        made.line = 10;
        trace.turns.push_back(made);
        details.emplace_back();
        details.back().turn = trace.turns.size() - 1;
        return details.back();
    }

    // Returns an access in which each lane of `mask` touches the 4 bytes of the cell `cell(lane)`.
    static trace::Access access(trace::AccessKind kind, trace::Space space, trace::Mask mask,
                                const std::function<std::uint64_t(unsigned)>& cell) {
        trace::Access made;
        made.kind = kind;
        made.space = space;
        made.width_bytes = 4;
        made.line = 10;
        made.mask = mask;
        for (unsigned lane = 0; lane < trace::warp_size; ++lane)
            if (mask >> lane & 1) made.offset[lane] = cell(lane) * 4;
        return made;
    }

    StepScene scene() const {
        analysis::TurnFlow flow(trace.program);
        return make_scene(trace, arrays, details, flow);
    }

    std::uint32_t array(const std::string& name) const {
        for (std::uint32_t i = 0; i < arrays.size(); ++i)
            if (arrays[i].symbol->name == name) return i;
        return trace::none;
    }
};

}  // namespace lanescope::scene
