/** An app to look at: contacts with a form, a filter and a log, as an agent would build it with Shoelace. */

import type { Thing } from "./graph.ts";
import { Session } from "./session.ts";

const VIEWDEFS: Record<string, string> = {
  "Contacts.DEFAULT": `<template>
    <style>
      .contacts { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
      .contacts header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; }
      .contacts .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem; align-items: start; margin-top: 1rem; }
      .contacts .rows { display: grid; gap: 0.75rem; margin-top: 1rem; }
      .contacts .row { display: flex; gap: 0.75rem; align-items: center; }
      .contacts .row > div { flex: 1; min-width: 0; }
      .contacts form { display: grid; gap: 1rem; }
      .contacts .chosen { --border-color: var(--sl-color-primary-500); }
    </style>
    <main class="contacts">
      <header>
        <h1><sl-icon name="people"></sl-icon> Contacts <sl-badge pill ui-value="count()"></sl-badge></h1>
        <sl-button variant="primary" ui-action="add()"><sl-icon slot="prefix" name="plus-lg"></sl-icon>New contact</sl-button>
      </header>
      <div class="columns">
        <section>
          <sl-input ui-value="filter?keypress" placeholder="Search" clearable><sl-icon slot="prefix" name="search"></sl-icon></sl-input>
          <div class="rows" ui-viewlist="shown()"></div>
        </section>
        <div ui-view="chosen"></div>
      </div>
    </main></template>`,
  "Contact.list-item": `<template><sl-card ui-class-chosen="isChosen()" ui-action="choose()"><div class="row">
      <sl-avatar ui-attr-initials="initials()"></sl-avatar>
      <div><strong ui-value="name"></strong><br><small ui-value="mail"></small></div>
      <sl-rating ui-value="stars" max="3"></sl-rating></div></sl-card></template>`,
  "Contact.DEFAULT": `<template><sl-card style="width: 100%"><form>
      <strong slot="header">Edit</strong>
      <sl-input label="Name" ui-value="name?keypress"></sl-input>
      <sl-input label="Mail" type="email" ui-value="mail"></sl-input>
      <sl-select label="Circle" ui-value="circle"><sl-option value="friends">Friends</sl-option><sl-option value="work">Work</sl-option></sl-select>
      <sl-switch ui-value="isFavourite">Favourite</sl-switch>
      <sl-textarea label="Notes" ui-value="notes" rows="3"></sl-textarea>
      <sl-button variant="danger" outline ui-action="remove()"><sl-icon slot="prefix" name="trash"></sl-icon>Remove</sl-button>
    </form></sl-card></template>`,
};

interface Contact extends Thing {
  name: string;
  mail: string;
}

export function sampleUi(): Session {
  const app = {
    type: "Contacts",
    contacts: [] as Contact[],
    chosen: null as Contact | null,
    filter: "",
    count: () => app.contacts.length,
    shown: () =>
      app.contacts.filter(({ name }) => name.toLowerCase().includes(app.filter.toLowerCase())),
    add() {
      app.chosen = contact(app, "New contact", "");
      app.contacts.push(app.chosen);
    },
  };
  for (const [name, mail] of [
    ["Ada Lovelace", "ada@example.org"],
    ["Alan Turing", "alan@example.org"],
    ["Grace Hopper", "grace@example.org"],
    ["Katherine Johnson", "katherine@example.org"],
  ] as const) {
    app.contacts.push(contact(app, name, mail));
  }
  app.chosen = app.contacts[2] ?? null;
  return new Session(app, VIEWDEFS);
}

interface Holder {
  contacts: Contact[];
  chosen: Contact | null;
}

function contact(app: Holder, name: string, mail: string): Contact {
  const made: Contact = {
    type: "Contact",
    name,
    mail,
    circle: "friends",
    stars: name.length % 4,
    isFavourite: name.startsWith("G"),
    notes: "",
    initials: () =>
      made.name
        .split(" ")
        .map((word) => word[0] ?? "")
        .join(""),
    isChosen: () => app.chosen === made,
    choose: () => void (app.chosen = made),
    remove() {
      app.contacts = app.contacts.filter((other) => other !== made);
      app.chosen = null;
    },
  };
  return made;
}
