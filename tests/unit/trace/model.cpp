#include "model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lanescope::trace {
namespace {

constexpr std::size_t global_bytes = 9000, constant_bytes = 300;
constexpr std::uint32_t pcs_per_function = 100;

ModelMemory random_memory(std::size_t size, std::mt19937_64& random) {
    ModelMemory memory(size);
    for (std::size_t i = 0; i < size; ++i) {
        memory.set[i] = random() % 3 != 0;
        if (memory.set[i]) memory.bytes[i] = static_cast<std::byte>(random());
    }
    return memory;
}

// Gives the memory to the recorder as an engine does: bytes without a value have random contents.
void give_image(Recorder& recorder, Space space, ModelMemory memory, std::mt19937_64& random) {
    std::vector<std::uint64_t> set((memory.bytes.size() + 63) / 64);
    for (std::size_t i = 0; i < memory.bytes.size(); ++i) {
        if (memory.set[i])
            set[i / 64] |= std::uint64_t{1} << i % 64;
        else
            memory.bytes[i] = static_cast<std::byte>(random());
    }
    recorder.set_image(space, memory.bytes, set);
}

void write(ModelMemory& memory, std::uint64_t offset, const std::byte* bytes, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
        memory.bytes[offset + i] = bytes[i];
        memory.set[offset + i] = true;
    }
}

std::uint16_t newly_set(const ModelMemory& memory, std::uint64_t offset, unsigned width) {
    unsigned bits = 0;
    for (unsigned i = 0; i < width; ++i)
        if (!memory.set[offset + i]) bits |= 1u << i;
    return static_cast<std::uint16_t>(bits);
}

}  // namespace

Program model_program() {
    Program program;
    program.source = {"model.cu", "one\ntwo\n"};
    program.ptx = "// model";
    program.engine = "model";
    program.code = "debug";
    for (std::uint32_t i = 0; i < 4; ++i) {
        Function function;
        function.name = "f" + std::to_string(i);
        function.symbol = "_Z" + function.name;
        function.first_pc = i * pcs_per_function;
        function.end_pc = function.first_pc + pcs_per_function;
        function.slots = i == 3 ? 0 : 3 + i;
        function.local_bytes = 32 * (i % 3);
        program.functions.push_back(function);
        for (std::uint32_t pc = function.first_pc; pc < function.end_pc; ++pc)
            program.code_rows.push_back({i, pc % 7, 0, pc + 1});
    }
    return program;
}

ModelRun::ModelRun(ModelOptions options)
    : options_(options),
      random_(options.seed),
      recorder_({options.trace_bytes, options.snapshot_interval_bytes}) {
    recorder_.set_program(model_program());
    now_.global = random_memory(global_bytes, random_);
    now_.constant = random_memory(constant_bytes, random_);
    give_image(recorder_, Space::global, now_.global, random_);
    give_image(recorder_, Space::constant, now_.constant, random_);
    host_write();
    states.push_back(now_);
    for (std::uint32_t i = 0; i < options_.launches; ++i)
        run_launch(i);
    if (pick(2) == 0) host_write();
    if (!recorder_.full()) states.back().global = now_.global;
    trace = recorder_.finish();
}

void ModelRun::run_launch(std::uint32_t number) {
    launch_ = {};
    launch_.kernel = "k";
    launch_.grid = {2, 2, 1};
    launch_.block = {threads_per_block, 1, 1};
    launch_.shared_bytes = shared_bytes;
    launch_.cluster = number % 2 == 0 ? Dim3{2, 1, 1} : Dim3{1, 2, 1};
    if (number % 2 == 1) launch_.recorded_blocks = {3, 1};
    recorder_.begin_launch(launch_);
    if (number % 2 == 1) {
        foreign_store();  // becomes visible after the turn before, with the writes of the host
        if (!recorder_.full()) states.back().global = now_.global;
    }
    now_.launch = number;
    now_.shared.assign(4, ModelMemory(shared_bytes));
    now_.threads.assign(4 * threads_per_block, {{}, ModelMemory(local_bytes)});
    for (unsigned i = 0; i < options_.turns_per_launch && !recorder_.full(); ++i)
        run_turn();
    recorder_.end_launch();
    for (unsigned i = pick(3); i > 0; --i)
        host_write();
}

void ModelRun::run_turn() {
    do
        block_ = pick(4);
    while (!recorder_.records(block_));
    warp_ = pick(2);
    const Mask threads = warp_ == 0 ? ~Mask{0} : 0xffu;  // a block has 40 threads
    mask_ = pick(3) == 0 ? threads : static_cast<Mask>(random_()) & threads;
    if (mask_ == 0) mask_ = 1;
    pc_ = pick(pcs_per_function / 2);
    const std::uint64_t before = recorder_.turn_count();
    recorder_.begin_turn(block_, static_cast<std::uint16_t>(warp_), mask_, pc_, pc_ % 5, 0);
    if (recorder_.turn_count() == before) return;  // the recorder is full
    turns.emplace_back();
    ordinal_ = 0;
    for (Mask rest = mask_; rest != 0; rest &= rest - 1) {
        ModelThread& of = thread(static_cast<unsigned>(std::countr_zero(rest)));
        if (of.frames.empty()) of.frames.push_back({0, 0, std::vector<std::optional<std::uint64_t>>(3)});
    }
    for (unsigned i = pick(7); i > 0; --i) {
        ordinal_ = static_cast<std::uint16_t>(ordinal_ + pick(3));
        pc_ = pick(4) == 0 ? pick(400) : pc_ + 1;
        switch (pick(8)) {
            case 0:
                push();
                break;
            case 1:
                pop();
                break;
            case 2:
            case 3:
                variable();
                break;
            default:
                access();
                break;
        }
    }
    if (pick(3) == 0) {
        const Mask taken = static_cast<Mask>(random_()) & mask_;
        recorder_.branch(pc_, ordinal_, mask_, taken);
        turns.back().branches.push_back({pc_, ordinal_, mask_, taken});
        recorder_.jump(7, ordinal_);
        turns.back().jumps.push_back({7, ordinal_});
    }
    if (pick(4) == 0) {
        Exchange exchange{pc_, ordinal_, mask_, {}};
        for (Mask rest = mask_; rest != 0; rest &= rest - 1)
            exchange.source[static_cast<unsigned>(std::countr_zero(rest))] =
                static_cast<std::uint8_t>(pick(32));
        recorder_.exchange(pc_, ordinal_, mask_, exchange.source.data());
        turns.back().exchanges.push_back(exchange);
    }
    if (pick(4) == 0) {
        const Sync sync{static_cast<SyncKind>(pick(4)), pc_, ordinal_, static_cast<Mask>(random_()) | 1,
                        pick(300)};
        recorder_.sync(sync.kind, sync.pc, sync.ordinal, sync.mask, sync.detail);
        turns.back().syncs.push_back(sync);
    }
    recorder_.end_turn(TurnEnd::step, static_cast<std::uint16_t>(ordinal_ + 1));
    if (!launch_.recorded_blocks.empty() && pick(4) == 0) foreign_store();
    states.push_back(now_);
}

ModelThread& ModelRun::thread(unsigned lane) {
    return now_.threads[block_ * threads_per_block + warp_ * warp_size + lane];
}

ModelMemory& ModelRun::memory(Space space, unsigned lane) {
    switch (space) {
        case Space::global:
            return now_.global;
        case Space::constant:
            return now_.constant;
        case Space::shared:
            return now_.shared[owner_ == none ? block_ : owner_];
        case Space::local:
            return thread(lane).local;
    }
    return now_.global;
}

void ModelRun::choose_offsets(Space space, unsigned width, std::uint64_t size, std::uint64_t* offsets) {
    const std::uint64_t room = size - width;
    const unsigned pattern = pick(5);
    const std::uint64_t start = random_() % (room + 1);
    const std::uint64_t stride = pattern == 0 ? width : pattern == 1 ? 0 : pick(12);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        offsets[lane] = start + lane * stride;
        if (pattern == 3) offsets[lane] = random_() % (room + 1);
        if (pattern == 4) offsets[lane] = start + pick(4) * width;
        if (offsets[lane] > room) offsets[lane] = room - offsets[lane] % 7;
    }
    if (space == Space::local && pattern != 3) std::fill_n(offsets, warp_size, start);
}

void ModelRun::access() {
    constexpr std::array<unsigned, 8> widths = {1, 2, 4, 4, 8, 16, 3, 12};
    Access made;
    made.space = static_cast<Space>(pick(4));
    owner_ = none;
    if (made.space == Space::shared && pick(2) == 0)
        owner_ = launch_.cluster.x == 2 ? block_ ^ 1 : block_ ^ 2;  // the other block of the cluster
    made.owner = owner_;
    made.kind = made.space == Space::constant ? AccessKind::load : static_cast<AccessKind>(pick(3));
    made.width_bytes = static_cast<std::uint8_t>(widths[pick(widths.size())]);
    made.ordinal = ordinal_;
    made.pc = pc_;
    made.line = pc_ % 7 != 0 && pc_ < 400 ? (pc_ % pcs_per_function + pc_ / 100 * 100) % 7 : 0;
    made.mask = pick(2) == 0 ? mask_ : mask_ & static_cast<Mask>(random_());
    const unsigned width = made.width_bytes;
    const std::uint64_t size = memory(made.space, 0).bytes.size();
    choose_offsets(made.space, width, size, made.offset.data());
    std::vector<std::byte> before(warp_size * width), after(warp_size * width);
    std::vector<std::uint16_t> newly(warp_size);
    const bool one_by_one =
        made.kind == AccessKind::atomic || pick(2) == 0;  // otherwise all lanes read, then all write
    for (const bool looking : {true, false}) {
        for (Mask rest = made.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            ModelMemory& of = memory(made.space, lane);
            const std::byte* at = of.bytes.data() + made.offset[lane];
            if (looking != one_by_one) {
                newly[lane] = newly_set(of, made.offset[lane], width);
                std::memcpy(&before[lane * width], at, width);
                for (unsigned i = 0; i < width; ++i)  // an unset byte has random contents
                    if ((newly[lane] >> i & 1) != 0)
                        before[lane * width + i] = static_cast<std::byte>(random_());
            }
            if (looking) continue;
            std::memcpy(made.before[lane].data(), at, width);
            if (made.kind != AccessKind::load) {
                for (unsigned i = 0; i < width; ++i)
                    after[lane * width + i] = static_cast<std::byte>(pick(3) == 0 ? random_() : i);
                write(of, made.offset[lane], &after[lane * width], width);
            }
            std::memcpy(made.value[lane].data(), at, width);
        }
    }
    const bool changes = made.kind != AccessKind::load;
    const bool any = std::any_of(newly.begin(), newly.end(), [](std::uint16_t bits) { return bits != 0; });
    recorder_.access(made.kind, made.space, made.pc, made.ordinal, width, made.mask, made.offset.data(),
                     changes ? before.data() : nullptr, changes ? after.data() : nullptr,
                     changes && any ? newly.data() : nullptr, made.owner);
    if (made.mask != 0) turns.back().accesses.push_back(made);
}

void ModelRun::variable() {
    const std::uint32_t slot = pick(3);
    std::array<std::uint64_t, warp_size> before{}, after{};
    Mask mask = 0, fresh = 0;
    const unsigned pattern = pick(4);
    const std::uint64_t base = random_();
    const Mask wanted = pick(2) == 0 ? mask_ : mask_ & static_cast<Mask>(random_());
    for (Mask rest = wanted; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        ModelFrame& frame = thread(lane).frames.back();
        if (slot >= frame.slots.size()) continue;
        auto& value = frame.slots[slot];
        mask |= Mask{1} << lane;
        if (!value) fresh |= Mask{1} << lane;
        before[lane] = value.value_or(0);
        after[lane] = pattern == 0   ? before[lane] + 5
                      : pattern == 1 ? base + lane * 4
                      : pattern == 2 ? pick(900)
                                     : random_();
        value = after[lane];
    }
    recorder_.variable(slot, mask, before.data(), after.data(), fresh);
}

void ModelRun::push() {
    const std::uint32_t function = 1 + pick(3);
    const Mask wanted = pick(2) == 0 ? mask_ : mask_ & static_cast<Mask>(random_());
    const Program program = model_program();
    Mask mask = 0;
    for (Mask rest = wanted; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        ModelThread& of = thread(lane);
        const ModelFrame& caller = of.frames.back();
        const std::uint32_t base = caller.local_base + program.functions[caller.function].local_bytes;
        if (base + program.functions[function].local_bytes > local_bytes) continue;
        mask |= Mask{1} << lane;
        of.frames.push_back({function, base, {}});
        of.frames.back().slots.resize(program.functions[function].slots);
        for (std::uint32_t i = 0; i < program.functions[function].local_bytes; ++i) {
            of.local.bytes[base + i] = std::byte{0};
            of.local.set[base + i] = false;
        }
    }
    recorder_.push_frame(mask, function);
}

void ModelRun::pop() {
    const Mask wanted = pick(2) == 0 ? mask_ : mask_ & static_cast<Mask>(random_());
    const Program program = model_program();
    Mask mask = 0;
    for (Mask rest = wanted; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        ModelThread& of = thread(lane);
        if (of.frames.size() < 2) continue;
        mask |= Mask{1} << lane;
        const ModelFrame gone = of.frames.back();
        of.frames.pop_back();
        for (std::uint32_t i = 0; i < program.functions[gone.function].local_bytes; ++i) {
            of.local.bytes[gone.local_base + i] = std::byte{0};
            of.local.set[gone.local_base + i] = false;
        }
    }
    recorder_.pop_frame(mask);
}

void ModelRun::foreign_store() {
    const unsigned width = 1 + pick(16);
    const std::uint64_t offset = random_() % (global_bytes - width);
    std::vector<std::byte> before(width), after(width);
    for (unsigned i = 0; i < width; ++i) {
        before[i] = now_.global.bytes[offset + i];
        after[i] = static_cast<std::byte>(random_());
    }
    recorder_.foreign_store(Space::global, offset, before, after, newly_set(now_.global, offset, width));
    write(now_.global, offset, after.data(), width);
}

void ModelRun::host_write() {
    const std::uint64_t size = 1 + random_() % 6000, offset = random_() % (global_bytes - size);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes)
        byte = static_cast<std::byte>(random_());
    recorder_.host_write(Space::global, offset, bytes);
    for (std::size_t i = 0; i < size; ++i)
        write(now_.global, offset + i, &bytes[i], 1);
}

namespace {

std::string compare(const Replay& replay, Space space, std::uint32_t launch, std::uint64_t instance,
                    const ModelMemory& memory) {
    std::vector<std::byte> bytes(memory.bytes.size());
    const auto set = std::make_unique<bool[]>(bytes.size());
    replay.read(space, launch, instance, 0, bytes, std::span(set.get(), bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (set[i] == memory.set[i] && (bytes[i] == memory.bytes[i])) continue;
        return "space " + std::to_string(static_cast<int>(space)) + " instance " + std::to_string(instance) +
               " byte " + std::to_string(i) + (set[i] != memory.set[i] ? " set" : " value");
    }
    return {};
}

std::string compare_thread(const Replay& replay, std::uint32_t launch, std::uint32_t block,
                           std::uint32_t number, const ModelThread& thread) {
    const std::string who = "block " + std::to_string(block) + " thread " + std::to_string(number);
    const auto frames = replay.frames(launch, block, number);
    if (frames.size() != thread.frames.size()) return who + " depth";
    for (std::uint32_t depth = 0; depth < frames.size(); ++depth) {
        const ModelFrame& frame = thread.frames[depth];
        if (frames[depth] != frame.function) return who + " function";
        for (std::uint32_t slot = 0; slot < frame.slots.size(); ++slot) {
            const Replay::Value value = replay.slot(launch, block, number, depth, slot);
            if (value.set != frame.slots[slot].has_value()) return who + " slot set";
            if (value.set && value.bits != *frame.slots[slot]) return who + " slot value";
        }
    }
    return compare(replay, Space::local, launch, block * ModelRun::threads_per_block + number, thread.local);
}

}  // namespace

std::string difference(const Replay& replay, const Model& model) {
    std::string found = compare(replay, Space::global, 0, 0, model.global);
    if (found.empty()) found = compare(replay, Space::constant, 0, 0, model.constant);
    for (std::uint32_t block = 0; block < model.shared.size() && found.empty(); ++block)
        found = compare(replay, Space::shared, model.launch, block, model.shared[block]);
    for (std::uint32_t i = 0; i < model.threads.size() && found.empty(); ++i)
        found = compare_thread(replay, model.launch, i / ModelRun::threads_per_block,
                               i % ModelRun::threads_per_block, model.threads[i]);
    return found;
}

}  // namespace lanescope::trace
