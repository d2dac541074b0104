// Records the results of the forms on a GPU, writes their kernels for the assembler, or lists the differences
// between the machine and a recording.
//   parity_record gpu FORMS OUT           runs every form of the list on the first CUDA device
//   parity_record ptx FORMS FOLDER        writes FOLDER/0.ptx, 1.ptx, … one form each
//   parity_record compare FORMS RECORDING
#include <cstdio>
#include <fstream>
#include <map>

#include "compare.h"
#include "form.h"
#include "gpu.h"
#include "machine_run.h"
#include "recording.h"
#include "tool.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

int record(const std::vector<Form>& forms, const std::string& path) {
    auto gpu = Gpu::open();
    if (!gpu.ok()) return fail(gpu.diagnostics());
    Recording recording{(*gpu)->device(), (*gpu)->driver(), today(), {}};
    int failed = 0;
    for (const Form& form : forms) {
        const Work work = work_of(form);
        Gpu::Buffers buffers{work.inputs, work.memory, {}};
        buffers.outputs.resize(std::max<std::size_t>(form.outputs.size(), 1) * lanes * slot_bytes);
        auto ran = (*gpu)->run(module_of({form}), lanes / block_threads, block_threads, buffers);
        if (!ran.ok()) {
            // An error stays in the context, so later results would be invalid.
            std::fprintf(stderr, "%s\n  %s\n", form.code.c_str(), to_text(ran.diagnostics()).c_str());
            ++failed;
            break;
        }
        recording.records.push_back(
            {form.code, work_hash(form, work), packed(form, buffers.outputs, buffers.memory)});
    }
    std::printf("%s, %s, %s: %zu forms recorded, %d failed\n", recording.device.c_str(),
                recording.driver.c_str(), recording.date.c_str(), recording.records.size(), failed);
    if (auto saved = save(recording, path); !saved.ok()) return fail(saved.diagnostics());
    return failed == 0 ? 0 : 1;
}

int compare_all(const std::vector<Form>& forms, const std::string& path) {
    auto recording = load_recording(path);
    if (!recording.ok()) return fail(recording.diagnostics());
    std::map<std::string, const Record*> known;
    for (const Record& record : recording->records)
        known[record.code] = &record;
    std::size_t exact = 0, differing = 0, unsupported = 0, stale = 0;
    for (const Form& form : forms) {
        const Work work = work_of(form);
        const auto found = known.find(form.code);
        if (found == known.end() || found->second->work_hash != work_hash(form, work)) {
            ++stale;
            std::printf("not recorded  %s\n", form.instruction().c_str());
            continue;
        }
        const auto result = run_on_machine(form, work);
        if (!result.ok()) {
            ++unsupported;
            std::printf("fails         %s: %s\n", form.instruction().c_str(),
                        result.diagnostics().front().message.c_str());
            continue;
        }
        const Difference difference = compare(form, work, *result, found->second->result);
        if (difference.differ == 0) {
            ++exact;
            continue;
        }
        ++differing;
        std::printf("differs       %s: %zu of %zu%s, %llu ulp; %s\n", form.instruction().c_str(),
                    difference.differ, difference.values,
                    difference.kind ? ", in more than the last places" : "",
                    static_cast<unsigned long long>(difference.ulp), difference.first.c_str());
    }
    std::printf("%s, %s, %s: %zu exact, %zu differ, %zu fail, %zu not recorded\n", recording->device.c_str(),
                recording->driver.c_str(), recording->date.c_str(), exact, differing, unsupported, stale);
    return differing + unsupported + stale == 0 ? 0 : 1;
}

int write_kernels(const std::vector<Form>& forms, const std::string& folder) {
    for (std::size_t i = 0; i < forms.size(); ++i)
        std::ofstream(folder + "/" + std::to_string(i) + ".ptx") << module_of({forms[i]});
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc == 4 ? argv[1] : "";
    if (what != "gpu" && what != "ptx" && what != "compare") {
        std::fprintf(stderr,
                     "usage: parity_record gpu FORMS OUT | ptx FORMS FOLDER | compare FORMS RECORDING\n");
        return 2;
    }
    auto forms = read_forms(argv[2]);
    if (!forms.ok()) return fail(forms.diagnostics());
    if (what == "compare") return compare_all(*forms, argv[3]);
    return what == "gpu" ? record(*forms, argv[3]) : write_kernels(*forms, argv[3]);
}
