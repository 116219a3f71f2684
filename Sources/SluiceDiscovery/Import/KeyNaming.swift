internal import SluiceDecode
internal import SluiceFetch
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// What the name of a field says of whether it identifies the records, the surest first.
enum KeyName: Int, CaseIterable {
    /// `id`
    case identifier
    /// `uuid`, or `order_id` in orders.
    case own
    /// `code`, or `order_number` in orders.
    case code
    /// `ticket_no` in records of another name: it may be the number of something else.
    case number
    /// `customer_id` in orders: it identifies something else than the records.
    case other
    /// `email`
    case address
    case name

    /// Whether a value is unique by chance rather than by its meaning, so that one record proves nothing.
    var isOfChance: Bool { self == .address || self == .name }
    /// Whether it may identify the records, and something else as well.
    var isDoubtful: Bool { self == .number || self == .other || isOfChance }
}

/// Tells by their names which fields identify records, and which lead to others.
struct KeyNaming {
    /// What the records are called, in the singular and without blanks: `orderitem` and `item` of `order_items`.
    private let subjects: Set<String>

    private static let identifiers: Set<String> = ["id", "_id"]
    private static let own: Set<String> = [
        "gid", "guid", "identifier", "oid", "pk", "uid", "urn", "uuid", "globalid", "objectid", "recordid", "uniqueid",
    ]
    private static let codes: Set<String> = [
        "code", "doi", "ean", "gtin", "handle", "iban", "isbn", "issn", "key", "no", "nr", "number", "sha",
        "sku", "slug",
    ]
    private static let addresses: Set<String> = ["email", "emailaddress", "mail", "mailaddress"]
    private static let idWords: Set<String> = ["gid", "guid", "id", "oid", "uid", "uuid"]
    private static let numberWords: Set<String> = [
        "code", "key", "no", "nr", "number", "ref", "reference", "sku", "slug",
    ]
    /// What has numbers that are none of the record.
    private static let contacts: Set<String> = [
        "address", "area", "country", "currency", "fax", "house", "language", "mobile", "phone", "post", "postal",
        "room",
        "street", "tel", "telephone", "zip",
    ]
    /// Words that end as `accountid` does.
    private static let words: Set<String> = [
        "android", "asteroid", "avoid", "centroid", "covid", "fluid", "grid", "humid", "hybrid", "invalid", "liquid",
        "madrid", "overpaid", "paid", "prepaid", "pyramid", "rapid", "solid", "steroid", "unpaid", "valid", "void",
    ]
    /// What a set of records is called besides.
    private static let collections: Set<String> = ["all", "data", "dump", "export", "exports", "list", "table"]
    /// Objects that hold a record, or what the source says of it, rather than another record.
    private static let wrappers: Set<String> = [
        "_source", "attributes", "data", "document", "fields", "header", "item", "meta", "metadata", "node",
        "properties", "record", "resource", "sys",
    ]

    /// - Parameter names: Names for the records, such as that of their table.
    init(_ names: [String]) {
        var subjects: Set<String> = []
        // `orders_2024` and `order-export` hold orders.
        let all = names.map(NameWords.of).flatMap { words -> [[String]] in
            let ending = words.reversed().prefix { $0.allSatisfy(\.isNumber) || Self.collections.contains($0) }.count
            return ending > 0 && ending < words.count ? [words, Array(words.dropLast(ending))] : [words]
        }
        for words in all {
            for start in words.indices {
                let last = words[words.count - 1]
                for singular in Self.singulars(of: last) {
                    subjects.insert(words[start..<words.count - 1].joined() + singular)
                }
            }
        }
        self.subjects = subjects
    }

    /// The word, and what it may be the plural of.
    private static func singulars(of word: String) -> [String] {
        var found = [word]
        if word.hasSuffix("ies") { found.append(word.dropLast(3) + "y") }
        if word.hasSuffix("es") { found.append(String(word.dropLast(2))) }
        if word.hasSuffix("s") { found.append(String(word.dropLast())) }
        return found
    }

    /// What the name of a field says; nil where it says nothing.
    func meaning(of field: ImportedField) -> KeyName? {
        let names = field.path.steps.compactMap { if case .name(let name) = $0 { name } else { nil } }
        guard let last = names.last else { return nil }
        // What an object called `_id` holds is the identifier.
        if names.count == 2, Self.identifiers.contains(names[0].lowercased()) { return .identifier }
        let isOwn = names.dropLast().allSatisfy { name in
            Self.wrappers.contains(name.lowercased()) || subjects.contains(NameWords.of(name).joined())
        }
        guard let meaning = meaning(of: last, field) else { return nil }
        if isOwn { return meaning }
        return [.identifier, .own, .other].contains(meaning) ? .other : nil
    }

    private func meaning(of name: String, _ field: ImportedField) -> KeyName? {
        let words = NameWords.of(name)
        let whole = words.joined()
        if Self.identifiers.contains(name.lowercased()) || whole == "id" { return .identifier }
        if Self.own.contains(whole) { return .own }
        if Self.codes.contains(whole) { return .code }
        if whole == "name" { return .name }
        if field.isEmail, Self.addresses.contains(whole) { return .address }
        // Where words are run together, as in `accountid`, what the records are called tells where one ends.
        for subject in subjects where whole.hasPrefix(subject) {
            let rest = String(whole.dropFirst(subject.count))
            if Self.idWords.contains(rest) { return .own }
            if Self.numberWords.contains(rest) { return .code }
        }
        guard let last = words.last else { return nil }
        if words.count > 1 {
            if Self.idWords.contains(last) { return .other }
            let isContact = words.dropLast().contains(where: Self.contacts.contains)
            return Self.numberWords.contains(last) && !isContact ? .number : nil
        }
        let mayBeRunTogether = whole.count > 4 && whole.hasSuffix("id") && !Self.words.contains(whole)
        return mayBeRunTogether && [.uuid, .int, .string].contains(field.type) ? .other : nil
    }
}
