// Downloads over HTTP, with the system's libcurl, which is opened at run time. Proxies are those of the
// environment (http_proxy, https_proxy, no_proxy).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "wheels/pip_settings.h"

namespace lanescope::wheels {

class Http {
  public:
    // Error: libcurl is not installed.
    static Result<Http> open(PipSettings settings);

    const PipSettings& settings() const { return settings_; }

    struct Page {
        std::string url;  // where redirections led
        std::string text;
    };
    // A page of up to 32 MiB. `accept`: which content types are wanted. Errors: an address that is not
    // trusted; no answer; a status other than 200; cancelled.
    Result<Page> get(const std::string& url, const std::string& accept,
                     const std::atomic<bool>& cancel) const;

    // The size that the server names for an address; 0 if it names none.
    std::uint64_t size_of(const std::string& url, const std::atomic<bool>& cancel) const;

    // Called with the bytes of the file that are there.
    using Progress = std::function<void(std::uint64_t)>;
    // Writes the address's content to a file of at most `max_bytes`. What the file already holds is not asked
    // for again, if the server can begin in the middle. Tries three times before it gives up. Errors: as
    // get().
    Result<void> download(const std::string& url, const std::filesystem::path& file, std::uint64_t max_bytes,
                          const Progress& progress, const std::atomic<bool>& cancel) const;

    // A link on a page as a whole address.
    std::string absolute(const std::string& page_url, const std::string& link) const;

  private:
    struct Library;
    class Transfer;
    Http(std::shared_ptr<const Library> library, PipSettings settings)
        : library_(std::move(library)), settings_(std::move(settings)) {}

    std::shared_ptr<const Library> library_;
    PipSettings settings_;
};

}  // namespace lanescope::wheels
