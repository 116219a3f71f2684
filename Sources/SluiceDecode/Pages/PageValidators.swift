package import SluiceHTTP
package import SluicePipeline
internal import SluiceStore
internal import SluiceSystem

/// What the pages of a stream said of their version, by which the next run asks whether they changed.
///
/// See: RFC 9110, section 8.8
package struct PageValidators: StateValue {
    /// One page, in the order in which they were read.
    package struct Page: Equatable {
        package var url: String
        var entityTag: String?
        package var lastModified: String?

        /// Makes a value of its parts.
        package init(url: String, entityTag: String? = nil, lastModified: String? = nil) {
            self.url = url
            self.entityTag = entityTag
            self.lastModified = lastModified
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
            guard parts.count == 3, !parts[0].isEmpty else { return nil }
            pages.append(
                Page(
                    url: parts[0], entityTag: parts[1].isEmpty ? nil : parts[1],
                    lastModified: parts[2].isEmpty ? nil : parts[2]))
        }
    }

    package var stateText: String? {
        ([fingerprint] + pages.map { "\($0.url)\t\($0.entityTag ?? "")\t\($0.lastModified ?? "")" })
            .joined(separator: "\n")
    }
}

extension PageValidators.Page {
    /// What a response says of its version; nil where it says nothing that can be used.
    ///
    /// - Parameters:
    ///   - url: The URL that was asked for.
    ///   - head: The response's head.
    ///   - rule: Which of its fields are used.
    package init?(url: String, _ head: HTTPResponseHead, _ rule: SourceDefinition.ConditionalRule) {
        func usable(_ name: String) -> String? {
            // A tab or a line's end would not survive being kept.
            head.headers.first(name).flatMap { $0.isEmpty || $0.utf8.contains { $0 < 0x20 } ? nil : $0 }
        }
        let tag = rule.usesEntityTags ? usable("ETag") : nil
        let time = rule.usesTimes && Self.hasSettled(head) ? usable("Last-Modified") : nil
        guard head.status == 200, tag != nil || time != nil, !url.utf8.contains(where: { $0 < 0x20 }) else {
            return nil
        }
        self.init(url: url, entityTag: tag, lastModified: time)
    }

    /// Whether a response says that it is older than the second that its time names: within that second it may change
    /// once more, and the time would stay the same.
    ///
    /// See: RFC 9110, section 8.8.2.2
    private static func hasSettled(_ head: HTTPResponseHead) -> Bool {
        func date(_ name: String) -> Duration? {
            head.headers.first(name).flatMap { HTTPDate($0, now: .zero)?.sinceEpoch }
        }
        guard let changed = date("Last-Modified") else { return false }
        // Without a time of its own a response is as old as its arrival. See: RFC 9110, section 6.6.1
        return (date("Date") ?? .seconds(WallClock.seconds())) - changed >= .seconds(1)
    }

    /// Whether an answer without a body shows that every byte of the page is as it was: a strong entity tag does, a weak
    /// one or a time does not.
    ///
    /// See: RFC 9110, section 8.8.1
    package func isExact(in head: HTTPResponseHead) -> Bool {
        guard let entityTag, !entityTag.hasPrefix("W/") else { return false }
        return head.headers.first("ETag") == entityTag
    }

    /// The fields that ask for the page only if it changed.
    package var headers: [HTTPField] {
        [entityTag.map { HTTPField("If-None-Match", $0) }, lastModified.map { HTTPField("If-Modified-Since", $0) }]
            .compactMap { $0 }
    }
}
