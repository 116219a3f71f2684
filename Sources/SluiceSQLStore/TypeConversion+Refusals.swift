internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// What stands against another type, with its ways out.
extension TypeConversion {
    /// Refuses several columns at once, so that nobody learns of them one by one.
    ///
    /// - Parameter targets: The columns.
    /// - Throws: ``StoreError`` where several have values that cannot pass, and what the database throws.
    func requirePassage(_ targets: [Target]) throws {
        var refusals: [StoreError] = []
        for target in targets where !target.isOfChoices {
            let keys = try registry.keySlots(of: EntityRegistry.name(target.sources[0].mapping))
            var lost = LostValues()
            var count = 0
            try eachValue(of: target) { found, key in
                count += 1
                if passed(found, target) != nil { return }
                lost.record(
                    FieldJSON.text(found, type: target.before.type),
                    of: RefusedRows.key(keys.map { ($0.field, $0.type) }, key), nearest: nearest(found, target))
            }
            if lost.count > 0 {
                refusals.append(refusal(target, lost, of: count, entity: target.sources[0].mapping.entity))
            }
        }
        if refusals.count > 1, let all = StoreError.together(refusals) { throw all }
    }

    /// Values that cannot pass without loss.
    struct LostValues {
        private(set) var count = 0
        private(set) var first: [String] = []
        /// The records of these.
        private(set) var keys: [String] = []
        /// A digest of all of them with their rows, in whatever order.
        private(set) var digest: UInt64 = 0

        /// - Parameters:
        ///   - value: The value as JSON.
        ///   - key: The record that has it.
        ///   - nearest: What it would be in the new type; nil where it is none of that type.
        mutating func record(_ value: String, of key: String, nearest: String? = nil) {
            count += 1
            digest &+= FieldDigest.text(Array("\(key) \(value)".utf8))
            let loss = nearest.map { " (would become \($0))" } ?? ""
            if first.count < 5 {
                first.append("\(Self.short(value)) in \(key)\(loss)")
                keys.append(key)
            }
        }

        /// A value as messages show it.
        static func short(_ value: String) -> String { value.count > 40 ? value.prefix(40) + "…" : value }
    }

    /// The refusal of a column.
    ///
    /// - Parameters:
    ///   - target: The column.
    ///   - lost: Its values that cannot pass.
    ///   - count: How many values it has.
    ///   - entity: What its rows are records of.
    /// - Returns: The error, with the ways out.
    func refusal(_ target: Target, _ lost: LostValues, of count: Int, entity: String) -> StoreError {
        let name = target.now.name
        // Where the value stands in records is known of a field that was not renamed.
        let type = target.now.type.rawValue + (target.now.type == .enumeration ? ", values: […]" : "")
        let beside =
            target.now.formerNames.isEmpty
            ? "\(name)_2: {from: \(name), type: \(type)}" : "\(name)_2: {type: \(type), from: …}"
        let more = lost.count > lost.first.count ? " and \(lost.count - lost.first.count) more" : ""
        let them = Plural.word(lost.count, "it", "them")
        let values = "\(lost.count) of the \(count) values of the column `\(target.column)` of `\(target.table)`"
        func words(_ lost: [String]) -> String {
            let list = lost.joined(separator: ", ") + more
            if undone != nil {
                return
                    "\(values) cannot become \(target.now.type.rawValue) again without loss: \(list). Correct \(them) in the table, and undo the run then."
            }
            return
                "`\(name)` of `\(entity)` is now \(target.now.type.rawValue), and \(values), which is \(target.before.type.rawValue), cannot become one without loss: \(list). \(Self.textsOfTimes(target))Run once with `--allow-schema quarantine`, which keeps \(them) in the quarantine and leaves the column null until the source or somebody gives a value, or correct \(them) in the table, or put `type` of `\(name)` back and add a field of the new type beside it, such as `\(beside)`."
        }
        return StoreError(
            .mismatch, words(lost.first), plain: words(lost.keys),
            about: undone == nil ? PipelineKey(.type(field: name), of: entity) : nil)
    }

    /// Why texts that the source's `format` reads do not pass.
    private static func textsOfTimes(_ target: Target) -> String {
        let example: String
        switch target.now.type {
        case .datetime: example = "2026-12-01T00:00:00Z"
        case .date: example = "2026-12-01"
        default: return ""
        }
        if target.before.type != .string { return "" }
        return
            "Of stored texts, only those pass that are written like \"\(example)\": `format` and `timezone` are for what the source says. "
    }
}
