// Messages about a missing driver, an unsuitable driver and an unsuitable GPU.
#include "gpu/driver/driver.h"

#include "fixture.h"
#include "gpu/driver/device_query.h"
#include "gpu/driver/memory.h"

namespace lanescope::gpu {
namespace driver_test {

// Returns the message and the hint with which opening the driver fails.
std::string failure() {
    const auto driver = Driver::open();
    return driver ? "opened" : to_text(driver.diagnostics());
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is missing in: " << text;
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;  // one line
}

TEST(FakeDriverTest, opens_and_answers) {
    const FakeDriver fake("");
    const auto driver = Driver::open();
    ASSERT_TRUE(driver) << to_text(driver.diagnostics());
    EXPECT_EQ((*driver)->version_text(), "13.0");
    EXPECT_EQ((*driver)->device_count(), 1);
    EXPECT_TRUE((*driver)->check(CUDA_SUCCESS, "nothing"));
    const auto failed = (*driver)->check(CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel");
    EXPECT_EQ(failed.diagnostics().front().message,
              "a kernel: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)");
}

TEST(FakeDriverTest, bad_library_is_named) {
    setenv("LANESCOPE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
    expect_words(failure(), {"$LANESCOPE_CUDA_DRIVER", "/nowhere/libcuda.so.1", "unset it"});
    setenv("LANESCOPE_CUDA_DRIVER", "libm.so.6", 1);
    expect_words(failure(), {"libm.so.6 is not NVIDIA's driver"});
    unsetenv("LANESCOPE_CUDA_DRIVER");
}

TEST(FakeDriverTest, bad_no_device) {
    const FakeDriver fake("no_device");
    expect_words(failure(), {"(CUDA 13.0) finds no GPU", "CUDA_VISIBLE_DEVICES", "CPU engine"});
}

TEST(FakeDriverTest, bad_old_driver_names_what_it_supports_and_what_is_needed) {
    const FakeDriver fake("old_driver");
    expect_words(failure(), {"too old", "CUDA up to 11.4", "CUDA 12.0 or later", "CPU engine"});
}

TEST(FakeDriverTest, bad_driver_without_a_function_names_it) {
    const FakeDriver fake("", "libfake_cuda_driver_incomplete.so");
    expect_words(failure(), {"too old", "cuLaunchKernel"});
}

TEST(FakeDriverTest, bad_installations_say_what_to_do) {
    for (const auto& [fault, words] :
         {std::pair{"stub", "stub, not the driver"}, std::pair{"mismatch", "restart the machine"},
          std::pair{"not_ready", "nvidia-fabricmanager"},
          std::pair{"broken", "it is a fake (CUDA_ERROR_OF_A_FAKE, 999)"}}) {
        const FakeDriver fake(fault);
        expect_words(failure(), {words});
    }
}

TEST(FakeDriverTest, driver_older_than_the_toolkit_opens_with_a_note) {
    const FakeDriver fake("older");
    const auto driver = Driver::open();
    ASSERT_TRUE(driver);
    const std::string note = (*driver)->older_than_toolkit();
    if (toolkit_version <= 12040) {
        EXPECT_EQ(note, "");
    } else {
        EXPECT_NE(note.find("CUDA up to 12.4"), std::string::npos) << note;
    }
}

TEST(FakeDriverTest, bad_gpu_is_refused_by_its_capability_but_answers_questions) {
    const FakeDriver fake("old_gpu");
    const auto context = Context::create();
    ASSERT_FALSE(context);
    expect_words(to_text(context.diagnostics()), {"Fake GPU is too old", "6.1", "7.5", "CPU engine"});
    const auto driver = Driver::open();
    ASSERT_TRUE(driver);
    const auto query = query_device(**driver, 0);
    ASSERT_TRUE(query);
    EXPECT_EQ(query->compute_capability, 61);
    EXPECT_EQ(query->multiprocessors(), 20);
    EXPECT_EQ(query->cores_per_multiprocessor, 128);
    EXPECT_EQ(query->uuid, "GPU-abababab-abab-abab-abab-abababababab");
}

TEST(FakeDriverTest, attribute_that_the_driver_does_not_know_has_no_value) {
    const FakeDriver fake("");
    const auto driver = Driver::open();
    ASSERT_TRUE(driver);
    const auto query = query_device(**driver, 0);
    ASSERT_TRUE(query);
    ASSERT_EQ(query->values.size(), device_properties().size());
    for (std::size_t i = 0; i < query->values.size(); ++i) {
        const bool unknown = device_properties()[i].key == std::string("cluster_launch");
        EXPECT_EQ(query->values[i].empty(), unknown) << device_properties()[i].key;
    }
}

TEST(FakeDriverTest, bad_device_number) {
    const FakeDriver fake("");
    expect_words(to_text(Context::create(1).diagnostics()), {"no GPU 1", "0 to 0"});
    EXPECT_FALSE(Context::create(-1));
}

TEST(FakeDriverTest, bad_out_of_memory_says_what_is_wanted_and_what_is_free) {
    const FakeDriver fake("full");
    const auto context = Context::create();
    ASSERT_TRUE(context);
    const auto large = DeviceBuffer::allocate(*context, 5ull << 20);
    ASSERT_FALSE(large);
    expect_words(to_text(large.diagnostics()),
                 {"5 MiB (5242880 bytes) wanted", "3 MiB (3145728 bytes) of 8 GiB free", "smaller inputs"});
    EXPECT_TRUE(DeviceBuffer::allocate(*context, 1 << 20));
}

TEST(Sizes, are_written_in_the_largest_unit) {
    EXPECT_EQ(size_text(0), "0 bytes");
    EXPECT_EQ(size_text(1023), "1023 bytes");
    EXPECT_EQ(size_text(1024), "1 KiB");
    EXPECT_EQ(size_text(1536), "1.5 KiB");
    EXPECT_EQ(size_text(150109880320), "139.8 GiB");
}

}  // namespace driver_test
}  // namespace lanescope::gpu
