#include "wheels/http.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace lanescope::wheels {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t max_page_bytes = 32u << 20;
constexpr int max_tries = 3;
constexpr long connect_limit_s = 20, silence_limit_s = 60;

}  // namespace

struct Http::Library {
    decltype(&::curl_global_init) global_init = nullptr;
    decltype(&::curl_easy_init) easy_init = nullptr;
    decltype(&::curl_easy_setopt) easy_setopt = nullptr;
    decltype(&::curl_easy_perform) easy_perform = nullptr;
    decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
    decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
    decltype(&::curl_easy_strerror) easy_strerror = nullptr;
    decltype(&::curl_slist_append) slist_append = nullptr;
    decltype(&::curl_slist_free_all) slist_free_all = nullptr;
    decltype(&::curl_url) url = nullptr;
    decltype(&::curl_url_set) url_set = nullptr;
    decltype(&::curl_url_get) url_get = nullptr;
    decltype(&::curl_url_cleanup) url_cleanup = nullptr;
    decltype(&::curl_free) free = nullptr;
};

Result<Http> Http::open(PipSettings settings) {
    void* handle = nullptr;
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
        if (!handle) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error("the library libcurl.so.4, which downloads, is not installed",
                     "install it (Debian: libcurl4 and ca-certificates)");
    auto library = std::make_shared<Library>();
    bool complete = true;
    const auto load = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
        complete = complete && function != nullptr;
    };
    load(library->global_init, "curl_global_init");
    load(library->easy_init, "curl_easy_init");
    load(library->easy_setopt, "curl_easy_setopt");
    load(library->easy_perform, "curl_easy_perform");
    load(library->easy_getinfo, "curl_easy_getinfo");
    load(library->easy_cleanup, "curl_easy_cleanup");
    load(library->easy_strerror, "curl_easy_strerror");
    load(library->slist_append, "curl_slist_append");
    load(library->slist_free_all, "curl_slist_free_all");
    load(library->url, "curl_url");
    load(library->url_set, "curl_url_set");
    load(library->url_get, "curl_url_get");
    load(library->url_cleanup, "curl_url_cleanup");
    load(library->free, "curl_free");
    if (!complete || library->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return error("the library libcurl.so.4 is too old", "curl 7.80 or later is needed");
    return Http(std::move(library), std::move(settings));
}

// One request. What comes is given to `take`, until that says no.
class Http::Transfer {
  public:
    using Take = std::function<bool(long status, std::string_view bytes)>;

    Transfer(const Http& http, const std::string& url, const std::atomic<bool>& cancel)
        : http_(http), curl_(http.library_->easy_init()), url_(url), cancel_(cancel) {
        set(CURLOPT_URL, url.c_str());
        set(CURLOPT_FOLLOWLOCATION, 1L);
        set(CURLOPT_MAXREDIRS, 10L);
        // A redirection never leads from HTTPS to plain HTTP.
        set(CURLOPT_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http,https");
        set(CURLOPT_REDIR_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http,https");
        set(CURLOPT_CONNECTTIMEOUT, connect_limit_s);
        set(CURLOPT_LOW_SPEED_LIMIT, 1L);
        set(CURLOPT_LOW_SPEED_TIME, silence_limit_s);
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_NETRC, long{CURL_NETRC_OPTIONAL});
        set(CURLOPT_USERAGENT, "lanescope");
        set(CURLOPT_ERRORBUFFER, words_);
        if (!http.settings_.certificates.empty()) set(CURLOPT_CAINFO, http.settings_.certificates.c_str());
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &Transfer::on_progress);
        set(CURLOPT_XFERINFODATA, this);
        set(CURLOPT_WRITEFUNCTION, &Transfer::on_bytes);
        set(CURLOPT_WRITEDATA, this);
    }
    ~Transfer() {
        http_.library_->slist_free_all(headers_);
        http_.library_->easy_cleanup(curl_);
    }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    template <class T>
    void set(CURLoption option, T value) {
        http_.library_->easy_setopt(curl_, option, value);
    }
    void add_header(const std::string& line) {
        headers_ = http_.library_->slist_append(headers_, line.c_str());
        set(CURLOPT_HTTPHEADER, headers_);
    }

    // Errors: no connection and the like. The status is for the caller.
    Result<void> perform(Take take) {
        take_ = std::move(take);
        code_ = http_.library_->easy_perform(curl_);
        if (cancel_) return error("cancelled");
        if (code_ == CURLE_OK || refused_) return {};
        const std::string why = words_[0] ? words_ : http_.library_->easy_strerror(code_);
        return error("no download from " + host_of(url_) + ": " + why);
    }
    bool may_succeed_later() const {
        return code_ == CURLE_PARTIAL_FILE || code_ == CURLE_RECV_ERROR ||
               code_ == CURLE_OPERATION_TIMEDOUT || code_ == CURLE_HTTP2_STREAM ||
               code_ == CURLE_GOT_NOTHING || code_ == CURLE_SEND_ERROR || status() >= 500;
    }
    // The server can only send the file from its beginning.
    bool refuses_to_resume() const {
        return code_ == CURLE_RANGE_ERROR || code_ == CURLE_BAD_DOWNLOAD_RESUME;
    }
    long status() const {
        long status = 0;
        http_.library_->easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
        return status;
    }
    curl_off_t length() const {
        curl_off_t length = -1;
        http_.library_->easy_getinfo(curl_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
        return length;
    }
    std::string final_url() const {
        const char* url = nullptr;
        http_.library_->easy_getinfo(curl_, CURLINFO_EFFECTIVE_URL, &url);
        return url ? url : url_;
    }

  private:
    static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        return static_cast<Transfer*>(self)->cancel_ ? 1 : 0;
    }
    static std::size_t on_bytes(char* bytes, std::size_t, std::size_t count, void* self) {
        auto& transfer = *static_cast<Transfer*>(self);
        if (transfer.take_(transfer.status(), {bytes, count})) return count;
        transfer.refused_ = true;
        return count == 0 ? 1 : 0;
    }

    const Http& http_;
    CURL* curl_;
    std::string url_;
    const std::atomic<bool>& cancel_;
    Take take_;
    curl_slist* headers_ = nullptr;
    CURLcode code_ = CURLE_OK;
    bool refused_ = false;
    char words_[CURL_ERROR_SIZE] = {};
};

namespace {

Diagnostic not_trusted(const std::string& url) {
    return error("no download from " + host_of(url) + ": its address does not begin with https://",
                 "pip's setting trusted-host names hosts that may be asked without encryption");
}

Diagnostic wrong_status(const std::string& url, long status) {
    return error(host_of(url) + " answered with status " + std::to_string(status),
                 status == 401 || status == 403
                     ? "it wants a name and a password: see pip's setting index-url"
                 : status == 404 ? "pip's setting index-url may name another index"
                                 : "");
}

}  // namespace

Result<Http::Page> Http::get(const std::string& url, const std::string& accept,
                             const std::atomic<bool>& cancel) const {
    if (!is_trusted(url, settings_)) return not_trusted(url);
    for (int tried = 1;; ++tried) {
        Transfer transfer(*this, url, cancel);
        transfer.add_header("Accept: " + accept);
        transfer.set(CURLOPT_ACCEPT_ENCODING, "");
        Page page;
        bool too_large = false;
        const Result<void> done = transfer.perform([&](long, std::string_view bytes) {
            too_large = page.text.size() + bytes.size() > max_page_bytes;
            if (!too_large) page.text += bytes;
            return !too_large;
        });
        if (too_large) return error("the page of " + host_of(url) + " is larger than 32 MiB");
        if (done && transfer.status() == 200) {
            page.url = transfer.final_url();
            return page;
        }
        if (tried < max_tries && !cancel && transfer.may_succeed_later()) continue;
        return done ? Result<Page>(wrong_status(url, transfer.status())) : Result<Page>(done.diagnostics());
    }
}

std::uint64_t Http::size_of(const std::string& url, const std::atomic<bool>& cancel) const {
    if (!is_trusted(url, settings_)) return 0;
    Transfer transfer(*this, url, cancel);
    transfer.set(CURLOPT_NOBODY, 1L);
    const Result<void> done = transfer.perform([](long, std::string_view) { return true; });
    const curl_off_t length = transfer.length();
    return done && transfer.status() == 200 && length > 0 ? static_cast<std::uint64_t>(length) : 0;
}

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::uint64_t size_on_disk(const fs::path& file) {
    std::error_code code;
    const std::uintmax_t size = fs::file_size(file, code);
    return code ? 0 : size;
}

}  // namespace

Result<void> Http::download(const std::string& url, const fs::path& file, std::uint64_t max_bytes,
                            const Progress& progress, const std::atomic<bool>& cancel) const {
    if (!is_trusted(url, settings_)) return not_trusted(url);
    for (int tried = 1;; ++tried) {
        const std::uint64_t begun = size_on_disk(file);
        File out(std::fopen(file.c_str(), "ab"), &std::fclose);
        if (!out) return error_at(file.string(), 0, 0, "cannot be written");
        Transfer transfer(*this, url, cancel);
        if (begun != 0) transfer.set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(begun));
        std::uint64_t there = begun;
        enum class Fault : std::uint8_t { none, too_large, disk } fault = Fault::none;
        const Result<void> done = transfer.perform([&](long status, std::string_view bytes) {
            if (status != 200 && status != 206)
                return true;  // the text of an error page
            else if (there + bytes.size() > max_bytes)
                fault = Fault::too_large;
            else if (std::fwrite(bytes.data(), 1, bytes.size(), out.get()) != bytes.size())
                fault = Fault::disk;
            if (fault != Fault::none) return false;
            there += bytes.size();
            progress(there);
            return true;
        });
        const bool kept = std::fclose(out.release()) == 0;
        const long status = transfer.status();
        if (fault == Fault::disk || !kept)
            return error_at(file.string(), 0, 0, "cannot be written: is the disk full?");
        if (fault == Fault::too_large) {
            std::error_code ignored;
            fs::remove(file, ignored);
            return error(host_of(url) +
                         " sends more than the package index says: " + file.filename().string());
        }
        if (done && fault == Fault::none && (status == 200 || status == 206)) return {};
        // 416: the file has no more bytes, or another file was begun.
        if (begun != 0 && (transfer.refuses_to_resume() || status == 416) && tried < max_tries) {
            std::error_code ignored;
            fs::resize_file(file, 0, ignored);
            continue;
        }
        if (cancel) return error("cancelled");
        if (tried >= max_tries || !transfer.may_succeed_later())
            return done ? Result<void>(wrong_status(url, status)) : done;
        std::this_thread::sleep_for(std::chrono::seconds(tried));
    }
}

std::string Http::absolute(const std::string& page_url, const std::string& link) const {
    const std::unique_ptr<CURLU, decltype(&::curl_url_cleanup)> url(library_->url(), library_->url_cleanup);
    char* text = nullptr;
    std::string whole = link;
    if (library_->url_set(url.get(), CURLUPART_URL, page_url.c_str(), 0) == CURLUE_OK &&
        library_->url_set(url.get(), CURLUPART_URL, link.c_str(), 0) == CURLUE_OK &&
        library_->url_get(url.get(), CURLUPART_URL, &text, 0) == CURLUE_OK) {
        whole = text;
        library_->free(text);
    }
    return whole;
}

}  // namespace lanescope::wheels
