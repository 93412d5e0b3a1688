"""Builds what people install: a folder with all inside, as a tarball and as a Debian package.

    PYTHONPATH=packaging python -m bundle build    # what `make package` calls
    PYTHONPATH=packaging python -m bundle check    # what `make check-package` calls
    PYTHONPATH=packaging python -m bundle renew    # newer inputs: rewrites the lists beside this

`inputs` fetches by hash, `tree` assembles the folder and leaves out what the program never uses,
`notice` collects the licences, `debian` and `archive` pack the folder, `roots` tries it in clean
systems.
"""
