// The debugger's side of one session: answers requests of the Debug Adapter Protocol, and tells events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "dap/services.h"
#include "dap/stack.h"
#include "dap/stops.h"
#include "dap/values.h"
#include "dap/wire.h"
#include "scene/inspector/console_lines.h"
#include "session/playhead/call_steps.h"

namespace lanescope::dap {

class Adapter {
  public:
    using Send = std::function<void(Json)>;  // numbers the message and writes it
    Adapter(Services services, std::shared_ptr<const lesson::Registry> registry, Send send);
    ~Adapter();

    void take(const Json& message);
    void tell_error(const Diagnostic& problem);  // that belongs to no request
    // Goes on with runs and searches. Returns for how long there is nothing to do, in ms; negative: until a
    // message arrives.
    int advance();
    bool over() const { return over_; }  // the client has disconnected

  private:
    enum class State : std::uint8_t { fresh, running, ready, stopped, travelling, ended };
    enum class Needs : std::uint8_t {
        nothing,
        run,
        stop
    };  // of a request: that there is a run; that it stands
    struct Request {
        const char* command;
        Result<Json> (Adapter::*answer)(const Json& arguments);
        Needs needs;
    };
    static const std::vector<Request>& requests();

    // --- Requests
    Result<Json> initialize(const Json& arguments);
    Result<Json> launch(const Json& arguments);
    Result<Json> attach(const Json& arguments);
    Result<Json> restart(const Json& arguments);
    Result<Json> configuration_done(const Json& arguments);
    Result<Json> disconnect(const Json& arguments);
    Result<Json> terminate(const Json& arguments);
    Result<Json> cancel(const Json& arguments);
    Result<Json> set_breakpoints(const Json& arguments);
    Result<Json> set_function_breakpoints(const Json& arguments);
    Result<Json> set_data_breakpoints(const Json& arguments);
    Result<Json> data_breakpoint_info(const Json& arguments);
    Result<Json> set_exception_breakpoints(const Json& arguments);
    Result<Json> breakpoint_locations(const Json& arguments);
    Result<Json> exception_info(const Json& arguments);
    Result<Json> threads(const Json& arguments);
    Result<Json> stack_trace(const Json& arguments);
    Result<Json> scopes(const Json& arguments);
    Result<Json> variables(const Json& arguments);
    Result<Json> evaluate(const Json& arguments);
    Result<Json> set_variable(const Json& arguments);
    Result<Json> next(const Json& arguments);
    Result<Json> step_in(const Json& arguments);
    Result<Json> step_out(const Json& arguments);
    Result<Json> step_back(const Json& arguments);
    Result<Json> go_on(const Json& arguments);
    Result<Json> go_back(const Json& arguments);
    Result<Json> pause(const Json& arguments);
    Result<Json> goto_targets(const Json& arguments);
    Result<Json> go_to(const Json& arguments);
    Result<Json> source(const Json& arguments);
    Result<Json> loaded_sources(const Json& arguments);
    Result<Json> picture(const Json& arguments);
    Result<Json> position(const Json& arguments);
    Result<Json> seek(const Json& arguments);
    Result<Json> focus(const Json& arguments);

    // --- The console: commands of `evaluate` in the context "repl"
    std::optional<Result<Json>> command(const std::string& line);

    // --- Messages
    void event(const char* name, Json body = Json::object());
    void answer(const Json& request, const Result<Json>& result);
    void print(const std::string& category, const std::string& text, std::uint32_t line = 0);
    void tell_stopped(const std::string& reason, const std::string& words = {}, Json more = Json::object());
    void tell_stops();  // what became of them
    void tell_progress(const std::string& words, float share);
    void end_progress();
    Json source_json() const;
    Json position_json() const;
    Json stops_json(Stops::Kind kind) const;

    // --- Running
    Result<Json> start(const Json& arguments);
    void start_program(std::vector<std::string> words);
    void finish_run(const Diagnostics& problems);
    void show_run();
    void end_session();

    // --- Moving
    enum class Depth : std::uint8_t { any, same, caller };
    void forget_position();
    void move_to(std::size_t step);
    void move_to_end();
    Result<Json> step(const Json& arguments, Depth depth, bool back);
    std::size_t past_call(std::size_t there, session::CallStep wanted) const;
    void step_instruction(bool back);
    void arrive(const std::string& reason);
    void begin();
    void travel(bool back);
    void continue_travel();
    bool stop_between(std::uint64_t first, std::uint64_t end);
    bool tell_hit(const session::BreakHit& hit);
    void stop_at(const trace::Problem& problem);
    std::string filled(const std::string& message, const LanePick& pick);
    Result<std::uint32_t> warp_asked(const Json& arguments) const;
    Result<LanePick> pick_asked(const Json& arguments) const;
    bool same_file(const std::string& path) const;

    Services services_;
    Send send_;
    session::Session session_;
    Jobs jobs_{2};
    Values values_{session_};
    Stops stops_;
    State state_ = State::fresh;
    bool over_ = false, initialized_ = false, configured_ = false;
    bool from_zero_lines_ = false;  // the client counts lines from 0
    bool tells_progress_ = false, tells_invalidated_ = false;
    bool after_ = false;   // positions are after their steps
    bool at_end_ = false;  // after the last step
    bool stop_on_entry_ = true;
    Json launch_arguments_;
    std::optional<Json> waiting_;   // the request launch or restart, answered when the run ends
    bool deferred_ = false;         // the request that is answered now is that one
    std::function<void()> then_;    // after the answer
    std::vector<LanePick> frames_;  // by id - 1
    std::vector<std::pair<std::size_t, std::size_t>> targets_;  // of goto: id, step
    const trace::Problem* problem_ = nullptr;                   // at which it stands
    std::vector<scene::ConsoleLine> lines_;                     // that the kernel prints
    std::size_t printed_ = 0;                                   // of them
    std::map<std::string, std::vector<AskedStop>> early_;       // breakpoints from before the run, by file
    std::int64_t next_id_ = 1;
    struct Travel {  // a search for what stops
        bool back = false;
        std::uint64_t first = 0, end = 0;  // turns in which problems count
    } travel_;
    std::optional<Result<execution::RunResult>> ran_;
    std::optional<Result<session::OpenedProgram>> opened_;
    session::ProgramRequest program_;
    bool opening_ = false;    // a recording is being opened
    bool cancelled_ = false;  // the run
    std::string progress_;    // the id of the shown progress; empty: none
    int told_percent_ = -1;
};

}  // namespace lanescope::dap
