// Elementary functions in double that give the same bits on every machine.
//
// They are built from operations that IEEE 754 rounds correctly; the C library's differ in their last bits
// between libraries, and with or without fused multiply-add. Errors are below three units in the last place.
#pragma once

namespace lanescope::elementary {

double exp(double x);
double exp2(double x);
double log2(double x);
double tanh(double x);
double sin(double x);  // of at most π in magnitude; NaN beyond
double cos(double x);

}  // namespace lanescope::elementary
