#include "serve/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "serve/compile_queue.h"
#include "serve/connections.h"
#include "serve/http_library.h"
#include "serve/listener.h"
#include "serve/static_files.h"
#include "serve/visitors.h"

namespace lanescope::serve {

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned max_connections = 1000, max_connections_of_address = 32;
constexpr std::size_t connection_bytes = 32u << 10;  // for a request's head; more is refused with 431
constexpr unsigned silence_s = 15;
// A source text of 1 MiB whose every second byte is escaped in JSON.
constexpr std::size_t max_body_bytes = 2u << 20;
constexpr std::size_t max_ignored_bytes = 8u << 20;  // of a body that is refused, before the connection ends
constexpr std::size_t max_held_bytes = 256u << 20;   // bodies and answers of all connections

// Takes as long for every guess.
bool same_token(std::string_view given, std::string_view token) {
    unsigned different = given.size() == token.size() ? 0 : 1;
    for (std::size_t i = 0; i < token.size(); ++i)
        different |= static_cast<unsigned char>(token[i] ^ (i < given.size() ? given[i] : 0));
    return different == 0;
}

std::string time_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    char text[32] = "";
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    return text;
}

// Each connection is a descriptor; most systems allow 1024 unless a process asks for more.
void allow_descriptors() {
    constexpr rlim_t wanted = 4096;
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) return;
    files.rlim_cur = std::min(wanted, files.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &files);
}

struct Content {
    std::string type;
    std::shared_ptr<const std::string> bytes;
    std::string tag;  // empty: must not be kept
};

Content json_content(std::string text) {
    return {"application/json", std::make_shared<const std::string>(std::move(text)), {}};
}

// One request and its answer.
struct Exchange {
    MHD_Connection* connection = nullptr;
    std::string address;
    std::string body;
    std::size_t received_bytes = 0, held_bytes = 0;
    bool admitted = false;  // counted as in flight
    bool accepted = false;  // its body is wanted
    bool submitted = false;
    std::optional<Reply> reply;
};

}  // namespace

class Server::Implementation {
  public:
    Implementation(HttpLibrary library, Settings settings, ServedFolder folder, Listener listener)
        : http_(library),
          settings_(std::move(settings)),
          folder_(std::move(folder)),
          port_(listener.port),
          visitors_(settings_.rate),
          queue_(workers(), [this](const CompileQueue::Event& event) { log(event); }) {
        // The address of a proxy stands for many people.
        const unsigned of_address =
            settings_.trust_proxy || settings_.rate <= 0 ? max_connections : max_connections_of_address;
        daemon_ = http_.start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, nullptr, nullptr,
            &Implementation::on_request, this, MHD_OPTION_LISTEN_SOCKET, listener.socket.number(),
            MHD_OPTION_CONNECTION_LIMIT, max_connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, of_address,
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes, MHD_OPTION_CONNECTION_TIMEOUT, silence_s,
            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, &Implementation::on_completed, this,
            MHD_OPTION_NOTIFY_CONNECTION, &Implementation::on_connection, this, MHD_OPTION_END);
        if (daemon_ != nullptr) (void)listener.socket.release();  // the library closes it
    }

    ~Implementation() {
        if (daemon_ == nullptr) return;
        queue_.stop();  // answers every request that waits: the library must not end with suspended ones
        http_.stop_daemon(daemon_);
    }

    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    bool running() const { return daemon_ != nullptr; }
    int port() const { return port_; }

    void tick() {
        connections_.end_slow();
        if (const Result<void> read = folder_.follow(); !read && settings_.log)
            settings_.log(to_text(read.diagnostics()));
    }

  private:
    using Phase = Connections::Phase;

    static void on_connection(void* self, MHD_Connection* connection, void**,
                              MHD_ConnectionNotificationCode code) {
        Implementation& server = *static_cast<Implementation*>(self);
        if (code == MHD_CONNECTION_NOTIFY_CLOSED) return server.connections_.close(connection);
        const MHD_ConnectionInfo* info =
            server.http_.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        if (info != nullptr) server.connections_.open(connection, info->connect_fd);
    }

    // --- Requests

    static MHD_Result on_request(void* self, MHD_Connection* connection, const char* url, const char* method,
                                 const char*, const char* data, std::size_t* size, void** state) {
        Implementation& server = *static_cast<Implementation*>(self);
        if (*state == nullptr) {
            auto exchange = std::make_unique<Exchange>();
            exchange->connection = connection;
            exchange->address = server.address_of(connection);
            *state = exchange.get();
            return server.begin(*exchange.release(), url, method);
        }
        Exchange& exchange = *static_cast<Exchange*>(*state);
        if (*size == 0) return server.end(exchange, url, method);
        const std::string_view part(data, *size);
        *size = 0;
        return server.receive(exchange, part);
    }

    static void on_completed(void* self, MHD_Connection* connection, void** state,
                             MHD_RequestTerminationCode) {
        Implementation& server = *static_cast<Implementation*>(self);
        const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*state));
        *state = nullptr;
        server.connections_.enter(connection, Phase::head);
        if (!exchange) return;
        server.held_bytes_ -= exchange->held_bytes;
        if (exchange->admitted) server.visitors_.leave(exchange->address);
    }

    const char* value(MHD_Connection* connection, MHD_ValueKind kind, const char* name) const {
        const char* found = http_.lookup_value(connection, kind, name);
        return found != nullptr ? found : "";
    }

    const char* header(MHD_Connection* connection, const char* name) const {
        return value(connection, MHD_HEADER_KIND, name);
    }

    // A proxy on this machine adds the address that it sees at the end of the header.
    std::string address_of(MHD_Connection* connection) const {
        const MHD_ConnectionInfo* info =
            http_.get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        const sockaddr* peer = info != nullptr ? info->client_addr : nullptr;
        if (settings_.trust_proxy && is_loopback(peer)) {
            std::string said = header(connection, "X-Forwarded-For");
            said.erase(0, said.find_last_of(',') + 1);
            said.erase(0, said.find_first_not_of(' '));
            if (const std::string address = address_text(said); !address.empty()) return address;
        }
        return address_text(peer);
    }

    bool knows_token(MHD_Connection* connection) const {
        return settings_.token.empty() ||
               same_token(value(connection, MHD_GET_ARGUMENT_KIND, "token"), settings_.token);
    }

    MHD_Result begin(Exchange& exchange, std::string_view url, std::string_view method) {
        connections_.enter(exchange.connection, Phase::body);
        const std::string length = header(exchange.connection, "Content-Length");
        // Longer numbers are too large, too.
        if (length.size() > 9 ||
            (!length.empty() && std::atoll(length.c_str()) > (long long){max_body_bytes})) {
            exchange.reply = too_large();
            return send(exchange);
        }
        if (url == "/compile" && method == "POST") exchange.reply = admit(exchange);
        if (exchange.reply) ++refused_;
        exchange.accepted = exchange.admitted;
        return MHD_YES;
    }

    static Reply too_large() {
        return refusal(413, "the request is larger than 2 MiB", "a source text may have 1 MiB");
    }

    // Nothing: the request may go on.
    std::optional<Reply> admit(Exchange& exchange) {
        const std::string type = header(exchange.connection, "Content-Type");
        // Other types need no permission of the browser, so that any page could send them.
        if (!type.starts_with("application/json"))
            return refusal(415, "the request must have the type application/json");
        const int wait_s = visitors_.seconds_until_admitted(exchange.address, Clock::now());
        if (wait_s > 0)
            return refusal(429, "too many requests of this address",
                           "wait " + std::to_string(wait_s) + " s, then compile again", wait_s);
        exchange.admitted = true;
        if (!knows_token(exchange.connection)) {
            exchange.admitted = false;
            visitors_.leave(exchange.address);
            return refusal(401, "the token in the link is wrong or missing",
                           "open the link that 'lanescope serve' printed");
        }
        return std::nullopt;
    }

    MHD_Result receive(Exchange& exchange, std::string_view part) {
        exchange.received_bytes += part.size();
        if (exchange.received_bytes > max_ignored_bytes) return MHD_NO;
        if (!exchange.accepted) return MHD_YES;
        const bool fits = exchange.received_bytes <= max_body_bytes;
        if (!fits || !hold(exchange, part.size())) {
            exchange.reply = fits ? full() : too_large();
            exchange.accepted = false;
            release(exchange);
            return MHD_YES;
        }
        exchange.body.append(part);
        return MHD_YES;
    }

    static Reply full() {
        return refusal(503, "too many requests wait for the compiler", "compile again in a few seconds",
                       retry_soon_s);
    }

    bool hold(Exchange& exchange, std::size_t bytes) {
        exchange.held_bytes += bytes;
        return (held_bytes_ += bytes) <= max_held_bytes;
    }

    void release(Exchange& exchange) {
        held_bytes_ -= std::exchange(exchange.held_bytes, 0);
        exchange.body = {};
    }

    MHD_Result end(Exchange& exchange, const char* url, std::string_view method) {
        if (exchange.reply) return send(exchange);
        if (exchange.accepted) return submit(exchange);
        return answer(exchange, url, method);
    }

    // The connection sleeps until the queue has the answer, and calls end() again.
    MHD_Result submit(Exchange& exchange) {
        connections_.enter(exchange.connection, Phase::working);
        exchange.accepted = false;
        http_.suspend_connection(exchange.connection);
        std::string body = std::exchange(exchange.body, {});
        const auto done = [this, &exchange](Reply reply) {
            release(exchange);
            if (!hold(exchange, reply.body.size())) {
                release(exchange);
                reply = full();
            }
            exchange.reply = std::move(reply);
            http_.resume_connection(exchange.connection);
        };
        if (!queue_.add(exchange.address, std::move(body), done)) done(full());
        return MHD_YES;
    }

    // --- Answers

    MHD_Result answer(Exchange& exchange, const std::string& url, std::string_view method) {
        const bool compiler = url == "/compile", reads = method == "GET" || method == "HEAD";
        if (compiler && method == "OPTIONS") return queue(exchange, MHD_HTTP_NO_CONTENT, json_content({}));
        if (compiler || !reads) {
            exchange.reply = refusal(405, "this address does not know " + std::string(method.substr(0, 20)));
            return send(exchange);
        }
        if (url == "/status") {
            exchange.reply = knows_token(exchange.connection)
                                 ? Reply{200, status(), 0}
                                 : refusal(401, "the token in the link is wrong or missing");
            return send(exchange);
        }
        return answer_file(exchange, url);
    }

    MHD_Result answer_file(Exchange& exchange, const std::string& url) {
        const std::shared_ptr<const StaticFile> file = folder_.find(url);
        if (!file) {
            exchange.reply =
                refusal(404, settings_.folder.empty() ? "this server only compiles: it has no page"
                                                      : "there is no such file");
            return send(exchange);
        }
        const std::string_view known = header(exchange.connection, "If-None-Match");
        if (known.find(file->tag) != known.npos)
            return queue(exchange, MHD_HTTP_NOT_MODIFIED,
                         {file->type, std::make_shared<const std::string>(), file->tag});
        return queue(exchange, MHD_HTTP_OK, {file->type, {file, &file->bytes}, file->tag});
    }

    std::string status() const {
        const Counts counts = queue_.counts();
        const auto up = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started_).count();
        return nlohmann::ordered_json{{"uptime_s", up},
                                      {"compiled", counts.compiled},
                                      {"from_cache", counts.from_cache},
                                      {"with_errors", counts.with_errors},
                                      {"refused", refused_ + counts.expired},
                                      {"waiting", counts.waiting},
                                      {"running", counts.running},
                                      {"connections", connections_.count()}}
            .dump();
    }

    MHD_Result send(Exchange& exchange) {
        Reply& reply = *exchange.reply;
        return queue(exchange, static_cast<unsigned>(reply.status), json_content(std::move(reply.body)),
                     reply.retry_after_s);
    }

    MHD_Result queue(Exchange& exchange, unsigned code, const Content& content, int retry_after_s = 0) {
        connections_.enter(exchange.connection, Phase::answering);
        auto* owned = new std::shared_ptr<const std::string>(content.bytes);
        const auto free = [](void* bytes) { delete static_cast<std::shared_ptr<const std::string>*>(bytes); };
        MHD_Response* response =
            http_.create_response((*owned)->size(), const_cast<char*>((*owned)->data()), free, owned);
        if (response == nullptr) {
            free(owned);
            return MHD_NO;
        }
        const auto add = [&](const char* name, const std::string& text) {
            http_.add_response_header(response, name, text.c_str());
        };
        if (!content.bytes->empty()) add("Content-Type", content.type);
        add("X-Content-Type-Options", "nosniff");
        add("Referrer-Policy", "no-referrer");  // the link holds the token
        add("Cache-Control", content.tag.empty() ? "no-store" : "no-cache");
        if (!content.tag.empty()) add("ETag", content.tag);
        if (retry_after_s > 0) add("Retry-After", std::to_string(retry_after_s));
        if (code == MHD_HTTP_METHOD_NOT_ALLOWED) add("Allow", "GET, HEAD, POST, OPTIONS");
        permit_origin(exchange.connection, add);
        const MHD_Result queued = http_.queue_response(exchange.connection, code, response);
        http_.destroy_response(response);
        return queued;
    }

    // Lets pages of other servers use the compiler, if they are named.
    template <class Add>
    void permit_origin(MHD_Connection* connection, Add add) const {
        const std::string origin = header(connection, "Origin");
        if (std::find(settings_.origins.begin(), settings_.origins.end(), origin) == settings_.origins.end())
            return;
        add("Access-Control-Allow-Origin", origin);
        add("Vary", "Origin");
        add("Access-Control-Allow-Methods", "POST");
        add("Access-Control-Allow-Headers", "Content-Type");
        add("Access-Control-Expose-Headers", "Retry-After");
        add("Access-Control-Max-Age", "600");
        add("Access-Control-Allow-Private-Network", "true");
    }

    // --- The rest

    unsigned workers() const {
        return settings_.workers != 0 ? settings_.workers : std::max(1u, std::thread::hardware_concurrency());
    }

    void log(const CompileQueue::Event& event) const {
        if (!settings_.log) return;
        settings_.log(time_text() + ' ' + event.address + ' ' +
                      std::to_string(std::lround(event.milliseconds)) + " ms " +
                      std::to_string(event.source_bytes) + " bytes in " + std::to_string(event.answer_bytes) +
                      " out " +
                      (event.from_cache ? "cached"
                       : event.compiled ? "ok"
                                        : "errors"));
    }

    HttpLibrary http_;
    Settings settings_;
    ServedFolder folder_;
    int port_;
    Clock::time_point started_ = Clock::now();
    Visitors visitors_;
    std::atomic<std::size_t> held_bytes_{0};
    std::atomic<std::uint64_t> refused_{0};
    Connections connections_;
    CompileQueue queue_;
    MHD_Daemon* daemon_ = nullptr;
};

Result<std::unique_ptr<Server>> Server::start(Settings settings) {
    const Result<HttpLibrary> library = HttpLibrary::open();
    if (!library) return library.diagnostics();
    Result<ServedFolder> folder = ServedFolder::open(settings.folder);
    if (!folder) return folder.diagnostics();
    Result<Listener> listener = listen_at(settings.host, settings.port);
    if (!listener) return listener.diagnostics();
    allow_descriptors();
    auto made = std::make_unique<Implementation>(*library, std::move(settings), std::move(*folder),
                                                 std::move(*listener));
    if (!made->running())
        return error("libmicrohttpd cannot start: the system has too few descriptors or threads");
    return std::unique_ptr<Server>(new Server(std::move(made)));
}

Server::Server(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Server::~Server() = default;

int Server::port() const {
    return implementation_->port();
}

void Server::tick() {
    implementation_->tick();
}

}  // namespace lanescope::serve
