use super::*;

fn check(source: &str) -> String {
    show(&audit_lua(source, &LuaContext::default()))
}

fn check_with(source: &str, viewed: &[&str]) -> String {
    let viewed = viewed.iter().map(|&name| name.to_owned()).collect();
    show(&audit_lua(source, &LuaContext { viewed: Some(&viewed), ..LuaContext::default() }))
}

fn show(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

const GOOD: &str = r#"
local App = session:prototype("App", { title = "Hi", items = EMPTY })
function App:new(instance)
  local app = session:create(App, instance)
  app.items = app.items or {}
  return app
end
function App:save() mcp.notify("saved", { title = self.title }) end
function App.count(self) return #self.items end
local text = "session.prototype('x')" -- session.getApp()
if not session.reloading then
  app = App:new()
  session:createAppVariable(app)
  session:setInterval(function() app.title = os.date() end, 1000)
end
"#;

#[test]
fn code_as_we_want_it_gives_nothing() {
    assert_eq!(check_with(GOOD, &["App"]), "");
}

#[test]
fn the_compiler_speaks_first() {
    let error = SyntaxError { line: 3, message: "'end' expected near <eof>".to_owned() };
    let found = audit_lua("x", &LuaContext { syntax: Some(&error), ..LuaContext::default() });
    assert_eq!(found[0].code, "lua-syntax");
    assert_eq!(found[0].line, 3);
}

#[test]
fn dots_and_colons_are_told_apart() {
    insta::assert_snapshot!(check("local P = session.prototype('P')\nmcp:notify('x')\nlocal s = my.session.prototype(1)"), @r#"
    1:11 error dot-call: `session.prototype(…)` is called without `session` itself; write `session:prototype(…)`
    2:1 error colon-call: `mcp:notify(…)` gets `mcp` as its first argument; write `mcp.notify(…)`
    "#);
}

#[test]
fn a_method_that_is_nearly_ours_is_told() {
    insta::assert_snapshot!(check("local t = session:setTimeOut(f, 10)\nsession:myOwn()"), @r#"1:11 warning unknown-method: `session` has no method `setTimeOut`; did you mean `session:setTimeout(…)`?"#);
}

#[test]
fn the_names_of_the_protocol_are_refused() {
    insta::assert_snapshot!(check("function f() mcp.notify('tools/list', {}) mcp.notify 'ping' mcp.notify('pinged') end"), @r#"
    1:25 error reserved-notification: `mcp.notify` refuses the method `tools/list`, which is the protocol's own; choose a name of the application, such as "feedback" or "contact_saved"
    1:54 error reserved-notification: `mcp.notify` refuses the method `ping`, which is the protocol's own; choose a name of the application, such as "feedback" or "contact_saved"
    "#);
}

#[test]
fn closed_libraries_are_told() {
    insta::assert_snapshot!(check("os.execute('ls') local x = os.time() io.write('a') self.io.open('x') local f = io.open('y')"), @r#"
    1:1 warning closed-library: `os.execute` is closed in a session unless the configuration opens it; there is no replacement inside a session
    1:80 warning closed-library: `io.open` is closed in a session unless the configuration opens it; keep data in Lua objects; `print` writes to the log; configuration may open files below the project
    "#);
}

#[test]
fn state_that_a_reload_would_lose_is_told() {
    insta::assert_snapshot!(check("app = {}\nsession:createAppVariable(app)\nsession:setInterval(tick, 100)\nfunction start() session:setInterval(f, 1) end"), @r#"
    2:1 warning reload-guard: each time this file is saved the application starts anew and its state is lost; put it into `if not session.reloading then … end`
    3:1 warning reload-guard: each time this file is saved one more interval is started; put it into `if not session.reloading then … end`
    "#);
}

#[test]
fn tables_in_defaults_are_shared() {
    insta::assert_snapshot!(check("local P = session:prototype('P', { tags = {}, names = {}, n = 1, deep = { x = {} } })\nfunction P:init() self.names = {} end"), @r#"
    1:36 warning shared-table: the table in `tags` is one and the same for every `P`; declare `tags = EMPTY` and set `self.tags = {}` where the instance is made
    1:66 warning shared-table: the table in `deep` is one and the same for every `P`; declare `deep = EMPTY` and set `self.deep = {}` where the instance is made
    "#);
}

#[test]
fn a_method_defined_with_a_dot_has_no_self() {
    insta::assert_snapshot!(check("local P = session:prototype('P')\nfunction P.save() self.saved = true end\nfunction P.make() return P:new() end\nfunction P.ok(self) return self.x end"), @r#"2:10 error lost-self: `self` is nil in `function P.save(…)`; write `function P:save(…)`"#);
}

#[test]
fn an_application_without_a_view_is_told() {
    let source = "local Ap = session:prototype('Contacts')\nif not session.reloading then session:createAppVariable(Ap:new()) end";
    insta::assert_snapshot!(check_with(source, &["Contact"]), @r#"2:31 warning missing-viewdef: the application has type `Contacts`, and there is no view `Contacts.DEFAULT`: the page stays empty; there is one of `Contact`; give both the same name"#);
    assert_eq!(check_with(source, &["Contacts", "Other"]), "");
}

#[test]
fn a_type_whose_view_is_spelt_otherwise_is_told() {
    insta::assert_snapshot!(check_with("P = session:prototype('Person')", &["person"]), @r#"1:23 warning unviewed-type: no view is for the type `Person`, but one is for `person`, which this file does not define; give both the same name"#);
    assert_eq!(
        check_with("P = session:prototype('Person')", &["App"]),
        "",
        "objects that are not shown need no view"
    );
}
