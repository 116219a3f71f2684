/// Names in snake_case.
package enum SnakeCaseName {
    /// `primaryCategory` as `primary_category`, `HTTPServer` as `http_server`.
    package static func of(_ name: String) -> String {
        let scalars = Array(name.unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            let isUpper = scalar.properties.isUppercase
            if isUpper && index > 0 {
                let followsLower = !scalars[index - 1].properties.isUppercase && scalars[index - 1] != "_"
                let precedesLower = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
                if followsLower || precedesLower && scalars[index - 1] != "_" { result += "_" }
            }
            result += isUpper ? scalar.properties.lowercaseMapping : String(scalar)
        }
        return result
    }
}
