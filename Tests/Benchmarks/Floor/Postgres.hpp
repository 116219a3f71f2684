#pragma once
#include "Database.hpp"
#include <cstring>
#include <endian.h>
#include <initializer_list>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <string_view>

/// The types of PostgreSQL that the yardstick binds, by their fixed numbers.
enum class Type : uint32_t { boolean = 16, bytes = 17, bigint = 20, text = 25, timestamptz = 1184 };

/// A point in time as PostgreSQL sends it: microseconds since 2000, or null.
struct Time {
    int64_t microseconds = 0;
    bool isNull = true;
};

/// Appends values in PostgreSQL's binary format, each with its length in front.
class Values {
public:
    void integer(int64_t value) {
        value = static_cast<int64_t>(htobe64(static_cast<uint64_t>(value)));
        raw(&value, sizeof value);
    }
    void flag(bool value) { raw(&value, 1); }
    void text(std::string_view text) { text.data() ? raw(text.data(), text.size()) : null(); }
    void time(Time time) { time.isNull ? null() : integer(time.microseconds); }
    void null() { number32(~0u); }
    void raw(const void *value, size_t size) {
        number32(static_cast<uint32_t>(size));
        bytes.append(static_cast<const char *>(value), size);
    }

protected:
    void number16(uint16_t value) {
        value = htobe16(value);
        bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    void number32(uint32_t value) {
        value = htobe32(value);
        bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    }

    std::string bytes;
};

/// The rows of a binary `COPY`.
class CopyRows : public Values {
public:
    CopyRows() { bytes.assign("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", headerSize); }

    void beginRow(uint16_t columns) {
        number16(columns);
        hasRows = true;
    }
    bool isEmpty() const { return !hasRows; }
    size_t size() const { return bytes.size(); }
    /// What is to be sent so far; the next rows follow it.
    const std::string &sent() const { return bytes; }
    void clear() { bytes.clear(); }
    void end() { number16(0xffff); }

private:
    static constexpr size_t headerSize = 19;
    bool hasRows = false;
};

/// An array of one dimension that is bound to a statement.
class Array : public Values {
public:
    explicit Array(Type type) : type(type) { bytes.resize(headerSize); }

    void integer(int64_t value) { count++, Values::integer(value); }
    void flag(bool value) { count++, Values::flag(value); }
    void text(std::string_view text) { count++, Values::text(text); }
    void time(Time time) { count++, Values::time(time); }
    void null() { count++, Values::null(); }
    void raw(const void *value, size_t size) { count++, Values::raw(value, size); }

    /// The whole array: dimensions, whether there are nulls, the type of the elements, their number, the first index.
    std::string_view done() {
        const uint32_t header[] = {htobe32(1), htobe32(1), htobe32(static_cast<uint32_t>(type)), htobe32(count),
                                   htobe32(1)};
        static_assert(sizeof header == headerSize);
        memcpy(bytes.data(), header, sizeof header);
        return bytes;
    }

private:
    static constexpr size_t headerSize = 20;
    Type type;
    uint32_t count = 0;
};

/// The rows that a statement answered.
class Result {
public:
    explicit Result(PGresult *handle) : handle(handle, PQclear) {}

    int count() const { return PQntuples(handle.get()); }
    bool isNull(int row, int column) const { return PQgetisnull(handle.get(), row, column); }
    /// A binary integer of 64 bits, or a point in time.
    int64_t integer(int row, int column) const {
        uint64_t value;
        memcpy(&value, PQgetvalue(handle.get(), row, column), sizeof value);
        return static_cast<int64_t>(be64toh(value));
    }
    bool flag(int row, int column) const { return *PQgetvalue(handle.get(), row, column); }
    std::string_view text(int row, int column) const {
        if (isNull(row, column)) return {};
        return {PQgetvalue(handle.get(), row, column), static_cast<size_t>(PQgetlength(handle.get(), row, column))};
    }

private:
    std::unique_ptr<PGresult, decltype(&PQclear)> handle;
};

/// A connection to a database of a server.
class Connection {
public:
    explicit Connection(const char *url) : handle(PQconnectdb(url)) {
        if (PQstatus(handle) != CONNECTION_OK) fail(url, PQerrorMessage(handle));
        execute("SET client_min_messages = warning; SET TimeZone = 'UTC'; SET DateStyle = 'ISO'");
    }
    ~Connection() { PQfinish(handle); }
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    void execute(const char *sql) { expect(sql, PQexec(handle, sql)); }
    /// Rows as text.
    Result query(const char *sql) { return expect(sql, PQexec(handle, sql)); }
    void prepare(const char *name, const char *sql) { expect(sql, PQprepare(handle, name, sql, 0, nullptr)); }

    /// Rows in the binary format.
    Result run(const char *name, std::initializer_list<Array *> arrays) {
        constexpr size_t most = 16;
        const char *values[most];
        int lengths[most], formats[most], count = 0;
        for (Array *array : arrays) {
            std::string_view bytes = array->done();
            values[count] = bytes.data();
            lengths[count] = static_cast<int>(bytes.size());
            formats[count++] = 1;
        }
        return expect(name, PQexecPrepared(handle, name, count, values, lengths, formats, 1));
    }

    void beginCopy(const char *sql) { expect(sql, PQexec(handle, sql), PGRES_COPY_IN); }
    void send(CopyRows &rows) {
        const std::string &bytes = rows.sent();
        if (PQputCopyData(handle, bytes.data(), static_cast<int>(bytes.size())) != 1)
            fail("COPY", PQerrorMessage(handle));
        rows.clear();
    }
    void endCopy() {
        if (PQputCopyEnd(handle, nullptr) != 1) fail("COPY", PQerrorMessage(handle));
        while (PGresult *result = PQgetResult(handle)) expect("COPY", result);
    }
    void copy(const char *sql, CopyRows &rows) {
        if (rows.isEmpty()) return;
        rows.end();
        beginCopy(sql);
        send(rows);
        endCopy();
    }

    /// Calls `body` with a row at a time, as text.
    template <class Body> void forEachRow(const char *sql, Body body) {
        if (!PQsendQuery(handle, sql) || !PQsetSingleRowMode(handle)) fail(sql, PQerrorMessage(handle));
        while (PGresult *answer = PQgetResult(handle)) {
            bool isRow = PQresultStatus(answer) == PGRES_SINGLE_TUPLE;
            Result result = isRow ? Result(answer) : expect(sql, answer);
            if (isRow) body(result);
        }
    }

private:
    Result expect(const char *sql, PGresult *result, ExecStatusType status = PGRES_TUPLES_OK) {
        auto found = PQresultStatus(result);
        if (found != status && (status == PGRES_COPY_IN || found != PGRES_COMMAND_OK))
            fail(sql, PQerrorMessage(handle));
        return Result(result);
    }

    PGconn *handle;
};
