// Execution code is compiled once for each instruction set of the host; each copy lives in its own inline
// namespace, so that the linker never mixes them. selector.h picks one when the program starts.
#pragma once

#ifndef LANESCOPE_SIMT_ISA
#define LANESCOPE_SIMT_ISA baseline
#endif

#define LANESCOPE_SIMT_ISA_BEGIN inline namespace LANESCOPE_SIMT_ISA {
#define LANESCOPE_SIMT_ISA_END }
