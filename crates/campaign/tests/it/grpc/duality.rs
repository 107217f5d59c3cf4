//! Dice.

use campaign_proto::duality::v1::{self as pb, Outcome};
use prost_types::value::Kind;

use super::world::{Server, World, said};

async fn outcome(
    server: &Server,
    (hope, fear, modifier): (i32, i32, i32),
    difficulty: Option<i32>,
) -> Result<pb::DualityOutcomeResponse, tonic::Status> {
    let request = pb::DualityOutcomeRequest { hope, fear, modifier, difficulty };
    server.duality().duality_outcome(request).await.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn known_dice_mean_what_the_acceptance_vectors_say() {
    let server = World::new().serve().await;
    let vectors = [
        ((8, 5, 2), Some(15), 15, Outcome::SuccessWithHope, true),
        ((7, 7, 0), None, 14, Outcome::CriticalSuccess, false),
        ((1, 1, -5), Some(30), -3, Outcome::CriticalSuccess, true),
        ((1, 2, -10), Some(0), -7, Outcome::FailureWithFear, false),
        ((3, 11, 0), None, 14, Outcome::RollWithFear, false),
        ((6, 4, -1), Some(10), 9, Outcome::FailureWithHope, false),
    ];
    for (dice, difficulty, total, wanted, meets) in vectors {
        let answer = outcome(&server, dice, difficulty).await.unwrap();
        assert_eq!(
            (answer.total, answer.outcome(), answer.meets_difficulty),
            (total, wanted, meets)
        );
        assert_eq!((answer.difficulty, answer.is_crit), (difficulty, dice.0 == dice.1));
    }
    for (dice, field) in [((13, 2, 0), "hope"), ((0, 2, 0), "hope"), ((2, 13, 0), "fear")] {
        let refused = outcome(&server, dice, Some(-1)).await.unwrap_err();
        let wanted = "InvalidArgument: duality dice must be between 1 and 12";
        assert_eq!(said(&refused), format!("{wanted} [{field}]"));
    }
    let refused = outcome(&server, (1, 2, 0), Some(-1)).await.unwrap_err();
    assert_eq!(said(&refused), "InvalidArgument: difficulty must be non-negative [difficulty]");
}

#[tokio::test]
async fn the_odds_are_those_of_the_acceptance_vectors() {
    let server = World::new().serve().await;
    let vectors = [
        ((0, 10), [100, 32, 50, 50, 16, 16]),
        ((2, 15), [72, 60, 36, 36, 30, 30]),
        ((-2, 8), [100, 32, 50, 50, 16, 16]),
        ((5, 18), [72, 60, 36, 36, 30, 30]),
        ((-3, 15), [24, 108, 12, 12, 54, 54]),
        ((4, 12), [114, 18, 57, 57, 9, 9]),
        ((0, 30), [0, 132, 0, 0, 66, 66]),
        ((100, 5), [132, 0, 66, 66, 0, 0]),
    ];
    for ((modifier, difficulty), wanted) in vectors {
        let request = pb::DualityProbabilityRequest { modifier, difficulty, advantage: 0 };
        let odds = server.duality().duality_probability(request).await.unwrap().into_inner();
        assert_eq!((odds.total_outcomes, odds.crit_count), (144, 12));
        let counts: Vec<_> = odds.outcome_counts.iter().map(|entry| entry.count).collect();
        let [success, failure, parts @ ..] = wanted;
        assert_eq!((odds.success_count, odds.failure_count), (success, failure));
        assert_eq!((counts[0], &counts[1..]), (12, &parts[..]));
    }
    let request = pb::DualityProbabilityRequest { modifier: 0, difficulty: -1, advantage: 0 };
    let refused = server.duality().duality_probability(request).await.unwrap_err();
    assert_eq!(said(&refused), "InvalidArgument: difficulty must be non-negative [difficulty]");
    let request = pb::DualityProbabilityRequest { modifier: 0, difficulty: 15, advantage: 2 };
    let helped = server.duality().duality_probability(request).await.unwrap().into_inner();
    assert_eq!(helped.total_outcomes, 864);
    let request = pb::DualityProbabilityRequest { modifier: 0, difficulty: 15, advantage: 9 };
    let refused = server.duality().duality_probability(request).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::InvalidArgument);
}

#[tokio::test]
async fn an_explanation_has_five_steps_of_whole_numbers() {
    let server = World::new().serve().await;
    let request = pb::DualityExplainRequest {
        hope: 8,
        fear: 5,
        modifier: 2,
        difficulty: Some(15),
        request_id: Some("req_123".into()),
    };
    let explained = server.duality().duality_explain(request).await.unwrap().into_inner();
    assert_eq!(
        (explained.outcome(), &*explained.rules_version),
        (Outcome::SuccessWithHope, "1.0.0")
    );
    let between = explained.intermediates.unwrap();
    assert_eq!((between.base_total, between.hope_gt_fear, between.fear_gt_hope), (13, true, false));
    let codes: Vec<_> = explained.steps.iter().map(|step| &*step.code).collect();
    let wanted = ["SUM_DICE", "APPLY_MODIFIER", "CHECK_CRIT", "CHECK_DIFFICULTY", "SELECT_OUTCOME"];
    assert_eq!(codes, wanted);
    let fields = |step: usize| &explained.steps[step].data.as_ref().unwrap().fields;
    let number = |step, name: &str| fields(step)[name].kind.clone();
    assert_eq!(number(1, "total"), Some(Kind::NumberValue(15.0)));
    assert_eq!(number(2, "is_crit"), Some(Kind::BoolValue(false)));
    assert_eq!(number(4, "outcome"), Some(Kind::StringValue("SUCCESS".into())));
    assert!(!fields(3).contains_key("critical_override"));
}

#[tokio::test]
async fn the_rules_have_their_version_and_all_outcomes() {
    let server = World::new().serve().await;
    let rules = server.duality().rules_version(pb::RulesVersionRequest {}).await.unwrap();
    let rules = rules.into_inner();
    assert_eq!((&*rules.system, &*rules.dice_model), ("Daggerheart", "DUALITY_D12_V1"));
    assert_eq!(rules.outcomes, (1..=7).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_roll_is_what_its_dice_mean_and_its_seed_repeats_it() {
    let server = World::new().serve().await;
    let roll = async |rng, advantage| {
        let request = pb::ActionRollRequest {
            modifier: 2,
            difficulty: Some(15),
            rng,
            advantage,
            ..pb::ActionRollRequest::default()
        };
        server.duality().action_roll(request).await.unwrap().into_inner()
    };
    let plain = roll(None, 0).await;
    assert_eq!((plain.rng, plain.roll_seq, plain.advantage_die), (None, None, None));
    let meant = outcome(&server, (plain.hope, plain.fear, 2), Some(15)).await.unwrap();
    assert_eq!((plain.outcome, plain.total), (meant.outcome, meant.total));
    let live = roll(Some(pb::Rng { seed: Some(7), roll_mode: 0 }), 2).await;
    let rng = live.rng.clone().unwrap();
    assert_eq!(rng.seed_source(), pb::SeedSource::Server, "a live roll takes no seed");
    assert_eq!((live.advantage(), live.advantage_die.is_some()), (pb::Advantage::Advantage, true));
    let replay = pb::Rng { seed: Some(rng.seed_used), roll_mode: pb::RollMode::Replay.into() };
    let again = roll(Some(replay), 2).await;
    assert_eq!(
        (again.hope, again.fear, again.advantage_die),
        (live.hope, live.fear, live.advantage_die)
    );
    assert_eq!(again.rng.unwrap().seed_source(), pb::SeedSource::Client);
}

#[tokio::test]
async fn dice_are_rolled_in_order_or_not_at_all() {
    let server = World::new().serve().await;
    let roll = async |dice: &[(i32, i32)]| {
        let spec = |&(sides, count)| pb::DiceSpec { sides, count };
        let dice = dice.iter().map(spec).collect();
        let request = pb::RollDiceRequest { dice, ..pb::RollDiceRequest::default() };
        server.duality().roll_dice(request).await.map(tonic::Response::into_inner)
    };
    let rolled = roll(&[(20, 2), (6, 1), (20, 3), (1, 4)]).await.unwrap();
    let sides: Vec<_> = rolled.rolls.iter().map(|roll| (roll.sides, roll.results.len())).collect();
    assert_eq!(sides, [(20, 2), (6, 1), (20, 3), (1, 4)]);
    for roll in &rolled.rolls {
        assert!(roll.results.iter().all(|result| (1..=roll.sides).contains(result)), "{roll:?}");
        assert_eq!(roll.total, roll.results.iter().sum::<i32>());
    }
    assert_eq!(rolled.total, rolled.rolls.iter().map(|roll| roll.total).sum::<i32>());
    let refused = async |dice: &[(i32, i32)]| said(&roll(dice).await.unwrap_err());
    let none = "InvalidArgument: at least one die must be provided [dice]";
    assert_eq!(refused(&[]).await, none);
    let bad = "InvalidArgument: dice must have positive sides and count [dice]";
    for dice in [(0, 1), (6, 0), (-6, 1), (6, i32::MIN)] {
        assert_eq!(refused(&[(20, 1), dice]).await, bad);
    }
    for dice in
        [vec![(6, 1); 101], vec![(1_000_001, 1)], vec![(6, 10_001)], vec![(1_000_000, 3000)]]
    {
        let said = refused(&dice).await;
        assert!(said.starts_with("ResourceExhausted"), "{said}");
    }
}

#[tokio::test]
async fn a_roll_in_an_active_session_is_journaled() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let roll = async |session_id: Option<String>| {
        let campaign_id = Some(campaign_id.clone());
        let request =
            pb::ActionRollRequest { campaign_id, session_id, ..pb::ActionRollRequest::default() };
        server.duality().action_roll(request).await.unwrap().into_inner()
    };
    assert_eq!(roll(None).await.roll_seq, None, "nothing is being played");
    let start = campaign_proto::session::v1::StartSessionRequest {
        campaign_id: campaign_id.clone(),
        name: String::new(),
    };
    let started = server.sessions().start_session(start).await.unwrap().into_inner();
    let session_id = started.session.unwrap().id;
    let rolled = roll(Some(session_id)).await;
    assert_eq!(rolled.roll_seq, Some(3));
    assert!(rolled.rng.is_some(), "the seed stands in the journal");
    let nowhere = pb::RollDiceRequest {
        dice: vec![pb::DiceSpec { sides: 6, count: 1 }],
        session_id: Some("sess_x".into()),
        ..pb::RollDiceRequest::default()
    };
    let refused = server.duality().roll_dice(nowhere).await.unwrap_err();
    assert_eq!(said(&refused), "InvalidArgument: campaign id is required [campaign_id]");
}
