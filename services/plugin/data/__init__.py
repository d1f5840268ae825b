"""A domain's own data: tables, the graph, data sets that typed queries may ask, and the sample."""
