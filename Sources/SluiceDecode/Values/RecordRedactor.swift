package import SluiceJSON
internal import SluiceModel
package import SluicePipeline
package import SluiceReport

/// Hides what must not appear in clear in what is kept and told of records that could not be taken.
///
/// Where a redacted field's path selects among values, or a program makes its value, all that it could be made of is
/// hidden.
package struct RecordRedactor: Sendable {
    /// What messages say of a record that is kept without its redacted values.
    package static let note = "The record is kept without its redacted values."
    /// What messages say in place of the words of a program, which may quote values.
    package static let silence = "Its message is not shown, since some fields are redacted."

    package static let hiddenJSON = FieldJSON.quoted(FieldRedaction.hidden)

    /// A place of records at which something is hidden, or below which it is.
    private struct Place {
        var names: [(name: [UInt8], place: Int)] = []
        var isHidden = false

        func below(_ name: some Sequence<UInt8>) -> Int? { names.first { name.elementsEqual($0.name) }?.place }
    }

    private var places = [Place()]
    /// For each field whether its values may be shown in messages.
    private let showsMessages: [Bool]
    /// For each field the place of its value, nil where nothing is hidden there or below.
    private let placeOfField: [Int?]

    /// - Parameters:
    ///   - fields: The entity's fields; nil where none of them is redacted, nor anything within records.
    ///   - parts: The paths to what stands within records and has redacted fields.
    package init?(_ fields: [FieldDefinition], below parts: [JSONPath] = []) {
        var places = [Place()]
        let own = fields.filter { $0.redaction != nil }.compactMap { Self.names($0.origin) }
        for names in own + parts.map(Self.names) {
            var place = 0
            for name in names {
                if let known = places[place].below(name) {
                    place = known
                } else {
                    places[place].names.append((name, places.count))
                    place = places.count
                    places.append(Place())
                }
            }
            places[place].isHidden = true
        }
        guard !parts.isEmpty || fields.contains(where: { $0.redaction != nil }) else { return nil }
        self.places = places
        placeOfField = fields.map { field in
            Self.names(field.origin).flatMap { names in
                var place: Int? = 0
                for name in names {
                    guard let current = place, !places[current].isHidden else { break }
                    place = places[current].below(name)
                }
                return place
            }
        }
        showsMessages = zip(fields, placeOfField).map { field, place in
            if case .program = field.origin { return false }
            return field.redaction == nil && place == nil
        }
    }

    /// The names at the beginning of the path to a value; nil for what no record has.
    private static func names(_ origin: FieldDefinition.Origin) -> [[UInt8]]? {
        switch origin {
        case .template, .content, .parentKey, .position: return nil
        case .program: return []
        case .path(let path), .reference(let path, _), .references(let path, _): return names(path)
        }
    }

    private static func names(_ path: JSONPath) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for case .name(let name) in path.steps.prefix(while: { if case .name = $0 { true } else { false } }) {
            names.append(Array(name.utf8))
        }
        return names
    }

    /// Whether messages may show the value of a field.
    func showsMessages(of field: Int) -> Bool { showsMessages[field] }

    /// What may be said of a record that could not be taken.
    ///
    /// - Parameters:
    ///   - mismatch: Why; what a program says may quote values.
    ///   - field: The name of the field, nil where it is the record as a whole.
    /// - Returns: Sentences.
    package func message(_ mismatch: Mismatch, of field: String?) -> String {
        guard mismatch.reason == .programFailed || mismatch.reason == .lossyNumber else {
            return mismatch.message + " " + Self.note
        }
        let program = field.map { "The program of `\($0)`" } ?? "A program of the stream"
        let problem = mismatch.reason == .programFailed ? "failed on the record" : "would round a number of the record"
        return "\(program) \(problem). \(Self.silence) \(Self.note)"
    }

    /// Whether the names of the members that records are must not appear.
    package func hidesMemberNames(_ entriesKey: String?) -> Bool {
        guard let entriesKey else { return false }
        return places[0].isHidden || places[0].below(entriesKey.utf8).map { places[$0].isHidden } ?? false
    }

    /// A record as it may be kept; what is no JSON is hidden as a whole.
    package func record(_ bytes: [UInt8]) -> [UInt8] {
        let parser = JSONParser()
        guard let root = try? unsafe parser.parse(bytes) else { return Array(Self.hiddenJSON.utf8) }
        return withExtendedLifetime(parser) { text(of: root, at: 0) }
    }

    /// A field's value as it may be kept.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - field: The field's position, nil for the record itself.
    /// - Returns: JSON.
    func value(_ element: JSONElement, of field: Int?) -> [UInt8] {
        text(of: element, at: field.map { placeOfField[$0] } ?? 0)
    }

    private func text(of element: JSONElement, at place: Int?) -> [UInt8] {
        var text: [UInt8] = []
        append(element, at: place, to: &text)
        return text
    }

    /// Appends a value, of which what lies at hidden places is replaced. What ends before them may be what is sought.
    private func append(_ element: JSONElement, at place: Int?, to text: inout [UInt8]) {
        guard let place, !element.isNull else { return JSONWriter.append(element, to: &text) }
        guard !places[place].isHidden, element.kind == .object else { return text += Self.hiddenJSON.utf8 }
        text.append(UInt8(ascii: "{"))
        var members = element.members()
        var isFirst = true
        while members.next() {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.append(members.keyElement, to: &text)
            text.append(UInt8(ascii: ":"))
            append(members.value, at: unsafe places[place].below(members.key), to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }
}
