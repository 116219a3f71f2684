#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Reads what comes next: within ``WholeFile`` the name of the C library's function is taken. See: `man 2 read`
private func readNext(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// Small files that are read as a whole.
package enum WholeFile {
    /// Why a file was not read.
    package enum Failure: Error {
        /// The system refused it.
        case system(SystemError)
        /// What it is instead of a file.
        case pipe, socket, device
        /// It is larger than allowed.
        case tooLarge
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - maximumBytes: The most bytes that it may have.
    ///   - isGivenOpen: Whether somebody gave it to this process open, as standard input, and will also end it.
    /// - Returns: The bytes.
    /// - Throws: ``Failure`` where there is none, it is no regular file, or it is larger than allowed.
    package static func read(
        _ path: String, maximumBytes: Int, isGivenOpen: Bool
    ) throws(Failure) -> [UInt8] {
        func failure(_ number: Int32 = errno) -> Failure {
            number == ENXIO ? .socket : .system(SystemError("read", path, number: number))
        }
        // A named pipe would let this wait for somebody who writes to it, perhaps for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 { throw failure() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw failure(EISDIR)
        case _ where isGivenOpen: _ = fcntl(descriptor, F_SETFL, 0)
        case S_IFIFO: throw .pipe
        case S_IFSOCK: throw .socket
        default: throw .device
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe readNext(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure() }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            if bytes.count > maximumBytes { throw .tooLarge }
        }
    }
}
