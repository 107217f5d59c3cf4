use super::*;
use crate::types::{Shape, TypeFacts};

fn check(source: &str) -> String {
    show(&audit_view(source, ViewContext::default()))
}

fn check_typed(source: &str) -> String {
    let types = Types::default()
        .with(
            "App",
            TypeFacts::default()
                .field("title", Shape::Plain)
                .field("contacts", Shape::List(Some("Contact".to_owned())))
                .field("selected", Shape::Object(Some("Contact".to_owned())))
                .field("later", Shape::Unknown)
                .method("save")
                .method("total"),
        )
        .with("Contact", TypeFacts::default().field("firstName", Shape::Plain).method("label"));
    show(&audit_view(source, ViewContext { type_name: Some("App"), types: Some(&types) }))
}

fn show(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_view_as_it_should_be_gives_nothing() {
    let good = r#"<template>
  <style>.a > b { color: red }</style>
  <div class="contacts" id="list">
    <h1 ui-value="title"></h1>
    <sl-input label="Search" ui-value="query?keypress" ui-event-keypress-ctrl-k="focus()"></sl-input>
    <sl-rating ui-value="stars?access=rw&priority=high"></sl-rating>
    <div ui-viewlist="matches()" ui-item-wrapper="Row" ui-namespace="small"><section></section></div>
    <div ui-view="items?wrapper=lua.ViewList&itemWrapper=Row"></div>
    <span ui-value="@app.contacts[0].name" ui-class-done="isDone()" ui-attr-title="../hint" ui-style-background-color="color"></span>
    <sl-dialog ui-attr-open="open" ui-event-sl-hide="closed()"></sl-dialog>
    <sl-input ui-value="price()?access=rw" ui-event-sl-change="changed(_)"></sl-input>
    <sl-input ui-value="setNote(_)?access=w"></sl-input>
    <my-editor ui-value="code?access=rw"></my-editor>
    <button ui-action="save()" aria-label="Save">Save</button><pre ui-value="log?scrollOnOutput"></pre>
    <p ui-html="body?replace" data-x="a=b">1 &lt; 2</p><sl-visually-hidden>x</sl-visually-hidden>
    <input type="checkbox" ui-value="done" disabled><svg viewBox="0 0 1 1"><path d="M0"/></svg>
    <sl-button ui-action="pick(_)" value="3" href="https://a.b/?x=1&y=2">Three</sl-button>
  </div>
</template>"#;
    assert_eq!(check(good), "");
}

#[test]
fn unknown_attributes_come_with_the_nearest_known() {
    insta::assert_snapshot!(check("<p ui-vlaue='a' ui-clas-done='b' ui-if='c' ui-for='d' ui-whatever='e' ui-viewdef='f'></p>"), @r#"
    1:4 error unknown-attribute: there is no attribute `ui-vlaue`; did you mean `ui-value`?
    1:17 error unknown-attribute: there is no attribute `ui-clas-done`; did you mean `ui-class-done`?
    1:34 error unknown-attribute: there is no `ui-if`; write `ui-attr-hidden="isHidden()"` with a method that says when it is hidden
    1:44 error unknown-attribute: there is no `ui-for`; write `<div ui-viewlist="list"></div>` and a view for the type of its elements
    1:55 error unknown-attribute: there is no attribute `ui-whatever`; known are ui-app, ui-value, ui-text, ui-html, ui-content, ui-code, ui-action, ui-view, ui-viewlist, ui-namespace, ui-item-wrapper and ui-attr-…, ui-class-…, ui-style-…, ui-event-…
    1:71 warning page-attribute: `ui-viewdef` is written by the page and ignored in a view; leave it out
    "#);
}

#[test]
fn expressions_are_told_with_the_way_out() {
    insta::assert_snapshot!(check("<p ui-class='done:isDone'></p>\n<p ui-value='a + b'></p>\n<p ui-attr-hidden='not open'></p>\n<p ui-value=\"n == 1 ? 'a' : 'b'\"></p>\n<p ui-attr-hidden='!open'></p><b ui-value='a .. b'></b>"), @r#"
    1:4 error class-expression: `ui-class` has no name of a class: there are no expressions in attributes; write `ui-class-done="isDone"`
    2:15 error operator-in-path: `+` in `a + b`: paths have no operators and no literals; write a method that computes it, and `name()` here
    3:23 error operator-in-path: `not` in `not open`: paths have no operators and no literals; write a method that computes it, and `name()` here
    4:15 error operator-in-path: `==` in `n == 1 ? 'a' : 'b'`: paths have no operators and no literals; write a method that computes it, and `name()` here
    5:20 error operator-in-path: `!` in `!open`: paths have no operators and no literals; write a method that computes it, and `name()` here
    5:45 error operator-in-path: `..` in `a .. b`: paths have no operators and no literals; write a method that computes it, and `name()` here
    "#);
}

#[test]
fn bad_paths_are_told_with_their_column() {
    insta::assert_snapshot!(check("<p ui-value='a..b' ui-attr-x='self:name()' ui-attr-y='remove(item)' ui-attr-z='items[i]' ui-attr-q='a(_).b' ui-attr-v='' ui-attr-u='@root.x'></p>\n<p\n  ui-value='name.'></p>"), @r#"
    1:16 error bad-path: `a..b` is no path: a step is missing: write a name, an index, `name()` or `..`
    1:35 error bad-path: `self:name()` is no path: `:` has no place in a path: compute it in a method, `name()`; write a dot: paths call with `object.method()`
    1:61 error bad-path: `remove(item)` is no path: a method takes no arguments here: write `name()`, or `name(_)` for the written value; what a row's method needs to know belongs into the row's object
    1:85 error bad-path: `items[i]` is no path: brackets hold an index, as in `items[0]`; write an index from 0, as in `items.0`; for one chosen at run time write a method
    1:105 error bad-path: `a(_).b` is no path: `(_)` ends a path
    1:109 error bad-path: `ui-attr-v` has no path; write a field, `method()` or a longer path
    1:133 error bad-path: `@root.x` is no path: `@` is known as `@app` only; write `@app` for the application object
    3:18 error bad-path: `name.` is no path: a step is missing: write a name, an index, `name()` or `..`; end it in a name
    "#);
}

#[test]
fn keys_and_events_that_never_come_are_told() {
    insta::assert_snapshot!(check("<sl-input ui-event-keypress-return='a()' ui-event-keypress-cmd-s='b()' ui-event-keypress='c()' ui-event-change='d()' ui-event-onclick='e()'></sl-input>"), @r#"
    1:11 error bad-key: `return` is no key; did you mean `ui-event-keypress-enter`?
    1:42 error bad-key: `cmd` is no modifier; did you mean `meta`?
    1:72 error bad-key: `ui-event-keypress` needs a key after it; write `ui-event-keypress-enter="method()"`
    1:96 error component-event: `<sl-input>` sends no `change`; write `ui-event-sl-change`
    1:118 error bad-event: the event is called `click`, without `on`; write `ui-event-click`
    "#);
}

#[test]
fn access_must_fit_the_path_and_the_element() {
    insta::assert_snapshot!(check("<p ui-value='a(_)'></p><input ui-value='a()?access=w'><p ui-value='a?access=read'></p>\n<span ui-value='a?access=rw'></span><sl-progress-bar ui-value='p?access=rw'></sl-progress-bar><input ui-value='name(_)'>"), @r#"
    1:14 error bad-access: `a(_)` takes access `w` or `action`, not `r`; a field that is shown and written by methods is `name()?access=rw`; one that is only written is `name(_)?access=w`
    1:45 error bad-access: `a()?access=w` takes access `r`, `rw` or `action`, not `w`; with `()` write `access=r`, `access=rw` or `access=action`
    1:70 error bad-access: no access `read`: `r`, `w`, `rw` and `action` are known; write `access=r`
    2:19 warning never-sends: `<span>` shows its value and never sends one; use an input, or leave `access` out
    2:66 warning never-sends: `<sl-progress-bar>` shows its value and never sends one; use an input, or leave `access` out
    2:112 error bad-access: `name(_)` takes access `w` or `action`, not `rw`; a field that is shown and written by methods is `name()?access=rw`; one that is only written is `name(_)?access=w`
    "#);
}

#[test]
fn a_click_needs_something_to_call() {
    insta::assert_snapshot!(check("<button ui-action='save'>Save</button><sl-button onclick='x()'>Y</sl-button>"), @r#"
    1:20 error action-without-call: `save` is a field, and a click would set it to nil; write `save()`
    1:50 warning foreign-syntax: `onclick` runs JavaScript in the page and reaches nothing in Lua; write `ui-action="method()"`
    "#);
}

#[test]
fn views_and_lists_need_a_place_and_a_list() {
    insta::assert_snapshot!(check("<div ui-view='a'>text</div><div ui-view='b' ui-value='c'></div><input ui-viewlist='d'>\n<div ui-viewlist='@app'></div><div ui-viewlist='e(_)'></div><div ui-viewlist='f?wrapper=lua.ViewList'></div><p ui-item-wrapper='X'></p>"), @r#"
    1:18 warning view-content: what stands inside an element with `ui-view` is replaced by the view; put it before or after the element
    1:45 error view-with-binding: `ui-value` has no effect here: `ui-view` replaces the element; put `ui-value` on an element around it, or into the view of the object
    1:64 error view-in-void: `<input>` has no content that could be replaced; use a `<div>`
    2:19 error list-path: `ui-viewlist` needs a list, and `@app` is an object; name a field that holds a list, or a method that returns one
    2:49 error bad-access: `e(_)` takes access `w` or `action`, not `r`; `(_)` is for writing: write `name()`, or a field, to read
    2:81 warning list-with-wrapper: `wrapper` makes an object of the list, which `ui-viewlist` cannot repeat; write `ui-view` instead of `ui-viewlist`, or leave `wrapper` out
    2:112 error item-wrapper-alone: `ui-item-wrapper` works beside `ui-viewlist` alone; put it on the element with `ui-viewlist`, or write `?wrapper=lua.ViewList&itemWrapper=TYPE`
    "#);
}

#[test]
fn what_other_frameworks_know_is_told() {
    insta::assert_snapshot!(check("<p>Hello {{ name }}!</p><a href='/{{id}}' @click='x' v-if='y'>z</a><p title='<b ui-view=\"c\">'></p>"), @r#"
    1:4 error foreign-syntax: `{{name}}` is shown as it stands: there are no expressions in texts; write `<span ui-value="name"></span>`
    1:28 error foreign-syntax: `/{{id}}` is taken as it stands: there are no expressions in attributes; write `ui-attr-href="path"`
    1:43 error foreign-syntax: `@click` is of another framework and does nothing here; see the attributes in `ui://viewdefs`
    1:54 error foreign-syntax: `v-if` is of another framework and does nothing here; see the attributes in `ui://viewdefs`
    1:78 error view-in-attribute: bindings inside the value of `title` are text and never run; write `ui-attr-title="path"`, or put the element into the view itself
    "#);
}

#[test]
fn components_ids_and_names_are_checked() {
    insta::assert_snapshot!(check("<sl-buton id='a'></sl-buton>\n<p id='a' ui-class-isDone='x' ui-namespace='a.b'></p><sl-fancy></sl-fancy><p ui-value='a?acess=r&priority=top'></p>"), @r#"
    1:1 error unknown-component: Shoelace has no element `<sl-buton>`; did you mean `<sl-button>`?
    2:8 warning duplicate-id: id `a` is taken by the element on line 1; use a class, or leave the id out: the page gives each element one
    2:11 warning case-lost: HTML makes `ui-class-isDone` lower case, `ui-class-isdone`; write `ui-class-is-done`, and the same in the style
    2:45 error bad-name: `a.b` is no namespace: write letters, digits, `_` and `-`; `ui-namespace` takes a plain name, not a path
    2:54 error unknown-component: Shoelace has no element `<sl-fancy>`
    2:90 warning unknown-parameter: `acess` means nothing to the platform; did you mean `access`?
    2:98 error bad-priority: there is no priority `top`; priorities are `high`, `med` and `low`
    "#);
}

#[test]
fn with_types_missing_fields_and_methods_are_told() {
    insta::assert_snapshot!(check_typed("<p ui-value='titel'></p><p ui-value='selected.firstname'></p><b ui-action='sav()'></b><b ui-value='total'></b><b ui-value='title()'></b><b ui-value='nothing'></b>\n<div ui-viewlist='title'></div><div ui-view='contacts'></div><div ui-view='title'></div><i ui-action='selected.remove()'></i>"), @r#"
    1:14 warning unknown-field: `App` has no field `titel`; did you mean `title`?
    1:47 warning unknown-field: `Contact` has no field `firstname`; did you mean `firstName`?
    1:76 error missing-method: `App` has no method `sav`; did you mean `save()`?
    1:100 error method-as-field: `total` is a method of `App`; write `total()`
    1:124 error field-as-method: `title` is a field of `App`, not a method; write `title` to read it, or define `function App:title()` under another name
    1:150 warning unknown-field: `App` has no field `nothing`; declare it in `session:prototype("App", { nothing = EMPTY })` if it is set later
    2:19 error list-path: `title` holds no list; name a field that holds a list, or write `ui-view` for one object
    2:46 error view-path: `contacts` holds a list, and `ui-view` shows one object; write `ui-viewlist`, or add `?wrapper=lua.ViewList`
    2:76 error view-path: `title` holds a plain value, and `ui-view` shows objects; write `ui-value`
    2:112 error missing-method: `Contact` has no method `remove`; define `function Contact:remove() … end`
    "#);
    assert_eq!(
        check_typed(
            "<p ui-value='selected.label()'></p><div ui-viewlist='contacts'></div><p ui-value='later.any.thing'></p><p ui-value='contacts.0.x'></p><p ui-value='type'></p>"
        ),
        ""
    );
}

#[test]
fn findings_are_bounded_and_an_empty_view_is_told() {
    let many = "<p ui-x='a'></p>".repeat(500);
    assert_eq!(audit_view(&many, ViewContext::default()).len(), MAX_FINDINGS);
    insta::assert_snapshot!(check("<template>\n</template>"), @r#"1:1 warning empty-view: the view shows nothing"#);
}
