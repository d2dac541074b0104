// How a tensor core adds products to an accumulator. This file alone knows it.
//
// Products are exact. A block of them is added to the accumulator at once: all terms are aligned to the
// largest exponent among them, cut off (toward zero) a few bits below a float's last one, summed exactly, and
// the sum is cut off to a float. The blocks of a longer product follow each other. Source: M. Fasi, N.
// Higham, M. Mikaitis, S. Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021; the numbers are those
// of the recordings in tests/parity.
#pragma once

#include "ptx/opcodes.h"

namespace lanescope::simt {

// A factor and its exponent, which for a subnormal number is that of the smallest normal one of its format.
struct Factor {
    double value = 0;
    int exponent = 0;
};
Factor factor_of(double value, int least_exponent);
int least_exponent(ptx::Type format);

struct DotModel {
    unsigned block = 16;  // products that are added at once
    int extra_bits = 2;   // kept below the last bit of a float
};
DotModel dot_model(ptx::Type format);

// sum + a · b over `count` products, cut off to a float; or the last block's sum as it is, which f16 results
// round to the nearest.
float accumulate_float(float sum, const Factor* a, const Factor* b, unsigned count, DotModel model);
double accumulate(float sum, const Factor* a, const Factor* b, unsigned count, DotModel model);

}  // namespace lanescope::simt
