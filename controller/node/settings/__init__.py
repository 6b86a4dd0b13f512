"""A settings file becomes places, ports and drivers' settings, or one list of errors: file, key, what would be right.

The door is `settings.read_node`. Every other file reads one part of the TOML, or checks what two parts say together.
"""
