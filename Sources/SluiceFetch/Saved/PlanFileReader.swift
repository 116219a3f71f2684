internal import SluiceGzip
package import SluiceHTTP
internal import SluiceJSON
package import SluiceReport
internal import SluiceSystem
import Synchronization

/// A saved plan: what its source answered, what it told of records, and what it says of itself.
package final class PlanFileReader: Sendable {
    /// A line among events: what was told before it is void.
    static let restart = "restart"

    private struct Answer: Sendable {
        let exchange: SavedExchange
        let body: PlanFrame
    }

    /// What it says of itself.
    package let head: PlanHead
    /// What it said once it was made.
    package let end: PlanEnd
    /// The marks of its changes.
    package let marks: [UInt64]
    private let path: String
    private let file: ByteFile
    private let answers: [Recording.Key: [Answer]]
    private let files: [(file: SavedFile, parts: [PlanFrame])]
    private let events: [PlanFrame]
    private let reportFrame: PlanFrame
    private let used = Mutex<[Recording.Key: Int]>([:])
    /// The folder that files are written to for reading; nil where none was.
    private let folder = Mutex<String?>(nil)

    /// Whether a file is a saved plan, of whatever format.
    package static func isPlan(_ path: String) -> Bool {
        guard let file = try? ByteFile(reading: path), let start = try? file.bytes(at: 0, count: magicSize) else {
            return false
        }
        return start == Array(PlanFrame.magic.utf8)
    }

    private static var magicSize: Int { PlanFrame.magic.utf8.count }

    /// Opens a saved plan. Its check sum is looked at before anything else of it.
    ///
    /// - Throws: ``SyncError`` where it cannot be read, is none, is damaged or was saved by a program of another format.
    package init(_ path: String) throws(SyncError) {
        self.path = path
        do {
            let file = try ByteFile(reading: path)
            self.file = file
            let contents = try Contents(file, path)
            (head, end, marks) = (contents.head, contents.end, contents.marks)
            (events, reportFrame) = (contents.events, contents.report)
            files = contents.files
            answers = Dictionary(
                grouping: contents.answers.map { Answer(exchange: $0, body: $1) }
            ) { Recording.Key($0.exchange.request) }
        } catch let error as SyncError {
            throw error
        } catch let error as SystemError {
            throw SyncError(
                .fileFailed, "The plan `\(error.path)` cannot be read: \(error.reason). Check how the path is written.")
        } catch {
            throw Self.damaged(path)
        }
    }

    deinit {
        guard let folder = folder.withLock({ $0 }) else { return }
        for path in FileSystem.matches(of: FileSystem.escaped(folder) + "/*") { FileSystem.remove(path) }
        FileSystem.removeFolder(folder)
    }

    private static func damaged(_ path: String) -> SyncError {
        SyncError(
            .fileFailed,
            "The plan `\(path)` is damaged or was not written to its end. Make it again with `sluice plan --save`.")
    }

    /// Whether it holds what the source answered. Without that, the source is asked again to carry it out.
    package var keepsAnswers: Bool { head.keepsAnswers && !end.hidesData }

    // MARK: Answers

    /// What answers requests in the place of their source.
    package var replayer: HTTPReplayer {
        HTTPReplayer { [self] request throws(HTTPTrafficError) in try answer(request) }
    }

    private func answer(_ request: RecordedRequest) throws(HTTPTrafficError) -> RecordedResponse {
        let key = Recording.Key(request)
        let known = answers[key] ?? []
        let count = used.withLock { used in
            defer { used[key, default: 0] += 1 }
            return used[key] ?? 0
        }
        guard count < known.count else {
            throw HTTPTrafficError(
                .notPlanned,
                "the plan `\(path)` has no answer to `\(request.method) \(request.comparedURL)`: the store has changed so that a run would ask for something else. Make a new plan."
            )
        }
        let answer = known[count]
        do {
            return RecordedResponse(
                status: answer.exchange.status, httpVersion: answer.exchange.httpVersion,
                headers: answer.exchange.headers, body: try answer.body.bytes(of: file))
        } catch { throw HTTPTrafficError(.notRecorded, "the plan `\(path)` is damaged.") }
    }

    /// The files that a stream asked for, written to where they can be read again until this value is gone.
    ///
    /// - Returns: For each its name, its stem and where it is now; nil where the plan did not ask for them, or found none.
    /// - Throws: ``SyncError`` and `SystemError`.
    func files(of request: SavedFile.Request) throws -> [(name: String, stem: String, path: String)]? {
        var found: [(String, String, String)] = []
        for (index, saved) in files.enumerated() where saved.file.request == request {
            let path = FileSystem.resolve("\(index)", in: try makeFolder())
            let copy = try ByteFile(private: path)
            var offset = 0
            for part in saved.parts {
                guard let bytes = try? part.bytes(of: file) else { throw Self.damaged(self.path) }
                try copy.write(bytes, at: offset)
                offset += bytes.count
            }
            found.append((saved.file.name, saved.file.stem, path))
        }
        return found.isEmpty ? nil : found
    }

    private func makeFolder() throws -> String {
        try folder.withLock { folder in
            if let folder { return folder }
            let made = try FileSystem.makeTemporaryFolder()
            folder = made
            return made
        }
    }

    // MARK: What it shows

    /// The report, as JSON.
    ///
    /// - Throws: ``SyncError`` where it is damaged.
    package func report() throws(SyncError) -> [UInt8] {
        do { return try reportFrame.bytes(of: file) } catch { throw Self.damaged(path) }
    }

    /// Goes through what was told of records.
    ///
    /// - Parameter body: Is given each line.
    /// - Throws: ``SyncError`` where it is damaged, and what `body` throws.
    package func forEachEvent(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        let last = try events.lastIndex { try $0.count < 16 && isRestart($0) } ?? -1
        for frame in events[(last + 1)...] {
            guard let bytes = try? frame.bytes(of: file) else { throw Self.damaged(path) }
            for line in bytes.split(separator: UInt8(ascii: "\n")) { try body(line) }
        }
    }

    private func isRestart(_ frame: PlanFrame) throws -> Bool {
        guard let bytes = try? frame.bytes(of: file) else { throw Self.damaged(path) }
        return bytes == Array("\(Self.restart)\n".utf8)
    }
}

/// What the frames of a file are.
private struct Contents {
    struct Damaged: Error {}

    var head: PlanHead
    var end: PlanEnd
    var marks: [UInt64] = []
    var answers: [(SavedExchange, PlanFrame)] = []
    var files: [(file: SavedFile, parts: [PlanFrame])] = []
    var events: [PlanFrame] = []
    var report: PlanFrame

    init(_ file: ByteFile, _ path: String) throws {
        var position = try Self.skipMagic(file, path)
        try Self.requireChecksum(of: file)
        var (head, end): (PlanHead?, PlanEnd?) = (nil, nil)
        var report: PlanFrame?
        var exchange: SavedExchange?
        var (marks, answers, files, events) = (self.marks, self.answers, self.files, self.events)
        while end == nil {
            let frame = try PlanFrame(file, at: position)
            position = frame.offset + frame.packedCount
            switch frame.kind {
            case .head: head = PlanHead(try frame.root(of: file))
            case .exchange: exchange = SavedExchange(try frame.root(of: file))
            case .body:
                guard let known = exchange else { throw Damaged() }
                answers.append((known, frame))
                exchange = nil
            case .file:
                guard let saved = SavedFile(try frame.root(of: file)) else { throw Damaged() }
                files.append((saved, []))
            case .part:
                if files.isEmpty { throw Damaged() }
                files[files.count - 1].parts.append(frame)
            case .marks:
                let bytes = try frame.bytes(of: file)
                for start in stride(from: 0, to: bytes.count - 7, by: 8) {
                    marks.append(PlanFrame.number(bytes[start..<start + 8]))
                }
            case .events: events.append(frame)
            case .report: report = frame
            case .end: end = PlanEnd(try frame.root(of: file))
            }
        }
        guard let head, let end, let report else { throw Damaged() }
        (self.head, self.end, self.report) = (head, end, report)
        (self.marks, self.answers, self.files, self.events) = (marks, answers, files, events)
    }

    private static func requireChecksum(of file: ByteFile) throws {
        let end = file.byteCount - PlanFrame.checksumSize
        guard end > 0,
            try PlanFrame.checksum(of: file, upTo: end) == file.bytes(at: end, count: PlanFrame.checksumSize)
        else { throw Damaged() }
    }

    private static func skipMagic(_ file: ByteFile, _ path: String) throws -> Int {
        let start = try file.bytes(at: 0, count: 32)
        let magic = Array(PlanFrame.magic.utf8)
        guard start.starts(with: magic), let end = start.firstIndex(of: UInt8(ascii: "\n")),
            let format = Int(String(decoding: start[magic.count..<end], as: UTF8.self))
        else {
            throw SyncError(.planRefused, "`\(path)` is no plan that `sluice plan --save` wrote. Nothing was done.")
        }
        if format != PlanFrame.format {
            let isNewer = format > PlanFrame.format
            throw SyncError(
                .planRefused,
                "The plan `\(path)` was saved by \(isNewer ? "a newer" : "an older") sluice, whose format this one does not read. \(isNewer ? "Update sluice" : "Make it again with `sluice plan --save`"). Nothing was done."
            )
        }
        return end + 1
    }
}

extension PlanFrame {
    /// Reads what stands before a frame's bytes.
    fileprivate init(_ file: ByteFile, at position: Int) throws {
        let header = try file.bytes(at: position, count: Self.headerSize)
        guard header.count == Self.headerSize, let kind = Kind(rawValue: header[0]) else { throw Contents.Damaged() }
        let (packed, count) = (Self.number(header[1..<9]), Self.number(header[9..<17]))
        guard packed <= UInt64(Self.largest), count <= UInt64(Self.largest),
            UInt64(file.byteCount) >= UInt64(position + Self.headerSize) + packed
        else { throw Contents.Damaged() }
        self.init(
            kind: kind, offset: position + Self.headerSize, packedCount: Int(packed), count: Int(count))
    }

    /// A frame's bytes.
    fileprivate func bytes(of file: ByteFile) throws -> [UInt8] {
        // Nothing packs more than a thousandfold.
        if count > (packedCount + 1) * 1100 { throw Contents.Damaged() }
        return try Packing.unpacked(file.bytes(at: offset, count: packedCount), count: count)
    }

    fileprivate func root(of file: ByteFile) throws -> JSONValue { try JSONDocument(bytes(of: file)).root }
}
