package import SluiceDecode
internal import SluiceJSON
internal import SluicePipeline

/// Tells where a source that gives the newest records first comes to what was read before.
package struct CursorAge {
    private let path: JSONPath
    private let start: CursorPoint
    private let converter: ValueConverter

    /// Nil where nothing tells it.
    package init?(_ reading: CursorRange, from start: CursorPoint?) {
        guard reading.rule.order == .descending, let start, case .path(let path) = reading.field.origin else {
            return nil
        }
        self.path = path
        self.start = start
        converter = ValueConverter(reading.field)
    }

    /// Whether a page ends with a record that is older than what is asked for.
    func isOld(_ page: PageView) -> Bool {
        guard let element = page.lastRecord?.element(at: path), !element.isNull,
            let value = try? converter.value(of: element).value, let point = CursorPoint(value)
        else { return false }
        return point < start
    }
}
