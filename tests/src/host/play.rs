//! What a scenario makes an agent do, in the words of no server.

use serde_json::{Value, json};

use super::Host;
use crate::scripted_model::Script;

/// What an agent does, step by step.
#[derive(Debug, Clone, Default)]
pub struct Play(Vec<Step>);

/// One step of an agent.
#[derive(Debug, Clone)]
pub enum Step {
    /// Runs a command.
    Run(String),
    /// Runs several commands at the same time.
    Together(Vec<String>),
    /// Lets a sub-agent do something.
    SubAgent(Play),
    /// Writes a file.
    Write(String, String),
    /// Fetches the page of [`Host::page_url`].
    Fetch,
    /// Asks the user.
    Ask(Vec<Inquiry>),
    /// Says something.
    Say(String),
}

/// One question of an agent.
#[derive(Debug, Clone)]
pub struct Inquiry {
    question: String,
    options: Vec<String>,
    multiple: bool,
}

impl Inquiry {
    /// A question with one answer.
    pub fn single(question: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        Self { question: question.to_owned(), options, multiple: false }
    }

    /// A question with several answers.
    pub fn multiple(question: &str, options: &[&str]) -> Self {
        Self { multiple: true, ..Self::single(question, options) }
    }
}

impl Play {
    /// An agent that does nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn then(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }

    /// Then runs a command.
    pub fn run(self, command: &str) -> Self {
        self.then(Step::Run(command.to_owned()))
    }

    /// Then runs several commands at the same time.
    pub fn together(self, commands: &[&str]) -> Self {
        self.then(Step::Together(commands.iter().map(|&command| command.to_owned()).collect()))
    }

    /// Then lets a sub-agent do something.
    pub fn sub_agent(self, play: Play) -> Self {
        self.then(Step::SubAgent(play))
    }

    /// Then writes a file.
    pub fn write(self, path: &str, content: &str) -> Self {
        self.then(Step::Write(path.to_owned(), content.to_owned()))
    }

    /// Then fetches a page.
    pub fn fetch(self) -> Self {
        self.then(Step::Fetch)
    }

    /// Then asks the user these questions, all at once.
    pub fn ask(self, questions: &[Inquiry]) -> Self {
        self.then(Step::Ask(questions.to_vec()))
    }

    /// Then says something.
    pub fn say(self, text: &str) -> Self {
        self.then(Step::Say(text.to_owned()))
    }

    /// As the scripted model takes it.
    pub(super) fn for_model(&self, host: &Host) -> Script {
        self.0.iter().fold(Script::new(), |script, step| match step {
            Step::Run(command) => script.run(command),
            Step::Together(commands) => script.together(commands.iter().map(String::as_str)),
            Step::SubAgent(play) => script.task(&play.for_model(host)),
            Step::Write(path, content) => script.write(path, content),
            Step::Fetch => script.step(format!("fetch: {}", host.page_url())),
            Step::Ask(questions) => {
                let questions: Vec<Value> = questions.iter().map(Inquiry::for_model).collect();
                script.step(format!("tool: question {}", json!({ "questions": questions })))
            }
            Step::Say(text) => script.say(text),
        })
    }

    /// As the stand-in takes it.
    pub(super) fn for_stand_in(&self, host: &Host) -> String {
        let lines: Vec<String> = self.0.iter().flat_map(|step| step.for_stand_in(host)).collect();
        lines.join("\n")
    }
}

impl Inquiry {
    fn for_model(&self) -> Value {
        let option = |label: &String| json!({ "label": label, "description": format!("Take {label}") });
        let options: Vec<Value> = self.options.iter().map(option).collect();
        let mut question = json!({ "question": self.question, "header": "Choice", "options": options });
        if self.multiple {
            question["multiple"] = true.into();
        }
        question
    }

    fn for_stand_in(&self) -> Vec<String> {
        let options = self.options.iter().map(|label| format!(": option {label} | Take {label}"));
        let multiple = self.multiple.then(|| ": multiple".to_owned());
        [": header Choice".to_owned()].into_iter().chain(options).chain(multiple).collect()
    }
}

impl Step {
    fn for_stand_in(&self, host: &Host) -> Vec<String> {
        let behind = |mark: &str, text: &str| text.lines().map(|line| format!("{mark}{line}")).collect::<Vec<_>>();
        match self {
            Self::Run(command) => vec![format!("shell {command}")],
            Self::Together(commands) => {
                let plus = |at: usize| if at == 0 { "" } else { "+ " };
                commands.iter().enumerate().map(|(at, command)| format!("{}shell {command}", plus(at))).collect()
            }
            Self::SubAgent(play) => {
                let mut lines = vec!["agent Nested work".to_owned()];
                lines.extend(behind("> ", &play.for_stand_in(host)));
                lines
            }
            Self::Write(path, content) => {
                let mut lines = vec![format!("write {path}")];
                lines.extend(behind("| ", content));
                lines
            }
            Self::Fetch => vec![format!("fetch {}", host.page_url()), ": output there to be fetched".to_owned()],
            Self::Ask(questions) => {
                let verb = |at: usize| if at == 0 { "question " } else { ": and " };
                let lines = questions.iter().enumerate().flat_map(|(at, one)| {
                    [format!("{}{}", verb(at), one.question)].into_iter().chain(one.for_stand_in())
                });
                lines.collect()
            }
            Self::Say(text) => vec![format!("say {text}")],
        }
    }
}
