#include "simt/decode/load.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "ptx/parser.h"
#include "simt/decode/describe.h"
#include "simt/inspect/independence.h"
#include "simt/inspect/local_objects.h"
#include "simt/inspect/names.h"
#include "simt/program/layout.h"
#include "simt/state/watch_uninit.h"

namespace lanescope::simt {

namespace {

constexpr std::uint64_t max_frame_bytes = 64ull << 20;

// Returns the number of the file whose rows are steps: the named file, or the only file.
std::uint32_t user_file_number(const ptx::Module& module, const std::string& user_file) {
    for (const ptx::SourceFile& file : module.files)
        if (file.path == user_file) return file.number;
    return module.files.size() == 1 ? module.files[0].number : ~0u;
}

// ".maxntid 256, 1, 1" as dimensions; zeros when the directive is not there.
trace::Dim3 directive_dims(const ptx::Function& function, std::string_view name) {
    for (const std::string& directive : function.directives) {
        if (!directive.starts_with(name)) continue;
        trace::Dim3 dims{1, 1, 1};
        std::uint32_t* const parts[3] = {&dims.x, &dims.y, &dims.z};
        std::size_t part = 0;
        for (std::size_t at = name.size(); at < directive.size() && part < 3;) {
            const auto [end, failed] =
                std::from_chars(directive.data() + at, directive.data() + directive.size(), *parts[part]);
            if (failed == std::errc{}) {
                ++part;
                at = static_cast<std::size_t>(end - directive.data());
            } else {
                ++at;
            }
        }
        return dims;
    }
    return {0, 0, 0};
}

class Loader {
  public:
    Loader(const ptx::Module& module, const ptx::DebugInfo& debug, const Placement& placement)
        : module_(module), debug_(debug), placement_(placement), program_(std::make_shared<Program>()) {}

    Result<std::shared_ptr<const Program>> run(const std::string& ptx_text, const std::string& user_file,
                                               const std::string& source_text) {
        describe_program(ptx_text, user_file, source_text);
        auto layout = lay_out_module(module_, debug_, placement_, *program_);
        if (!layout.ok()) return layout.diagnostics();
        layout_ = std::move(*layout);
        decode_functions(user_file_number(module_, user_file));
        for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
            if (module_.functions[i].kind == ptx::Function::Kind::entry && module_.functions[i].has_body)
                add_kernel(i);
        for (Kernel& kernel : program_->kernels) {
            kernel.info.unsupported = unsupported(kernel, user_file);
            kernel.required_cluster =
                directive_dims(module_.functions[kernel.function], ".reqnctapercluster");
        }
        program_->bindings.resize(program_->code.size() +
                                  1);  // a range may begin behind the last instruction
        program_->writes.resize(program_->code.size() + 1);
        for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
            if (module_.functions[i].has_body) describe_variables(module_, debug_, i, code_[i], *program_);
        for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
            watch_local_objects(i);
        watch_uninit(find_uninit(module_, debug_), *program_);
        program_->constants = pool_.take();
        return std::shared_ptr<const Program>(program_);
    }

  private:
    void describe_program(const std::string& ptx_text, const std::string& user_file,
                          const std::string& source_text) {
        trace::Program& description = program_->description;
        description.source = {user_file, source_text};
        description.ptx = ptx_text;
        description.engine = "cpu";
        description.code = module_.target.find("debug") != std::string::npos ? "debug" : "optimized";
        description.types = debug_.types;
    }

    void decode_functions(std::uint32_t user_file) {
        code_.resize(module_.functions.size());
        for (std::uint32_t i = 0; i < module_.functions.size(); ++i) {
            const ptx::Function& function = module_.functions[i];
            DecodedFunction decoded;
            decoded.symbol = function.name;
            decoded.name = plain_name(function.name);
            decoded.entry = function.kind == ptx::Function::Kind::entry;
            decoded.builtin = builtin_of(function);
            decoded.first_pc = decoded.end_pc = static_cast<std::uint32_t>(program_->code.size());
            const ptx::DebugFunction* debug = debug_.find_function(i);
            using Calls = std::span<const ptx::InlinedCall>;
            const ptx::StepTable steps =
                ptx::build_step_table(function, user_file, debug ? Calls(debug->calls) : Calls());
            if (function.has_body) {
                code_[i] = decode_function({module_, debug_, layout_, *program_, pool_}, function, steps,
                                           decoded.first_pc);
                append_code(i, steps, user_file);
                decoded.end_pc = static_cast<std::uint32_t>(program_->code.size());
                decoded.has_steps = std::any_of(steps.rows.begin(), steps.rows.end(),
                                                [](const ptx::StepRow& row) { return row.line != 0; });
                decoded.frame_bytes = static_cast<std::uint32_t>(code_[i].frame_bytes);
                decoded.local_bytes =
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(code_[i].local_bytes, ~0u));
                decoded.local_offsets = code_[i].local_offsets;
                decoded.zeroed = code_[i].zeroed;
                decoded.parameters = code_[i].parameters;
                decoded.results = code_[i].results;
                decoded.copied = code_[i].copied;
                if (code_[i].frame_bytes > max_frame_bytes)
                    code_[i].problems.push_back({0, "the function has too many registers"});
            }
            describe_function(i, decoded);
            program_->functions.push_back(std::move(decoded));
        }
    }

    // Whether the instruction's own .loc names another file than the user's.
    static bool from_library(const ptx::Function& function, const ptx::Instruction& instruction,
                             std::uint32_t user_file) {
        return instruction.row < function.rows.size() && function.rows[instruction.row].file != user_file;
    }

    void append_places(const FunctionCode& code) {
        const auto first_loop = static_cast<std::uint32_t>(program_->loops.size());
        const auto number = [first_loop](std::uint32_t loop) {
            return loop == ptx::no_index ? trace::none : first_loop + loop;
        };
        for (const std::uint32_t parent : code.loops)
            program_->loops.push_back(number(parent));
        for (const CodePlace& at : code.places)
            program_->places.push_back({at.place, number(at.loop), number(at.header_of)});
    }

    void append_code(std::uint32_t index, const ptx::StepTable& steps, std::uint32_t user_file) {
        const ptx::Function& function = module_.functions[index];
        const FunctionCode& code = code_[index];
        program_->code.insert(program_->code.end(), code.plain.begin(), code.plain.end());
        program_->traced_code.insert(program_->traced_code.end(), code.traced.begin(), code.traced.end());
        append_places(code);
        for (std::size_t i = 0; i < code.plain.size(); ++i) {
            const bool real = i < function.instructions.size();  // a ret may have been appended
            trace::CodeRow row;
            row.function = index;
            row.line = real ? steps.rows[i].line : 0;
            row.column = real ? steps.rows[i].column : 0;
            row.ptx_line = real ? function.instructions[i].text_line : 0;
            program_->description.code_rows.push_back(row);
            program_->library.push_back(real && from_library(function, function.instructions[i], user_file));
            program_->ops.push_back(real ? function.instructions[i].op : ptx::Op::ret);
        }
        const auto first_pc = static_cast<std::uint32_t>(program_->code.size() - code.plain.size());
        for (const DecodeProblem& problem : code.problems)
            program_->texts[first_pc + problem.instruction] =
                ptx::print(function, function.instructions[problem.instruction]);
    }

    void describe_function(std::uint32_t index, const DecodedFunction& decoded) {
        trace::Function made;
        made.name = decoded.name;
        made.symbol = decoded.symbol;
        made.first_pc = decoded.first_pc;
        made.end_pc = decoded.end_pc;
        made.local_bytes = decoded.local_bytes;
        made.user_code = decoded.has_steps;
        if (const ptx::DebugFunction* known = debug_.find_function(index)) {
            if (!known->name.empty()) made.name = known->name;
            made.line = known->line;
            made.user_code = known->user_code;
        }
        program_->description.functions.push_back(std::move(made));
    }

    // Only debug code keeps each variable at a place of its own.
    void watch_local_objects(std::uint32_t index) {
        constexpr std::size_t most = 0xffff;
        const trace::Program& description = program_->description;
        if (description.code != "debug") return;
        std::vector<LocalObject> objects;
        for (const trace::Variable& variable : description.functions[index].variables)
            if (variable.home == trace::Variable::Home::local)
                objects.push_back(
                    {variable.offset, variable.offset + description.types[variable.type].size_bytes});
        const std::size_t before = program_->local_objects.size();
        if (objects.empty() || before + objects.size() > most) return;
        const std::vector<std::uint16_t> found =
            find_local_objects(module_.functions[index], code_[index].local_offsets, objects);
        program_->local_objects.insert(program_->local_objects.end(), objects.begin(), objects.end());
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i] == 0) continue;
            const std::size_t pc = program_->functions[index].first_pc + i;
            program_->code[pc].object = program_->traced_code[pc].object =
                static_cast<std::uint16_t>(before + found[i]);
        }
    }

    // Functions that a kernel can reach; an indirect call can reach every function whose address is taken.
    std::set<std::uint32_t> reachable(std::uint32_t kernel) const {
        std::set<std::uint32_t> seen{kernel};
        std::vector<std::uint32_t> todo{kernel};
        auto visit = [&](std::uint32_t callee) {
            // A kernel is launched, not called: it has its own shared memory.
            if (module_.functions[callee].kind == ptx::Function::Kind::entry) return;
            if (seen.insert(callee).second) todo.push_back(callee);
        };
        while (!todo.empty()) {
            const FunctionCode& code = code_[todo.back()];
            todo.pop_back();
            for (const std::uint32_t callee : code.callees)
                visit(callee);
            if (code.calls_indirectly)
                for (const std::uint32_t callee : addressed())
                    visit(callee);
        }
        return seen;
    }

    std::set<std::uint32_t> addressed() const {
        std::set<std::uint32_t> found;
        for (const ptx::Variable& variable : module_.variables)
            for (const ptx::Initialiser& initial : variable.initial)
                for (std::uint32_t i = 0; i < module_.functions.size() && !initial.symbol.empty(); ++i)
                    if (module_.functions[i].name == initial.symbol && module_.functions[i].has_body)
                        found.insert(i);
        for (const FunctionCode& code : code_)
            found.insert(code.callees.begin(), code.callees.end());
        return found;
    }

    void add_kernel(std::uint32_t index) {
        const ptx::Function& function = module_.functions[index];
        Kernel kernel;
        kernel.function = index;
        kernel.info.symbol = function.name;
        kernel.info.name = program_->functions[index].name;
        kernel.info.parameters = function.parameters;
        kernel.parameter_offsets = code_[index].entry_offsets;
        kernel.parameter_bytes = code_[index].entry_bytes;
        kernel.max_threads = directive_dims(function, ".maxntid");
        kernel.required_threads = directive_dims(function, ".reqntid");
        place_shared(index, kernel);
        kernel.blocks_apart = keeps_all_blocks_apart(index);
        program_->kernels.push_back(std::move(kernel));
    }

    bool keeps_all_blocks_apart(std::uint32_t kernel) const {
        const std::set<std::uint32_t> functions = reachable(kernel);
        return std::all_of(functions.begin(), functions.end(), [this](std::uint32_t index) {
            const ptx::Function& function = module_.functions[index];
            return function.has_body ? keeps_blocks_apart(function)
                                     : program_->functions[index].builtin == Builtin::assertion;
        });
    }

    // Static symbols in the order of their first use, dynamic ones together behind them.
    void place_shared(std::uint32_t index, Kernel& kernel) {
        std::set<std::uint32_t> used;
        for (const std::uint32_t function : reachable(index)) {
            used.insert(code_[function].shared.begin(), code_[function].shared.end());
            kernel.reads_workspace = kernel.reads_workspace || code_[function].reads_workspace;
        }
        std::uint64_t at = 0;
        std::uint32_t dynamic_alignment = 16;
        for (const std::uint32_t symbol : used) {
            const SharedSymbol& shared = program_->shared[symbol];
            if (shared.dynamic) {
                dynamic_alignment = std::max(dynamic_alignment, shared.alignment);
                continue;
            }
            at = (at + shared.alignment - 1) / shared.alignment * shared.alignment;
            kernel.shared.push_back({symbol, static_cast<std::uint32_t>(std::min<std::uint64_t>(at, ~0u))});
            at = std::min<std::uint64_t>(at + shared.size_bytes, 1ull << 31);
        }
        kernel.info.static_shared_bytes = static_cast<std::uint32_t>(at);
        kernel.dynamic_offset = align_up(at, dynamic_alignment);
        for (const std::uint32_t symbol : used)
            if (program_->shared[symbol].dynamic) kernel.shared.push_back({symbol, kernel.dynamic_offset});
    }

    // A refused call may have no call site.
    bool calls(std::uint32_t pc, std::uint32_t callee) const {
        const std::uint32_t site = program_->code[pc].target;
        return site < program_->calls.size() && program_->calls[site].callee == callee;
    }

    // The user's line of an instruction: its own, or that of a call through which its function is reached.
    trace::CodeRow user_row(std::uint32_t pc) const {
        const auto& rows = program_->description.code_rows;
        std::set<std::uint32_t> seen;
        std::vector<std::uint32_t> todo{pc};
        for (std::size_t i = 0; i < todo.size(); ++i) {
            if (rows[todo[i]].line != 0) return rows[todo[i]];
            const std::uint32_t callee = rows[todo[i]].function;
            if (!seen.insert(callee).second) continue;
            for (std::uint32_t at = 0; at < program_->code.size(); ++at)
                if (program_->ops[at] == ptx::Op::call && calls(at, callee)) todo.push_back(at);
        }
        return rows[pc];
    }

    Diagnostics unsupported(const Kernel& kernel, const std::string& user_file) const {
        Diagnostics problems;
        for (const std::uint32_t index : reachable(kernel.function)) {
            const ptx::Function& function = module_.functions[index];
            for (const DecodeProblem& problem : code_[index].problems) {
                const std::uint32_t pc = program_->functions[index].first_pc + problem.instruction;
                const trace::CodeRow row = user_row(pc);
                std::string text = ptx::print(function, function.instructions[problem.instruction]);
                problems.push_back(error_at(user_file, static_cast<int>(row.line),
                                            static_cast<int>(row.column),
                                            "the CPU engine does not support `" + text + "` (PTX line " +
                                                std::to_string(program_->description.code_rows[pc].ptx_line) +
                                                "): " + problem.message));
            }
        }
        return problems;
    }

    const ptx::Module& module_;
    const ptx::DebugInfo& debug_;
    const Placement placement_;
    std::shared_ptr<Program> program_;
    ModuleLayout layout_;
    ConstantPool pool_;
    std::vector<FunctionCode> code_;
};

}  // namespace

Result<std::shared_ptr<const Program>> load(const ptx::Module& module, const ptx::DebugInfo& debug,
                                            const std::string& ptx_text, const std::string& user_file,
                                            const std::string& source_text, const Placement& placement) {
    return Loader(module, debug, placement).run(ptx_text, user_file, source_text);
}

}  // namespace lanescope::simt
