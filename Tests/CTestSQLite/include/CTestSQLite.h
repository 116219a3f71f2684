#ifndef CTESTSQLITE_H
#define CTESTSQLITE_H

/// Is told of a statement that begins: the file of its database, and its text.
typedef void (*ctest_sqlite_told)(const char *file, const char *text);

/// Has a function told of each statement that this process begins on files with `watched` in their names, by connections that are opened
/// from now on.
void ctest_sqlite_watch(ctest_sqlite_told told);

#endif
