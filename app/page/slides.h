// What the slides of a topic say, in order, without a form: deck.h writes them as a page.
//
// A lesson has a title with its goals, a slide for each idea, the code, the step to look at, its questions,
// and what was seen. An idea is a figure, a table or a longer piece of code of its text, with the paragraph
// that leads to it. All other text is what the lecturer says: it stands in the notes. So no slide speaks of a
// picture that another slide has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/course/markdown_text.h"
#include "lesson/course/registry.h"
#include "page/deck_words.h"
#include "scene/source/cuda_tokens.h"

namespace lanescope::page {

enum class SlideKind : std::uint8_t { topic, lesson, idea, text, code, questions, end };

struct CodeRow {
    std::size_t line = 0;  // from 1; 0: lines that are left out
    std::string text;
    std::vector<scene::Token> tokens;
    bool marked = false;  // what the lesson says to look at happens here
};

struct Slide {
    SlideKind kind{};
    std::string part;                            // what the heading belongs to; may be empty
    std::vector<lesson::Span> heading;           // of an idea with a figure: its caption
    std::string label;                           // "10 minutes, advanced"
    std::vector<lesson::Paragraph> text;         // of an idea: the words that lead to it
    std::vector<lesson::Paragraph> idea;         // a figure, a table or code
    const lesson::LessonEntry* entry = nullptr;  // null: of the topic, whose texts have no figures
    bool look = false;                           // the idea is the step that the lesson says to look at
    std::vector<CodeRow> code;
    std::vector<const lesson::Question*> questions;
    std::vector<lesson::Paragraph> told;          // notes: what the lecturer says
    std::vector<const lesson::StepNote*> here;    // notes about the step of the slide's picture
    std::vector<const lesson::StepNote*> others;  // about steps that no slide shows
};

// The slides point into `topic`. Errors: a lesson's file cannot be read.
Result<std::vector<Slide>> slides_of(const lesson::Topic& topic);

// Returns the topic with the lessons of these names, in the course's order. Errors: an unknown name.
Result<lesson::Topic> with_lessons(const lesson::Topic& topic, const std::vector<std::string>& wanted);
// Returns the topic without its advanced lessons. Errors: none is left.
Result<lesson::Topic> core_of(const lesson::Topic& topic);

// Whether a figure of a lesson's text shows the step that the lesson says to look at.
bool shows_look(const lesson::LessonEntry& entry, const std::string& target);

// The paragraphs of `goals`, as a list that `head` introduces; empty without goals.
std::vector<lesson::Paragraph> goal_list(const std::vector<std::string>& goals,
                                         const char* head = words::goals);
std::vector<lesson::Paragraph> exercise_list(const std::vector<lesson::Exercise>& exercises);
std::string label_of(const lesson::LessonEntry& entry);  // "10 minutes, advanced"
std::string label_of(const lesson::Topic& topic);        // "2 lessons, 20 minutes; know before: scan"
std::vector<std::string> sources_of(const lesson::Topic& topic);

// A kernel's lines without front matter. A long file becomes the head of the function that holds the marked
// line, and the lines around it; without a marked line (0) all lines are taken.
std::vector<CodeRow> code_excerpt(const std::string& source, std::size_t marked);
// The excerpt around the line of the step to look at. Errors: the lesson's file cannot be read.
Result<std::vector<CodeRow>> code_of(const lesson::LessonEntry& entry);

}  // namespace lanescope::page
