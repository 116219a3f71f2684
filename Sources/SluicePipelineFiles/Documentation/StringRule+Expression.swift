internal import SluicePipeline

extension StringRule {
    /// What a text must look like as a regular expression of ECMAScript, as far as one can say it; nil for any text.
    var expression: String? {
        switch self {
        case .anything: nil
        case .anyTemplate: "^\(Self.filledIn)"
        case .name: Self.withoutControls
        case .pattern(let pattern): pattern.expression
        case .baseURL:
            "^([Hh][Tt][Tt][Pp][Ss]?://[^@/?#\\s]+(/[^?#\\s]*)?"
                + "|[Ff][Ii][Ll][Ee]:(?!//(?!/))([^%\\u0000-\\u001F\\u007F]|%[0-9A-Fa-f]{2})+)$"
        case .storeURL:
            "^(sqlite:(?!:|[Ff][Ii][Ll][Ee]:)[^\\u0000-\\u001F\\u007F-\\u009F]+|postgres(ql)?://[^\\u0000-\\u0020\\u007F]*)$"
        case .requestPath: "^(?![^:/]*://)(?=\(Self.filledIn))[^\\u0000-\\u001F\\u007F-\\u009F]+$"
        case .recordPath: "^(?![^:/]*://)(?=\(Self.withKey))[^\\u0000-\\u001F\\u007F-\\u009F]+$"
        case .sentText: "^(?!.*\\{\\{)[^\\u0000\\r\\n]*$"
        case .sentTemplate: "^(?=\(Self.filledIn))[^\\u0000\\r\\n]*$"
        case .tokenTemplate: "^([^{\\u0000\\r\\n]|\\{(?!\\{))*\\{\\{ *token *\\}\\}([^{\\u0000\\r\\n]|\\{(?!\\{))*$"
        case .endpoint, .webhook: "^[Hh][Tt][Tt][Pp][Ss]?://[^@/?#\\s]+(/[^?#\\s]*)?(\\?[^#\\s]*)?$"
        case .host: "^([A-Za-z0-9_][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*\\.?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$"
        case .relation: "^[^\\u0000-\\u0020\\u007F]+$"
        case .valuePath, .recordsPath: "[^\\u0000-\\u0020]"
        case .template: "^([^{]|\\{(?!\\{)|\\{\\{ *(file\\.stem|\(Self.members)) *\\}\\})*$"
        case .dateFormat:
            "^(rfc3339|unix|unix_ms|date|rfc2822|rfc850|http_date|(?=.*%)([^%]|%[YmdHMSfzZbByjepITDF%])+)$"
        case .utcOffset: "^(UTC|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
        case .cron: "^[ \\t]*(@[A-Za-z]+|[^ \\t]+([ \\t]+[^ \\t]+){4,5})[ \\t]*$"
        case .timeZone: "^[A-Za-z0-9+_-]+(/[A-Za-z0-9+_-]+)*$"
        case .program: "^[^\\u0000]*[^\\u0000-\\u0020][^\\u0000]*$"
        case .proxyURL: "^(https?|socks5h?)://([^@/?#\\s]*@)?[^@/?#\\s]+/*$"
        }
    }

    /// A field of the parent, or the text of `for_each`.
    private static let members = {
        let name = "\\.[^ {}|]([^{}|]*[^ {}|])?"
        return "parent\(name)|item(\(name))?"
    }()

    /// Nothing in braces but what may be filled in.
    private static let filledIn: String = {
        let times = ConfigurationText.requestVariables.filter(\.isTime)
        let names = times.map { $0.rawValue.replacing(".", with: "\\.") }
        let filters = TemplateVariable.Filter.allCases.map(\.rawValue).joined(separator: "|")
        let time = "(\(names.joined(separator: "|"))) *(\\| *(\(filters)) *)?"
        let variable = "\\{\\{ *(\(time)|(\(members)) *)\\}\\}"
        return "([^{]|\\{(?!\\{)|\(variable))*$"
    }()

    /// Nothing in braces but fields of the record.
    private static let withKey = "([^{]|\\{(?!\\{)|\\{\\{ *(key|record)\\.[^{}]+\\}\\})*$"

    private static let withoutControls = "^[^\\u0000-\\u001F\\u007F-\\u009F]+$"
}
