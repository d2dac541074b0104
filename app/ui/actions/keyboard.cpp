#include "ui/actions/keyboard.h"

#include <utility>

#include "base/language.h"
#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

KeyPress in_lower_case(KeyPress press) {
    if (press.character >= U'A' && press.character <= U'Z') press.character += U'a' - U'A';
    if (is_typed(press)) press.shift = false;
    return press;
}

double wait_s(Effect effect) {
    return effect == Effect::run     ? Keyboard::run_wait_s
           : effect == Effect::input ? Keyboard::input_wait_s
                                     : 0.0;
}

bool text_is_typed(Layer layer) {
    return layer == Layer::dialog || layer == Layer::typing || layer == Layer::typing_source ||
           layer == Layer::preview_typing;
}

}  // namespace

Layer layer_of(const WindowState& window, bool typing) {
    if (window.preview.open && window.dialog == Dialog::none)
        return typing ? Layer::preview_typing : Layer::preview;
    if (typing) return window.source.typing ? Layer::typing_source : Layer::typing;
    if (window.dialog != Dialog::none) return Layer::dialog;
    if (window.tour_stop >= 0) return Layer::tour;
    if (window.lecture) return window.talk.black ? Layer::black_screen : Layer::lecture;
    return window.comparing ? Layer::compare : Layer::panels;
}

void Keyboard::take(std::span<const KeyPress> presses, const Place& place, bool popup, Requests& requests) {
    for (const KeyPress& each : presses) {
        if (each.key == Key::escape && popup) continue;
        const KeyPress press = in_lower_case(each);
        if (text_is_typed(place.layer)) held_.reset();
        if (is_typed(press) && !text_is_typed(place.layer)) {
            hear_character(press, place, requests);
        } else {
            release(place, requests);
            hear(press, place, requests);
        }
    }
    if (held_ && place.window.now_s - held_->since_s >= wait_s(held_->action->effect))
        release(place, requests);
}

bool Keyboard::is_typing(char32_t character, double now_s) {
    const double since_s = now_s - std::exchange(last_s_, now_s);
    const bool other = character != std::exchange(last_, character);
    typing_ = typing_ ? since_s < pause_s : other && since_s < burst_s;
    return typing_ || (held_ && held_->character != character);
}

void Keyboard::hear_character(const KeyPress& press, const Place& place, Requests& requests) {
    if (is_typing(press.character, place.window.now_s)) {
        typing_ = true;
        held_.reset();
        return tell(place, with_keys(tr("To type, click into the source or press {source.edit}.")), requests);
    }
    const Action* action = action_for(press, place.layer);
    if (action == nullptr || action->effect == Effect::view || !reason(*action, place).empty())
        return hear(press, place, requests);
    held_ = Held{action, press.character, place.window.now_s};
}

void Keyboard::hear(const KeyPress& press, const Place& place, Requests& requests) {
    if (const Action* action = action_for(press, place.layer)) return perform(*action, place, requests);
    // On a black screen every other key only brings the picture back.
    if (place.layer == Layer::black_screen)
        requests.change([](WindowState& window) { window.talk.black = false; });
    if (place.layer != Layer::preview) return;
    if (const Action* elsewhere = action_for(press, Layer::panels))
        tell(place,
             with_keys("The preview does not have this: " + std::string(elsewhere->title) +
                       ". Press {preview.toggle} to leave the preview."),
             requests);
}

void Keyboard::release(const Place& place, Requests& requests) {
    if (const std::optional<Held> held = std::exchange(held_, std::nullopt))
        perform(*held->action, place, requests);
}

}  // namespace lanescope::ui
