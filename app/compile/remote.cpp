#include "compile/remote.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace lanescope::compile {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t max_listed = 500;  // headers, definitions, instantiations
constexpr std::array<const char*, 3> severities{"note", "warning", "error"};

Diagnostic not_readable(const std::string& what) {
    return error("the request is not what lanescope serve reads: " + what,
                 "the page and the server must be of the same version of Lanescope");
}

std::string dumped(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Deeper nesting than any message has: a hostile text must not grow a tree of millions of empty lists.
json parsed(std::string_view text) {
    constexpr int deepest = 4;
    constexpr std::size_t most_values = 10'000;
    std::size_t values = 0;
    const auto shallow = [&](int depth, json::parse_event_t, json&) {
        return depth <= deepest && ++values <= most_values;
    };
    json value = json::parse(text, shallow, false);
    return value.is_object() && values <= most_values ? value : json(json::value_t::discarded);
}

// Reads the keys of an object, each at most once, and keeps the first problem.
class Reader {
  public:
    explicit Reader(const json& object) : object_(object) {}

    void text(const char* key, std::string& into) {
        if (const json* value = find(key); value != nullptr && wants(value->is_string(), key, "a text"))
            into = value->get<std::string>();
    }
    void flag(const char* key, bool& into) {
        if (const json* value = find(key);
            value != nullptr && wants(value->is_boolean(), key, "true or false"))
            into = value->get<bool>();
    }
    void number(const char* key, int& into) {
        if (const json* value = find(key);
            value != nullptr && wants(value->is_number_integer(), key, "a number"))
            into = value->get<int>();
    }
    void texts(const char* key, std::vector<std::string>& into) {
        each(key, "a list of texts", [&](const json& value) {
            if (wants(value.is_string(), key, "a list of texts")) into.push_back(value.get<std::string>());
        });
    }
    template <class Read>
    void objects(const char* key, Read read) {
        each(key, "a list of objects", [&](const json& value) {
            if (!wants(value.is_object(), key, "a list of objects")) return;
            Reader inner(value);
            read(inner);
            if (problem_.empty()) problem_ = inner.problem();
        });
    }
    // The first problem; a key that was not read is one.
    std::string problem() const {
        if (!problem_.empty()) return problem_;
        for (const auto& [key, value] : object_.items())
            if (std::find(known_.begin(), known_.end(), key) == known_.end())
                return "unknown key '" + key.substr(0, 40) + "'";
        return {};
    }

  private:
    const json* find(const char* key) {
        known_.emplace_back(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    bool wants(bool right, const char* key, const char* what) {
        if (!right && problem_.empty()) problem_ = std::string("'") + key + "' must be " + what;
        return right;
    }
    template <class Take>
    void each(const char* key, const char* what, Take take) {
        const json* list = find(key);
        if (list == nullptr || !wants(list->is_array(), key, what)) return;
        if (!wants(list->size() <= max_listed, key, "a list of at most 500")) return;
        for (const json& value : *list)
            take(value);
    }

    const json& object_;
    std::vector<std::string> known_;
    std::string problem_;
};

std::size_t bytes_of(const RemoteSource& source) {
    std::size_t bytes = source.text.size();
    for (const NamedText& header : source.headers)
        bytes += header.text.size();
    return bytes;
}

ordered_json json_of(const Diagnostic& each) {
    return {{"severity", severities[static_cast<std::size_t>(each.severity)]},
            {"file", each.file},
            {"line", each.line},
            {"column", each.column},
            {"message", each.message},
            {"hint", each.hint}};
}

ordered_json json_of(const Diagnostics& diagnostics) {
    ordered_json all = ordered_json::array();
    for (const Diagnostic& each : diagnostics)
        all.push_back(json_of(each));
    return all;
}

Diagnostic diagnostic_of(Reader& reader) {
    Diagnostic made;
    std::string severity = severities.back();
    reader.text("severity", severity);
    reader.text("file", made.file);
    reader.number("line", made.line);
    reader.number("column", made.column);
    reader.text("message", made.message);
    reader.text("hint", made.hint);
    for (std::size_t i = 0; i < severities.size(); ++i)
        if (severity == severities[i]) made.severity = static_cast<Severity>(i);
    return made;
}

Diagnostic bad_answer(const std::string& what) {
    return error("the answer of lanescope serve cannot be read: " + what,
                 "the page and the server must be of the same version of Lanescope");
}

}  // namespace

std::string to_json(const RemoteSource& source) {
    const Options& options = source.options;
    ordered_json headers = ordered_json::array();
    for (const NamedText& header : source.headers)
        headers.push_back({{"name", header.name}, {"shown", header.shown}, {"text", header.text}});
    return dumped({{"file", source.file},
                   {"source", source.text},
                   {"code", options.code == Code::debug ? "debug" : "optimized"},
                   {"definitions", options.flags.definitions},
                   {"standard", options.flags.standard},
                   {"architecture", options.flags.arch},
                   {"newest", options.newest},
                   {"relocatable", options.relocatable},
                   {"instantiations", options.instantiations},
                   {"headers", std::move(headers)}});
}

Result<RemoteSource> remote_source(std::string_view text) {
    const json request = parsed(text);
    if (request.is_discarded()) return not_readable("not one JSON object in UTF-8");
    RemoteSource source;
    source.file = "kernel.cu";
    Options& options = source.options;
    std::string code = "debug";
    Reader reader(request);
    reader.text("file", source.file);
    reader.text("source", source.text);
    reader.text("code", code);
    reader.texts("definitions", options.flags.definitions);
    reader.text("standard", options.flags.standard);
    reader.text("architecture", options.flags.arch);
    reader.text("newest", options.newest);
    reader.flag("relocatable", options.relocatable);
    reader.texts("instantiations", options.instantiations);
    reader.objects("headers", [&](Reader& header) {
        NamedText& made = source.headers.emplace_back();
        header.text("name", made.name);
        header.text("shown", made.shown);
        header.text("text", made.text);
    });
    if (const std::string problem = reader.problem(); !problem.empty()) return not_readable(problem);
    if (!request.contains("source")) return not_readable("'source' is missing");
    if (code != "debug" && code != "optimized") return not_readable("'code' must be debug or optimized");
    options.code = code == "debug" ? Code::debug : Code::optimized;
    if (const Result<std::string> newest = ptx_target(options.newest); !newest) return newest.diagnostics();
    if (bytes_of(source) > max_remote_source_bytes) return error(too_large_message);
    return source;
}

std::string to_json(const Result<Output>& output) {
    if (!output) return dumped({{"compiled", false}, {"diagnostics", json_of(output.diagnostics())}});
    ordered_json headers = ordered_json::array();
    for (const HeaderFile& header : output->headers)
        headers.push_back({{"in_ptx", header.in_ptx}, {"shown", header.shown}, {"text", header.text}});
    return dumped({{"compiled", true},
                   {"ptx", output->ptx},
                   {"aliased_ptx", output->aliased_ptx},
                   {"target", output->target},
                   {"user_file", output->user_file},
                   {"headers", std::move(headers)},
                   {"symbols", output->symbols},
                   {"from_cache", output->from_cache},
                   {"milliseconds", output->milliseconds},
                   {"diagnostics", json_of(output->warnings)}});
}

Result<Output> remote_output(std::string_view text) {
    const json answer = json::parse(text, nullptr, false);
    if (!answer.is_object()) return bad_answer("not one JSON object");
    Reader reader(answer);
    if (answer.contains("message")) return diagnostic_of(reader);
    Output output;
    bool compiled = false;
    reader.flag("compiled", compiled);
    reader.text("ptx", output.ptx);
    reader.text("aliased_ptx", output.aliased_ptx);
    reader.text("target", output.target);
    reader.text("user_file", output.user_file);
    reader.objects("headers", [&](Reader& header) {
        HeaderFile& made = output.headers.emplace_back();
        header.text("in_ptx", made.in_ptx);
        header.text("shown", made.shown);
        header.text("text", made.text);
    });
    reader.objects("diagnostics", [&](Reader& each) { output.warnings.push_back(diagnostic_of(each)); });
    reader.flag("from_cache", output.from_cache);
    if (const json& symbols = answer.value("symbols", json::object()); symbols.is_object())
        for (const auto& [name, symbol] : symbols.items())
            if (symbol.is_string()) output.symbols[name] = symbol.get<std::string>();
    if (const json& time = answer.value("milliseconds", json(0)); time.is_number())
        output.milliseconds = time.get<double>();
    if (compiled && output.ptx.empty()) return bad_answer("there is no code in it");
    if (compiled) return output;
    if (output.warnings.empty()) return bad_answer("it holds neither code nor messages");
    return std::move(output.warnings);
}

}  // namespace lanescope::compile
