#include "trace/names.h"

namespace lanescope::trace {

const char* to_text(Space space) {
    switch (space) {
        case Space::global:
            return "global";
        case Space::constant:
            return "constant";
        case Space::shared:
            return "shared";
        case Space::local:
            return "local";
    }
    return "";
}

const char* to_text(AccessKind kind) {
    switch (kind) {
        case AccessKind::load:
            return "load";
        case AccessKind::store:
            return "store";
        case AccessKind::atomic:
            return "atomic";
    }
    return "";
}

const char* to_text(SyncPoint::Kind kind) {
    switch (kind) {
        case SyncPoint::Kind::nothing:
            return "nothing";
        case SyncPoint::Kind::barrier:
            return "barrier";
        case SyncPoint::Kind::cluster_barrier:
            return "cluster_barrier";
        case SyncPoint::Kind::syncwarp:
            return "syncwarp";
        case SyncPoint::Kind::fence:
            return "fence";
        case SyncPoint::Kind::atomic:
            return "atomic";
        case SyncPoint::Kind::unknown:
            return "unknown";
    }
    return "";
}

namespace {

std::string words_of(const SyncPoint& point) {
    const std::string line = point.line == 0 ? "" : " in line " + std::to_string(point.line);
    const std::string at = "last synchronised at ";
    switch (point.kind) {
        case SyncPoint::Kind::nothing:
            return "has not synchronised since the kernel began";
        case SyncPoint::Kind::barrier:
            return at + "the barrier" + line;
        case SyncPoint::Kind::cluster_barrier:
            return at + "the cluster's barrier" + line;
        case SyncPoint::Kind::syncwarp:
            return at + "the __syncwarp()" + line;
        case SyncPoint::Kind::fence:
            return at +
                   (point.scope == FenceScope::block     ? "the __threadfence_block()"
                    : point.scope == FenceScope::system  ? "the __threadfence_system()"
                    : point.scope == FenceScope::cluster ? "the fence of the cluster"
                                                         : "the __threadfence()") +
                   line;
        case SyncPoint::Kind::atomic:
            return at + "the atomic or volatile access" + line;
        case SyncPoint::Kind::unknown:
            return at + "a place that the trace no longer has";
    }
    return "";
}

}  // namespace

std::string why_text(const Problem& problem) {
    if (problem.remedy.empty()) return {};
    const auto thread = [](const ProblemSite& site) {
        return "thread " + std::to_string(site.thread) + " of block " + std::to_string(site.block);
    };
    const std::string first = words_of(problem.before_first), second = words_of(problem.before_second);
    const bool never = problem.before_first.kind == SyncPoint::Kind::nothing;
    return (first == second
                ? (never ? "neither thread has synchronised since the kernel began" : "both threads " + first)
                : thread(problem.first) + " " + first + ", " + thread(problem.second) + " " + second) +
           "; to order the two: " + problem.remedy;
}

}  // namespace lanescope::trace
