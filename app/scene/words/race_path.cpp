#include "scene/words/race_path.h"

#include "trace/names.h"

namespace lanescope::scene {

namespace {

using trace::SyncPoint;

std::string line_words(std::uint32_t line) {
    return line == 0 ? "" : ", line " + std::to_string(line);
}

std::string sync_words(const SyncPoint& point) {
    switch (point.kind) {
        case SyncPoint::Kind::nothing:
            return "the kernel begins";
        case SyncPoint::Kind::barrier:
            return "barrier" + line_words(point.line);
        case SyncPoint::Kind::cluster_barrier:
            return "cluster's barrier" + line_words(point.line);
        case SyncPoint::Kind::syncwarp:
            return "__syncwarp()" + line_words(point.line);
        case SyncPoint::Kind::fence:
            return "fence" + line_words(point.line);
        case SyncPoint::Kind::atomic:
            return "atomic" + line_words(point.line);
        case SyncPoint::Kind::unknown:
            break;
    }
    return "earlier, not recorded";
}

std::string access_words(const trace::Problem& problem, const trace::ProblemSite& site) {
    const char* verb = site.access == trace::AccessKind::load    ? "reads "
                       : site.access == trace::AccessKind::store ? "writes "
                                                                 : "changes ";
    const std::string cell = problem.variable.empty()
                                 ? std::string("memory")
                                 : problem.variable + "[" + std::to_string(problem.index) + "]";
    return verb + cell + line_words(site.line);
}

bool same_place(const SyncPoint& a, const SyncPoint& b) {
    const bool together = a.kind == SyncPoint::Kind::nothing || a.kind == SyncPoint::Kind::barrier ||
                          a.kind == SyncPoint::Kind::cluster_barrier || a.kind == SyncPoint::Kind::syncwarp;
    return together && a.kind == b.kind && a.line == b.line;
}

}  // namespace

RacePath race_path(const trace::Problem& problem) {
    RacePath path;
    if (problem.remedy.empty() || problem.second.line == 0) return path;
    const SyncPoint* before[] = {&problem.before_first, &problem.before_second};
    const trace::ProblemSite* site[] = {&problem.first, &problem.second};
    const bool one_block = problem.first.block == problem.second.block;
    path.together =
        same_place(*before[0], *before[1]) && (one_block || before[0]->kind == SyncPoint::Kind::nothing);
    path.remedy = problem.remedy;
    // A synchronisation of the later thread may come after the access of the earlier one.
    const bool late = !path.together && before[1]->kind != SyncPoint::Kind::nothing &&
                      before[1]->kind != SyncPoint::Kind::unknown && before[1]->turn > problem.first.turn;
    const bool at_once = problem.first.turn == problem.second.turn;
    const unsigned begin[] = {0, late ? 2u : 0u};
    const unsigned end[] = {1, at_once ? 1u : late ? 3u : 2u};
    path.rows = end[1] + 1;
    for (const unsigned i : {0u, 1u}) {
        path.ways[i].thread =
            "t" + std::to_string(site[i]->thread) + " of block " + std::to_string(site[i]->block);
        path.ways[i].stops = {{begin[i], false, sync_words(*before[i])},
                              {end[i], true, access_words(problem, *site[i])}};
    }
    return path;
}

}  // namespace lanescope::scene
