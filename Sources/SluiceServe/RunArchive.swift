internal import SluiceJSON
internal import SluiceModel
internal import SluiceServeModel
internal import SluiceSystem
internal import Synchronization

/// The runs of a service with their documents, each in a folder that is named by its number.
final class RunArchive: Sendable {
    private struct State {
        var runs: [ServedRun.ID: ServedRun] = [:]
        /// The numbers of each pipeline's runs, in their order.
        var numbers: [String: [ServedRun.ID]] = [:]
        var last: ServedRun.ID = 0
    }

    private let folder: String
    private let kept: Int
    private let state: Mutex<State>
    private static let fileName = "run.json"

    /// Opens the archive in a state folder.
    ///
    /// - Parameters:
    ///   - stateFolder: The folder; it is made where it is missing.
    ///   - kept: How many runs of each pipeline are kept.
    ///   - now: When those ended that ended with an earlier service.
    /// - Throws: `SystemError`, where the folder cannot be made.
    init(in stateFolder: String, keeping kept: Int, now: Int64) throws(SystemError) {
        folder = stateFolder + "/runs"
        self.kept = max(1, kept)
        try FileSystem.makeFolders(folder)
        try FileSystem.makeFolders(stateFolder + "/texts")
        var state = State()
        for name in FileSystem.names(in: folder) {
            guard let id = ServedRun.ID(name) else { continue }
            // A number is used once, also where nothing can be read of its run.
            state.last = max(state.last, id)
            guard let bytes = try? FileSystem.contents(of: "\(folder)/\(name)/\(Self.fileName)"),
                var run = ServedRun(id: id, json: bytes)
            else { continue }
            if run.outcome == nil {
                (run.outcome, run.endedAt) = (.interrupted, run.endedAt ?? now)
                run.error = "The service ended before the run did."
            }
            state.runs[id] = run
        }
        for id in state.runs.keys.sorted() { state.numbers[state.runs[id]?.pipeline ?? "", default: []].append(id) }
        self.state = Mutex(state)
    }

    /// The number of the next run.
    func nextID() -> ServedRun.ID {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Where the documents of a run go.
    func folder(of id: ServedRun.ID) -> String { "\(folder)/\(id)" }

    /// Keeps a run as it is now, and forgets old ones of the pipeline.
    func keep(_ run: ServedRun) {
        let old = state.withLock { state -> [ServedRun.ID] in
            if state.runs.updateValue(run, forKey: run.id) == nil {
                state.numbers[run.pipeline, default: []].append(run.id)
            }
            let numbers = state.numbers[run.pipeline] ?? []
            let old = numbers.prefix(max(0, numbers.count - kept)).filter { state.runs[$0]?.outcome != nil }
            for id in old { state.runs[id] = nil }
            state.numbers[run.pipeline]?.removeAll { old.contains($0) }
            return old
        }
        let path = folder(of: run.id)
        // What cannot be kept is not found later; the run is none the worse for it.
        try? FileSystem.makeFolders(path)
        if let stream = try? OutputStream(writing: path + "/new", permissions: 0o600) {
            try? stream.write(run.json)
            try? FileSystem.rename(path + "/new", to: "\(path)/\(Self.fileName)")
        }
        for id in old {
            for name in FileSystem.names(in: folder(of: id)) { FileSystem.remove("\(folder(of: id))/\(name)") }
            FileSystem.removeFolder(folder(of: id))
        }
    }

    /// A run.
    func run(_ id: ServedRun.ID) -> ServedRun? { state.withLock { $0.runs[id] } }

    /// Runs, newest first.
    func runs(of pipeline: String?, before: ServedRun.ID?, limit: Int) -> [ServedRun] {
        state.withLock { state in
            let all = pipeline.map { state.numbers[$0] ?? [] } ?? state.runs.keys.sorted()
            let older = before.map { bound in all.filter { $0 < bound } } ?? all
            return older.suffix(max(0, limit)).reversed().compactMap { state.runs[$0] }
        }
    }

    /// The run that has a number in the store.
    func run(ofStoreRun number: Int64, pipeline: String) -> ServedRun? {
        last(of: pipeline) { $0.storeRun == number }
    }

    /// The last run of a pipeline that ended.
    func lastRun(of pipeline: String) -> ServedRun? { last(of: pipeline) { $0.kind == .run && $0.outcome != nil } }

    private func last(of pipeline: String, where isMeant: (ServedRun) -> Bool) -> ServedRun? {
        state.withLock { state in
            for id in (state.numbers[pipeline] ?? []).reversed() {
                if let run = state.runs[id], isMeant(run) { return run }
            }
            return nil
        }
    }

    /// Where a document of a run is.
    func path(of document: ServedRun.Document, of id: ServedRun.ID) -> String? {
        guard run(id) != nil else { return nil }
        let path = "\(folder(of: id))/\(document.rawValue)"
        return FileSystem.kind(of: path) == .file ? path : nil
    }
}

extension ServedRun {
    /// The run as JSON.
    fileprivate var json: String {
        var members: [(String, String)] = [
            ("pipeline", FieldJSON.quoted(pipeline)), ("kind", FieldJSON.quoted(kind.rawValue)),
            ("attempt", String(attempt)), ("seconds", String((seconds * 1000).rounded() / 1000)),
        ]
        func add(_ name: String, _ number: Int64?) { if let number { members.append((name, String(number))) } }
        func add(_ name: String, _ text: String?) { if let text { members.append((name, FieldJSON.quoted(text))) } }
        add("due", due)
        add("who", who)
        add("started_at", startedAt)
        add("ended_at", endedAt)
        add("outcome", outcome?.rawValue)
        add("exit_code", exitCode.map(Int64.init))
        add("store_run", storeRun)
        add("error", error)
        if let counts {
            members += counts.told.map { ($0.name, String($0.count)) }
            if let within = counts.withinJSON { members.append(within) }
        }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}\n"
    }

    /// Reads such JSON; nil where it is none.
    fileprivate init?(id: ID, json bytes: [UInt8]) {
        guard let root = try? JSONDocument(bytes).root, let pipeline = root.text("pipeline"),
            let kind = root.text("kind").flatMap({ Kind(rawValue: $0) })
        else { return nil }
        self.init(id: id, pipeline: pipeline, kind: kind)
        attempt = root.integer("attempt").map { Int(clamping: $0) } ?? 1
        seconds = root.member(named: "seconds")?.numberText.flatMap { Double($0) } ?? 0
        due = root.integer("due")
        who = root.text("who")
        startedAt = root.integer("started_at")
        endedAt = root.integer("ended_at")
        outcome = root.text("outcome").flatMap { Outcome(rawValue: $0) }
        exitCode = root.integer("exit_code").map { Int32(clamping: $0) }
        storeRun = root.integer("store_run")
        error = root.text("error")
        // What services of earlier versions kept counts otherwise, by other names.
        if root.member(named: "insert") != nil { counts = ServedCounts(root) }
    }
}
