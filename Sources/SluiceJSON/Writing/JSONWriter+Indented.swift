extension JSONWriter {
    /// Appends a value with a line for each member and element, indented by two blanks a level.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - indent: How many blanks the line begins with that the value stands in.
    ///   - bytes: The text, in UTF-8; it ends without a line break.
    package static func appendIndented(_ element: JSONElement, indent: Int = 0, to bytes: inout [UInt8]) {
        guard element.count > 0 else { return append(element, to: &bytes) }
        let isObject = element.kind == .object
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
        var isFirst = true
        func beginLine(_ indent: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
        }
        func beginPart() {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            beginLine(indent + 2)
        }
        if isObject {
            var members = element.members()
            while members.next() {
                beginPart()
                appendString(members.keyElement, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                appendIndented(members.value, indent: indent + 2, to: &bytes)
            }
        } else {
            var elements = element.elements()
            while elements.next() {
                beginPart()
                appendIndented(elements.value, indent: indent + 2, to: &bytes)
            }
        }
        beginLine(indent)
        bytes.append(UInt8(ascii: isObject ? "}" : "]"))
    }
}
