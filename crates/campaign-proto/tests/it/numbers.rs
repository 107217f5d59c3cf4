//! Names and numbers on the wire. Clients hold copies of these, so a test names each one that is promised;
//! additions do not disturb it.

use std::collections::BTreeMap;

use prost::Message as _;
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet};

/// `message: field=number …`; what it must have, not all that it has.
const MESSAGES: &str = "
campaign.v1.CreateCampaignRequest: name=1 gm_mode=2 theme_prompt=3
campaign.v1.CreateCampaignResponse: campaign=1 warnings=2
campaign.v1.ListCampaignsRequest: page_size=1 page_token=2
campaign.v1.ListCampaignsResponse: campaigns=1 next_page_token=2
campaign.v1.GetCampaignRequest: campaign_id=1
campaign.v1.GetCampaignResponse: campaign=1
campaign.v1.CreateParticipantRequest: campaign_id=1 display_name=2 role=3 controller=4
campaign.v1.CreateParticipantResponse: participant=1
campaign.v1.ListParticipantsRequest: campaign_id=1 page_size=2 page_token=3
campaign.v1.ListParticipantsResponse: participants=1 next_page_token=2
campaign.v1.GetParticipantRequest: campaign_id=1 participant_id=2
campaign.v1.GetParticipantResponse: participant=1
campaign.v1.CreateActorRequest: campaign_id=1 name=2 kind=3 notes=4
campaign.v1.CreateActorResponse: actor=1
campaign.v1.ListActorsRequest: campaign_id=1 page_size=2 page_token=3
campaign.v1.ListActorsResponse: actors=1 next_page_token=2
campaign.v1.SetDefaultControlRequest: campaign_id=1 actor_id=2 controller=3
campaign.v1.SetDefaultControlResponse: campaign_id=1 actor_id=2 controller=3
campaign.v1.Campaign: id=1 name=2 gm_mode=3 participant_count=4 actor_count=5 theme_prompt=6 created_at=7 updated_at=8
campaign.v1.Participant: id=1 campaign_id=2 display_name=3 role=4 controller=5 created_at=6 updated_at=7
campaign.v1.Actor: id=1 campaign_id=2 name=3 kind=4 notes=5 created_at=6 updated_at=7
campaign.v1.ActorController: gm=1 participant=2
campaign.v1.ParticipantController: participant_id=1
session.v1.StartSessionRequest: campaign_id=1 name=2
session.v1.StartSessionResponse: session=1
session.v1.ListSessionsRequest: campaign_id=1 page_size=2 page_token=3
session.v1.ListSessionsResponse: sessions=1 next_page_token=2
session.v1.GetSessionRequest: campaign_id=1 session_id=2
session.v1.GetSessionResponse: session=1
session.v1.EndSessionRequest: campaign_id=1 session_id=2
session.v1.EndSessionResponse: session=1
session.v1.Session: id=1 campaign_id=2 name=3 status=4 started_at=5 updated_at=6 ended_at=7 version=8
duality.v1.ActionRollRequest: modifier=1 difficulty=2 rng=10 advantage=11 campaign_id=15 session_id=16
duality.v1.ActionRollResponse: hope=1 fear=2 modifier=3 difficulty=4 total=5 is_crit=6 meets_difficulty=7 outcome=8 rng=12 advantage_die=13 roll_seq=14
duality.v1.DualityOutcomeRequest: hope=1 fear=2 modifier=3 difficulty=4
duality.v1.DualityOutcomeResponse: hope=1 fear=2 modifier=3 difficulty=4 total=5 is_crit=6 meets_difficulty=7 outcome=8
duality.v1.DualityExplainRequest: hope=1 fear=2 modifier=3 difficulty=4 request_id=5
duality.v1.DualityExplainResponse: hope=1 fear=2 modifier=3 difficulty=4 total=5 is_crit=6 meets_difficulty=7 outcome=8 rules_version=9 intermediates=10 steps=11
duality.v1.DualityProbabilityRequest: modifier=1 difficulty=2 advantage=11
duality.v1.DualityProbabilityResponse: total_outcomes=1 crit_count=2 success_count=3 failure_count=4 outcome_counts=5
duality.v1.RulesVersionResponse: system=1 module=2 rules_version=3 dice_model=4 total_formula=5 crit_rule=6 difficulty_rule=7 outcomes=8
duality.v1.RollDiceRequest: dice=1 rng=10 campaign_id=15 session_id=16
duality.v1.RollDiceResponse: rolls=1 total=2 rng=12 roll_seq=14
duality.v1.Intermediates: base_total=1 total=2 is_crit=3 meets_difficulty=4 hope_gt_fear=5 fear_gt_hope=6
duality.v1.ExplainStep: code=1 message=2 data=3
duality.v1.OutcomeCount: outcome=1 count=2
duality.v1.DiceSpec: sides=1 count=2
duality.v1.DiceRoll: sides=1 results=2 total=3";

/// `enum: name=number …`; all that it has.
const ENUMS: &str = "
campaign.v1.GmMode: GM_MODE_UNSPECIFIED=0 HUMAN=1 AI=2 HYBRID=3
campaign.v1.ParticipantRole: ROLE_UNSPECIFIED=0 GM=1 PLAYER=2
campaign.v1.Controller: CONTROLLER_UNSPECIFIED=0 CONTROLLER_HUMAN=1 CONTROLLER_AI=2
campaign.v1.ActorKind: ACTOR_KIND_UNSPECIFIED=0 PC=1 NPC=2
session.v1.SessionStatus: STATUS_UNSPECIFIED=0 ACTIVE=1 PAUSED=2 ENDED=3
duality.v1.Outcome: OUTCOME_UNSPECIFIED=0 ROLL_WITH_HOPE=1 ROLL_WITH_FEAR=2 SUCCESS_WITH_HOPE=3 SUCCESS_WITH_FEAR=4 FAILURE_WITH_HOPE=5 FAILURE_WITH_FEAR=6 CRITICAL_SUCCESS=7";

const METHODS: &str = "
campaign.v1.CampaignService: CreateCampaign ListCampaigns GetCampaign CreateParticipant ListParticipants GetParticipant CreateActor ListActors SetDefaultControl
session.v1.SessionService: StartSession ListSessions GetSession EndSession
duality.v1.DualityService: ActionRoll DualityOutcome DualityExplain DualityProbability RulesVersion RollDice";

/// The parts of each thing, by its full name.
type Parts = BTreeMap<String, Vec<String>>;

fn ours() -> Vec<FileDescriptorProto> {
    let set = FileDescriptorSet::decode(campaign_proto::DESCRIPTORS).unwrap();
    set.file.into_iter().filter(|file| !file.package().starts_with("google.")).collect()
}

fn parts<T>(
    all: fn(&FileDescriptorProto) -> &[T],
    of: impl Fn(&T) -> (&str, Vec<String>),
) -> Parts {
    let mut parts = Parts::new();
    for file in ours() {
        for one in all(&file) {
            let (name, its) = of(one);
            parts.insert(format!("{}.{name}", file.package()), its);
        }
    }
    parts
}

fn promised(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    text.trim().lines().map(|line| {
        let (name, parts) = line.split_once(": ").unwrap();
        (name, parts.split(' ').collect())
    })
}

#[test]
fn every_promised_field_has_its_number() {
    let fields = |message: &DescriptorProto| {
        message.field.iter().map(|field| format!("{}={}", field.name(), field.number())).collect()
    };
    let there = parts(|file| &file.message_type, |message| (message.name(), fields(message)));
    for (name, parts) in promised(MESSAGES) {
        for part in parts {
            assert!(there[name].iter().any(|field| field == part), "{name} lacks {part}");
        }
    }
}

#[test]
fn every_promised_enum_has_exactly_its_values() {
    let values = |of: &EnumDescriptorProto| {
        of.value.iter().map(|value| format!("{}={}", value.name(), value.number())).collect()
    };
    let there = parts(|file| &file.enum_type, |of| (of.name(), values(of)));
    for (name, parts) in promised(ENUMS) {
        assert_eq!(there[name], parts, "{name}");
    }
}

#[test]
fn every_promised_method_is_there() {
    let there = parts(
        |file| &file.service,
        |service| {
            let methods = service.method.iter().map(|method| method.name().to_owned()).collect();
            (service.name(), methods)
        },
    );
    for (name, methods) in promised(METHODS) {
        for method in methods {
            assert!(there[name].iter().any(|it| it == method), "{name} lacks {method}");
        }
    }
}

#[test]
fn reflection_has_the_comments() {
    let commented = |file: &FileDescriptorProto| {
        let info = file.source_code_info.as_ref().unwrap();
        info.location.iter().filter(|place| place.leading_comments.is_some()).count()
    };
    for file in ours() {
        assert!(commented(&file) > 20, "{} has {} comments", file.name(), commented(&file));
    }
}
