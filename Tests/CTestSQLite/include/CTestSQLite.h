#ifndef CTESTSQLITE_H
#define CTESTSQLITE_H

// Nothing to call: see CTestSQLite.c.

#endif
