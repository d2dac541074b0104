// GNU libmicrohttpd, opened at run time so that the program itself starts without it.
#pragma once

#include <microhttpd.h>

#include "base/result.h"

namespace lanescope::serve {

struct HttpLibrary {
    decltype(&::MHD_start_daemon) start_daemon = nullptr;
    decltype(&::MHD_stop_daemon) stop_daemon = nullptr;
    decltype(&::MHD_quiesce_daemon) quiesce_daemon = nullptr;
    decltype(&::MHD_create_response_from_buffer_with_free_callback_cls) create_response = nullptr;
    decltype(&::MHD_add_response_header) add_response_header = nullptr;
    decltype(&::MHD_queue_response) queue_response = nullptr;
    decltype(&::MHD_destroy_response) destroy_response = nullptr;
    decltype(&::MHD_suspend_connection) suspend_connection = nullptr;
    decltype(&::MHD_resume_connection) resume_connection = nullptr;
    decltype(&::MHD_get_connection_info) get_connection_info = nullptr;
    decltype(&::MHD_lookup_connection_value) lookup_value = nullptr;

    // Error: the library is not installed, or too old.
    static Result<HttpLibrary> open();
};

}  // namespace lanescope::serve
