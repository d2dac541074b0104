// Notes on steps, the lesson's and a person's own: a caption in a lecture, a box to write them, halts while
// playing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/lesson/note_book.h"
#include "session/session.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// A note at a step of the session, as steps are grouped now.
struct PlacedNote {
    std::size_t step = 0;
    std::uint64_t turn = 0;       // first of the step
    std::uint64_t line_step = 0;  // the step's number by lines
    std::string text;
    bool own = false;
};
// Where the lesson's notes belong that name a step: known once it ran in the order that it was written for.
using LessonPlaces = std::vector<std::optional<NotePlace>>;
LessonPlaces lesson_places(const session::Session& session);
// Ascending step; a person's own note on a step takes the place of the lesson's. Notes whose place does not
// exist in this run are left out.
std::vector<PlacedNote> place_notes(const session::Session& session, const NoteBook& own,
                                    const LessonPlaces& places = {});

class Notes {
  public:
    // Before a frame: finds the notes of the file and the current step's. Stops playing at a step that has
    // one.
    void update(session::Session& session, WindowState& window);
    // Height of the caption that has room for every note of the file; 0 when it has none.
    float caption_height(const WindowState& window, float width) const;
    void draw_caption(const Rect& rect, const WindowState& window) const;
    void draw_editor(const session::Session& session, const WindowState& window, Requests& requests);
    // A note that was removed comes back by the first Undo among the commands, when nothing was done since.
    void take_undo(session::Commands& commands, const session::Session& session, Requests& requests);

  private:
    void follow(const session::Session& session, WindowState& window);
    void halt(session::Session& session);
    void store(Requests& requests);
    void open_box(const session::Session& session, const PlacedNote* note);
    void close_box(const WindowState& window, Requests& requests, const char* text);
    void undo_chip(ImVec2 at, const WindowState& window, Requests& requests);
    void take_back(Requests& requests);
    void draw_box(const Rect& box, const session::Session& session, const WindowState& window,
                  Requests& requests);
    const PlacedNote* current(const session::Session& session) const;

    NoteBook book_;
    std::vector<PlacedNote> placed_;
    std::string path_;
    std::uint64_t generation_ = ~0ull;
    std::uint32_t block_ = 0;
    trace::Granularity granularity_{};
    bool changed_ = true;
    std::size_t step_ = 0;  // of the last frame
    bool played_ = false;
    bool open_ = false;         // the box was there in the last frame
    std::uint64_t edited_ = 0;  // the step that it is about, by lines
    std::vector<char> text_;    // what is typed, with a zero at its end
    std::optional<NotePlace> edited_place_;
    LessonPlaces places_;
    double removed_at_s_ = -1e9;        // for a while after that a button brings it back
    std::uint64_t removed_in_ = ~0ull;  // of the run in which Ctrl + Z brings it back
    std::string problem_;               // why they could not be kept
};

}  // namespace lanescope::ui
