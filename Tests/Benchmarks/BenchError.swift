import Glibc

/// Why no figures could be taken.
struct BenchError: Error {
    let message: String

    /// The last call of the system failed.
    static func system(_ subject: String) -> BenchError {
        BenchError(message: "\(subject): \(unsafe String(cString: strerror(errno)))")
    }
}
