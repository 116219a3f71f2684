package import SluiceDecode
package import SluiceHTTP
internal import SluicePages
package import SluicePipeline

/// Whether what leads to a page merely counts pages or records, as `?page=2` and `?offset=100` do.
///
/// A record that goes while such pages are read shifts another one past the reader, whoever does the counting: the
/// pipeline, or the source in its links. In doubt a place is taken for a counted one, since that only makes a delete wait
/// for a further scan.
package enum CountedPlace {
    /// Words of names for a place that says which record it stands behind.
    private static let keys: Set<String> = [
        "after", "before", "bookmark", "continuation", "cursor", "marker", "scroll", "seek", "token",
    ]

    /// Words of names for a place that is counted.
    private static let counts: Set<String> = [
        "at", "current", "from", "idx", "index", "no", "num", "number", "offset", "p", "page", "pages", "pg", "row",
        "skip", "start",
    ]

    /// The most digits of a number that is read as a count; longer ones are keys or times.
    private static let mostDigits = 9

    /// Whether a link counts.
    ///
    /// - Parameters:
    ///   - link: The URL of the next page.
    ///   - page: The URL of the page that has it.
    ///   - pages: How many pages were read, that one included.
    /// - Returns: Whether something that tells the two apart is a number that counts, and nothing of it a key.
    package static func isCounted(_ link: HTTPURL, after page: HTTPURL, pages: Int) -> Bool {
        let parameters = link.parameters
        let before = page.parameters
        let changed = parameters.filter { parameter in
            !before.contains { $0.name == parameter.name && $0.value == parameter.value }
        }
        if changed.contains(where: { isKey($0.name) }) { return false }
        // A record's place is the page's size, times the number of pages.
        let sizes = parameters.filter { NameWords.areOfSize($0.name) }.compactMap { count($0.value) }
        if changed.contains(where: { isCounted($0.value, named: $0.name, pages: pages, sizes: sizes) }) { return true }
        return changed.isEmpty && pathCounts(link, after: page, pages: pages)
    }

    /// Whether a value that requests the next page counts.
    ///
    /// - Parameters:
    ///   - value: The value, as it is sent.
    ///   - name: The parameter that takes it; in a body it may be a path, such as `variables.page`.
    ///   - pages: How many pages were read.
    ///   - sizes: How many records a page may have been asked for.
    /// - Returns: Whether it is a number under the name of a count, or just the next one.
    package static func isCounted(_ value: String, named name: String, pages: Int, sizes: [Int] = []) -> Bool {
        let name = name.split(separator: ".").last.map(String.init) ?? name
        guard let number = count(value), !isKey(name), !NameWords.areOfSize(name) else { return false }
        let words = NameWords.of(name)
        if !words.isEmpty, words.allSatisfy(counts.contains) { return true }
        return isNext(number, pages)
            || sizes.contains { $0 > 0 && $0.multipliedReportingOverflow(by: pages) == (number, false) }
    }

    /// Whether the last segment of a path is the next number, as in `/items/page/2`.
    private static func pathCounts(_ link: HTTPURL, after page: HTTPURL, pages: Int) -> Bool {
        let (next, last) = (segments(link), segments(page))
        guard let number = next.last.flatMap({ count(String($0)) }), isNext(number, pages), next != last else {
            return false
        }
        return next.dropLast() == last.dropLast() || next.dropLast().dropLast() == last[...]
    }

    private static func segments(_ url: HTTPURL) -> [Substring] {
        url.text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    private static func isKey(_ name: String) -> Bool { NameWords.of(name).contains(where: keys.contains) }

    /// Pages are counted from 0 or from 1.
    private static func isNext(_ number: Int, _ pages: Int) -> Bool { number == pages || number == pages + 1 }

    private static func count(_ text: String) -> Int? {
        guard 1...mostDigits ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}

extension PageToken {
    /// Whether the place where the reading goes on is counted, so that records may have shifted past it meanwhile.
    ///
    /// - Parameters:
    ///   - paginator: What leads from page to page.
    ///   - page: The URL of the page that leads there; nil where it is not known any more.
    /// - Returns: True also where that cannot be told.
    package func isCounted(by paginator: StreamDefinition.Paginator, after page: HTTPURL? = nil) -> Bool {
        let requester = paginator.requester
        if requester.isCounted { return true }
        switch lead {
        case .start: return false
        case .value(let value):
            // A record's own key is no count, whatever it looks like.
            guard let name = requester.valueParameter, !requester.needs.contains(.lastRecord) else { return false }
            return CountedPlace.isCounted(value.plain, named: name, pages: pages)
        case .link(let text):
            guard let link = try? HTTPURL(SecretMarks.blank(text)) else { return true }
            let before = page ?? link.removing(parameters: Set(link.parameters.map(\.name)))
            return CountedPlace.isCounted(link, after: before, pages: pages)
        }
    }
}
