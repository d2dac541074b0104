#include "compile/wire.h"

#include <cstring>

namespace lanescope::compile {

namespace {

constexpr std::string_view request_mark = "lanescope compile request 3";
constexpr std::string_view answer_mark = "lanescope compile answer 3";

class Writer {
  public:
    void number(std::uint64_t value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        out_.append(bytes, sizeof value);
    }
    void text(std::string_view value) {
        number(value.size());
        out_ += value;
    }
    void named(const NamedText& value) {
        text(value.name);
        text(value.text);
        text(value.shown);
    }
    std::string take() { return std::move(out_); }

  private:
    std::string out_;
};

class Reader {
  public:
    explicit Reader(std::string_view in) : in_(in) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        if (in_.size() < sizeof value) {
            failed_ = true;
            in_ = {};
            return 0;
        }
        std::memcpy(&value, in_.data(), sizeof value);
        in_.remove_prefix(sizeof value);
        return value;
    }
    std::string text() {
        const std::uint64_t size = number();
        if (size > in_.size()) {
            failed_ = true;
            in_ = {};
            return {};
        }
        std::string value(in_.substr(0, size));
        in_.remove_prefix(size);
        return value;
    }
    NamedText named() {
        NamedText value;
        value.name = text();
        value.text = text();
        value.shown = text();
        return value;
    }
    // A count of things of at least eight bytes each.
    std::uint64_t count() {
        const std::uint64_t value = number();
        if (value > in_.size() / 8) failed_ = true;
        return failed_ ? 0 : value;
    }
    bool ok() const { return !failed_; }
    bool finished() const { return !failed_ && in_.empty(); }

  private:
    std::string_view in_;
    bool failed_ = false;
};

}  // namespace

std::string encode(const Request& request) {
    Writer out;
    out.text(request_mark);
    out.number(static_cast<std::uint64_t>(request.kind));
    out.text(request.library);
    out.number(request.options.size());
    for (const std::string& option : request.options)
        out.text(option);
    out.named(request.source);
    out.number(request.headers.size());
    for (const NamedText& header : request.headers)
        out.named(header);
    out.number(request.instantiations.size());
    for (const std::string& name : request.instantiations)
        out.text(name);
    out.number(request.alias);
    out.text(request.target);
    out.text(request.linker);
    out.text(request.device_runtime);
    return out.take();
}

std::optional<Request> decode_request(std::string_view bytes) {
    Reader in(bytes);
    if (in.text() != request_mark) return std::nullopt;
    Request request;
    const std::uint64_t kind = in.number();
    request.kind = kind == 0   ? Request::Kind::compile
                   : kind == 1 ? Request::Kind::version
                               : Request::Kind::assemble;
    request.library = in.text();
    for (std::uint64_t n = in.count(); n > 0 && in.ok(); --n)
        request.options.push_back(in.text());
    request.source = in.named();
    for (std::uint64_t n = in.count(); n > 0 && in.ok(); --n)
        request.headers.push_back(in.named());
    for (std::uint64_t n = in.count(); n > 0 && in.ok(); --n)
        request.instantiations.push_back(in.text());
    request.alias = in.number() != 0;
    request.target = in.text();
    request.linker = in.text();
    request.device_runtime = in.text();
    if (!in.finished()) return std::nullopt;
    return request;
}

std::string encode(const Answer& answer) {
    Writer out;
    out.text(answer_mark);
    out.number(answer.library_loaded);
    out.number(answer.compiled);
    out.text(answer.version);
    out.text(answer.ptx);
    out.text(answer.aliased_ptx);
    out.text(answer.cubin);
    out.number(answer.symbols.size());
    for (const std::string& symbol : answer.symbols)
        out.text(symbol);
    out.number(answer.diagnostics.size());
    for (const Diagnostic& d : answer.diagnostics) {
        out.number(static_cast<std::uint64_t>(d.severity));
        out.text(d.file);
        out.number(static_cast<std::uint64_t>(d.line));
        out.number(static_cast<std::uint64_t>(d.column));
        out.text(d.message);
        out.text(d.hint);
    }
    return out.take();
}

std::optional<Answer> decode_answer(std::string_view bytes) {
    Reader in(bytes);
    if (in.text() != answer_mark) return std::nullopt;
    Answer answer;
    answer.library_loaded = in.number() != 0;
    answer.compiled = in.number() != 0;
    answer.version = in.text();
    answer.ptx = in.text();
    answer.aliased_ptx = in.text();
    answer.cubin = in.text();
    for (std::uint64_t n = in.count(); n > 0 && in.ok(); --n)
        answer.symbols.push_back(in.text());
    for (std::uint64_t n = in.count(); n > 0 && in.ok(); --n) {
        Diagnostic d;
        const std::uint64_t severity = in.number();
        d.severity = severity == 0 ? Severity::note : severity == 1 ? Severity::warning : Severity::error;
        d.file = in.text();
        d.line = static_cast<int>(in.number());
        d.column = static_cast<int>(in.number());
        d.message = in.text();
        d.hint = in.text();
        answer.diagnostics.push_back(std::move(d));
    }
    if (!in.finished()) return std::nullopt;
    return answer;
}

}  // namespace lanescope::compile
