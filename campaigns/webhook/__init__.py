"""The webhook: tells a service of the Storyteller's choice that a session was announced, and that one has ended.

It is the only part of Vesper that calls other machines (docs/decisions/0029-the-server-calls-a-webhook.md).
"""
