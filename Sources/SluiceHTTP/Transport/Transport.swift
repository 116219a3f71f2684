/// Carries requests to where they are answered: over the network, or to a recording.
protocol Transport: Sendable {
    /// Sends a request.
    func begin(_ request: TransferRequest) -> any IncomingResponse

    /// Ends all transfers; later ones end at once.
    func stop()

    /// Waits until nothing is under way any more.
    func waitUntilStopped()
}

/// One response on its way.
protocol IncomingResponse: Sendable {
    /// Waits for what comes next.
    ///
    /// - Parameter spare: An array whose storage is used again.
    /// - Returns: The head, some bytes of the body, how the transfer ended, or that it was cancelled.
    func next(spare: inout [UInt8]) -> TransferState.Delivery

    /// Lets the server go on that was made to wait.
    func resume()

    /// Makes the thread stop waiting that waits for the response.
    func cancel()

    /// Says that nobody wants the rest.
    func abandon()
}
