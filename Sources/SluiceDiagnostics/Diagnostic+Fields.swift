extension Diagnostic {
    /// One member of the JSON form of a diagnostic.
    package struct Field: Sendable, Hashable {
        /// A value of the JSON form.
        package enum Value: Sendable, Hashable {
            /// A JSON string.
            case text(String)
            /// A JSON number.
            case number(Int)
        }

        /// The member's name.
        package var name: String
        /// The member's value.
        package var value: Value

        /// Makes a member.
        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The members of the JSON form, in their fixed order; what is not known is left out.
    package var fields: [Field] {
        var fields = [
            Field(name: "code", value: .text(code.rawValue)),
            Field(name: "severity", value: .text(severity.rawValue)),
            Field(name: "message", value: .text(message)),
            Field(name: "summary", value: .text(summary)),
            Field(name: "detail", value: .text(detail)),
        ]
        if let location {
            fields.append(Field(name: "file", value: .text(location.file)))
            if let position = location.position {
                fields.append(Field(name: "line", value: .number(position.line)))
                fields.append(Field(name: "column", value: .number(position.column)))
            }
        }
        if let suggestion { fields.append(Field(name: "suggestion", value: .text(suggestion))) }
        if let help { fields.append(Field(name: "help", value: .text(help))) }
        if !notes.isEmpty {
            let text = notes.map(\.description).joined(separator: "; ")
            fields.append(Field(name: "note", value: .text(text)))
        }
        return fields
    }
}
