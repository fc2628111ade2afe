"""Games without a site: adjudicate, cases, simulate, explain."""
