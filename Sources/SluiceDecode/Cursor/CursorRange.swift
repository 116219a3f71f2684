package import SluiceModel
package import SluicePipeline
internal import SluiceReport

/// What one run of an incremental stream asks for, and from where.
package struct CursorRange {
    /// A part of the time that is asked for.
    package struct Window: Equatable {
        package var start: CursorPoint?
        package var end: CursorPoint?
    }

    /// What the command line says.
    package struct Overrides: Equatable {
        package var isFull = false
        package var from: String?
        package var to: String?

        /// Makes a value of its parts.
        package init(isFull: Bool = false, from: String? = nil, to: String? = nil) {
            self.isFull = isFull
            self.from = from
            self.to = to
        }
    }

    private static let mostWindows = 100_000

    package let rule: IncrementalRule
    /// The cursor's field.
    package let field: FieldDefinition
    /// Where earlier runs ended, nil for the first one.
    package let kept: CursorPoint?
    /// Where a run as usual begins while the cursor stays where it is; nil for the beginning.
    let usualStart: CursorPoint?
    package let windows: [Window]
    /// Whether something is left out that an unfiltered run would read, so that what is not seen is not gone.
    package let isFiltered: Bool
    /// Whether this run says where the next one begins.
    let advances: Bool
    /// When the run began; no cursor is later.
    package let now: CursorPoint?

    package var start: CursorPoint? { windows.first?.start }
    package var end: CursorPoint? { windows.last?.end }
    /// How requests write points.
    package var text: CursorText {
        CursorText(
            format: rule.format ?? field.format ?? (field.type == .date ? "date" : nil), timezone: field.timezone)
    }

    /// Decides what a run asks for.
    ///
    /// - Parameters:
    ///   - rule: The stream's rule.
    ///   - field: The cursor's field.
    ///   - kept: Where earlier runs ended, as it was kept.
    ///   - overrides: What the command line says.
    ///   - startedAt: When the run began, RFC 3339.
    /// - Throws: ``SyncError`` where the overrides cannot be followed.
    package init(
        _ rule: IncrementalRule, field: FieldDefinition, kept: String?, overrides: Overrides, startedAt: String
    ) throws {
        self.rule = rule
        self.field = field
        let isTime = field.type != .int
        let now = isTime ? CursorPoint(FieldValue(startedAt)) : nil
        self.now = now
        self.kept = kept.flatMap { Self.point($0, field.type) }
        let initial = try rule.initialJSON.flatMap {
            CursorPoint(try Self.stated($0, of: field))
        }
        let (from, to) = try Self.bounds(overrides, field)
        advances = from == nil && to == nil
        var usual = initial
        if let kept = self.kept {
            let lookback = -(rule.lookback.components.seconds + (rule.lookback.components.attoseconds > 0 ? 1 : 0))
            let last = kept.advanced(bySeconds: lookback)
            usual = initial.map { max($0, last) } ?? last
        }
        usualStart = usual
        let start = from ?? (overrides.isFull ? initial : usual)
        if let start, let to { try Self.require(to, notBefore: start, field) }
        var end = to ?? now
        if let last = end, let start, last < start { end = start }
        isFiltered = start != initial || to != nil
        windows = try Self.windows(from: start, to: end, rule)
    }

    /// A value that the pipeline states, as the store writes it or as the source does.
    static func stated(_ json: String, of field: FieldDefinition) throws -> FieldValue {
        var plain = field
        plain.formats = []
        if let constant = try? ConstantReader().read(json, for: plain) { return constant.value }
        return try ConstantReader().read(json, for: field).value
    }

    private static func windows(
        from start: CursorPoint?, to end: CursorPoint?, _ rule: IncrementalRule
    ) throws -> [Window] {
        guard let step = rule.step, let start, let end else { return [Window(start: start, end: end)] }
        let seconds = max(1, step.components.seconds)
        var windows: [Window] = []
        var next = start
        repeat {
            let stop = min(next.advanced(bySeconds: seconds), end)
            windows.append(Window(start: next, end: stop))
            if windows.count > mostWindows {
                throw SyncError(
                    .invalidPipeline,
                    "`step` makes more than \(mostWindows) windows of the time since \(start.text(.datetime)). Make it longer, or begin later with `initial_value`."
                )
            }
            next = stop
        } while next < end
        return windows
    }

    /// The point that a text stands for which is written as a field of a type is stored.
    package static func point(_ text: String, _ type: FieldType) -> CursorPoint? {
        type == .int ? Int64(text).map { .count($0) } : CursorPoint(FieldValue(text))
    }

    /// What the command line says of a field's values.
    ///
    /// - Throws: ``SyncError`` where that is no value of the field, or leaves nothing to ask for.
    package static func bounds(_ overrides: Overrides, _ field: FieldDefinition) throws -> (
        from: CursorPoint?, to: CursorPoint?
    ) {
        let from = try overrides.from.map { try bound($0, "--from", field) }
        let to = try overrides.to.map { try bound($0, "--to", field) }
        if let from, let to { try require(to, notBefore: from, field) }
        return (from, to)
    }

    private static func require(_ to: CursorPoint, notBefore start: CursorPoint, _ field: FieldDefinition) throws {
        if start <= to { return }
        throw SyncError(
            .invalidPipeline,
            "`\(field.name)` has nothing between \(start.text(field.type)) and \(to.text(field.type)): `--to` comes before `--from`."
        )
    }

    private static func bound(_ text: String, _ option: String, _ field: FieldDefinition) throws -> CursorPoint {
        if let point = point(text, field.type) { return point }
        // Texts that order records are times.
        let example = field.type.example ?? "2026-12-24T10:00:00Z"
        throw SyncError(
            .invalidPipeline,
            "`\(option) \(text)` is not a valid value of `\(field.name)`, which is `\(field.type.rawValue)`; for example `\(option) \(example)`."
        )
    }
}
