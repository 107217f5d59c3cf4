//! A server of the protocol over a tree of JSON, and what a screen makes of it.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde_json::{Value as Json, json};
use ui_core::message::{Create, Properties};
use ui_core::{ObjId, Path, Step};

use super::*;

/// Answers as the engine does, from constants: `"name()"` is the key of what a method returns, `{"!": "text"}` is one that fails.
struct Server {
    data: Json,
    views: BTreeMap<String, String>,
    sent: Vec<String>,
    held: BTreeMap<WireId, Vec<Json>>,
    created: usize,
}

impl Server {
    fn new(data: Json, views: &[(&str, &str)]) -> Self {
        let views =
            views.iter().map(|(key, html)| ((*key).to_owned(), (*html).to_owned())).collect();
        let held = BTreeMap::from([(WireId::ROOT, vec![data.clone()])]);
        Self { data, views, sent: Vec::new(), held, created: 0 }
    }

    fn answer(&mut self, messages: Vec<Message>) -> Vec<Message> {
        let mut answers = Vec::new();
        for message in messages {
            match message {
                Message::Watch(Target { var_id }) => {
                    let value = self.data.clone();
                    self.tell(var_id, &value, &mut answers);
                }
                Message::Create(create) => self.create(&create, &mut answers),
                Message::Destroy(target) => answers.push(Message::Destroy(target)),
                other => panic!("{other:?}"),
            }
        }
        answers
    }

    fn create(&mut self, create: &Create, answers: &mut Vec<Message>) {
        self.created += 1;
        let get = |name| create.properties.get(name);
        assert!(
            get("path").is_some_and(|path| !path.contains('?')),
            "parameters are properties: {create:?}"
        );
        let mut chain = self.held[&create.parent_id].clone();
        if matches!(get("access"), Some("action" | "w")) {
            return;
        }
        let path = Path::parse(get("path").unwrap()).unwrap();
        let mut value = chain.last().cloned().unwrap();
        for step in path.steps() {
            value = match step {
                Step::App => self.data.clone(),
                Step::Up => {
                    chain.pop();
                    chain.last().cloned().unwrap_or_default()
                }
                step => value
                    .get(step.to_string())
                    .or_else(|| value.get(step.to_string().parse::<usize>().ok()?))
                    .cloned()
                    .unwrap_or_default(),
            };
        }
        if let Some(text) = value.get("!").and_then(Json::as_str) {
            let error = ErrorMessage {
                var_id: create.id,
                code: "lua-error".to_owned(),
                description: text.to_owned(),
            };
            answers.push(Message::Error(error));
            return;
        }
        self.tell(create.id, &value, answers);
        let mut chain = self.held[&create.parent_id].clone();
        chain.push(value);
        self.held.insert(create.id, chain);
    }

    fn tell(&mut self, var_id: WireId, value: &Json, answers: &mut Vec<Message>) {
        let mut properties = Vec::new();
        if let Some(name) = value.get("type").and_then(Json::as_str) {
            let new: BTreeMap<_, _> = self
                .views
                .iter()
                .filter(|(key, _)| key.starts_with(&format!("{name}.")) && !self.sent.contains(key))
                .collect();
            if !new.is_empty() {
                let json = serde_json::to_string(&new).unwrap();
                let properties = Properties(vec![("viewdefs".to_owned(), json)]);
                answers.push(Message::Update(Update {
                    var_id: WireId::ROOT,
                    value: None,
                    properties,
                }));
                self.sent.extend(new.into_keys().cloned().collect::<Vec<_>>());
            }
            properties.push(("type".to_owned(), name.to_owned()));
        }
        answers.push(Message::Update(Update {
            var_id,
            value: Some(wire(value)),
            properties: Properties(properties),
        }));
    }
}

fn wire(value: &Json) -> Value {
    match value {
        Json::Object(_) => Value::Object(ObjId(7)),
        Json::Array(items) => Value::array(items.iter().map(wire)),
        other => serde_json::from_value(other.clone()).unwrap(),
    }
}

fn see_with(options: ScreenOptions, data: Json, views: &[(&str, &str)]) -> Shown {
    let mut server = Server::new(data, views);
    let Ok(shown) = look(options, |messages| Ok::<_, Infallible>(server.answer(messages)));
    shown
}

fn see(data: Json, views: &[(&str, &str)]) -> String {
    see_with(ScreenOptions::default(), data, views).text
}

fn app(mut fields: Json, view: &str) -> String {
    fields["type"] = json!("App");
    see(fields, &[("App.DEFAULT", view)])
}

#[test]
fn texts_headings_and_blocks() {
    let view = "<template><style>a{}</style><h1 ui-value='title'></h1><p>Hello <b ui-value='name'></b>, you have\n <i ui-value='count'></i> mails.</p>
        <div><span>a</span><span>b</span> <span>c</span></div><hr><blockquote ui-html='body'></blockquote><pre ui-value='log'></pre></template>";
    insta::assert_snapshot!(app(json!({"title": "Mail & more", "name": "Ann", "count": 3, "body": "<p>one</p><script>x</script><p>two <b>2</b></p>", "log": "x\n  y"}), view), @r#"
    # Mail & more
    Hello Ann, you have 3 mails.
    ab c
    ---
    one
    two 2
        x
          y
    "#);
}

#[test]
fn fields_boxes_and_buttons() {
    let view = r#"<sl-input label="Name" ui-value="name"></sl-input><sl-textarea label="Notes" ui-value="notes"></sl-textarea>
        <input placeholder="Search" ui-value="query"><label for="x">Age:</label> <input id="x" type="number" ui-value="age">
        <label>Mail <input type="checkbox" ui-value="mail"></label> <sl-switch ui-value="on">Active</sl-switch>
        <sl-select label="Size" ui-value="size"><sl-option value="s">Small</sl-option><sl-option value="l">Large</sl-option></sl-select>
        <sl-radio-group label="Pay" ui-value="pay"><sl-radio value="card">Card</sl-radio></sl-radio-group>
        <label><input type="radio" name="c" value="red" ui-value="color"> Red</label> <label><input type="radio" name="c" value="blue" ui-value="color"> Blue</label>
        <sl-rating label="Stars" ui-value="stars"></sl-rating><input type="password" aria-label="Secret" ui-value="secret"><input ui-value="zip"><br>
        <sl-button ui-action="save()" ui-attr-disabled="clean">Save</sl-button><button ui-action="go()"><sl-icon name="x"></sl-icon> Go</button>
        <sl-icon-button name="trash" label="Delete" ui-action="delete()"></sl-icon-button><input type="submit" value="Send">"#;
    let data = json!({"name": "Ann", "notes": "a\nb", "query": "", "age": 4, "mail": true, "on": false, "size": "l", "pay": null, "color": "blue",
        "stars": 3, "secret": "pw", "zip": "1234", "clean": true});
    insta::assert_snapshot!(app(data, view), @r#"
    [Name: Ann]
    [Notes: a ⏎ b]
    [Search: ] [Age: 4] [x] Mail [ ] Active
    [Size: Large (Small|Large)]
    [Pay: (Card)]
    ( ) Red (•) Blue [Stars: 3/5] [Secret: •••] [zip: 1234]
    (Save){disabled} (Go) (Delete) (Send)
    "#);
}

#[test]
fn what_is_hidden_closed_or_marked() {
    let view = r#"<p ui-attr-hidden="no">shown</p><p ui-attr-hidden="yes">gone</p><p style="display: none">gone</p><p ui-style-display="none">gone</p>
        <sl-dialog label="Sure?" ui-attr-open="yes"><sl-button slot="footer" ui-action="ok()">OK</sl-button></sl-dialog><sl-dialog label="Not">gone</sl-dialog>
        <sl-alert variant="danger" open><span ui-value="problem"></span></sl-alert><sl-details summary="More">gone</sl-details><details open><summary>Less</summary>here</details>
        <div ui-class-done="yes" ui-class-late="no" ui-action="open()">Task</div><sl-progress-bar ui-value="percent"></sl-progress-bar><sl-spinner></sl-spinner>
        <a href="https://example.org">Docs</a> <img alt="A cat" src="x"> <b ui-value="bad()"></b>"#;
    let data = json!({"no": false, "yes": true, "none": "none", "problem": "Disk full", "percent": 40, "bad()": {"!": "main.lua:3: boom"}});
    insta::assert_snapshot!(app(data.clone(), view), @r#"
    shown
    {dialog Sure?}
    (OK)
    {alert}
    Disk full
    ▸ More {closed}
    ▾ Less
    here
    Task {.done} {clickable}
    {progress: 40%} {busy} Docs <https://example.org> {image: A cat} {error: lua-error: main.lua:3: boom}
    "#);
    let options = ScreenOptions { hidden: true, ..ScreenOptions::default() };
    let mut data = data;
    data["type"] = json!("App");
    let all = see_with(options, data, &[("App.DEFAULT", view)]).text;
    assert_eq!(all.matches("gone").count(), 5, "{all}");
}

fn contacts() -> (Json, [(&'static str, &'static str); 4]) {
    let contact = |name: &str, on: bool| json!({"type": "Contact", "name": name, "selected()": on});
    let data = json!({"type": "App", "contacts": [contact("Ann", false), contact("Bob", true)], "current": contact("Bob", true)});
    let views = [
        (
            "App.DEFAULT",
            "<template><div ui-viewlist='contacts'></div><section ui-namespace='edit'><div ui-view='current'></div></section><div ui-view='missing'></div></template>",
        ),
        (
            "Contact.list-item",
            "<div ui-class-selected='selected()'><span ui-value='name'></span> <sl-button ui-action='select()'>Pick</sl-button></div>",
        ),
        ("Contact.edit", "<sl-input label='Name' ui-value='name'></sl-input>"),
        ("Contact.DEFAULT", "<i>never</i>"),
    ];
    (data, views)
}

#[test]
fn lists_and_namespaces_choose_the_view() {
    let (data, views) = contacts();
    insta::assert_snapshot!(see(data, &views), @r#"
    - Ann (Pick)
    - Bob (Pick) {.selected}
    [Name: Bob]
    "#);
}

#[test]
fn paths_and_ids_refer_to_controls() {
    let (data, views) = contacts();
    let shown = see_with(
        ScreenOptions { refs: Refs::Paths, ..ScreenOptions::default() },
        data.clone(),
        &views,
    );
    insta::assert_snapshot!(shown.text, @r#"
    - Ann (Pick)@contacts.0.select()
    - Bob (Pick)@contacts.1.select() {.selected}
    [Name: Bob]@current.name
    "#);
    insta::assert_snapshot!(serde_json::to_string(&shown.controls[0]).unwrap(), @r#"{"kind":"button","label":"Pick","path":"contacts.0.select()","id":10,"disabled":false}"#);
    let ids = see_with(ScreenOptions { refs: Refs::Ids, ..ScreenOptions::default() }, data, &views);
    assert!(ids.text.contains(&format!("(Pick)#{}", ids.controls[0].id)), "{}", ids.text);
    let screen = Screen::new(ScreenOptions::default());
    let sent = serde_json::to_string(&screen.press(&shown.controls[0])).unwrap();
    assert_eq!(
        sent,
        format!(r#"{{"type":"update","data":{{"varId":{},"value":null}}}}"#, shown.controls[0].id)
    );
}

#[test]
fn tables_have_rows_and_cells() {
    let rows =
        json!([{"type": "Row", "day": "Mon", "sum": 4}, {"type": "Row", "day": "Tue", "sum": 5.5}]);
    let view = "<table><thead><tr><th>Day</th><th>Sum</th></tr></thead><tbody ui-viewlist='rows'></tbody><tfoot><tr><td>All</td><td ui-value='total()'></td></tr></tfoot></table>";
    let row = "<template><tr><td ui-value='day'></td><td><b ui-value='sum'></b> <sl-button ui-action='x()'>X</sl-button></td></tr></template>";
    insta::assert_snapshot!(see(json!({"type": "App", "rows": rows, "total()": 9.5}), &[("App.DEFAULT", view), ("Row.list-item", row)]), @r#"
    | Day | Sum |
    |---
    | Mon | 4 (X) |
    | Tue | 5.5 (X) |
    | All | 9.5 |
    "#);
}

#[test]
fn items_of_lists_are_marked_once() {
    let data = json!({"type": "App", "names": [{"type": "N", "n": "a"}, {"type": "N", "n": "b"}]});
    let list = see(
        data.clone(),
        &[
            ("App.DEFAULT", "<ul ui-viewlist='names'></ul><ol><li>x<li>y<ul><li>z</ul></ol>"),
            ("N.DEFAULT", "<li ui-value='n'></li>"),
        ],
    );
    insta::assert_snapshot!(list, @r#"
    - a
    - b
    1. x
    2. y
       - z
    "#);
}

#[test]
fn what_cannot_be_shown_says_why() {
    let data = json!({"type": "App", "a": {"type": "Lost", "x": 1}, "b": {"x": 1}, "c": ["text"], "d": null});
    let view = "<div ui-view='a'></div><div ui-view='b'></div><div ui-viewlist='c'></div><div ui-view='d'></div><p ui-value='b'></p>";
    insta::assert_snapshot!(see(data, &[("App.DEFAULT", view)]), @r#"
    {no view Lost.DEFAULT for a}
    {b has no type, so no view shows it}
    - {c.0 is "text" and no object, so no view shows it}
    {"obj":7}
    "#);
    insta::assert_snapshot!(see(json!(null), &[]), @r#"{nothing is shown}"#);
    insta::assert_snapshot!(see(json!({"type": "App"}), &[]), @r#"{no view App.DEFAULT for the application}"#);
}

#[test]
fn size_is_bounded_and_the_rest_is_said() {
    let many: Vec<Json> = (0..250).map(|n| json!({"type": "N", "n": n})).collect();
    let views =
        [("App.DEFAULT", "<div ui-viewlist='all'></div>"), ("N.DEFAULT", "<p ui-value='n'></p>")];
    let data = json!({"type": "App", "all": many});
    let rows = see_with(ScreenOptions::default(), data.clone(), &views);
    assert!(rows.text.ends_with("- 199\n{… 50 more}\n"), "{}", rows.text);
    let few =
        see_with(ScreenOptions { variables: 50, ..ScreenOptions::default() }, data.clone(), &views);
    assert!(few.cut && few.text.ends_with("{the rest is left out}\n"), "{}", few.text);
    let short = see_with(ScreenOptions { bytes: 30, ..ScreenOptions::default() }, data, &views);
    assert!(short.cut && short.text.len() < 100, "{}", short.text);
}

#[test]
fn a_view_that_contains_itself_ends() {
    let mut data = json!({"type": "T", "n": 0});
    for n in 1..60 {
        data = json!({"type": "T", "n": n, "next": data});
    }
    let shown = see_with(
        ScreenOptions { depth: 3, ..ScreenOptions::default() },
        data,
        &[("T.DEFAULT", "<b ui-value='n'></b><div ui-view='next'></div>")],
    );
    insta::assert_snapshot!(shown.text, @r#"
    59
    58
    57
    {…}
    {the rest is left out}
    "#);
}

#[test]
fn a_screen_follows_what_changes() {
    let (data, views) = contacts();
    let mut server = Server::new(data, &views);
    let mut screen = Screen::new(ScreenOptions::default());
    let mut outgoing = screen.start();
    while !outgoing.is_empty() {
        outgoing = screen.receive(server.answer(outgoing));
    }
    let list =
        screen.variables.iter().find(|(_, v)| v.path == "contacts").map(|(id, _)| *id).unwrap();
    let update =
        |var_id, value| Message::Update(Update { var_id, value: Some(value), ..Update::default() });
    let sent = screen.receive([update(list, Value::array([Value::Object(ObjId(7))]))]);
    assert!(
        sent.iter().all(|message| matches!(message, Message::Destroy(_))) && !sent.is_empty(),
        "{sent:?}"
    );
    assert!(!screen.shown().text.contains("Bob (Pick)"));

    let new = Properties(vec![(
        "viewdefs".to_owned(),
        json!({"Contact.list-item": "<u>new <b ui-value='name'></b></u>"}).to_string(),
    )]);
    let mut outgoing = screen.receive([Message::Update(Update {
        var_id: WireId::ROOT,
        value: None,
        properties: new,
    })]);
    outgoing.retain(|message| matches!(message, Message::Create(_)));
    let sent = screen.receive(server.answer(outgoing));
    assert!(sent.is_empty());
    assert!(screen.shown().text.starts_with("- new Ann\n"), "{}", screen.shown().text);

    let again = screen.receive([Message::Update(Update { var_id: list, ..Update::default() })]);
    assert_eq!(again, [Message::Watch(Target { var_id: list })]);
}
