package import SluiceDecode
package import SluiceHTTP
package import SluicePipeline
internal import SluiceSystem

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
