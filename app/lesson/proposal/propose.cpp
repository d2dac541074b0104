#include "lesson/proposal/propose.h"

#include <algorithm>

#include "base/cpp_lexer.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/proposal/host_launches.h"
#include "lesson/proposal/kernel_proposal.h"

namespace lanescope::lesson {

namespace {

std::string unqualified(const std::string& name) {
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

struct Candidate {
    KernelSignature signature;
    std::size_t text = 0;
};

std::vector<Candidate> candidates_of(const ProposalRequest& request, const SourceModel& model) {
    std::vector<Candidate> found;
    for (std::size_t text = 0; text < request.texts.size(); ++text)
        for (KernelSignature& kernel : find_kernels(request.texts[text].text))
            if (!model.part(text, kernel.body_begin, kernel.body_end).empty())
                found.push_back({std::move(kernel), text});
    return found;
}

std::string names_of(const std::vector<Candidate>& candidates) {
    std::string names;
    for (const Candidate& each : candidates)
        names += (names.empty() ? "" : ", ") + each.signature.name;
    return names;
}

}  // namespace

Result<FrontMatter> propose(const ProposalRequest& request) {
    const std::string file = request.texts.empty() ? "" : request.texts.front().file;
    const SourceModel model(request);
    const std::vector<Candidate> candidates = candidates_of(request, model);
    if (candidates.empty())
        return error_at(file, 0, 0, "the file has no kernel", "write a __global__ function");
    const auto wanted = [&](const Candidate& each) {
        return request.kernel.empty() || each.signature.name == request.kernel ||
               unqualified(each.signature.name) == request.kernel;
    };
    const std::vector<HostLaunch> launches = find_launches(model);
    std::optional<Diagnostics> refusal;
    for (const Candidate& each : candidates) {
        if (!wanted(each)) continue;
        const auto launch = std::find_if(launches.begin(), launches.end(), [&](const HostLaunch& one) {
            return one.kernel == unqualified(each.signature.name);
        });
        Result<FrontMatter> front = propose_launch(
            model, each.signature, model.part(each.text, each.signature.body_begin, each.signature.body_end),
            launch == launches.end() ? nullptr : &*launch, request.texts[each.text].file);
        if (!front) {
            if (!refusal) refusal = front.diagnostics();
            continue;
        }
        for (const Candidate& other : candidates)
            front->proposal.kernels.push_back(other.signature.name);
        if (candidates.size() > 1 && request.kernel.empty())
            front->proposal.notes.push_back("the file has " + std::to_string(candidates.size()) +
                                            " kernels: " + names_of(candidates) +
                                            "; --kernel NAME proposes a launch for another one");
        return front;
    }
    if (refusal) return *refusal;
    return error_at(file, 0, 0, "no kernel is named '" + request.kernel + "'",
                    "the file has: " + names_of(candidates));
}

}  // namespace lanescope::lesson
