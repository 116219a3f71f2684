internal import SluiceJSON
internal import SluiceModel
package import SluiceSystem

/// What a recording says of itself, in the file `recording.json`.
package struct RecordingState {
    package static let fileName = "recording.json"

    /// How far it came.
    package enum Status: String {
        /// It is being made, or whoever made it was killed.
        case recording
        case complete
        /// A stream could not be read; what was received until then is there.
        case failed
        case interrupted
    }

    package var pipeline: String
    package var status: Status
    /// Whether streams were read from where a new store begins (`--full`).
    package var isFull: Bool
    package var message: String?
    package var startedAt: String?
    package var finishedAt: String?
    package var version: String?

    package init(pipeline: String, isFull: Bool, startedAt: String, version: String) {
        self.pipeline = pipeline
        status = .recording
        self.isFull = isFull
        self.startedAt = startedAt
        self.version = version
    }

    /// Reads a recording's file; nil where there is none, or it is of another format.
    package init?(in folder: String) {
        let path = FileSystem.resolve(Self.fileName, in: folder)
        guard let bytes = try? FileSystem.contents(of: path), let root = try? JSONDocument(bytes).root,
            root.member(named: "format")?.string == RecordedExchange.format,
            let pipeline = root.member(named: "pipeline")?.string
        else { return nil }
        self.pipeline = pipeline
        status = root.member(named: "status")?.string.flatMap { Status(rawValue: $0) } ?? .recording
        isFull = root.member(named: "full")?.boolean == true
        message = root.member(named: "message")?.string
        startedAt = root.member(named: "started_at")?.string
        finishedAt = root.member(named: "finished_at")?.string
        version = root.member(named: "sluice")?.string
    }

    package func write(in folder: String) throws(SystemError) {
        let members: [(String, String?)] = [
            ("format", RecordedExchange.format), ("pipeline", pipeline), ("status", status.rawValue),
            ("message", message), ("started_at", startedAt), ("finished_at", finishedAt), ("sluice", version),
        ]
        var text = members.compactMap { name, value in value.map { "\"\(name)\":\(FieldJSON.quoted($0))" } }
        if isFull { text.append("\"full\":true") }
        try FileSystem.writePrivately(
            RecordedExchange.indented("{" + text.joined(separator: ",") + "}"),
            to: FileSystem.resolve(Self.fileName, in: folder))
    }
}
