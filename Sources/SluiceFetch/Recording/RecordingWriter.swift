package import SluiceHTTP
package import SluiceReport
internal import SluiceSystem
import Synchronization

/// An exchange that was kept.
package struct KeptExchange: Sendable {
    /// The name of its file.
    package let file: String
    /// The request's method.
    package let method: String
    /// The request's URL without secrets.
    package let url: String
    /// The response's status.
    package let status: Int
    /// The size of the response's body.
    package let bytes: Int
}

/// Writes a recording: a file for each exchange, and one that says how far it came.
package final class RecordingWriter: Sendable {
    package let folder: String
    private let state: Mutex<RecordingState>
    private let exchanges = Mutex<[KeptExchange]>([])

    /// Makes the folder of a recording.
    ///
    /// - Throws: ``SyncError`` where there is a recording already, or the folder cannot be made.
    package init(
        folder: String, pipeline: String, isFull: Bool, startedAt: String, version: String
    ) throws(SyncError) {
        self.folder = folder
        let state = RecordingState(pipeline: pipeline, isFull: isFull, startedAt: startedAt, version: version)
        self.state = Mutex(state)
        if FileSystem.kind(of: FileSystem.resolve(RecordingState.fileName, in: folder)) != nil {
            throw SyncError(
                .fileFailed,
                "The folder `\(folder)` holds a recording already. Delete it, or name another folder with `--to`.")
        }
        do throws(SystemError) {
            try FileSystem.makeFolders(folder)
            try state.write(in: folder)
        } catch {
            throw SyncError(.fileFailed, "The recording cannot be written: the program \(error.description).")
        }
    }

    /// What was kept so far, in order.
    package var kept: [KeptExchange] { exchanges.withLock { $0 } }

    /// Keeps an exchange.
    package func keep(_ request: RecordedRequest, _ response: RecordedResponse) throws(HTTPTrafficError) {
        let exchange = RecordedExchange(request: request, response: response)
        // One at a time, so that the numbers follow the order of the answers.
        let failure = exchanges.withLock { exchanges -> SystemError? in
            let stem = RecordingNames.stem(number: exchanges.count + 1, of: request)
            do throws(SystemError) {
                for file in exchange.files(stem: stem) {
                    try FileSystem.writePrivately(file.bytes, to: FileSystem.resolve(file.name, in: folder))
                }
            } catch { return error }
            exchanges.append(
                KeptExchange(
                    file: "\(stem).json", method: request.method, url: request.url, status: response.status,
                    bytes: response.body.count))
            return nil
        }
        if let failure {
            throw HTTPTrafficError(
                .notKept, "the answer cannot be kept: the program \(failure.description). The recording is incomplete.")
        }
    }

    /// Takes back a recording of nothing.
    package func discard() {
        FileSystem.remove(FileSystem.resolve(RecordingState.fileName, in: folder))
        FileSystem.removeFolder(folder)
    }

    /// Says how the recording ended.
    ///
    /// - Throws: ``SyncError`` where that cannot be written.
    package func finish(_ status: RecordingState.Status, message: String?, at time: String) throws(SyncError) {
        let last = state.withLock { state in
            state.status = status
            state.message = message
            state.finishedAt = time
            return state
        }
        do throws(SystemError) {
            try last.write(in: folder)
        } catch {
            throw SyncError(.fileFailed, "The recording cannot be written: the program \(error.description).")
        }
    }
}

/// How the files of a recording are called.
enum RecordingNames {
    private static let longest = 40

    /// A name such as `0007-GET-issues`.
    static func stem(number: Int, of request: RecordedRequest) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return "\(padded)-\(plain(request.method))-\(subject(of: request.url))"
    }

    /// Whether a file holds an exchange; bodies stand beside them.
    static func isExchange(_ name: String) -> Bool {
        name.hasSuffix(".json") && !name.hasSuffix(".body.json") && !name.hasSuffix(".request-body.json")
            && name.utf8.first.map { 0x30...0x39 ~= $0 } == true
    }

    /// The last part of the path that says something, or the host.
    private static func subject(of url: String) -> String {
        let front = url.prefix { $0 != "?" && $0 != "#" }
        let rest = front.firstRange(of: "//").map { front[$0.upperBound...] } ?? front
        let parts = rest.split(separator: "/").map { plain(String($0.hasSuffix(".json") ? $0.dropLast(5) : $0)) }
        return parts.last { !$0.isEmpty } ?? "request"
    }

    /// Letters, digits and dashes of a text; dots set off the names of bodies.
    private static func plain(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8.prefix(200) {
            let isPlain = 0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
            if isPlain || byte == UInt8(ascii: "_") {
                result.append(byte)
            } else if let last = result.last, last != UInt8(ascii: "-") {
                result.append(UInt8(ascii: "-"))
            }
        }
        while result.last == UInt8(ascii: "-") { result.removeLast() }
        return String(decoding: result.prefix(longest), as: UTF8.self)
    }
}
