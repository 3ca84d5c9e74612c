"""PioSOLVER's text protocol (UPI) for solved spots: scripts and clients written for PioSOLVER run on headsup."""
