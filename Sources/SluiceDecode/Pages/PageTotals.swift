package import SluiceJSON

/// What the pages of a reading say of how many there are in all, and how many they list: a source may say it on one page
/// alone. Each total holds until a later page says another one of the same name.
package struct PageTotals: Equatable {
    /// What is counted.
    package enum Noun: String {
        case records, pages
    }

    /// A number that a page told.
    package struct Total: Equatable {
        package let noun: Noun
        package let count: Int
        /// The names that lead to it in the body; the name of the header where it stands in one.
        package let names: [String]
        package let isHeader: Bool

        /// Makes a value of its parts.
        package init(_ noun: Noun, _ count: Int, names: [String], isHeader: Bool) {
            self.noun = noun
            self.count = count
            self.names = names
            self.isHeader = isHeader
        }

        /// Where it stands, for messages.
        package var text: String { Envelope.text(of: names) }
        /// The path to it; nil for a header.
        package var path: JSONPath? { isHeader ? nil : Envelope.path(of: names) }

        fileprivate func replaces(_ other: Total) -> Bool {
            noun == other.noun && names == other.names && isHeader == other.isHeader
        }
    }

    /// The totals, in the order in which they were first told.
    package private(set) var told: [Total] = []
    /// How many records the pages list; nil where that is not known of each of them.
    package var listed: Int?

    /// What is known before the first page.
    ///
    /// - Parameter listed: How many records the pages before list; nil where that is not known.
    package init(listed: Int? = 0) { self.listed = listed }

    /// Records a total.
    package mutating func record(_ total: Total) {
        if let index = told.firstIndex(where: total.replaces) { told[index] = total } else { told.append(total) }
    }

    /// Notes how many records a page lists; nil where that is not known.
    package mutating func add(_ count: Int?) { listed = listed.flatMap { listed in count.map { listed + $0 } } }

    /// Whether some page told how many records there are.
    package var tellsRecords: Bool { told.contains { $0.noun == .records } }

    /// How many records there are, as the first page that said so or a later one of its kind told.
    package var records: Int? { told.first { $0.noun == .records }?.count }

    /// The first total of a kind that is larger than what was read.
    package func exceeding(_ read: Int, _ noun: Noun) -> Total? { told.first { $0.noun == noun && $0.count > read } }
}

/// The totals as a store keeps them: how many records are listed, then a line for each total.
extension PageTotals {
    /// The text.
    package var text: String {
        let lines = told.map { total in
            // A name with a tab or a line's end is shown, and looked for, with blanks.
            let names = total.names.map { name in String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
            let place = total.isHeader ? "header" : "body"
            return ([total.noun.rawValue, String(total.count), place] + names).joined(separator: "\t")
        }
        return ([listed.map(String.init) ?? ""] + lines).joined(separator: "\n")
    }

    /// Reads ``text``; of what is something else nothing is known.
    package init(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(listed: lines.first.flatMap { Int($0) })
        for line in lines.dropFirst() {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 3, let noun = Noun(rawValue: parts[0]), let count = Int(parts[1]) else { continue }
            record(Total(noun, count, names: Array(parts[3...]), isHeader: parts[2] == "header"))
        }
    }
}
