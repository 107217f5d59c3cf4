//! What a store keeps besides entries: whose an id is, who has a token, histories that were copied.

use campaign::{Backend as _, Caller, EventQuery};
use campaign_core::{CampaignId, Code};

use crate::bed::{Bed, actor, campaign, nobody, note, on_every_back_end, participant};

on_every_back_end!(
    an_id_leads_to_its_campaign,
    a_token_holds_after_a_restart,
    a_long_campaign_is_forked_whole,
);

async fn an_id_leads_to_its_campaign(bed: Bed) {
    let service = bed.service();
    let (who, id) = (&nobody(), campaign(&service).await);
    campaign(&service).await;
    let joined = service.create_participant(who, &id, participant("Ann", "GM")).await.unwrap();
    let made = service.create_actor(who, &id, actor("Thorin", "PC")).await.unwrap();
    let started = service.start_session(who, &id, "").await.unwrap();
    let ids = [joined.id.to_string(), made.id.to_string(), started.id.to_string()];
    let forked = service.fork(who, &id, None, None).await.unwrap();
    let bed = bed.reopened().await;
    let service = bed.service();
    for one in &ids {
        let owner = service.owner_of(who, &format!(" {one} ")).await.unwrap();
        assert_eq!(owner, Some(CampaignId::from(&*id)));
    }
    for nobodys in ["", "part_x", "a\0b", &"x".repeat(2000), &id] {
        assert_eq!(service.owner_of(who, nobodys).await.unwrap(), None, "{nobodys:?}");
    }
    let copy = service.table(who, forked.id.as_str(), None).await.unwrap();
    let copied = [copy.participants[0].id.as_str(), copy.actors[0].id.as_str()];
    for one in copied {
        assert!(!ids.iter().any(|id| id == one), "a fork has ids of its own");
        assert_eq!(service.owner_of(who, one).await.unwrap().as_ref(), Some(&forked.id));
    }
}

async fn a_token_holds_after_a_restart(bed: Bed) {
    let service = bed.service();
    let (who, id) = (&nobody(), campaign(&service).await);
    let gm = service.create_participant(who, &id, participant("Gus", "GM")).await.unwrap();
    let given = service.issue_token(who, &id, gm.id.as_str()).await.unwrap();
    assert!(given.token.starts_with("seat_") && given.token.len() == 48, "{}", given.token);
    let bed = bed.reopened().await;
    let service = bed.service();
    let ask = async |token: Option<&str>| {
        let gm = Caller::speaking_as(nobody(), Some(gm.id.to_string()), token.map(str::to_owned));
        service.set_fear(&gm, &id, 3).await
    };
    for wrong in [None, Some("seat_"), Some(&given.token[..47])] {
        assert_eq!(ask(wrong).await.unwrap_err().code, Code::PermissionDenied);
    }
    assert_eq!(service.set_fear(who, &id, 3).await.unwrap_err().code, Code::PermissionDenied);
    assert_eq!(ask(Some(&given.token)).await.unwrap(), 3);
}

async fn a_long_campaign_is_forked_whole(bed: Bed) {
    let service = bed.service();
    let (who, id) = (&nobody(), campaign(&service).await);
    service.create_participant(who, &id, participant("Ann", "GM")).await.unwrap();
    let write = (0..1200).map(async |number: usize| {
        service.add_note(who, &id, note(&number.to_string())).await.unwrap();
    });
    futures::future::join_all(write).await;
    let forked = service.fork(who, &id, Some(1100), Some(" Another ".into())).await.unwrap();
    assert_eq!((&*forked.name, forked.participant_count), ("Another", 1));
    let (origin, copy) = (&*id, forked.id.as_str());
    let texts = async |campaign: &str, before: u64| {
        let query = EventQuery { before: Some(before), limit: Some(1000), ..EventQuery::default() };
        let page = service.events(who, campaign, query).await.unwrap();
        let texts = page.events.iter().map(|event| (event.seq, event.payload.get().to_owned()));
        texts.collect::<Vec<_>>()
    };
    assert_eq!(texts(copy, 1101).await, texts(origin, 1101).await);
    let verdict = service.verify(who, copy).await.unwrap();
    assert_eq!((verdict.valid, verdict.events), (true, Some(1101)));
    let bed = bed.reopened().await;
    let table = bed.service().table(who, copy, None).await.unwrap();
    assert_eq!((table.seq, &table.campaign), (1101, &forked));
}
