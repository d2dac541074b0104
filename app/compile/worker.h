// The compiler process's work: answers a request with the attempts on one text.
#pragma once

#include "compile/worker_protocol.h"

namespace lanescope::compile {

Answer answer_request(const Request& request);

}  // namespace lanescope::compile
