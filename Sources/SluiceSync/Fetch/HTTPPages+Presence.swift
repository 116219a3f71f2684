internal import SluiceHTTP
internal import SluiceMerge
internal import SluicePipeline
internal import SluiceSystem

/// Asks for single records that a list did not have.
extension HTTPPages {
    /// Asks for records one after the other, in the way in which pages are asked for.
    ///
    /// - Parameters:
    ///   - keys: The records.
    ///   - path: Where one record is, with the fields of its key as variables.
    ///   - schema: Gives the names of these fields.
    ///   - base: The source's base URL.
    ///   - spool: Takes what is answered, which nobody reads.
    /// - Returns: What was answered. Once the source fails in a way that may pass, the others are not asked for.
    /// - Throws: `CancelledError`, and ``HTTPError`` where an exchange can be neither recorded nor replayed.
    func presence(
        of keys: [RecordKey], at path: ConfigurationText, schema: RecordSchema, base: ConfigurationText,
        into spool: inout Spool
    ) throws -> Presence {
        var presence = Presence()
        var fetched = FetchedPages()
        var asking = self
        asking.judge = PresenceRules(others: judge)
        for (position, key) in keys.enumerated() {
            try cancellation.check()
            onProgress(RunProgress(stage: .fetching, stream: stream.name, pages: position))
            guard let path = Self.path(path, of: key, schema: schema) else {
                presence.note(key, .unknown, because: "A part of its key cannot stand in a path.")
                continue
            }
            let page = PageRequest(url: try HTTPURL(base.revealed).appending(path: path))
            do {
                presence.requests += 1
                let (answer, reason) = try asking.ask(page, base: base, into: &spool, &fetched)
                presence.note(key, answer, because: reason)
            } catch let error as HTTPError where error.code != .notRecorded && error.code != .notKept {
                presence.note(key, .unknown, because: error.message)
                // What ails the source would be waited for again with each of the others.
                if error.isTransient { break }
            }
        }
        presence.retries = fetched.retries
        return presence
    }

    private func ask(
        _ page: PageRequest, base: ConfigurationText, into spool: inout Spool, _ fetched: inout FetchedPages
    ) throws -> (Presence.Answer, reason: String?) {
        defer { spool.restart() }
        let origin = page.url.origin
        let request = makeRequest(page, try login.credentials(), origin: origin, base: base)
        let exchange = try send(request, into: &spool, &fetched) {
            makeRequest(page, $0, origin: origin, base: base)
        }
        fetched.retries += exchange.retries
        let status = exchange.head.status
        if PresenceRules.absent.contains(status) { return (.gone, nil) }
        if exchange.head.isSuccess && exchange.verdict == nil { return (.there, nil) }
        return (.unknown, "\(request.shownURL) answered \(status).")
    }

    /// The path of one record; nil where a part of its key would lead elsewhere.
    static func path(_ path: ConfigurationText, of key: RecordKey, schema: RecordSchema) -> String? {
        var texts: [String: String] = [:]
        for (position, value) in zip(schema.keyFields, key.values) {
            let field = schema.fields[position]
            let text: String? =
                switch value {
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .integer(let number) where field.type == .bool: number == 0 ? "false" : "true"
                case .integer(let number): String(number)
                case .real(let number): String(number)
                case .null, .blob: nil
                }
            // The URL's normal form leaves such a segment out.
            guard let text, !["", ".", ".."].contains(text) else { return nil }
            texts[field.name] = HTTPURL.percentEncoded(text)
        }
        return path.filled { .init($0.field.flatMap { texts[$0] } ?? "") }.revealed
    }
}

/// The source's own rules, then: that a record is not there is an answer.
struct PresenceRules: HTTPJudge {
    /// What says that a record is gone.
    static let absent = [404, 410]

    let others: (any HTTPJudge)?

    func verdict(_ head: HTTPResponseHead, body: () throws -> [UInt8]) throws -> HTTPVerdict? {
        if let verdict = try others?.verdict(head, body: body) { return verdict }
        return Self.absent.contains(head.status) ? HTTPVerdict(.ignore) : nil
    }
}
