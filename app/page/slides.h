// What the slides of a topic say, in order, without a form: deck.h writes them as a page. Texts may be longer
// than a slide; the page continues them on another one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/course/registry.h"
#include "scene/source/cuda_tokens.h"

namespace lanescope::page {

enum class SlideKind : std::uint8_t { topic, lesson, text, code, question, answer };

// What the lecturer says to a slide.
struct SlideNote {
    const lesson::StepNote* note = nullptr;
    std::string figure;  // target of the slide's figure that shows the note's step; empty: there is none
};

struct CodeRow {
    std::size_t line = 0;  // from 1; 0: lines that are left out
    std::string text;
    std::vector<scene::Token> tokens;
    bool marked = false;  // what the lesson says to look at happens here
};

struct Slide {
    SlideKind kind{};
    std::string part;                            // what the heading belongs to; may be empty
    std::vector<lesson::Span> heading;           // of an answer: "Answer"
    std::string label;                           // "10 minutes, advanced"
    std::vector<lesson::Paragraph> asked;        // of an answer: its question
    std::vector<lesson::Paragraph> text;         // with figures
    const lesson::LessonEntry* entry = nullptr;  // null: of the topic, whose texts have no figures
    std::string picture;  // target of a figure behind the text; left out where the step shows nothing
    std::vector<CodeRow> code;
    std::vector<SlideNote> notes;
};

// The slides point into `topic`. Errors: a lesson's file cannot be read.
Result<std::vector<Slide>> slides_of(const lesson::Topic& topic);

// A kernel's lines without front matter. A long file becomes the head of the function that holds the marked
// line, and the lines around it; without a marked line (0) all lines are taken.
std::vector<CodeRow> code_excerpt(const std::string& source, std::size_t marked);

// Where the lecturer says it: "At s[t] += …, visit 2".
std::string place_of(const lesson::StepNote& note);

}  // namespace lanescope::page
