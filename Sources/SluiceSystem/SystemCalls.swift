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
