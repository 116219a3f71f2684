// The floor of paged fetching: what the pages cost with nothing but libcurl, and the server that both programs ask.
//
//   sluice-fetch-floor serve FILE SIZE MILLISECONDS   serves FILE, a record on each line, in pages of SIZE records, each
//                                                     after that time; prints its port; ends with its standard input
//   sluice-fetch-floor fetch URL PAGES COUNT          fetches the pages, COUNT at a time, and keeps none of them
#include <arpa/inet.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <curl/curl.h>
#include <fstream>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {
[[noreturn]] void fail(const char *what) {
    perror(what);
    exit(1);
}

// MARK: the server

std::vector<std::string> readPages(const char *file, size_t size) {
    std::ifstream input(file);
    std::vector<std::string> records;
    for (std::string line; std::getline(input, line);) records.push_back(line);
    if (records.empty()) fail(file);
    size_t count = (records.size() + size - 1) / size;
    std::vector<std::string> pages;
    for (size_t page = 0; page < count; page++) {
        std::string body = "{\"page\":" + std::to_string(page + 1) + ",\"pages\":" + std::to_string(count) + ",\"data\":[";
        for (size_t index = page * size; index < std::min(records.size(), (page + 1) * size); index++) {
            if (index > page * size) body += ',';
            body += records[index];
        }
        body += "]}";
        pages.push_back("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                        + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    return pages;
}

void answer(int socket, const std::vector<std::string> &pages, std::chrono::milliseconds latency) {
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::string request;
    char buffer[4096];
    while (true) {
        size_t end;
        while ((end = request.find("\r\n\r\n")) == std::string::npos) {
            ssize_t count = read(socket, buffer, sizeof buffer);
            if (count <= 0) {
                close(socket);
                return;
            }
            request.append(buffer, static_cast<size_t>(count));
        }
        std::this_thread::sleep_for(latency);
        size_t place = request.find("page=");
        size_t number = place < end ? strtoul(request.c_str() + place + 5, nullptr, 10) : 1;
        static const std::string none = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        const std::string &response = number >= 1 && number <= pages.size() ? pages[number - 1] : none;
        for (size_t sent = 0; sent < response.size();) {
            ssize_t count = send(socket, response.data() + sent, response.size() - sent, MSG_NOSIGNAL);
            if (count <= 0) {
                close(socket);
                return;
            }
            sent += static_cast<size_t>(count);
        }
        request.erase(0, end + 4);
    }
}

void serve(const char *file, size_t size, int milliseconds) {
    auto pages = readPages(file, size);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto plain = reinterpret_cast<sockaddr *>(&address);
    if (bind(listener, plain, length) || listen(listener, 64) || getsockname(listener, plain, &length)) fail("listen");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    std::thread([] {
        char byte;
        while (read(STDIN_FILENO, &byte, 1) > 0) {}
        _exit(0);
    }).detach();
    while (true) {
        int connection = accept(listener, nullptr, nullptr);
        if (connection < 0) fail("accept");
        std::thread([=, &pages] { answer(connection, pages, std::chrono::milliseconds(milliseconds)); }).detach();
    }
}

// MARK: the floor

size_t keepNothing(char *bytes, size_t size, size_t count, void *body) {
    static_cast<std::string *>(body)->append(bytes, size * count);
    return size * count;
}

void fetch(const std::string &url, size_t pages, size_t concurrency) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    std::vector<std::string> bodies(concurrency);
    size_t next = 1, total = 0;
    auto begin = [&](CURL *handle) {
        if (next > pages) return false;
        curl_easy_setopt(handle, CURLOPT_URL, (url + "?page=" + std::to_string(next++)).c_str());
        return curl_multi_add_handle(multi, handle) == CURLM_OK;
    };
    for (auto &body : bodies) {
        CURL *handle = curl_easy_init();
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, keepNothing);
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
        curl_easy_setopt(handle, CURLOPT_PRIVATE, &body);
        curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 262144L);
        curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
        begin(handle);
    }
    int running = 1;
    while (running) {
        curl_multi_perform(multi, &running);
        int left;
        while (CURLMsg *message = curl_multi_info_read(multi, &left)) {
            if (message->data.result != CURLE_OK) {
                fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
                exit(1);
            }
            CURL *handle = message->easy_handle;
            std::string *body;
            curl_easy_getinfo(handle, CURLINFO_PRIVATE, &body);
            total += body->size();
            body->clear();
            curl_multi_remove_handle(multi, handle);
            if (begin(handle)) running = 1;
        }
        if (running) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
    }
    curl_multi_cleanup(multi);
    printf("%zu\n", total);
}
} // namespace

int main(int count, char **arguments) {
    std::string command = count > 1 ? arguments[1] : "";
    if (command == "serve" && count == 5)
        serve(arguments[2], strtoul(arguments[3], nullptr, 10), atoi(arguments[4]));
    else if (command == "fetch" && count == 5)
        fetch(arguments[2], strtoul(arguments[3], nullptr, 10), strtoul(arguments[4], nullptr, 10));
    else {
        fputs("usage: sluice-fetch-floor serve FILE SIZE MILLISECONDS | fetch URL PAGES COUNT\n", stderr);
        return 64;
    }
    return 0;
}
