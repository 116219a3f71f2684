internal import SluiceModel
package import SluicePipeline

/// How a cursor is written in requests.
package struct CursorText {
    private let format: TimeFormat
    /// How many seconds east of UTC the times are that say nothing of it.
    private let offset: Int64

    /// - Parameters:
    ///   - format: A field's `format`.
    ///   - timezone: The field's `timezone`: what is read by it is written by it.
    package init(format: String?, timezone: String? = nil) {
        self.format = TimeFormat(format)
        offset = timezone.flatMap { Timestamp.offset($0) }.map(Int64.init) ?? 0
    }

    /// Whether it writes digits alone.
    package var isNumeric: Bool { format == .unix || format == .unixMilliseconds }

    /// The text of a point.
    ///
    /// - Parameters:
    ///   - point: What to write.
    ///   - filter: What the template asks for instead of the format, nil for none.
    /// - Returns: The text; for a count its digits.
    package func text(_ point: CursorPoint, filter: TemplateVariable.Filter? = nil) -> String {
        guard case .moment(let moment) = point else { return point.text(.int) }
        let wanted: TimeFormat =
            switch filter {
            case nil: format
            case .unix: .unix
            case .unixMilliseconds: .unixMilliseconds
            case .date: .date
            }
        guard offset != 0, !wanted.statesZone else { return moment.text(wanted) }
        guard case .moment(let shown) = point.advanced(bySeconds: offset) else { return moment.text(wanted) }
        return shown.text(wanted)
    }
}
