package import SluiceDecode

/// The parameters that may take a cursor, by the name that the body gives it.
package enum CursorParameter {
    /// The guesses, the likeliest first.
    ///
    /// - Parameters:
    ///   - member: The cursor.
    ///   - query: The names of the URL's own parameters.
    /// - Returns: Names, each once.
    package static func guesses(for member: Envelope.Member, query: [String]) -> [String] {
        let words = member.words
        let rest = words.filter { $0 != "next" && $0 != "end" }
        func written(_ words: [String]) -> String { Self.written(words, like: member.name) }
        if member.isContinuation { return [member.name] }
        var names: [String] = []
        // Whoever asks with one already has named it.
        names += query.filter { name in
            let own = NameWords.of(name)
            return own == rest || own.contains { ["cursor", "after", "token", "marker", "bookmark"].contains($0) }
        }
        if words == Envelope.Member.lastEvaluated {
            names.append(written(["exclusive", "start", "key"]))
        } else if words == ["next"] {
            names += member.integer == nil ? ["cursor", "next", "after"] : ["page", "offset", "next"]
        } else if words.contains("next"), rest == ["page"] {
            names += member.integer == nil ? ["page", "page_token", "cursor"] : ["page", member.name]
        } else if rest.last == "cursor", words.contains("end") {
            names += ["after", "cursor"]
        } else if !rest.isEmpty {
            names += [written(rest)]
            if rest.contains("cursor") { names += ["cursor", "after", written(["start", "cursor"])] }
            if rest.contains("token") { names += [member.name, "token"] }
        }
        names.append(member.name)
        var seen: Set<String> = []
        return names.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The parameter that may take a token for changes: one of the URL that is named alike, or the token's own name
    /// without what says that it is the next one.
    package static func ofToken(_ member: Envelope.Member, query: [String]) -> String {
        let rest = member.words.filter { !["next", "new", "start"].contains($0) }
        return query.first { NameWords.of($0) == rest } ?? written(rest, like: member.name)
    }

    /// Words as the body writes names: `pageToken`, `page_token` or `page-token`.
    private static func written(_ words: [String], like name: String) -> String {
        if name.contains("_") || words.count < 2 { return words.joined(separator: "_") }
        if name.contains("-") { return words.joined(separator: "-") }
        let tail = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let isCapital = name.first?.isUppercase == true
        return (isCapital ? words[0].prefix(1).uppercased() + words[0].dropFirst() : words[0]) + tail.joined()
    }
}
