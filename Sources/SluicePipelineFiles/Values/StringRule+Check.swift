internal import SluiceJQ
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceSchedule

extension StringRule {
    /// What is wrong with a text, or nil where it fits.
    func problem(in text: String) -> TextProblem? {
        do throws(TextProblem) {
            try check(text)
            return nil
        } catch {
            return error
        }
    }

    private func check(_ text: String) throws(TextProblem) {
        switch self {
        case .anything, .anyTemplate: break
        case .name: try Self.checkName(text)
        case .pattern(let pattern):
            if let offset = pattern.firstMismatch(in: text) {
                throw TextProblem("It must consist of \(pattern.words).", offset: offset)
            }
        case .baseURL: _ = try BaseURLText(text)
        case .storeURL: try Self.checkStore(text)
        case .tokenTemplate: try Self.checkTokenTemplate(text)
        case .endpoint: try checkEndpoint(text)
        case .webhook:
            let scheme = text.prefix { $0 != ":" }.lowercased()
            if !["http", "https"].contains(scheme) { throw TextProblem("It must be \(expectation).") }
            // What the rules of a base URL advise is not for it.
            do throws(TextProblem) { try checkEndpoint(text) } catch { throw TextProblem(error.message) }
        case .requestPath, .recordPath: try Self.checkPath(text)
        case .sentText:
            try Self.checkSentText(text)
            try Self.refuseTemplate(text)
        case .sentTemplate: try Self.checkSentText(text)
        case .host: if HostText.parse(text) == nil { throw TextProblem("It must be \(expectation).") }
        case .relation:
            if text.isEmpty || text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
                throw TextProblem("It must be \(expectation), without blanks.")
            }
        case .valuePath, .recordsPath: _ = try Self.path(text)
        case .template: _ = try TemplateText.parse(text)
        case .dateFormat: _ = try DateFormatText(text)
        case .program:
            if text.utf8.allSatisfy({ $0 <= 0x20 }) { throw TextProblem("The program is empty.") }
            if text.utf8.contains(0) { throw TextProblem("A program holds no zero character.") }
            try Self.checkProgram(text)
        case .cron: try Self.checkCron(text)
        case .timeZone:
            do throws(ScheduleError) { _ = try ZoneDatabase.zone(text) } catch { throw TextProblem(error) }
        case .proxyURL: try Self.checkProxy(text)
        case .utcOffset:
            if text != "UTC", !TextShapes.isOffset(text) {
                throw TextProblem("It must be \(expectation).", help: Self.adviceOnZones(text))
            }
        }
    }

    /// What to do with the times of a zone; nil where the text names none.
    private static func adviceOnZones(_ text: String) -> String? {
        guard (try? ZoneDatabase.zone(text)) != nil else { return nil }
        return
            "The offset of a zone with summer time depends on the date. Keep such times as they are (`type: string`), and the zone in a field of its own: `zone: {value: \(text)}`."
    }

    private static func checkProgram(_ text: String) throws(TextProblem) {
        do throws(JQError) {
            _ = try JQProgram(text)
        } catch {
            throw TextProblem(error.message, offset: error.byteOffset, help: "It is a program of jq 1.6.")
        }
    }

    private static func checkCron(_ text: String) throws(TextProblem) {
        let expression: CronExpression
        do throws(ScheduleError) { expression = try CronExpression(text) } catch { throw TextProblem(error) }
        if expression.isNever {
            throw TextProblem("It is never due: there is no such day.", help: "Name a day that its months have.")
        }
    }

    private static func checkName(_ text: String) throws(TextProblem) {
        if text.isEmpty { throw TextProblem("It must not be empty.") }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw TextProblem("It must not hold control characters.")
        }
    }

    private static func checkStore(_ text: String) throws(TextProblem) {
        if PostgresURLText.isMeant(text) {
            if let problem = PostgresURLText.problem(with: text) { throw problem }
            return
        }
        guard text.hasPrefix("sqlite:") else {
            throw TextProblem(
                "It must be \(StringRule.storeURL.expectation).",
                help: "Write `sqlite:` and a file, such as `sqlite:shop.db`, or `postgres://user@host/database`.")
        }
        if let problem = StorePathText.problem(with: text.dropFirst("sqlite:".count)) { throw problem }
        try checkName(text)
    }

    private static func checkProxy(_ text: String) throws(TextProblem) {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.dropFirst(3).prefix { $0 != "/" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let isEnd = rest.dropFirst(3 + authority.count).allSatisfy { $0 == "/" }
        guard ["http", "https", "socks5", "socks5h"].contains(scheme), rest.hasPrefix("://"), isEnd,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), HostText.parse(String(host)) != nil
        else {
            throw TextProblem(
                "It must be \(StringRule.proxyURL.expectation).",
                help: "The schemes are `http`, `https`, `socks5` and `socks5h`.")
        }
    }

    private static func checkTokenTemplate(_ text: String) throws(TextProblem) {
        try checkSentText(text)
        let parts = try TemplateText.parse(text, names: [.token])
        if parts.count(where: { $0.variable != nil }) != 1 {
            throw TextProblem("`{{ token }}` must stand in it once.", help: "For example: `Bearer {{ token }}`")
        }
    }

    private func checkEndpoint(_ text: String) throws(TextProblem) {
        let front = text.prefix { $0 != "?" }
        guard case .http = try BaseURLText(String(front)), !text.contains("#"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw TextProblem("It must be \(expectation).") }
    }

    private static func checkPath(_ text: String) throws(TextProblem) {
        try checkName(text)
        let scheme = text.prefix { $0 != ":" && $0 != "/" }
        if text.dropFirst(scheme.count).hasPrefix("://") {
            throw TextProblem(
                "A path is relative to `source.base_url`, so it is no URL.",
                help: "Leave out the scheme and the host; another host needs a pipeline of its own.")
        }
    }

    private static func checkSentText(_ text: String) throws(TextProblem) {
        if text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
            throw TextProblem("It must be a single line.")
        }
    }

    private static func refuseTemplate(_ text: String) throws(TextProblem) {
        let brace = UInt8(ascii: "{")
        let pairs = zip(text.utf8, text.utf8.dropFirst())
        guard let offset = pairs.enumerated().first(where: { $1 == (brace, brace) })?.offset else { return }
        throw TextProblem(
            "`{{ … }}` is not filled in here.", offset: offset, help: "`${var:name}` and `${env:NAME}` are.")
    }

    /// Whether `{{ … }}` is filled in.
    var takesTemplates: Bool {
        switch self {
        case .requestPath, .recordPath, .sentTemplate, .anyTemplate: true
        default: false
        }
    }

    /// What may stand in `{{ … }}`.
    var variables: [TemplateVariable.Name] {
        if case .recordPath = self { ConfigurationText.recordVariables } else { ConfigurationText.requestVariables }
    }

    private static func path(_ text: String) throws(TextProblem) -> JSONPath {
        do throws(JSONPathError) {
            return try JSONPath(parsing: text)
        } catch {
            throw TextProblem("It is not a path: \(error.message)", offset: error.offset)
        }
    }
}
