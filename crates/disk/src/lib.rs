//! Files Gavel owns: the activity log and the settings it reads without a shell.
