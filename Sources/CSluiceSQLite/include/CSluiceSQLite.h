#pragma once
#include <sqlite3.h>

// Swift cannot import the destructor constants, which are casts of integers to function pointers.

/// Binds text that stays valid until the statement is reset or bound again.
static inline int sluice_sqlite_bind_text_static(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_text(statement, index, (const char *)(bytes ? bytes : ""), length, SQLITE_STATIC);
}

/// Binds a copy of text.
static inline int sluice_sqlite_bind_text_copy(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_text(statement, index, (const char *)(bytes ? bytes : ""), length, SQLITE_TRANSIENT);
}

/// Binds a blob that stays valid until the statement is reset or bound again.
static inline int sluice_sqlite_bind_blob_static(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_STATIC);
}

/// Binds a copy of a blob.
static inline int sluice_sqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/// Makes a copy of text the result of a function.
static inline void sluice_sqlite_result_text_copy(sqlite3_context *call, const void *bytes, int length) {
    sqlite3_result_text(call, (const char *)(bytes ? bytes : ""), length, SQLITE_TRANSIENT);
}

/// Makes a copy of a blob the result of a function.
static inline void sluice_sqlite_result_blob_copy(sqlite3_context *call, const void *bytes, int length) {
    sqlite3_result_blob(call, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/// Has the library count no memory, before it is used for the first time. See: sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
static inline int sluice_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Says whether foreign keys are held, which PRAGMA does between transactions alone. See: sqlite.org/c3ref/c_dbconfig_defensive.html
static inline int sluice_sqlite_hold_foreign_keys(sqlite3 *database, int holds) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, holds, (int *)0);
}

/// Is told of a row before it changes: context, connection, operation, database, table, rowid before and afterwards.
typedef void (*sluice_sqlite_preupdate)(
    void *, sqlite3 *, int, const char *, const char *, sqlite3_int64, sqlite3_int64);

#if defined(__linux__)
// A library may be built without it. See: sqlite.org/c3ref/preupdate_blobwrite.html
extern void *sqlite3_preupdate_hook(sqlite3 *, sluice_sqlite_preupdate, void *) __attribute__((weak));
#endif

/// Has a function told of rows before they change, those of tables without rowids among them; none for NULL. Does nothing where
/// the library cannot.
static inline void sluice_sqlite_preupdate_hook(sqlite3 *database, sluice_sqlite_preupdate told, void *context) {
#if defined(__linux__)
    // Another library in the process may have the function, which knows nothing of this connection.
    if (!sqlite3_preupdate_hook || !sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK")) return;
    sqlite3_preupdate_hook(database, told, context);
#endif
}
