/// Builds JSON pointers, the texts of RFC 6901 that name one value of a document.
public enum JSONPointer {
    /// Appends the step to a member.
    ///
    /// - Parameters:
    ///   - name: The name of the member, not escaped.
    ///   - pointer: The pointer of the object.
    public static func append(name: String, to pointer: inout String) {
        pointer.append("/")
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": pointer.append("~0")
            case "/": pointer.append("~1")
            default: pointer.unicodeScalars.append(scalar)
            }
        }
    }

    /// Appends the step to an element.
    ///
    /// - Parameters:
    ///   - index: The position of the element, from 0.
    ///   - pointer: The pointer of the array.
    public static func append(index: Int, to pointer: inout String) {
        pointer.append("/\(index)")
    }
}
