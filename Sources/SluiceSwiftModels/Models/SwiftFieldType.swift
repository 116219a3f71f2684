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

    /// The types that come with Foundation.
    static let ofFoundation: Set<String> = ["UUID", "URL", "Decimal", "Date", "Data"]
}
