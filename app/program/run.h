// Runs a program on the CPU machine and reads what it did.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "program/executable.h"
#include "trace/trace.h"

namespace lanescope::program {

// A place in the program's own sources; line 0: not known, because the program has no debug information.
struct HostPlace {
    std::string file;
    int line = 0;
    std::string function;
    std::string text() const { return line == 0 ? "" : file + ":" + std::to_string(line); }
};

struct LaunchProblem {
    std::string kind, message, variable;
    std::int64_t index = 0;
    std::uint32_t line = 0;    // in the kernel's file
    std::string file, kernel;  // the line's; of a grid that the kernel launched: its name
    std::uint32_t block = trace::none, thread = trace::none;
    std::uint64_t occurrences = 1;
    bool note = false;
    std::uint32_t second_line = 0;  // of a race: the line of the later access
    std::string why;                // of a race: what the threads did before, and what would order them
    std::string schedule;           // under which a check found it
};

struct ProgramLaunch {
    std::uint64_t number = 0;     // of all launches, from 0
    std::string kernel;           // "reduce<int>"
    std::uint64_t of_kernel = 0;  // of the launches of this kernel, from 0
    trace::Dim3 grid, block;
    trace::Dim3 cluster;  // blocks of a cluster
    std::uint64_t shared_bytes = 0;
    std::uint64_t stream = 0;
    std::string ending;  // "finished", "faulted", "step_limit", "timeout", "deadlock", "refused";
                         // "interrupted": the program ended while it ran
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    double ms = 0;             // on the CPU machine
    std::optional<double> us;  // on a GPU, between events around the launch
    std::vector<LaunchProblem> problems;
    HostPlace place;
    std::filesystem::path trace;                      // empty: not recorded
    std::map<std::uint64_t, std::string> parameters;  // of a recorded launch: what it calls the buffers
    std::vector<std::uint64_t> buffers;               // to which its arguments point; on a GPU not known

    bool has_problem() const;
};

struct ProgramBuffer {
    std::uint64_t number = 0;
    std::string name;  // of the host's variable; empty: not known
    std::string kind;  // "device", "managed", "pinned"
    std::uint64_t address = 0, size_bytes = 0;
    HostPlace place;
    bool leaked = false;
};

struct ProgramError {  // a call that returned an error
    std::string function, name;
    int code = 0;
    HostPlace place;
    std::string reason;            // in words; empty: the name says it
    bool seen = true;              // the program used what the call returned, or asked for the last error
    std::size_t before_event = 0;  // of ProgramRun::host: it came before this one
};

// One thing that the host did, in the order of the program.
struct HostEvent {
    enum class Kind : std::uint8_t {
        allocate,
        free,
        copy,
        memset,
        launch,
        launch_graph,
        host_function,
        synchronise,  // the host waits for the device, a stream or an event
        record_event,
        wait_for_event,  // a stream waits
        create_stream,
        destroy_stream,
        library  // a call of cuBLAS, which `function` names
    };
    // One end of a copy; all empty: the host's memory.
    struct End {
        std::int64_t buffer = -1;  // its number
        std::uint64_t offset_bytes = 0;
        std::string name;  // of the buffer, or of a variable of the device
        bool on_device() const { return buffer >= 0 || !name.empty(); }
    };
    Kind kind = Kind::allocate;
    std::string function;  // "cudaMemcpyAsync"
    HostPlace place;
    double at_ms = 0, ms = 0;      // since the first call, and how long it took, on this computer
    std::int64_t stream = -1;      // 0: the default one; -1: of no stream
    bool blocking = true;          // of create_stream: its work and the default stream's wait for each other
    std::int64_t cuda_event = -1;  // its number, from 1
    std::uint64_t bytes = 0;
    std::string direction;     // of a copy: "host to device"
    End to, from;              // also of allocate, free and memset: `to`
    std::int64_t launch = -1;  // its number
    std::string of;            // of synchronise: "device", "stream", "event"
};
const char* to_text(HostEvent::Kind kind);

// Work of two streams, or of a stream and the host, that touches the same memory, in a checked run.
struct StreamRace {
    struct Work {
        std::string what, function;  // "launch", "cudaLaunchKernel"; "host": an access of its own
        std::int64_t launch = -1;
        std::uint64_t stream = 0;
        bool writes = false;
        HostPlace place;
    };
    Work first, second;
    HostEvent::End at;
};

// A copy to the host has elements that nothing wrote, in a checked run.
struct UnwrittenCopy {
    std::string function;
    HostPlace place;
    std::int64_t buffer = -1;                    // its number
    std::string name;                            // of the buffer
    std::uint64_t first = 0, count = 0, of = 0;  // elements: the first of these, how many, of how many
    std::int64_t launch = -1;                    // the last that wrote elements which had no value
    std::uint64_t written = 0;                   // so many
};

struct ProgramRun {
    ProcessOutcome process;
    std::vector<std::string> words;                 // of run_programs(): the program and its arguments
    std::int64_t began = 0;                         // of run_programs(): orders the processes
    bool used_the_machine = false;                  // called the runtime library
    LinkedRuntime linked = LinkedRuntime::unknown;  // of a program that did not
    std::string device;                             // the GPU's name; empty: the CPU machine
    bool ended = false;                             // exit() ran; false: it crashed, or called _exit()
    std::vector<ProgramLaunch> launches;
    std::vector<ProgramBuffer> buffers;
    std::vector<ProgramError> errors;
    std::vector<HostEvent> host;
    std::vector<StreamRace> stream_races;
    std::vector<UnwrittenCopy> unwritten;
    std::vector<std::string> warnings;
    struct Remark {
        std::string message;
        HostPlace place;
    };
    std::vector<Remark> unsupported;    // calls that did not do what CUDA's do: results may be wrong
    std::optional<Remark> host_access;  // of the host to memory of the device, which ended the program
    struct Inexact {
        std::string instruction, kind, why;
        bool operator==(const Inexact&) const = default;
    };
    std::vector<Inexact> inexact;  // instructions in the code of the kernels, as simt::Fidelity tells them
    bool lost_output = false;      // of kernels, because the program did not wait for them
    std::string lost_error;        // of a kernel, which no call returned
    // Events of a kind beyond what a journal holds; "end": 1 if the program was ended, so that leaks,
    // lost_output and lost_error are not known.
    std::map<std::string, std::uint64_t> left_out;
    std::uint64_t journal_bytes = 0;  // what a later run of the program writes, too
    // The schedules under which a check ran the program, and why not under more.
    std::vector<std::string> schedules;
    std::string schedules_left_out;

    // The launch that a person wants to see first: the first with a problem, else the one with most work (on
    // a GPU, with most time). Null: there is none.
    const ProgramLaunch* first_choice() const;
    bool fine() const;  // exit status 0, no problems
};

struct RunOptions {
    std::vector<std::string> record;  // "all", "12", "reduce", "reduce:3"
    std::filesystem::path folder;     // exists; receives the traces
    bool on_gpu = false;              // CUDA's own runtime runs it, and is watched
    bool check = false;               // looks for races in every launch, and between streams
    std::string schedule;             // of the CPU machine; empty: round robin
    bool capture = false;             // the program's output is kept; else it goes to this process's streams
    double seconds = 0;               // with `capture`: two more end the whole program; 0: an hour does
    double kernel_seconds = 0;        // of all kernels together; 0: the machine's own limit
    std::uint64_t kernel_steps = 0;   // warp instructions of a launch; 0: the machine's own limit
    std::uint64_t memory_bytes = 0;   // of the device; 0: three quarters of this computer's
    const std::atomic<bool>* cancel = nullptr;  // with `capture`: ends the program soon after it becomes true
};

// The file in RunOptions::folder that grows while the program runs.
inline constexpr const char* journal_name = "journal.jsonl";

// Writes the trace of a recorded launch with the host's names of its buffers. Errors: it was not recorded;
// the files cannot be read or written.
Result<void> save_trace(const ProgramRun& run, const ProgramLaunch& launch, const std::filesystem::path& to);

// Runs argv. Errors: it could not be started; the journal cannot be written.
Result<ProgramRun> run_program(const std::vector<std::string>& argv, const RunOptions& options);
// The same for a command that may start programs, such as ctest: those of its processes that used CUDA's
// runtime, in the order of their first calls, each with the command's outcome. Without one, a single run says
// why.
Result<std::vector<ProgramRun>> run_programs(const std::vector<std::string>& argv, const RunOptions& options);

}  // namespace lanescope::program
