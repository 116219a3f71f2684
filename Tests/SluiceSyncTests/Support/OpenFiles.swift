import Glibc

/// Files without a name that this process holds open.
enum OpenFiles {
    /// Their modes, of those that take their room in a folder.
    static func modes(in folder: String) -> [mode_t] {
        (0..<1024).compactMap { number in
            var target = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(number)", &target, target.count)
            guard count > 0 else { return nil }
            let path = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard path.hasPrefix(folder + "/sluice-"), path.hasSuffix(" (deleted)") else { return nil }
            var status = stat()
            return unsafe fstat(Int32(number), &status) == 0 ? status.st_mode & 0o777 : nil
        }
    }
}
