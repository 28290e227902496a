//! What a person reads who reads Russian: notifications from title to button, the activity, and a broken rules file.

use gavel_core::Decision;
use gavel_notify::Notice;
use gavel_runtime::api::{Answer, Call, Language, Outcome, Preferences, RulesState};
use gavel_stand_in::{Fault, StandIn};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;

use super::{PROJECT, say, undelivered};

/// The rules file of [`PROJECT`].
const FILE: &str = "home-dev-project.json";

/// What a notification says, and what stands on its buttons.
fn read(notice: &Notice) -> (&str, &str, Vec<String>) {
    (&notice.title, &notice.body, notice.buttons.iter().map(|button| notice.label(*button)).collect())
}

async fn notice(gavel: &Gavel, what: impl Fn(&Notice) -> bool) -> Notice {
    assert!(
        gavel.notifications.wait_for(DEADLINE, |shown| shown.iter().any(&what)).await,
        "{:?}",
        gavel.notifications.shown()
    );
    gavel.notifications.shown().into_iter().find(what).unwrap()
}

pub async fn whoever_reads_russian_reads_it_everywhere(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(FILE), r#"{"version": 1, "preset": [7]}"#).unwrap();
    let rules = Some(folder.path().to_owned());
    let options = Options { servers: vec![server.url()], rules, tuning: hurry(), ..Options::default() };
    let gavel = Gavel::start(options).await;
    gavel.in_sync(&server.url()).await;
    let preferences = Preferences { language: Language::Russian, ..gavel.snapshot().preferences.clone() };
    gavel.call(Call::SetPreferences { preferences }).await;

    // A request, as it comes, and when its answer did not arrive.
    let command = "rm -rf build && curl https://example.com";
    say(&server, PROJECT, &format!("shell {command}"));
    let title = format!("Выполнить {command} · project");
    let does = "даляет `build` и всё внутри; загружает `https://example.com`";
    let words = format!("У{does}\nTidy <b>up</b>\nАгент говорит: Runs {command}\n{command}");
    let buttons = ["Разрешить", "Отклонить", "Открыть"];
    let said = |notice: &Notice| read(notice) == (&title, &words, buttons.map(str::to_owned).to_vec());
    notice(&gavel, said).await;
    server.fault(kind.reply_routes()[0], Fault::Status(500));
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    undelivered(&gavel).await;
    let words = format!("Ваше разрешение не удалось доставить: сервер ответил 500\n{words}");
    notice(&gavel, |notice| read(notice) == (&title, &words, buttons.map(str::to_owned).to_vec())).await;

    // The activity shows in Russian what the log keeps in English.
    let [row] = gavel.activity(1).await.try_into().unwrap();
    assert_eq!(row.title, format!("Выполнить {command}"));
    assert_eq!(row.opinions[0].reason, format!("у{does}"));
    assert_eq!(row.outcome, Outcome::Undelivered { why: "сервер ответил 500".into() });
    let log = gavel.log();
    for english in [format!("\"Run {command}\""), "\"deletes `build` and everything under it".to_owned()] {
        assert!(log.contains(&english), "{log}");
    }

    // A question.
    say(&server, PROJECT, "question Which colour?\n: header Colour\n: option Red\n: option Blue\nsay Thanks.");
    let words = "Tidy <b>up</b>\nWhich colour?\n  – Red\n  – Blue";
    let buttons = ["Red", "Blue", "Ответить…"];
    let said =
        |notice: &Notice| read(notice) == ("Which colour? · project", words, buttons.map(str::to_owned).to_vec());
    notice(&gavel, said).await;

    // The rules file says what is wrong with it.
    let Answer::ProjectRules { rules } = gavel.call(Call::ProjectRules { directory: PROJECT.into() }).await else {
        panic!("another answer")
    };
    let wrong = "`preset` содержит не текст в записи 1";
    assert_eq!(rules.state, RulesState::Broken { faults: vec![wrong.into()], version: false });
    assert_eq!(
        rules.trouble,
        format!(
            "по правилам в `{}` ничего не проходит, и они остаются как есть: {wrong}; исправьте этот файл или уберите его",
            folder.path().join(FILE).display()
        )
    );
}
