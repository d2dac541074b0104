// What happens inside the compiler process: the attempts on one text, from the request to the answer.
#pragma once

#include "compile/worker_protocol.h"

namespace lanescope::compile {

Answer answer_request(const Request& request);

}  // namespace lanescope::compile
