#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An open file, closed when the last reference goes.
package final class ByteFile: Sendable {
    /// The path, for messages.
    package let path: String
    private let descriptor: Int32

    /// Opens a file for reading.
    ///
    /// - Throws: ``SystemError``, also for a folder.
    package init(reading path: String) throws(SystemError) {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if opened < 0 { throw SystemError("open", path) }
        var status = stat()
        if unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(opened)
            throw SystemError("read", path, number: EISDIR)
        }
        self.path = path
        descriptor = opened
    }

    /// Makes a temporary file that has no name, so that nothing of it is left however the program ends.
    ///
    /// - Parameter folder: Where it takes its room; `$TMPDIR` or `/tmp` where nil.
    /// - Throws: ``SystemError``.
    package init(temporaryIn folder: String? = nil) throws(SystemError) {
        let place = folder ?? Environment.variable("TMPDIR") ?? "/tmp"
        var template = Array("\(place)/sluice-XXXXXX".utf8CString)
        let opened = unsafe mkstemp(&template)
        if opened < 0 { throw SystemError("create a temporary file in", place) }
        _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
        _ = unsafe unlink(&template)
        path = place
        descriptor = opened
    }

    /// Makes a file that its owner alone may read, and empties it where it is there.
    ///
    /// - Throws: ``SystemError``.
    package init(private path: String) throws(SystemError) {
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if opened < 0 { throw SystemError("write", path) }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The number of bytes.
    package var byteCount: Int { status.map { Int($0.st_size) } ?? 0 }

    /// What the system says of it; nil where it says nothing.
    var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Waits until there is something to read or nothing more will come.
    ///
    /// - Parameter milliseconds: The longest time to wait.
    /// - Returns: Whether a read would return at once, as it always does for a file on a disk.
    package func isReadable(within milliseconds: Int32) -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&question, 1, milliseconds) != 0
    }

    /// Reads bytes from a position.
    ///
    /// - Returns: How many; 0 at the end.
    /// - Throws: ``SystemError``.
    @unsafe
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        while true {
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            // A FIFO or terminal has no positions.
            if errno == ESPIPE { return try unsafe readNext(into: buffer) }
            if errno != EINTR { throw SystemError("read", path) }
        }
    }

    /// Reads bytes from a position.
    ///
    /// - Returns: As many as `count` says, fewer where the file ends before.
    /// - Throws: ``SystemError``.
    package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            do throws(SystemError) {
                while done < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<count])
                    let more = try unsafe read(into: rest, at: offset + done)
                    if more == 0 { break }
                    done += more
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads what one call gives, which of a pipe may be less than there will be.
    ///
    /// - Parameters:
    ///   - offset: The position.
    ///   - count: The most bytes.
    /// - Returns: The bytes; none at the end.
    /// - Throws: ``SystemError``.
    package func read(at offset: Int, upTo count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let more = try unsafe span.withUnsafeMutableBytes {
            (all: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int in
            try unsafe read(into: all, at: offset)
        }
        bytes.removeLast(count - more)
        return bytes
    }

    @unsafe
    private func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = unsafe systemRead(descriptor, buffer)
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError("read", path) }
        }
    }

    /// Writes bytes at a position.
    ///
    /// - Throws: ``SystemError``, as when the disk is full.
    @unsafe
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("write to", path)
            }
            done += count
        }
    }

    /// Writes bytes at a position.
    ///
    /// - Throws: ``SystemError``, as when the disk is full.
    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
        try unsafe bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws(SystemError) in
            try unsafe write(bytes, at: offset)
        }
    }

    /// Writes bytes at a position.
    ///
    /// - Throws: ``SystemError``, as when the disk is full.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) { try write(bytes.span, at: offset) }

    /// Shortens the file.
    ///
    /// - Throws: ``SystemError``.
    package func truncate(to byteCount: Int) throws(SystemError) {
        if ftruncate(descriptor, off_t(byteCount)) != 0 { throw SystemError("shorten", path) }
    }
}
