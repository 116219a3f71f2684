import Glibc

/// A file that is written through a buffer.
struct OutputFile {
    /// What is not written yet.
    var bytes: [UInt8] = []
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(BenchError) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw BenchError.system(path) }
    }

    mutating func write(_ more: [UInt8]) throws(BenchError) {
        bytes.append(contentsOf: more)
        if bytes.count > 1 << 20 { try flush() }
    }

    mutating func writeLine(_ line: [UInt8]) throws(BenchError) {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count > 1 << 20 { try flush() }
    }

    mutating func finish() throws(BenchError) {
        try flush()
        if close(descriptor) != 0 { throw BenchError.system(path) }
    }

    private mutating func flush() throws(BenchError) {
        var start = 0
        while start < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
            }
            if written < 0 { throw BenchError.system(path) }
            start += written
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
