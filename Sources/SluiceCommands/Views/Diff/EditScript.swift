/// The shortest way from one list of numbers to another, found greedily as E. W. Myers described it.
///
///     old  1 2 3     new  1 3 4     steps  keep 1, remove 2, keep 3, insert 4
enum EditScript {
    /// What is done to the next element.
    enum Step { case keep, remove, insert }

    /// The steps from one list to the other.
    ///
    /// Time and memory grow with the square of the steps that are no `keep`, so there is a most of them.
    ///
    /// - Parameters:
    ///   - old: The list to start from.
    ///   - new: The list to end with.
    ///   - limit: The most elements to remove and insert.
    /// - Returns: The steps in order, nil where more would be needed.
    static func steps(from old: [Int], to new: [Int], limit: Int) -> [Step]? {
        let most = min(limit, old.count + new.count)
        // How far each diagonal has come; diagonal k stands at k + most + 1.
        var reach = [Int](repeating: 0, count: 2 * most + 3)
        let middle = most + 1
        var trace: [[Int32]] = []
        for depth in 0...most {
            trace.append(reach[(middle - depth - 1)...(middle + depth + 1)].map { Int32(truncatingIfNeeded: $0) })
            for diagonal in stride(from: -depth, through: depth, by: 2) {
                let (below, above) = (reach[middle + diagonal - 1], reach[middle + diagonal + 1])
                var x = diagonal == -depth || (diagonal != depth && below < above) ? above : below + 1
                while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
                reach[middle + diagonal] = x
                if x >= old.count, x - diagonal >= new.count {
                    return way(back: trace, x: old.count, y: new.count)
                }
            }
        }
        return nil
    }

    /// Follows what was reached at each depth from the end to the start.
    private static func way(back trace: [[Int32]], x: Int, y: Int) -> [Step] {
        var (x, y) = (x, y)
        var steps: [Step] = []
        for (depth, reach) in trace.enumerated().reversed() {
            let diagonal = x - y
            func reached(_ diagonal: Int) -> Int { Int(reach[diagonal + depth + 1]) }
            let isInsert =
                diagonal == -depth || (diagonal != depth && reached(diagonal - 1) < reached(diagonal + 1))
            let startX = depth == 0 ? 0 : reached(isInsert ? diagonal + 1 : diagonal - 1)
            let startY = depth == 0 ? 0 : startX - (isInsert ? diagonal + 1 : diagonal - 1)
            while x > startX, y > startY, depth == 0 || x > (isInsert ? startX : startX + 1) {
                steps.append(.keep)
                (x, y) = (x - 1, y - 1)
            }
            if depth > 0 { steps.append(isInsert ? .insert : .remove) }
            (x, y) = (startX, startY)
        }
        return steps.reversed()
    }
}
