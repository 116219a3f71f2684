internal import SluiceDecode
internal import SluiceHTTP
internal import SluiceJQ
internal import SluicePipeline
internal import SluiceReport

/// The rules of `on_response`, in order.
struct ResponseRules: HTTPJudge {
    private struct Rule {
        let definition: SourceDefinition.ResponseRule
        let condition: JQProgram?
        var action: HTTPVerdict.Action { HTTPVerdict.Action(rawValue: definition.action.rawValue) ?? .fail }
    }

    private let rules: [Rule]

    /// - Throws: ``SyncError`` where a condition is no program. Nil where there are no rules.
    init?(_ definitions: [SourceDefinition.ResponseRule]) throws {
        if definitions.isEmpty { return nil }
        rules = try definitions.map { definition in
            do {
                return Rule(definition: definition, condition: try definition.condition.map { try JQProgram($0) })
            } catch let error as JQError {
                throw SyncError(.invalidPipeline, "`on_response` cannot be used: \(error.message)")
            }
        }
    }

    func verdict(_ head: HTTPResponseHead, body: () throws -> [UInt8]) throws -> HTTPVerdict? {
        var input: [UInt8]?
        for rule in rules {
            let statuses = rule.definition.statuses
            guard statuses.isEmpty || statuses.contains(where: { $0.contains(head.status) }) else { continue }
            if let condition = rule.condition {
                let known = try input ?? Self.input(head, body())
                input = known
                // What a program cannot be told of a response does not hold for it.
                guard (try? condition.isTrue(known))?.output == true else { continue }
            }
            return HTTPVerdict(rule.action, message: rule.definition.message)
        }
        return nil
    }

    private static func input(_ head: HTTPResponseHead, _ body: [UInt8]) -> [UInt8] {
        var input = ResponseInput.begin(head) + Array(",\"body\":".utf8)
        if let value = try? PageBody(body) {
            value.appendJSON(to: &input)
        } else {
            input += PageValue.text(String(decoding: body, as: UTF8.self)).json.utf8
        }
        return input + [UInt8(ascii: "}")]
    }
}
