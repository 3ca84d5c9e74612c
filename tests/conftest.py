"""Settings that must be made before NumPy is loaded."""

import os

# Tests run side by side, one a core; products of matrices that also want every core mostly wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
