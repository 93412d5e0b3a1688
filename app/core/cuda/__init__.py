"""The CUDA part: a second PyTorch in the user's data folder, fetched only when asked. Without Qt.

It is never needed to start. Its folder goes before the program's own packages once its check has
passed on this computer; if it cannot be imported, the program's own PyTorch takes its place.
"""
