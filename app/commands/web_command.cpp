#include "commands/web_command.h"

#include <zlib.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "commands/options/command.h"
#include "commands/options/run_options.h"
#include "commands/packaging_commands.h"
#include "compile/user_headers.h"
#include "execution/run/input_files.h"
#include "lesson/course/registry.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* page_file = "index.html";
constexpr const char* own_archive = "own.tar.gz";
constexpr const char* settings_begin = "<script id=\"settings\" type=\"application/json\">";
constexpr const char* shell = "<script src=\"lanescope.js\"></script>";
constexpr std::uintmax_t most_bytes = 64u << 20;

// ustar: POSIX.1-2017, pax, "ustar Interchange Format".
class Archive {
  public:
    Result<void> add(const std::string& name, const std::string& bytes) {
        if (name.size() > 100) return error("the name '" + name + "' is longer than 100 bytes");
        std::string header(512, '\0');
        const auto put = [&header](std::size_t at, const std::string& text) {
            header.replace(at, text.size(), text);
        };
        char size[16];
        std::snprintf(size, sizeof size, "%011zo", bytes.size());
        put(0, name);
        put(100, "0000644");
        put(108, "0000000");
        put(116, "0000000");
        put(124, size);
        put(136, "00000000000");
        put(148, "        ");
        put(156, "0");
        put(257, std::string("ustar\0"
                             "00",
                             8));
        unsigned sum = 0;
        for (const char c : header)
            sum += static_cast<unsigned char>(c);
        char text[8];
        std::snprintf(text, sizeof text, "%06o", sum);
        put(148, std::string(text, 7));
        bytes_ += header + bytes;
        bytes_.resize((bytes_.size() + 511) / 512 * 512, '\0');
        return {};
    }

    Result<std::string> compressed() const {
        const std::string all = bytes_ + std::string(1024, '\0');
        z_stream stream{};
        constexpr int gzip = 16;  // zlib's manual, deflateInit2
        if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            return error("no memory");
        std::string out(deflateBound(&stream, all.size()), '\0');
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(all.data()));
        stream.avail_in = static_cast<uInt>(all.size());
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        const int ended = deflate(&stream, Z_FINISH);
        out.resize(stream.total_out);
        deflateEnd(&stream);
        if (ended != Z_STREAM_END) return error("no memory");
        return out;
    }

  private:
    std::string bytes_;
};

// The lecturer's own files as they lie in the browser: own/TOPIC/FILE, with what they include and read, and
// their code in compiled/.
class OwnFiles {
  public:
    Result<void> add(const fs::path& given) {
        std::error_code failed;
        if (!fs::is_directory(given, failed)) return add_file(given, "lessons");
        std::vector<fs::path> inside;
        for (const auto& entry : fs::directory_iterator(given, failed))
            inside.push_back(entry.path());
        std::sort(inside.begin(), inside.end());
        const std::string topic = fs::weakly_canonical(given, failed).filename().string();
        bool any = false;
        for (const fs::path& file : inside) {
            const std::string name = file.filename().string();
            if (name == "lesson.toml" || (name.starts_with("lesson.") && name.ends_with(".toml"))) {
                if (const Result<void> done = pack(file, "own/" + topic + "/" + name); !done) return done;
            } else if (file.extension() == ".cu") {
                any = true;
                if (const Result<void> done = add_file(file, topic); !done) return done;
            }
        }
        if (!any) return error_at(given.string(), 0, 0, "the folder has no .cu file");
        return {};
    }

    const std::string& first() const { return first_; }  // "lessons/scan"
    Archive& archive() { return archive_; }

  private:
    Result<void> add_file(const fs::path& file, const std::string& topic) {
        if (kind_of(file) == FileKind::trace)
            return error_at(file.string(), 0, 0, "a trace has its own link: ?trace=URL");
        if (file.extension() != ".cu")
            return error_at(file.string(), 0, 0, "the file must be a .cu file or a folder of them");
        const Result<std::string> source = read_text_file(file);
        if (!source) return source.diagnostics();
        if (first_.empty()) first_ = topic + "/" + file.stem().string();
        const std::string folder = "own/" + topic + "/";
        if (const Result<void> done = pack(file, folder + file.filename().string()); !done) return done;
        const fs::path beside = fs::absolute(file).parent_path();
        for (const compile::NamedText& header : compile::find_user_headers(*source, beside).headers)
            if (const Result<void> done = keep(folder + header.name, header.text); !done) return done;
        for (const fs::path& input : execution::input_files(file))
            if (const fs::path name = fs::absolute(input).lexically_relative(beside);
                input != file && *name.begin() != "..")
                if (const Result<void> done = pack(input, folder + name.string()); !done) return done;
        return compile(file);
    }

    Result<void> compile(const fs::path& file) {
        if (!compiled_) {
            Result<TemporaryFolder> made = TemporaryFolder::create();
            if (!made) return made.diagnostics();
            compiled_.emplace(std::move(*made));
        }
        for (const CourseFile& wanted : all_code_of(file.string())) {
            const Result<fs::path> entry = compile_course_file(wanted, compiled_->path());
            if (!entry) return entry.diagnostics();
            if (const Result<void> done = pack(*entry, "compiled/" + entry->filename().string()); !done)
                return done;
        }
        return {};
    }

    Result<void> pack(const fs::path& file, const std::string& name) {
        const Result<std::string> bytes = read_file(file, most_bytes);
        if (!bytes) return bytes.diagnostics();
        return keep(name, *bytes);
    }

    Result<void> keep(const std::string& name, const std::string& bytes) {
        if (!kept_.insert(name).second) return {};
        return archive_.add(fs::path(name).lexically_normal().string(), bytes);
    }

    Archive archive_;
    std::set<std::string> kept_;
    std::optional<TemporaryFolder> compiled_;
    std::string first_;
};

// The page with its settings. In a script element only "</" and "<!--" end or hide the text.
Result<std::string> page_with(std::string text, const nlohmann::ordered_json& settings) {
    const std::size_t at = text.find(settings_begin);
    const std::size_t end = at == text.npos ? at : text.find("</script>", at);
    if (end == text.npos)
        return error("the page of the version for browsers is damaged", "build it again: app/web.sh");
    std::string words = settings.dump(-1, ' ', true);
    for (std::size_t i = words.find('<'); i != words.npos; i = words.find('<', i))
        words.replace(i, 1, "\\u003c");
    const std::size_t begin = at + std::string(settings_begin).size();
    return text.replace(begin, end - begin, words);
}

Result<std::string> in_one(std::string text, const fs::path& site,
                           const std::vector<std::pair<std::string, std::string>>& more) {
    const std::size_t at = text.find(shell);
    if (at == text.npos)
        return error("the page of the version for browsers is damaged", "build it again: app/web.sh");
    nlohmann::ordered_json inlined;
    for (const char* name : {"program.js", "worker.js", "program.wasm.gz", "course.tar.gz"}) {
        const Result<std::string> bytes = read_file(site / name, most_bytes);
        if (!bytes) return bytes.diagnostics();
        inlined[name] = base64(*bytes);
    }
    for (const auto& [name, bytes] : more)
        inlined[name] = base64(bytes);
    const Result<std::string> script = read_file(site / "lanescope.js", most_bytes);
    if (!script) return script.diagnostics();
    return text.replace(at, std::string(shell).size(),
                        "<script>window.lanescopeInline = " + inlined.dump() + ";</script>\n<script>\n" +
                            *script + "</script>");
}

Result<void> write_folder(const fs::path& site, const fs::path& folder, const std::string& text,
                          const std::vector<std::pair<std::string, std::string>>& more) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return error_at(folder.string(), 0, 0, "the folder cannot be made: " + failed.message());
    if (fs::equivalent(site, folder, failed))
        return error_at(folder.string(), 0, 0, "this folder holds the program's own page",
                        "name another one");
    for (const auto& entry : fs::directory_iterator(site, failed)) {
        const std::string name = entry.path().filename().string();
        if (name == page_file) continue;
        const Result<std::string> bytes = read_file(entry.path(), most_bytes);
        if (!bytes) return bytes.diagnostics();
        if (const Result<void> done = write_file(folder / name, *bytes); !done) return done;
    }
    for (const auto& [name, bytes] : more)
        if (const Result<void> done = write_file(folder / name, bytes); !done) return done;
    return write_file(folder / page_file, text);
}

Result<std::string> write(const WebOptions& options) {
    OwnFiles own;
    for (const std::string& file : options.files)
        if (const Result<void> done = own.add(file); !done) return done.diagnostics();
    const fs::path site = web_folder();
    if (site.empty())
        return error("the version for browsers is not there",
                     "build it: app/web.sh; a package of Lanescope may come without it");
    std::vector<std::pair<std::string, std::string>> more;
    nlohmann::ordered_json settings = {{"archives", {"course.tar.gz"}}};
    if (!options.files.empty()) {
        Result<std::string> archive = own.archive().compressed();
        if (!archive) return archive.diagnostics();
        more.emplace_back(own_archive, std::move(*archive));
        settings["archives"].push_back(own_archive);
    }
    const std::string first =
        options.first.empty() && !own.first().empty() ? "lesson=" + own.first() : options.first;
    settings["first"] = first.starts_with('?') ? first.substr(1) : first;
    settings["serve"] = options.serve;
    const Result<std::string> plain = read_file(site / page_file, most_bytes);
    if (!plain) return plain.diagnostics();
    Result<std::string> text = page_with(*plain, settings);
    if (!text) return text.diagnostics();
    const fs::path output = whole_path(options.output);
    if (!options.single) {
        if (const Result<void> done = write_folder(site, output, *text, more); !done)
            return done.diagnostics();
        return "written: " + options.output + "; any static server shows it: python3 -m http.server -d " +
               options.output;
    }
    text = in_one(std::move(*text), site, more);
    if (!text) return text.diagnostics();
    if (const Result<void> done = write_file(output, *text); !done) return done.diagnostics();
    return "written: " + options.output + ", " + std::to_string((text->size() + 500'000) / 1'000'000) +
           " MB; a browser opens it";
}

}  // namespace

fs::path web_folder() {
    for (const char* place : {"web", "build/web"}) {
        std::error_code ignored;
        fs::path folder = resource_folder() / place;
        if (fs::is_regular_file(folder / page_file, ignored)) return folder;
    }
    return {};
}

void WebOptions::add_to(CLI::App& app) {
    app.add_option("files", files, "your own .cu files, and folders of lessons; they are compiled now")
        ->type_name("FILE");
    app.add_option("-o,--output", output, "the folder to write, or with --single the .html file")->required();
    app.add_flag("--single", single, "write one file, which works from a disk, in a mail or on a USB stick");
    app.add_option("--first", first,
                   "what opens without a link (default: your first file): lesson=scan/blelloch&step=32");
    app.add_option("--serve", serve, "the address of 'lanescope serve', which compiles what people edit")
        ->type_name("URL");
}

int web_command(const WebOptions& options) {
    if (options.single != (fs::path(options.output).extension() == ".html"))
        return fail(options.single ? error("--single writes a .html file, not '" + options.output + "'")
                                   : error("'" + options.output + "' must be a folder",
                                           "for one .html file add --single"));
    const Result<std::string> written = write(options);
    if (!written) return fail(written.diagnostics());
    std::cout << *written << '\n';
    return fine;
}

}  // namespace lanescope
