internal import SluiceModel
package import SluicePipeline

/// How a cursor is written in requests.
package struct CursorText {
    private let format: TimeFormat

    /// - Parameter format: A field's `format`.
    package init(format: String?) { self.format = TimeFormat(format) }

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
        return moment.text(wanted)
    }
}
