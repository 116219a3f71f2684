#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A stream that text is written to: standard output, standard error or a file.
package final class OutputStream: Sendable {
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let path: String

    /// Standard output.
    package static let standardOutput = OutputStream(descriptor: 1, path: "standard output")
    /// Standard error.
    package static let standardError = OutputStream(descriptor: 2, path: "standard error")

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        ownsDescriptor = false
    }

    /// Opens a file for writing and empties it.
    ///
    /// - Parameters:
    ///   - path: The file; it is made where it is not there.
    ///   - permissions: Who may read, write and run it; nil for what is usual.
    /// - Throws: ``SystemError``.
    package init(writing path: String, permissions: UInt32? = nil) throws(SystemError) {
        let opened = unsafe open(
            path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(truncatingIfNeeded: permissions ?? 0o644))
        if opened < 0 { throw SystemError("write", path) }
        if let permissions, fchmod(opened, mode_t(truncatingIfNeeded: permissions)) != 0 {
            let number = errno
            close(opened)
            throw SystemError("set the permissions of", path, number: number)
        }
        descriptor = opened
        self.path = path
        ownsDescriptor = true
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    /// Writes bytes.
    ///
    /// - Throws: ``SystemError``, as when the reader of a pipe is gone.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: all[done...]))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("write to", path)
            }
            done += count
        }
    }

    /// Writes text.
    ///
    /// - Throws: ``SystemError``, as when the reader of a pipe is gone.
    package func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }
}
