#include "scene/lesson/note_book.h"

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"

namespace lanescope::scene {

using Json = nlohmann::json;

namespace {

Json json_of(const NotePlace& place) {
    return Json::array({place.launch, place.phase, place.line, place.warp, place.visit});
}

std::optional<NotePlace> place_in(const Json& note) {
    const auto at = note.find("place");
    if (at == note.end() || !at->is_array() || at->size() != 5) return std::nullopt;
    for (const Json& number : *at)
        if (!number.is_number_unsigned()) return std::nullopt;
    const auto part = [&](std::size_t i) { return (*at)[i].get<std::uint32_t>(); };
    return NotePlace{part(0), part(1), part(2), part(3), part(4)};
}

}  // namespace

std::optional<NotePlace> NoteBook::place(std::uint64_t step) const {
    const auto at = now_.places.find(step);
    return at == now_.places.end() ? std::nullopt : std::optional(at->second);
}

std::uint64_t NoteBook::key_for(std::uint64_t step, const std::optional<NotePlace>& wanted) const {
    constexpr std::uint64_t beyond_all_steps = std::uint64_t{1} << 40;
    while (now_.notes.contains(step) && place(step) && place(step) != wanted)
        step += beyond_all_steps;
    return step;
}

void NoteBook::set(std::uint64_t step, const std::string& text, const std::optional<NotePlace>& place) {
    const auto there = now_.notes.find(step);
    if (there == now_.notes.end() ? text.empty() : there->second == text) return;
    constexpr std::size_t max_kept = 100;
    if (before_.size() == max_kept) before_.erase(before_.begin());
    before_.push_back(now_);
    if (text.empty()) {
        now_.notes.erase(step);
        now_.places.erase(step);
        return;
    }
    now_.notes[step] = text;
    if (place) now_.places[step] = *place;
}

void NoteBook::undo() {
    if (before_.empty()) return;
    now_ = std::move(before_.back());
    before_.pop_back();
}

void NoteBook::load(const std::filesystem::path& sidecar) {
    now_ = {};
    before_.clear();
    const auto text = read_file(sidecar, 1 << 22);
    if (!text) return;
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || !json.contains("notes") || !json["notes"].is_array()) return;
    for (const Json& note : json["notes"]) {
        if (!note.is_object() || !note.contains("step") || !note["step"].is_number_unsigned() ||
            !note.contains("text") || !note["text"].is_string())
            continue;
        const auto step = note["step"].get<std::uint64_t>();
        now_.notes[step] = note["text"].get<std::string>();
        if (const auto place = place_in(note)) now_.places[step] = *place;
    }
}

Result<void> NoteBook::save(const std::filesystem::path& sidecar, const std::filesystem::path& of) const {
    Json list = Json::array();
    for (const auto& [step, text] : now_.notes) {
        Json note = {{"step", step}, {"text", text}};
        if (const auto at = place(step)) note["place"] = json_of(*at);
        list.push_back(std::move(note));
    }
    const Json json = {{"file", of.string()}, {"notes", list}};
    return write_file(sidecar, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::filesystem::path> notes_file(const std::filesystem::path& of) {
    auto folder = data_folder();
    if (!folder) return folder.diagnostics();
    std::error_code failed;
    const std::filesystem::path notes = *folder / "notes", whole = std::filesystem::absolute(of, failed);
    std::filesystem::create_directories(notes, failed);
    return notes / (content_hash((failed ? of : whole).string()) + ".json");
}

}  // namespace lanescope::scene
