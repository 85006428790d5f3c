"""Groups and parts → chunks, their metadata and their ids."""
