internal import SluiceDiagnostics

/// A request that a recording has no answer to, and the one there that comes nearest.
struct UnexpectedRequest {
    private let key: Recording.Key
    /// How often it was recorded.
    private let known: Int
    private let nearest: Recording.Entry?

    /// Of many that differ in equally many places, so many are compared letter by letter.
    private static let mostCompared = 200

    init(_ key: Recording.Key, entries: [Recording.Entry], known: Int) {
        self.key = key
        self.known = known
        if known > 0 {
            nearest = nil
            return
        }
        let counted = entries.map { ($0, Self.differences(key, $0.key).count) }
        let least = counted.map(\.1).min()
        let text = Self.text(key)
        nearest =
            counted.filter { $0.1 == least }.prefix(Self.mostCompared)
            .map { ($0.0, Suggestion.distance(text, Self.text($0.0.key))) }.min { $0.1 < $1.1 }?.0
    }

    /// What to tell people, beginning within a sentence.
    ///
    /// - Parameters:
    ///   - folder: The recording's folder.
    ///   - isPartial: Whether answers may be missing.
    ///   - isFull: Whether it was made with `--full`, so that no cursor of a store makes a difference.
    /// - Returns: The message.
    func message(folder: String, isPartial: Bool, isFull: Bool) -> String {
        var message: String
        if known > 0 {
            let times = Plural.word(known, "once", "\(known) times")
            message = "the recording `\(folder)` answers this request \(times), and it is asked once more."
        } else if let nearest {
            let differences = Self.differences(key, nearest.key).joined(separator: "; ")
            let shown = "\(nearest.key.method) \(Self.short(nearest.key.url, to: 200))"
            message =
                "the recording `\(folder)` has no such request. The nearest one there is `\(shown)` in `\(nearest.file)`; it differs in \(differences)."
        } else {
            message = "the recording `\(folder)` has no exchange at all."
        }
        if isPartial { message += " It is incomplete." }
        message += " A replay asks for exactly what was recorded: record again with `sluice record`"
        return message
            + (isFull ? "." : ", with `--full` where stores that have read up to another place are to replay it.")
    }

    /// What differs, in words.
    static func differences(_ asked: Recording.Key, _ recorded: Recording.Key) -> [String] {
        var words: [String] = []
        func compare(_ name: String, _ left: String, _ right: String) {
            if left != right { words.append("\(name): `\(short(left))` here, `\(short(right))` there") }
        }
        let (left, right) = (Parts(asked.url), Parts(recorded.url))
        compare("the method", asked.method, recorded.method)
        compare("the host", left.host, right.host)
        compare("the path", left.path, right.path)
        for name in left.names + right.names.filter({ !left.names.contains($0) }) {
            switch (left.values[name], right.values[name]) {
            case (let here?, let there?): compare("`\(name)`", here, there)
            case (let here?, nil): words.append("`\(name)`: `\(short(here))` here, not there")
            case (nil, let there?): words.append("`\(name)`: not here, `\(short(there))` there")
            case (nil, nil): break
            }
        }
        if words.isEmpty { compare("the order of the parameters", left.order, right.order) }
        compare("the body", String(decoding: asked.body, as: UTF8.self), String(decoding: recorded.body, as: UTF8.self))
        return words
    }

    private static func text(_ key: Recording.Key) -> String {
        "\(key.method) \(key.url) \(String(decoding: key.body.prefix(500), as: UTF8.self))"
    }

    private static func short(_ text: String, to length: Int = 80) -> String {
        text.count <= length ? text : text.prefix(length) + "…"
    }

    /// A URL cut to pieces.
    private struct Parts {
        var host: String
        var path: String
        var order: String
        var names: [String] = []
        var values: [String: String] = [:]

        init(_ url: String) {
            let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let front = halves.first ?? ""
            let query = halves.count > 1 ? halves[1] : ""
            let start = front.firstRange(of: "//")?.upperBound ?? front.startIndex
            let slash = front[start...].firstIndex(of: "/") ?? front.endIndex
            host = String(front[..<slash])
            path = String(front[slash...])
            for item in query.split(separator: "&") {
                let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(sides[0])
                let value = sides.count > 1 ? String(sides[1]) : ""
                if values[name] == nil { names.append(name) }
                values[name] = values[name].map { $0 + "&" + value } ?? value
            }
            order = query.split(separator: "&").map { String($0.prefix { $0 != "=" }) }.joined(separator: ", ")
        }
    }
}
