import Dispatch

#if canImport(Glibc)
    import Glibc
#endif

/// Tells when files are written to, whoever writes.
package enum FileWrites {
    /// Begins to watch files.
    ///
    /// - Parameter paths: The files; those that are not there are passed over.
    /// - Returns: A value after each write, and one for several that come soon after each other; nil where the system does
    ///   not tell, so that one has to look oneself. It watches for as long as somebody waits for values.
    package static func stream(of paths: [String]) -> AsyncStream<Void>? {
        #if canImport(Glibc)
            // See: man 7 inotify
            let descriptor = inotify_init1(Int32(truncatingIfNeeded: IN_NONBLOCK | IN_CLOEXEC))
            if descriptor < 0 { return nil }
            let watches = paths.map { unsafe inotify_add_watch(descriptor, $0, UInt32(IN_MODIFY)) }
            guard watches.contains(where: { $0 >= 0 }) else {
                close(descriptor)
                return nil
            }
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
            source.setEventHandler {
                drain(descriptor)
                continuation.yield()
            }
            source.setCancelHandler { close(descriptor) }
            // Only cancelled from here: a source may be from any thread.
            nonisolated(unsafe) let held = source
            continuation.onTermination = { _ in unsafe held.cancel() }
            source.activate()
            return stream
        #else
            return nil
        #endif
    }

    #if canImport(Glibc)
        /// Reads what the system has to tell, of which nothing matters but that it is there.
        private static func drain(_ descriptor: Int32) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while unsafe bytes.withUnsafeMutableBytes({ unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
        }
    #endif
}
