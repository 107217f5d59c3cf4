//! How good the answers are: questions with the requirement that answers each, and how high it comes.
//!
//! [`measure`] asks them all of an index and gives a [`Report`], which prints as a table and can be held to [`Bars`]. A
//! change of weights, of the model or of the texts is judged by these numbers and not by a look at a few results.

use std::fmt;

use serde::Deserialize;

use crate::index::Index;
use crate::model::{BadVector, Embedder};
use crate::search::Query;

/// A file of questions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Questions {
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    pub ask: String,
    pub kind: Kind,
    /// The spec and the requirement that answer it; missing for what is off topic.
    pub spec: Option<String>,
    pub requirement: Option<String>,
    /// What answers it as well: `spec / requirement`.
    #[serde(default)]
    pub also: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// In other words than the requirement's.
    Paraphrase,
    /// In words that share nothing with the requirement's, chosen to be hard. Told, and held to no bar.
    Hard,
    /// By the words or names it uses.
    Keyword,
    /// Nothing here answers it, and nothing should be returned.
    OffTopic,
}

/// What is counted over the questions of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    pub questions: usize,
    first: usize,
    top_five: usize,
    reciprocal_ranks: f64,
}

/// What is demanded of all questions that have an answer. Off-topic ones must return nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bars {
    pub hit_at_1: f64,
    pub hit_at_5: f64,
    pub mrr: f64,
}

impl Default for Bars {
    fn default() -> Self {
        Self { hit_at_1: 0.60, hit_at_5: 0.80, mrr: 0.70 }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    pub paraphrase: Tally,
    pub keyword: Tally,
    pub hard: Tally,
    /// How many questions are off topic.
    pub off_topic: usize,
    /// The off-topic ones that were answered all the same, each with the best hit.
    pub answered: Vec<String>,
    /// The ones whose answer was not first, each with its rank and with what was first instead.
    pub missed: Vec<String>,
    /// Questions whose answer is not among the documents: a mistake in the questions.
    pub unknown: Vec<String>,
}

impl Tally {
    /// The part whose answer came first.
    pub fn hit_at_1(&self) -> f64 {
        self.part(self.first)
    }

    /// The part whose answer was among the first five.
    pub fn hit_at_5(&self) -> f64 {
        self.part(self.top_five)
    }

    /// The mean of one over the rank, 0 for what was not found.
    pub fn mrr(&self) -> f64 {
        if self.questions == 0 { 0.0 } else { self.reciprocal_ranks / self.questions as f64 }
    }

    /// Counts a question whose answer came at `rank`, from 1.
    fn count(&mut self, rank: Option<usize>) {
        self.questions += 1;
        self.first += usize::from(rank == Some(1));
        self.top_five += usize::from(rank.is_some_and(|rank| rank <= 5));
        self.reciprocal_ranks += rank.map_or(0.0, |rank| 1.0 / rank as f64);
    }

    fn part(&self, count: usize) -> f64 {
        if self.questions == 0 { 0.0 } else { count as f64 / self.questions as f64 }
    }
}

/// Asks every question as a caller would, `template` giving threshold and count of hits.
pub fn measure(
    index: &Index,
    embedder: Option<&dyn Embedder>,
    template: &Query<'_>,
    questions: &[Question],
) -> Result<Report, BadVector> {
    let mut report = Report::default();
    for question in questions {
        let vector = embedder.and_then(|embedder| embedder.embed(&[&question.ask]).pop());
        let hits = index.search(&Query { text: &question.ask, ..*template }, vector.as_deref())?;
        let best = hits.first().map_or("nothing".to_owned(), |hit| {
            format!("{} {:.2}", label(&hit.spec_id, hit.requirement.as_deref()), hit.score)
        });
        if question.kind == Kind::OffTopic {
            report.off_topic += 1;
            if !hits.is_empty() {
                report.answered.push(format!("{}: {best}", question.ask));
            }
            continue;
        }
        let answer = (question.spec.as_deref(), question.requirement.as_deref());
        let known = |document: &crate::Document| {
            (Some(&*document.spec_id), document.requirement()) == answer
        };
        if !index.documents().iter().any(known) {
            report.unknown.push(question.ask.clone());
            continue;
        }
        let rank = hits
            .iter()
            .position(|hit| {
                let found = (Some(&*hit.spec_id), hit.requirement.as_deref());
                let name = format!("{} / {}", hit.spec_id, found.1.unwrap_or_default());
                found == answer || question.also.contains(&name)
            })
            .map(|position| position + 1);
        if rank != Some(1) {
            let rank = rank.map_or("not found".to_owned(), |rank| format!("number {rank}"));
            report.missed.push(format!("{}: {rank}, after {best}", question.ask));
        }
        let tally = match question.kind {
            Kind::Keyword => &mut report.keyword,
            Kind::Hard => &mut report.hard,
            Kind::Paraphrase | Kind::OffTopic => &mut report.paraphrase,
        };
        tally.count(rank);
    }
    Ok(report)
}

impl Report {
    /// All questions that have an answer and that people ask.
    pub fn all(&self) -> Tally {
        let (a, b) = (&self.paraphrase, &self.keyword);
        Tally {
            questions: a.questions + b.questions,
            first: a.first + b.first,
            top_five: a.top_five + b.top_five,
            reciprocal_ranks: a.reciprocal_ranks + b.reciprocal_ranks,
        }
    }

    /// What falls short, a line each; nothing when all is well. No questions are short of every bar.
    pub fn shortfalls(&self, bars: &Bars) -> Vec<String> {
        let all = self.all();
        let mut lines = Vec::new();
        let figures = [
            ("hit@1", all.hit_at_1(), bars.hit_at_1),
            ("hit@5", all.hit_at_5(), bars.hit_at_5),
            ("MRR", all.mrr(), bars.mrr),
        ];
        for (name, found, wanted) in figures {
            if found < wanted {
                lines.push(format!("{name} is {found:.3}, below {wanted:.2}"));
            }
        }
        lines.extend(self.answered.iter().map(|line| format!("off topic, but answered: {line}")));
        lines.extend(
            self.unknown.iter().map(|line| format!("the answer is not in the specs: {line}")),
        );
        lines
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<12}{:>10}{:>8}{:>8}{:>8}", "kind", "questions", "hit@1", "hit@5", "MRR")?;
        let kinds = [
            ("paraphrase", self.paraphrase),
            ("keyword", self.keyword),
            ("all", self.all()),
            ("hard", self.hard),
        ];
        for (name, tally) in kinds {
            let (one, five, mrr) = (tally.hit_at_1(), tally.hit_at_5(), tally.mrr());
            writeln!(f, "{name:<12}{:>10}{one:>8.3}{five:>8.3}{mrr:>8.3}", tally.questions)?;
        }
        writeln!(f, "{:<12}{:>10}{:>8} answered", "off topic", self.off_topic, self.answered.len())
    }
}

fn label(spec: &str, requirement: Option<&str>) -> String {
    format!("{spec}/{}", requirement.unwrap_or("(purpose)"))
}
