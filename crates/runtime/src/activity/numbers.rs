//! The middle of things.

/// The median; of an even number the lower of the two in the middle.
pub(crate) fn median(values: &mut [u64]) -> Option<u64> {
    percentile(values, 50)
}

/// The smallest of `values` that at least `percent` percent of them don't exceed.
pub(crate) fn percentile(values: &mut [u64], percent: usize) -> Option<u64> {
    values.sort_unstable();
    let place = (values.len() * percent).div_ceil(100).max(1) - 1;
    values.get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_nearest_rank() {
        let cases: [(&[u64], Option<u64>, Option<u64>); 6] = [
            (&[], None, None),
            (&[7], Some(7), Some(7)),
            (&[9, 1], Some(1), Some(9)),
            (&[3, 1, 2], Some(2), Some(3)),
            (&[4, 3, 2, 1], Some(2), Some(4)),
            (&[0, u64::MAX], Some(0), Some(u64::MAX)),
        ];
        for (values, middle, high) in cases {
            assert_eq!(
                (median(&mut values.to_vec()), percentile(&mut values.to_vec(), 95)),
                (middle, high),
                "{values:?}"
            );
        }
        let mut hundred: Vec<u64> = (1..=100).rev().collect();
        assert_eq!((median(&mut hundred), percentile(&mut hundred, 95)), (Some(50), Some(95)));
    }
}
