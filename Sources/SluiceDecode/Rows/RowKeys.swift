internal import SluiceJSON

/// The keys that the header row gives to the cells of the others.
struct RowKeys {
    /// Each key in quotes with a colon behind it.
    let members: [[UInt8]]

    /// Names the cells of a header.
    ///
    /// A cell without a name is called by its position, and a name that is taken gets a number: no cell is lost.
    init(_ header: RowParser.Row) {
        var taken: Set<String> = []
        members = (0..<header.cellCount).map { index in
            let text = String(decoding: header.cell(index), as: UTF8.self)
            let wanted = text.allSatisfy(\.isWhitespace) ? "column_\(index + 1)" : text
            var name = wanted
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(wanted)_\(number)"
            }
            var member: [UInt8] = []
            JSONWriter.append(name, to: &member)
            member.append(UInt8(ascii: ":"))
            return member
        }
    }
}
