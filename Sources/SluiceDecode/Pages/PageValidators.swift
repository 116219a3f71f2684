internal import SluiceStore

/// What the pages of a stream said of their version, by which the next run asks whether they changed.
///
/// See: RFC 9110, section 8.8
package struct PageValidators: StateValue {
    /// One page, in the order in which they were read.
    package struct Page: Equatable {
        package var url: String
        package var entityTag: String?
        package var lastModified: String?
        /// How many records there were in all, as its headers said; nil where they did not.
        package var total: Int?

        /// Makes a value of its parts.
        package init(url: String, entityTag: String? = nil, lastModified: String? = nil, total: Int? = nil) {
            self.url = url
            self.entityTag = entityTag
            self.lastModified = lastModified
            self.total = total
        }
    }

    /// The definition under which the pages were read: another one may read other things of the same pages.
    package var fingerprint: String
    package var pages: [Page]

    package init(fingerprint: String, pages: [Page]) {
        self.fingerprint = fingerprint
        self.pages = pages
    }

    package init?(stateText: String) {
        let lines = stateText.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1, let first = lines.first else { return nil }
        fingerprint = String(first)
        pages = []
        for line in lines.dropFirst() {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 || parts.count == 4, !parts[0].isEmpty else { return nil }
            pages.append(
                Page(
                    url: parts[0], entityTag: parts[1].isEmpty ? nil : parts[1],
                    lastModified: parts[2].isEmpty ? nil : parts[2], total: parts.count == 4 ? Int(parts[3]) : nil))
        }
    }

    package var stateText: String? {
        let lines = pages.map { page in
            let total = page.total.map { "\t\($0)" } ?? ""
            return "\(page.url)\t\(page.entityTag ?? "")\t\(page.lastModified ?? "")\(total)"
        }
        return ([fingerprint] + lines).joined(separator: "\n")
    }
}
