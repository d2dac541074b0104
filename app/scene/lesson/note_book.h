// A person's own notes on the steps of one file, kept beside other data of that person, never in the file
// itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/lesson/note_place.h"

namespace lanescope::scene {

class NoteBook {
  public:
    // The notes by step, from 0, counted in lines of the focus block of the run in which they were written.
    const std::map<std::uint64_t, std::string>& notes() const { return now_.notes; }
    // Where the note of that step belongs in any run; nothing: at the step of that number.
    std::optional<NotePlace> place(std::uint64_t step) const;
    // The key for a new note of that step: the step's number, unless a note of another place has it.
    std::uint64_t key_for(std::uint64_t step, const std::optional<NotePlace>& place) const;
    // An empty text removes the note. undo() brings back what was there before.
    void set(std::uint64_t step, const std::string& text, const std::optional<NotePlace>& place = {});
    bool can_undo() const { return !before_.empty(); }
    void undo();

    // Loads the notes of another file and forgets what could be undone. A missing or damaged file has no
    // notes.
    void load(const std::filesystem::path& sidecar);
    Result<void> save(const std::filesystem::path& sidecar, const std::filesystem::path& of) const;

  private:
    struct Pages {
        std::map<std::uint64_t, std::string> notes;
        std::map<std::uint64_t, NotePlace> places;
    };
    Pages now_;
    std::vector<Pages> before_;
};

// Returns notes/HASH.json in the person's data folder. Error: the folder does not exist and cannot be made.
Result<std::filesystem::path> notes_file(const std::filesystem::path& of);

}  // namespace lanescope::scene
