//! What can be asked, route by route.

/// One method of one path.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) tag: &'static str,
    pub(super) id: String,
    pub(super) summary: &'static str,
    pub(super) about: &'static str,
    /// Names of components, besides those in the path.
    pub(super) parameters: &'static [&'static str],
    /// The schema of what is sent.
    pub(super) body: Option<&'static str>,
    /// Content type, words and schema of what comes back.
    pub(super) gives: (&'static str, &'static str, Option<&'static str>),
    more: &'static [(u16, &'static str)],
}

pub(super) const TAGS: &[(&str, &str)] = &[
    ("projects", "Projects and their packages."),
    ("models", "Models, and what they have."),
    ("queries", "Running and checking Malloy."),
    ("notebooks", "Prose and queries in order."),
    ("data", "Embedded data files and schedules."),
    ("connections", "Databases beyond the package, and the package's own."),
    ("server", "The server itself."),
];

const JSON: &str = "application/json";
const PACKAGE: &str = "/api/v0/projects/{project}/packages/{package}";

impl Operation {
    fn get(tag: &'static str, id: &str, path: &str, summary: &'static str) -> Self {
        Self {
            method: "get",
            path: path.to_owned(),
            tag,
            id: id.to_owned(),
            summary,
            about: "",
            parameters: &[],
            body: None,
            gives: (JSON, "All is well.", None),
            more: &[],
        }
    }

    fn method(self, method: &'static str) -> Self {
        Self { method, ..self }
    }

    fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    fn takes(self, parameters: &'static [&'static str]) -> Self {
        Self { parameters, ..self }
    }

    fn sent(self, body: &'static str) -> Self {
        Self { body: Some(body), ..self }
    }

    fn gives(self, words: &'static str, schema: &'static str) -> Self {
        Self { gives: (JSON, words, Some(schema)), ..self }
    }

    fn gives_as(
        self,
        kind: &'static str,
        words: &'static str,
        schema: Option<&'static str>,
    ) -> Self {
        Self { gives: (kind, words, schema), ..self }
    }

    fn refuses(self, more: &'static [(u16, &'static str)]) -> Self {
        Self { more, ..self }
    }

    /// What it may answer besides.
    pub(super) fn refusals(&self) -> Vec<(u16, &'static str)> {
        let named = self.path.contains('{');
        let asks = self.body.is_some() || !self.parameters.is_empty();
        let mut all = Vec::new();
        if asks {
            all.push((
                400,
                "Something in the request makes no sense; `message` says what and where.",
            ));
        }
        if named {
            all.push((404, "What the path names is not there; `suggestions` are names that are."));
            all.push((501, "A `versionId` was asked for."));
        }
        all.extend(self.more);
        all
    }
}

const RUNS: &[(u16, &str)] = &[
    (413, "The result has too many rows or bytes."),
    (424, "The model itself does not compile."),
    (502, "The database cannot be reached."),
    (503, "As many queries run as may; repeat in a moment."),
    (504, "The query took too long and was stopped."),
];
const LOADS: &[(u16, &str)] = &[(424, "The model or the package itself cannot be loaded.")];
const WATCHES: &[(u16, &str)] = &[
    (403, "A page of another site asks, or the configuration is frozen."),
    (404, "There is no such project."),
];
const CHANGES: &[(u16, &str)] = &[
    (403, "The configuration is frozen, or a page of another site asks."),
    (409, "Something has this name already."),
];
const ASKS: &[(u16, &str)] = &[
    (403, "A page of another site asks."),
    (502, "The database cannot be reached."),
    (504, "It took too long and was stopped."),
];

const MAKES: &[(u16, &str)] = &[
    (403, "A page of another site asks, or givens are fixed for the caller."),
    (413, "The table would have too many rows or bytes."),
    (502, "The database cannot be reached."),
    (503, "The connection has as many such tables as it may."),
    (504, "It took too long and was stopped."),
];
const TEMPORARY: &str = "Statements of the same connection read it by the name that is answered. The same select has the same table, made anew. \
    On Spark it is a view, whose select runs whenever it is read.";

/// Everything.
pub(super) fn all() -> Vec<Operation> {
    let mut all = projects();
    all.extend(files());
    all.extend(connections("", "/api/v0/projects/{project}/connections"));
    all.extend(connections(
        "OfPackage",
        "/api/v0/projects/{project}/packages/{package}/connections",
    ));
    all.extend(server());
    all
}

fn projects() -> Vec<Operation> {
    let get = |id, path, summary| Operation::get("projects", id, path, summary);
    let change = |method, id, path, summary| get(id, path, summary).method(method).refuses(CHANGES);
    vec![
        get("listProjects", "/api/v0/projects", "List projects").gives("Projects.", "[ProjectRef]"),
        get("getProject", "/api/v0/projects/{project}", "Read a project")
            .takes(&["reload"])
            .gives("The project.", "Project"),
        get("listPackages", "/api/v0/projects/{project}/packages", "List packages")
            .about("Loads all of them. One that cannot be loaded is there, with its `error`.")
            .gives("Packages.", "[Package]"),
        get("getPackage", PACKAGE, "Read a package")
            .takes(&["reload"])
            .about("With `reload` it is compiled anew; what worked and does not any more keeps serving, and `problems` says why.")
            .gives("The package.", "Package"),
        change("post", "createProject", "/api/v0/projects", "Add a project").sent("ProjectBody").gives("The project.", "Project"),
        change("patch", "updateProject", "/api/v0/projects/{project}", "Give a project another name").sent("ProjectBody").gives("The project.", "Project"),
        change("delete", "deleteProject", "/api/v0/projects/{project}", "Remove a project").gives("What was there.", "Project"),
        change("post", "createPackage", "/api/v0/projects/{project}/packages", "Add a package").sent("PackageBody").gives("The package.", "Package"),
        change("patch", "updatePackage", PACKAGE, "Move a package to another folder").sent("PackageChange").gives("The package.", "Package"),
        change("delete", "deletePackage", PACKAGE, "Remove a package").gives("What was there.", "Package"),
    ]
}

fn files() -> Vec<Operation> {
    let get = |tag, id, path: &str, summary| {
        Operation::get(tag, id, &format!("{PACKAGE}{path}"), summary)
    };
    vec![
        get("models", "listModels", "/models", "List models and notebooks").gives("Files.", "[File]"),
        get("models", "getModel", "/models/{path}", "Read a compiled model")
            .about("A notebook is answered as `/notebooks/{path}` answers it.")
            .refuses(LOADS)
            .gives("The model.", "Model"),
        get("queries", "queryResults", "/queryResults/{path}", "Run a query")
            .about("Either `query` with Malloy text, or `queryName`, with `sourceName` where it is a view.")
            .takes(&["query", "sourceName", "queryName", "givens", "rowLimit", "fresh"])
            .refuses(RUNS)
            .gives("What it gave, in both forms.", "QueryResults"),
        get("queries", "runQuery", "/models/{path}/query", "Run a query")
            .method("post")
            .sent("QueryBody")
            .refuses(RUNS)
            .gives("What it gave.", "QueryAnswer"),
        get("queries", "compileModel", "/models/{path}/compile", "Check a text without running it")
            .method("post")
            .sent("CompileBody")
            .refuses(LOADS)
            .gives("What is wrong with it.", "CompileAnswer"),
        get("notebooks", "listNotebooks", "/notebooks", "List notebooks").gives("Files.", "[File]"),
        get("notebooks", "getNotebook", "/notebooks/{path}", "Read a notebook, its cells run")
            .about("Every cell is there; one that does not compile or run has an `error`.")
            .takes(&["run", "givens", "fresh"])
            .refuses(LOADS)
            .gives("The notebook.", "Notebook"),
        get("notebooks", "getNotebookCell", "/notebooks/{path}/cells/{index}", "Run one cell")
            .takes(&["givens", "fresh"])
            .refuses(LOADS)
            .gives("The cell.", "Cell"),
        get("data", "listDatabases", "/databases", "List data files").gives("Files with their columns.", "[Database]"),
        get("data", "listSchedules", "/schedules", "List schedules").refuses(LOADS).gives("What is to run when.", "[Schedule]"),
    ]
}

fn connections(suffix: &str, base: &str) -> Vec<Operation> {
    let at = |id: &str, path: &str, summary| {
        Operation::get("connections", &format!("{id}{suffix}"), &format!("{base}{path}"), summary)
    };
    let ask = |id: &str, path: &str, summary| {
        at(id, &format!("/{{connection}}{path}"), summary).refuses(ASKS)
    };
    let mut all = vec![
        at("listConnections", "", "List connections")
            .about("Secrets are never told; a marker stands in their place.")
            .gives("Connections.", "[Connection]"),
        at("getConnection", "/{connection}", "Read a connection")
            .gives("The connection.", "Connection"),
        ask("testConnection", "/test", "Find out whether a connection works").gives_as(
            JSON,
            "It does; there is no body.",
            None,
        ),
        ask("getSqlSource", "/sqlSource", "Columns of a select, which is not run")
            .takes(&["sqlStatement"])
            .gives("The schema as a JSON string.", "Source"),
        ask("postSqlSource", "/sqlSource", "Columns of a select, which is not run")
            .method("post")
            .sent("StatementBody")
            .gives("The schema as a JSON string.", "Source"),
        ask("getTableSource", "/tableSource", "Columns of a table")
            .takes(&["tableKey", "tablePath"])
            .gives("The schema as a JSON string.", "Source"),
        ask("getQueryData", "/queryData", "Rows of a statement")
            .takes(&["sqlStatement", "options"])
            .gives("Rows as a JSON string.", "Data"),
        ask("postSqlQuery", "/sqlQuery", "Rows of a statement")
            .method("post")
            .sent("StatementBody")
            .gives("Rows as a JSON string.", "Data"),
        ask("getTemporaryTable", "/temporaryTable", "Make a table of a select, for a while")
            .about(TEMPORARY)
            .refuses(MAKES)
            .takes(&["sqlStatement"])
            .gives("Its name as a JSON string.", "Table"),
        ask("postTemporaryTable", "/sqlTemporaryTable", "Make a table of a select, for a while")
            .about(TEMPORARY)
            .refuses(MAKES)
            .method("post")
            .sent("StatementBody")
            .gives("Its name as a JSON string.", "Table"),
        ask("listSchemas", "/schemas", "List schemas").gives("Schemas.", "[Schema]"),
        ask("listTables", "/schemas/{schema}/tables", "List tables of a schema")
            .gives("Names.", "[string]"),
        ask("getTable", "/schemas/{schema}/tables/{table}", "Read the columns of a table")
            .gives("The table.", "TableInfo"),
    ];
    if suffix.is_empty() {
        let change = |method, id: &str, summary| {
            at(id, "/{connection}", summary).method(method).refuses(CHANGES)
        };
        all.extend([
            change("post", "createConnection", "Add a connection")
                .sent("Connection")
                .gives("The connection.", "Connection"),
            change("patch", "updateConnection", "Change a connection")
                .sent("Connection")
                .gives("The connection.", "Connection"),
            change("delete", "deleteConnection", "Remove a connection")
                .gives("What was there.", "Connection"),
            Operation::get(
                "connections",
                "testNewConnection",
                "/api/v0/connections/test",
                "Find out whether a connection would work",
            )
            .method("post")
            .takes(&["projectName"])
            .sent("Connection")
            .refuses(CHANGES)
            .gives("Whether it does.", "Tested"),
        ]);
    }
    all
}

fn server() -> Vec<Operation> {
    let get = |id, path, summary| Operation::get("server", id, path, summary);
    vec![
        get("getStatus", "/api/v0/status", "How the server is").gives("Its state.", "Status"),
        get("getHistory", "/api/v0/history", "The last queries, newest first")
            .takes(&["limit"])
            .gives("Queries.", "[PastQuery]"),
        get("events", "/api/v0/events", "What changes, as it happens").gives_as(
            "text/event-stream",
            "`event: change` with a `Change` as data.",
            Some("Change"),
        ),
        get("watchStatus", "/api/v0/watch-mode/status", "Whether edited files are loaded at once")
            .gives("What is watched.", "Watching"),
        get("startWatching", "/api/v0/watch-mode/start", "Load edited files at once")
            .about("Of one project, or of all. What was edited before is loaded, too.")
            .method("post")
            .sent("WatchBody")
            .refuses(WATCHES)
            .gives("What is watched.", "Watching"),
        get("stopWatching", "/api/v0/watch-mode/stop", "Leave edited files until a reload")
            .method("post")
            .refuses(CHANGES)
            .gives("What is watched.", "Watching"),
        get("openapi", "/openapi.json", "This document").gives("The document.", "Document"),
        get("openapiOfApi", "/api/v0/openapi.json", "This document")
            .gives("The document.", "Document"),
        get("openapiAsYaml", "/api-doc.yaml", "This document as YAML").gives_as(
            "application/yaml",
            "The document.",
            None,
        ),
        get("openapiAsPage", "/api-doc.html", "This document for people").gives_as(
            "text/html",
            "A page.",
            None,
        ),
        get("health", "/health", "Whether the server is up").gives("It is.", "Up"),
        get("liveness", "/health/liveness", "Whether the server is up").gives("It is.", "Up"),
        get("readiness", "/health/readiness", "Whether the server can answer")
            .gives("It can.", "Up"),
    ]
}
