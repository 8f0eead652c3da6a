"""The command line: what all families share is in `shared`; each family has a module with its command."""
