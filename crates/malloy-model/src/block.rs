//! What a block of a source or a query may hold, apart from what each statement means.

use malloy_syntax::tree::{
    QueryBlock, QueryStatementKind, SourceBlock, SourceStatement, SourceStatementKind,
};

use crate::analyser::Analyser;

impl Analyser<'_> {
    /// Refuses what can be said once and is said twice.
    pub(crate) fn once_each(&mut self, block: &SourceBlock) {
        let keys: Vec<_> = block
            .statements
            .iter()
            .filter(|statement| matches!(statement.kind, SourceStatementKind::PrimaryKey(_)))
            .collect();
        if keys.len() > 1 {
            for key in keys {
                self.error("multiple-primary-keys", key.keyword, "there is one primary key");
            }
        }
        let edits = block.statements.iter().filter(|statement| {
            matches!(
                statement.kind,
                SourceStatementKind::Accept(_) | SourceStatementKind::Except(_)
            )
        });
        if edits.count() > 1 {
            let message = "`accept:` or `except:` is said once for a source";
            self.error("multiple-field-list-edits", block.span, message);
        }
    }

    /// What a query adds to its source: what `extend:` says, and joins that stand by themselves.
    pub(crate) fn query_extensions(&mut self, block: &QueryBlock) -> Vec<SourceBlock> {
        let mut all = Vec::new();
        for statement in &block.statements {
            match &statement.kind {
                QueryStatementKind::Extend(extension) => {
                    for inner in &extension.statements {
                        if !may_extend_query(&inner.kind) {
                            let message = "a query can add dimensions, measures and joins alone";
                            self.error("syntax-error", inner.keyword, message);
                        }
                    }
                    all.push(extension.clone());
                }
                QueryStatementKind::Join { relation, items } => {
                    let kind =
                        SourceStatementKind::Join { relation: *relation, items: items.clone() };
                    let join = SourceStatement {
                        notes: statement.notes.clone(),
                        access: None,
                        kind,
                        keyword: statement.keyword,
                        span: statement.span,
                    };
                    all.push(SourceBlock { statements: vec![join], span: statement.span });
                }
                _ => {}
            }
        }
        all
    }
}

fn may_extend_query(kind: &SourceStatementKind) -> bool {
    use SourceStatementKind as K;
    !matches!(
        kind,
        K::Where(_)
            | K::View(_)
            | K::PrimaryKey(_)
            | K::Rename(_)
            | K::Accept(_)
            | K::Except(_)
            | K::Timezone(_)
    )
}
