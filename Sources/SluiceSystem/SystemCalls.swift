// Calls of the C library under names that no method here has: within such a method its own name would be meant, and the
// module's name before it is another one on each system.
#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Reads what comes next. See: `man 2 read`
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// Writes bytes. See: `man 2 write`
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// Sends a signal to a process, or to the group of a negative number. See: `man 2 kill`
func systemKill(_ process: pid_t, _ signal: Int32) { _ = kill(process, signal) }

/// Gives a file another name; 0 where it has it. See: `man 2 rename`
func systemRename(_ path: String, _ other: String) -> Int32 { unsafe rename(path, other) }

/// When a file was written last.
func systemWriteTime(_ status: stat) -> timespec {
    #if canImport(Darwin)
        status.st_mtimespec
    #else
        status.st_mtim
    #endif
}

/// When a file or what is known of it was changed last.
func systemChangeTime(_ status: stat) -> timespec {
    #if canImport(Darwin)
        status.st_ctimespec
    #else
        status.st_ctim
    #endif
}

/// F_OFD_SETLK and F_OFD_GETLK, which Swift does not import: they lock for an open file, and not for the process.
/// See: `man 2 fcntl`
#if canImport(Darwin)
    let systemSetFileLock: Int32 = 90
    let systemGetFileLock: Int32 = 92
#else
    let systemSetFileLock: Int32 = 37
    let systemGetFileLock: Int32 = 36
#endif

/// The niceness of a thread, or of the process of a number. See: `man 2 getpriority`
func systemNiceness(of process: pid_t) -> Int32 {
    #if canImport(Darwin)
        getpriority(PRIO_PROCESS, id_t(process))
    #else
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process))
    #endif
}

/// Sets the niceness of the current thread. See: `man 2 setpriority`
func systemSetNiceness(_ niceness: Int32) {
    #if canImport(Darwin)
        _ = setpriority(PRIO_PROCESS, 0, niceness)
    #else
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    #endif
}

/// The resource of open files. See: `man 2 getrlimit`
#if canImport(Darwin)
    let systemOpenFiles = RLIMIT_NOFILE
#else
    let systemOpenFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif

/// Makes a socket of streams, which no program that this one starts gets. See: `man 2 socket`
///
/// - Parameter family: The family of its addresses, such as `AF_UNIX`.
/// - Returns: Its descriptor; a negative number where there is none.
package func systemStreamSocket(_ family: Int32) -> Int32 {
    #if canImport(Darwin)
        let number = socket(family, SOCK_STREAM, 0)
        if number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return number
    #else
        return socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
}
