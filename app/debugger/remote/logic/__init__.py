"""The source and the sentences of remote engines. Without Qt."""
