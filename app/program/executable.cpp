#include "program/executable.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstring>

namespace lanescope::program {

namespace {

// Every program with device code calls this function before main().
constexpr const char* registration = "__cudaRegisterFatBinary";

LinkedRuntime runtime_of(Elf* elf) {
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) continue;
        if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
        Elf_Data* data = elf_getdata(section, nullptr);
        if (data == nullptr) continue;
        for (std::uint64_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
            GElf_Sym symbol;
            if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
            const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name == nullptr) continue;
            const std::size_t size = std::strlen(registration);
            // "__cudaRegisterFatBinary@libcudart.so.13", but not …FatBinaryEnd
            if (std::strncmp(name, registration, size) != 0 || (name[size] != '\0' && name[size] != '@'))
                continue;
            return symbol.st_shndx == SHN_UNDEF ? LinkedRuntime::shared : LinkedRuntime::in_the_program;
        }
    }
    return LinkedRuntime::unknown;
}

}  // namespace

LinkedRuntime linked_runtime(const std::filesystem::path& executable) {
    if (elf_version(EV_CURRENT) == EV_NONE) return LinkedRuntime::unknown;
    const int file = open(executable.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return LinkedRuntime::unknown;
    Elf* elf = elf_begin(file, ELF_C_READ, nullptr);
    const LinkedRuntime found =
        elf != nullptr && elf_kind(elf) == ELF_K_ELF ? runtime_of(elf) : LinkedRuntime::unknown;
    if (elf != nullptr) elf_end(elf);
    close(file);
    return found;
}

}  // namespace lanescope::program
