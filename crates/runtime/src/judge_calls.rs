//! Choosing who judges, while Gavel runs.

use gavel_core::flow::Event;

use crate::driver::Driver;
use crate::judge_setup::JudgeSetup;
use crate::message::Message;

impl Driver {
    /// Sets the judge up anew. A key may have to be fetched; until it is there, nobody is asked.
    pub(crate) fn set_up_judge(&mut self) {
        self.judge_turn += 1;
        self.feed(Event::LearnAfter(self.settings.judge.options.clone().bounded().learn_after));
        if let Some(fixed) = self.fixed_judge.clone() {
            return self.judge_ready(self.judge_turn, fixed);
        }
        self.judge_ready(self.judge_turn, JudgeSetup::nobody());
        let (turn, settings) = (self.judge_turn, self.settings.judge.clone());
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let setup = JudgeSetup::of_settings(&settings, &secrets).await;
            let _ = messages.send(Message::Judge(turn, setup));
        });
    }

    /// A judge can be asked from now on. Whatever waits is put before it.
    pub(crate) fn judge_ready(&mut self, turn: u64, setup: JudgeSetup) {
        if turn == self.judge_turn {
            self.advice.set_up(setup);
            self.feed(Event::JudgeChanged);
        }
    }
}
