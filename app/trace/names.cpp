#include "trace/names.h"

namespace lanescope::trace {

const char* to_text(Space space) {
    switch (space) {
        case Space::global:
            return "global";
        case Space::constant:
            return "constant";
        case Space::shared:
            return "shared";
        case Space::local:
            return "local";
    }
    return "";
}

const char* to_text(AccessKind kind) {
    switch (kind) {
        case AccessKind::load:
            return "load";
        case AccessKind::store:
            return "store";
        case AccessKind::atomic:
            return "atomic";
    }
    return "";
}

}  // namespace lanescope::trace
