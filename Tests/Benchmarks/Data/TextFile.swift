import Glibc

/// Small files and folders.
enum TextFile {
    static func read(_ path: String) throws(BenchError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw BenchError.system(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { throw BenchError.system(path) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    static func write(_ text: String, to path: String) throws(BenchError) {
        var file = try OutputFile(path)
        try file.write(Array(text.utf8))
        try file.finish()
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func makeFolder(_ path: String) throws(BenchError) {
        var partial = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            partial += name + "/"
            if unsafe mkdir(partial, 0o755) != 0 && errno != EEXIST { throw BenchError.system(partial) }
        }
    }

    /// Copies a file over what is in its way.
    static func copy(_ source: String, to target: String) throws(BenchError) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
        if input < 0 { throw BenchError.system(source) }
        defer { close(input) }
        let output = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if output < 0 { throw BenchError.system(target) }
        defer { close(output) }
        while true {
            let count = sendfile(output, input, nil, 1 << 30)
            if count < 0 { throw BenchError.system(target) }
            if count == 0 { return }
        }
    }
}
