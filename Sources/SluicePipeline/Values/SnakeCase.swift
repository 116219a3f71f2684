/// Table names of entity names.
package enum SnakeCase {
    /// `order_line` of `OrderLine`, `http_server` of `HTTPServer`.
    package static func convert(_ name: String) -> String {
        let letters = Array(name)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0, letters[index - 1] != "_" {
                let followsLower = !letters[index - 1].isUppercase
                let startsWord = index + 1 < letters.count && letters[index + 1].isLowercase
                if followsLower || startsWord { result += "_" }
            }
            result += letter.lowercased()
        }
        return result
    }
}
