//! A server that is removed, and may be had again.

use std::collections::HashMap;

use gavel_core::{Decision, Settled};
use gavel_runtime::api::{Call, Code, PasswordSource, ServerRow};
use gavel_stand_in::{Options as StandInOptions, StandIn};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::eventually;

use super::{PROJECT, both, ran, runs, say};

pub async fn a_server_that_is_removed_takes_its_requests_and_brings_them_again(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell ls");
    let request = gavel.only_request().await;
    gavel.call(Call::RemoveServer { server: server.url() }).await;
    gavel.inbox(0).await;
    assert_eq!(gavel.settled(1).await, [Settled::ServerGone]);
    assert!(gavel.notifications.wait_for(DEADLINE, <[_]>::is_empty).await);
    gavel.decide(&request, Decision::AllowOnce).await;
    gavel.call(Call::AddServer { url: server.url(), name: "again".into() }).await;
    let request = gavel.only_request().await;
    assert_eq!((request.server_name.as_str(), ran(&server).len()), ("again", 0));
    gavel.decide(&request, Decision::AllowOnce).await;
    runs(&server, &["ls"]).await;
}

async fn locked(kind: &Kind) -> (StandIn, StandIn, Gavel) {
    let first = StandIn::start(StandInOptions { password: Some("sesame".into()), ..kind.options() }).await.unwrap();
    let second = StandIn::start(kind.options()).await.unwrap();
    let gavel = Gavel::start(Options {
        servers: vec![first.url(), second.url()],
        passwords: HashMap::from([(first.url(), "sesame".to_owned())]),
        tuning: hurry(),
        ..Options::default()
    })
    .await;
    gavel.in_sync(&first.url()).await;
    (first, second, gavel)
}

pub async fn a_removal_is_undone_with_name_place_and_password(kind: Kind) {
    let (server, _other, gavel) = locked(&kind).await;
    let before = gavel.settings.lock().unwrap().clone();
    gavel.call(Call::RemoveServer { server: server.url() }).await;
    let now = gavel.settings.lock().unwrap().clone();
    assert_eq!((now.servers.len(), now.passwords.len()), (1, 0));
    eventually("it to be shown as removed", DEADLINE, async || gavel.snapshot().removed.len() == 1).await;
    assert_eq!(gavel.snapshot().removed[0].id, server.url());

    gavel.call(Call::WatchAgain { server: server.url() }).await;
    assert_eq!(*gavel.settings.lock().unwrap(), before);
    gavel.in_sync(&server.url()).await;
    say(&server, PROJECT, "shell ls");
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    runs(&server, &["ls"]).await;
    assert!(gavel.snapshot().removed.is_empty());
    let twice = gavel.try_call(Call::WatchAgain { server: server.url() }).await.unwrap_err();
    assert_eq!(twice.code, Code::Failed);
}

pub async fn what_stays_removed_leaves_no_password(kind: Kind) {
    let (server, _other, gavel) = locked(&kind).await;
    gavel.call(Call::RemoveServer { server: server.url() }).await;
    assert_eq!(gavel.keychain.lock().unwrap().len(), 1, "it may be wanted again");
    // Gavel ends before the time to undo it has.
    gavel.handle.shut_down().await;
    assert!(gavel.keychain.lock().unwrap().is_empty());
}

pub async fn a_password_that_is_forgotten_can_be_had_again(kind: Kind) {
    let (server, _other, gavel) = locked(&kind).await;
    let before = gavel.settings.lock().unwrap().clone();
    let back = |row: &ServerRow| row.password_back_until.is_some() && row.password == PasswordSource::Nowhere;
    gavel.call(Call::ForgetPassword { server: server.url() }).await;
    gavel.server(&server.url(), "without its password", back).await;
    assert!(gavel.keychain.lock().unwrap().is_empty(), "it is forgotten at once");
    gavel.call(Call::KeepForgottenPassword { server: server.url() }).await;
    let known = |row: &ServerRow| row.password_back_until.is_none() && row.password == PasswordSource::Keychain;
    gavel.server(&server.url(), "with its password", known).await;
    assert_eq!(*gavel.settings.lock().unwrap(), before);
    assert_eq!(gavel.keychain.lock().unwrap().get(&server.url()).map(String::as_str), Some("sesame"));
    gavel.in_sync(&server.url()).await;
    say(&server, PROJECT, "shell ls");
    gavel.only_request().await;

    // Another password that is given meanwhile stays.
    gavel.call(Call::ForgetPassword { server: server.url() }).await;
    gavel.server(&server.url(), "without its password", back).await;
    let (username, password) = (String::new(), "other".to_owned());
    gavel.call(Call::SetPassword { server: server.url(), username, password }).await;
    gavel.server(&server.url(), "with another", known).await;
    let late = gavel.try_call(Call::KeepForgottenPassword { server: server.url() }).await.unwrap_err();
    assert_eq!(late.code, Code::Failed);
    assert_eq!(gavel.keychain.lock().unwrap().get(&server.url()).map(String::as_str), Some("other"));
}
