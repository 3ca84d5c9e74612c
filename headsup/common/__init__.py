"""Tools that know no poker: errors, files, cache, progress, plots, kernels, processes and solver back ends."""
