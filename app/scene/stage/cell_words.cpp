#include "scene/stage/cell_words.h"

#include <algorithm>

#include "trace/names.h"

namespace lanescope::scene {

namespace {

// "t0, t1 and 6 more": the threads that read or write the cell.
std::string threads_text(const StepScene& scene, const CellMark& mark, bool writes) {
    std::vector<std::uint32_t> threads;
    for (const CellAccess& access : scene.accesses_of(mark))
        if ((access.kind != trace::AccessKind::load) == writes &&
            std::find(threads.begin(), threads.end(), access.thread) == threads.end())
            threads.push_back(access.thread);
    std::string text;
    for (std::size_t i = 0; i < threads.size() && i < 4; ++i)
        text += (i ? ", t" : "t") + std::to_string(threads[i]);
    if (threads.size() > 4) text += " and " + std::to_string(threads.size() - 4) + " more";
    return text;
}

std::string cell_address(const StageArray& array, std::uint64_t index) {
    const std::uint64_t byte = index * array.cell_bytes;
    std::string text = std::string(trace::to_text(array.symbol->space)) + ", byte " + std::to_string(byte);
    if (array.symbol->space == trace::Space::shared)
        text += ", bank " + std::to_string((array.symbol->offset + byte) / 4 % 32);
    return text;
}

std::string cell_name(const StageArray& array, std::uint64_t index) {
    const std::string& name = array.symbol->name;
    if (!array.is_matrix()) return name + "[" + std::to_string(index) + "]";
    return name + "[" + std::to_string(index / array.columns) + "][" + std::to_string(index % array.columns) +
           "]";
}

}  // namespace

std::string cell_story(const StageModel& model, const session::Session& session, const CellRef& cell) {
    const StageArray& array = model.arrays()[cell.array];
    std::string text = cell_name(array, cell.index) + " = " + model.cell_value(session, cell) + "\n" +
                       cell_address(array, cell.index);
    const CellMark* mark = model.scene().mark(cell);
    if (!mark) return text;
    if (mark->reads) text += "\nread by " + threads_text(model.scene(), *mark, false);
    if (mark->written()) {
        text += std::string("\n") + (mark->atomics ? "updated by " : "written by ") +
                threads_text(model.scene(), *mark, true);
        if (mark->writes + mark->atomics > 1) text += ", last by t" + std::to_string(mark->last_writer);
    }
    if (mark->conflict) text += "\nin a bank conflict";
    if (mark->race) text += "\nin a race";
    return text;
}

}  // namespace lanescope::scene
