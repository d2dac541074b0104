#include "execution/proposal/name_sense.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope::execution {

namespace {

using Sense = NameSense;

struct Whole {
    std::string_view name;
    Sense sense;
};
constexpr std::array whole_names{
    Whole{"n", Sense::size},        Whole{"len", Sense::size},      Whole{"length", Sense::size},
    Whole{"size", Sense::size},     Whole{"count", Sense::size},    Whole{"num", Sense::size},
    Whole{"m", Sense::size},        Whole{"nelem", Sense::size},    Whole{"total", Sense::size},
    Whole{"width", Sense::width},   Whole{"w", Sense::width},       Whole{"cols", Sense::width},
    Whole{"columns", Sense::width}, Whole{"nx", Sense::width},      Whole{"numcols", Sense::width},
    Whole{"imagew", Sense::width},  Whole{"height", Sense::height}, Whole{"h", Sense::height},
    Whole{"rows", Sense::height},   Whole{"ny", Sense::height},     Whole{"numrows", Sense::height},
    Whole{"imageh", Sense::height}, Whole{"begin", Sense::begin},   Whole{"start", Sense::begin},
    Whole{"first", Sense::begin},   Whole{"lo", Sense::begin},      Whole{"end", Sense::end},
    Whole{"stop", Sense::end},      Whole{"last", Sense::end},      Whole{"hi", Sense::end}};

struct Part {
    std::string_view text;
    Sense sense;
};
// The first that a name contains decides.
constexpr std::array name_parts{
    Part{"radius", Sense::radius},     Part{"mask", Sense::radius},   Part{"filter", Sense::radius},
    Part{"kernelsize", Sense::radius}, Part{"ksize", Sense::radius},  Part{"iter", Sense::rounds},
    Part{"steps", Sense::rounds},      Part{"rounds", Sense::rounds}, Part{"repeat", Sense::rounds},
    Part{"numelem", Sense::size},      Part{"nelem", Sense::size},    Part{"length", Sense::size},
    Part{"count", Sense::size},        Part{"size", Sense::size}};

}  // namespace

NameSense sense_of(const std::string& name) {
    std::string plain;  // in small letters, without '_'
    for (const char c : name)
        if (c != '_') plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    for (const Whole& each : whole_names)
        if (plain == each.name) return each.sense;
    for (const Part& each : name_parts)
        if (plain.find(each.text) != std::string::npos) return each.sense;
    // num_items, nParticles, numBodies
    const bool capital = name.size() > 1 && name[0] == 'n' && name[1] >= 'A' && name[1] <= 'Z';
    if (capital || plain.starts_with("num")) return Sense::size;
    return Sense::none;
}

std::optional<std::int64_t> usual_value(NameSense sense) {
    switch (sense) {
        case Sense::begin:
            return 0;
        case Sense::rounds:
            return 4;
        case Sense::radius:
            return 3;
        case Sense::truth:
            return 1;
        default:
            return std::nullopt;
    }
}

}  // namespace lanescope::execution
