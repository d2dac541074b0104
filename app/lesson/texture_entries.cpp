#include "lesson/texture_entries.h"

#include <algorithm>

#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

const std::vector<std::string> address_rules{"clamp", "border", "wrap", "mirror"};
const std::vector<std::string> filters{"point", "linear"};

// float, int2, uchar4 …: 1, 2 or 4 elements of 8, 16 or 32 bits.
bool is_texel(const std::string& type) {
    static const std::vector<std::string> texel_scalars{"char", "uchar", "short", "ushort",
                                                        "int",  "uint",  "float"};
    const std::string scalar =
        type.ends_with('2') || type.ends_with('4') ? type.substr(0, type.size() - 1) : type;
    return type == "half" ||
           std::find(texel_scalars.begin(), texel_scalars.end(), scalar) != texel_scalars.end();
}

std::string choice(TomlReader& reader, const toml::table& table, const char* key,
                   const std::vector<std::string>& known) {
    const std::string chosen = reader.text(table, key).value_or(known.front());
    if (std::find(known.begin(), known.end(), chosen) == known.end())
        reader.fail(*table.get(key), "unknown " + std::string(key) + " '" + chosen + "'",
                    suggestion(chosen, known));
    return chosen;
}

void read_texture(TomlReader& reader, const toml::key& key, const toml::node& node, FrontMatter& front) {
    TextureEntry entry;
    entry.name = std::string(key.str());
    entry.line = static_cast<int>(key.source().begin.line);
    const std::string example = entry.name + R"( = { buffer = "in", address = "clamp" })";
    const toml::table* table = node.as_table();
    if (!table) return reader.fail(node, "a texture must be a table", "as in " + example);
    reader.check_keys(*table, {"buffer", "address", "filter", "normalized"}, "a texture");
    entry.buffer = reader.text(*table, "buffer").value_or("");
    if (!table->contains("buffer")) return reader.missing(*table, "buffer", "a texture", example);
    std::vector<std::string> names;
    const Buffer* buffer = nullptr;
    for (const Buffer& each : front.buffers) {
        names.push_back(each.name);
        if (each.name == entry.buffer) buffer = &each;
    }
    if (buffer == nullptr)
        return reader.fail(*table->get("buffer"), "no buffer is named '" + entry.buffer + "'",
                           suggestion(entry.buffer, names));
    if (!is_texel(buffer->type) || buffer->space != "global")
        return reader.fail(
            *table->get("buffer"), "'" + entry.buffer + "' cannot be a texture",
            "elements must be half, or 1, 2 or 4 of char, short, int or float, in global memory");
    entry.address = choice(reader, *table, "address", address_rules);
    entry.filter = choice(reader, *table, "filter", filters);
    entry.normalized = reader.boolean(*table, "normalized").value_or(false);
    const bool repeats = entry.address == "wrap" || entry.address == "mirror";
    if (repeats && !entry.normalized)
        reader.fail(*table->get("address"),
                    "address = \"" + entry.address + "\" works with normalized coordinates only",
                    "add normalized = true, and let x / width be the coordinate");
    if (entry.filter == "linear" && !buffer->type.starts_with("float") && buffer->type != "half")
        reader.fail(*table->get("filter"), "integers cannot be filtered", "use a buffer of type float");
    front.textures.push_back(std::move(entry));
}

}  // namespace

void read_textures(TomlReader& reader, const toml::table& root,
                   const std::function<bool(const toml::key&)>& take_name, FrontMatter& front) {
    const toml::table* const textures = reader.table(root, "textures");
    if (textures == nullptr) return;
    for (const auto& [key, node] : TomlReader::in_order(*textures))
        if (take_name(*key)) read_texture(reader, *key, *node, front);
}

bool is_texture(const FrontMatter& front, const std::string& name) {
    return std::any_of(front.textures.begin(), front.textures.end(),
                       [&](const TextureEntry& texture) { return texture.name == name; });
}

std::string text_of(const TextureEntry& entry) {
    std::string text = "{ buffer = \"" + entry.buffer + "\", address = \"" + entry.address + "\"";
    if (entry.filter != filters.front()) text += ", filter = \"" + entry.filter + "\"";
    if (entry.normalized) text += ", normalized = true";
    return text + " }";
}

}  // namespace lanescope::lesson
