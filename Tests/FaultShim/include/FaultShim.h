/// Loaded before a program's own libraries (LD_PRELOAD), this one makes a chosen write to a file go wrong.
///
/// FAULT_AT     the number of the write, counted from 1 over all threads: pwrite, fsync, fdatasync, ftruncate, unlink
/// FAULT_KIND   kill  the process is gone before the write
///              torn  half of it is written, then the process is gone
///              full  it fails, and all that follow, as on a full disk
///
/// FAULT_SOCKETS  the process ends with 97 where it opens a socket
#pragma once
