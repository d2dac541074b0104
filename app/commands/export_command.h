// `lanescope export`: writes a run as a picture, an animation, or a page for any browser.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "page/deck.h"
#include "session/session.h"
#include "ui/window/picture.h"

namespace CLI {
class App;
}

namespace lanescope {

// What a topic's slides or handout hold.
struct TopicOptions {
    bool core = false;                 // without the advanced lessons
    std::vector<std::string> lessons;  // empty: all
    std::string answers;               // "click", "on", "off"; empty: as the kind of file allows
    bool notes = false;                // with the lecturer's notes
    bool handout = false;              // a text to print instead of slides

    void add_to(CLI::App& app);
    std::string first() const;  // "--core": an option that is used; empty: none is
};

struct ExportOptions {
    std::string output;
    std::string steps;    // "4,9,12..14"; empty: all
    bool clock = false;   // a page has estimates of the time
    bool phases = false;  // the first step of each barrier phase
    bool slides = false;  // one slide for each step, instead of a page
    std::string blocks;   // of a page; empty: the first one that is recorded
    int delay_ms = 500;   // of an animation
    bool motion = false;  // of an animation: values travel from step to step
    TopicOptions topic;
    std::string web;       // where the version for browsers is; may be empty
    std::string link;      // to the run there, without its step; may be empty
    std::string progress;  // the window that started this process reads from this file how much is done

    void add_to(CLI::App& app);
    // Whether the file of this name gets slides: a PDF or a folder always, a page where it is asked for.
    bool as_slides(const std::string& file) const;
};

// Whether a file of this name holds shapes: a figure for documents.
bool is_vector(const std::string& output);
// Errors: the file is a PDF, and no browser that prints it is installed.
Result<void> check_printer(const std::string& output);
// Writes a .svg, .tikz or .pdf. Errors: those of ui/vector, of page::print_pdf() and of write_file().
Result<void> write_figure(const ui::VectorFrame& frame, const std::string& output);
// Writes the steps as slides: a page, a PDF, or a folder of pictures with their captions. Errors: those of
// ui::HeadlessRenderer, page::make_step_deck() and page::print_pdf(); a folder that cannot be written.
Result<void> write_slides(session::Session& shown, const ui::PictureRequest& picture,
                          const std::vector<std::size_t>& steps, const ExportOptions& options,
                          const std::string& version);

// Writes the run of `shown`. A picture shows the step that --steps names, else the current one. Errors:
// options that do not fit the kind of file, steps or blocks that do not exist, those of page::make_page() and
// ui::write_animation().
Result<void> write_export(session::Session& shown, const ui::PictureRequest& picture,
                          const ExportOptions& options, const std::string& version);

struct RenderOptions;

void add_export_to(CLI::App& app, RenderOptions& render, ExportOptions& options);

// Returns the exit code.
int export_command(RenderOptions render, ExportOptions options);

// --- Topics as decks of slides

// Whether the name is a topic of the course or of the person's own, or a folder that holds one.
bool names_topic(const std::string& name);

// Writes the page or, for a name that ends in .pdf, prints it with a browser. Draws the figures with OpenGL,
// without a window. `web`: where the version for browsers is; may be empty. Returns the exit code.
int export_topic(const std::string& topic, const std::string& output, const TopicOptions& options,
                 const std::string& web);

}  // namespace lanescope
