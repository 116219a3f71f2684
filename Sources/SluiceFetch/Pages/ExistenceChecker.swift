internal import SluiceHTTP
package import SluiceModel
package import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// Asks for single records that a list did not have, in the way in which pages are asked for.
package struct ExistenceChecker {
    package let settings: PageRequestSettings
    package let cancellation: Cancellation
    package let onProgress: (RunProgress) -> Void

    /// Makes a value of its parts.
    package init(settings: PageRequestSettings, cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void)
    {
        self.settings = settings
        self.cancellation = cancellation
        self.onProgress = onProgress
    }

    /// Asks for records one after the other.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - path: Where one record is, with its fields as variables.
    ///   - schema: Gives the names of these fields.
    /// - Returns: What was answered. Once the source fails in a way that may pass, the others are not asked for.
    /// - Throws: `CancelledError`, and ``HTTPError`` where an exchange can be neither recorded nor replayed.
    package func existence(
        of records: [MissingRecord], at path: ConfigurationText, schema: RecordSchema
    ) throws -> ExistenceAnswers {
        var existence = ExistenceAnswers()
        let asker = try PageAsker(settings, mayBeAbsent: true)
        for (position, record) in records.enumerated() {
            let key = record.key
            try cancellation.check()
            onProgress(
                RunProgress(
                    stage: .confirming, stream: settings.stream.name, records: position, total: records.count))
            guard let path = Self.path(path, of: record, schema: schema) else {
                existence.record(
                    key, .unknown, because: "A field that its path names has no value that can stand in a path.")
                continue
            }
            let page = PageRequest(url: try HTTPURL(settings.base.revealed).appending(path: path))
            do {
                existence.requests += 1
                let answer = try asker.work(on: PageQuestion(page: page), cancellation: cancellation) { _ in }
                existence.retries += answer.exchange.retries + answer.renewals
                existence.record(key, Self.meaning(of: answer.exchange), because: Self.words(answer))
            } catch let error as HTTPError where error.code != .notRecorded && error.code != .notKept {
                existence.record(key, .unknown, because: error.message)
                // What ails the source would be waited for again with each of the others.
                if error.isTransient { break }
            }
        }
        return existence
    }

    private static func meaning(of exchange: HTTPExchange) -> ExistenceAnswers.Answer {
        if ExistenceRules.absent.contains(exchange.head.status) { return .gone }
        return exchange.head.isSuccess && exchange.verdict == nil ? .there : .unknown
    }

    private static func words(_ answer: PageAnswer) -> String {
        "\(answer.name) answered \(answer.exchange.head.status)."
    }

    /// The path of one record; nil where a part of it is not known or would lead elsewhere.
    package static func path(_ path: ConfigurationText, of record: MissingRecord, schema: RecordSchema) -> String? {
        var isWhole = true
        let filled = path.filled { variable in
            let text = schema.fields.firstIndex { $0.name == variable.member }.flatMap { field in
                let value =
                    schema.keyFields.firstIndex(of: field).map { record.key.values[$0] } ?? record.value(of: field)
                return value.flatMap { Self.text($0, schema.fields[field].type) }
            }
            // The URL's normal form leaves such a segment out.
            guard let text, !["", ".", ".."].contains(text) else {
                isWhole = false
                return .init("")
            }
            return .init(HTTPURL.percentEncoded(text))
        }
        return isWhole ? filled.revealed : nil
    }

    private static func text(_ value: FieldValue, _ type: FieldType) -> String? {
        switch value {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .integer(let number) where type == .bool: number == 0 ? "false" : "true"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .null, .blob: nil
        }
    }
}

/// The source's own rules, then: that a record is not there is an answer.
struct ExistenceRules: HTTPJudge {
    /// What says that a record is gone.
    static let absent = [404, 410]

    let others: (any HTTPJudge)?

    func verdict(_ head: HTTPResponseHead, body: () throws -> [UInt8]) throws -> HTTPVerdict? {
        if let verdict = try others?.verdict(head, body: body) { return verdict }
        return Self.absent.contains(head.status) ? HTTPVerdict(.ignore) : nil
    }
}
