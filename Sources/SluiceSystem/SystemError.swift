internal import Glibc

/// A call of the operating system that failed.
public struct SystemError: Error, Sendable, CustomStringConvertible {
    /// What was tried, as in "open".
    public let operation: String
    /// What it was tried on.
    public let path: String
    /// The number of the error, see `man 3 errno`.
    public let number: Int32

    init(_ operation: String, _ path: String, number: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Whether the path does not exist.
    public var isMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// The system's sentence for the error.
    public var reason: String { unsafe String(cString: strerror(number)) }

    /// What failed on what, and why.
    public var description: String { "cannot \(operation) `\(path)`: \(reason)" }
}
