// One action of the user: a row of the table of actions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ui/actions/keys.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

// What the keyboard acts on; one layer at a time. The keys of an action work in some of the layers.
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

// Where an action is requested.
struct Place {
    const session::Session& session;
    const WindowState& window;
    Layer layer;
};

// What a letter changes if the user types without having clicked into a text. The keyboard waits longer
// before an action with a larger effect; see Keyboard.
enum class Effect : std::uint8_t {
    view,   // only the view changes
    input,  // an input or the editor gets the keyboard
    run     // a run starts
};

enum class Group : std::uint8_t { steps, run, views, lecture, files, window, preview };

struct Action {
    std::string_view id;     // stable: "step.forward"
    std::string_view title;  // its name in the menu and the palette
    std::string_view help;   // what it does, in a few words, for the list of keys and for hints
    Group group{};
    std::vector<Chord> keys = {};  // hints show the first one
    Layers heard = 0;              // layers in which its keys work
    Effect effect = Effect::view;
    void (*run)(const Place&, Requests&) = nullptr;
    std::string (*why_not)(const Place&) = nullptr;  // a sentence; empty if it can run here
    std::string (*title_now)(const Place&) = nullptr;
    int menu = 0;                            // its row in the menu; 0: only in the palette
    std::vector<Chord> unlisted = {};        // more keys, which the list of keys omits
    bool with_previous = false;              // shares its row of the list of keys with the previous action
    bool (*hidden)(const Place&) = nullptr;  // it makes no sense here, so the palette omits it
};

// Returns why the action cannot run here, or an empty text if it can.
std::string reason(const Action& action, const Place& place);
std::string title(const Action& action, const Place& place);

}  // namespace lanescope::ui
