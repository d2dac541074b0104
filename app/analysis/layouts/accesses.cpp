#include "analysis/layouts/accesses.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "ptx/module.h"

namespace lanescope::analysis {
namespace {

using trace::Access;
using trace::Launch;
using trace::Space;

constexpr std::uint64_t most_requests = 4'000'000;  // of a run

bool has_passes(const Access& access) {
    return access.kind != trace::AccessKind::atomic && access.owner == trace::none;
}

SharedRequest request_of(const trace::Trace& trace, const Code& code, std::uint64_t turn,
                         const Access& access) {
    const trace::Turn& of = trace.turns[turn];
    SharedRequest request;
    request.turn = turn;
    request.launch = trace.launch_of(turn);
    request.block = of.block;
    request.warp = of.warp;
    request.line = access.line;
    request.instruction = instruction_name(code, access.pc);
    request.symbol = shared_array_at(trace.launches[request.launch],
                                     access.offset[static_cast<unsigned>(std::countr_zero(access.mask))]);
    request.access = access;
    if (has_passes(access)) request.passes = bank_passes(access, addressing_of(code.at(access.pc)));
    return request;
}

// The names of instructions, each made once.
class Names {
  public:
    explicit Names(const Code& code) : code_(code) {}
    const std::string& of(std::uint32_t pc) {
        const auto [found, added] = names_.try_emplace(pc);
        if (added) found->second = instruction_name(code_, pc);
        return found->second;
    }

  private:
    const Code& code_;
    std::map<std::uint32_t, std::string> names_;
};

}  // namespace

std::uint32_t shared_array_at(const Launch& launch, std::uint64_t offset) {
    for (std::uint32_t i = 0; i < launch.shared.size(); ++i)
        if (offset >= launch.shared[i].offset &&
            offset - launch.shared[i].offset < launch.shared[i].size_bytes)
            return i;
    return trace::none;
}

unsigned SharedRequest::wavefronts() const {
    unsigned sum = 0;
    for (const BankPass& pass : passes)
        sum += pass.wavefronts;
    return sum;
}
unsigned SharedRequest::ways() const {
    unsigned most = 0;
    for (const BankPass& pass : passes)
        most = std::max(most, pass.wavefronts);
    return most;
}

std::vector<SharedRequest> shared_requests(const trace::Trace& trace, const Code& code,
                                           const std::vector<trace::TurnDetail>& details) {
    std::vector<SharedRequest> requests;
    for (const trace::TurnDetail& detail : details)
        for (const Access& access : detail.accesses)
            if (access.space == Space::shared && access.mask != 0)
                requests.push_back(request_of(trace, code, detail.turn, access));
    return requests;
}

RequestSummary sum_shared_requests(const trace::Trace& trace, const Code& code,
                                   const std::atomic<bool>* cancelled) {
    RequestSummary summary;
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
    std::map<Key, SharedRequests> found;
    std::uint64_t looked_at = 0;
    Names names(code);
    trace::TurnDetail detail;
    for (std::uint32_t launch = 0; launch < trace.launches.size() && summary.complete; ++launch) {
        const Launch& of = trace.launches[launch];
        if (of.shared.empty()) continue;
        for (std::uint64_t turn = of.first_turn; turn < of.end_turn; ++turn) {
            if (looked_at > most_requests || (cancelled != nullptr && *cancelled)) {
                summary.complete = false;
                break;
            }
            trace::decode(trace, turn, detail);
            for (const Access& access : detail.accesses) {
                if (access.space != Space::shared || access.mask == 0) continue;
                ++looked_at;
                const std::uint32_t symbol =
                    shared_array_at(of, access.offset[static_cast<unsigned>(std::countr_zero(access.mask))]);
                SharedRequests& to = found[{launch, access.line, symbol, names.of(access.pc)}];
                unsigned wavefronts = 0;
                if (has_passes(access)) {
                    const BankUse use = banks(access, addressing_of(code.at(access.pc)));
                    wavefronts = use.wavefronts;
                    to.ideal += use.ideal;
                }
                to.wavefronts += wavefronts;
                if (to.requests++ != 0 && wavefronts <= to.worst.wavefronts()) continue;
                to.worst = request_of(trace, code, turn, access);
            }
        }
    }
    for (auto& [key, requests] : found) {
        std::tie(requests.launch, requests.line, requests.symbol, std::ignore) = key;
        summary.instructions.push_back(std::move(requests));
    }
    return summary;
}

std::string instruction_name(const Code& code, std::uint32_t pc) {
    const ptx::Instruction* instruction = code.at(pc);
    if (instruction == nullptr) return {};
    std::string name(ptx::text(instruction->op));
    for (const ptx::Suffix suffix : instruction->suffixes)
        name += "." + std::string(ptx::text(suffix));
    return name;
}

}  // namespace lanescope::analysis
