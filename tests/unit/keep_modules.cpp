// Linked into the unit tests of sanitized builds: graphics drivers stay loaded until the process ends. What
// they keep for the life of the process is then still reachable when leaks are looked for, and has names in a
// report.
extern "C" int dlclose(void*) {
    return 0;
}
