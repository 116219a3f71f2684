extension Issue {
    /// Appends the record as compact JSON.
    func write(to output: inout [UInt8]) {
        let login = "reader-\(user &* 7919 % 1_000_003)"
        output.append(contentsOf: "{\"id\":\(id),\"node_id\":\"N_\(String(id, radix: 36))\",\"number\":\(number)".utf8)
        output.append(contentsOf: ",\"html_url\":\"https://tracker.example/lantern/shop/issues/\(number)\"".utf8)
        member("title", title, &output)
        member("state", isClosed ? "closed" : "open", &output)
        member("state_reason", reason, &output)
        output.append(contentsOf: ",\"locked\":\(isLocked),\"comments\":\(comments),\"reactions\":\(reactions)".utf8)
        output.append(contentsOf: ",\"score\":\(score / 1000).\(String(score % 1000 + 1000).dropFirst())".utf8)
        output.append(contentsOf: ",\"user\":{\"id\":\(user),\"login\":\"\(login)\"".utf8)
        output.append(contentsOf: ",\"url\":\"https://api.tracker.example/users/\(login)\"".utf8)
        member("type", user % 50 == 0 ? "Bot" : "User", &output)
        output.append(contentsOf: "},\"labels\":[".utf8)
        for (index, label) in labels.enumerated() {
            output.append(contentsOf: "\(index > 0 ? "," : ""){\"id\":\(label.id)".utf8)
            member("name", label.name, &output)
            member("color", label.color, &output)
            output.append(UInt8(ascii: "}"))
        }
        output.append(contentsOf: "],\"milestone\":".utf8)
        if let milestone {
            output.append(contentsOf: "{\"id\":\(milestone.id),\"number\":\(milestone.number)".utf8)
            member("title", milestone.title, &output)
            member("state", milestone.state, &output)
            member("due_on", milestone.dueOn, &output)
            output.append(UInt8(ascii: "}"))
        } else {
            output.append(contentsOf: "null".utf8)
        }
        member("author_association", association, &output)
        member("created_at", createdAt, &output)
        member("updated_at", updatedAt, &output)
        member("closed_at", closedAt, &output)
        member("body", body, &output)
        output.append(UInt8(ascii: "}"))
    }

    private func member(_ name: StaticString, _ value: String?, _ output: inout [UInt8]) {
        output.append(contentsOf: ",\"\(name)\":".utf8)
        guard let value else {
            output.append(contentsOf: "null".utf8)
            return
        }
        output.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case UInt8(ascii: "\n"): output.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): output.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): output.append(contentsOf: "\\t".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
