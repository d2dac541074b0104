// Notes on steps, the lesson's and the user's own: a caption in a lecture, a box to write them, stops of
// playback.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/lesson/note_book.h"
#include "session/session.h"
#include "ui/kit/view.h"
#include "ui/lecture/wrapped_input.h"

namespace lanescope::ui {

// A note at a step of the session, with the present grouping of steps.
struct PlacedNote {
    std::size_t step = 0;
    std::uint64_t turn = 0;       // the step's first turn
    std::uint64_t line_step = 0;  // the step's number if steps are lines
    std::string text;
    bool own = false;
};
// The places of the lesson's notes that name a step; known after a run with the schedule that the lesson
// assumes.
using LessonPlaces = std::vector<std::optional<NotePlace>>;
LessonPlaces lesson_places(const session::Session& session);
// Returns the notes by ascending step. The user's own note on a step replaces the lesson's. Notes whose place
// does not exist in this run are left out.
std::vector<PlacedNote> place_notes(const session::Session& session, const NoteBook& own,
                                    const LessonPlaces& places = {});

class Notes {
  public:
    // Finds the notes of the file and of the current step, and stops playback at a step with a note. Call it
    // before a frame.
    void update(session::Session& session, WindowState& window);
    // Returns the height of a caption with room for every note of the file, and for one line at least.
    float caption_height(const WindowState& window, float width) const;
    // `aside`: at the right of the caption.
    void draw_caption(const Rect& rect, const WindowState& window, const std::string& aside) const;
    void draw_editor(const ViewContext& view);
    // What the step does, where it has no note.
    const std::string& sentence() const { return sentence_; }
    // The first note behind the current step; null: there is none.
    const PlacedNote* next(const session::Session& session) const;
    // If changing a note was the user's last action, the first Undo of the commands takes that back.
    void take_undo(session::Commands& commands, const session::Session& session, Requests& requests);

  private:
    void follow(const session::Session& session, WindowState& window);
    void halt(session::Session& session);
    void describe(const session::Session& session, const WindowState& window);
    void store(Requests& requests);
    void open_box(const session::Session& session, const PlacedNote* note);
    void close_box(const WindowState& window, Requests& requests, const std::string& text);
    void undo_chip(ImVec2 at, const WindowState& window, Requests& requests);
    void take_back(Requests& requests);
    void draw_box(const Rect& box, const ViewContext& view);
    const PlacedNote* current(const session::Session& session) const;

    NoteBook book_;
    // What the step does, in a lecture, and the step for which it was made.
    struct DescribedStep {
        std::uint64_t generation = ~0ull, moves = ~0ull;
        bool concealed = false;
        bool operator==(const DescribedStep&) const = default;
    };
    DescribedStep described_;
    std::string sentence_;
    bool of_clock_ = false;  // the sentence is about the timeline of cycles, which is the picture
    std::vector<PlacedNote> placed_;
    std::string path_;
    std::uint64_t generation_ = ~0ull;
    std::uint32_t block_ = 0;
    trace::Granularity granularity_{};
    bool changed_ = true;
    std::size_t step_ = 0;  // of the last frame
    bool played_ = false;
    bool open_ = false;         // the box was open in the last frame
    std::uint64_t edited_ = 0;  // the box's step, if steps are lines
    std::vector<char> text_;    // the typed text with soft breaks, and a zero at its end
    WrappedInput wrap_;
    std::optional<NotePlace> edited_place_;
    LessonPlaces places_;
    double removed_at_s_ = -1e9;        // a button restores the note for a while after this time
    std::uint64_t changed_in_ = ~0ull;  // the run in which Ctrl + Z takes the last change back
    std::string problem_;               // why the notes could not be saved
};

}  // namespace lanescope::ui
