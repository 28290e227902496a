//! Points in time as the file has them.

use crate::Moment;

const DAY: u64 = 86_400_000;

/// `moment` as ISO 8601 in UTC with milliseconds, e.g. `2026-08-26T12:00:00.000Z`.
#[must_use]
pub fn iso(moment: Moment) -> String {
    let (days, time) = (moment.0 / DAY, moment.0 % DAY);
    let (year, month, day) = date(days);
    let (hours, minutes, seconds) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{:03}Z", time % 1000)
}

/// Year, month and day of the `days`-th day since the beginning of 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // Years are taken to begin in March, so that the day that may be missing is the last of one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_the_plugin_writes_them() {
        // As `new Date(…).toISOString()` writes them.
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (1_787_745_600_000, "2026-08-26T12:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        ];
        for (millis, expected) in cases {
            assert_eq!(iso(Moment(millis)), expected, "{millis}");
        }
        assert!(iso(Moment(u64::MAX)).ends_with('Z'));
    }
}
