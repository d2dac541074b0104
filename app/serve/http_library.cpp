#include "serve/http_library.h"

#include <dlfcn.h>

#include <type_traits>

namespace lanescope::serve {

Result<HttpLibrary> HttpLibrary::open() {
    constexpr const char* name = "libmicrohttpd.so.12";
    void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error(std::string("the library ") + name + ", which serves HTTP, is not installed",
                     "install it (Debian and Ubuntu: libmicrohttpd12, Fedora and Arch: libmicrohttpd)");
    HttpLibrary library;
    bool complete = true;
    const auto load = [&](auto& function, const char* symbol) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, symbol));
        complete = complete && function != nullptr;
    };
    load(library.start_daemon, "MHD_start_daemon");
    load(library.stop_daemon, "MHD_stop_daemon");
    load(library.quiesce_daemon, "MHD_quiesce_daemon");
    load(library.create_response, "MHD_create_response_from_buffer_with_free_callback_cls");
    load(library.add_response_header, "MHD_add_response_header");
    load(library.queue_response, "MHD_queue_response");
    load(library.destroy_response, "MHD_destroy_response");
    load(library.suspend_connection, "MHD_suspend_connection");
    load(library.resume_connection, "MHD_resume_connection");
    load(library.get_connection_info, "MHD_get_connection_info");
    load(library.lookup_value, "MHD_lookup_connection_value");
    if (complete) return library;
    return error(std::string("the library ") + name + " is too old",
                 "libmicrohttpd 0.9.73 or later is needed");
}

}  // namespace lanescope::serve
