#include "form.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

namespace lanescope::parity {

namespace {

enum class Class : std::uint8_t { predicate, bits16, bits32, bits64 };

Class class_of(const std::string& type) {
    if (type == "pred") return Class::predicate;
    if (type.ends_with("x2")) return Class::bits32;
    if (type.ends_with("64")) return Class::bits64;
    return type.ends_with("32") ? Class::bits32 : Class::bits16;
}

bool known_type(const std::string& type) {
    static const char* const all[] = {"pred",  "b8",   "u8",     "s8",    "b16", "u16", "s16",
                                      "f16",   "bf16", "b32",    "u32",   "s32", "f32", "b64",
                                      "f16x2", "u64",  "bf16x2", "u16x2", "s64", "f64", "s16x2"};
    return std::find(std::begin(all), std::end(all), type) != std::end(all);
}

const char* register_type(Class kind) {
    constexpr const char* names[] = {"pred", "b16", "b32", "b64"};
    return names[static_cast<int>(kind)];
}

constexpr std::string_view memory_letters = "mslwv";

// Code with names of registers in place of the placeholders.
struct Expanded {
    std::string text;
    std::vector<Operand> inputs, outputs;
    std::string place;
};

std::string register_of(const std::string& name) {
    return "%" + name + "_";
}

const char* address_register(char place) {
    switch (place) {
        case 's':
            return "%x5";
        case 'v':
            return "%x11";
        case 'l':
            return "%y4";
        case 'w':
            return "%y5";
        default:
            return "%y3";
    }
}

Result<std::string> expand_one(std::string_view inside, Expanded& expanded) {
    const std::size_t colon = inside.find(':');
    const std::string name(inside.substr(0, colon));
    if (name.empty()) return error("a placeholder is empty; use <name:type>");
    if (name.size() == 1 && memory_letters.find(name[0]) != std::string_view::npos) {
        if (!expanded.place.empty() && expanded.place != name) expanded.place += name;
        if (expanded.place.empty()) expanded.place = name;
        return std::string(address_register(name[0]));
    }
    auto& list = name[0] == 'd' || name[0] == 'e' ? expanded.outputs : expanded.inputs;
    if (colon == std::string_view::npos) {
        const bool declared = std::any_of(list.begin(), list.end(),
                                          [&](const Operand& operand) { return operand.name == name; });
        if (!declared)
            return error("<" + name + "> has no type; write <" + name + ":TYPE> where it first occurs");
        return register_of(name);
    }
    const std::string_view rest = inside.substr(colon + 1);
    const std::size_t tilde = rest.find('~');
    Operand operand{name, std::string(rest.substr(0, tilde)),
                    tilde == std::string_view::npos ? "" : std::string(rest.substr(tilde + 1))};
    if (!known_type(operand.type)) return error("<" + name + "> has the unknown type '" + operand.type + "'");
    list.push_back(operand);
    return register_of(name);
}

Result<Expanded> expand(std::string_view code) {
    Expanded expanded;
    if (const std::size_t bar = code.find(" | "); bar != std::string_view::npos) code.remove_prefix(bar + 3);
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t open = code.find('<', at);
        expanded.text += code.substr(at, open - at);
        if (open == std::string_view::npos) break;
        const std::size_t close = code.find('>', open);
        if (close == std::string_view::npos) return error("a placeholder does not end with '>'");
        auto text = expand_one(code.substr(open + 1, close - open - 1), expanded);
        if (!text.ok()) return text.diagnostics();
        expanded.text += *text;
        at = close + 1;
    }
    return expanded;
}

std::string line(const std::string& text) {
    return "  " + text + "\n";
}

// Computes the addresses of the lane's operands and memory: %y0 inputs, %y2 outputs, others for memory.
std::string prologue(const Expanded& form) {
    std::string text =
        "  .reg .b32 %x<16>, %r<8>;\n  .reg .b64 %y<8>, %rd<4>;\n  .reg .pred %p<4>;\n  .reg .f32 %f<8>;\n"
        "  mov.u32 %x6, %tid.x;\n  mov.u32 %x4, %laneid;\n  mov.u32 %x8, %ctaid.x;\n  mad.lo.u32 %x9, %x8, "
        "128, %x6;\n"
        "  ld.param.u64 %y0, [pin];\n  mad.wide.u32 %y0, %x9, 8, %y0;\n"
        "  ld.param.u64 %y2, [pout];\n  mad.wide.u32 %y2, %x9, 8, %y2;\n"
        "  ld.param.u64 %y1, [pmem];\n  mad.wide.u32 %y3, %x9, 16, %y1;\n"
        "  and.b32 %x12, %x9, 224;\n  mad.wide.u32 %y5, %x12, 16, %y1;\n";
    if (form.place == "l")
        text +=
            "  .local .align 16 .b8 own[16];\n  mov.u64 %y4, own;\n  ld.global.v4.u32 {%x0, %x1, %x2, %x3}, "
            "[%y3];\n"
            "  st.local.v4.u32 [%y4], {%x0, %x1, %x2, %x3};\n";
    if (form.place.find_first_of("sv") != std::string::npos || form.text.find("%x5") != std::string::npos)
        text +=
            "  .shared .align 128 .b8 slots[2048];\n  mov.u32 %x5, slots;\n  add.u32 %x7, %x5, %x5;\n"
            "  add.u32 %x7, %x7, 2032;\n  and.b32 %x12, %x6, 96;\n  mad.lo.u32 %x11, %x12, 16, %x5;\n"
            "  mad.lo.u32 %x5, %x6, 16, %x5;\n  ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%y3];\n"
            "  st.shared.v4.u32 [%x5], {%x0, %x1, %x2, %x3};\n  bar.sync 15;\n";
    return text;
}

std::string load_input(const Operand& operand, std::size_t index) {
    const std::string reg = register_of(operand.name);
    const std::string from = "[%y0+" + std::to_string(index * lanes * slot_bytes) + "]";
    const Class kind = class_of(operand.type);
    std::string text = line(std::string(".reg .") + register_type(kind) + " " + reg + ";");
    if (kind == Class::predicate)
        return text + line("ld.global.u32 %x0, " + from + ";") + line("setp.ne.u32 " + reg + ", %x0, 0;");
    const bool byte = operand.type.ends_with("8");
    return text + line("ld.global." + (byte ? operand.type : std::string(register_type(kind))) + " " + reg +
                       ", " + from + ";");
}

std::string declare_output(const Operand& operand) {
    const Class kind = class_of(operand.type);
    const std::string reg = register_of(operand.name);
    return line(std::string(".reg .") + register_type(kind) + " " + reg + ";") +
           (kind == Class::predicate ? line("setp.ne.u32 " + reg + ", 0, 0;")
                                     : line(std::string("mov.") + register_type(kind) + " " + reg + ", 0;"));
}

std::string store_output(const Operand& operand, std::size_t index) {
    const std::string reg = register_of(operand.name);
    const std::string to = "[%y2+" + std::to_string(index * lanes * slot_bytes) + "]";
    const Class kind = class_of(operand.type);
    if (kind == Class::predicate)
        return line("selp.u32 %x0, 1, 0, " + reg + ";") + line("st.global.u32 " + to + ", %x0;");
    return line(std::string("st.global.") + register_type(kind) + " " + to + ", " + reg + ";");
}

std::string epilogue(const Expanded& form) {
    std::string text;
    if (form.place.find_first_of("sv") != std::string::npos)
        text +=
            "  bar.sync 15;\n  ld.shared.v4.u32 {%x0, %x1, %x2, %x3}, [%x5];\n"
            "  st.global.v4.u32 [%y3], {%x0, %x1, %x2, %x3};\n";
    if (form.place == "l")
        text +=
            "  ld.local.v4.u32 {%x0, %x1, %x2, %x3}, [%y4];\n  st.global.v4.u32 [%y3], {%x0, %x1, %x2, "
            "%x3};\n";
    return text;
}

std::string kernel_of(const Form& form, const std::string& name) {
    const auto expanded = expand(form.code);
    std::string text =
        ".visible .entry " + name + "(.param .u64 pin, .param .u64 pmem, .param .u64 pout)\n{\n";
    text += prologue(*expanded);
    for (std::size_t i = 0; i < form.inputs.size(); ++i)
        text += load_input(form.inputs[i], i);
    for (const Operand& output : form.outputs)
        text += declare_output(output);
    text += line(expanded->text);
    for (std::size_t i = 0; i < form.outputs.size(); ++i)
        text += store_output(form.outputs[i], i);
    return text + epilogue(*expanded) + "  ret;\n}\n";
}

// The functions that the forms of family `control` call.
constexpr const char* functions =
    ".func (.param .b32 y) twice(.param .b32 x) { .reg .b32 %r<2>; ld.param.b32 %r0, [x]; add.u32 %r1, %r0, "
    "%r0;\n"
    "  st.param.b32 [y], %r1; ret; }\n"
    ".func (.param .b32 y) factorial(.param .b32 x)\n{\n  .reg .b32 %r<4>; .reg .pred %p; ld.param.b32 %r0, "
    "[x];\n"
    "  mov.u32 %r2, 1; setp.lt.u32 %p, %r0, 2; @%p bra DONE; sub.u32 %r1, %r0, 1;\n"
    "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), factorial, (a); ld.param.b32 "
    "%r2, [b]; }\n"
    "  mul.lo.u32 %r2, %r2, %r0;\nDONE: st.param.b32 [y], %r2; ret;\n}\n"
    ".func (.param .b64 y) pair_sum(.param .align 8 .b8 x[16]) { .reg .b64 %r<3>; ld.param.b64 %r0, [x];\n"
    "  ld.param.b64 %r1, [x+8]; add.u64 %r2, %r0, %r1; st.param.b64 [y], %r2; ret; }\n";

}  // namespace

std::string Form::instruction() const {
    if (const std::size_t bar = code.find(" | "); bar != std::string::npos) return code.substr(0, bar);
    std::stringstream words(code);
    for (std::string word; words >> word;) {
        if (!std::islower(static_cast<unsigned char>(word[0]))) continue;
        while (word.back() == ';' || word.back() == ',')
            word.pop_back();
        return word;
    }
    return code;
}

Result<Form> parse_form(std::string_view code) {
    auto expanded = expand(code);
    if (!expanded.ok()) return expanded.diagnostics();
    return Form{std::string(code), expanded->inputs, expanded->outputs, expanded->place};
}

Result<std::vector<Form>> read_forms(const std::string& path) {
    std::ifstream file(path);
    if (!file) return error("cannot read " + path);
    std::vector<Form> forms;
    for (std::string text; std::getline(file, text);) {
        if (text.empty() || text[0] == '#') continue;
        auto form = parse_form(text);
        if (!form.ok()) return form.diagnostics();
        forms.push_back(std::move(*form));
    }
    return forms;
}

std::string module_of(const std::vector<Form>& forms) {
    const bool calls = std::any_of(forms.begin(), forms.end(), [](const Form& form) {
        return form.code.find("call") != std::string::npos;
    });
    std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n";
    if (calls) text += functions;
    for (std::size_t i = 0; i < forms.size(); ++i)
        text += kernel_of(forms[i], "k" + std::to_string(i));
    return text;
}

std::uint32_t size_bytes(const std::string& type) {
    constexpr std::uint32_t sizes[] = {4, 2, 4, 8};
    return sizes[static_cast<int>(class_of(type))];
}

std::vector<std::byte> packed(const Form& form, const std::vector<std::byte>& outputs,
                              const std::vector<std::byte>& memory) {
    std::vector<std::byte> result;
    for (std::size_t i = 0; i < form.outputs.size(); ++i) {
        const bool predicate = form.outputs[i].type == "pred";
        const std::uint32_t size = predicate ? 1 : size_bytes(form.outputs[i].type);
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const auto from = outputs.begin() + static_cast<std::ptrdiff_t>((i * lanes + lane) * slot_bytes);
            result.insert(result.end(), from, from + size);
        }
    }
    if (form.uses_memory()) result.insert(result.end(), memory.begin(), memory.end());
    return result;
}

}  // namespace lanescope::parity
