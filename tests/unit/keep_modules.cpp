// Linked into the unit tests of sanitized builds: keeps graphics drivers loaded until the process
// ends. The leak check then still reaches what the drivers keep for the life of the process, and its
// reports have symbol names.
extern "C" int dlclose(void*) {
    return 0;
}
