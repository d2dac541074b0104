#include "ptx/debug_info.h"

#include <gtest/gtest.h>

#include <random>

#include "ptx/debug_symbols.h"
#include "ptx/dwarf_reader.h"
#include "ptx/dwarf_types.h"
#include "ptx_text.h"

namespace lanescope::ptx {
namespace debug_info_test {

Module corpus_module(const std::string& name) {
    return parsed(corpus_text(name));
}

// Tests with debug_variables.cu, compiled by NVRTC 13.0.
class DebugVariables : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        module = new Module(corpus_module("debug_variables.ptx"));
        aliased = new Module(corpus_module("debug_variables.aliased.ptx"));
        Result<DebugInfo> read = read_debug_info(*module, "/debug_variables.cu", aliased);
        ASSERT_TRUE(read) << to_text(read.diagnostics());
        info = new DebugInfo(*read);
    }
    static void TearDownTestSuite() {
        delete info;
        delete aliased;
        delete module;
    }

    static const DebugFunction& function(std::string_view name) {
        static const DebugFunction missing;
        for (const DebugFunction& candidate : info->functions)
            if (candidate.name == name) return candidate;
        ADD_FAILURE() << "there is no function " << name;
        return missing;
    }
    static const DebugVariable& variable(std::string_view function_name, std::string_view name) {
        static const DebugVariable missing;
        for (const DebugVariable& candidate : function(function_name).variables)
            if (candidate.name == name) return candidate;
        ADD_FAILURE() << "there is no variable " << name;
        return missing;
    }
    static std::string type_name(TypeId type) { return info->types[type].name; }
    // Returns the registers in the order in which lanes use them: "%r1 %r2".
    static std::string registers(std::string_view function_name, std::string_view name) {
        const Function& body = module->functions[function(function_name).function];
        std::string text;
        for (const Binding& binding : variable(function_name, name).bindings)
            text += (text.empty() ? "" : " ") + body.registers.at(binding.reg).name;
        return text;
    }
    // Returns the type, name and function of a symbol: "float[8][9] tile of tiles<float,8>".
    static std::string symbol(std::string_view mangled) {
        const DebugSymbol* found = info->find_symbol(mangled);
        if (!found) return "missing";
        return type_name(found->type) + " " + found->name +
               (found->function.empty() ? "" : " of " + found->function);
    }

    static inline Module* module = nullptr;
    static inline Module* aliased = nullptr;
    static inline DebugInfo* info = nullptr;
};

TEST_F(DebugVariables, functions_have_their_source_names_and_lines) {
    ASSERT_EQ(info->functions.size(), 5u);
    EXPECT_EQ(function("tiles<double,4>").line, 23);
    EXPECT_TRUE(function("reassigned").user_code);
    const DebugFunction& plain = function("plain");
    EXPECT_EQ(module->functions[plain.function].name, "plain");
    EXPECT_EQ(info->find_function(plain.function), &plain);
    EXPECT_EQ(info->find_function(12345), nullptr);
}

TEST_F(DebugVariables, reassigned_variables_move_from_register_to_register) {
    const DebugVariable& sum = variable("reassigned", "sum");
    EXPECT_EQ(sum.home, DebugVariable::Home::registers);
    EXPECT_EQ(registers("reassigned", "sum"), "%r1 %r10 %r3 %r5 %r10");
    EXPECT_EQ(registers("reassigned", "i"), "%r2 %r11 %r4 %r6 %r11");
    // Each binding starts at its label, which follows the move that fills the register.
    const Function& body = module->functions[function("reassigned").function];
    const Binding& first = sum.bindings[0];
    ASSERT_GT(first.instruction, 0u);
    bool written = false;
    for (std::uint32_t i = 0; i < first.instruction; ++i)
        written = written || (!body.instructions[i].operands.empty() &&
                              body.instructions[i].operands[0].reg == first.reg);
    EXPECT_TRUE(written);
}

TEST_F(DebugVariables, scopes_are_instruction_ranges) {
    const DebugVariable& sum = variable("reassigned", "sum");
    const DebugVariable& i = variable("reassigned", "i");
    const DebugVariable& n = variable("reassigned", "n");
    EXPECT_EQ(n.scope_begin, 0u);
    EXPECT_EQ(n.scope_end, module->functions[function("reassigned").function].instructions.size());
    EXPECT_LT(sum.scope_begin, i.scope_begin);
    EXPECT_LT(i.scope_end, sum.scope_end);
}

TEST_F(DebugVariables, parameters) {
    const DebugVariable& out = variable("tiles<float,8>", "out");
    EXPECT_TRUE(out.parameter);
    EXPECT_EQ(type_name(out.type), "float*");
    EXPECT_EQ(registers("tiles<float,8>", "out"), "%rd1");
    EXPECT_EQ(out.bindings[0].instruction, 0u);
    EXPECT_FALSE(variable("tiles<float,8>", "index").parameter);
}

TEST_F(DebugVariables, aggregates_live_in_the_local_depot) {
    const DebugVariable& p = variable("tiles<float,8>", "p");
    const DebugVariable& local = variable("tiles<float,8>", "local");
    EXPECT_EQ(p.home, DebugVariable::Home::local_memory);
    EXPECT_TRUE(p.parameter);
    EXPECT_EQ(p.symbol, "__local_depot1");
    EXPECT_EQ(p.offset, 0u);
    EXPECT_EQ(local.offset, 12u);
    const ValueType& pair = info->types[local.type];
    EXPECT_EQ(pair.name, "Pair");
    EXPECT_EQ(pair.size_bytes, 12u);
    ASSERT_EQ(pair.members.size(), 2u);
    EXPECT_EQ(pair.members[1].name, "second");
    EXPECT_EQ(pair.members[1].offset_bytes, 4u);
    EXPECT_EQ(type_name(pair.members[1].type), "float[2]");
}

TEST_F(DebugVariables, types_of_other_kinds) {
    const ValueType& bits = info->types[variable("tiles<float,8>", "bits").type];
    EXPECT_EQ(bits.kind, ValueType::Kind::structure);
    EXPECT_EQ(bits.members.at(1).offset_bytes, 0u);
    const ValueType& mode = info->types[variable("tiles<float,8>", "mode").type];
    EXPECT_EQ(mode.kind, ValueType::Kind::enumeration);
    EXPECT_EQ(mode.scalar, Scalar::signed_int);
    EXPECT_EQ(mode.size_bytes, 4u);
    const ValueType& count = info->types[variable("tiles<float,8>", "index").type];
    EXPECT_EQ(count.name, "count_t");
    EXPECT_EQ(count.scalar, Scalar::unsigned_int);
    EXPECT_EQ(type_name(variable("plain", "lambda").type), "{lambda(int)#1}");
    EXPECT_EQ(type_name(variable("operator()", "this").type), "const {lambda(int)#1}*");
}

TEST_F(DebugVariables, constants) {
    const DebugVariable& four = variable("tiles<float,8>", "four");
    EXPECT_EQ(four.home, DebugVariable::Home::constant);
    EXPECT_EQ(four.constant, (std::vector<std::uint8_t>{4, 0, 0, 0}));
}

TEST_F(DebugVariables, inlined_code_has_its_variables_in_the_caller) {
    const DebugVariable& twice = variable("tiles<double,4>", "twice");
    EXPECT_EQ(twice.line, 19);
    EXPECT_TRUE(twice.user_code);
    EXPECT_FALSE(variable("tiles<double,4>", "x").parameter);
    EXPECT_GT(twice.scope_begin, variable("tiles<double,4>", "index").scope_begin);
    EXPECT_EQ(registers("tiles<double,4>", "twice"), "%f7");
}

TEST_F(DebugVariables, module_scope_symbols) {
    EXPECT_EQ(symbol("weights"), "float[2][3] weights");
    EXPECT_EQ(info->find_symbol("weights")->space, Space::const_);
    EXPECT_EQ(symbol("counter"), "int counter");
    EXPECT_EQ(symbol("at_file_scope"), "short[4] at_file_scope");
    EXPECT_EQ(info->find_symbol("at_file_scope")->space, Space::shared);
    EXPECT_EQ(symbol("dynamic"), "int[] dynamic");
    EXPECT_EQ(symbol("_ZN2ns5pairsE"), "Pair[2] ns::pairs");
    std::vector<std::uint64_t> extents;
    EXPECT_EQ(type_name(info->types.element_of(info->find_symbol("weights")->type, extents)), "float");
    EXPECT_EQ(extents, (std::vector<std::uint64_t>{2, 3}));
}

TEST_F(DebugVariables, function_scope_shared_variables_get_their_types_from_the_altered_text) {
    const std::string tiles = "_ZZ5tilesIfLi8EEvPT_4Pair4ModeE";
    EXPECT_EQ(symbol(tiles + "4tile"), "float[8][9] tile of tiles<float,8>");
    EXPECT_EQ(symbol(tiles + "4flag"), "int flag of tiles<float,8>");
    EXPECT_EQ(symbol(tiles + "4link"), "volatile int* link of tiles<float,8>");
    EXPECT_EQ(symbol("_ZZ5tilesIdLi4EEvPT_4Pair4ModeE4tile"), "double[4][5] tile of tiles<double,4>");
    EXPECT_EQ(symbol("_ZZ5plainE3own"), "int[3] own of plain");
    EXPECT_EQ(info->find_symbol(tiles + "4tile")->line, 24);
}

TEST_F(DebugVariables, same_names_in_two_blocks_stay_apart) {
    const std::string tiles = "_ZZ5tilesIfLi8EEvPT_4Pair4ModeE";
    EXPECT_EQ(symbol(tiles + "10tile_inner"), "float tile_inner of tiles<float,8>");
    EXPECT_EQ(symbol(tiles + "10tile_inner_0"), "int tile_inner of tiles<float,8>");
}

TEST_F(DebugVariables, every_register_and_symbol_exists) {
    for (const DebugFunction& each : info->functions) {
        const Function& body = module->functions.at(each.function);
        for (const DebugVariable& v : each.variables) {
            EXPECT_NE(v.home, DebugVariable::Home::none) << v.name;
            EXPECT_NE(v.type, 0u) << v.name;
            EXPECT_LE(v.scope_begin, v.scope_end);
            for (const Binding& binding : v.bindings) {
                EXPECT_LT(binding.reg, body.registers.size());
                EXPECT_LE(binding.instruction, body.instructions.size());
            }
        }
    }
}

TEST_F(DebugVariables, without_the_altered_text_types_are_those_of_the_accesses) {
    const Result<DebugInfo> plain = read_debug_info(*module, "/debug_variables.cu");
    ASSERT_TRUE(plain);
    const DebugSymbol* tile = plain->find_symbol("_ZZ5tilesIfLi8EEvPT_4Pair4ModeE4tile");
    ASSERT_NE(tile, nullptr);
    EXPECT_EQ(tile->name, "tile");
    EXPECT_EQ(tile->function, "tiles<float,8>");
    std::vector<std::uint64_t> extents;
    EXPECT_EQ(plain->types[plain->types.element_of(tile->type, extents)].name, "float");
}

TEST_F(DebugVariables, code_of_another_file_is_not_the_users) {
    const Result<DebugInfo> other = read_debug_info(*module, "/other.cu");
    ASSERT_TRUE(other);
    for (const DebugFunction& each : other->functions) {
        EXPECT_FALSE(each.user_code);
        for (const DebugVariable& v : each.variables)
            EXPECT_FALSE(v.user_code) << v.name;
    }
}

TEST(DebugInfo, a_module_without_sections_has_symbols_with_names) {
    const Result<Module> module = parse(
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".shared .align 4 .b8 _ZZ1kPiE1s[16];\n.global .u32 _ZN2ns1gE;\n"
        ".visible .entry _Z1kPi(.param .u64 p) { ret; }\n");
    ASSERT_TRUE(module) << to_text(module.diagnostics());
    const Result<DebugInfo> info = read_debug_info(*module, "/x.cu");
    ASSERT_TRUE(info);
    EXPECT_TRUE(info->functions.empty());
    ASSERT_NE(info->find_symbol("_ZZ1kPiE1s"), nullptr);
    EXPECT_EQ(info->find_symbol("_ZZ1kPiE1s")->name, "s");
    EXPECT_EQ(info->find_symbol("_ZZ1kPiE1s")->function, "k");
    EXPECT_EQ(info->find_symbol("_ZN2ns1gE")->name, "ns::g");
}

TEST(DebugSymbols, names) {
    EXPECT_EQ(source_name("plain").name, "plain");
    EXPECT_EQ(source_name("_ZN2ns5tableE").name, "ns::table");
    const SourceName tile = source_name("_ZZN2ns6reduceIfEEvPT_E4tile");
    EXPECT_EQ(tile.name, "tile");
    EXPECT_EQ(tile.function, "ns::reduce<float>");
    EXPECT_EQ(discriminator("_ZZ1kvE1s", "s"), 0u);
    EXPECT_EQ(discriminator("_ZZ1kvE1s_0", "s"), 1u);
    EXPECT_EQ(discriminator("_ZZ1kvE1s__12_", "s"), 13u);
}

TEST(DebugSymbols, bad_names_stay_as_they_are) {
    const std::string deep = "_Z" + std::string(3000, 'P') + "i";
    // Each pair consists of two of the pair before, so the text doubles every time.
    std::string doubling = "_Z1fSt4pairIiiE";
    for (int i = 0; i < 60; ++i)
        doubling += "St4pairIS" + std::to_string(i % 10) + "_S0_E";
    for (const std::string& name : {std::string("_Z"), std::string("_ZZ"), std::string("_ZZ1kE"), deep,
                                    doubling, std::string(100'000, 'E')})
        EXPECT_FALSE(source_name(name).name.empty());
    EXPECT_EQ(source_name(doubling).name, doubling);
}

// Damaged sections: a changed byte, a cut section, random bytes.
class BadDebugInfo : public testing::Test {
  protected:
    void SetUp() override { module = corpus_module("debug_variables.ptx"); }
    Section& section(std::string_view name) {
        for (Section& candidate : module.sections)
            if (candidate.name == name) return candidate;
        ADD_FAILURE() << "there is no section " << name;
        return module.sections.front();
    }
    // Damaged sections must only give an answer: information or a located error.
    void read() const {
        const Result<DebugInfo> info = read_debug_info(module, "/debug_variables.cu", &module);
        if (!info) {
            ASSERT_FALSE(info.diagnostics().empty());
            EXPECT_TRUE(info.diagnostics()[0].file.starts_with(".debug_")) << to_text(info.diagnostics());
            EXPECT_NE(info.diagnostics()[0].message.find("byte "), std::string::npos);
        }
    }
    Module module;
};

TEST_F(BadDebugInfo, bad_bytes) {
    std::mt19937 random(1);
    for (const char* name : {".debug_info", ".debug_abbrev", ".debug_loc"}) {
        Section& target = section(name);
        const std::vector<std::uint8_t> good = target.bytes;
        for (std::size_t i = 0; i < good.size(); ++i) {
            target.bytes = good;
            target.bytes[i] = static_cast<std::uint8_t>(i % 3 == 0 ? 0xff : random());
            read();
        }
        target.bytes = good;
    }
}

TEST_F(BadDebugInfo, bad_cut_sections) {
    for (const char* name : {".debug_info", ".debug_abbrev", ".debug_loc"}) {
        Section& target = section(name);
        const std::vector<std::uint8_t> good = target.bytes;
        for (std::size_t size = 0; size < good.size(); size += 3) {
            target.bytes.assign(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
            read();
        }
        target.bytes = good;
    }
}

TEST_F(BadDebugInfo, bad_relocations) {
    for (Section& target : module.sections)
        for (Section::Relocation& relocation : target.relocations) {
            const Section::Relocation good = relocation;
            relocation.symbol = "nothing";
            read();
            relocation = good;
            relocation.offset = -5;
            read();
            relocation.offset = std::int64_t{1} << 62;
            read();
            relocation = good;
        }
}

TEST_F(BadDebugInfo, bad_random_sections) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        for (const char* name : {".debug_info", ".debug_loc"})
            for (std::uint8_t& byte : section(name).bytes)
                if (random() % 20 == 0) byte = static_cast<std::uint8_t>(random());
        read();
        if (round % 10 == 0) module = corpus_module("debug_variables.ptx");
    }
}

TEST_F(BadDebugInfo, bad_errors_name_the_section_and_the_byte) {
    section(".debug_info").bytes[4] = 9;
    const Result<DebugInfo> info = read_debug_info(module, "/debug_variables.cu");
    ASSERT_FALSE(info);
    EXPECT_EQ(info.diagnostics()[0].file, ".debug_info");
    EXPECT_NE(info.diagnostics()[0].message.find("byte 4: DWARF version 9"), std::string::npos);
}

TEST_F(BadDebugInfo, bad_a_missing_location_section) {
    std::erase_if(module.sections, [](const Section& each) { return each.name == ".debug_loc"; });
    const Result<DebugInfo> info = read_debug_info(module, "/debug_variables.cu");
    ASSERT_FALSE(info);
    EXPECT_NE(to_text(info.diagnostics()).find("no .debug_loc"), std::string::npos);
}

// Returns hand-made sections: abbreviation 1 is a unit with children, 2 a type with one reference, 3 a scope.
Module hand_made(std::vector<std::uint8_t> entries, std::vector<std::uint8_t> abbreviations) {
    Module module;
    Section info;
    info.name = ".debug_info";
    const std::uint32_t length = static_cast<std::uint32_t>(entries.size() + 7);
    for (unsigned i = 0; i < 4; ++i)
        info.bytes.push_back(static_cast<std::uint8_t>(length >> (8 * i)));
    info.bytes.insert(info.bytes.end(), {2, 0, 0, 0, 0, 0, 8});
    info.bytes.insert(info.bytes.end(), entries.begin(), entries.end());
    Section table;
    table.name = ".debug_abbrev";
    table.bytes = std::move(abbreviations);
    module.sections = {std::move(info), std::move(table)};
    return module;
}

TEST(BadDebugInfoByHand, bad_nesting_has_a_limit) {
    const Module module = hand_made(std::vector<std::uint8_t>(100'000, 1), {1, 0x11, 1, 0, 0, 0});
    const Result<DebugInfo> info = read_debug_info(module, "");
    ASSERT_FALSE(info);
    EXPECT_NE(to_text(info.diagnostics()).find("nested too deeply"), std::string::npos);
}

TEST(BadDebugInfoByHand, bad_type_cycles_end) {
    // A pointer to itself, a structure whose member is the structure, and a typedef of itself, each with a
    // variable.
    for (const std::uint8_t tag : {0x0f, 0x16, 0x26, 0x01, 0x10}) {
        const Module module =
            hand_made({1, 2, 12, 0, 0, 0, 0}, {1, 0x11, 1, 0, 0, 2, tag, 0, 0x49, 0x13, 0, 0, 0});
        const Result<dwarf::Info> info = dwarf::Info::read(module);
        ASSERT_TRUE(info) << to_text(info.diagnostics());
        ASSERT_EQ(info->entries().size(), 2u);
        EXPECT_EQ(info->target((*info)[1], dwarf::At::type), 1u);
        TypeTable table;
        dwarf::Types types(*info, table);
        const TypeId type = types.of((*info)[1]);
        EXPECT_LT(type, table.size());
        EXPECT_LT(table[type].name.size(), 200u);
    }
}

TEST(BadDebugInfoByHand, bad_lebs) {
    Section section;
    section.bytes.assign(2000, 0x80);
    EXPECT_EQ(dwarf::Cursor(section, 0).uleb(), 0u);
    for (auto read : {+[](dwarf::Cursor& c) { c.uleb(); }, +[](dwarf::Cursor& c) { c.sleb(); },
                      +[](dwarf::Cursor& c) { c.long_uleb(); }, +[](dwarf::Cursor& c) { c.string(); }}) {
        dwarf::Cursor cursor(section, 0);
        read(cursor);
        EXPECT_TRUE(cursor.failed());
    }
    section.bytes = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x7f, 0x80, 0x01};
    dwarf::Cursor cursor(section, 0);
    EXPECT_EQ(cursor.uleb(), ~std::uint64_t{0});
    EXPECT_EQ(cursor.sleb(), -1);
    EXPECT_EQ(cursor.uleb(), 128u);
    EXPECT_FALSE(cursor.failed());
}

}  // namespace debug_info_test
}  // namespace lanescope::ptx
