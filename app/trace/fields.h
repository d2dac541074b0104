// Describes the fields of a trace for ArchiveWriter and ArchiveReader.
#pragma once

#include "base/archive.h"
#include "trace/trace.h"

namespace lanescope::trace {

constexpr auto last_space = static_cast<std::uint64_t>(Space::local);

template <class Archive>
void fields(Archive& archive, TypeMember& member) {
    archive.value(member.name);
    archive.value(member.offset_bytes);
    archive.value(member.type);
}

template <class Archive>
void fields(Archive& archive, ValueType& type) {
    archive.choice(type.kind, static_cast<std::uint64_t>(ValueType::Kind::enumeration));
    archive.choice(type.scalar, static_cast<std::uint64_t>(Scalar::pointer));
    archive.value(type.name);
    archive.value(type.size_bytes);
    archive.value(type.element);
    archive.value(type.count);
    archive.list(type.members, [](Archive& a, TypeMember& member) { fields(a, member); });
}

template <class Archive>
void fields(Archive& archive, Variable& variable) {
    archive.value(variable.name);
    archive.value(variable.type);
    archive.value(variable.line);
    archive.value(variable.parameter);
    archive.choice(variable.home, static_cast<std::uint64_t>(Variable::Home::value));
    archive.value(variable.slot);
    archive.value(variable.offset);
    archive.block(variable.value);
    archive.value(variable.scope_begin_pc);
    archive.value(variable.scope_end_pc);
}

template <class Archive>
void fields(Archive& archive, Function& function) {
    archive.value(function.name);
    archive.value(function.symbol);
    archive.value(function.line);
    archive.value(function.user_code);
    archive.value(function.first_pc);
    archive.value(function.end_pc);
    archive.value(function.slots);
    archive.value(function.local_bytes);
    archive.list(function.variables, [](Archive& a, Variable& variable) { fields(a, variable); });
}

template <class Archive>
void fields(Archive& archive, Symbol& symbol) {
    archive.value(symbol.name);
    archive.choice(symbol.space, last_space);
    archive.value(symbol.element);
    archive.value(symbol.offset);
    archive.value(symbol.size_bytes);
    archive.block(symbol.extents);
    archive.value(symbol.buffer);
    archive.value(symbol.text);
    archive.value(symbol.line);
}

template <class Archive>
void fields(Archive& archive, Dim3& size) {
    archive.value(size.x);
    archive.value(size.y);
    archive.value(size.z);
}

template <class Archive>
void fields(Archive& archive, Launch& launch) {
    archive.value(launch.kernel);
    fields(archive, launch.grid);
    fields(archive, launch.block);
    archive.value(launch.first_turn);
    archive.value(launch.end_turn);
    archive.value(launch.shared_bytes);
    archive.value(launch.local_bytes);
    archive.value(launch.slots);
    archive.value(launch.frames);
    archive.list(launch.shared, [](Archive& a, Symbol& symbol) { fields(a, symbol); });
    archive.block(launch.recorded_blocks);
}

template <class Archive>
void fields(Archive& archive, ProblemSite& site) {
    archive.value(site.turn);
    archive.value(site.launch);
    archive.value(site.line);
    archive.value(site.block);
    archive.value(site.thread);
    archive.value(site.pc);
    archive.choice(site.access, static_cast<std::uint64_t>(AccessKind::atomic));
    archive.value(site.has_access);
}

template <class Archive>
void fields(Archive& archive, Problem& problem) {
    archive.choice(problem.kind, static_cast<std::uint64_t>(ProblemKind::unsupported));
    archive.choice(problem.space, last_space);
    archive.value(problem.variable);
    archive.value(problem.index);
    fields(archive, problem.first);
    fields(archive, problem.second);
    archive.value(problem.occurrences);
    archive.value(problem.note);
    archive.value(problem.message);
}

// The types are a separate argument because a TypeTable is not a plain list.
template <class Archive>
void fields(Archive& archive, Program& program, std::vector<ValueType>& types) {
    archive.value(program.source.path);
    archive.value(program.source.text);
    archive.value(program.ptx);
    archive.value(program.engine);
    archive.value(program.code);
    archive.list(types, [](Archive& a, ValueType& type) { fields(a, type); });
    archive.block(program.code_rows);
    archive.list(program.functions, [](Archive& a, Function& function) { fields(a, function); });
}

// All fields except the program, the turns and the events.
template <class Archive>
void fields(Archive& archive, Trace& trace) {
    archive.list(trace.symbols, [](Archive& a, Symbol& symbol) { fields(a, symbol); });
    archive.list(trace.launches, [](Archive& a, Launch& launch) { fields(a, launch); });
    archive.list(trace.problems, [](Archive& a, Problem& problem) { fields(a, problem); });
    archive.block(trace.releases);
    archive.value(trace.console);
    archive.block(trace.prints);
    archive.value(trace.truncated);
    archive.value(trace.truncation);
}

// From version 4 of the file on.
template <class Archive>
void cluster_fields(Archive& archive, Trace& trace) {
    for (Launch& launch : trace.launches)
        fields(archive, launch.cluster);
}

}  // namespace lanescope::trace
