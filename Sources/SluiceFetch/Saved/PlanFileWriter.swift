internal import SluiceGzip
package import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
package import SluiceReport
internal import SluiceSystem
import Synchronization

/// Writes a saved plan, piece by piece: what the source answered, what was told of records, and at its end the rest.
///
/// It is written beside the place where it is to stand, and takes that place as a whole.
package final class PlanFileWriter: Sendable {
    private struct State {
        var end: Int
        var events: [UInt8] = []
        var failure: SyncError?
        var hidesData = false
    }

    private let path: String
    private let redactor: Redactor
    private let file: ByteFile
    private let state: Mutex<State>
    private var partPath: String { path + Self.ending }
    private static let ending = ".part"

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: Where the plan is to stand; an earlier plan there is replaced.
    ///   - head: What it says of itself.
    ///   - secrets: Texts that it must not hold.
    /// - Throws: ``SyncError`` where it cannot be written, or something else stands there.
    package init(_ path: String, _ head: PlanHead, hiding secrets: [String]) throws(SyncError) {
        if let kind = FileSystem.kind(of: path), kind != .file || !PlanFileReader.isPlan(path) {
            throw SyncError(
                .fileFailed,
                "`\(path)` exists and is no saved plan. Name another file with `--save`. No request was made.")
        }
        let magic = Array("\(PlanFrame.magic)\(PlanFrame.format)\n".utf8)
        do throws(SystemError) {
            FileSystem.remove(path + Self.ending)
            file = try ByteFile(private: path + Self.ending)
            try file.write(magic, at: 0)
        } catch { throw SyncError(.fileFailed, "The plan cannot be saved: the program \(error.description).") }
        self.path = path
        redactor = Redactor(secrets: secrets)
        state = Mutex(State(end: magic.count))
        add([(.head, head.json)])
        try check()
    }

    /// Adds frames that belong together.
    private func add(_ frames: [(kind: PlanFrame.Kind, bytes: [UInt8])]) {
        state.withLock { state in
            if state.failure != nil { return }
            do {
                for (kind, bytes) in frames { try append(kind, bytes, &state) }
            } catch { state.failure = Self.failure(error) }
        }
    }

    private static func failure(_ error: any Error) -> SyncError {
        let reason = (error as? SystemError)?.description ?? "\(error)"
        return SyncError(.fileFailed, "The plan cannot be saved: the program \(reason).")
    }

    private func append(_ kind: PlanFrame.Kind, _ bytes: [UInt8], _ state: inout State) throws {
        let packed = try Packing.packed(bytes)
        try file.write(PlanFrame.header(kind, packed: packed.count, count: bytes.count), at: state.end)
        try file.write(packed, at: state.end + PlanFrame.headerSize)
        state.end += PlanFrame.headerSize + packed.count
    }

    /// - Throws: ``SyncError`` where something could not be written.
    private func check() throws(SyncError) { if let failure = state.withLock({ $0.failure }) { throw failure } }

    // MARK: What the source answered

    /// Whether an answer repeats a secret. It is hidden there, so the answers are not what the source said, and the plan
    /// counts as one without any.
    package var hidesData: Bool { state.withLock { $0.hidesData } }

    /// Keeps an exchange; none once one of them is not what the source said.
    package func keep(_ request: RecordedRequest, _ response: RecordedResponse) throws(HTTPTrafficError) {
        if response.hidesData { state.withLock { $0.hidesData = true } }
        if hidesData { return }
        add([(.exchange, SavedExchange(request, response).json), (.body, response.body)])
        if let failure = state.withLock({ $0.failure }) { throw HTTPTrafficError(.notKept, failure.message) }
    }

    /// Keeps what a file holds. Its frames follow each other: what comes between them would be another file's.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - request: What asked for it.
    ///   - stem: What templates call it.
    /// - Throws: ``SyncError`` and `SystemError`.
    func keep(file path: String, _ request: SavedFile.Request, stem: String) throws {
        guard FileSystem.kind(of: path) == .file else {
            throw SyncError(
                .fetchFailed,
                "`\(path)` of the stream `\(request.stream)` is a pipe, which can be read only once, so its plan cannot be saved. Write it to a file first."
            )
        }
        let source = try ByteFile(reading: path)
        let name = SavedFile(request: request, name: redactor.scrub(path), stem: redactor.scrub(stem)).json
        try state.withLock { state in
            if state.failure != nil { return }
            do {
                try append(.file, name, &state)
                var offset = 0
                while true {
                    let part = try source.bytes(at: offset, count: PlanFrame.partSize)
                    if part.isEmpty { return }
                    try append(.part, part, &state)
                    offset += part.count
                }
            } catch {
                state.failure = Self.failure(error)
                throw error
            }
        }
        try check()
    }

    // MARK: What was told

    /// Keeps what was told of a record, a line of JSON.
    package func keep(event: [UInt8]) {
        let full: [UInt8]? = state.withLock { state in
            state.events += event
            state.events.append(UInt8(ascii: "\n"))
            if state.events.count < PlanFrame.partSize { return nil }
            defer { state.events = [] }
            return state.events
        }
        if let full { add([(.events, full)]) }
    }

    /// What was told so far is void and comes again.
    package func restartEvents() {
        state.withLock { $0.events = [] }
        add([(.events, Array("\(PlanFileReader.restart)\n".utf8))])
    }

    // MARK: The end

    /// Ends the file and puts it in its place.
    ///
    /// - Parameters:
    ///   - end: What is known now.
    ///   - marks: The marks of the changes.
    ///   - report: The report, as JSON.
    /// - Throws: ``SyncError`` where it cannot be written.
    package func finish(_ end: PlanEnd, marks: [UInt64], report: [UInt8]) throws(SyncError) {
        let events = state.withLock { $0.events }
        if !events.isEmpty { add([(.events, events)]) }
        for start in stride(from: 0, to: marks.count, by: PlanFrame.partSize / 8) {
            add([(.marks, marks[start...].prefix(PlanFrame.partSize / 8).flatMap(PlanFrame.bytes))])
        }
        var end = end
        end.hidesData = hidesData
        add([(.report, report), (.end, end.json)])
        try check()
        do throws(SystemError) {
            let end = state.withLock { $0.end }
            try file.write(PlanFrame.checksum(of: file, upTo: end), at: end)
            try FileSystem.rename(partPath, to: path)
        } catch { throw SyncError(.fileFailed, "The plan cannot be saved: the program \(error.description).") }
    }

    /// Leaves nothing behind.
    package func discard() { FileSystem.remove(partPath) }
}
