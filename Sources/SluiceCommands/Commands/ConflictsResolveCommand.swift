internal import SluiceReview
internal import SluiceStore
internal import SluiceStores

/// `sluice conflicts resolve`
struct ConflictsResolveCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let ids = try EntryNumbers.read(arguments.operands, noun: "conflict")
        let selection = ConflictSelection(arguments)
        if ids.isEmpty && selection.isEmpty && !arguments.has(.all) {
            throw Failure(
                .usage,
                "Name conflicts by their IDs, or choose them with `--entity`, `--field`, `--kind` or `--all`.")
        }
        if !ids.isEmpty && (!selection.isEmpty || arguments.has(.all)) {
            throw Failure(
                .usage,
                "IDs name conflicts one by one, so they cannot be combined with `--entity`, `--field`, `--kind` or `--all`."
            )
        }
        let values = OptionSpec.assignments(arguments.texts(.set))
        if (arguments.text(.take) == nil) == values.isEmpty {
            throw Failure(.usage, "Choose a value: either `--take local|remote|base` or `--set FIELD=VALUE`.")
        }
        let marks = arguments.texts(.mark)
        if !marks.isEmpty && marks.count != ids.count {
            throw Failure(.usage, "Give a `--mark` for each ID, in the same order.")
        }
        let settling = try StoreSettling(invocation)
        let open = try settling.reading.read { try $0.conflicts.list(includingClosed: false) }
        try settling.reading.checkNames(arguments, besides: open.map(\.mapping))
        let output = try invocation.openOutput()
        let batch = try settling.change { store in
            var batch = ResolutionBatch(who: invocation.user, note: arguments.text(.note))
            if ids.isEmpty {
                for entry in try store.conflicts.list(includingClosed: false)
                where settling.reading.choice.means(entry.pipeline) && selection.matches(entry)
                    && (values.isEmpty || values.contains { $0.name == entry.field })
                {
                    batch.add(entry, resolution(of: entry, values))
                }
            }
            for (place, id) in ids.enumerated() {
                guard let entry = try store.conflicts.entry(id: id) else {
                    batch.refuse(id: id, settling.reading.noConflict(id))
                    continue
                }
                if !marks.isEmpty, entry.status == .open, entry.mark != marks[place] {
                    batch.refuse(
                        id: id, "It shows something else by now than its mark was given for. Look at it again.")
                    continue
                }
                batch.add(entry, resolution(of: entry, values))
            }
            try batch.carryOut(on: store)
            return batch
        }
        return try ResolutionReport(storeOption: settling.reading.storeOption, isSelection: !selection.isEmpty)
            .write(batch, to: output, of: invocation)
    }

    private func resolution(of entry: ConflictEntry, _ values: [(name: String, value: String)]) -> Resolution {
        switch arguments.text(.take) {
        case "local": return .local
        case "remote": return .remote
        case "base": return .base
        default:
            let own = values.last { $0.name == entry.field } ?? values.last
            return .value(own?.value ?? "", field: own?.name ?? "")
        }
    }
}
