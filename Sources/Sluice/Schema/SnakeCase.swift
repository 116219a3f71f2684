/// Names in snake_case, as tables have them.
enum SnakeCase {
    /// `primaryCategory` as `primary_category`.
    static func of(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            if scalar.properties.isUppercase {
                if !result.isEmpty && !result.hasSuffix("_") { result += "_" }
                result += scalar.properties.lowercaseMapping
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
