internal import SluiceJSON

/// How a body stands in a recording.
enum RecordedBody {
    case none
    /// JSON text without white space.
    case json([UInt8])
    case text(String)
    /// Beside the file, as it was received.
    case file([UInt8], suffix: String)

    /// The largest body that stands within the file of its exchange.
    static let largest = 64 << 10
    /// An exchange's own levels come on top of those of its body.
    private static let depth = JSONParser.defaultMaximumDepth - 8

    init(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            self = .none
        } else if let text = String(validating: bytes, as: UTF8.self) {
            let json = Self.compact(bytes)
            if (json ?? bytes).count > Self.largest {
                self = .file(bytes, suffix: json == nil ? "body.txt" : "body.json")
            } else {
                self = json.map { .json($0) } ?? .text(text)
            }
        } else {
            self = .file(bytes, suffix: "body.bin")
        }
    }

    /// JSON text without white space; nil for other text.
    static func compact(_ bytes: [UInt8]) -> [UInt8]? {
        try? JSONDocument(bytes, maximumDepth: depth).root.json
    }
}
