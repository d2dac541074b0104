// Finds locks that threads take in two orders: a schedule can let both wait for each other forever.
//
// A lock is 4 or 8 bytes that a thread changes with a compare-and-swap or an exchange, and that it changes
// back with a store or an atomic operation before another thread changes them. Taking one while holding
// another is an edge between the two; edges of two threads in both directions are a note, unless both held a
// third lock, which keeps them apart. After: S. Savage et al., "Eraser" (1997), and the lock graphs of K.
// Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs" (2000).
//
// Inaccuracies: only cycles of two locks are found; locks that were never released in the trace do not count.
#pragma once

#include <atomic>
#include <vector>

#include "analysis/code.h"
#include "trace/trace.h"

namespace lanescope::analysis {

// Notes of the kind `deadlock`, one for each pair of locks.
std::vector<trace::Problem> find_lock_orders(const trace::Trace& trace, const Code& code,
                                             const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::analysis
