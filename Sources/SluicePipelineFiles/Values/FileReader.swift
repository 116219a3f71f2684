#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Reads what comes next: within ``FileReader`` the name of the C library's function is taken. See: `man 2 read`
private func readNext(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// Reads small files as a whole.
package enum FileReader {
    /// Why a file could not be read.
    package struct Failure: Error {
        /// What goes after the file's name: "does not exist".
        package var reason: String
        /// What to do about it, as a sentence.
        package var help: String

        init(reason: String, help: String) {
            self.reason = reason
            self.help = help
        }

        init(notAFile kind: String) {
            self.init(
                reason: "is \(kind)", help: "Name a regular file; what a program writes can be kept in one first.")
        }

        init(code: Int32) {
            switch code {
            case ENOENT, ENOTDIR: self.init(reason: "does not exist", help: "Check how the path is written.")
            case EACCES, EPERM:
                self.init(reason: "may not be read by this user", help: "`ls -l` shows who may read it.")
            case EISDIR: self.init(reason: "is a folder", help: "Name a file in it.")
            case ENXIO: self.init(notAFile: "a socket")
            default:
                let words = unsafe String(cString: strerror(code))
                self.init(reason: "cannot be read: \(words)", help: "Check the path with `ls -lL`.")
            }
        }
    }

    /// Whether a path stands for something that this process was given open, which whoever gave it will also end:
    /// standard input, and what a shell makes of `<(…)`.
    private static func isGivenOpen(_ path: String) -> Bool {
        ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
    }

    /// The bytes of a file.
    ///
    /// - Throws: ``Failure`` where there is none, it is no regular file, or it is larger than allowed.
    package static func read(_ path: String, maximumBytes: Int) throws(Failure) -> [UInt8] {
        // A named pipe would let this wait for somebody who writes to it, perhaps for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw Failure(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 { throw Failure(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure(code: EISDIR)
        case _ where isGivenOpen(path): _ = fcntl(descriptor, F_SETFL, 0)
        case S_IFIFO: throw Failure(notAFile: "a named pipe")
        case S_IFSOCK: throw Failure(notAFile: "a socket")
        default: throw Failure(notAFile: "a device")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe readNext(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw Failure(code: errno) }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            if bytes.count > maximumBytes {
                throw Failure(
                    reason: "is larger than \(maximumBytes) bytes", help: "Check that it is the file that is meant.")
            }
        }
    }
}
