//! Every scenario on the stand-in, in both dialects, and in the second with every difference between releases.

use gavel_tests::host::{Kind, all_switches};
use gavel_tests::{play_questions, play_scenarios};

fn releases() -> Vec<Kind> {
    all_switches().into_iter().map(Kind::StandInV2).collect()
}

mod v1 {
    super::play_scenarios!(on super::Kind::StandInV1);
    super::play_questions!(on super::Kind::StandInV1);
}

mod v2 {
    super::play_scenarios!(on every super::releases());
    super::play_questions!(on every super::releases());
}
