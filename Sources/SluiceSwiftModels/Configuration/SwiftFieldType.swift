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

    /// The types that the library stores by themselves, with what their columns hold; any other one may be a program's own.
    private static let types: [String: FieldType] = [
        "String": .string, "UUID": .uuid, "URL": .url, "Int": .int, "Int8": .int, "Int16": .int, "Int32": .int,
        "Int64": .int, "UInt8": .int, "UInt16": .int, "UInt32": .int, "UInt64": .int, "Double": .double,
        "Float": .double, "Decimal": .decimal, "Bool": .bool, "Day": .date, "Date": .datetime, "JSONText": .json,
        "Data": .bytes, "[UInt8]": .bytes,
    ]

    /// The types that the library stores by themselves.
    package static let known = Set(types.keys)

    /// The types of Swift that hold each value of a column, or as many as the number's size says.
    package static func fitting(_ type: FieldType) -> Set<String> {
        Set(types.filter { type.isHeld(by: $0.value) }.keys)
    }

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
        return types[plain]
    }

    /// The types that come with Foundation.
    static let ofFoundation: Set<String> = ["UUID", "URL", "Decimal", "Date", "Data"]
}
