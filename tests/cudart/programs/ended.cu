// A program that does not come to its end: a kernel that takes days, a host that waits, more copies than are kept.
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

__global__ void once(int* out) {
    *out = 1;
}

__global__ void spin(volatile int* out) {
    for (long long i = 0; i < 1ll << 40; ++i) {
        *out = static_cast<int>(i);
    }
}

// Acts while the kernel runs.
void after_a_while(bool kill) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    if (kill) raise(SIGKILL);
    if (FILE* file = fopen("running", "w")) fclose(file);
}

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "";
    const int copies = 100007;
    int *d_out, h_out = 0;
    if (cudaMalloc(&d_out, sizeof(int)) != cudaSuccess) {
        return 2;
    }
    once<<<1, 1>>>(d_out);
    for (int i = 0; what == "copies" && i < copies; ++i) cudaMemcpy(&h_out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    if (what == "copies") raise(SIGKILL);
    if (what == "sleep") {
        puts("asleep");
        fflush(stdout);
        std::this_thread::sleep_for(std::chrono::hours(1));
    }
    if (what == "spin" || what == "kill") {
        std::thread other(after_a_while, what == "kill");
        spin<<<1, 1>>>(d_out);
        other.join();
    }
    const cudaError_t waited = cudaDeviceSynchronize();
    cudaFree(d_out);
    return waited == cudaSuccess ? 0 : 7;
}
