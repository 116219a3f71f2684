internal import SluiceCommands
internal import SluiceDiagnostics
internal import SluiceHTTPServer

/// A piece of HTML. What is put into it is escaped, unless it is HTML itself.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    var text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation pieces: StringInterpolation) { text = pieces.text }

    /// The pieces of a literal.
    struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// Text for people: what is not seen is written as an escape.
        mutating func appendInterpolation(_ value: String) { text += HTMLText.escape(value) }
        mutating func appendInterpolation(_ value: Int) { text += String(value) }
        mutating func appendInterpolation(_ value: Int64) { text += String(value) }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ list: [HTML]) { for html in list { text += html.text } }

        /// The value of an attribute that programs read, such as what a form sends back: as it is.
        mutating func appendInterpolation(value: String) { text += HTMLText.entities(value) }
        /// A path or a query of this server.
        mutating func appendInterpolation(link: String) { text += HTMLText.entities(link) }
    }

    static func + (left: HTML, right: HTML) -> HTML {
        var sum = left
        sum.text += right.text
        return sum
    }

    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    var isEmpty: Bool { text.isEmpty }
}

extension [HTML] {
    func joined(_ separator: HTML) -> HTML {
        var all: HTML = ""
        for (index, html) in enumerated() { all += index == 0 ? html : separator + html }
        return all
    }
}

/// Addresses of this server.
enum Link {
    static func pipeline(_ name: String) -> String { "/pipelines/\(PercentText.encoded(name))" }
    static func run(_ reference: String) -> String { "/runs/\(PercentText.encoded(reference))" }
    static func conflict(_ reference: EntryReference) -> String { "/conflicts/\(reference.segment)" }
    static func quarantine(_ reference: EntryReference) -> String { "/quarantine/\(reference.segment)" }

    static func record(pipeline: String, entity: String, key: String) -> String {
        "/records" + query([FormField("pipeline", pipeline), FormField("entity", entity), FormField("key", key)])
    }

    /// A query with its question mark; empty where there is no field.
    static func query(_ fields: [FormField]) -> String {
        if fields.isEmpty { return "" }
        return "?"
            + fields.map { "\(PercentText.encoded($0.name))=\(PercentText.encoded($0.value))" }
            .joined(separator: "&")
    }
}
