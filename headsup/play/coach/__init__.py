"""Reviews of played hands, questions to train with, and what a choice costs."""
