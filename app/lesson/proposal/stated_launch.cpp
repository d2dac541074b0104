#include "lesson/proposal/stated_launch.h"

#include <algorithm>

#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/proposal/find_kernels.h"
#include "lesson/proposal/host_launches.h"
#include "lesson/proposal/source_model.h"

namespace lanescope::lesson {

namespace {

using Tokens = std::vector<CppToken>;

constexpr std::int64_t most_threads = 1024;

std::string unqualified(const std::string& name) {
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

// "BLOCK_SIZE" as "blocksize".
std::string plain_letters(const std::string& name) {
    std::string plain;
    for (const char c : name)
        if (c != '_') plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return plain;
}

struct Candidate {
    KernelSignature signature;
    std::size_t text = 0;
};

std::vector<Candidate> candidates_of(const SourceRequest& request, const SourceModel& model) {
    std::vector<Candidate> found;
    for (std::size_t text = 0; text < request.texts.size() && !request.texts[text].host_only; ++text)
        for (KernelSignature& kernel : find_kernels(request.texts[text].text))
            if (!model.part(text, kernel.body_begin, kernel.body_end).empty())
                found.push_back({std::move(kernel), text});
    return found;
}

std::string listed(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& each : names)
        list += (list.empty() ? "" : ", ") + each;
    return list;
}

// Reads what the texts say of one kernel.
class KernelReader {
  public:
    // `launch`: null if host code has none.
    KernelReader(const SourceModel& model, const KernelSignature& kernel, const HostLaunch* launch,
                 const std::string& file)
        : model_(model), kernel_(kernel), launch_(launch) {
        made_.file = file;
        made_.line = kernel.line;
    }

    Result<StatedLaunch> run() {
        if (Result<void> named = name_kernel(); !named) return named.diagnostics();
        for (const KernelSignature::Param& parameter : kernel_.params) {
            if (model_.type(parameter.type, types_).reference)
                return no_proposal(made_.file, made_.line,
                                   "'" + parameter.type + " " + parameter.name + "' of " + kernel_.name +
                                       " is a reference, which only device code can pass");
            made_.arguments.push_back(
                {parameter.name + (is_function_name(parameter.name) ? "_" : ""), {}, {}, {}, {}});
        }
        if (launch_ != nullptr) read_launch();
        return std::move(made_);
    }

  private:
    // --- the kernel's name and its template arguments ---
    Result<void> name_kernel() {
        made_.kernel = kernel_.name;
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < kernel_.template_parameters.size(); ++i) {
            const std::string& parameter = kernel_.template_parameters[i];
            const std::size_t equals = parameter.find('=');
            const std::string declared = parameter.substr(0, equals);
            const bool is_type = declared.starts_with("typename ") || declared.starts_with("class ");
            const std::string name = declared.substr(declared.rfind(' ') + 1);
            std::optional<std::string> value;
            if (launch_ != nullptr && i < launch_->template_arguments.size())
                value = template_argument(launch_->template_arguments[i], is_type);
            if (!value && equals != std::string::npos)
                value = template_argument(parameter.substr(equals + 1), is_type);
            if (!value && is_type && declared.find("...") == std::string::npos) value = deduced_type(name);
            if (!value && !is_type) value = usual_argument(declared, name);
            if (!value)
                return no_proposal(
                    made_.file, made_.line,
                    "the template " + kernel_.name + " needs arguments that cannot be guessed");
            if (is_type)
                types_[name] = *value;
            else
                note_block(name, *value);
            arguments.push_back(*value);
        }
        if (!arguments.empty()) made_.kernel += "<" + listed(arguments) + ">";
        return {};
    }

    std::optional<std::string> template_argument(const std::string& text, bool is_type) const {
        if (is_type) {
            const TypeUse use = model_.type(text);
            const bool known = model_.element(use.name) || model_.layout(use.name);
            return known && !use.name.empty() ? std::optional(text) : std::nullopt;
        }
        // A constant of the function that launches comes before one of the same name elsewhere.
        std::optional<std::string> read;
        if (launch_ != nullptr) read = LaunchScope(model_, *launch_, {}).text(tokenize_cpp(text));
        const auto value = model_.constant(read.value_or(text));
        return value ? std::optional(std::to_string(*value)) : std::nullopt;
    }

    // A type that the launch leaves to the compiler: that of numbers.
    static std::optional<std::string> deduced_type(const std::string& name) {
        for (const char* functor : {"Op", "Func", "Functor", "Predicate", "F", "Operator"})
            if (name == functor) return std::nullopt;
        return "int";
    }

    std::optional<std::string> usual_argument(const std::string& declared, const std::string& name) const {
        if (declared.starts_with("bool ")) return "true";
        if (launch_ == nullptr) return std::nullopt;
        const std::string lower = plain_letters(name);
        if (lower.find("tile") != lower.npos) return "16";
        if (lower.find("block") == lower.npos && lower.find("thread") == lower.npos) return std::nullopt;
        return kernel_.two_dimensional ? "16" : "128";
    }

    void note_block(const std::string& name, const std::string& value) {
        for (const char* usual : {"blocksize", "blockthreads", "threads", "block", "blockdim", "nthreads",
                                  "numthreads", "threadsperblock", "numthreadsperblock"})
            if (plain_letters(name) == usual)
                if (const auto size = model_.constant(value); size && *size >= 1 && *size <= most_threads)
                    made_.template_block = size;
    }

    // --- the launch of host code ---
    bool is_whole(const KernelSignature::Param& parameter) const {
        const TypeUse use = model_.type(parameter.type, types_);
        const auto name = model_.element(use.name);
        const auto element = name ? element_type(*name) : std::nullopt;
        return use.pointers == 0 && element && !element->floating() && element->components == 1 &&
               use.name.find("bfloat") == std::string::npos;
    }

    std::size_t passed_count() const { return std::min(kernel_.params.size(), launch_->arguments.size()); }

    // The host variable that becomes an argument; empty: an expression, or no whole number.
    std::string host_name(std::size_t argument) const {
        const Tokens& passed = launch_->arguments[argument];
        const bool variable =
            is_whole(kernel_.params[argument]) && passed.size() == 1 && passed[0].is_identifier();
        return variable ? std::string(passed[0].text) : std::string();
    }

    // What stands for the host variables that become arguments, except one and those that others give.
    std::map<std::string, std::string> host_names(const std::string& except = {}) const {
        std::map<std::string, std::string> names;
        for (std::size_t i = 0; i < passed_count(); ++i)
            if (const std::string name = host_name(i);
                !name.empty() && name != except && made_.arguments[i].text.empty())
                names.emplace(name, made_.arguments[i].name);
        return names;
    }

    // The number of tiles follows from the number of elements where host code computes it so.
    void read_computed() {
        const auto computed = [&](std::size_t i) -> std::string {
            const LaunchScope scope(model_, *launch_, host_names(host_name(i)));
            if (!is_whole(kernel_.params[i]) || scope.is_loop_variable(launch_->arguments[i])) return {};
            const std::string text = scope.text(launch_->arguments[i]).value_or("");
            return model_.constant(text) ? std::string() : text;
        };
        std::vector<std::string> first(passed_count());
        for (std::size_t i = 0; i < first.size(); ++i)
            first[i] = computed(i);
        for (std::size_t i = 0; i < first.size(); ++i)
            made_.arguments[i].text = first[i];
        // Again over those that nothing else gives.
        std::vector<std::string> second(first.size());
        for (std::size_t i = 0; i < first.size(); ++i)
            if (!first[i].empty()) second[i] = computed(i);
        for (std::size_t i = 0; i < first.size(); ++i)
            made_.arguments[i].text = second[i];
    }

    void read_launch() {
        read_computed();
        const LaunchScope scope(model_, *launch_, host_names()), outside(model_, *launch_, {});
        for (std::size_t i = 0; i < std::min(kernel_.params.size(), launch_->arguments.size()); ++i) {
            StatedArgument& argument = made_.arguments[i];
            const Tokens& passed = launch_->arguments[i];
            if (const auto text = outside.text(passed)) argument.value = model_.constant(*text);
            if (passed.size() == 1) argument.literal = literal_of(std::string(passed[0].text));
            argument.allocated_bytes = scope.allocated_bytes(passed);
        }
        const auto& configuration = launch_->configuration;
        if (!configuration.empty()) made_.grid = extents(scope.extents(configuration[0]));
        if (!configuration.empty() && made_.grid.empty()) read_open_grid(scope);
        if (configuration.size() > 1) {
            made_.block = extents(scope.extents(configuration[1]));
            // As host code computes it, where it depends on what the kernel gets, too.
            if (!is_sound_block()) made_.block = extents(outside.extents(configuration[1]));
            if (made_.block.empty() || !is_sound_block()) {
                made_.sized_block = extents(scope.extents(configuration[1]));
                made_.block.clear();
            }
        }
        // The size for another block than host code's is not known.
        if (configuration.size() > 2 && !made_.block.empty())
            made_.shared = scope.text(configuration[2]).value_or("");
    }

    void read_open_grid(const LaunchScope& scope) {
        const Tokens& grid = launch_->configuration[0];
        std::map<std::string, std::string> names = host_names();
        for (const std::string& each : scope.unknown_names(grid)) {
            std::string name = each;
            const auto taken = [&](const StatedArgument& argument) { return argument.name == name; };
            while (is_function_name(name) ||
                   std::any_of(made_.arguments.begin(), made_.arguments.end(), taken))
                name += '_';
            names.emplace(each, name);
            made_.open_names.push_back(name);
        }
        for (const auto& extent : LaunchScope(model_, *launch_, names).extents(grid))
            made_.open_grid.push_back(extent.value_or(""));
    }

    bool is_sound_block() const {
        return std::all_of(made_.block.begin(), made_.block.end(), [&](const std::string& each) {
            const auto value = model_.constant(each);
            return value && *value > 0 && *value <= most_threads;
        });
    }

    static std::string literal_of(std::string text) {
        while (text.ends_with('f') || text.ends_with('F'))
            text.pop_back();
        if (text.ends_with('.')) text += '0';
        return real_literal(text) ? text : std::string();
    }

    // Nothing where some extent is not known.
    static std::vector<std::string> extents(const std::vector<std::optional<std::string>>& known) {
        std::vector<std::string> made;
        for (const auto& each : known) {
            if (!each) return {};
            made.push_back(*each);
        }
        while (made.size() > 1 && made.back() == "1")
            made.pop_back();
        return made;
    }

    const SourceModel& model_;
    const KernelSignature& kernel_;
    const HostLaunch* launch_;
    TypeArguments types_;
    StatedLaunch made_;
};

}  // namespace

std::optional<std::int64_t> StatedLaunch::known_threads() const {
    if (block.empty()) return template_block;
    std::int64_t threads = 1;
    for (const std::string& each : block) {
        const auto extent = evaluate({each, 0, 0}, {}, file);
        if (!extent) return std::nullopt;
        threads *= *extent;
    }
    return threads;
}

Diagnostic no_proposal(const std::string& file, int line, const std::string& why) {
    return error_at(file, line, 0, "no launch can be proposed: " + why,
                    "write one at the start of the file: /*--- lanescope, [params], [buffers], "
                    "[[launch]] with kernel, grid, block and args, ---*/");
}

namespace {

// Reads the first launch, or where that has less than a warp the first of a warp or more.
Result<StatedLaunch> read_kernel(const SourceModel& model, const KernelSignature& kernel,
                                 const std::vector<HostLaunch>& launches, const std::string& name,
                                 const std::string& file, const SourceRequest& request) {
    constexpr std::int64_t warp = 32;
    std::optional<Result<StatedLaunch>> first;
    for (const HostLaunch& launch : launches) {
        if (launch.kernel != name) continue;
        Result<StatedLaunch> stated = KernelReader(model, kernel, &launch, file).run();
        if (stated && request.texts[launch.text].host_only)
            stated->host_file = request.texts[launch.text].file;
        if (!first) first = stated;
        if (!stated || stated->known_threads().value_or(0) >= warp) return stated;
        if (!stated->known_threads()) break;
    }
    return first ? *first : KernelReader(model, kernel, nullptr, file).run();
}

}  // namespace

Result<StatedLaunches> stated_launches(const SourceRequest& request) {
    const std::string file = request.texts.empty() ? "" : request.texts.front().file;
    const SourceModel model(request);
    const std::vector<Candidate> candidates = candidates_of(request, model);
    if (candidates.empty())
        return error_at(file, 0, 0, "the file has no kernel", "write a __global__ function");
    const std::vector<HostLaunch> launches = find_launches(model);
    StatedLaunches made;
    std::optional<Diagnostics> refusal;
    for (const Candidate& each : candidates) {
        const std::string& name = each.signature.name;
        made.kernels.push_back(name);
        if (!request.kernel.empty() && name != request.kernel && unqualified(name) != request.kernel)
            continue;
        Result<StatedLaunch> stated = read_kernel(model, each.signature, launches, unqualified(name),
                                                  request.texts[each.text].file, request);
        if (stated)
            made.launches.push_back(std::move(*stated));
        else if (!refusal)
            refusal = stated.diagnostics();
    }
    if (!made.launches.empty()) return made;
    if (refusal) return *refusal;
    return error_at(file, 0, 0, "no kernel is named '" + request.kernel + "'",
                    "the file has: " + listed(made.kernels));
}

}  // namespace lanescope::lesson
