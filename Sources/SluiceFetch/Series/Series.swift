package import SluiceDecode
package import SluiceJSON
internal import SluicePages
package import SluicePipeline

/// A series of requests: everything that is asked for one thing, once or once for each window of time.
package struct Series: Sendable {
    package let stream: StreamDefinition
    /// What stands for the variables of the requests; its partition is the thing that is asked for.
    package var values: TemplateValues
    /// What an incremental stream is asked for; nil for everything.
    package var reading: CursorRange?
    /// The paths to what identifies a record; none where its whole text does.
    package var keys: [JSONPath] = []
    /// Whether messages may quote pages.
    package let showsValues: Bool
    /// Where it begins.
    package var start = PageStart.first
    /// What it asks for changes with; nil to ask for everything.
    package var since: PageToken?
    /// What the pages of the last run said of their version.
    package var kept: [PageValidators.Page] = []

    /// Makes the series of a stream from its first page.
    package init(_ stream: StreamDefinition, _ values: TemplateValues, showsValues: Bool) {
        (self.stream, self.values, self.showsValues) = (stream, values, showsValues)
    }

    /// The windows of time; one without bounds where nothing is asked for by time.
    var windows: [CursorRange.Window?] { reading.map { $0.windows.map(Optional.some) } ?? [nil] }

    /// The stream of one window, without variables.
    func stream(in window: CursorRange.Window?, isURL: Bool) -> StreamDefinition {
        guard let window, let reading else { return stream.filled(values, isURL: isURL) }
        return stream.filled(values.within(window, of: reading), isURL: isURL)
    }

    /// What tells in a window where the rest was read before; nil where nothing does.
    func age(in window: CursorRange.Window?) -> CursorAge? {
        reading.flatMap { CursorAge($0, from: $0.isFiltered ? window?.start : nil) }
    }

    /// What is known once the pages of another window came.
    func combined(_ before: FetchedPages?, _ latest: FetchedPages) -> FetchedPages {
        var all = before ?? latest
        if before != nil { all.append(latest) }
        // The records at the bounds of windows may come twice, so a page without news is no circle.
        if windows.count > 1 { all.isPaginated = false }
        if reading?.isFiltered == true { all.coverage.filter() }
        return all
    }
}
