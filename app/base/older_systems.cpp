// What the shipped program and libraries call instead of functions that glibc 2.34 and GCC 11's library lack
// (lanescope_for_older_systems in app/CMakeLists.txt). The linker gives these the names of the functions.
#include <pthread.h>

#include <condition_variable>
#include <mutex>

extern "C" {
double lanescope_older_hypot(double x, double y);
float lanescope_older_hypotf(float x, float y);
double lanescope_hypot(double x, double y) asm("__wrap_hypot");
float lanescope_hypotf(float x, float y) asm("__wrap_hypotf");
void lanescope_wait(std::condition_variable* condition, std::unique_lock<std::mutex>* lock) asm(
    "__wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
}

// glibc 2.35 has a second version of these.
asm(".symver lanescope_older_hypot, hypot@GLIBC_2.2.5");
asm(".symver lanescope_older_hypotf, hypotf@GLIBC_2.2.5");

double lanescope_hypot(double x, double y) {
    return lanescope_older_hypot(x, y);
}

float lanescope_hypotf(float x, float y) {
    return lanescope_older_hypotf(x, y);
}

// What GCC 12's function with the new version does.
void lanescope_wait(std::condition_variable* condition, std::unique_lock<std::mutex>* lock) {
    pthread_cond_wait(condition->native_handle(), lock->mutex()->native_handle());
}
