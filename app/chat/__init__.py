"""The centre pane: messages, their Markdown, and the composer."""
