#include "CTestSQLite.h"

#include <sqlite3.h>
#include <string.h>

// SQLite counts its memory under one lock of the process, for which tests that run side by side wait. The program switches that off as
// it starts (`Connection.countNoMemory`), and so does this before the first test.
__attribute__((constructor)) static void count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static _Atomic(ctest_sqlite_told) listener;

static int tell(unsigned event, void *database, void *statement, void *text) {
    (void)event;
    (void)text;
    const char *file = sqlite3_db_filename(database, "main");
    const char *sql = sqlite3_sql(statement);
    ctest_sqlite_told told = listener;
    if (told && file && sql && strstr(file, "watched")) told(file, sql);
    return 0;
}

static int open_database(sqlite3 *database, char **message, const struct sqlite3_api_routines *routines) {
    (void)message;
    (void)routines;
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, tell, database);
}

void ctest_sqlite_watch(ctest_sqlite_told told) {
    listener = told;
    sqlite3_auto_extension((void (*)(void))open_database);
}
