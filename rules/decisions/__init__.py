"""What each command comes to: one module a topic, one function a command."""
