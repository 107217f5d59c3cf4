//! What a server offers, looked up by name.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use kit_core::nearest;
use rmcp::{
    ErrorData,
    model::{Prompt, Resource, ResourceContents, ResourceTemplate, Tool},
};
use serde_json::{Value, json};

use crate::{App, Call, Names, ResourceError, validate::Validator};

/// The offers of one or several applications.
pub(crate) struct Catalog {
    apps: Vec<App>,
    tools: Vec<Tool>,
    by_name: HashMap<String, Arc<ToolEntry>>,
    prompts: Vec<Prompt>,
    /// Listed prompt name to application and own name.
    prompt_owner: HashMap<String, (usize, String)>,
}

/// One tool, ready to be called.
pub(crate) struct ToolEntry {
    pub(crate) app: App,
    /// Its name in its own application.
    pub(crate) name: String,
    pub(crate) tool: Tool,
    pub(crate) validator: Validator,
    pub(crate) writes: bool,
    /// Whether some of its arguments are also sent as headers (`x-mcp-header` in its schema).
    pub(crate) has_headers: bool,
}

impl Catalog {
    pub(crate) fn single(app: App) -> Self {
        Self::build(vec![app], |app, name| match app.names {
            Names::Own => name.to_owned(),
            Names::WithoutSlash => without_slash(name),
        })
    }

    pub(crate) fn combined(apps: Vec<App>) -> Self {
        Self::build(apps, |app, name| {
            let prefix = format!("{}_", app.prefix);
            // Hosts refuse a slash, and nobody gains from `campaign_campaign_create`.
            let name = without_slash(name);
            if name.starts_with(&prefix) { name } else { prefix + &name }
        })
    }

    fn build(apps: Vec<App>, listed: impl Fn(&App, &str) -> String) -> Self {
        let mut tools = Vec::new();
        let mut by_name = HashMap::new();
        let mut own_names: BTreeMap<String, Vec<Arc<ToolEntry>>> = BTreeMap::new();
        let mut prompts = Vec::new();
        let mut prompt_owner = HashMap::new();
        for (index, app) in apps.iter().enumerate() {
            for tool in app.tools.list() {
                let entry = Arc::new(ToolEntry::new(app, tool, &listed));
                tools.push(entry.tool.clone());
                own_names.entry(entry.name.clone()).or_default().push(entry.clone());
                if entry.name.contains('/') {
                    let safe = without_slash(&entry.name);
                    own_names.entry(safe).or_default().push(entry.clone());
                }
                by_name.insert(entry.tool.name.to_string(), entry);
            }
            for mut prompt in app.prompts.list() {
                let own = std::mem::take(&mut prompt.name);
                prompt.name = listed(app, &own);
                prompt_owner.insert(prompt.name.clone(), (index, own));
                prompts.push(prompt);
            }
        }
        for (name, mut entries) in own_names {
            if let (Some(entry), true) = (entries.pop(), entries.is_empty()) {
                by_name.entry(name).or_insert(entry);
            }
        }
        Self { apps, tools, by_name, prompts, prompt_owner }
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(crate) fn tool(&self, name: &str) -> Result<&Arc<ToolEntry>, ErrorData> {
        self.by_name.get(name).ok_or_else(|| {
            let names = self.tools.iter().map(|tool| &*tool.name);
            if let [App { unknown_tool: Some(words), .. }] = &*self.apps {
                let near = nearest(name, names).map(|near| json!({"suggestions": [near]}));
                return ErrorData::invalid_params(words(name), near);
            }
            let hint = match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`tools/list` names the tools there are".to_owned(),
            };
            ErrorData::invalid_params(format!("unknown tool `{name}`: {hint}"), None)
        })
    }

    pub(crate) fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    /// The application that has this prompt, and the prompt's name there.
    pub(crate) fn prompt(&self, name: &str) -> Result<(&App, &str), ErrorData> {
        let found = self.prompt_owner.get(name).map(|(app, own)| (&self.apps[*app], own.as_str()));
        found.ok_or_else(|| {
            let names = self.prompts.iter().map(|prompt| prompt.name.as_str());
            let hint = match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`prompts/list` names the prompts there are".to_owned(),
            };
            ErrorData::invalid_params(format!("unknown prompt `{name}`: {hint}"), None)
        })
    }

    pub(crate) fn serves(&self, app: &str) -> bool {
        app.is_empty() || self.apps.iter().any(|mine| mine.name == app)
    }

    pub(crate) fn has_resources(&self) -> bool {
        self.apps.iter().any(|app| app.has_resources)
    }

    pub(crate) fn has_prompts(&self) -> bool {
        self.apps.iter().any(|app| app.has_prompts)
    }

    pub(crate) fn has_tasks(&self) -> bool {
        self.apps.iter().any(|app| app.has_tasks)
    }

    pub(crate) fn templates(&self) -> Vec<ResourceTemplate> {
        self.apps.iter().flat_map(|app| app.resources.templates()).collect()
    }

    pub(crate) async fn resources(&self, call: &Call) -> Result<Vec<Resource>, ErrorData> {
        let mut all = Vec::new();
        for app in &self.apps {
            all.extend(app.resources.list(call).await.map_err(ResourceError::into_error_data)?);
        }
        Ok(all)
    }

    /// Asks each application in turn; the first that knows the URI answers.
    pub(crate) async fn read(
        &self,
        call: &Call,
        uri: &str,
    ) -> Result<Vec<ResourceContents>, ResourceError> {
        let mut refusal = None;
        for app in self.apps.iter().filter(|app| app.has_resources) {
            match app.resources.read(call, uri).await {
                Ok(contents) => return Ok(contents),
                // Words that a specification fixes are for where the application is alone.
                Err(error) if error.is_unknown() => {
                    if refusal.is_none() || !error.has_own_words() {
                        refusal = Some(error);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let hint = "`resources/list` and `resources/templates/list` say what can be read";
        Err(refusal.unwrap_or_else(|| ResourceError::unknown(uri, hint)))
    }

    pub(crate) async fn complete_template(
        &self,
        template: &str,
        variable: &str,
        typed: &str,
    ) -> Vec<String> {
        let owner = self.apps.iter().find(|app| {
            app.resources.templates().iter().any(|known| known.uri_template == template)
        });
        match owner {
            Some(app) => app.resources.complete(template, variable, typed).await,
            None => Vec::new(),
        }
    }

    pub(crate) async fn complete_prompt(
        &self,
        prompt: &str,
        argument: &str,
        typed: &str,
    ) -> Vec<String> {
        match self.prompt(prompt) {
            Ok((app, own)) => app.resources.complete_prompt(own, argument, typed).await,
            Err(_) => Vec::new(),
        }
    }
}

/// The spelling that every host takes.
fn without_slash(name: &str) -> String {
    name.replace('/', "_")
}

/// Whether `key` is the name of anything in `value`.
fn mentions(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| name == key || mentions(value, key))
        }
        Value::Array(items) => items.iter().any(|item| mentions(item, key)),
        _ => false,
    }
}

impl ToolEntry {
    fn new(app: &App, mut tool: Tool, listed: &impl Fn(&App, &str) -> String) -> Self {
        let name = tool.name.to_string();
        tool.name = listed(app, &name).into();
        let mut checked = (*tool.input_schema).clone();
        if app.tolerant.contains(&&*name) {
            checked.remove("additionalProperties");
        }
        let read_only = tool.annotations.as_ref().and_then(|hints| hints.read_only_hint);
        Self {
            validator: Validator::new(&name, &checked),
            app: app.clone(),
            writes: read_only != Some(true),
            has_headers: mentions(&Value::Object((*tool.input_schema).clone()), "x-mcp-header"),
            name,
            tool,
        }
    }
}
