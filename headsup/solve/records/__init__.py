"""What solvers share: settings, solutions and their files, checkpoints, locks and regrets."""
