/// The icon: a gate that lets a stream through.
enum PageIcon {
    static let text = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b57d0"/>\
        <path d="M7 8h18v4H7zM11 12v6M21 12v6" stroke="#fff" stroke-width="2" fill="none"/>\
        <path d="M5 21q4-3 8 0t8 0 6 0M5 26q4-3 8 0t8 0 6 0" stroke="#fff" stroke-width="2" fill="none"/></svg>
        """
}
