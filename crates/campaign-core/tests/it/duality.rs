//! The Duality rules against formulations of their own and against recorded answers.

use campaign_core::{
    dice,
    duality::{self, Advantage, Outcome, explain, outcome, probability, resolve, rules},
};

use crate::world::drawn_with;

/// Modifiers and difficulties around everything that two dice can come to.
fn cases() -> impl Iterator<Item = (i64, i64, i64, Option<i64>)> {
    let pairs = (1..=12).flat_map(|hope| (1..=12).map(move |fear| (hope, fear)));
    pairs.flat_map(|(hope, fear)| {
        (-30..=30).step_by(5).flat_map(move |modifier| {
            let difficulties = std::iter::once(None).chain((0..=40).map(Some));
            difficulties.map(move |difficulty| (hope, fear, modifier, difficulty))
        })
    })
}

/// The rules once more, in words instead of branches.
fn expected(hope: i64, fear: i64, modifier: i64, difficulty: Option<i64>) -> String {
    if hope - fear == 0 {
        return "CRITICAL_SUCCESS".into();
    }
    let die = if hope.max(fear) == hope { "HOPE" } else { "FEAR" };
    let class = difficulty.map_or("ROLL", |difficulty| {
        if difficulty - modifier <= hope + fear { "SUCCESS" } else { "FAILURE" }
    });
    format!("{class}_WITH_{die}")
}

// spec: campaign duality_outcome
#[test]
fn every_pair_of_dice_comes_to_what_the_rules_say() {
    let mut seen = 0;
    for (hope, fear, modifier, difficulty) in cases() {
        let resolved = outcome(hope, fear, modifier, difficulty).unwrap();
        let wanted = expected(hope, fear, modifier, difficulty);
        assert_eq!(resolved.outcome.name(), wanted, "{hope} {fear} {modifier} {difficulty:?}");
        assert_eq!(resolved.total, hope + fear + modifier);
        assert_eq!(resolved.is_crit, wanted == "CRITICAL_SUCCESS");
        let success = wanted.starts_with("SUCCESS") || resolved.is_crit;
        assert_eq!(resolved.meets_difficulty, difficulty.is_some() && success);
        seen += 1;
    }
    assert_eq!(seen, 144 * 13 * 42);
}

#[test]
fn an_explanation_ends_where_the_outcome_does() {
    for (hope, fear, modifier, difficulty) in cases() {
        let explained = explain(hope, fear, modifier, difficulty).unwrap();
        let resolved = outcome(hope, fear, modifier, difficulty).unwrap();
        assert_eq!(explained.resolved, resolved);
        let codes = explained.steps.each_ref().map(|step| step.code);
        let wanted =
            ["SUM_DICE", "APPLY_MODIFIER", "CHECK_CRIT", "CHECK_DIFFICULTY", "SELECT_OUTCOME"];
        assert_eq!(codes, wanted);
        assert_eq!(explained.steps[4].data["outcome"], resolved.outcome.coarse());
        let check = &explained.steps[3].data;
        assert_eq!(check.contains_key("difficulty"), difficulty.is_some());
        let overridden = resolved.is_crit && difficulty.is_some();
        assert_eq!(check.get("critical_override").is_some(), overridden);
        let seen = explained.intermediates;
        assert_eq!((seen.hope_gt_fear, seen.fear_gt_hope), (hope > fear, fear > hope));
        assert_eq!((seen.base_total, seen.total), (hope + fear, resolved.total));
    }
}

#[test]
fn the_acceptance_vectors_of_outcomes_hold() {
    let of = |hope, fear, modifier, difficulty| {
        let resolved = outcome(hope, fear, modifier, difficulty).unwrap();
        (resolved.total, resolved.outcome.name(), resolved.meets_difficulty)
    };
    assert_eq!(of(8, 5, 2, Some(15)), (15, "SUCCESS_WITH_HOPE", true));
    assert_eq!(of(7, 7, 0, None), (14, "CRITICAL_SUCCESS", false));
    assert_eq!(of(1, 1, -5, Some(30)), (-3, "CRITICAL_SUCCESS", true));
    assert_eq!(of(1, 2, -10, Some(0)), (-7, "FAILURE_WITH_FEAR", false));
    assert_eq!(of(3, 11, 0, None), (14, "ROLL_WITH_FEAR", false));
    assert_eq!(of(6, 4, -1, Some(10)), (9, "FAILURE_WITH_HOPE", false));
}

#[test]
fn dice_are_judged_before_the_difficulty() {
    let refused = |hope, fear, modifier, difficulty| {
        let refusal = outcome(hope, fear, modifier, difficulty).unwrap_err();
        assert_eq!(refusal.code.name(), "InvalidArgument");
        (refusal.to_string(), refusal.field.unwrap().into_owned())
    };
    let dice = "duality dice must be between 1 and 12".to_owned();
    assert_eq!(refused(13, 2, 0, Some(-1)), (dice.clone(), "hope".into()));
    assert_eq!(refused(0, 2, 0, None), (dice.clone(), "hope".into()));
    assert_eq!(refused(2, 13, 0, None), (dice, "fear".into()));
    let difficulty = "difficulty must be non-negative".to_owned();
    assert_eq!(refused(2, 3, 0, Some(-1)), (difficulty, "difficulty".into()));
}

#[test]
fn what_does_not_fit_32_bits_is_refused_and_nothing_wraps() {
    let most = i64::from(i32::MAX);
    for (modifier, difficulty) in [
        (i64::MAX, None),
        (i64::MIN, None),
        (most, None),
        (i64::from(i32::MIN), None),
        (0, Some(most + 1)),
        (0, Some(i64::MAX)),
    ] {
        assert!(outcome(12, 11, modifier, difficulty).is_err(), "{modifier} {difficulty:?}");
    }
    assert_eq!(outcome(12, 11, most - 30, Some(most)).unwrap().total, most - 7);
    assert_eq!(outcome(1, 2, i64::from(i32::MIN) + 4, None).unwrap().total, 7 - most - 1);
}

/// What the specification shows, without white space. (Its outcome at the end is the class, as ruled.)
const EXPLAINED: &str = concat!(
    r#"{"hope":8,"fear":5,"modifier":2,"difficulty":15,"total":15,"is_crit":false,"meets_difficulty":true,"#,
    r#""outcome":"SUCCESS_WITH_HOPE","rules_version":"1.0.0","#,
    r#""intermediates":{"base_total":13,"total":15,"is_crit":false,"meets_difficulty":true,"#,
    r#""hope_gt_fear":true,"fear_gt_hope":false},"#,
    r#""steps":[{"code":"SUM_DICE","message":"Sum hope and fear dice","data":{"hope":8,"fear":5,"base_total":13}},"#,
    r#"{"code":"APPLY_MODIFIER","message":"Apply modifier to base total","data":{"base_total":13,"modifier":2,"total":15}},"#,
    r#"{"code":"CHECK_CRIT","message":"Check for critical outcome","data":{"hope":8,"fear":5,"is_crit":false}},"#,
    r#"{"code":"CHECK_DIFFICULTY","message":"Compare total against difficulty","data":{"total":15,"difficulty":15,"meets_difficulty":true}},"#,
    r#"{"code":"SELECT_OUTCOME","message":"Select final outcome based on roll","data":{"outcome":"SUCCESS"}}]}"#,
);

// spec: campaign duality_explain
#[test]
fn an_explanation_is_the_specified_text_to_the_byte() {
    let explained = explain(8, 5, 2, Some(15)).unwrap();
    assert_eq!(serde_json::to_string(&explained).unwrap(), EXPLAINED);
}

#[test]
fn a_critical_success_says_that_it_overrides_the_difficulty() {
    let explained = explain(7, 7, 0, Some(30)).unwrap();
    let text = serde_json::to_string(&explained.steps[3].data).unwrap();
    let wanted = r#"{"total":14,"difficulty":30,"meets_difficulty":true,"critical_override":true}"#;
    assert_eq!(text, wanted);
}

// spec: campaign duality_rules_version
#[test]
fn the_rules_say_what_they_are() {
    let wanted = concat!(
        r#"{"system":"Daggerheart","module":"Duality","rules_version":"1.0.0","dice_model":"DUALITY_D12_V1","#,
        r#""total_formula":"hope + fear + modifier","crit_rule":"HOPE_EQUALS_FEAR_IS_CRITICAL","#,
        r#""difficulty_rule":"TOTAL_MEETS_OR_EXCEEDS_DIFFICULTY","#,
        r#""outcomes":["ROLL_WITH_HOPE","ROLL_WITH_FEAR","SUCCESS_WITH_HOPE","SUCCESS_WITH_FEAR","#,
        r#""FAILURE_WITH_HOPE","FAILURE_WITH_FEAR","CRITICAL_SUCCESS"]}"#,
    );
    assert_eq!(serde_json::to_string(&rules()).unwrap(), wanted);
    let numbers: Vec<_> = Outcome::ALL.iter().map(|outcome| outcome.number()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(Outcome::FailureWithFear.label(), "Failure with fear");
}

/// By effective difficulty, from 3 to 24: what succeeds with hope, and what fails with hope.
const TABLE: [(i64, i64); 22] = [
    (66, 0),
    (65, 1),
    (64, 2),
    (62, 4),
    (60, 6),
    (57, 9),
    (54, 12),
    (50, 16),
    (46, 20),
    (41, 25),
    (36, 30),
    (30, 36),
    (25, 41),
    (20, 46),
    (16, 50),
    (12, 54),
    (9, 57),
    (6, 60),
    (4, 62),
    (2, 64),
    (1, 65),
    (0, 66),
];

// spec: campaign duality_probability
#[test]
fn the_odds_are_those_of_the_table_for_every_difficulty_and_modifier() {
    for effective in -20..=60_i64 {
        let row = usize::try_from(effective.clamp(3, 24) - 3).unwrap();
        let (success, failure) = TABLE[row];
        for modifier in -15..=15 {
            let difficulty = effective + modifier;
            if difficulty < 0 {
                assert!(probability(modifier, difficulty, Advantage::None).is_err());
                continue;
            }
            let odds = probability(modifier, difficulty, Advantage::None).unwrap();
            let counts = odds.outcome_counts.map(|entry| (entry.outcome.name(), entry.count));
            let wanted = [
                ("CRITICAL_SUCCESS", 12),
                ("SUCCESS_WITH_HOPE", success),
                ("SUCCESS_WITH_FEAR", success),
                ("FAILURE_WITH_HOPE", failure),
                ("FAILURE_WITH_FEAR", failure),
            ];
            assert_eq!(counts, wanted, "{modifier} {difficulty}");
            assert_eq!((odds.total_outcomes, odds.crit_count), (144, 12));
            assert_eq!((odds.success_count, odds.failure_count), (2 * success, 2 * failure));
        }
    }
}

#[test]
fn the_acceptance_vectors_of_odds_hold() {
    for (modifier, difficulty, success, failure) in [
        (0, 10, 100, 32),
        (2, 15, 72, 60),
        (-2, 8, 100, 32),
        (5, 18, 72, 60),
        (-3, 15, 24, 108),
        (4, 12, 114, 18),
        (0, 30, 0, 132),
        (100, 5, 132, 0),
    ] {
        let odds = probability(modifier, difficulty, Advantage::None).unwrap();
        assert_eq!((odds.success_count, odds.failure_count), (success, failure));
        assert_eq!(odds.count(Outcome::SuccessWithHope), success / 2);
        assert_eq!(odds.count(Outcome::FailureWithFear), failure / 2);
    }
    assert!(probability(0, -1, Advantage::None).is_err());
    let text = serde_json::to_string(&probability(2, 15, Advantage::None).unwrap()).unwrap();
    let wanted = concat!(
        r#"{"total_outcomes":144,"crit_count":12,"success_count":72,"failure_count":60,"outcome_counts":["#,
        r#"{"outcome":"CRITICAL_SUCCESS","count":12},{"outcome":"SUCCESS_WITH_HOPE","count":36},"#,
        r#"{"outcome":"SUCCESS_WITH_FEAR","count":36},{"outcome":"FAILURE_WITH_HOPE","count":30},"#,
        r#"{"outcome":"FAILURE_WITH_FEAR","count":30}]}"#,
    );
    assert_eq!(text, wanted);
}

/// What a further die of six changes, counted without the code that counts.
fn counted(modifier: i64, difficulty: i64, sign: i64) -> [i64; 5] {
    let mut counts = [0; 5];
    for roll in 0..864 {
        let (hope, fear, die) = (roll / 72 + 1, roll / 6 % 12 + 1, roll % 6 + 1);
        let met = hope + fear + sign * die >= difficulty - modifier;
        let place = match (hope == fear, met, hope > fear) {
            (true, ..) => 0,
            (_, true, true) => 1,
            (_, true, false) => 2,
            (_, false, true) => 3,
            (_, false, false) => 4,
        };
        counts[place] += 1;
    }
    counts
}

#[test]
fn odds_with_advantage_are_those_of_all_864_rolls() {
    for (advantage, sign) in [(Advantage::Advantage, 1), (Advantage::Disadvantage, -1)] {
        for modifier in -6..=6 {
            for difficulty in 0..=45 {
                let odds = probability(modifier, difficulty, advantage).unwrap();
                let counts = odds.outcome_counts.map(|entry| entry.count);
                assert_eq!(counts, counted(modifier, difficulty, sign));
                assert_eq!((odds.total_outcomes, odds.crit_count), (864, 72));
                assert_eq!(counts.iter().sum::<i64>(), 864);
                assert_eq!(odds.crit_count + odds.success_count + odds.failure_count, 864);
            }
        }
    }
}

#[test]
fn a_higher_difficulty_never_helps_and_advantage_never_hurts() {
    let success = |difficulty, advantage| {
        let odds = probability(1, difficulty, advantage).unwrap();
        // As parts of 864 for all of them.
        (odds.crit_count + odds.success_count) * 864 / odds.total_outcomes
    };
    for difficulty in 0..45 {
        for advantage in Advantage::ALL {
            assert!(success(difficulty + 1, *advantage) <= success(difficulty, *advantage));
        }
        let [none, better, worse] =
            [Advantage::None, Advantage::Advantage, Advantage::Disadvantage]
                .map(|advantage| success(difficulty, advantage));
        assert!(worse <= none && none <= better, "{difficulty}");
    }
}

#[test]
fn the_sum_of_all_outcomes_is_the_odds() {
    for (modifier, difficulty) in [(0, 0), (2, 15), (-3, 12), (10, 40)] {
        let odds = probability(modifier, difficulty, Advantage::None).unwrap();
        for outcome in Outcome::ALL {
            let pairs = (0..144).map(|pair| (pair / 12 + 1, pair % 12 + 1));
            let comes_to = |(hope, fear)| {
                duality::outcome(hope, fear, modifier, Some(difficulty)).unwrap().outcome
            };
            let count = pairs.map(comes_to).filter(|found| found == outcome).count();
            assert_eq!(odds.count(*outcome), i64::try_from(count).unwrap());
        }
    }
}

#[test]
fn a_further_die_counts_for_or_against() {
    let total = |advantage, die| resolve(drawn_with(advantage, die), 1, Some(15));
    let helped = total(Advantage::Advantage, 4).unwrap();
    assert_eq!((helped.total, helped.outcome), (18, Outcome::SuccessWithHope));
    let hindered = total(Advantage::Disadvantage, 4).unwrap();
    assert_eq!((hindered.total, hindered.outcome), (10, Outcome::FailureWithHope));
    let text = serde_json::to_string(&hindered).unwrap();
    assert!(text.ends_with(r#""advantage":"DISADVANTAGE","advantage_die":4}"#), "{text}");
    assert!(total(Advantage::Advantage, 7).is_err());
    assert!(total(Advantage::None, 4).is_err());
    let mut without = drawn_with(Advantage::Advantage, 4);
    without.advantage_die = None;
    assert!(resolve(without, 0, None).is_err());
}

// spec: campaign duality_action_roll
#[test]
fn a_roll_is_two_dice_and_what_they_come_to() {
    for seed in 0..200 {
        let drawn = dice::duality(seed, Advantage::None);
        let rolled = resolve(drawn, 2, Some(15)).unwrap();
        assert_eq!(rolled, outcome(drawn.dice.hope, drawn.dice.fear, 2, Some(15)).unwrap());
        let text = serde_json::to_value(rolled).unwrap();
        let keys: Vec<_> = text.as_object().unwrap().keys().map(String::as_str).collect();
        let wanted = [
            "hope",
            "fear",
            "modifier",
            "difficulty",
            "total",
            "is_crit",
            "meets_difficulty",
            "outcome",
        ];
        assert_eq!(keys, wanted);
    }
}
