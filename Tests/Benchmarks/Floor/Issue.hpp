#pragma once
#include "Database.hpp"
#include "Hash.hpp"
#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

using std::string_view;

/// The twelve mapped fields of one record; text points into the parser's buffer.
struct Issue {
    int64_t id, number, comments, userID, milestoneID;
    bool isLocked, hasMilestone;
    string_view title, state, createdAt, updatedAt, closedAt, body;
};

/// One digest per mapped field, 0 for null. Their hash is the hash of the row.
struct Digests {
    uint32_t fields[12];
    uint64_t hash() const { return hashing::hash(reinterpret_cast<const char *>(fields), sizeof fields); }
};

inline uint32_t digest(string_view text) {
    return text.data() ? static_cast<uint32_t>(hashing::hash(text)) | 1 : 0;
}
inline uint32_t digest(int64_t value) { return static_cast<uint32_t>(hashing::hash(value)) | 1; }

inline Digests digests(const Issue &issue) {
    return {{digest(issue.id), digest(issue.number), digest(issue.title), digest(issue.state),
             digest(static_cast<int64_t>(issue.isLocked)), digest(issue.comments), digest(issue.userID),
             issue.hasMilestone ? digest(issue.milestoneID) : 0, digest(issue.createdAt), digest(issue.updatedAt),
             digest(issue.closedAt), digest(issue.body)}};
}

/// Has the compiler work out a value that nothing else uses.
template <class Value> void keep(const Value &value) { asm volatile("" : : "m"(value)); }

inline string_view readText(simdjson::ondemand::object &object, const char *key) {
    string_view text = object.find_field(key).get_string();
    keep(text);
    return text;
}

inline string_view readOptionalText(simdjson::ondemand::object &object, const char *key) {
    auto value = object.find_field(key);
    if (value.is_null()) return {};
    string_view text = value.get_string();
    keep(text);
    return text;
}

/// Reads every field in the order of the document, which is On Demand's cheapest access. Fields that are not mapped are
/// read too: On Demand checks only what it reads, and a record may not be stored before all of it is checked.
inline Issue readIssue(simdjson::ondemand::object object) {
    Issue issue;
    issue.id = object.find_field("id").get_int64();
    readText(object, "node_id");
    issue.number = object.find_field("number").get_int64();
    readText(object, "html_url");
    issue.title = readText(object, "title");
    issue.state = readText(object, "state");
    readOptionalText(object, "state_reason");
    issue.isLocked = object.find_field("locked").get_bool();
    issue.comments = object.find_field("comments").get_int64();
    keep(int64_t(object.find_field("reactions").get_int64()));
    keep(double(object.find_field("score").get_double()));
    simdjson::ondemand::object user = object.find_field("user").get_object();
    issue.userID = user.find_field("id").get_int64();
    for (auto key : {"login", "url", "type"}) readText(user, key);
    for (auto element : object.find_field("labels").get_array()) {
        simdjson::ondemand::object label = element.get_object();
        keep(int64_t(label.find_field("id").get_int64()));
        for (auto key : {"name", "color"}) readText(label, key);
    }
    auto optionalMilestone = object.find_field("milestone");
    issue.hasMilestone = !optionalMilestone.is_null();
    issue.milestoneID = 0;
    if (issue.hasMilestone) {
        simdjson::ondemand::object milestone = optionalMilestone.get_object();
        issue.milestoneID = milestone.find_field("id").get_int64();
        keep(int64_t(milestone.find_field("number").get_int64()));
        for (auto key : {"title", "state", "due_on"}) readText(milestone, key);
    }
    readText(object, "author_association");
    issue.createdAt = readText(object, "created_at");
    issue.updatedAt = readText(object, "updated_at");
    issue.closedAt = readOptionalText(object, "closed_at");
    issue.body = readOptionalText(object, "body");
    return issue;
}

/// Calls `body` with every record of a file of one record per line, read in chunks of whole lines.
template <class Body> void forEachRecord(const char *path, Body body) {
    constexpr size_t capacity = 1 << 20;
    int file = open(path, O_RDONLY);
    if (file < 0) fail(path, strerror(errno));
    char *buffer = static_cast<char *>(malloc(capacity + simdjson::SIMDJSON_PADDING));
    if (!buffer) fail(path, "no memory");
    simdjson::ondemand::parser parser;
#ifdef SIMDJSON_THREADS_ENABLED
    parser.threaded = false;
#endif
    size_t filled = 0;
    for (;;) {
        ssize_t count = read(file, buffer + filled, capacity - filled);
        if (count < 0) fail(path, strerror(errno));
        if (count == 0) break;
        filled += static_cast<size_t>(count);
        auto newline = static_cast<char *>(memrchr(buffer, '\n', filled));
        if (!newline) fail(path, "a line is longer than the buffer");
        size_t whole = static_cast<size_t>(newline + 1 - buffer);
        simdjson::ondemand::document_stream stream;
        auto error = parser.iterate_many(buffer, whole, whole).get(stream);
        if (error) fail(path, simdjson::error_message(error));
        for (auto document : stream) body(document.get_object());
        memmove(buffer, buffer + whole, filled - whole);
        filled -= whole;
    }
    if (filled) fail(path, "the last line does not end");
    free(buffer);
    close(file);
}
