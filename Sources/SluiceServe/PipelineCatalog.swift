internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceServeModel
internal import SluiceSystem

/// The pipelines that are served, each by the last text of its file that had no errors.
struct PipelineCatalog {
    /// A pipeline.
    struct Entry {
        let definition: PipelineDefinition
        let store: ServedStore
        /// The file with its texts, see `PipelineTexts`.
        let texts: String
        /// Its file, with the problems of its present text.
        var file: ServedFile
        /// Whether the present text has errors.
        var isOutdated = false
        /// What held before its schedule, which is not the same, until that is decided on.
        var change: Change?

        /// What its schedule was, which may be none, and when the present one was read, by a clock that nobody sets.
        struct Change {
            let earlier: Schedule?
            let readAt: Double
        }
    }

    private let settings: ServeSettings
    private let program: any ServeProgram
    private let folder: String
    /// The pipelines by their names.
    private(set) var entries: [String: Entry] = [:]
    /// Files that have errors and no version without.
    private(set) var brokenFiles: [ServedFile] = []
    /// What was looked at, and how it was.
    private var seen: [String: [Int]?] = [:]
    /// How it was at the last look; it is read again once it stays as it is.
    private var changing: [String: [Int]?]?

    init(_ settings: ServeSettings, _ program: any ServeProgram) {
        (self.settings, self.program) = (settings, program)
        folder = settings.stateFolder + "/texts"
    }

    /// Whether files have changed since they were read, and not since the last look.
    mutating func isStale() -> Bool {
        let now = Self.versions(of: seen.keys + PipelineLocator.locate(settings.paths).0)
        defer { changing = now == seen ? nil : now }
        return now != seen && changing.map { $0 == now } ?? false
    }

    /// The pipelines whose files are not there at the moment.
    var missing: Set<String> {
        Set(entries.filter { FileSystem.version(of: $0.value.file.path) == nil }.keys)
    }

    /// Notes that the present schedule of a pipeline is the one that is decided by.
    mutating func settleChange(of name: String) { entries[name]?.change = nil }

    private static func versions(of paths: some Sequence<String>) -> [String: [Int]?] {
        Dictionary(paths.map { ($0, FileSystem.version(of: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads all files.
    mutating func read() {
        let (files, missing) = PipelineLocator.locate(settings.paths)
        // How they are before they are read: what changes meanwhile is seen later.
        let before = Self.versions(of: Array(seen.keys) + files)
        var paths = Set(files)
        var found: [String: Entry] = [:]
        brokenFiles = missing.map { ServedFile(path: $0.location?.file ?? "", problems: [$0]) }
        for file in files {
            let texts = PipelineTexts()
            let (definition, problems) = program.load(file, texts)
            paths.formUnion(texts.paths)
            var served = ServedFile(path: file, problems: problems)
            let earlier = entries.values.first { $0.file.path == file }
            if let definition, let entry = accept(definition, &served, found, texts) {
                found[definition.name] = entry
            } else if var entry = earlier ?? keptEntry(of: file), found[entry.definition.name] == nil {
                (entry.file, entry.isOutdated) = (served, true)
                found[entry.definition.name] = entry
            } else {
                brokenFiles.append(served)
            }
        }
        for problem in program.disagreements(of: found.values.map(\.definition).sorted { $0.name < $1.name }) {
            guard let name = found.first(where: { $0.value.file.path == problem.location?.file })?.key else { continue }
            found[name]?.file.problems.append(problem)
        }
        let kept = Set(found.values.map(\.texts))
        for entry in entries.values where !kept.contains(entry.texts) { FileSystem.remove(entry.texts) }
        entries = found
        seen = before.filter { paths.contains($0.key) }
        for path in paths where before[path] == nil { seen[path] = FileSystem.version(of: path) }
        changing = nil
    }

    /// The entry of a text without errors; nil where it cannot be served all the same.
    private func accept(
        _ definition: PipelineDefinition, _ file: inout ServedFile, _ found: [String: Entry], _ texts: PipelineTexts
    ) -> Entry? {
        if let other = found[definition.name] {
            file.problems.append(
                Diagnostic(
                    code: "duplicate_pipeline", summary: "Duplicate pipeline",
                    detail: "The pipeline in `\(other.file.path)` has the name `\(definition.name)` too.",
                    location: SourceLocation(file: file.path),
                    help: "The store keeps the state of a pipeline under its name, so each needs its own name."))
            return nil
        }
        switch program.store(of: definition) {
        case .failure(let problem):
            file.problems.append(problem.diagnostic)
            return nil
        case .success(let store):
            let path = textsPath(of: file.path)
            let kept = try? FileSystem.contents(of: path)
            do throws(SystemError) {
                if kept != texts.encoded {
                    try FileSystem.writePrivately(texts.encoded, to: path)
                }
            } catch {
                file.problems.append(
                    Diagnostic(
                        code: "state_failed", summary: "State not written",
                        detail: "The service cannot keep the text of the pipeline: \(error).",
                        help: "Check the state folder `\(settings.stateFolder)`."))
                return nil
            }
            var entry = Entry(definition: definition, store: store, texts: path, file: file)
            entry.change = change(to: definition, kept: kept == texts.encoded ? nil : kept)
            return entry
        }
    }

    /// That a pipeline has another schedule than before; nil where it has not, or where nobody knows.
    ///
    /// - Parameters:
    ///   - definition: The pipeline.
    ///   - kept: What an earlier service kept of its file, where that is another text.
    /// - Returns: What held before.
    private func change(to definition: PipelineDefinition, kept: [UInt8]?) -> Entry.Change? {
        let before = entries[definition.name]
        guard let schedule = definition.schedule?.pipeline.schedule,
            let earlier = before?.definition ?? kept.flatMap({ keptDefinition($0, of: definition.file) }),
            earlier.name == definition.name
        else { return nil }
        let known = earlier.schedule?.pipeline.schedule
        if known.map(schedule.isDue) ?? false { return before?.change }
        // Of several changes at once, the first one says what held until now.
        let held = before?.change.map(\.earlier) ?? known
        return Entry.Change(earlier: held, readAt: settings.clock.monotonic())
    }

    /// What was kept of a file by an earlier service.
    private func keptEntry(of file: String) -> Entry? {
        let path = textsPath(of: file)
        guard let bytes = try? FileSystem.contents(of: path), let definition = keptDefinition(bytes, of: file),
            case .success(let store) = program.store(of: definition)
        else { return nil }
        return Entry(
            definition: definition, store: store, texts: path, file: ServedFile(path: file, problems: []))
    }

    private func keptDefinition(_ bytes: [UInt8], of file: String) -> PipelineDefinition? {
        PipelineTexts(encoded: bytes).flatMap { program.load(file, $0).0 }
    }

    private func textsPath(of file: String) -> String {
        let digest = FieldDigest.text(Array(FileSystem.absolute(file).utf8))
        return "\(folder)/\(String(UInt64(digest), radix: 16))"
    }
}
