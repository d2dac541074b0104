// The words of decks and handouts that no lesson says, in English. deck.cpp also has those of
// assets/html/deck.html.
#pragma once

#include "base/language.h"

namespace lanescope::page::words {

constexpr const char* goals = tr_later("Afterwards you can:");
constexpr const char* reached = tr_later("Now you can:");
constexpr const char* lessons = tr_later("Lessons");
constexpr const char* time = tr_later("Time to read and try");
constexpr const char* advanced = tr_later("advanced");
constexpr const char* know_before = tr_later("know before");
constexpr const char* line = tr_later("line");
constexpr const char* line_head = tr_later("Line");
constexpr const char* code = tr_later("The code");
constexpr const char* look = tr_later("What to look at");
constexpr const char* open = tr_later("Open in Lanescope");
constexpr const char* times = tr_later("Times on a GPU");
constexpr const char* questions = tr_later("Questions");
constexpr const char* exercises = tr_later("Exercises");
constexpr const char* level = tr_later("level");
constexpr const char* seen = tr_later("You have seen");
constexpr const char* sources = tr_later("Sources");
constexpr const char* in_the_run = tr_later("In the run:");
constexpr const char* step = tr_later("Step");
constexpr const char* of_block = tr_later("of block");

}  // namespace lanescope::page::words
