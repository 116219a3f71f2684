/// Reads texts with `{{ … }}`.
enum TemplateText {
    /// The parts of a template.
    static func parse(_ text: String) throws(TextProblem) -> TextTemplate {
        let bytes = Array(text.utf8)
        var parts: [TextTemplate.Part] = []
        var literal: [UInt8] = []
        func flush() {
            if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
            literal = []
        }
        var index = 0
        while index < bytes.count {
            guard isPair(bytes, index, "{") else {
                literal.append(bytes[index])
                index += 1
                continue
            }
            guard let end = (index + 2..<bytes.count).first(where: { isPair(bytes, $0, "}") }) else {
                throw TextProblem("`{{` is not closed by `}}`.", offset: index)
            }
            let name = String(decoding: bytes[index + 2..<end], as: UTF8.self).filter { $0 != " " }
            guard name == "file.stem" else {
                throw TextProblem(
                    "This variable is not known here.", offset: index,
                    help: "`{{ file.stem }}` is: the name of the page's file without folder and extension.")
            }
            flush()
            parts.append(.fileStem)
            index = end + 2
        }
        flush()
        return TextTemplate(parts: parts)
    }

    private static func isPair(_ bytes: [UInt8], _ index: Int, _ brace: Unicode.Scalar) -> Bool {
        index + 1 < bytes.count && bytes[index] == UInt8(ascii: brace) && bytes[index + 1] == UInt8(ascii: brace)
    }
}
