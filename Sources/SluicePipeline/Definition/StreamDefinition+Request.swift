extension StreamDefinition {
    /// The method of a request. See: RFC 9110, section 9.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
    }

    /// What a request sends.
    package enum Body: Sendable, Hashable {
        /// JSON.
        case json(BodyValue)
        /// Names and values of a form.
        case form([NamedText])
        /// Text as it is.
        case text(ConfigurationText)
    }

    /// A JSON value in which texts may be secret.
    package indirect enum BodyValue: Sendable, Hashable {
        /// The JSON text of a number, a truth value or null.
        case literal(ConfigurationText)
        case text(ConfigurationText)
        case array([BodyValue])
        case object([BodyMember])
    }

    /// A member of a JSON object.
    package struct BodyMember: Sendable, Hashable {
        /// Its name.
        package var name: String
        /// Its value.
        package var value: BodyValue

        /// Makes a member.
        package init(name: String, value: BodyValue) {
            self.name = name
            self.value = value
        }
    }
}

extension StreamDefinition.Body {
    /// The texts that it holds.
    package var texts: [ConfigurationText] {
        switch self {
        case .json(let value): value.texts
        case .form(let fields): fields.map(\.value)
        case .text(let text): [text]
        }
    }
}

extension StreamDefinition.BodyValue {
    var texts: [ConfigurationText] {
        switch self {
        case .literal(let text), .text(let text): [text]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        }
    }
}
