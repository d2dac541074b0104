// The language of the texts that a person reads. The start of the program chooses it once; child processes
// and machine-readable output stay English.
//
// assets/language/CODE.po holds the words of the window and of pages, for the tools of GNU gettext. They are
// read from this text: the C library's gettext() finds nothing where the language's locale is not installed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace lanescope {

// "en", then those with a catalogue.
std::vector<std::string> languages();

// The code of a language: `asked` if it is not empty, else $LANESCOPE_LANGUAGE, else what POSIX's $LC_ALL,
// $LC_MESSAGES or $LANG name. Errors: one of the first two names an unknown language. An unknown locale is
// English.
Result<std::string> chosen_language(const std::string& asked);

// Before any other thread starts. `code` is one of languages().
void set_language(const std::string& code);
const std::string& language();

// The words in the language, for xgettext the keyword tr; the English ones if the catalogue lacks them. The
// first returns `english` itself or a text that stays.
const char* tr(const char* english);
std::string tr(const std::string& english);
std::string_view tr(std::string_view english);
std::vector<std::string> tr(std::vector<std::string> english);
// With the values in the place of {1}, {2} …
std::string tr(const char* english, std::initializer_list<std::string> values);

// Marks words of a table that are translated where they are shown; for xgettext the keyword tr_later.
constexpr const char* tr_later(const char* english) {
    return english;
}

// The catalogue in a text of GNU gettext's PO format: English words and their translations.
std::vector<std::pair<std::string, std::string>> read_catalogue(std::string_view po);

}  // namespace lanescope
