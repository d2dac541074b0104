// The words of decks and handouts that no lesson says; those of the keys are in assets/html/deck.html.
#pragma once

namespace lanescope::page::words {

constexpr const char* goals = "Afterwards you can:";
constexpr const char* reached = "Now you can:";
constexpr const char* lessons = "Lessons";
constexpr const char* time = "Time to read and try";
constexpr const char* advanced = "advanced";
constexpr const char* know_before = "know before";
constexpr const char* line = "line";
constexpr const char* line_head = "Line";
constexpr const char* code = "The code";
constexpr const char* look = "What to look at";
constexpr const char* times = "Times on a GPU";
constexpr const char* questions = "Questions";
constexpr const char* exercises = "Exercises";
constexpr const char* level = "level";
constexpr const char* seen = "You have seen";
constexpr const char* sources = "Sources";
constexpr const char* in_the_run = "In the run:";
constexpr const char* step = "Step";
constexpr const char* of_block = "of block";

}  // namespace lanescope::page::words
