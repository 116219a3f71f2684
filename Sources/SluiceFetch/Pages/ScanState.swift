package import SluiceDecode
package import SluiceModel
internal import SluicePipeline

/// How far a scan that is kept page by page has come: what its next page has to know of those before.
package struct ScanState: Equatable {
    /// What the requests of the scan were made from; those of another definition are others.
    package var fingerprint: String
    /// The fields that identify records, with their types.
    package var key: String
    /// When the scan began, RFC 3339.
    package var startedAt: String
    /// The cursor that it began with, as its field is stored.
    package var cursor: String?
    /// What the command line asked for.
    package var overrides: CursorRange.Overrides
    /// Where it goes on; nil where that could not be kept.
    package var token: PageToken?
    /// How many pages were merged.
    package var pages = 0
    /// The live base rows before the scan.
    package var liveBefore = 0
    /// How many of them were met.
    package var liveMet = 0
    package var read = 0
    package var lostKeys = 0
    /// What is missing of the pages so far.
    package var gap = Coverage.Gap()
    /// Whether lists within the records were not read to their ends, or by counting.
    package var hasCutLists = false
    /// What is told of lists that are cut, each in one line.
    package var cutLists: [String] = []
    /// What was seen of the cursor.
    package var memory = CursorTracker.Memory()
    /// The keys that no field takes.
    package var unmapped: [String] = []
    /// What is said of a token that the source no longer takes, so that everything is read; nil where it takes it.
    package var expiredToken: String?

    package init(
        fingerprint: String, key: String, startedAt: String, cursor: String?, overrides: CursorRange.Overrides
    ) {
        self.fingerprint = fingerprint
        self.key = key
        self.startedAt = startedAt
        self.cursor = cursor
        self.overrides = overrides
    }
}

/// The state as a store keeps it, a JSON object.
extension ScanState {
    /// Whether a scan that was broken off is what this one would be from its beginning.
    package func isContinued(by kept: ScanState) -> Bool {
        if overrides.isFull || kept.fingerprint != fingerprint || kept.key != key { return false }
        return kept.overrides.from == overrides.from && kept.overrides.to == overrides.to
    }

    /// Writes it.
    ///
    /// - Parameter type: The type of the cursor's field, nil for a stream that is read as a whole.
    /// - Returns: The text.
    package func text(_ type: FieldType?) -> String {
        func text(_ point: CursorPoint?) -> String? { type.flatMap { point?.text($0) } }
        let members = TextMembers([
            ("fingerprint", fingerprint), ("key", key), ("started_at", startedAt), ("cursor", cursor),
            ("full", overrides.isFull ? "yes" : nil), ("from", overrides.from), ("to", overrides.to),
            ("lead", token?.lead.kind),
            ("next", token?.lead.text), ("window", token.map { String($0.window) }),
            ("window_pages", token.map { String($0.pages) }), ("window_records", token.map { String($0.records) }),
            ("window_totals", token?.totals.text),
            ("pages", String(pages)), ("live_before", String(liveBefore)), ("live_met", String(liveMet)),
            ("read", String(read)), ("lost_keys", String(lostKeys)), ("incomplete", gap.reason),
            ("truncated", gap.leavesPages ? "yes" : nil), ("cut_lists", hasCutLists ? "yes" : nil),
            ("cut_warnings", cutLists.isEmpty ? nil : cutLists.joined(separator: "\n")),
            ("latest", text(memory.latest)),
            ("earliest_lost", text(memory.earliestLost)), ("lost", String(memory.lost)),
            ("unknown", memory.hasUnknown ? "yes" : nil), ("earliest_moved", text(memory.earliestMoved)),
            ("unmapped", unmapped.isEmpty ? nil : unmapped.joined(separator: "\n")),
            ("expired_token", expiredToken),
        ])
        return members.json
    }

    /// Reads what ``text(_:)`` wrote; nil where it is something else.
    package init?(_ text: String, _ type: FieldType?) {
        guard let members = TextMembers(text.utf8) else { return nil }
        func member(_ name: String) -> String? { members[name] }
        func number(_ name: String) -> Int { member(name).flatMap { Int($0) } ?? 0 }
        func point(_ name: String) -> CursorPoint? {
            type.flatMap { type in member(name).flatMap { CursorRange.point($0, type) } }
        }
        guard let fingerprint = member("fingerprint"), let key = member("key"), let startedAt = member("started_at")
        else { return nil }
        self.init(
            fingerprint: fingerprint, key: key, startedAt: startedAt, cursor: member("cursor"),
            overrides: CursorRange.Overrides(isFull: member("full") != nil, from: member("from"), to: member("to")))
        token = PageToken.Lead(kind: member("lead"), text: member("next")).map { lead in
            var token = PageToken(
                window: number("window"), pages: number("window_pages"), records: number("window_records"), lead: lead)
            token.totals = PageTotals(text: member("window_totals") ?? "")
            return token
        }
        pages = number("pages")
        liveBefore = number("live_before")
        liveMet = number("live_met")
        read = number("read")
        lostKeys = number("lost_keys")
        gap = Coverage.Gap(reason: member("incomplete"), leavesPages: member("truncated") != nil)
        hasCutLists = member("cut_lists") != nil
        cutLists = member("cut_warnings").map { $0.split(separator: "\n").map(String.init) } ?? []
        memory.latest = point("latest")
        memory.earliestLost = point("earliest_lost")
        memory.lost = number("lost")
        memory.hasUnknown = member("unknown") != nil
        memory.earliestMoved = point("earliest_moved")
        unmapped = member("unmapped").map { $0.split(separator: "\n").map(String.init) } ?? []
        expiredToken = member("expired_token")
    }
}
