// One thing that a person can do: the row of the table of actions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ui/actions/keys.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

// What hears the keyboard: one at a time. An action's keys are heard in some of them.
enum class Layer : std::uint16_t {
    panels = 1,
    compare = 2,
    lecture = 4,
    black_screen = 8,
    tour = 16,
    dialog = 32,
    typing = 64,          // in an input
    typing_source = 128,  // in the editor of the source
    preview = 256,
    preview_typing = 512
};
using Layers = std::uint16_t;
constexpr Layers operator|(Layer a, Layer b) {
    return Layers(Layers(a) | Layers(b));
}
constexpr Layers operator|(Layers a, Layer b) {
    return Layers(a | Layers(b));
}
constexpr Layers all_layers = 1023;

Layer layer_of(const WindowState& window, bool typing);

// Where an action is asked for.
struct Place {
    const session::Session& session;
    const WindowState& window;
    Layer layer;
};

// What a letter does when a person types without having clicked into a text. The keyboard waits longer
// before it does what is worse: see Keyboard.
enum class Effect : std::uint8_t {
    view,   // only what is seen changes
    input,  // an input or the editor takes the keyboard
    run     // another run begins
};

enum class Group : std::uint8_t { steps, run, views, lecture, files, window, preview };

struct Action {
    std::string_view id;     // stable: "step.forward"
    std::string_view title;  // what the menu and the palette call it
    std::string_view help;   // what it does, in a few words: the list of keys and hints
    Group group{};
    std::vector<Chord> keys = {};  // the first one stands in hints
    Layers heard = 0;              // by its keys
    Effect effect = Effect::view;
    void (*run)(const Place&, Requests&) = nullptr;
    std::string (*why_not)(const Place&) = nullptr;  // a sentence; empty: it can run here
    std::string (*title_now)(const Place&) = nullptr;
    int menu = 0;                            // its row in the menu; 0: the palette alone
    std::vector<Chord> unlisted = {};        // keys that do the same and need no mention
    bool with_previous = false;              // one row of the list of keys, together with the action before
    bool (*hidden)(const Place&) = nullptr;  // it makes no sense here: not even the palette shows it
};

// Why it cannot run here; empty: it can.
std::string reason(const Action& action, const Place& place);
std::string title(const Action& action, const Place& place);

}  // namespace lanescope::ui
