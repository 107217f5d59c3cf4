//! Ranking of what a model has for a question.
