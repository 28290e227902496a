//! Verdicts on requests: what a judge recommends and why.
