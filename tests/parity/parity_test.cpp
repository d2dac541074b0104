// The machine gives the recorded results of the GPU: bit for bit, or within a stated bound for approximate
// instructions.
#include <gtest/gtest.h>

#include <map>

#include "compare.h"
#include "machine_run.h"
#include "recording.h"
#include "simt/inspect/fidelity.h"

namespace lanescope::parity {

namespace parity_test {

struct Case {
    Form form;
    const Record* record = nullptr;
};

struct Suite {
    Recording recording;
    std::map<std::string, std::vector<Case>> by_mnemonic;
    std::string problem;
};

const Suite& suite() {
    static const Suite loaded = [] {
        Suite made;
        auto forms = read_forms(std::string(LANESCOPE_PARITY_DIR) + "/forms.txt");
        auto recording = load_recording(LANESCOPE_PARITY_RECORDING);
        if (!forms.ok() || !recording.ok()) {
            made.problem = to_text(forms.ok() ? recording.diagnostics() : forms.diagnostics());
            return made;
        }
        made.recording = std::move(*recording);
        std::map<std::string, const Record*> known;
        for (const Record& record : made.recording.records)
            known[record.code] = &record;
        for (Form& form : *forms) {
            const std::string instruction = form.instruction();
            const auto found = known.find(form.code);
            made.by_mnemonic[instruction.substr(0, instruction.find('.'))].push_back(
                {std::move(form), found == known.end() ? nullptr : found->second});
        }
        return made;
    }();
    return loaded;
}

std::vector<std::string> mnemonics() {
    std::vector<std::string> names;
    for (const auto& [name, cases] : suite().by_mnemonic)
        names.push_back(name);
    return names;
}

void check(const Case& one) {
    const std::string instruction = one.form.instruction();
    ASSERT_NE(one.record, nullptr) << instruction << " has no recording";
    const Work work = work_of(one.form);
    ASSERT_EQ(one.record->work_hash, work_hash(one.form, work))
        << instruction << ": the recording belongs to another kernel or other inputs; record it again";
    const auto found = run_on_machine(one.form, work);
    ASSERT_TRUE(found.ok()) << instruction << ": " << to_text(found.diagnostics());
    const Difference difference = compare(one.form, work, *found, one.record->result);
    const simt::Fidelity fidelity = simt::fidelity_of(instruction);
    if (fidelity.kind != simt::Fidelity::Kind::approximate) {
        EXPECT_EQ(difference.differ, 0u) << instruction << ": " << difference.first;
        return;
    }
    EXPECT_FALSE(difference.kind) << instruction << ": " << difference.first;
    if (fidelity.absolute > 0)
        EXPECT_LE(difference.absolute, fidelity.absolute) << instruction;
    else
        EXPECT_LE(difference.ulp, fidelity.ulp) << instruction;
}

TEST(Parity, names_its_device) {
    ASSERT_EQ(suite().problem, "");
    const simt::ComparedDevice compared = simt::compared_device();
    EXPECT_EQ(suite().recording.device, compared.device);
    EXPECT_EQ(suite().recording.driver, compared.driver);
    EXPECT_EQ(suite().recording.date, compared.date);
    EXPECT_GT(suite().recording.records.size(), 2000u);
}

// Every bound belongs to an existing form: a misspelt one would have no effect, but state something untrue.
TEST(Parity, bounds_are_of_forms) {
    for (const auto& [instruction, fidelity, lines] : simt::fidelity_table()) {
        bool found = fidelity.kind != simt::Fidelity::Kind::approximate;
        for (const auto& [name, cases] : suite().by_mnemonic)
            for (const Case& one : cases)
                found = found || one.form.instruction() == instruction;
        EXPECT_TRUE(found) << instruction;
    }
}

class Instruction : public testing::TestWithParam<std::string> {};
TEST_P(Instruction, gives_what_the_gpu_gave) {
    for (const Case& one : suite().by_mnemonic.at(GetParam()))
        check(one);
}
INSTANTIATE_TEST_SUITE_P(Parity, Instruction, testing::ValuesIn(mnemonics()),
                         [](const auto& tested) { return tested.param; });

}  // namespace parity_test
}  // namespace lanescope::parity
