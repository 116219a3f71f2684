#include "CTestSQLite.h"

#include <sqlite3.h>

// SQLite counts its memory under one lock of the process, for which tests that run side by side wait. The program switches that off as
// it starts (`Connection.countNoMemory`), and so does this before the first test.
__attribute__((constructor)) static void count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
