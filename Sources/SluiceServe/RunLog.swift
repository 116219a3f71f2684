internal import SluiceSystem

/// The log of a run in a file: its beginning and its end, where it grows too long.
package struct RunLog {
    private let stream: OutputStream?
    private let limit: Int
    private let tailLimit: Int
    private var written = 0
    private var tail: [[UInt8]] = []
    private var tailBytes = 0
    private var omitted = 0

    /// Opens a log.
    ///
    /// - Parameters:
    ///   - path: The file; where it cannot be made, nothing is kept.
    ///   - limit: How many bytes of the beginning are kept.
    ///   - tailLimit: How many bytes of the end are kept.
    package init(_ path: String, limit: Int = 1 << 20, tailLimit: Int = 1 << 18) {
        stream = try? OutputStream(writing: path, permissions: 0o600)
        (self.limit, self.tailLimit) = (limit, tailLimit)
    }

    /// Adds a line with its end.
    package mutating func add(_ line: ArraySlice<UInt8>) {
        if tail.isEmpty, written + line.count <= limit {
            written += line.count
            try? stream?.write(Array(line))
            return
        }
        tail.append(Array(line))
        tailBytes += line.count
        while tailBytes > tailLimit, let first = tail.first {
            tail.removeFirst()
            tailBytes -= first.count
            omitted += 1
        }
    }

    /// Writes the end.
    package mutating func finish() {
        if omitted > 0 {
            let words = "\(omitted) lines of the log are left out here."
            try? stream?.write("{\"level\":\"warning\",\"event\":\"log_cut\",\"message\":\"\(words)\"}\n")
        }
        for line in tail { try? stream?.write(line) }
        (tail, tailBytes) = ([], 0)
    }
}
