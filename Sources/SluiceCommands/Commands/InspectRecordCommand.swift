internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore
internal import SluiceSystem

/// `sluice inspect record`: all that the store knows of one record.
struct InspectRecordCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let (entity, key) = (arguments.operands[0], arguments.operands[1])
        if key.hasSuffix(","), arguments.storePaths.first?.contains("=") ?? false {
            let whole = ([key] + arguments.storePaths).joined(separator: " ")
            throw Failure(
                .usage,
                "A key with blanks is put in quotes: `sluice inspect record \(entity) \(ShellWord.quoted(whole))`."
            )
        }
        if let path = arguments.storePaths.first(where: Self.isValue) {
            throw Failure(
                .usage,
                "There is no pipeline file `\(path)`. A key of several fields is one word, as in `FIELD=VALUE,FIELD=VALUE`: `sluice inspect record \(entity) \(ShellWord.quoted(key))` says its fields."
            )
        }
        let reading = try StoreReading(invocation)
        try reading.checkNames(arguments)
        let lives: [RecordLife]
        do {
            lives = try reading.read { store in
                try store.spellKeys()
                return try RecordInspector(store: store).lives(
                    entity: entity, key: key, pipelines: reading.pipelines(arguments))
            }
        } catch KeyProblem.entity(let known) {
            throw unknown(entity, known.map(\.entity), reading)
        } catch KeyProblem.key(let expected, let example) {
            let words = example.map { ", for example `\(ShellWord.quoted($0))`" } ?? ""
            throw Failure(.usage, "The key of \(entity) is given as \(expected)\(words); `\(key)` does not fit.")
        }
        if lives.isEmpty {
            throw Failure(.failed, "The \(reading.choice.name) knows no \(entity) `\(key)`.")
        }
        let output = try invocation.openOutput()
        if arguments.isJSON {
            try output.write(RecordLifeJSON.text(lives, store: reading.choice.url))
        } else {
            let view = RecordLifeText(style: invocation.style(for: output), storeOption: reading.storeOption)
            try output.write(lives.map(view.text).joined(separator: "\n"))
        }
        try output.finish()
        return .done
    }

    /// Whether what stands in the place of a pipeline file rather is a further value of a key.
    private static func isValue(_ path: String) -> Bool {
        !path.hasSuffix(".yaml") && !path.hasSuffix(".yml") && !FileSystem.isPattern(path)
            && FileSystem.kind(of: path) == nil
    }

    private func unknown(_ entity: String, _ known: [String], _ reading: StoreReading) -> Failure {
        if known.isEmpty {
            let owner = reading.owner(arguments)
            return Failure(.failed, "The \(reading.choice.name) has no records\(owner) yet.")
        }
        return reading.unknown("entity", entity, among: known)
    }
}
