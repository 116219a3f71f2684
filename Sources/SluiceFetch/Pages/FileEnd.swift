internal import SluiceDecode
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// The files of a stream, and what they say themselves of further pages: a file may be one page that somebody saved of
/// many.
struct FileEnd {
    /// A page of a source is not larger; what is, is an export.
    private static let largestPage = 16 << 20

    /// A page that says that the files are not the whole.
    struct Contradiction {
        let page: String
        let sign: PageSign
    }

    /// What says that there are further pages; nil where nothing does, or where one of the files is no page.
    private(set) var contradiction: Contradiction?
    /// The first page that says that errors kept it from giving all of its data.
    private(set) var pageInError: String?

    /// Looks at the files.
    ///
    /// - Parameters:
    ///   - pages: The files.
    ///   - stream: Their stream.
    ///   - reading: How its records are found.
    ///   - cancellation: Ends it.
    /// - Throws: `CancelledError`. Of a file that cannot be read nothing is known: decoding says what is wrong with it.
    init(_ pages: [Page], of stream: StreamDefinition, reading: RecordsReading, _ cancellation: Cancellation) throws {
        // Around records that are the whole of a file there is nothing that could say something.
        guard stream.format == .json, stream.records != nil || stream.recordsProgram != nil,
            pages.allSatisfy(Self.mayBePage)
        else { return }
        var totals = PageTotals()
        var leads: [Contradiction] = []
        var rest: Contradiction?
        var end = PageEnd(stream: stream, head: nil)
        for page in pages {
            try cancellation.check()
            let index = PageIndex(page, reading: reading, keeping: [])
            guard let outline = try? PageOutline(index, stream: stream) else { return }
            if outline.envelope.isInError { pageInError = pageInError ?? page.name }
            end.outline = outline
            for total in end.totals { totals.record(total) }
            totals.add(outline.recordCount)
            if let sign = end.next { leads.append(Contradiction(page: page.name, sign: sign)) }
            rest = rest ?? outline.rest.map { Contradiction(page: page.name, sign: $0) }
        }
        (end.pages, end.records, end.told) = (pages.count, totals.listed, totals)
        // The pages of one source lead to each other, and the last one leads nowhere.
        if leads.count == pages.count {
            contradiction = leads.last
        } else if let last = pages.last, let sign = end.pageTotal ?? end.recordTotal {
            contradiction = Contradiction(page: last.name, sign: sign)
        } else {
            contradiction =
                rest ?? pages.last.flatMap { last in end.fullPage.map { Contradiction(page: last.name, sign: $0) } }
        }
    }

    /// Whether a file can be one of several pages. A pipe cannot be read twice, but what was copied of it can.
    private static func mayBePage(_ page: Page) -> Bool {
        switch page.content {
        case .part(_, _, let count): return count <= largestPage
        case .file(let path):
            guard FileSystem.kind(of: path) == .file else { return false }
            return FileSystem.size(of: path).map { $0 <= largestPage } ?? false
        }
    }
}
