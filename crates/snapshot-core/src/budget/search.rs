//! How much of a plan fits, found in a few writings.
//!
//! Where all should fit, that is tried first. Otherwise the ladder is cut into brackets of a few
//! steps. A budget begins at the bracket in which its own number of tokens is expected. Does the
//! first step of that fit, the first steps of the brackets above are looked at; does it not fit,
//! those below. In the last bracket whose first step fits, what that costs sets right what the
//! others are expected to cost, and the largest that should fit is written; if it does not fit
//! after all, those below it.
//!
//! Only a step that has been written and fits is ever taken, so the result is never over. Which
//! steps are looked at depends on the ladder alone and on answers that can only turn from "over"
//! to "fits" as the budget grows: so a larger budget never ends at a smaller step, even where a
//! larger step costs less than a smaller one. How far up and down brackets are gone through is
//! bounded, and with it the number of writings (see [`most_writings`]): where costs are nothing
//! like what was expected, all that is below is halved. Only there could a larger budget end at a
//! smaller step, if more costs less.

use super::plan::Step;

/// The steps of a bracket.
const BRACKET: usize = 16;

/// How many brackets below that of the budget are looked into one by one, and how many above.
const MOST_DOWN: usize = 3;
const MOST_UP: usize = 3;

/// How many steps of a ladder are written at most to find a large one that fits.
#[cfg(test)]
pub(super) fn most_writings(ladder: &[Step]) -> usize {
    let up = 1 + MOST_UP + 1 + BRACKET - 1;
    let down = 1 + MOST_DOWN + 1 + (BRACKET - 1).max(ladder.len().max(1).ilog2() as usize + 1);
    up.max(down)
}

/// Finds a large step that fits. `cost` writes a step and says what it costs.
pub(super) fn largest_that_fits(ladder: &[Step], budget: usize, mut cost: impl FnMut(usize) -> usize) -> Option<usize> {
    let all = ladder.len().checked_sub(1)?;
    if ladder[all].tokens <= budget && cost(all) <= budget {
        return Some(all);
    }
    let begin = ladder.partition_point(|step| step.tokens <= budget).saturating_sub(1) / BRACKET * BRACKET;
    let mut first = begin;
    let mut real = cost(first);
    while real > budget {
        if first == 0 {
            return None;
        }
        if begin - first == MOST_DOWN * BRACKET {
            return halved(first, budget, cost);
        }
        first -= BRACKET;
        real = cost(first);
    }
    // What a step costs by what the first of a bracket does.
    let is_likely = |step: usize, first: usize, real: usize| {
        let expected = ladder[step].tokens.saturating_mul(real) / ladder[first].tokens.max(1);
        expected <= budget
    };
    while first >= begin && first < begin + MOST_UP * BRACKET {
        let next = first + BRACKET;
        if next >= ladder.len() || !is_likely(next, first, real) {
            break;
        }
        let real_next = cost(next);
        if real_next > budget {
            break;
        }
        (first, real) = (next, real_next);
    }
    let bracket = first + 1..ladder.len().min(first + BRACKET);
    let likely = bracket.rev().filter(|&step| is_likely(step, first, real));
    Some(likely.into_iter().find(|&step| cost(step) <= budget).unwrap_or(first))
}

/// Finds a step below `end` that fits, expecting nothing.
fn halved(end: usize, budget: usize, mut cost: impl FnMut(usize) -> usize) -> Option<usize> {
    let (mut fits, mut over) = (None, end);
    loop {
        let least = fits.map_or(0, |fits| fits + 1);
        if least >= over {
            return fits;
        }
        let middle = least + (over - least) / 2;
        if cost(middle) > budget {
            over = middle;
        } else {
            fits = Some(middle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ladder as plans make them, from `least` tokens up to `most`.
    fn ladder(most: usize) -> Vec<Step> {
        let mut steps = vec![Step { items: 0, tokens: 16 }];
        let mut tokens = 32;
        while tokens < most {
            steps.push(Step { items: steps.len(), tokens });
            tokens += (tokens / 112).max(6);
        }
        steps.push(Step { items: steps.len(), tokens: most });
        steps
    }

    /// Numbers that look like chance and are the same in every run.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, end: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % end
        }
    }

    #[test]
    fn whatever_steps_cost_the_search_is_bounded_exact_and_monotone() {
        let mut chance = Chance(7);
        for round in 0..400 {
            let ladder = ladder(200 + usize::try_from(chance.below(60_000)).expect("is small"));
            // From good expectations to poor ones; what comes next costs up to a third less.
            let spread = 1 + 5 * (round % 10);
            let costs: Vec<usize> = ladder
                .iter()
                .map(|step| step.tokens * usize::try_from(100 + chance.below(spread)).expect("is small") / 100)
                .collect();
            let mut before = None;
            for budget in
                (10..80_000).step_by(997).chain([64, 65, 66, 100, 4096]).collect::<std::collections::BTreeSet<_>>()
            {
                let mut written = 0;
                let found = largest_that_fits(&ladder, budget, |step| {
                    written += 1;
                    costs[step]
                });
                assert!(written <= most_writings(&ladder), "{written} for {budget}");
                assert!(found.is_none_or(|step| costs[step] <= budget), "over {budget}");
                assert!(found >= before, "{found:?} for {budget}, {before:?} for less");
                before = found;
            }
        }
    }

    #[test]
    fn nothing_that_steps_cost_makes_the_search_long_or_wrong() {
        let mut chance = Chance(11);
        for _ in 0..400 {
            let ladder = ladder(200 + usize::try_from(chance.below(60_000)).expect("is small"));
            let costs: Vec<usize> =
                ladder.iter().map(|_| usize::try_from(chance.below(200_000)).expect("is small")).collect();
            for budget in (10..80_000).step_by(997) {
                let mut written = 0;
                let found = largest_that_fits(&ladder, budget, |step| {
                    written += 1;
                    costs[step]
                });
                assert!(written <= most_writings(&ladder), "{written} for {budget}");
                assert!(found.is_none_or(|step| costs[step] <= budget), "over {budget}");
            }
        }
    }

    #[test]
    fn with_good_expectations_the_largest_step_is_found_at_once() {
        let ladder = ladder(20_000);
        for percent in [85, 100, 118] {
            let cost = |step: usize| ladder[step].tokens * percent / 100;
            let (mut all, mut written, budgets) = (0, 0, (64..16_000).step_by(61));
            for budget in budgets {
                all += 1;
                let found = largest_that_fits(&ladder, budget, |step| {
                    written += 1;
                    cost(step)
                });
                let best = (0..ladder.len()).rev().find(|&step| cost(step) <= budget);
                assert_eq!(found, best, "{budget}");
            }
            let usual = if percent == 100 { 2 } else { 5 };
            assert!(written <= usual * all, "{percent} %: {written} for {all}");
        }
    }
}
