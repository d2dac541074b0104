// Describes the fields of a trace for ArchiveWriter and ArchiveReader.
#pragma once

#include "base/archive.h"
#include "trace/trace.h"

namespace lanescope::trace {

template <class Archive>
void fields(Archive& archive, Variable& variable) {
    archive_all(archive, variable.name, variable.type, variable.line, variable.parameter,
                up_to(variable.home, Variable::Home::value), variable.slot, variable.offset, variable.value,
                variable.scope_begin_pc, variable.scope_end_pc);
}

template <class Archive>
void fields(Archive& archive, Function& function) {
    archive_all(archive, function.name, function.symbol, function.line, function.user_code, function.first_pc,
                function.end_pc, function.slots, function.local_bytes, function.variables);
}

template <class Archive>
void fields(Archive& archive, Symbol& symbol) {
    archive_all(archive, symbol.name, up_to(symbol.space, Space::local), symbol.element, symbol.offset,
                symbol.size_bytes, symbol.extents, symbol.buffer, symbol.text, symbol.line);
}

template <class Archive>
void fields(Archive& archive, Dim3& size) {
    archive_all(archive, size.x, size.y, size.z);
}

template <class Archive>
void fields(Archive& archive, Launch& launch) {
    archive_all(archive, launch.kernel, launch.grid, launch.block, launch.first_turn, launch.end_turn,
                launch.shared_bytes, launch.local_bytes, launch.slots, launch.frames, launch.shared,
                launch.recorded_blocks);
}

template <class Archive>
void fields(Archive& archive, ProblemSite& site) {
    archive_all(archive, site.turn, site.launch, site.line, site.block, site.thread, site.pc,
                up_to(site.access, AccessKind::atomic), site.has_access);
}

template <class Archive>
void fields(Archive& archive, Problem& problem) {
    archive_all(archive, up_to(problem.kind, ProblemKind::addition_order), up_to(problem.space, Space::local),
                problem.variable, problem.index, problem.first, problem.second, problem.occurrences,
                problem.note, problem.message);
}

// The types are a separate argument because a TypeTable is not a plain list.
template <class Archive>
void fields(Archive& archive, Program& program, std::vector<ValueType>& types) {
    archive_all(archive, program.source.path, program.source.text, program.ptx, program.engine, program.code,
                types, program.code_rows, program.functions);
}

// All fields except the program, the turns and the events.
template <class Archive>
void fields(Archive& archive, Trace& trace) {
    archive_all(archive, trace.symbols, trace.launches, trace.problems, trace.releases, trace.console,
                trace.prints, trace.truncated, trace.truncation);
}

template <class Archive>
void fields(Archive& archive, SyncPoint& point) {
    archive_all(archive, up_to(point.kind, SyncPoint::Kind::unknown), up_to(point.scope, FenceScope::system),
                point.line, point.turn);
}

// Files have these fields since version 4.
template <class Archive>
void later_fields(Archive& archive, Trace& trace) {
    for (Launch& launch : trace.launches)
        fields(archive, launch.cluster);
    for (Problem& problem : trace.problems)
        archive_all(archive, problem.before_first, problem.before_second, problem.remedy);
}

}  // namespace lanescope::trace

namespace lanescope {

template <class Archive>
void fields(Archive& archive, TypeMember& member) {
    archive_all(archive, member.name, member.offset_bytes, member.type);
}

template <class Archive>
void fields(Archive& archive, ValueType& type) {
    archive_all(archive, up_to(type.kind, ValueType::Kind::enumeration), up_to(type.scalar, Scalar::brain),
                type.name, type.size_bytes, type.element, type.count, type.members);
}

}  // namespace lanescope
