#pragma once
#include <cstdio>
#include <cstdlib>
#include <sqlite3.h>
#include <string_view>

/// Says what went wrong and ends the program: a yardstick that went wrong measures nothing.
[[noreturn]] inline void fail(const char *what, const char *why) {
    fprintf(stderr, "sluice-floor: %s: %s\n", what, why);
    exit(1);
}

/// A prepared statement whose bindings stay valid until the next step.
class Statement {
public:
    Statement(sqlite3 *database, const char *sql) {
        if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr) != SQLITE_OK)
            fail(sql, sqlite3_errmsg(database));
    }
    ~Statement() { sqlite3_finalize(handle); }
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;

    void bind(int index, int64_t value) { sqlite3_bind_int64(handle, index, value); }
    void bind(int index, std::string_view text) {
        if (text.data())
            sqlite3_bind_text(handle, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
        else
            sqlite3_bind_null(handle, index);
    }
    void bindReal(int index, double value) { sqlite3_bind_double(handle, index, value); }
    void bindNull(int index) { sqlite3_bind_null(handle, index); }
    void bindBytes(int index, const void *bytes, int count) {
        sqlite3_bind_blob(handle, index, bytes, count, SQLITE_STATIC);
    }

    /// Whether there is another row.
    bool step() {
        int code = sqlite3_step(handle);
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            fail(sqlite3_sql(handle), sqlite3_errmsg(sqlite3_db_handle(handle)));
        return code == SQLITE_ROW;
    }
    void reset() { sqlite3_reset(handle); }
    void run() {
        step();
        reset();
    }

    bool isNull(int column) { return sqlite3_column_type(handle, column) == SQLITE_NULL; }
    bool isText(int column) { return sqlite3_column_type(handle, column) == SQLITE_TEXT; }
    bool isReal(int column) { return sqlite3_column_type(handle, column) == SQLITE_FLOAT; }
    double real(int column) { return sqlite3_column_double(handle, column); }
    int64_t integer(int column) { return sqlite3_column_int64(handle, column); }
    const void *bytes(int column) { return sqlite3_column_blob(handle, column); }
    std::string_view text(int column) {
        auto start = reinterpret_cast<const char *>(sqlite3_column_text(handle, column));
        if (!start) return {};
        return {start, static_cast<size_t>(sqlite3_column_bytes(handle, column))};
    }

private:
    sqlite3_stmt *handle = nullptr;
};

/// A connection in WAL mode with a page cache of 32 MiB, as the program that is measured uses.
class Database {
public:
    explicit Database(const char *path) {
        if (sqlite3_open(path, &handle) != SQLITE_OK) fail(path, sqlite3_errmsg(handle));
        execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32768; PRAGMA temp_store=MEMORY");
    }
    ~Database() { sqlite3_close(handle); }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    void execute(const char *sql) {
        if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql, sqlite3_errmsg(handle));
    }
    operator sqlite3 *() { return handle; }

private:
    sqlite3 *handle = nullptr;
};
