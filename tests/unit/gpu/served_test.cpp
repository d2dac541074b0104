// A device behind a connection: the CPU machine serves, over sockets of this process.
#include "gpu/served/served_device.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "gpu/served/frames.h"
#include "gpu/served/machine_device.h"
#include "gpu/served/server.h"

namespace lanescope::gpu {
namespace served_test {

using std::chrono::milliseconds;

constexpr const char* code = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 counter;
.visible .entry twice(.param .u64 at)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [at];
    ld.global.u32 %r1, [%rd1];
    add.u32 %r2, %r1, %r1;
    st.global.u32 [%rd1], %r2;
    ret;
}
.visible .entry fetch(.param .u64 object, .param .u64 at)
{
    .reg .f32 %f<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [object];
    ld.param.u64 %rd2, [at];
    mov.f32 %f1, 0f3FC00000;
    tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}];
    st.global.f32 [%rd2], %f2;
    ret;
}
.visible .entry forever()
{
again:
    bra again;
}
.visible .entry broken()
{
    .reg .b64 %rd<2>;
    mov.u64 %rd1, 8;
    st.global.u64 [%rd1], %rd1;
    ret;
}
)";

struct Ends {
    Ends() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, at.data()), 0); }
    ~Ends() {
        for (const int each : at)
            close(each);
    }
    std::array<int, 2> at{-1, -1};
};

// A served device whose other side is a thread.
class OtherSide {
  public:
    using Work = std::function<void(int descriptor)>;
    explicit OtherSide(Work work) : thread_([this, work = std::move(work)] { work(ends_.at[1]); }) {
        fcntl(ends_.at[0], F_SETFL, O_NONBLOCK);
    }
    ~OtherSide() {
        shutdown(ends_.at[0], SHUT_RDWR);
        thread_.join();
    }
    static ServedDevice::Setup setup_for(int descriptor) {
        ServedDevice::Setup setup;
        setup.connect = [descriptor] { return Wire{descriptor, descriptor, -1, nullptr, {}}; };
        setup.shown = "test";
        setup.program_version = "1";
        setup.limits = {milliseconds(1500), milliseconds(20'000), milliseconds(500), milliseconds(500)};
        return setup;
    }
    ServedDevice::Setup setup() const { return setup_for(ends_.at[0]); }
    Result<std::unique_ptr<ServedDevice>> start() { return ServedDevice::start(setup()); }

  private:
    Ends ends_;
    std::thread thread_;
};

void serve_and_pass(int descriptor, int passing) {
    ServedSide side;
    side.in = side.out = descriptor;
    side.passing = passing;
    side.open = [] { return Result<std::unique_ptr<TraceDevice>>(std::make_unique<MachineDevice>()); };
    (void)serve_device(side);
}

void serve_machine(int descriptor) {
    serve_and_pass(descriptor, -1);
}

void say(int descriptor, std::string_view bytes) {
    EXPECT_EQ(write(descriptor, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

simt::LaunchRequest request_of(const std::string& kernel) {
    simt::LaunchRequest request;
    request.kernel = kernel;
    request.grid = request.block = {1, 1, 1};
    return request;
}

std::string why(const Result<std::unique_ptr<ServedDevice>>& started) {
    return started ? "started" : to_text(started.diagnostics());
}

TEST(ServedDevice, answers_every_call_as_the_device_does) {
    OtherSide side([](int descriptor) { serve_machine(descriptor); });
    const Result<std::unique_ptr<ServedDevice>> started = side.start();
    ASSERT_TRUE(started) << why(started);
    ServedDevice& device = **started;
    EXPECT_EQ(device.name(), MachineDevice().name());
    EXPECT_EQ(device.record_bytes(), MachineDevice().record_bytes());
    EXPECT_FALSE(device.allocate(4)) << "no code is loaded";
    ASSERT_TRUE(device.load(code));
    EXPECT_TRUE(device.symbol("counter"));
    EXPECT_FALSE(device.symbol("missing"));
    const std::uint64_t size = chunk_bytes + 12345;  // more than one message
    const Result<TraceDevice::Address> from = device.allocate(size), to = device.allocate(size);
    ASSERT_TRUE(from && to);
    std::vector<std::byte> data(size);
    for (std::size_t i = 0; i < size; ++i)
        data[i] = static_cast<std::byte>(i * i >> 7);
    std::vector<std::byte> back(size);
    ASSERT_TRUE(device.write(*from, data));
    ASSERT_TRUE(device.copy(*to, *from, size));
    ASSERT_TRUE(device.read(*to, back));
    EXPECT_EQ(back, data);
    std::array<std::byte, 6> rows{};
    ASSERT_TRUE(device.read_rows(*to, 100, 2, 3, rows));
    EXPECT_EQ(rows[2], data[100]);
    ASSERT_TRUE(device.fill(*to, 8, std::byte{7}));
    ASSERT_TRUE(device.read(*to, std::span(back).first(9)));
    EXPECT_EQ(back[7], std::byte{7});
    EXPECT_EQ(back[8], data[8]);

    simt::LaunchRequest request = request_of("twice");
    const auto bytes = std::as_bytes(std::span(&*to, 1));
    request.arguments.emplace_back(bytes.begin(), bytes.end());
    std::string console;
    const Result<TraceDevice::Ran> ran = device.launch(request, 10, nullptr, console);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->ending, simt::Ending::finished) << ran->message;
    ASSERT_TRUE(device.read(*to, std::span(back).first(1)));
    EXPECT_EQ(back[0], std::byte{14});
}

TEST(ServedDevice, a_texture_reads_what_the_memory_holds_at_the_launch) {
    OtherSide side([](int descriptor) { serve_machine(descriptor); });
    const Result<std::unique_ptr<ServedDevice>> started = side.start();
    ASSERT_TRUE(started) << why(started);
    ServedDevice& device = **started;
    ASSERT_TRUE(device.load(code));
    std::array<float, 4> elements{1, 2, 3, 4};
    const Result<TraceDevice::Address> from = device.allocate(sizeof elements), to = device.allocate(4);
    ASSERT_TRUE(from && to);
    simt::Texture texture;
    texture.image.shape = simt::Image::Shape::line;
    texture.image.address = *from;
    texture.image.width = static_cast<std::uint32_t>(elements.size());
    texture.image.row_bytes = texture.image.slice_bytes = sizeof elements;
    const Result<std::uint64_t> handle = device.texture(texture);
    ASSERT_TRUE(handle) << to_text(handle.diagnostics());
    ASSERT_TRUE(device.write(*from, std::as_bytes(std::span(elements))));
    simt::LaunchRequest request = request_of("fetch");
    for (const std::uint64_t each : {*handle, *to}) {
        const auto bytes = std::as_bytes(std::span(&each, 1));
        request.arguments.emplace_back(bytes.begin(), bytes.end());
    }
    std::string console;
    const Result<TraceDevice::Ran> ran = device.launch(request, 10, nullptr, console);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->ending, simt::Ending::finished) << ran->message;
    float found = 0;
    ASSERT_TRUE(device.read(*to, std::as_writable_bytes(std::span(&found, 1))));
    EXPECT_EQ(found, 2);
}

TEST(ServedDevice, an_endless_kernel_ends_with_the_time_and_the_connection_with_it) {
    OtherSide side([](int descriptor) { serve_machine(descriptor); });
    const Result<std::unique_ptr<ServedDevice>> started = side.start();
    ASSERT_TRUE(started) << why(started);
    ASSERT_TRUE((*started)->load(code));
    std::string console;
    const Result<TraceDevice::Ran> ran = (*started)->launch(request_of("forever"), 0.2, nullptr, console);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->ending, simt::Ending::timeout);
    EXPECT_FALSE((*started)->allocate(4));
}

TEST(ServedDevice, cancel_ends_a_launch) {
    OtherSide side([](int descriptor) { serve_machine(descriptor); });
    const Result<std::unique_ptr<ServedDevice>> started = side.start();
    ASSERT_TRUE(started) << why(started);
    ASSERT_TRUE((*started)->load(code));
    std::atomic<bool> cancel = false;
    std::thread later([&] {
        std::this_thread::sleep_for(milliseconds(100));
        cancel = true;
    });
    std::string console;
    const Result<TraceDevice::Ran> ran = (*started)->launch(request_of("forever"), 60, &cancel, console);
    later.join();
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->ending, simt::Ending::cancelled);
}

TEST(ServedDevice, bad_other_sides) {
    const std::string greeting = "\1lanescope device";
    const std::pair<std::string, const char*> cases[] = {
        {"", "no device answered within 1.5 s"},
        {"Welcome to lab1\n", "no device answered within 1.5 s"},
        {std::string(70'000, 'x'), "not a device, but 'xxx"},
        {greeting + std::string("\1\0\0\0", 4), "speaks version 1 of the protocol"},
        {greeting + std::string("\3\0\0\0", 4) + std::string(16, '\xff'),
         "byte 0 of the connection: unknown"},
        {greeting + std::string("\3\0\0\0", 4) +
             std::string("\x0d\0\0\0\1\0\0\0\xff\xff\xff\xff\0\0\0\0", 16),
         "a message of 4294967295 bytes"},
        {greeting + std::string("\3\0\0\0", 4) + std::string("\x0d\0\0\0\1\0\0\0\4\0\0\0\4\0\0\0abcd", 20),
         "an answer that does not fit"},
    };
    for (const auto& [bytes, expected] : cases) {
        OtherSide side([&bytes = bytes](int descriptor) { say(descriptor, bytes); });
        EXPECT_NE(why(side.start()).find(expected), std::string::npos) << why(side.start());
    }
}

TEST(ServedDevice, bad_connection_that_ends_in_the_middle) {
    const std::string greeting = "\1lanescope device";
    const std::string start = greeting + std::string("\3\0\0\0", 4);
    for (const std::size_t length : {std::size_t{3}, greeting.size(), start.size(), start.size() + 7}) {
        const std::string bytes = (start + std::string(16, '\0')).substr(0, length);
        OtherSide side([&bytes](int descriptor) {
            say(descriptor, bytes);
            shutdown(descriptor, SHUT_RDWR);
        });
        const std::string text = why(side.start());
        EXPECT_TRUE(text.find("ended") != text.npos || text.find("not a device") != text.npos ||
                    text.find("lost") != text.npos)
            << text;
    }
}

// The other side runs its program until it gets a message to stop, and then answers.
void serve_program(int descriptor, const std::string& version) {
    ServedSide side;
    side.in = side.out = descriptor;
    side.program_version = version;
    side.work = [](const ServedWork& work, const std::atomic<bool>& cancel) -> Result<ProcessOutcome> {
        if (work.words.front() == "refuse") return error("it cannot be started");
        while (work.words.front() == "wait" && !cancel)
            std::this_thread::sleep_for(milliseconds(5));
        ProcessOutcome outcome;
        outcome.cancelled = cancel;
        outcome.exit_code = static_cast<int>(work.words.size());
        outcome.out = std::string(100'000, 'x') + work.input;
        outcome.err = std::to_string(work.limit_ms);
        return outcome;
    };
    (void)serve_device(side);
}

Result<std::unique_ptr<ServedProgram>> program_at(int descriptor) {
    return ServedProgram::start(OtherSide::setup_for(descriptor));
}

struct ProgramSide {
    explicit ProgramSide(const std::string& version = "1")
        : thread([this, version] { serve_program(ends.at[1], version); }) {
        fcntl(ends.at[0], F_SETFL, O_NONBLOCK);
    }
    ~ProgramSide() {
        shutdown(ends.at[0], SHUT_RDWR);
        thread.join();
    }
    Ends ends;
    std::thread thread;
};

TEST(ServedProgram, runs_there_and_its_output_comes_back_compressed) {
    ProgramSide side;
    const auto program = program_at(side.ends.at[0]);
    ASSERT_TRUE(program) << to_text(program.diagnostics());
    for (int round = 0; round < 2; ++round) {
        const Result<ProcessOutcome> outcome = (*program)->run({{"__time", "b"}, "input", 1500}, nullptr);
        ASSERT_TRUE(outcome) << to_text(outcome.diagnostics());
        EXPECT_EQ(outcome->exit_code, 2);
        EXPECT_TRUE(outcome->out.ends_with("xinput"));
        EXPECT_EQ(outcome->err, "1500");
    }
    EXPECT_LT((*program)->received_bytes(), 10'000u);
    const Result<ProcessOutcome> refused = (*program)->run({{"refuse"}, "", 1500}, nullptr);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.diagnostics().front().file, "test");
    EXPECT_EQ(refused.diagnostics().front().message, "it cannot be started");
}

TEST(ServedProgram, cancel_ends_the_process_there) {
    ProgramSide side;
    const auto program = program_at(side.ends.at[0]);
    ASSERT_TRUE(program) << to_text(program.diagnostics());
    std::atomic<bool> cancel = false;
    std::thread later([&] {
        std::this_thread::sleep_for(milliseconds(60));
        cancel = true;
    });
    const Result<ProcessOutcome> outcome = (*program)->run({{"wait"}, "", 60'000}, &cancel);
    later.join();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.diagnostics().front().message, "cancelled");
}

TEST(ServedProgram, the_end_of_the_connection_ends_the_process_there) {
    ProgramSide side;
    {
        const auto program = program_at(side.ends.at[0]);
        ASSERT_TRUE(program) << to_text(program.diagnostics());
        std::thread later([&] {
            std::this_thread::sleep_for(milliseconds(60));
            shutdown(side.ends.at[0], SHUT_RDWR);
        });
        const Result<ProcessOutcome> outcome = (*program)->run({{"wait"}, "", 60'000}, nullptr);
        later.join();
        ASSERT_FALSE(outcome);
        EXPECT_NE(to_text(outcome.diagnostics()).find("the connection to the device ended"),
                  std::string::npos);
    }
}  // the destructor of `side` would wait for ever

TEST(ServedProgram, bad_another_version_is_there) {
    ProgramSide side("2");
    const auto program = program_at(side.ends.at[0]);
    ASSERT_FALSE(program);
    EXPECT_NE(to_text(program.diagnostics()).find("Lanescope 2 is there, but Lanescope 1 is here"),
              std::string::npos);
}

// Each connection is served by a thread of its own, which may outlive the one before it.
class SharingSides {
  public:
    ~SharingSides() {
        for (std::thread& each : threads_)
            each.join();
    }
    ServedDevice::Setup setup() {
        ServedDevice::Setup setup = OtherSide::setup_for(-1);
        setup.share_bytes = 1 << 20;
        setup.connect = [this]() -> Result<Wire> {
            const auto ends = std::make_shared<Ends>(), passing = std::make_shared<Ends>();
            fcntl(ends->at[0], F_SETFL, O_NONBLOCK);
            threads_.emplace_back([ends, passing] { serve_and_pass(ends->at[1], passing->at[1]); });
            const std::shared_ptr<void> owner(nullptr, [ends, passing](void*) {
                shutdown(ends->at[0], SHUT_RDWR);
                shutdown(passing->at[0], SHUT_RDWR);
            });
            last_ = ends;
            return Wire{ends->at[0], ends->at[0], passing->at[0], owner, {}};
        };
        return setup;
    }
    std::size_t connections() const { return threads_.size(); }
    void kill() { shutdown(last_->at[0], SHUT_RDWR); }

  private:
    std::vector<std::thread> threads_;
    std::shared_ptr<Ends> last_;
};

TEST(ServedDevice, records_outlive_the_process_that_wrote_them) {
    SharingSides sides;
    const Result<std::unique_ptr<ServedDevice>> started = ServedDevice::start(sides.setup());
    ASSERT_TRUE(started) << why(started);
    ServedDevice& device = **started;
    ASSERT_TRUE(device.keeps_records());
    const std::shared_ptr<const ExportedMemory> shared = device.shared();
    EXPECT_EQ(shared->size_bytes, 1u << 20);
    EXPECT_EQ(device.record_bytes(), shared->size_bytes);
    ASSERT_TRUE(device.load(code));
    const Result<TraceDevice::Address> at = device.records(4096);
    ASSERT_TRUE(at);
    const std::vector<std::byte> written(4096, std::byte{42});
    ASSERT_TRUE(device.write(*at, written));
    std::string console;
    const Result<TraceDevice::Ran> ran = device.launch(request_of("forever"), 0.2, nullptr, console);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->ending, simt::Ending::timeout);
    EXPECT_FALSE(device.allocate(4)) << "its process has ended";
    const Result<TraceDevice::Address> kept = device.kept_records();
    ASSERT_TRUE(kept) << to_text(kept.diagnostics());
    std::vector<std::byte> back(4096);
    ASSERT_TRUE(device.read(*kept, back));
    EXPECT_EQ(back, written);
    EXPECT_EQ(sides.connections(), 2u);
    EXPECT_EQ(device.shared(), shared) << "the same memory";
    EXPECT_TRUE(device.load(code)) << "the new process is the next run's";
    EXPECT_EQ(sides.connections(), 2u);
}

TEST(ServedDevice, a_process_that_ended_between_two_runs_is_replaced) {
    SharingSides sides;
    const Result<std::unique_ptr<ServedDevice>> started = ServedDevice::start(sides.setup());
    ASSERT_TRUE(started) << why(started);
    ASSERT_TRUE((*started)->load(code));
    sides.kill();
    EXPECT_TRUE((*started)->load(code));
    EXPECT_TRUE((*started)->allocate(4));
    EXPECT_EQ(sides.connections(), 2u);
    sides.kill();
    std::string console;
    EXPECT_FALSE((*started)->launch(request_of("forever"), 5, nullptr, console)) << "lost in a launch";
    EXPECT_TRUE((*started)->load(code));
}

using Step = DeviceWork::Step;

Step launch_step(std::uint32_t on, const std::string& kernel, std::uint64_t argument = 0) {
    Step step;
    step.kind = Step::Kind::launch;
    step.code = on;
    step.launch.kernel = step.launch.label = kernel;
    const auto bytes = std::as_bytes(std::span(&argument, 1));
    if (argument != 0) step.launch.arguments.push_back({{bytes.begin(), bytes.end()}, -1, 0});
    return step;
}

// Large transfers go through memory that both sides map, small ones through the connection.
TEST(ServedDevice, runs_unchanged_code) {
    SharingSides sides;
    const Result<std::unique_ptr<ServedDevice>> started = ServedDevice::start(sides.setup());
    ASSERT_TRUE(started) << why(started);
    ServedDevice& device = **started;
    EXPECT_EQ(device.code_target(), MachineDevice().code_target());
    const Result<std::uint32_t> first = device.add_code({code, ""}), second = device.add_code({code, ""});
    ASSERT_TRUE(first && second) << to_text(first.diagnostics());
    const Result<Place> own = device.variable(*first, "counter"), other = device.variable(*second, "counter");
    ASSERT_TRUE(own && other);
    EXPECT_NE(own->address, other->address) << "each has variables of its own";
    EXPECT_EQ(own->size_bytes, 4u);
    EXPECT_FALSE(device.variable(*first, "missing"));
    const std::uint64_t size = chunk_bytes + 100'000;
    const Result<Device::Address> from = device.allocate(size), to = device.allocate(size);
    ASSERT_TRUE(from && to);
    std::vector<std::byte> data(size), back(size);
    for (std::size_t i = 0; i < size; ++i)
        data[i] = static_cast<std::byte>(i * i >> 9);
    ASSERT_TRUE(device.write(*from, data));

    DeviceWork work;
    work.writes.push_back({*from, std::vector<std::byte>(4, std::byte{3})});
    Step copy;
    copy.kind = Step::Kind::copy;
    copy.to = *to;
    copy.from = *from;
    copy.size_bytes = size;
    work.steps = {Step(), copy, launch_step(*first, "twice", *to), launch_step(*second, "twice", *to),
                  Step()};
    const Result<Device::Worked> worked = device.run(work, 60, nullptr);
    ASSERT_TRUE(worked) << to_text(worked.diagnostics());
    EXPECT_EQ(worked->ran.ending, simt::Ending::finished) << worked->ran.message;
    ASSERT_EQ(worked->marks_ms.size(), 2u);
    EXPECT_EQ(worked->marks_ms[0], 0);
    EXPECT_GT(worked->marks_ms[1], 0);
    ASSERT_TRUE(device.read(*to, back));
    EXPECT_EQ(back[0], std::byte{12});
    EXPECT_TRUE(std::equal(back.begin() + 4, back.end(), data.begin() + 4));

    ASSERT_TRUE(device.release(*to));
    EXPECT_FALSE(device.release(*to));
    ASSERT_TRUE(device.remove_code(*second));
    EXPECT_FALSE(device.remove_code(*second));
    work.steps = {launch_step(*second, "twice", *from)};
    EXPECT_FALSE(device.run(work, 60, nullptr)) << "this code is gone";
    EXPECT_FALSE(device.allocate_exported(4096)) << "the CPU machine has no memory for OpenGL";
    EXPECT_EQ(sides.connections(), 1u);
}

TEST(ServedDevice, what_unchanged_code_breaks_is_its_process_alone) {
    SharingSides sides;
    const Result<std::unique_ptr<ServedDevice>> started = ServedDevice::start(sides.setup());
    ASSERT_TRUE(started) << why(started);
    ServedDevice& device = **started;
    std::size_t lives = 0;
    const auto run = [&](const char* kernel, double seconds, const std::atomic<bool>* cancel = nullptr) {
        EXPECT_TRUE(device.open(nullptr));
        EXPECT_EQ(device.life(), ++lives);
        const Result<std::uint32_t> added = device.add_code({code, ""});
        EXPECT_TRUE(added);
        DeviceWork work;
        work.steps.push_back(launch_step(added ? *added : 0, kernel));
        return device.run(work, seconds, cancel);
    };
    const Result<Device::Worked> broken = run("broken", 60);
    ASSERT_TRUE(broken) << to_text(broken.diagnostics());
    EXPECT_EQ(broken->ran.ending, simt::Ending::faulted);
    EXPECT_EQ(broken->ran.fault, trace::ProblemKind::out_of_bounds);
    EXPECT_EQ(device.life(), 0u);
    EXPECT_FALSE(device.allocate(4));
    const Result<Device::Worked> endless = run("forever", 0.2);
    ASSERT_TRUE(endless);
    EXPECT_EQ(endless->ran.ending, simt::Ending::timeout);
    std::atomic<bool> cancel = false;
    std::thread later([&] {
        std::this_thread::sleep_for(milliseconds(100));
        cancel = true;
    });
    const Result<Device::Worked> cancelled = run("forever", 60, &cancel);
    later.join();
    ASSERT_TRUE(cancelled);
    EXPECT_EQ(cancelled->ran.ending, simt::Ending::cancelled);
    std::thread killer([&] {
        std::this_thread::sleep_for(milliseconds(100));
        sides.kill();
    });
    const Result<Device::Worked> killed = run("forever", 60);
    killer.join();
    ASSERT_FALSE(killed);
    EXPECT_NE(to_text(killed.diagnostics()).find("ended"), std::string::npos);
    EXPECT_EQ(device.life(), 0u);
    EXPECT_TRUE(device.open(nullptr));
    sides.kill();
    EXPECT_TRUE(device.open(nullptr)) << "one that ended by itself is replaced";
    EXPECT_EQ(device.life(), lives + 2);
}

TEST(ServedDevice, a_login_that_takes_long_can_be_cancelled) {
    OtherSide side([](int descriptor) {
        char byte = 0;
        (void)!read(descriptor, &byte, 1);
    });
    ServedDevice::Setup setup = side.setup();
    setup.limits.begin = milliseconds(20'000);
    const std::unique_ptr<ServedDevice> device = ServedDevice::make(std::move(setup));
    std::atomic<bool> cancel = true;
    const Result<void> opened = device->open(&cancel);
    ASSERT_FALSE(opened);
    EXPECT_NE(to_text(opened.diagnostics()).find("cancelled"), std::string::npos);
}

// Random bytes, and real messages with changed bytes, reach both the reader and the server.
TEST(Frames, bad_random_bytes_are_errors) {
    std::minstd_rand random(7);
    for (int round = 0; round < 300; ++round) {
        Ends ends;
        FrameStream writer(ends.at[0], ends.at[0], "writer");
        const auto no_tick = [] { return Result<void>(); };
        for (std::uint32_t i = 0; i < 3; ++i)
            ASSERT_TRUE(writer.write({static_cast<Call>(random() % static_cast<unsigned>(Call::count)), i,
                                      std::string(random() % 2000, 'a')},
                                     Packing::compressed, no_tick));
        std::array<char, 8192> bytes{};
        const ssize_t count = read(ends.at[1], bytes.data(), bytes.size());
        ASSERT_GT(count, 0);
        for (int i = 0; i < 4; ++i)
            bytes[random() % static_cast<unsigned>(count)] = static_cast<char>(random());
        Ends damaged;
        say(damaged.at[0], {bytes.data(), static_cast<std::size_t>(count)});
        shutdown(damaged.at[0], SHUT_WR);
        if (round % 2 == 0) {
            serve_machine(damaged.at[1]);
            continue;
        }
        FrameStream reader(damaged.at[1], damaged.at[1], "reader");
        for (;;) {
            const Result<std::optional<Frame>> frame = reader.read(no_tick);
            if (!frame || !*frame) break;
            EXPECT_LE((*frame)->payload.size(), max_payload_bytes);
        }
    }
}

}  // namespace served_test
}  // namespace lanescope::gpu
