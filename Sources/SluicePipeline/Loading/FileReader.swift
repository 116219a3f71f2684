internal import Glibc

/// Reads small files as a whole.
enum FileReader {
    /// Why a file could not be read.
    struct Failure: Error {
        /// What goes after the file's name: "does not exist".
        var reason: String
        /// What to do about it, as a sentence.
        var help: String

        init(reason: String, help: String) {
            self.reason = reason
            self.help = help
        }

        init(code: Int32) {
            switch code {
            case ENOENT, ENOTDIR: self.init(reason: "does not exist", help: "Check how the path is written.")
            case EACCES, EPERM:
                self.init(reason: "may not be read by this user", help: "See who may read it with `ls -l`.")
            case EISDIR: self.init(reason: "is a folder", help: "Name a file in it.")
            default:
                let words = unsafe String(cString: strerror(code))
                self.init(reason: "cannot be read: \(words)", help: "Check the path with `ls -lL`.")
            }
        }
    }

    /// The bytes of a file.
    ///
    /// - Throws: ``Failure`` where there is none or it is larger than allowed.
    static func read(_ path: String, maximumBytes: Int) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw Failure(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
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
