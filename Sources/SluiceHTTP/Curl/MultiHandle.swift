internal import CSluiceCurl
internal import Synchronization

/// One libcurl multi handle: the connections that transfers share.
///
/// It is `@unchecked Sendable` because two threads touch it: the transfer thread calls everything, other threads call only
/// ``wake()``, the one function that libcurl allows from any thread while the handle exists, which ``close()`` waits for. A type
/// for the thread's half that cannot be sent would make the mark superfluous.
@safe
final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private let isOpen = Mutex(true)

    /// Makes a handle; nil where libcurl has none to give.
    init?() {
        guard CurlLibrary.isReady, let pointer = unsafe curl_multi_init() else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { close() }

    /// Closes all connections; the transfer thread calls it last, when no transfer is left.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { unsafe curl_multi_cleanup(pointer) }
            isOpen = false
        }
    }

    /// Ends a wait of the transfer thread, or the next one if there is none.
    func wake() {
        isOpen.withLock { isOpen in
            if isOpen { _ = unsafe curl_multi_wakeup(pointer) }
        }
    }

    /// Starts a transfer; false where libcurl does not take it.
    func add(_ handle: EasyHandle) -> Bool {
        unsafe curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    /// Takes a transfer out, whether or not it has ended.
    func remove(_ handle: EasyHandle) {
        _ = unsafe curl_multi_remove_handle(pointer, handle.pointer)
    }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        _ = unsafe curl_multi_perform(pointer, &running)
    }

    /// Waits until something can be done, ``wake()`` is called, or the time is over.
    func wait(milliseconds: Int) {
        _ = unsafe curl_multi_poll(pointer, nil, 0, Int32(clamping: milliseconds), nil)
    }

    /// The next transfer that has ended by itself.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (handle, sluice_message_result(message))
        }
        return nil
    }
}
