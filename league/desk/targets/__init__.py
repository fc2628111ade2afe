"""Where pages are brought, besides `public`: targets of `league.toml`, and how each is doing."""
