package import SluiceModel

/// Types of columns as types of Swift.
package enum SwiftFieldType {
    /// The type that a generated model has.
    package static func preferred(_ type: FieldType) -> String {
        switch type {
        case .string, .enumeration: "String"
        case .uuid: "UUID"
        case .url: "URL"
        case .int: "Int"
        case .double: "Double"
        case .decimal: "Decimal"
        case .bool: "Bool"
        case .date: "Day"
        case .datetime: "Date"
        case .json: "JSONText"
        case .bytes: "Data"
        }
    }

    /// The types of Swift that hold each value of a column, or as many as the number's size says.
    package static func fitting(_ type: FieldType) -> Set<String> {
        switch type {
        case .string, .enumeration: ["String"]
        case .uuid: ["UUID", "String"]
        case .url: ["URL", "String"]
        case .int: ["Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"]
        case .double: ["Double", "Float"]
        case .decimal: ["Decimal"]
        case .bool: ["Bool"]
        case .date: ["Day", "String"]
        case .datetime: ["Date"]
        case .json: ["JSONText", "String"]
        case .bytes: ["Data", "[UInt8]"]
        }
    }

    /// The types that the library stores by themselves: any other one may be a program's own.
    package static let known: Set<String> = [
        "String", "UUID", "URL", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float", "Decimal", "Bool", "Day", "Date", "JSONText", "Data", "[UInt8]",
    ]

    /// Why a type of the library does not hold the values of a column; nil where it does, or is a program's own.
    static func misfit(_ own: String, _ type: FieldType) -> (detail: String, help: String)? {
        let plain = own.split(separator: ".").last.map(String.init) ?? own
        if fitting(type).contains(plain) || !known.contains(plain) { return nil }
        return (
            "A `\(own)` does not hold the values of the type `\(type.rawValue)`.",
            "A `\(preferred(type))` holds them."
        )
    }

    /// The type of a column that holds values of a type of the library; nil for a program's own.
    static func stored(_ own: String) -> FieldType? {
        let plain = own.split(separator: ".").last.map(String.init) ?? own
        return FieldType.allCases.first { preferred($0) == plain }
            ?? FieldType.allCases.first { fitting($0).contains(plain) }
    }

    /// The types that come with Foundation.
    static let ofFoundation: Set<String> = ["UUID", "URL", "Decimal", "Date", "Data"]
}
