package import SluiceJSON

/// What a paginator sends: text, or a JSON value that a page gave and that goes back as it came.
package enum PageValue: Hashable {
    case text(String)
    /// JSON text that is no string.
    case json(String)

    /// The value of an element; nil for null and for an empty text, which lead nowhere.
    package init?(_ element: JSONElement) {
        if element.isNull { return nil }
        if let text = element.string {
            if text.isEmpty { return nil }
            self = .text(text)
        } else {
            var bytes: [UInt8] = []
            JSONWriter.append(element, to: &bytes)
            self = .json(String(decoding: bytes, as: UTF8.self))
        }
    }

    package init(_ number: Int) { self = .json(String(number)) }

    /// As a parameter or a header has it.
    package var plain: String {
        switch self {
        case .text(let text), .json(let text): text
        }
    }

    /// As a JSON body has it.
    package var json: String {
        switch self {
        case .text(let text):
            var bytes: [UInt8] = []
            JSONWriter.append(text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        case .json(let text): return text
        }
    }
}
