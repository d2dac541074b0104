#include "ptx/dwarf_reader.h"

#include <algorithm>

namespace lanescope::ptx::dwarf {

namespace {

constexpr std::uint32_t max_nesting = 256;

enum class Form : std::uint16_t {
    addr = 0x01,
    block2 = 0x03,
    block4 = 0x04,
    data2 = 0x05,
    data4 = 0x06,
    data8 = 0x07,
    string = 0x08,
    block = 0x09,
    block1 = 0x0a,
    data1 = 0x0b,
    flag = 0x0c,
    sdata = 0x0d,
    strp = 0x0e,
    udata = 0x0f,
    ref_addr = 0x10,
    ref1 = 0x11,
    ref2 = 0x12,
    ref4 = 0x13,
    ref8 = 0x14,
    ref_udata = 0x15,
    sec_offset = 0x17,
    exprloc = 0x18,
    flag_present = 0x19,
};

struct Abbreviation {
    Tag tag{};
    bool has_children = false;
    std::vector<std::pair<At, Form>> attributes;
};

using Abbreviations = std::unordered_map<std::uint64_t, Abbreviation>;

}  // namespace

Diagnostic damaged(const Section& section, std::uint64_t at, const std::string& what) {
    return error_at(section.name, 0, 0, "byte " + std::to_string(at) + ": " + what,
                    "the debug information of the PTX text is damaged");
}

std::uint64_t section_offset(const Section& section, const Section::Relocation& relocation) {
    std::uint64_t base = 0;
    for (const auto& [name, at] : section.labels)
        if (name == relocation.symbol) base = at;
    return base + static_cast<std::uint64_t>(relocation.offset);
}

const Attribute* Entry::find(At at) const {
    for (const Attribute& attribute : attributes)
        if (attribute.at == at) return &attribute;
    return nullptr;
}

std::uint64_t Entry::number(At at, std::uint64_t otherwise) const {
    const Attribute* attribute = find(at);
    return attribute && attribute->kind == Attribute::Kind::number ? attribute->value : otherwise;
}

std::string_view Entry::text(At at) const {
    const Attribute* attribute = find(at);
    return attribute && attribute->kind == Attribute::Kind::text ? attribute->text : std::string_view();
}

Cursor::Cursor(const Section& section, std::uint64_t at) : section_(&section), at_(at) {
    if (at > end()) failed_ = true;
}

void Cursor::skip(std::uint64_t bytes) {
    if (failed_ || bytes > end() - at_) {
        failed_ = true;
        return;
    }
    at_ += bytes;
}

void Cursor::move_to(std::uint64_t at) {
    if (at > end()) failed_ = true;
    if (!failed_) at_ = at;
}

std::uint64_t Cursor::fixed(unsigned bytes) {
    const std::uint64_t from = at_;
    skip(bytes);
    if (failed_) return 0;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= std::uint64_t{section_->bytes[from + i]} << (8 * i);
    return value;
}

std::uint64_t Cursor::uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint64_t byte = fixed(1);
        if (failed_) return 0;
        const std::uint64_t bits = byte & 0x7f;
        if (shift >= 64 ? bits != 0 : shift > 57 && bits >> (64 - shift)) failed_ = true;
        if (shift < 64) value |= bits << shift;
        if (!(byte & 0x80)) return failed_ ? 0 : value;
        if (shift > 700) failed_ = true;  // endless padding
    }
}

std::int64_t Cursor::sleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 700; shift += 7) {
        const std::uint64_t byte = fixed(1);
        if (failed_) return 0;
        if (shift < 64) value |= (byte & 0x7f) << shift;
        if (byte & 0x80) continue;
        if (byte & 0x40 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
        return static_cast<std::int64_t>(value);
    }
    failed_ = true;
    return 0;
}

std::vector<std::uint8_t> Cursor::long_uleb() {
    constexpr unsigned max_bits = 32 * 8;
    std::vector<std::uint8_t> bytes;
    for (unsigned shift = 0; shift < max_bits; shift += 7) {
        const std::uint64_t byte = fixed(1);
        if (failed_) return {};
        for (unsigned bit = 0; bit < 7; ++bit) {
            if (!(byte >> bit & 1)) continue;
            const unsigned position = shift + bit;
            if (bytes.size() <= position / 8) bytes.resize(position / 8 + 1);
            bytes[position / 8] = static_cast<std::uint8_t>(bytes[position / 8] | 1u << position % 8);
        }
        if (!(byte & 0x80)) return bytes;
    }
    failed_ = true;
    return {};
}

std::string_view Cursor::string() {
    const auto& bytes = section_->bytes;
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(at_, end()));
    const auto nul = std::find(from, bytes.end(), std::uint8_t{0});
    if (nul == bytes.end()) failed_ = true;
    if (failed_) return {};
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + at_,
                                static_cast<std::size_t>(nul - from));
    at_ += text.size() + 1;
    return text;
}

const Section::Relocation* Cursor::relocation() const {
    const auto& all = section_->relocations;
    const auto found =
        std::lower_bound(all.begin(), all.end(), at_,
                         [](const Section::Relocation& r, std::uint64_t at) { return r.at < at; });
    return found != all.end() && found->at == at_ ? &*found : nullptr;
}

class InfoReader {
  public:
    explicit InfoReader(const Module& module)
        : abbreviations_(module.find_section(".debug_abbrev")), strings_(module.find_section(".debug_str")) {
        info_.info_ = module.find_section(".debug_info");
        info_.locations_ = module.find_section(".debug_loc");
    }

    Result<Info> read() {
        if (!info_.info_ || !abbreviations_) return std::move(info_);
        Cursor cursor(*info_.info_, 0);
        while (!cursor.at_end() && problem_.empty())
            unit(cursor);
        if (!problem_.empty()) return std::move(problem_);
        return std::move(info_);
    }

  private:
    void fail(const Section& section, std::uint64_t at, const std::string& what) {
        if (problem_.empty()) problem_.push_back(damaged(section, at, what));
    }

    void unit(Cursor& cursor) {
        const std::uint64_t start = cursor.at();
        // If the length is a difference of labels, the bytes contain no number; the unit is then the last
        // one.
        const bool to_the_end = cursor.relocation() != nullptr;
        const std::uint64_t length = cursor.fixed(4);
        const std::uint64_t end = to_the_end ? cursor.end() : start + 4 + length;
        unit_start_ = start;
        version_ = cursor.fixed(2);
        const Section::Relocation* table = cursor.relocation();
        std::uint64_t table_at = cursor.fixed(4);
        if (table) table_at = section_offset(*abbreviations_, *table);
        address_bytes_ = cursor.fixed(1);
        if (cursor.failed() || end > cursor.end())
            return fail(*info_.info_, start, "a compilation unit ends outside the section");
        if (version_ < 2 || version_ > 4)
            return fail(*info_.info_, start + 4,
                        "DWARF version " + std::to_string(version_) + " is not supported; use 2 to 4");
        if (address_bytes_ != 4 && address_bytes_ != 8)
            return fail(*info_.info_, start + 10, "addresses are neither 4 nor 8 bytes");
        Abbreviations table_entries;
        if (!read_abbreviations(table_at, table_entries)) return;
        entries(cursor, end, table_entries);
        cursor.move_to(end);
    }

    bool read_abbreviations(std::uint64_t at, Abbreviations& out) {
        Cursor cursor(*abbreviations_, at);
        while (!cursor.at_end() && !cursor.failed()) {
            const std::uint64_t code = cursor.uleb();
            if (code == 0) break;
            Abbreviation& abbreviation = out[code];
            abbreviation = {};
            abbreviation.tag = static_cast<Tag>(cursor.uleb());
            abbreviation.has_children = cursor.fixed(1) != 0;
            while (!cursor.failed()) {
                const std::uint64_t name = cursor.uleb();
                const std::uint64_t form = cursor.uleb();
                if (name == 0 && form == 0) break;
                abbreviation.attributes.emplace_back(static_cast<At>(name), static_cast<Form>(form));
            }
        }
        if (cursor.failed()) fail(*abbreviations_, cursor.at(), "an abbreviation is cut off");
        return problem_.empty();
    }

    void entries(Cursor& cursor, std::uint64_t end, const Abbreviations& table) {
        std::vector<std::uint32_t> open;
        while (cursor.at() < end && problem_.empty()) {
            const std::uint64_t at = cursor.at();
            const std::uint64_t code = cursor.uleb();
            if (code == 0 && !cursor.failed()) {
                if (!open.empty()) open.pop_back();
                if (open.empty()) return;
                continue;
            }
            const auto found = table.find(code);
            if (cursor.failed() || found == table.end())
                return fail(*info_.info_, at, "an entry has an unknown abbreviation");
            const std::uint32_t index = add(at, found->second.tag, open);
            for (const auto& [name, form] : found->second.attributes) {
                if (!attribute(cursor, index, name, form)) return;
            }
            if (found->second.has_children) open.push_back(index);
            if (open.size() > max_nesting) return fail(*info_.info_, at, "entries are nested too deeply");
            if (open.empty()) return;
        }
    }

    std::uint32_t add(std::uint64_t at, Tag tag, const std::vector<std::uint32_t>& open) {
        const auto index = static_cast<std::uint32_t>(info_.entries_.size());
        Entry& entry = info_.entries_.emplace_back();
        entry.offset = at;
        entry.tag = tag;
        entry.parent = open.empty() ? no_entry : open.back();
        info_.by_offset_.emplace(at, index);
        if (open.empty())
            info_.units_.push_back(index);
        else
            info_.entries_[open.back()].children.push_back(index);
        return index;
    }

    bool attribute(Cursor& cursor, std::uint32_t entry, At name, Form form) {
        const std::uint64_t at = cursor.at();
        Attribute out;
        out.at = name;
        out.relocation = cursor.relocation();
        const bool known = value(cursor, form, out);
        if (!known)
            fail(*info_.info_, at,
                 "attribute form " + std::to_string(static_cast<unsigned>(form)) + " is not supported");
        if (cursor.failed()) fail(*info_.info_, at, "an attribute's value exceeds the section");
        if (problem_.empty()) info_.entries_[entry].attributes.push_back(out);
        return problem_.empty();
    }

    bool value(Cursor& cursor, Form form, Attribute& out) {
        switch (form) {
            case Form::addr:
                return number(cursor, static_cast<unsigned>(address_bytes_), out, Attribute::Kind::address);
            case Form::data1:
            case Form::flag:
                return number(cursor, 1, out);
            case Form::data2:
                return number(cursor, 2, out);
            case Form::data4:
                return number(cursor, 4, out);
            case Form::data8:
                return number(cursor, 8, out);
            case Form::sec_offset:
                return number(cursor, 4, out);
            case Form::udata:
                out.value = cursor.uleb();
                return true;
            case Form::sdata:
                out.value = static_cast<std::uint64_t>(cursor.sleb());
                return true;
            case Form::flag_present:
                out.value = 1;
                return true;
            case Form::string:
                out.kind = Attribute::Kind::text;
                out.text = cursor.string();
                return true;
            case Form::strp:
                return indirect_string(cursor, out);
            case Form::block1:
                return block(cursor, cursor.fixed(1), out);
            case Form::block2:
                return block(cursor, cursor.fixed(2), out);
            case Form::block4:
                return block(cursor, cursor.fixed(4), out);
            case Form::block:
            case Form::exprloc:
                return block(cursor, cursor.uleb(), out);
            case Form::ref1:
                return reference(cursor.fixed(1), unit_start_, out);
            case Form::ref2:
                return reference(cursor.fixed(2), unit_start_, out);
            case Form::ref4:
                return reference(cursor.fixed(4), unit_start_, out);
            case Form::ref8:
                return reference(cursor.fixed(8), unit_start_, out);
            case Form::ref_udata:
                return reference(cursor.uleb(), unit_start_, out);
            case Form::ref_addr:
                return global_reference(cursor, out);
        }
        return false;
    }

    bool number(Cursor& cursor, unsigned bytes, Attribute& out,
                Attribute::Kind kind = Attribute::Kind::number) {
        out.kind = out.relocation && kind == Attribute::Kind::number ? Attribute::Kind::section_offset : kind;
        out.value = cursor.fixed(bytes);
        out.size = bytes;
        return true;
    }

    bool block(Cursor& cursor, std::uint64_t size, Attribute& out) {
        out.kind = Attribute::Kind::block;
        out.value = cursor.at();
        out.size = size;
        cursor.skip(size);
        return true;
    }

    bool reference(std::uint64_t to, std::uint64_t base, Attribute& out) {
        out.kind = Attribute::Kind::reference;
        out.value = base + to + (out.relocation ? static_cast<std::uint64_t>(out.relocation->offset) : 0);
        return true;
    }

    // It has the size of an address in DWARF 2 and the size of an offset in later versions.
    bool global_reference(Cursor& cursor, Attribute& out) {
        const std::uint64_t to = cursor.fixed(version_ == 2 ? static_cast<unsigned>(address_bytes_) : 4);
        return reference(to, 0, out);
    }

    bool indirect_string(Cursor& cursor, Attribute& out) {
        std::uint64_t at = cursor.fixed(4);
        out.kind = Attribute::Kind::text;
        if (!strings_) return true;  // without the section every such name is empty
        if (out.relocation) at = section_offset(*strings_, *out.relocation);
        Cursor text(*strings_, at);
        out.text = text.string();
        if (text.failed()) fail(*strings_, at, "a name is missing or unterminated");
        return true;
    }

    Info info_;
    const Section* abbreviations_;
    const Section* strings_;
    std::uint64_t unit_start_ = 0;
    std::uint64_t version_ = 0;
    std::uint64_t address_bytes_ = 8;
    Diagnostics problem_;
};

Result<Info> Info::read(const Module& module) {
    return InfoReader(module).read();
}

std::uint32_t Info::target(const Entry& entry, At at) const {
    const Attribute* attribute = entry.find(at);
    if (!attribute || attribute->kind != Attribute::Kind::reference) return no_entry;
    const auto found = by_offset_.find(attribute->value);
    return found == by_offset_.end() ? no_entry : found->second;
}

const Entry& Info::holder(const Entry& entry, At at) const {
    constexpr int max_origins = 8;  // a specification may have its own origin …
    const Entry* now = &entry;
    for (int i = 0; i < max_origins && !now->find(at); ++i) {
        std::uint32_t next = target(*now, At::abstract_origin);
        if (next == no_entry) next = target(*now, At::specification);
        if (next == no_entry) break;
        now = &entries_[next];
    }
    return *now;
}

std::string_view Info::linkage_name(const Entry& entry) const {
    const std::string_view name = holder(entry, At::mips_linkage_name).text(At::mips_linkage_name);
    return name.empty() ? holder(entry, At::linkage_name).text(At::linkage_name) : name;
}

int Info::line(const Entry& entry) const {
    constexpr std::uint64_t most = 1u << 30;
    return static_cast<int>(std::min(holder(entry, At::decl_line).number(At::decl_line), most));
}

}  // namespace lanescope::ptx::dwarf
