internal import Synchronization

/// Compiled programs that nobody uses at present: to compile one takes longer than to evaluate it thousands of times, and
/// a pipeline that is checked, planned and run needs each of its programs again and again.
enum IdlePrograms {
    /// A program takes some hundred kilobytes.
    private static let capacity = 64
    /// Those that were used last stand at the end.
    private static let programs = Mutex<[CompiledProgram]>([])

    /// A program that is compiled already; nobody else gets it.
    static func take(_ key: CompiledProgram.Key) -> CompiledProgram? {
        programs.withLock { programs in
            programs.lastIndex { $0.key == key }.map { programs.remove(at: $0) }
        }
    }

    /// Keeps a program for whoever needs it next.
    static func put(_ program: CompiledProgram) {
        guard program.rest() else { return }
        // What is given up is freed outside the lock.
        let oldest: CompiledProgram? = programs.withLock { programs in
            programs.append(program)
            return programs.count > capacity ? programs.removeFirst() : nil
        }
        withExtendedLifetime(oldest) {}
    }
}
