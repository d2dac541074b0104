// Drivers that fail in known ways, and the real driver if the machine has one.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "gpu/driver/context.h"

namespace lanescope::gpu {

// The fake driver of tests/fakes for one test; tests/fakes/cuda_driver.cpp lists the values of `fault`.
class FakeDriver {
  public:
    explicit FakeDriver(const char* fault, const char* library = "libfake_cuda_driver.so") {
        const std::string path = fakes_folder() + "/" + library;
        setenv("LANESCOPE_CUDA_DRIVER", path.c_str(), 1);
        setenv("LANESCOPE_FAKE", fault, 1);
        library_ = dlopen(path.c_str(), RTLD_NOW);
        if (auto* restart = reinterpret_cast<void (*)()>(dlsym(library_, "fake_restart"))) restart();
    }
    ~FakeDriver() {
        unsetenv("LANESCOPE_CUDA_DRIVER");
        unsetenv("LANESCOPE_FAKE");
    }
    FakeDriver(const FakeDriver&) = delete;
    FakeDriver& operator=(const FakeDriver&) = delete;

    int count(const char* what) const {
        auto* counter = reinterpret_cast<int (*)()>(dlsym(library_, what));
        return counter ? counter() : -1;
    }

  private:
    static std::string fakes_folder() {
        const char* given = std::getenv("LANESCOPE_FAKES");
        return given ? given : LANESCOPE_FAKES;
    }
    void* library_ = nullptr;
};

// Tests of the real driver and GPU.
class RealGpu : public testing::Test {
  protected:
    void SetUp() override {
        if (!Driver::open()) GTEST_SKIP() << "no GPU";
        auto context = Context::create();
        ASSERT_TRUE(context) << to_text(context.diagnostics());
        context_ = std::make_unique<Context>(std::move(*context));
    }
    std::unique_ptr<Context> context_;
};

}  // namespace lanescope::gpu
