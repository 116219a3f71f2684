#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension FileSystem {
    /// All bytes of a file.
    ///
    /// - Throws: ``SystemError``.
    package static func contents(of path: String) throws(SystemError) -> [UInt8] {
        let file = try ByteFile(reading: path)
        return try file.bytes(at: 0, count: file.byteCount)
    }

    /// Writes a file that its owner alone may read, at once: it is there as a whole or not at all.
    ///
    /// - Parameters:
    ///   - bytes: What it holds.
    ///   - path: Where it stands; a file that is there is replaced.
    /// - Throws: ``SystemError``.
    package static func writePrivately(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw SystemError("write", path) }
        var done = 0
        var number: Int32 = fchmod(descriptor, 0o600) == 0 ? 0 : errno
        while done < bytes.count, number == 0 {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe write(descriptor, all.baseAddress?.advanced(by: done), all.count - done)
            }
            if count >= 0 { done += count } else if errno != EINTR { number = errno }
        }
        if number == 0, fsync(descriptor) != 0 { number = errno }
        close(descriptor)
        if number != 0 {
            remove(temporary)
            throw SystemError("write", path, number: number)
        }
        try rename(temporary, to: path)
    }

    /// Deletes a folder that is empty; nothing happens where it is not.
    package static func removeFolder(_ path: String) { _ = unsafe rmdir(path) }

    /// Makes a folder and those above it, where they are not there.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - isPrivate: Whether its owner alone may look into what is made; else the user's mask says who may (`umask`).
    /// - Throws: ``SystemError``.
    package static func makeFolders(_ path: String, isPrivate: Bool = true) throws(SystemError) {
        if kind(of: path) == .folder { return }
        let above = folder(of: path)
        if above != path, above != "." { try makeFolders(above, isPrivate: isPrivate) }
        if unsafe mkdir(path, isPrivate ? 0o700 : 0o777) != 0, errno != EEXIST {
            throw SystemError("make the folder", path)
        }
    }

    /// The names in a folder, in no order; none where it cannot be read.
    package static func names(in folder: String) -> [String] { (try? readableNames(in: folder)) ?? [] }

    /// The names in a folder, in no order.
    ///
    /// - Throws: ``SystemError`` where it cannot be read.
    package static func readableNames(in folder: String) throws(SystemError) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw SystemError("read the folder", folder) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
