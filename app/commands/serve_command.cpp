#include "commands/serve_command.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <signal.h>
#include <sys/random.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <mutex>

#include "base/folders.h"
#include "commands/options/command.h"
#include "commands/web_command.h"
#include "compile/remote.h"
#include "serve/server.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_token = 8, most_token = 128;

// Signals that end the server wait for wait_for_end(); threads and children that start later inherit this.
sigset_t block_end_signals() {
    sigset_t signals{};
    sigemptyset(&signals);
    for (const int each : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&signals, each);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

void wait_for_end(const sigset_t& signals, serve::Server& server) {
    constexpr timespec second{1, 0};
    while (::sigtimedwait(&signals, nullptr, &second) < 0)
        server.tick();
}

// 80 bits, in letters and digits that a person can type. Empty: the system has no random numbers.
std::string random_token() {
    constexpr std::string_view letters = "abcdefghijkmnpqrstuvwxyz23456789";
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
    std::string token;
    for (const unsigned char byte : bytes)
        token += letters[byte % letters.size()];
    return token;
}

Result<std::string> token_of(const ServeOptions& options) {
    if (options.no_token && !options.token.empty())
        return error("--token and --no-token exclude each other", "leave out one of them");
    if (options.no_token) return std::string();
    if (options.token.empty()) {
        std::string token = random_token();
        if (token.empty())
            return error("the system has no random numbers for a token", "choose one: --token TOKEN");
        return token;
    }
    const bool plain = std::all_of(options.token.begin(), options.token.end(), [](unsigned char c) {
        return c < 128 && (std::isalnum(c) != 0 || c == '-' || c == '_');
    });
    if (plain && options.token.size() >= least_token && options.token.size() <= most_token)
        return options.token;
    return error("--token must have 8 to 128 letters, digits, - or _", "leave it out to get a random one");
}

// The addresses under which other machines see this one.
std::vector<std::string> own_addresses() {
    std::vector<std::string> all;
    ifaddrs* first = nullptr;
    if (::getifaddrs(&first) != 0) return all;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(first, ::freeifaddrs);
    for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
        if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
        char text[INET_ADDRSTRLEN] = "";
        const auto& address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr;
        if (::inet_ntop(AF_INET, &address, text, sizeof text) != nullptr) all.emplace_back(text);
    }
    return all;
}

void tell_links(const serve::Settings& settings, int port) {
    const bool everywhere = settings.host == "0.0.0.0" || settings.host == "::";
    std::vector<std::string> hosts = everywhere ? own_addresses() : std::vector<std::string>{};
    if (hosts.empty()) hosts = {everywhere ? "localhost" : settings.host};
    const std::string query = settings.token.empty() ? "?serve" : "?serve&token=" + settings.token;
    for (const std::string& host : hosts) {
        const bool six = host.find(':') != host.npos;
        std::cout << "http://" << (six ? "[" + host + "]" : host) << ':' << port << '/' << query << '\n';
    }
    if (everywhere)
        std::cerr << "Every machine of the network reaches this server, without encryption; a reverse proxy "
                     "adds HTTPS.\n";
    if (settings.token.empty())
        std::cerr << "Without a token everyone who reaches this server can compile.\n";
    std::cout.flush();
}

// Compiles as for a stranger, so that a missing compiler or a kernel that cannot confine it shows now.
Result<void> try_compiler() {
    compile::RemoteSource trial;
    trial.text = "#include <cuda_fp16.h>\n__global__ void k(half* a) { a[threadIdx.x] = a[0]; }\n";
    trial.file = "trial.cu";
    trial.options.use_cache = false;
    const Result<compile::Output> made = compile::compile_remote(trial);
    if (made) return {};
    return made.diagnostics();
}

}  // namespace

void ServeOptions::add_to(CLI::App& app) {
    app.add_option(
           "folder", folder,
           "the page, as 'lanescope web -o FOLDER' writes it (default: the one that comes with the program)")
        ->type_name("FOLDER");
    app.add_option(
        "--host", host,
        "the address to listen at (default: 127.0.0.1, only this machine; 0.0.0.0: every machine of the "
        "network)");
    app.add_option("--port", port, "the port (default: 8765; 0: one that is free)")
        ->check(CLI::Range(0, 65535));
    app.add_option("--workers", workers, "compilers that run at once (default: one for each core)")
        ->check(CLI::Range(1, 256));
    app.add_option("--token", token,
                   "what the link must hold to compile, 8 to 128 characters (default: a random one)");
    app.add_flag("--no-token", no_token, "everyone who reaches the server can compile");
    app.add_option(
           "--rate", rate,
           "compilations a minute of one address (default: 20; 0: no limit, for a class behind one address)")
        ->check(CLI::Range(0, 6000));
    app.add_flag("--trust-proxy", trust_proxy,
                 "take a student's address from X-Forwarded-For, which a reverse proxy on this machine sets");
    app.add_option(
           "--allow-origin", origins,
           "a page of another server that may use the compiler: https://course.github.io; may be repeated")
        ->type_name("ORIGIN");
}

int serve_command(const ServeOptions& options) {
    const Result<std::string> token = token_of(options);
    if (!token) return fail(token.diagnostics());
    serve::Settings settings;
    settings.host = options.host;
    settings.port = options.port;
    settings.folder = options.folder.empty() ? web_folder() : fs::path(options.folder);
    settings.workers = static_cast<unsigned>(options.workers);
    settings.token = *token;
    settings.rate = options.rate;
    settings.trust_proxy = options.trust_proxy;
    settings.origins = options.origins;
    std::mutex mutex;
    settings.log = [&mutex](const std::string& line) {
        const std::scoped_lock lock(mutex);
        std::cerr << line << '\n';
    };
    const sigset_t signals = block_end_signals();
    if (const Result<void> compiles = try_compiler(); !compiles)
        return fail(compiles.diagnostics(), no_engine);
    const serve::Settings shown = settings;
    Result<std::unique_ptr<serve::Server>> server = serve::Server::start(std::move(settings));
    if (!server) return fail(server.diagnostics());
    if (shown.folder.empty())
        std::cerr << "There is no page here, so this server only compiles; 'lanescope web -o FOLDER' writes "
                     "a page.\n";
    tell_links(shown, (*server)->port());
    wait_for_end(signals, **server);
    std::cerr << "The server ends.\n";
    return fine;
}

}  // namespace lanescope
