"""The API gateway: authentication, admission, and the door to flows. It holds no state of its own."""
