// The precompiled headers of all rooms need a target of their own.
