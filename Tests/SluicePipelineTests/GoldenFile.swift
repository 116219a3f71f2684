import Glibc
import Testing

/// A file that holds what a test expects.
struct GoldenFile {
    let path: String

    /// Compares, or records where `UPDATE_GOLDEN=1` is set.
    ///
    /// Recording fails the test, so that nobody blesses by accident.
    func check(_ actual: String, sourceLocation: SourceLocation = #_sourceLocation) {
        if unsafe getenv("UPDATE_GOLDEN") != nil {
            guard content != actual else { return }
            write(actual)
            Issue.record("\(path) was recorded; look at the change and run again.", sourceLocation: sourceLocation)
            return
        }
        guard let content else {
            Issue.record("\(path) is missing; record it with UPDATE_GOLDEN=1.", sourceLocation: sourceLocation)
            return
        }
        #expect(actual == content, sourceLocation: sourceLocation)
    }

    private var content: String? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = unsafe fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ text: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        defer { unsafe fclose(file) }
        unsafe fputs(text, file)
    }
}
