#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A call of the operating system that failed.
package struct SystemError: Error, Sendable, CustomStringConvertible {
    /// What was tried, as in "open".
    package let operation: String
    /// What it was tried on.
    package let path: String
    /// The number of the error, see `man 3 errno`.
    package let number: Int32

    /// Makes an error of the number that a call left, or of one that stands for it.
    package init(_ operation: String, _ path: String, number: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Whether the path does not exist.
    package var isMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether this user may not do it.
    package var isRefused: Bool { number == EACCES || number == EPERM }

    /// Whether the path leads to a folder, where something else is needed.
    package var isOfFolder: Bool { number == EISDIR }

    /// The system's sentence for the error.
    package var reason: String { unsafe String(cString: strerror(number)) }

    /// What failed on what, and why.
    package var description: String { "cannot \(operation) `\(path)`: \(reason)" }
}
