package import SluiceDecode
internal import SluiceHTTP

extension PageToken {
    /// Takes the secrets out.
    ///
    /// - Parameters:
    ///   - redactor: Knows the secrets of the pipeline.
    ///   - credentials: The query parameters that prove who is asking, which every request gets anew.
    ///   - passing: Secrets that hold for a while.
    /// - Returns: The token as it may be kept; nil where it holds what must not be.
    package func hidden(_ redactor: SecretMarks, credentials: Set<String>, passing: [String]) -> PageToken? {
        var token = self
        switch lead {
        case .start: return self
        case .link(let text):
            guard let url = try? HTTPURL(text) else { return nil }
            guard let hidden = redactor.hidden(url.removing(parameters: credentials).text, besides: passing) else {
                return nil
            }
            token.lead = .link(hidden)
        case .value(.text(let text)):
            guard let hidden = redactor.hidden(text, besides: passing) else { return nil }
            token.lead = .value(.text(hidden))
        case .value(.json(let text)):
            guard let hidden = redactor.hidden(text, besides: passing) else { return nil }
            token.lead = .value(.json(hidden))
        }
        return token
    }

    /// The token with its secrets in their places again.
    package func shown(_ redactor: SecretMarks) -> PageToken {
        var token = self
        switch lead {
        case .start: break
        case .link(let text): token.lead = .link(redactor.shown(text))
        case .value(.text(let text)): token.lead = .value(.text(redactor.shown(text)))
        case .value(.json(let text)): token.lead = .value(.json(redactor.shown(text)))
        }
        return token
    }
}

/// Keeps the secrets of a pipeline out of texts that a store keeps: in the place of each stands which one it was.
package struct SecretMarks {
    private static let mark: UInt8 = 1
    /// The secrets, each as it is and as it stands in URLs.
    private let texts: [[UInt8]]

    package init(_ secrets: [String]) {
        texts = secrets.flatMap { [Array($0.utf8), Array(HTTPURL.percentEncoded($0).utf8)] }
    }

    /// A text without the secrets; nil where one is left in it that holds only for a while.
    package func hidden(_ text: String, besides passing: [String]) -> String? {
        let bytes = Array(text.utf8)
        if bytes.contains(Self.mark) { return nil }
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let rest = bytes[position...]
            let found = texts.indices.filter { !texts[$0].isEmpty && rest.starts(with: texts[$0]) }
                .max { texts[$0].count < texts[$1].count }
            guard let found else {
                result.append(bytes[position])
                position += 1
                continue
            }
            result += [Self.mark] + Array(String(found).utf8) + [Self.mark]
            position += texts[found].count
        }
        let hidden = String(decoding: result, as: UTF8.self)
        let isLeft = passing.contains { secret in
            !secret.isEmpty && (hidden.contains(secret) || hidden.contains(HTTPURL.percentEncoded(secret)))
        }
        return isLeft ? nil : hidden
    }

    /// A text with nothing but digits in the place of secrets, so that its other parts can be read.
    package static func blank(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 != mark }, as: UTF8.self)
    }

    /// A text with the secrets in their places again.
    package func shown(_ text: String) -> String {
        let parts = Array(text.utf8).split(separator: Self.mark, omittingEmptySubsequences: false)
        var result: [UInt8] = []
        for (index, part) in parts.enumerated() {
            // Every second part stands between two marks.
            let number = index % 2 == 1 ? Int(String(decoding: part, as: UTF8.self)) : nil
            result += number.flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? Array(part)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
