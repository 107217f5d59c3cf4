//! What each type of resource is and how to use it, in words for an AI reader.
//!
//! An agent that reads a resource has nothing but the answer: so each carries what the thing is and what to do next.

use serde::Serialize;

/// What a type of resource is, and how it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About {
    pub description: &'static str,
    pub usage: &'static str,
}

pub const PROJECT: About = About {
    description: "A project is the top-level workspace of the server: it holds packages of data models and the database \
        connections that they share.",
    usage: "List the resources to see the packages of all projects, then read a package's `/contents` to see what is in it. \
        The project's name is the `projectName` of every tool.",
};

pub const PACKAGE: About = About {
    description: "A package groups related Malloy models and notebooks, together with the data files that they describe. It is \
        loaded and published as one.",
    usage: "Read the package's URI with `/contents` added to discover the models, sources, views, queries and notebooks inside, \
        then read the URIs that it lists. The package's name is the `packageName` of every tool.",
};

pub const MODEL: About = About {
    description: "A model organises tables, their relationships and reusable calculations in one Malloy file. It holds sources, \
        the views of each source, and saved queries.",
    usage: "Read `definition` for the names of sources, views and queries; read those parts by their own URIs for fields and \
        types; then ask with the tool `malloy/executeQuery`, giving the model's path as `modelPath`. Results are JSON rows \
        and may carry render hints such as `# bar_chart`.",
};

pub const SOURCE: About = About {
    description: "Represents a table or dataset that can be queried: its columns, the calculations defined on it (dimensions and \
        measures), the sources joined to it, and its views.",
    usage: "Look at `definition` for the fields and views there are. Read a view by its URI, run one with `malloy/executeQuery` \
        (`sourceName` and `queryName`), or write a query of your own: `run: source_name -> { group_by: … aggregate: … }`.",
};

pub const VIEW: About = About {
    description: "A view is a saved analysis inside a source: which fields it groups by, what it aggregates, how it filters, \
        nests and orders.",
    usage: "Run it with `malloy/executeQuery`, giving the source's name as `sourceName` and the view's name as `queryName`; or \
        refine it in a query: `run: source_name -> view_name + { where: … limit: 10 }`.",
};

pub const QUERY: About = About {
    description: "A query is a saved analysis at the level of the model, with a name of its own.",
    usage: "Run it with `malloy/executeQuery`, giving its name as `queryName` and no `sourceName`; or refine it in a query: \
        `run: query_name + { limit: 10 }`.",
};

pub const NOTEBOOK: About = About {
    description: "A notebook is an interactive document: prose, Malloy code and the results of that code, in the order in \
        which they are meant to be read.",
    usage: "Read the cells in order: Markdown cells explain, code cells hold queries with their results. Run the queries that \
        you find, changed as you need them, with `malloy/executeQuery` on a model of the same package.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_tells_what_it_is_and_what_to_do() {
        for about in [PROJECT, PACKAGE, MODEL, SOURCE, VIEW, QUERY, NOTEBOOK] {
            assert!(about.description.len() > 40 && about.usage.len() > 40, "{about:?}");
            assert!(!about.description.contains("  ") && !about.usage.contains("  "), "{about:?}");
        }
    }

    // spec: publisher, 5.4: the words that clients look for.
    #[test]
    fn the_words_that_clients_look_for_are_there() {
        assert!(SOURCE.description.starts_with("Represents a table or dataset"));
        assert!(NOTEBOOK.description.contains("interactive document"));
        assert!(PACKAGE.usage.contains("/contents"));
        assert!(MODEL.usage.contains("malloy/executeQuery") && MODEL.usage.contains("definition"));
        assert!(VIEW.usage.contains("sourceName") && VIEW.usage.contains("queryName"));
        assert!(QUERY.usage.contains("queryName"));
    }
}
