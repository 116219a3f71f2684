internal import SluiceSystem

/// Text that is kept until a report is put together: a little in memory, the rest in a file without a name.
final class TextSpool {
    private static let memory = 65_536
    private var buffer: [UInt8] = []
    private var file: ByteFile?
    private var written = 0
    /// What went wrong, after which nothing is kept any more.
    private(set) var error: SystemError?

    var isEmpty: Bool { written == 0 && buffer.isEmpty }

    /// Adds text.
    func append(_ text: String) {
        if error != nil { return }
        buffer.append(contentsOf: text.utf8)
        guard buffer.count >= Self.memory else { return }
        do throws(SystemError) {
            try spill()
        } catch { self.error = error }
        buffer.removeAll(keepingCapacity: true)
    }

    private func spill() throws(SystemError) {
        let target: ByteFile
        if let file { target = file } else { target = try ByteFile(temporaryIn: nil) }
        file = target
        try target.write(buffer, at: written)
        written += buffer.count
    }

    /// Forgets everything.
    func clear() {
        buffer.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Writes everything to an output, in order.
    ///
    /// - Throws: `SystemError`.
    func copy(to output: ResultOutput) throws(SystemError) {
        var position = 0
        while let file, position < written {
            let chunk = try file.read(at: position, upTo: min(Self.memory, written - position))
            if chunk.isEmpty { break }
            try output.write(chunk)
            position += chunk.count
        }
        try output.write(buffer)
    }
}
