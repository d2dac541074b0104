// Runs kernels.cl on one OpenCL platform, checks the results and prints the seconds of each launch as JSON:
//     opencl_peer PLATFORM kernels.cl REPETITIONS
// PLATFORM is part of the platform's name. Built and called by peers.py.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "bench_inputs.h"

namespace {

using namespace lanescope;

[[noreturn]] void stop(const std::string& message) {
    std::fprintf(stderr, "opencl_peer: %s\n", message.c_str());
    std::exit(1);
}

void check(cl_int status, const char* what) {
    if (status != CL_SUCCESS) stop(std::string(what) + " failed (" + std::to_string(status) + ")");
}

std::string name_of(cl_platform_id platform, cl_platform_info what) {
    char text[256] = "";
    check(clGetPlatformInfo(platform, what, sizeof text, text, nullptr), "clGetPlatformInfo");
    return text;
}

cl_platform_id find_platform(const std::string& wanted) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count; ++i)
        if (name_of(platforms[i], CL_PLATFORM_NAME).find(wanted) != std::string::npos) return platforms[i];
    stop("no OpenCL platform is named " + wanted);
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

struct Device {
    explicit Device(const std::string& platform_name, const std::string& source) {
        const cl_platform_id platform = find_platform(platform_name);
        version = name_of(platform, CL_PLATFORM_VERSION);
        cl_int status = 0;
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
        check(status, "clCreateContext");
        queue = clCreateCommandQueue(context, device, 0, &status);
        check(status, "clCreateCommandQueue");
        const char* text = source.c_str();
        program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
        check(status, "clCreateProgramWithSource");
        check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    }
    template <class T>
    cl_mem buffer(const std::vector<T>& contents) {
        cl_int status = 0;
        const cl_mem made =
            clCreateBuffer(context, CL_MEM_READ_WRITE, contents.size() * sizeof(T), nullptr, &status);
        check(status, "clCreateBuffer");
        check(clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, contents.size() * sizeof(T), contents.data(), 0,
                                   nullptr, nullptr),
              "clEnqueueWriteBuffer");
        return made;
    }
    template <class T>
    std::vector<T> read(cl_mem from, std::size_t count) {
        std::vector<T> values(count);
        check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr,
                                  nullptr),
              "clEnqueueReadBuffer");
        return values;
    }
    template <class... Arguments>
    void launch(const char* name, std::size_t (&global)[2], std::size_t (&local)[2], Arguments... arguments) {
        cl_int status = 0;
        const cl_kernel kernel = clCreateKernel(program, name, &status);
        check(status, "clCreateKernel");
        cl_uint index = 0;
        (check(clSetKernelArg(kernel, index++, sizeof arguments, &arguments), "clSetKernelArg"), ...);
        check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue), "clFinish");
        clReleaseKernel(kernel);
    }

    std::string version;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
};

void time_it(const char* name, int repetitions, const std::function<void()>& launch) {
    std::printf(", \"%s\": [", name);
    for (int i = 0; i < repetitions; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double cpu_start = cpu_seconds();
        launch();
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        std::printf("%s{\"wall\": %.6f, \"cpu\": %.6f}", i == 0 ? "" : ", ", wall.count(),
                    cpu_seconds() - cpu_start);
    }
    std::printf("]");
}

void convolution(Device& device, int repetitions) {
    const int width = 512, height = 512;
    const std::vector<float> in = bench::image(width, height), mask = bench::gaussian_5x5();
    const cl_mem from = device.buffer(in), taps = device.buffer(mask),
                 to = device.buffer(std::vector<float>(in.size()));
    std::size_t global[2] = {width, height}, local[2] = {32, 8};
    time_it("convolution", repetitions,
            [&] { device.launch("convolve", global, local, from, taps, to, width, height); });
    if (!bench::is_convolved(in, mask, device.read<float>(to, in.size()), width, height))
        stop("the convolution is wrong");
}

void reduction(Device& device, int repetitions) {
    const int count = 262'144, block = 256;
    const std::vector<int> in = bench::numbers(count);
    const cl_mem from = device.buffer(in), to = device.buffer(std::vector<int>(count / block));
    std::size_t global[2] = {count, 1}, local[2] = {block, 1};
    time_it("reduction", repetitions, [&] { device.launch("reduce", global, local, from, to, count); });
    if (!bench::is_reduced(in, device.read<int>(to, count / block), block)) stop("the reduction is wrong");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) stop("usage: opencl_peer PLATFORM kernels.cl REPETITIONS");
    std::ifstream file(argv[2]);
    std::stringstream source;
    source << file.rdbuf();
    if (source.str().empty()) stop("cannot read " + std::string(argv[2]));
    Device device(argv[1], source.str());
    std::printf("{\"version\": \"%s\"", device.version.c_str());
    convolution(device, std::atoi(argv[3]));
    reduction(device, std::atoi(argv[3]));
    std::printf("}\n");
    return 0;
}
