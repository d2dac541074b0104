// The editor of the chosen kernel's source on the preview page. It compiles the text while the user types and
// marks mistakes at their lines.
#pragma once

#include <string>
#include <vector>

#include "preview/model/preview_model.h"
#include "scene/source/source_document.h"
#include "ui/kit/path_prompt.h"
#include "ui/kit/view.h"
#include "ui/preview/path_popup.h"
#include "ui/source/source_editor.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

class PreviewEditor : public View {
  public:
    explicit PreviewEditor(preview::PreviewModel& model) : View("preview editor"), model_(model) {}

    bool open() const { return open_; }
    void show(bool shown);
    // Carries out save, undo and redo while the editor is open.
    void carry_out(PreviewCommand command);
    // Returns whether the editor needs another frame.
    bool waits() const { return wanted_line_ != 0 || (editor_.editing() && editor_.changed()); }

  protected:
    std::string title(const session::Session& session) const override;
    void tools(Heading& heading, const ViewContext& view) override;
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    const session::Document& kernel() const;
    void send();  // sends the typed text to the model
    void follow_text(const WindowState& window);
    void save(bool other_name);
    void draw_rows(const Rect& code, const Rect& inside, const WindowState& window);
    void draw_mistakes(const Rect& inside, std::size_t line, float y, float row_height,
                       const Rect& code) const;
    void draw_caret(const Rect& code, float top, float row_height, const WindowState& window) const;
    void show_caret(const Rect& code, float row_height) const;
    float draw_question(const Rect& inside, const WindowState& window);
    float draw_list(const Rect& inside, const WindowState& window);
    void save_popup(const WindowState& window);

    preview::PreviewModel& model_;
    SourceDocument document_;
    SourceEditor editor_;
    bool open_ = false, save_wanted_ = false, saving_ = false;
    std::size_t kernel_ = ~std::size_t{0};      // the kernel whose text is shown
    std::string sent_;                          // the text that editor and model last shared
    std::size_t wanted_line_ = 0;               // to scroll to; 0: none
    int wanted_frames_ = 0;                     // frames spent scrolling to it
    std::vector<PreviewCommand> after_typing_;  // carried out after the typed text is sent
    TypedPath path_{};
    std::string save_note_;
    ReplaceQuestion replacing_;
};

}  // namespace lanescope::ui
